#ifndef LTE_PHY_SORTED_QR_H
#define LTE_PHY_SORTED_QR_H
/*
 * Sorted QR decomposition: H P = Q R with orthonormal columns of Q, upper triangular R of a real
 * diagonal, and a permutation P that each lane chooses for itself.
 *
 *     flag = lte_sorted_qr(n_rx, n_tx, LTE_QR_WEAKEST_FIRST, LTE_QR_RESTS, NULL, q, r, layer);
 *
 * By modified Gram-Schmidt: of the columns that are left, the one of the least or of the largest
 * norm comes next, of equal norms the one of the lowest layer. A detector that goes up from the
 * last row of R detects the columns in the opposite order.
 *
 * Source: Wuebben, Boehnke, Rinas, Kuehn, Kammeyer, Efficient algorithm for decoding layered
 * space-time codes, Electronics Letters 37, 2001.
 */

#include "phy/inversion/pivot.h"
#include "phy/inversion/powers_of_two.h"

/*
 * The rest of a column, its part orthogonal to the columns before it, that is taken for rounding
 * errors: below so much of the column's power. Such a column depends on those before it.
 */
#define LTE_QR_RESTS 0x1p-40f

typedef enum {
    LTE_QR_WEAKEST_FIRST,
    LTE_QR_STRONGEST_FIRST,
    LTE_QR_AS_GIVEN /* the columns stay where they are */
} lte_qr_order;

/* |column k|^2 over antennas in their order; q [n_rx][n_tx]. */
LTE_INLINE lte_real lte_column_power(int n_rx, int n_tx, int k, const lte_cplx *q)
{
    lte_real sum = r_set(0.0f);
    LTE_UNROLL_DEVICE
    for (int r = 0; r < n_rx; r++)
        sum = sum + c_abs2(q[r * n_tx + k]);
    return sum;
}

/* Swaps a and b where m holds. */
LTE_INLINE void lte_swap_where(lte_mask m, lte_cplx *a, lte_cplx *b)
{
    const lte_cplx first = c_sel(m, *b, *a);
    *b = c_sel(m, *a, *b);
    *a = first;
}

/* Exchanges real numbers a and b where m holds. */
LTE_INLINE void lte_swap_reals(lte_mask m, lte_real *a, lte_real *b)
{
    const lte_real first = r_sel(m, *b, *a);
    *b = r_sel(m, *a, *b);
    *a = first;
}

/*
 * Moves the column that comes next to place i, with what R has of it above, its layer and its
 * factor. factor [n_tx]: NULL, or powers of two that columns are to be multiplied by.
 */
LTE_INLINE void lte_next_column(int n_rx, int n_tx, int i, lte_qr_order order, lte_real *factor,
                                lte_cplx *q, lte_cplx *r, lte_real *layer)
{
    lte_real best = lte_column_power(n_rx, n_tx, i, q), first = layer[i];
    lte_real of_best = factor ? factor[i] : r_set(1.0f);
    lte_word at = w_set((uint32_t)i);
    LTE_UNROLL_DEVICE
    for (int j = i + 1; j < n_tx; j++) {
        const lte_real power = lte_column_power(n_rx, n_tx, j, q);
        const lte_mask less =
            factor ? lte_scaled_less(power, factor[j], best, of_best) : r_lt(power, best);
        const lte_mask more =
            factor ? lte_scaled_less(best, of_best, power, factor[j]) : r_lt(best, power);
        const lte_mask alike = m_and(m_not(m_or(less, more)), r_lt(layer[j], first));
        const lte_mask better = m_or(order == LTE_QR_WEAKEST_FIRST ? less : more, alike);
        first = r_sel(better, layer[j], first);
        best = r_sel(better, power, best);
        of_best = factor ? r_sel(better, factor[j], of_best) : of_best;
        at = w_sel(better, w_set((uint32_t)j), at);
    }
    LTE_UNROLL_DEVICE
    for (int j = i + 1; j < n_tx; j++) {
        const lte_mask here = w_eq(at, w_set((uint32_t)j));
        if (!m_any(here))
            continue;
        LTE_UNROLL_DEVICE
        for (int e = 0; e < n_rx; e++)
            lte_swap_where(here, &q[e * n_tx + i], &q[e * n_tx + j]);
        LTE_UNROLL_DEVICE
        for (int e = 0; e < i; e++)
            lte_swap_where(here, &r[e * n_tx + i], &r[e * n_tx + j]);
        lte_swap_reals(here, &layer[i], &layer[j]);
        if (factor)
            lte_swap_reals(here, &factor[i], &factor[j]);
    }
}

/*
 *   least    a column whose rest has at most so much of its power has none: its column of Q is zero
 *            and so is its element on the diagonal of R, what R has above it stays. 0: every column
 *            must have a rest.
 *   factor   [n_tx]        NULL, or powers of two: H is q with column k times factor[k], by which
 *            columns are compared. They move with their columns; R is that of q
 *   q        [n_rx][n_tx]  H in, Q out
 *   r        [n_tx][n_tx]  out: R, zero below the diagonal
 *   layer    [n_tx]        out: the column of H that each column of Q and R is, as a number
 *
 * Returns the mask of matrices with a column that is not finite or, with least 0, of which the rest
 * is not > 0; their Q, R and layers are not to be used.
 */
LTE_INLINE lte_mask lte_sorted_qr(int n_rx, int n_tx, lte_qr_order order, float least,
                                  lte_real *factor, lte_cplx *q, lte_cplx *r, lte_real *layer)
{
    lte_mask flag = m_none();
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++)
        layer[k] = r_set((float)k);
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_tx * n_tx; e++)
        r[e] = c_zero();
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++) {
        if (order != LTE_QR_AS_GIVEN)
            lte_next_column(n_rx, n_tx, i, order, factor, q, r, layer);
        const lte_real power = lte_column_power(n_rx, n_tx, i, q);
        lte_real length = r_sqrt(power), inverse = r_set(1.0f) / length;
        if (least > 0.0f) {
            lte_real above = r_set(0.0f); /* power of the column beside its rest */
            LTE_UNROLL_DEVICE
            for (int e = 0; e < i; e++)
                above = above + c_abs2(r[e * n_tx + i]);
            const lte_mask rests = r_lt(above * r_set(least), power);
            length = r_sel(rests, length, r_set(0.0f));
            inverse = r_sel(rests, inverse, r_set(0.0f));
            flag = m_or(flag, m_not(r_finite(power)));
        } else {
            flag = m_or(flag, m_not(lte_divides(power)));
        }
        r[i * n_tx + i].re = length;
        LTE_UNROLL_DEVICE
        for (int e = 0; e < n_rx; e++)
            q[e * n_tx + i] = c_scale(q[e * n_tx + i], inverse);
        LTE_UNROLL_DEVICE
        for (int j = i + 1; j < n_tx; j++) {
            lte_cplx along = c_zero();
            LTE_UNROLL_DEVICE
            for (int e = 0; e < n_rx; e++)
                along = c_cmac(along, q[e * n_tx + i], q[e * n_tx + j]);
            LTE_UNROLL_DEVICE
            for (int e = 0; e < n_rx; e++)
                q[e * n_tx + j] = c_nmac(q[e * n_tx + j], q[e * n_tx + i], along);
            r[i * n_tx + j] = along;
        }
    }
    return flag;
}

#endif
