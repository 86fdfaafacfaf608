#ifndef LTE_PHY_MMSE_SIC_H
#define LTE_PHY_MMSE_SIC_H
/*
 * Successive interference cancellation in the order of V-BLAST. Among the layers that are left, the
 * detector decides the one whose MMSE estimate has the largest SINR and subtracts its symbol from
 * y; then it goes on with the others.
 *
 *     flag = lte_mmse_sic_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_mmse_sic_detect(&plan, state, y, &decision, work);
 *
 * The order P is that of phy/inversion/layer_order.h with the loading n0. By the decomposition of
 * the extended channel matrix in this order,
 *
 *     [    H       ]       [ Q1 ]
 *     [ sqrt(n0) I ] P  =  [ Q2 ] R,
 *
 * from the last row on, with the rows below decided, the MMSE estimate of layer i, its error, its
 * SINR and the estimate without bias are
 *
 *     x_i = (Q1'y - sum_{j > i} r_ij x_j) / r_ii,   n0 / r_ii^2,
 *     rho_i = r_ii^2 / n0 - 1,                      x_i r_ii^2 / (r_ii^2 - n0).
 *
 * Labels are those of these estimates. LLRs allow for decisions that were wrong: with g_ij the
 * share of layer j in the estimate of layer i, and e_j the mean of |x - x^_j|^2 over the symbols x
 * that layer j may have sent, each weighted by its probability after the estimate of layer j,
 *
 *     1 / sinr_i = 1 / rho_i + sum_{j > i} |g_ij|^2 e_j.
 *
 * Where the plain MMSE estimate of a layer, without any cancellation, has a larger SINR, the LLRs
 * are those of the plain estimate. So the sign of an LLR may differ from the bit of the label.
 *
 * Source: Wuebben, Boehnke, Kuehn, Kammeyer, MMSE extension of V-BLAST based on sorted QR
 * decomposition, IEEE VTC Fall 2003.
 */

#include "phy/detection/solving.h"
#include "phy/detection/tree.h"
#include "phy/inversion/cholesky.h"
#include "phy/inversion/layer_order.h"

/*
 * Elements of the state: those of phy/detection/tree.h; with LLRs the filter of the plain estimates
 * and their SINR behind them. Of the work memory: the extended matrix; Q1'y, and with LLRs the
 * plain estimates and the noise of rows.
 */
#define LTE_MMSE_SIC_STATE(n_rx, n_tx, llrs)                                                       \
    (LTE_TREE_STATE(n_rx, n_tx) + ((llrs) ? LTE_LINEAR_STATE(n_rx, n_tx) : 0))
#define LTE_MMSE_SIC_WORK(n_rx, n_tx) (((n_rx) + (n_tx) + 1) * (n_tx))

/* The filter of the plain estimates [n_rx][n_tx] and their SINR [n_tx]. */
LTE_INLINE lte_cplx *lte_mmse_sic_plain(const lte_detector_plan *plan, lte_cplx *state)
{
    return &state[LTE_TREE_STATE(plan->n_rx, plan->n_tx)];
}

/* [H; sqrt(n0) I]  [n_rx + n_tx][n_tx]. */
LTE_INLINE void lte_extend(int n_rx, int n_tx, const lte_cplx *h, lte_real n0, lte_cplx *extended)
{
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_rx * n_tx; e++)
        extended[e] = h[e];
    LTE_UNROLL_DEVICE
    for (int e = n_rx * n_tx; e < (n_rx + n_tx) * n_tx; e++)
        extended[e] = c_zero();
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++)
        extended[(n_rx + k) * n_tx + k].re = r_sqrt(n0);
}

/*
 * The plain estimates' part of the state.
 *
 *   h        [n_rx][n_tx]  H, with column k over factor[k]
 *   factor   [n_tx]        NULL: 1
 *   x        [n_tx][n_tx]  the inverse of h'h + n0 diag(1 / factor^2), or zero
 */
LTE_INLINE void lte_mmse_sic_keep_plain(const lte_detector_plan *plan, const lte_cplx *h,
                                        lte_real n0, const lte_real *factor, const lte_cplx *x,
                                        lte_cplx *plain)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++) {
        const lte_cplx *const row = &x[k * n_tx];
        const lte_real loading = factor ? n0 / factor[k] / factor[k] : n0;
        const lte_real part = loading * row[k].re, mu = r_set(1.0f) - part; /* (X h'h)_kk */
        const lte_mask told = m_and(r_lt(r_set(0.0f), part), r_lt(r_set(0.0f), mu));
        const lte_real gain = r_sel(told, r_set(1.0f) / mu, r_set(0.0f));
        LTE_UNROLL_DEVICE
        for (int r = 0; r < n_rx; r++)
            plain[r * n_tx + k] =
                lte_filter_element(n_tx, &h[r * n_tx], row, factor ? gain / factor[k] : gain);
        plain[n_rx * n_tx + k] = c_zero();
        plain[n_rx * n_tx + k].re = r_sel(told, mu / part, r_set(0.0f));
    }
}

