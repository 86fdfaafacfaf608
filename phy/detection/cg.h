#ifndef LTE_PHY_CG_H
#define LTE_PHY_CG_H
/*
 * MMSE by conjugate gradients: a number of their steps from x = 0 towards A x = z of
 * phy/detection/iterating.h. In exact arithmetic n_tx steps reach the solution, in massive MIMO a
 * few come near it.
 *
 *     flag = lte_cg_prepare(&plan, h, disturbance, invert, state, work);
 *     lte_cg_estimate(&plan, state, y, x, rho);
 *
 * Source: Yin, Wu, Cavallaro, Studer, Conjugate gradient-based soft-output detection and precoding
 * in massive MIMO systems, IEEE GLOBECOM 2014.
 */

#include "phy/detection/iterating.h"

/* The length of a step, or the weight of the last direction: a / b, zero where b is not > 0. */
LTE_INLINE lte_real lte_cg_ratio(lte_real a, lte_real b)
{
    return r_sel(r_lt(r_set(0.0f), b), a / b, r_set(0.0f));
}

/* Re(a'b) over layers in their order; a, b [n_tx]. */
LTE_INLINE lte_real lte_cg_product(int n_tx, const lte_cplx *a, const lte_cplx *b)
{
    lte_real sum = r_set(0.0f);
    for (int k = 0; k < n_tx; k++)
        sum = sum + c_dot(a[k], b[k]);
    return sum;
}

/* Of a state of LTE_ITERATING_STATE(n_rx, n_tx). */
LTE_INLINE lte_mask lte_cg_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                   lte_disturbance disturbance, lte_inverse_fn *invert,
                                   lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_iterating_prepare(plan->n_rx, plan->n_tx, h, disturbance.n0, state);
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_cg_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                      lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_iterating_is_extreme(plan, flag, n0, state);
}
LTE_INLINE lte_mask lte_cg_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                          const lte_cplx *h, lte_disturbance disturbance,
                                          lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
    return lte_prepare_at_scale(plan, lanes, lte_cg_prepare, h, disturbance, invert, state, work);
}

/* Arguments as lte_estimate; changes only the room of the state. */
LTE_OUTLINE void lte_cg_estimate(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 lte_cplx *x, lte_real *rho)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx, iterations = (int)plan->detector.value[0];
    const lte_iterating s = lte_iterating_of(n_rx, n_tx, state);
    lte_cplx *const rest = s.room, *const direction = &rest[n_tx], *const image = &direction[n_tx];
    lte_matched_filter(n_rx, n_tx, s.h, y, rest);
    for (int k = 0; k < n_tx; k++) {
        x[k] = c_zero();
        direction[k] = rest[k];
    }
    lte_real left = lte_cg_product(n_tx, rest, rest);
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < n_tx; k++) {
            image[k] = c_zero();
            for (int j = 0; j < n_tx; j++)
                image[k] = c_mac(image[k], s.a[k * n_tx + j], direction[j]);
        }
        const lte_real step = lte_cg_ratio(left, lte_cg_product(n_tx, direction, image));
        for (int k = 0; k < n_tx; k++) {
            x[k] = c_add_scaled(x[k], direction[k], step);
            rest[k] = c_add_scaled(rest[k], image[k], r_neg(step));
        }
        const lte_real next = lte_cg_product(n_tx, rest, rest);
        const lte_real weight = lte_cg_ratio(next, left);
        for (int k = 0; k < n_tx; k++)
            direction[k] = c_add_scaled(rest[k], direction[k], weight);
        left = next;
    }
    lte_iterating_finish(n_tx, &s, x, rho);
}

#endif
