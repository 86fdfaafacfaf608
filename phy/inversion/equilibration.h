#ifndef LTE_PHY_EQUILIBRATION_H
#define LTE_PHY_EQUILIBRATION_H
/*
 * Equilibration by powers of two of a matrix whose elements are so large or small that the squares
 * of an inverter's pivots leave the range of the type.
 *
 *     lte_equilibration e = {.n = 4, .hermitian = false, .is_double = false};
 *     if (lte_equilibrate(&e, a, b)) {
 *         lte_mask flag = lte_lu(4, b);                         // B^-1, by any inverter
 *         bool good = !flag && lte_equilibration_undo(&e, b);   // now b holds A^-1
 *     }
 *
 *     A = R B C,  A^-1 = C^-1 B^-1 R^-1,  R = diag(2^row_i),  C = diag(2^column_j)
 *
 * Matrices are [n][n], row major, real and imaginary parts in turn, floats or doubles. A number is
 * multiplied by a power of two and rounded once, which changes it only where it becomes subnormal.
 *
 * Source: of Hermitian positive definite matrices van der Sluis, Condition numbers and
 * equilibration of matrices, Numer. Math. 14, 1969: R = C makes the diagonal 1; here, 1 to 4. Of
 * others Curtis, Reid, On the automatic scaling of matrices for Gaussian elimination, J. Inst.
 * Maths Applics 10, 1972: the least squares of log2 |b_ij| over elements that are not zero. The
 * largest element of each row and column is then made 1 to 2.
 */

#include <stdbool.h>

enum {
    LTE_EQUILIBRATION_MAX_ORDER = 256,
    /*
     * Elements from 2^-24 to 2^24, after rows and columns have been evened out, need no
     * equilibration: the pivots of a matrix that is not singular in floats are from 2^-46 on.
     */
    LTE_EQUILIBRATION_MODERATE = 24
};

/* A matrix's, and what it was equilibrated by. */
typedef struct {
    int n;          /* order, 1 to LTE_EQUILIBRATION_MAX_ORDER */
    bool hermitian; /* positive definite; its lower triangle alone is read, its diagonal is real */
    bool is_double; /* elements are pairs of double, else of float */
    double largest; /* |re| or |im| in B                         out */
    int row[LTE_EQUILIBRATION_MAX_ORDER];    /* [n] exponents of R      out */
    int column[LTE_EQUILIBRATION_MAX_ORDER]; /* [n] exponents of C      out */
} lte_equilibration;

/*
 * b <- B of a, which b must not overlap. Returns false, with b undefined, where an element is not
 * finite, where a row or column is zero, where a Hermitian matrix is not positive definite by a
 * diagonal element or by an exponent alone, and where all exponents are moderate.
 */
bool lte_equilibrate(lte_equilibration *e, const void *a, void *b);

/*
 * x, the inverse of B as computed, becomes that of A. Returns false, with x undefined, where an
 * element is not finite, and where B is singular to working precision:
 *
 *     4 n u largest |B| largest |X| >= 1,  u = 2^-24 or 2^-53
 */
bool lte_equilibration_undo(const lte_equilibration *e, void *x);

#endif