/* g [n_tx][n_tx] <- (h'h + n0 diag(1 / factor^2) + more I)^-1, zero where the mask that is returned
 * holds; factor and more: NULL, none. */
LTE_INLINE lte_mask lte_mmse_sic_inverse(int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                                         const lte_real *factor, const lte_real *more, lte_cplx *g)
{
    lte_gram(n_rx, n_tx, h, g);
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++) {
        const lte_real loading = factor ? n0 / factor[k] / factor[k] : n0;
        g[k * n_tx + k].re = g[k * n_tx + k].re + (more ? loading + *more : loading);
    }
    return lte_cholesky(n_tx, g);
}

/*
 * The columns of h [n_rx][n_tx] in order, their layers, and the plain estimates if they are wanted;
 * g: memory [n_tx][n_tx]. Where n0 is too small for an inverse, 2^-20 of the power of h has its
 * place, and there are no plain estimates. factor: NULL, or column k of H is that of h times
 * factor[k], a power of two, which moves with it.
 */
LTE_INLINE void lte_mmse_sic_order(const lte_detector_plan *plan, lte_real n0, lte_cplx *h,
                                   lte_real *factor, lte_real *layer, lte_cplx *plain, lte_cplx *g)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_ordered_columns columns = {n_rx, n_tx, h, layer, g, factor};
    const lte_mask none = lte_mmse_sic_inverse(n_rx, n_tx, h, n0, factor, NULL, g);
    if (plan->llrs)
        lte_mmse_sic_keep_plain(plan, h, n0, factor, g, plain);
    if (m_any(none)) {
        lte_real power = r_set(0.0f);
        for (int k = 0; k < n_tx; k++)
            power = power + lte_column_power(n_rx, n_tx, k, h);
        const lte_real more = r_sel(none, power * r_set(0x1p-20f), r_set(0.0f));
        (void)lte_mmse_sic_inverse(n_rx, n_tx, h, n0, factor, &more, g);
    }
    lte_order_layers(&columns, 0);
}

/*
 * The state is laid out as that of phy/detection/tree.h: rows of Q1' and of R times the gain
 * r_ii / (r_ii^2 - n0), and rho_i in the place of r_ii. Where a gain is not > 0 and finite, the row
 * and rho are zero.
 */
LTE_INLINE lte_mask lte_mmse_sic_finish(const lte_detector_plan *plan, lte_real n0, lte_cplx *state,
                                        lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    lte_cplx *const r = lte_tree_r(plan, state);
    lte_real *const layer = lte_tree_layers(plan, state);
    lte_real places[LTE_MAX_TX];
    const lte_mask flag =
        lte_sorted_qr(n_rx + n_tx, n_tx, LTE_QR_AS_GIVEN, 0.0f, NULL, work, r, places);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++) {
        const lte_real pivot = r[i * n_tx + i].re, power = pivot * pivot,
                       gain = pivot / (power - n0);
        const lte_mask none = m_or(flag, m_not(m_and(r_lt(n0, power), r_finite(gain))));
        LTE_UNROLL_DEVICE
        for (int e = 0; e < n_rx; e++)
            state[e * n_tx + i] = c_sel(none, c_zero(), c_scale(work[e * n_tx + i], gain));
        LTE_UNROLL_DEVICE
        for (int j = i + 1; j < n_tx; j++)
            r[i * n_tx + j] = c_sel(none, c_zero(), c_scale(r[i * n_tx + j], gain));
        r[i * n_tx + i].re = r_sel(none, r_set(0.0f), power / n0 - r_set(1.0f));
        layer[i] = r_sel(flag, r_set((float)i), layer[i]);
    }
    if (plan->llrs && m_any(flag)) {
        lte_cplx *const plain = lte_mmse_sic_plain(plan, state);
        for (int e = 0; e < LTE_LINEAR_STATE(n_rx, n_tx); e++)
            plain[e] = c_sel(flag, c_zero(), plain[e]);
    }
    return flag;
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_mmse_sic_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                          lte_disturbance disturbance, lte_inverse_fn *invert,
                                          lte_cplx *state, lte_cplx *work)
{
    const lte_real n0 = disturbance.n0;
    (void)invert;
    lte_extend(plan->n_rx, plan->n_tx, h, n0, work);
    lte_mmse_sic_order(plan, n0, work, NULL, lte_tree_layers(plan, state),
                       lte_mmse_sic_plain(plan, state), lte_tree_r(plan, state));
    return lte_mmse_sic_finish(plan, n0, state, work);
}

