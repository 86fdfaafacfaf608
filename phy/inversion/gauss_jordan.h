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
 * Source: Tsinghua University, CN102567283A, 2011; and the detector around it, Sui, Li, Wang, Wang,
 * High Throughput MIMO-OFDM Detection with Graphics Processing Units, 2012. The patent's text stops
 * at order 1 and never undoes the swaps; here they are undone, without which it is no inverse.
 */

#include "phy/base/limits.h"
#include "phy/inversion/pivot.h"

/* True in m[i], i > k, where index is i: at most one i in a lane. */
LTE_INLINE void lte_places(int n, int k, lte_word index, lte_mask *m)
{
    LTE_UNROLL
    for (int i = k + 1; i < n; i++)
        m[i] = w_eq(index, w_set((uint32_t)i));
}

/* Elements k and i of x, n of them a stride apart, change places where m[i]. */
LTE_INLINE void lte_swap(int n, int k, const lte_mask *m, lte_cplx *x)
{
    const lte_cplx old = x[k];
    LTE_UNROLL
    for (int i = k + 1; i < n; i++) {
        const lte_cplx other = x[i];
        x[i] = c_sel(m[i], old, other);
        x[k] = c_sel(m[i], other, x[k]);
    }
}

/* The largest |.|^2 so far and its place, i n + j. */
typedef struct {
    lte_real size;
    lte_word place;
} lte_pivot;

/* Looks at elements j >= k of row i; ties go to the lowest row, then column. */
LTE_INLINE void lte_pivot_search(int n, int k, int i, const lte_cplx *row, lte_pivot *best)
{
    LTE_UNROLL
    for (int j = k; j < n; j++) {
        const lte_real size = c_abs2(row[j]);
        const lte_mask larger = r_lt(best->size, size);
        best->size = r_sel(larger, size, best->size);
        best->place = w_sel(larger, w_set((uint32_t)(i * n + j)), best->place);
    }
}

/* What was swapped with row and column k in step k: places, and where each place is i > k. */
typedef struct {
    lte_word row[LTE_MAX_ORDER], column[LTE_MAX_ORDER];
    lte_mask row_is[LTE_MAX_ORDER][LTE_MAX_ORDER],
        column_is[LTE_MAX_ORDER][LTE_MAX_ORDER]; /* [k][i], [k][j] */
} lte_swaps;

/*
 * The elimination alone: a becomes the inverse with rows and columns still swapped.
 *
 *     step k: swap the largest |a_ij|, i, j >= k, to (k, k);  p = 1 / a_kk
 *             a_kj <- a_kj p,  a_ij <- a_ij - a_ik a_kj,  a_ik <- -a_ik p,  a_kk <- p
 *
 * A step passes over the matrix once: a row is swapped, eliminated and searched for the next pivot
 * while it is at hand.
 *
 * Returns the mask of matrices with a pivot whose |.|^2 is not > 0 or not finite.
 */
LTE_INLINE lte_mask lte_eliminate(int n, lte_cplx *a, lte_swaps *swaps)
{
    lte_mask flag = m_none();
    lte_pivot best = {r_set(0.0f), w_set(0)};
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n; i++)
        lte_pivot_search(n, 0, i, &a[i * n], &best);

    LTE_UNROLL
    for (int k = 0; k < n; k++) {
        /* row = place / n without a division: n <= 8, place < 64 */
        const lte_word row = (best.place * w_set((uint32_t)(65536 / n + 1))) >> 16;
        swaps->row[k] = row;
        swaps->column[k] = best.place - row * w_set((uint32_t)n);
        lte_places(n, k, swaps->row[k], swaps->row_is[k]);
        lte_places(n, k, swaps->column[k], swaps->column_is[k]);
        flag = m_or(flag, m_not(lte_divides(best.size)));

        /* the pivot row, from wherever it is, with its columns swapped */
        lte_cplx old[LTE_MAX_ORDER], pivot_row[LTE_MAX_ORDER];
        LTE_UNROLL
        for (int j = 0; j < n; j++) {
            old[j] = pivot_row[j] = a[k * n + j];
            LTE_UNROLL
            for (int i = k + 1; i < n; i++)
                pivot_row[j] = c_sel(swaps->row_is[k][i], a[i * n + j], pivot_row[j]);
        }
        lte_swap(n, k, swaps->column_is[k], pivot_row);
        const lte_real inverse_size = r_set(1.0f) / best.size;
        const lte_cplx p = {pivot_row[k].re * inverse_size, -(pivot_row[k].im * inverse_size)};
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            pivot_row[j] = c_mul(pivot_row[j], p);

        best.size = r_set(0.0f);
        best.place = w_set((uint32_t)((k + 1) * n + k + 1));
        LTE_UNROLL_DEVICE
        for (int i = 0; i < n; i++) {
            lte_cplx x[LTE_MAX_ORDER];
            if (i == k)
                continue;
            LTE_UNROLL
            for (int j = 0; j < n; j++)
                x[j] = i > k ? c_sel(swaps->row_is[k][i], old[j], a[i * n + j]) : a[i * n + j];
            lte_swap(n, k, swaps->column_is[k], x);
            const lte_cplx factor = x[k];
            LTE_UNROLL
            for (int j = 0; j < n; j++)
                x[j] = c_nmac(x[j], factor, pivot_row[j]);
            x[k] = c_neg(c_mul(factor, p));
            if (i > k)
                lte_pivot_search(n, k + 1, i, x, &best);
            LTE_UNROLL
            for (int j = 0; j < n; j++)
                a[i * n + j] = x[j];
        }
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            a[k * n + j] = pivot_row[j];
        a[k * n + k] = p;
    }
    return flag;
}

/*
 * Undoes the swaps from the last to the first: rows by the columns', columns by the rows'.
 * Element (i, j) of the eliminated matrix is element (r, c) of the inverse, where r is i after the
 * swaps of rows, and c is j after those of columns.
 */
LTE_INLINE void lte_unswap(int n, lte_cplx *a, const lte_swaps *swaps)
{
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n; i++) {
        lte_cplx x[LTE_MAX_ORDER];
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            x[j] = a[i * n + j];
        LTE_UNROLL
        for (int k = n - 1; k >= 0; k--)
            lte_swap(n, k, swaps->row_is[k], x);
        LTE_UNROLL
        for (int j = 0; j < n; j++)
            a[i * n + j] = x[j];
    }
    LTE_UNROLL_DEVICE
    for (int j = 0; j < n; j++) {
        lte_cplx x[LTE_MAX_ORDER];
        LTE_UNROLL
        for (int i = 0; i < n; i++)
            x[i] = a[i * n + j];
        LTE_UNROLL
        for (int k = n - 1; k >= 0; k--)
            lte_swap(n, k, swaps->column_is[k], x);
        LTE_UNROLL
        for (int i = 0; i < n; i++)
            a[i * n + j] = x[i];
    }
}

/*
 * a <- a^-1 for a [n][n], 1 <= n <= LTE_MAX_ORDER.
 *
 * Returns the mask of matrices with a pivot whose |.|^2 is not > 0 or not finite, or with a result
 * that is not finite; those become zero.
 */
LTE_INLINE lte_mask lte_gauss_jordan(int n, lte_cplx *a)
{
    lte_swaps swaps;
    const lte_mask flag = lte_eliminate(n, a, &swaps);
    lte_unswap(n, a, &swaps);
    return lte_zero_flagged(n, a, flag);
}

#endif
