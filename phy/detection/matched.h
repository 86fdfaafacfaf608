#ifndef LTE_PHY_MATCHED_H
#define LTE_PHY_MATCHED_H
/*
 * The detectors that solve a loaded Gram matrix, for large arrays: the matched filter z = H'y
 * first, then x^ = diag(gain) X z with X = (H'H + loading I)^-1. Where antennas are many more than
 * layers that is a fraction of what the filter X H' would take (phy/detection/solving.h, for small
 * arrays): 8 n_tx (n_rx + n_tx) operations a symbol, and none of 8 n_rx n_tx^2 a channel.
 *
 *     flag = lte_matched_prepare(loading, n_rx, n_tx, h, n0, invert, true, state);
 *     lte_matched_estimate(n_rx, n_tx, state, y, x, rho);
 */

#include "phy/detection/solving.h"

/*
 * Elements of the state: H [n_rx][n_tx], X [n_tx][n_tx], of each layer the gain in the real and
 * the SINR in the imaginary part [n_tx], and room for z [n_tx].
 */
#define LTE_MATCHED_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx) * (n_tx) + 2 * (n_tx))

/* z_k = sum_r conj(h_rk) y_r of m layers from k0 on; h [n_rx][n_tx], y [n_rx], z [n_tx] out. */
LTE_INLINE void lte_matched_part(int n_rx, int n_tx, int k0, int m, const lte_cplx *h,
                                 const lte_cplx *y, lte_cplx *z)
{
    lte_cplx s[LTE_MAX_ORDER];
    LTE_UNROLL
    for (int k = 0; k < m; k++)
        s[k] = c_zero();
    for (int r = 0; r < n_rx; r++) {
        LTE_UNROLL
        for (int k = 0; k < m; k++)
            s[k] = c_cmac(s[k], h[r * n_tx + k0 + k], y[r]);
    }
    LTE_UNROLL
    for (int k = 0; k < m; k++)
        z[k0 + k] = s[k];
}

/* All layers: z = H'y, each sum over antennas in their order. */
LTE_INLINE void lte_matched_filter(int n_rx, int n_tx, const lte_cplx *h, const lte_cplx *y,
                                   lte_cplx *z)
{
    int k = 0;
    for (; n_tx - k >= LTE_MAX_ORDER; k += LTE_MAX_ORDER)
        lte_matched_part(n_rx, n_tx, k, LTE_MAX_ORDER, h, y, z);
    lte_matched_part(n_rx, n_tx, k, n_tx - k, h, y, z);
}

/*
 * The second half of lte_matched_prepare: the state from H and the inverse x [n_tx][n_tx] of the
 * loaded Gram matrix, which may lie where the state has it.
 */
LTE_OUTLINE void lte_matched_finish(lte_real loading, int n_rx, int n_tx, const lte_cplx *h,
                                    lte_real n0, bool with_sinr, const lte_cplx *x, lte_cplx *state)
{
    lte_cplx *const inverse = &state[n_rx * n_tx], *const layer = &inverse[n_tx * n_tx];
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    for (int e = 0; e < n_tx * n_tx && x != inverse; e++)
        inverse[e] = x[e];
    for (int k = 0; k < n_tx; k++) {
        layer[k].re = lte_solving_gain(loading, x[k * n_tx + k].re);
        layer[k].im = with_sinr ? lte_linear_sinr(n_tx, k, &x[k * n_tx], loading, n0) : r_set(0.0f);
    }
}

/*
 * prepare; arguments as lte_loaded_inverse and lte_solve_finish, which serve small arrays. The Gram
 * matrix is made and inverted where the state has its inverse.
 *
 *   state   [LTE_MATCHED_STATE(n_rx, n_tx)]  out: may be h
 *
 * Returns the mask of matrices that have no finite inverse; their X is zero, and so all estimates.
 */
LTE_OUTLINE lte_mask lte_matched_prepare(lte_real loading, int n_rx, int n_tx, const lte_cplx *h,
                                         lte_real n0, lte_inverse_fn *invert, bool with_sinr,
                                         lte_cplx *state)
{
    lte_cplx *const g = &state[n_rx * n_tx];
    const lte_mask flag = lte_loaded_inverse(loading, n_rx, n_tx, h, invert, g);
    lte_matched_finish(loading, n_rx, n_tx, h, n0, with_sinr, g, state);
    return flag;
}