/*
 * As phy/detection/detection.h asks for it: from rho_i = r_ii^2 / n0 - 1. Powers of the extended
 * matrix are at least n0.
 */
LTE_INLINE lte_mask lte_mmse_sic_is_extreme(const lte_detector_plan *plan, lte_mask flag,
                                            lte_real n0, lte_cplx *state, const lte_cplx *work)
{
    const lte_cplx *const r = lte_tree_r(plan, state);
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_USUAL_RANGE));
    (void)work;
    for (int i = 0; i < plan->n_tx; i++)
        extreme = m_or(extreme, lte_is_extreme((r[i * plan->n_tx + i].re + r_set(1.0f)) * n0,
                                               LTE_EXTREME_POWER));
    return extreme;
}
/*
 * At the scale of the larger one of H and sqrt(n0), at which no layer's power is below n0; layers
 * are put in order with columns at the scale of the larger one of these, too.
 */
LTE_COLD lte_mask lte_mmse_sic_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                              const lte_cplx *h, lte_disturbance disturbance,
                                              lte_inverse_fn *invert, lte_cplx *state,
                                              lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_real s = lte_channel_scale(n_rx, n_tx, h, lanes, r_sqrt(disturbance.n0));
    const lte_real n0 =
        r_sel(lanes, lte_scaled_noise(disturbance.n0, s, LTE_LEAST_NOISE), disturbance.n0);
    lte_cplx *const plain = lte_mmse_sic_plain(plan, state);
    lte_real factor[LTE_MAX_TX];
    (void)invert;
    lte_scale_channel(n_rx, n_tx, h, s, r_set(1.0f), state);
    lte_extend(n_rx, n_tx, state, n0, work);
    for (int k = 0; k < n_tx; k++) {
        const lte_real most = lte_largest_of_column(n_rx, n_tx, k, work), least = r_sqrt(n0);
        factor[k] =
            r_sel(lanes, lte_power_of_two(r_sel(r_lt(most, least), least, most)), r_set(1.0f));
    }
    lte_divide_columns(n_rx, n_tx, factor, work);
    lte_mmse_sic_order(plan, n0, work, factor, lte_tree_layers(plan, state), plain,
                       lte_tree_r(plan, state));
    for (int e = 0; e < n_rx * n_tx; e++)
        work[e] = c_scale(work[e], factor[e % n_tx]);
    const lte_mask flag = lte_mmse_sic_finish(plan, n0, state, work);
    lte_scale_channel(n_rx, n_tx, state, s, r_set(1.0f), state);
    if (plan->llrs)
        lte_scale_channel(n_rx, n_tx, plain, s, r_set(1.0f), plain);
    return flag;
}

/*
 * The mean of (a - level)^2 over the levels a of one dimension, each weighted by its probability
 * exp(-sinr (v - a)^2) after the estimate v, of which `level` is the nearest one.
 */
LTE_INLINE lte_real lte_mmse_sic_error(int n_bits, lte_real v, lte_real level, lte_real sinr)
{
    const int n_levels = 1 << n_bits / 2;
    const float unit = lte_qam_unit(n_bits);
    lte_real sum = r_set(0.0f), error = r_set(0.0f);
    LTE_ROLL_DEVICE
    for (int l = 0; l < n_levels; l++) {
        const lte_real gap = level - r_set((float)(2 * l + 1 - n_levels) * unit);
        const lte_real more = sinr * (gap * ((v - level) + (v - level) + gap));
        const lte_real weight = lte_exp(r_sel(r_lt(r_set(0.0f), more), r_neg(more), r_set(0.0f)));
        sum = sum + weight;
        error = r_fma(weight * gap, gap, error);
    }
    return error / sum;
}

/* One row: its estimate without bias and the SINR of that; then those that its LLRs are made of. */
typedef struct {
    lte_real layer;
    lte_cplx x;
    lte_real sinr;
} lte_mmse_sic_row;

