#ifndef LTE_PHY_MMSE_SIC_H
#define LTE_PHY_MMSE_SIC_H
/*
 * Successive interference cancellation: the layer of the best MMSE estimate is decided first, what
 * it sent is taken off, then the next one among those that are left.
 *
 *     flag = lte_mmse_sic_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_mmse_sic_detect(&plan, state, y, &decision, work);
 *
 * By the sorted decomposition of the extended channel matrix, the weakest column first,
 *
 *     [    H       ]       [ Q1 ]
 *     [ sqrt(n0) I ] P  =  [ Q2 ] R.
 *
 * From the last row on, with the rows below decided, the MMSE estimate of layer i, its error, its
 * SINR and the estimate without bias are
 *
 *     x_i = (Q1'y - sum_{j > i} r_ij x_j) / r_ii,   n0 / r_ii^2,
 *     rho_i = r_ii^2 / n0 - 1,                      x_i r_ii^2 / (r_ii^2 - n0).
 *
 * Labels and LLRs are those of these estimates, as if all layers before were decided rightly.
 *
 * Source: Wuebben, Boehnke, Kuehn, Kammeyer, MMSE extension of V-BLAST based on sorted QR
 * decomposition, IEEE VTC Fall 2003.
 */

#include "phy/detection/tree.h"

/* Elements of the work memory: the extended matrix; Q1'y. */
#define LTE_MMSE_SIC_WORK(n_rx, n_tx) (((n_rx) + (n_tx)) * (n_tx))

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
 * The state is laid out as that of phy/detection/tree.h: rows of Q1' and of R times the gain
 * r_ii / (r_ii^2 - n0), and rho_i in the place of r_ii. Where a gain is not > 0 and finite, the row
 * and rho are zero.
 */
LTE_OUTLINE lte_mask lte_mmse_sic_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                          lte_disturbance disturbance, lte_inverse_fn *invert,
                                          lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_real n0 = disturbance.n0;
    lte_cplx *const r = lte_tree_r(plan, state);
    lte_real *const layer = lte_tree_layers(plan, state);
    (void)invert;
    lte_extend(n_rx, n_tx, h, n0, work);
    const lte_mask flag =
        lte_sorted_qr(n_rx + n_tx, n_tx, LTE_QR_WEAKEST_FIRST, 0.0f, NULL, work, r, layer);
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
    return flag;
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
LTE_INLINE lte_mask lte_mmse_sic_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                                const lte_cplx *h, lte_disturbance disturbance,
                                                lte_inverse_fn *invert, lte_cplx *state,
                                                lte_cplx *work)
{
    return lte_prepare_at_scale(plan, lanes, lte_mmse_sic_prepare, h, disturbance, invert, state,
                                work);
}

/* Decides row i by its estimate and SINR. Returns the symbol. */
LTE_INLINE lte_cplx lte_mmse_sic_decide(const lte_detector_plan *plan, lte_real layer,
                                        lte_mask told, lte_cplx x, lte_real rho,
                                        const lte_decision *to)
{
    const lte_word label = lte_qam_slice(plan->n_bits, x);
    lte_tree_give_label(plan, layer, told, label, to);
    if (to->llr) {
        lte_real llr[LTE_MAX_BITS];
        lte_decide_llrs(plan->n_bits, plan->demapper, &x, rho, llr);
        LTE_UNROLL_DEVICE
        for (int bit = 0; bit < plan->n_bits; bit++)
            lte_tree_give_llr(plan, layer, told, bit, llr[bit], to);
    }
    return lte_qam_map(plan->n_bits, label);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_mmse_sic_detect(const lte_detector_plan *plan, lte_cplx *state,
                                         const lte_cplx *y, const lte_decision *decision,
                                         lte_cplx *work)
{
    const int n_tx = plan->n_tx;
    const lte_cplx *const r = lte_tree_r(plan, state);
    const lte_real *const layer = lte_tree_layers(plan, state);
    lte_mask told = m_not(m_none());
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++) {
        work[i] = lte_tree_product(plan, i, state, y, c_zero());
        told = m_and(told, m_and(r_finite(work[i].re), r_finite(work[i].im)));
    }
    lte_tree_give_nothing(plan, decision);
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i >= 0; i--) {
        const lte_cplx x =
            lte_mmse_sic_decide(plan, layer[i], told, work[i], r[i * n_tx + i].re, decision);
        LTE_UNROLL_DEVICE
        for (int row = 0; row < i; row++)
            work[row] = c_nmac(work[row], r[row * n_tx + i], x);
    }
    return m_none();
}

#endif
