#ifndef LTE_KERNELS_METHODS_INVERSE_H
#define LTE_KERNELS_METHODS_INVERSE_H
/*
 * Inverses of many matrices of order 1 to 256.
 *
 *     void *work = aligned_alloc(64, lte_inverse_work(n_threads));
 *     lte_inverse_batch batch = {LTE_CFLOAT, n, n_matrices, a, x, flag, work};
 *     status = lte_inverse(lte_inverse_best(), LTE_INVERSE_LU_DELAYED, &batch, n_threads);
 *
 * Every level, order of loops, block, thread and device gives the same bits: an element's sum runs
 * over k in the order below, with one fused multiply-add for each real product and the products of
 * complex numbers as phy/base/cplx.h has them (c_nmac: s - a b, c_nmacc: s - a conj(b)).
 *
 *   lu        for k = 0, 1, ..: the row of the largest |a_ik|^2, i >= k (ties: the first), is
 *             exchanged with row k; r_k = 1 / a_kk as conj(a_kk) (1 / |a_kk|^2);
 *             l_ik = a_ik r_k;  a_ij <- a_ij - l_ik a_kj for i, j > k
 *             U^-1: w_kk = r_k;  w_ij = (0 - sum_{k = i, .., j - 1} w_ik u_kj) r_j
 *             columns from right to left: x_ij = w_ij - sum_{k = n - 1, .., j + 1} x_ik l_kj
 *             columns exchanged as the rows were
 *   cholesky  r_j = 1 / sqrt(d_j), a root and a division; l_ij = (a_ij - sum_{k = 0, .., j - 1}
 *             l_ik conj(l_jk)) r_j, the same sum for d_j
 *             M = L^-1: m_jj = r_j;  m_ij = (0 - sum_{k = j, .., i - 1} l_ik m_kj) r_i
 *             x_ij = -(0 - sum_{k = i, .., n - 1} conj(m_ki) m_kj) for i >= j, the upper part its
 *             conjugate
 *
 * Immediate: a block of columns that is solved corrects all columns that wait for it, each of them
 * read and written once a block. Delayed: a block of columns is corrected by all solved ones just
 * before it is solved itself, and so is written once. Both do the same operations on an element in
 * the same order.
 *
 * A matrix without a finite inverse is data: where a pivot's |.|^2 (d_j^2) is not > 0 or not
 * finite, or an element of the inverse is not finite, the inverse is zero and its flag 1.
 *
 * Source: Computer Network Information Center, Chinese Academy of Sciences, batched
 * inversion with delayed correction on a graphics processor, 2021; Golub, Van Loan, Matrix
 * Computations, 4th ed., 3.4 and 4.2; Higham, Accuracy and Stability, 2nd ed., 14.3.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/methods/array/array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LTE_INVERSE_MAX_ORDER = 256,
    LTE_INVERSE_BLOCK = 8 /* columns of a block of the mapping published for devices, NB */
};

/* clang-format off */
enum { LTE_INVERSE_LU_DELAYED, LTE_INVERSE_LU_IMMEDIATE, LTE_INVERSE_CHOLESKY_DELAYED,
       LTE_N_INVERSES };
/* clang-format on */

/* The elements that are inverted: those of lte_element before this one. */
enum { LTE_N_NUMBERS = LTE_CDOUBLE + 1 };

/* What is said of a method. */
typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line */
    bool hermitian;   /* reads the lower triangle alone; the inverse is exactly Hermitian */
} lte_inverse_row;

extern const lte_inverse_row lte_inverse_rows[LTE_N_INVERSES];

/* The method of a name, or -1. */
int lte_inverse_method(const char *name);

/* Inverts n_matrices of one element type and order, in turn; work: of one thread. */
typedef void lte_inverse_run(int method, int n, int n_matrices, const void *a, void *x,
                             uint8_t *flag, void *work);

/* One instruction set. */
typedef struct {
    const char *name; /* "ref", "v3", "v4", "neon" */
    bool (*usable)(void);
    lte_inverse_run *run[LTE_N_NUMBERS];
} lte_inverse_level;

/* "ref", the plain loops, is the first; NULL ends the list. */
extern const lte_inverse_level *const lte_inverse_levels[];
extern const lte_inverse_level lte_inverse_ref, lte_inverse_v3, lte_inverse_v4, lte_inverse_neon;

/* The fastest that this processor has. */
const lte_inverse_level *lte_inverse_best(void);

/* Bytes of work memory, a multiple of 64, for so many threads. */
size_t lte_inverse_work(int n_threads);

/* Matrices of one type and order, and where their inverses go: x <- a^-1, matrix by matrix. */
typedef struct {
    int element;       /* LTE_FLOAT, LTE_CFLOAT, LTE_DOUBLE or LTE_CDOUBLE */
    int n, n_matrices; /* order, and how many */
    const void *a;     /* [n_matrices][n][n], row major */
    void *x;           /* [n_matrices][n][n]  out; may be a, must not overlap it otherwise */
    uint8_t *flag;     /* [n_matrices]  out: 1 where there is no finite inverse, else 0 */
    void *work;        /* on a processor lte_inverse_work bytes on a boundary of 64 */
} lte_inverse_batch;

/*
 * Inverts a batch by n_threads, for which the work memory is.
 *
 * Returns LTE_EINVAL as lte_inverse_check does, for an unknown method and for n_threads below 1.
 */
lte_status lte_inverse(const lte_inverse_level *level, int method, const lte_inverse_batch *batch,
                       int n_threads);

/*
 * LTE_EINVAL for an unknown element, an order or a count out of range, more elements than
 * memory can have, an address that is no multiple of an element's alignment (that of a real and
 * complex number in one access: its size), and for a and x that overlap without being the same.
 */
lte_status lte_inverse_check(int element, int n, int n_matrices, const void *a, const void *x);

/*
 * Bytes of device memory that one matrix of the published mapping (versions "lu 1" and "lu 2" of
 * kernels/cuda/inversion/inversion_cuda.cu) reads and writes in blocks of nb columns, counted
 * access by access: rows beyond the active ones cost nothing, what shared memory holds is read once
 * a block.
 *
 * Returns LTE_EINVAL for a method that is not lu, an unknown element, n or nb out of range.
 */
lte_status lte_inverse_traffic(int method, int element, int n, int nb, double *read,
                               double *written);

#ifdef __cplusplus
}
#endif

#endif
