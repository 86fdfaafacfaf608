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
 * Returns the mask of matrices with g_kk^2 not > 0 or not finite, or with a W that is not finite;
 * their W and rho are zero.
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

/* x^ = W y; arguments as lte_estimate. */
LTE_INLINE void lte_mrc_estimate(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 lte_cplx *x, lte_real *rho)
{
    lte_linear_estimate(plan->n_rx, plan->n_tx, state, y, x, rho);
}

#endif