/* Estimates as lte_linear_estimate; changes only the room for z of the state. */
LTE_OUTLINE void lte_matched_estimate(int n_rx, int n_tx, lte_cplx *state, const lte_cplx *y,
                                      lte_cplx *x, lte_real *rho)
{
    const lte_cplx *const inverse = &state[n_rx * n_tx];
    const lte_cplx *const layer = &state[n_rx * n_tx + n_tx * n_tx];
    lte_cplx *const z = &state[n_rx * n_tx + n_tx * n_tx + n_tx];
    lte_matched_filter(n_rx, n_tx, state, y, z);
    for (int k = 0; k < n_tx; k++) {
        lte_cplx s = c_zero();
        for (int j = 0; j < n_tx; j++)
            s = c_mac(s, inverse[k * n_tx + j], z[j]);
        x[k] = c_scale(s, layer[k].re);
        if (rho)
            rho[k] = layer[k].im;
    }
}

/* Diagonal loading of the Gram matrix by a detector that solves it. */
LTE_INLINE lte_real lte_loading(const lte_detector_plan *plan, lte_real n0)
{
    return r_set(plan->loading) * n0;
}

/*
 * prepare and the estimates of a detector that solves, of either form: as phy/detection/detector.h
 * and lte_estimate.
 */
LTE_INLINE lte_mask lte_solving_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                        lte_disturbance disturbance, lte_inverse_fn *invert,
                                        lte_cplx *state, lte_cplx *work)
{
    const lte_real n0 = disturbance.n0, loading = lte_loading(plan, n0);
    if (!plan->filters)
        return lte_matched_prepare(loading, plan->n_rx, plan->n_tx, h, n0, invert, plan->llrs,
                                   state);
    const lte_mask flag = lte_loaded_inverse(loading, plan->n_rx, plan->n_tx, h, invert, work);
    lte_solve_finish(loading, plan->n_rx, plan->n_tx, h, n0, plan->llrs, work, state);
    return flag;
}

LTE_INLINE void lte_solving_estimate(const lte_detector_plan *plan, lte_cplx *state,
                                     const lte_cplx *y, lte_cplx *x, lte_real *rho)
{
    if (plan->filters)
        lte_linear_estimate(plan->n_rx, plan->n_tx, state, y, x, rho);
    else
        lte_matched_estimate(plan->n_rx, plan->n_tx, state, y, x, rho);
}

/* As phy/detection/detection.h asks for it: from the diagonal of the inverse. */
LTE_INLINE lte_mask lte_solving_is_extreme(const lte_detector_plan *plan, lte_mask flag,
                                           lte_real n0, lte_cplx *state, const lte_cplx *work)
{
    const int n_tx = plan->n_tx;
    const lte_cplx *const x = plan->filters ? work : &state[plan->n_rx * n_tx];
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_USUAL_RANGE));
    for (int k = 0; k < n_tx; k++)
        extreme = m_or(extreme, lte_is_extreme(x[k * n_tx + k].re, LTE_EXTREME_POWER));
    return extreme;
}

/*
 * The powers of two c_k that columns of h [n_rx][n_tx], divided by s, are divided by: a common one,
 * or that of a layer that is far weaker, and so is sqrt(n0) if it is added.
 *
 *   sigma   sqrt(n0) / s
 *   c       [n_tx]  out
 */
LTE_INLINE void lte_solving_factors(const lte_detector_plan *plan, lte_mask lanes,
                                    const lte_cplx *h, lte_real sigma, lte_real *c)
{
    const lte_real common = r_set(1.0f / LTE_SCALED_MOST), weak = r_set(1.0f / LTE_SCALED_LEAST);
    const lte_real least = plan->loading > 0.0f ? sigma : r_set(0.0f);
    for (int k = 0; k < plan->n_tx; k++) {
        const lte_real part = lte_largest_of_column(plan->n_rx, plan->n_tx, k, h);
        const lte_real most = lte_power_of_two(r_sel(r_lt(part, least), least, part));
        const lte_mask is_weak =
            m_and(r_lt(r_set(0.0f), most), r_lt(most, common * r_set(LTE_SCALED_LEAST)));
        c[k] = r_sel(lanes, r_sel(is_weak, most * weak, common), r_set(1.0f));
    }
}

