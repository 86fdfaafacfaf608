#ifndef LTE_PHY_MRC_H
#define LTE_PHY_MRC_H
/*
 * Maximum-ratio combining, the filter matched to each layer alone: no inverse, and the other
 * layers stay as interference.
 *
 *     flag = lte_mrc_prepare(&plan, h, disturbance, invert, state, work);
 *     lte_mrc_estimate(&plan, state, y, x, rho);
 *
 * Source: Brennan, Linear diversity combining techniques, Proc. IRE 47, 1959.
 */

#include "phy/detection/detector.h"
#include "phy/detection/linear.h"
#include "phy/inversion/pivot.h"

/* w_kr of the filter from h_rk and 1 / g_kk. */
LTE_INLINE lte_cplx lte_mrc_element(lte_cplx h, lte_real inverse)
{
    return c_scale(c_conj(h), inverse);
}

/*
 * W = diag(1 / g_kk) H' with G = H'H, so that every layer has gain 1, and
 *
 *     rho_k = g_kk^2 / (n0 g_kk + sum_{j != k} |g_kj|^2)
 *
 *   state   [LTE_LINEAR_STATE(n_rx, n_tx)]  out: W; rho is made for LLRs alone
 *   work    [n_tx][n_tx]
 *
 * Returns the mask of matrices with g_kk^2 not > 0 or not finite, or with a W that is not finite,
 * which is extreme; their W and rho are zero.
 */
LTE_INLINE lte_mask lte_mrc_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                    lte_disturbance disturbance, lte_inverse_fn *invert,
                                    lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const bool with_sinr = plan->llrs;
    lte_cplx *const g = work;
    lte_mask flag = m_none();
    (void)invert;
    if (with_sinr)
        lte_gram(n_rx, n_tx, h, g);
    else
        lte_gram_diagonal(n_rx, n_tx, h, g);
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++) {
        const lte_real power = g[k * n_tx + k].re;
        g[k * n_tx + k].im = r_set(1.0f) / power; /* its own is zero */
        flag = m_or(flag, m_not(lte_divides(power * power)));
        if (with_sinr) {
            lte_real rest = disturbance.n0 * power;
            LTE_UNROLL
            for (int j = 0; j < n_tx; j++)
                rest = j == k ? rest : rest + c_abs2(g[k * n_tx + j]);
            state[n_rx * n_tx + k].re = power * power / rest;
        }
    }
    LTE_UNROLL_DEVICE
    for (int r = 0; r < n_rx; r++) {
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++) {
            const lte_cplx w = lte_mrc_element(h[r * n_tx + k], g[k * n_tx + k].im);
            flag = m_or(flag, m_not(m_and(r_finite(w.re), r_finite(w.im))));
            state[r * n_tx + k] = w;
        }
    }
    if (m_any(flag)) {
        LTE_UNROLL_DEVICE
        for (int i = 0; i < n_rx * n_tx + (with_sinr ? n_tx : 0); i++)
            state[i] = c_sel(flag, c_zero(), state[i]);
    }
    return flag;
}

/* As phy/detection/detection.h asks for it: from 1 / g_kk, which stands in work. */
LTE_INLINE lte_mask lte_mrc_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                       lte_cplx *state, const lte_cplx *work)
{
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_USUAL_RANGE));
    (void)state;
    for (int k = 0; k < plan->n_tx; k++)
        extreme = m_or(extreme, lte_is_extreme(work[k * plan->n_tx + k].im, LTE_EXTREME_POWER));
    return extreme;
}

/*
 * The same with each column k of H divided by its own power of two s f_k:
 *
 *     rho_k = g_kk^2 / (n0 / f_k^2 g_kk + sum_{j != k} |g_kj f_j / f_k|^2)
 *
 * A silent layer has W and rho 0. Returns the mask of matrices that are not finite.
 */
LTE_COLD lte_mask lte_mrc_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                         const lte_cplx *h, lte_disturbance disturbance,
                                         lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_real s = lte_channel_scale(n_rx, n_tx, h, lanes, r_set(0.0f));
    lte_real factor[LTE_MAX_TX], inverse[LTE_MAX_TX];
    lte_mask flag = m_none();
    (void)invert;
    lte_scale_channel(n_rx, n_tx, h, s, r_set(1.0f), state);
    for (int e = 0; e < n_rx * n_tx; e++)
        flag = m_or(flag, m_not(m_and(r_finite(state[e].re), r_finite(state[e].im))));
    for (int k = 0; k < n_tx; k++) {
        const lte_real most = lte_largest_of_column(n_rx, n_tx, k, state);
        factor[k] =
            r_sel(m_and(lanes, r_lt(r_set(0.0f), most)), lte_power_of_two(most), r_set(1.0f));
    }
    lte_divide_columns(n_rx, n_tx, factor, state);
    lte_gram(n_rx, n_tx, state, work);
    for (int k = 0; k < n_tx; k++) {
        const lte_real power = work[k * n_tx + k].re;
        const lte_mask heard = m_and(r_lt(r_set(0.0f), power), m_not(flag));
        inverse[k] = r_sel(heard, r_set(1.0f) / power, r_set(0.0f));
        const lte_real scaled = lte_scaled_noise(disturbance.n0, s * factor[k], LTE_LEAST_NOISE);
        lte_real rest = r_sel(lanes, scaled, disturbance.n0) * power;
        for (int j = 0; j < n_tx; j++) {
            const lte_real most = r_set(0x1p60f), by = factor[j] / factor[k];
            const lte_cplx other = c_scale(work[k * n_tx + j], r_sel(r_lt(most, by), most, by));
            rest = j == k ? rest : rest + c_abs2(other);
        }
        state[n_rx * n_tx + k].re = r_sel(heard, power * power / rest, r_set(0.0f));
        state[n_rx * n_tx + k].im = r_set(0.0f);
    }
    for (int r = 0; r < n_rx; r++) {
        for (int k = 0; k < n_tx; k++) {
            const lte_cplx w = lte_mrc_element(state[r * n_tx + k], inverse[k]);
            state[r * n_tx + k].re = r_sel(flag, r_set(0.0f), w.re / factor[k] / s);
            state[r * n_tx + k].im = r_sel(flag, r_set(0.0f), w.im / factor[k] / s);
        }
    }
    return flag;
}

/* x^ = W y; arguments as lte_estimate. */
LTE_INLINE void lte_mrc_estimate(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 lte_cplx *x, lte_real *rho)
{
    lte_linear_estimate(plan->n_rx, plan->n_tx, state, y, x, rho);
}

#endif