/* x and sinr of the plain estimate of the row's layer, where its SINR is the larger one. */
LTE_INLINE lte_mmse_sic_row lte_mmse_sic_better(const lte_detector_plan *plan, lte_mmse_sic_row row,
                                                lte_cplx *state, const lte_cplx *plain)
{
    const lte_cplx *const rho = &lte_mmse_sic_plain(plan, state)[plan->n_rx * plan->n_tx];
    lte_mmse_sic_row better = row;
    LTE_UNROLL_DEVICE
    for (int l = 0; l < plan->n_tx; l++) {
        const lte_mask here = m_and(lte_tree_is_of(row.layer, l), r_lt(row.sinr, rho[l].re));
        better.x = c_sel(here, plain[l], better.x);
        better.sinr = r_sel(here, rho[l].re, better.sinr);
    }
    return better;
}

/* Decides a row; returns its symbol. */
LTE_INLINE lte_cplx lte_mmse_sic_decide(const lte_detector_plan *plan, lte_mmse_sic_row row,
                                        lte_mask told, const lte_decision *to)
{
    const lte_word label = lte_qam_slice(plan->n_bits, row.x);
    lte_tree_give_label(plan, row.layer, told, label, to);
    return lte_qam_map(plan->n_bits, label);
}

/* The LLRs of a row, by the better one of its two estimates. */
LTE_INLINE void lte_mmse_sic_give_llrs(const lte_detector_plan *plan, lte_mmse_sic_row row,
                                       lte_mask told, lte_cplx *state, const lte_cplx *plain,
                                       const lte_decision *to)
{
    const lte_mmse_sic_row better = lte_mmse_sic_better(plan, row, state, plain);
    lte_real llr[LTE_MAX_BITS];
    lte_decide_llrs(plan->n_bits, plan->demapper, &better.x, better.sinr, llr);
    LTE_UNROLL_DEVICE
    for (int bit = 0; bit < plan->n_bits; bit++)
        lte_tree_give_llr(plan, row.layer, told, bit, llr[bit], to);
}

/* The expected error of a row's decision for a symbol: e_j of the head of this file. */
LTE_OUTLINE lte_real lte_mmse_sic_expected(int n_bits, const lte_mmse_sic_row *row,
                                           const lte_cplx *symbol)
{
    const lte_told told = lte_tell(row->x, row->sinr);
    return lte_mmse_sic_error(n_bits, told.x.re, symbol->re, told.rho) +
           lte_mmse_sic_error(n_bits, told.x.im, symbol->im, told.rho);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_mmse_sic_detect(const lte_detector_plan *plan, lte_cplx *state,
                                         const lte_cplx *y, const lte_decision *decision,
                                         lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_cplx *const r = lte_tree_r(plan, state);
    const lte_real *const layer = lte_tree_layers(plan, state);
    lte_cplx *const plain = &work[n_tx], *const noise = &plain[n_tx]; /* noise: the real part */
    lte_mask told = m_not(m_none());
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++) {
        work[i] = lte_tree_product(plan, i, state, y, c_zero());
        told = m_and(told, m_and(r_finite(work[i].re), r_finite(work[i].im)));
    }
    if (decision->llr) {
        LTE_UNROLL_DEVICE
        for (int k = 0; k < n_tx; k++) {
            plain[k] = c_zero();
            noise[k].re = r_set(1.0f) / r[k * n_tx + k].re;
        }
        LTE_UNROLL_DEVICE
        for (int e = 0; e < n_rx; e++) {
            LTE_UNROLL_DEVICE
            for (int k = 0; k < n_tx; k++)
                plain[k] = c_mac(plain[k], lte_mmse_sic_plain(plan, state)[e * n_tx + k], y[e]);
        }
    }
    lte_tree_give_nothing(plan, decision);
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i >= 0; i--) {
        lte_mmse_sic_row row = {layer[i], work[i], r_set(0.0f)};
        const lte_cplx x = lte_mmse_sic_decide(plan, row, told, decision);
        LTE_UNROLL_DEVICE
        for (int above = 0; above < i; above++)
            work[above] = c_nmac(work[above], r[above * n_tx + i], x);
        if (!decision->llr)
            continue;
        row.sinr = r_set(1.0f) / noise[i].re;
        lte_mmse_sic_give_llrs(plan, row, told, state, plain, decision);
        if (i == 0)
            continue;
        const lte_real error = lte_mmse_sic_expected(plan->n_bits, &row, &x);
        LTE_UNROLL_DEVICE
        for (int above = 0; above < i; above++)
            noise[above].re = r_fma(c_abs2(r[above * n_tx + i]), error, noise[above].re);
    }
    return m_none();
}

#endif