/* The least and the most n0 of a layer there: times the inverse of a power they are finite. */
#define LTE_SOLVING_LEAST_NOISE 0x1p-83f
#define LTE_SOLVING_MOST_NOISE 0x1p80f

/*
 * lte_solving_prepare with each column k of H divided by s c_k:
 *
 *     X = C (H'H + l I)^-1 C with C = diag(s c_k), W_k = gain_k (X C^-1 H')_k / (s c_k),
 *
 * l and n0 being l / (s c_k)^2 and n0 / (s c_k)^2 in gain and SINR of layer k. The SINR is that of
 * loadings 0 and n0 alone where columns have scales of their own.
 */
LTE_COLD lte_mask lte_solving_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                             const lte_cplx *h, lte_disturbance disturbance,
                                             lte_inverse_fn *invert, lte_cplx *state,
                                             lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const bool loads = plan->loading > 0.0f;
    const lte_real s =
        lte_channel_scale(n_rx, n_tx, h, lanes, loads ? r_sqrt(disturbance.n0) : r_set(0.0f));
    lte_cplx *const x = plan->filters ? work : &state[n_rx * n_tx];
    lte_cplx *const layer = &x[n_tx * n_tx]; /* used in states without a filter alone */
    lte_real c[LTE_MAX_TX], n0[LTE_MAX_TX], gain[LTE_MAX_TX];
    lte_scale_channel(n_rx, n_tx, h, s, r_set(1.0f), state);
    lte_solving_factors(plan, lanes, state, r_sqrt(disturbance.n0) / s, c);
    lte_divide_columns(n_rx, n_tx, c, state);
    lte_gram(n_rx, n_tx, state, x);
    for (int k = 0; k < n_tx; k++) {
        const lte_real scaled = lte_scaled_noise(disturbance.n0, s * c[k], LTE_SOLVING_LEAST_NOISE);
        const lte_real finite = r_min(scaled, r_set(LTE_SOLVING_MOST_NOISE));
        n0[k] = r_sel(lanes, finite, disturbance.n0);
        x[k * n_tx + k].re = x[k * n_tx + k].re + lte_loading(plan, n0[k]);
    }
    const lte_mask flag = invert(n_tx, x);
    for (int k = 0; k < n_tx; k++) {
        const lte_real loading = lte_loading(plan, n0[k]);
        gain[k] = lte_solving_gain(loading, x[k * n_tx + k].re) / c[k] / s;
        const lte_real sinr =
            plan->llrs ? lte_linear_sinr(n_tx, k, &x[k * n_tx], loading, n0[k]) : r_set(0.0f);
        if (plan->filters) {
            state[n_rx * n_tx + k].re = sinr;
        } else {
            layer[k].re = gain[k];
            layer[k].im = sinr;
        }
    }
    for (int r = 0; plan->filters && r < n_rx; r++) {
        lte_cplx w[LTE_MAX_ORDER]; /* arrays with filters are small */
        for (int k = 0; k < n_tx; k++)
            w[k] = lte_filter_element(n_tx, &state[r * n_tx], &x[k * n_tx], gain[k]);
        for (int k = 0; k < n_tx; k++)
            state[r * n_tx + k] = w[k];
    }
    return flag;
}

/*
 * The second half of prepare: the state from the inverse x of the loaded Gram matrix.
 */
LTE_INLINE void lte_solving_finish(const lte_detector_plan *plan, const lte_cplx *h,
                                   lte_disturbance disturbance, const lte_cplx *x, lte_cplx *state)
{
    const lte_real n0 = disturbance.n0, loading = lte_loading(plan, n0);
    if (plan->filters)
        lte_solve_finish(loading, plan->n_rx, plan->n_tx, h, n0, plan->llrs, x, state);
    else
        lte_matched_finish(loading, plan->n_rx, plan->n_tx, h, n0, plan->llrs, x, state);
}

#endif
