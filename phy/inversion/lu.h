#ifndef LTE_PHY_LU_H
#define LTE_PHY_LU_H
/*
 * Inverse of a matrix of order 1 to LTE_MAX_TX in place, by LU with partial pivoting; each lane has
 * pivots of its own.
 *
 *     lte_cplx a[16 * 16];
 *     lte_mask flag = lte_lu(16, a);     // a becomes its inverse
 *
 * The bits are those of the method lu of kernels/methods/inverse/inverse.h.
 */

#include "phy/base/limits.h"
#include "phy/inversion/pivot.h"

/* Elements whose sums stay in registers while k runs. */
enum { LTE_LU_GROUP = 4 };

/*
 * Lines k and other of a are exchanged, in each lane with its own other >= k: rows or columns of n
 * elements, lines line elements apart, elements of a line step ones.
 */
LTE_INLINE void lte_lu_exchange(int n, int k, lte_word other, int line, int step, lte_cplx *a)
{
    lte_cplx *with[LTE_WIDTH]; /* no more of them than lanes */
    lte_mask where[LTE_WIDTH];
    int count = 0;
    for (int i = k + 1; i < n; i++) {
        const lte_mask here = w_eq(other, w_set((uint32_t)i));
        if (m_any(here)) {
            where[count] = here;
            with[count++] = &a[i * line];
        }
    }
    for (int j = 0; j < n && count > 0; j++) {
        lte_cplx *const to = &a[k * line + j * step];
        const lte_cplx old = *to;
        lte_cplx s = old;
        for (int c = 0; c < count; c++) {
            lte_cplx *const from = &with[c][j * step];
            s = c_sel(where[c], *from, s);
            *from = c_sel(where[c], old, *from);
        }
        *to = s;
    }
}

/* The row i >= k of the largest |a_ik|^2, the first of equals, and that size. */
LTE_INLINE lte_word lte_lu_pivot(int n, int ld, int k, const lte_cplx *a, lte_real *size)
{
    lte_real best = r_set(0.0f);
    lte_word row = w_set((uint32_t)k);
    for (int i = k; i < n; i++) {
        const lte_real here = c_abs2(a[i * ld + k]);
        const lte_mask larger = r_lt(best, here);
        best = r_sel(larger, here, best);
        row = w_sel(larger, w_set((uint32_t)i), row);
    }
    *size = best;
    return row;
}

/* t = from, from + step, .., not end. */
typedef struct {
    int from, end, step;
} lte_lu_terms;

/* a_ij - sum_t a_it column[t] of rows i to i + count, count constant. */
LTE_INLINE void lte_lu_rows(int ld, int count, int i, lte_lu_terms terms, const lte_cplx *column,
                            const lte_cplx *a, lte_cplx *s)
{
    for (int t = terms.from; t != terms.end; t += terms.step) {
        LTE_UNROLL
        for (int g = 0; g < count; g++)
            s[g] = c_nmac(s[g], a[(i + g) * ld + t], column[t]);
    }
}

/* Rows k and below of column k, before its pivot is sought. */
LTE_INLINE void lte_lu_column(int n, int ld, int k, lte_cplx *a)
{
    lte_cplx column[LTE_MAX_TX], s[LTE_LU_GROUP];
    for (int t = 0; t < k; t++)
        column[t] = a[t * ld + k];
    int i = k;
    for (; i + LTE_LU_GROUP <= n; i += LTE_LU_GROUP) {
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            s[g] = a[(i + g) * ld + k];
        lte_lu_rows(ld, LTE_LU_GROUP, i, (lte_lu_terms){0, k, 1}, column, a, s);
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            a[(i + g) * ld + k] = s[g];
    }
    for (; i < n; i++)
        lte_lu_rows(ld, 1, i, (lte_lu_terms){0, k, 1}, column, a, &a[i * ld + k]);
}

/* Row k of U. */
LTE_INLINE void lte_lu_row(int n, int ld, int k, lte_cplx *a)
{
    int j = k + 1;
    for (; j + LTE_LU_GROUP <= n; j += LTE_LU_GROUP) {
        lte_cplx s[LTE_LU_GROUP];
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            s[g] = a[k * ld + j + g];
        for (int t = 0; t < k; t++) {
            LTE_UNROLL
            for (int g = 0; g < LTE_LU_GROUP; g++)
                s[g] = c_nmac(s[g], a[k * ld + t], a[t * ld + j + g]);
        }
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            a[k * ld + j + g] = s[g];
    }
    for (; j < n; j++) {
        for (int t = 0; t < k; t++)
            a[k * ld + j] = c_nmac(a[k * ld + j], a[k * ld + t], a[t * ld + j]);
    }
}

