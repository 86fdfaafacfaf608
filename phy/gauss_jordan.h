#ifndef LTE_PHY_GAUSS_JORDAN_H
#define LTE_PHY_GAUSS_JORDAN_H
/*
 * Inverse of a small complex matrix in place, by Gauss-Jordan elimination with full pivoting.
 *
 *     lte_cplx a[4 * 4];
 *     lte_mask flag = lte_gauss_jordan(4, a);    // a becomes its inverse; zero where flagged
 *
 * Every element of a step is updated from the step's old values alone, so the order within a step
 * is free: a plain loop, lanes of a vector and the threads of a block give the same bits.
 *
 * Source: methods.md M1 (Tsinghua University, CN102567283A, 2011). The printed text stops at order
 * 1 and never undoes the swaps; here they are undone, without which it is no inverse.
 */

#include "phy/limits.h"
#include "phy/cplx.h"

LTE_INLINE void lte_swap_where(lte_mask m, lte_cplx *a, lte_cplx *b)
{
    lte_cplx old = *a;
    *a = c_sel(m, *b, old);
    *b = c_sel(m, old, *b);
}

/* Swaps rows k and pivot (k <= pivot < n, per lane) of a [n][n]. */
LTE_INLINE void lte_swap_rows(int n, lte_cplx *a, int k, lte_word pivot)
{
    for (int i = k + 1; i < n; i++) {
        lte_mask here = w_eq(pivot, w_set((uint32_t)i));
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            lte_swap_where(here, &a[k * n + j], &a[i * n + j]);
    }
}

/* Swaps columns k and pivot (k <= pivot < n, per lane) of a [n][n]. */
LTE_INLINE void lte_swap_columns(int n, lte_cplx *a, int k, lte_word pivot)
{
    for (int j = k + 1; j < n; j++) {
        lte_mask here = w_eq(pivot, w_set((uint32_t)j));
        LTE_UNROLL
        for (int i = 0; i < n; i++)
            lte_swap_where(here, &a[i * n + k], &a[i * n + j]);
    }
}

/* Place of the largest |a_ij|^2 over i, j >= k; ties go to the lowest row, then column. */
LTE_INLINE lte_real lte_pivot(int n, const lte_cplx *a, int k, lte_word *row, lte_word *column)
{
    lte_real best = c_abs2(a[k * n + k]);
    lte_word place = w_set((uint32_t)(k * n + k));
    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            lte_real size = c_abs2(a[i * n + j]);
            lte_mask larger = r_lt(best, size);
            best = r_sel(larger, size, best);
            place = w_sel(larger, w_set((uint32_t)(i * n + j)), place);
        }
    }
    /* row = place / n without a division: n <= 8, place < 64 */
    *row = (place * w_set((uint32_t)(65536 / n + 1))) >> 16;
    *column = place - *row * w_set((uint32_t)n);
    return best;
}

/* Zeroes the matrices that are flagged or have an element that is not finite, and flags those. */
LTE_INLINE lte_mask lte_zero_flagged(int n, lte_cplx *a, lte_mask flag)
{
    for (int i = 0; i < n * n; i++) {
        lte_mask finite = m_and(r_finite(a[i].re), r_finite(a[i].im));
        flag = m_or(flag, m_not(finite));
    }
    if (m_any(flag)) {
        for (int i = 0; i < n * n; i++)
            a[i] = c_sel(flag, c_zero(), a[i]);
    }
    return flag;
}

/*
 * a <- a^-1 for a [n][n], 1 <= n <= LTE_MAX_TX.
 *
 *     step k: swap the largest |a_ij|, i, j >= k, to (k, k);  p = 1 / a_kk
 *             a_kj <- a_kj p,  a_ij <- a_ij - a_ik a_kj,  a_ik <- -a_ik p,  a_kk <- p
 *
 * Returns the mask of matrices with a pivot whose |.|^2 is not > 0 or a result that is not
 * finite; those become zero.
 */
LTE_INLINE lte_mask lte_gauss_jordan(int n, lte_cplx *a)
{
    lte_word row[LTE_MAX_TX], column[LTE_MAX_TX];
    lte_mask flag = m_none();
    for (int k = 0; k < n; k++) {
        lte_real size = lte_pivot(n, a, k, &row[k], &column[k]);
        flag = m_or(flag, m_not(r_lt(r_set(0.0f), size)));
        lte_swap_rows(n, a, k, row[k]);
        lte_swap_columns(n, a, k, column[k]);

        lte_cplx *pivot_row = &a[k * n];
        lte_real inverse_size = r_set(1.0f) / size;
        lte_cplx p = {pivot_row[k].re * inverse_size, -(pivot_row[k].im * inverse_size)};
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            pivot_row[j] = c_mul(pivot_row[j], p);
        pivot_row[k] = p;
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            lte_cplx factor = a[i * n + k];
            LTE_UNROLL
            for (int j = 0; j < n; j++)
                a[i * n + j] = c_nmac(a[i * n + j], factor, pivot_row[j]);
            a[i * n + k] = c_neg(c_mul(factor, p));
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        lte_swap_rows(n, a, k, column[k]);
        lte_swap_columns(n, a, k, row[k]);
    }
    return lte_zero_flagged(n, a, flag);
}

#endif