/* Column j of W = U^-1 over that of U; those before it are done. */
LTE_INLINE void lte_lu_upper(int ld, int j, lte_cplx *a)
{
    lte_cplx column[LTE_MAX_TX], s[LTE_LU_GROUP];
    const lte_cplx r = a[j * ld + j];
    for (int t = 0; t < j; t++)
        column[t] = a[t * ld + j];
    int i = 0;
    for (; i + LTE_LU_GROUP <= j; i += LTE_LU_GROUP) {
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++) {
            s[g] = c_zero();
            lte_lu_rows(ld, 1, i + g, (lte_lu_terms){i + g, i + LTE_LU_GROUP, 1}, column, a, &s[g]);
        }
        lte_lu_rows(ld, LTE_LU_GROUP, i, (lte_lu_terms){i + LTE_LU_GROUP, j, 1}, column, a, s);
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            a[(i + g) * ld + j] = c_mul(s[g], r);
    }
    for (; i < j; i++) {
        s[0] = c_zero();
        lte_lu_rows(ld, 1, i, (lte_lu_terms){i, j, 1}, column, a, s);
        a[i * ld + j] = c_mul(s[0], r);
    }
}

/* Column j of X, X L = W, over those of W and L; those behind it are done. */
LTE_INLINE void lte_lu_solve(int n, int ld, int j, lte_cplx *a)
{
    lte_cplx column[LTE_MAX_TX], s[LTE_LU_GROUP];
    for (int t = j + 1; t < n; t++) {
        column[t] = a[t * ld + j];
        a[t * ld + j] = c_zero();
    }
    int i = 0;
    for (; i + LTE_LU_GROUP <= n; i += LTE_LU_GROUP) {
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            s[g] = a[(i + g) * ld + j];
        lte_lu_rows(ld, LTE_LU_GROUP, i, (lte_lu_terms){n - 1, j, -1}, column, a, s);
        LTE_UNROLL
        for (int g = 0; g < LTE_LU_GROUP; g++)
            a[(i + g) * ld + j] = s[g];
    }
    for (; i < n; i++)
        lte_lu_rows(ld, 1, i, (lte_lu_terms){n - 1, j, -1}, column, a, &a[i * ld + j]);
}

/*
 * a <- a^-1 P^-1 for a [n][n] in rows of ld elements, 1 <= n <= LTE_MAX_TX.
 *
 *     P a = L U;  W = U^-1;  X = W L^-1
 *
 * A column of L and a row of U at a time (Crout), so that no sum leaves the registers.
 *
 * pivot [n]: row k was exchanged with row pivot[k] >= k, k = 0, 1, ...
 *
 * Returns the mask of matrices with a pivot whose |.|^2 is not > 0 or not finite, or with a result
 * that is not finite.
 */
LTE_INLINE lte_mask lte_lu_exchanged(int n, int ld, lte_cplx *a, lte_word *pivot)
{
    lte_mask flag = m_none();
    for (int k = 0; k < n; k++) {
        lte_real size;
        lte_lu_column(n, ld, k, a);
        pivot[k] = lte_lu_pivot(n, ld, k, a, &size);
        flag = m_or(flag, m_not(lte_divides(size)));
        lte_lu_exchange(n, k, pivot[k], ld, 1, a);
        const lte_cplx r = c_conj(c_scale(a[k * ld + k], r_set(1.0f) / size));
        a[k * ld + k] = r;
        for (int i = k + 1; i < n; i++)
            a[i * ld + k] = c_mul(a[i * ld + k], r);
        lte_lu_row(n, ld, k, a);
    }
    for (int j = 0; j < n; j++)
        lte_lu_upper(ld, j, a);
    for (int j = n - 1; j >= 0; j--)
        lte_lu_solve(n, ld, j, a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const lte_cplx x = a[i * ld + j];
            flag = m_or(flag, m_not(m_and(r_finite(x.re), r_finite(x.im))));
        }
    }
    return flag;
}

/*
 * a <- a^-1 for a [n][n], 1 <= n <= LTE_MAX_TX.
 *
 * Returns the mask of matrices with a pivot whose |.|^2 is not > 0 or not finite, or with a result
 * that is not finite; those become zero. Source: Golub, Van Loan, Matrix Computations, 4th ed.,
 * 3.4; Higham, Accuracy and Stability, 2nd ed., 14.3, method D.
 */
LTE_INLINE lte_mask lte_lu(int n, lte_cplx *a)
{
    lte_word pivot[LTE_MAX_TX];
    const lte_mask flag = lte_lu_exchanged(n, n, a, pivot);
    for (int k = n - 1; k >= 0; k--)
        lte_lu_exchange(n, k, pivot[k], 1, n, a);
    return lte_zero_flagged(n, a, flag);
}

#endif
