#ifndef LTE_PHY_NEUMANN_H
#define LTE_PHY_NEUMANN_H
/*
 * MMSE by the Neumann series around the diagonal D of A of phy/detection/iterating.h: x_0 = D^-1 z
 * and
 *
 *     x_i = x_(i-1) + D^-1 (z - A x_(i-1)),
 *
 * so that i iterations sum i + 1 terms of A^-1 = sum_j (I - D^-1 A)^j D^-1. It converges where A is
 * near its diagonal, that is with many more antennas than layers; elsewhere it diverges.
 *
 *     flag = lte_neumann_prepare(&plan, h, disturbance, invert, state, work);
 *     lte_neumann_estimate(&plan, state, y, x, rho);
 *
 * Source: Wu, Yin, Wang, Dick, Cavallaro, Studer, Large-scale MIMO detection for 3GPP LTE:
 * algorithms and FPGA implementations, IEEE J. Sel. Top. Signal Process. 8, 2014.
 */

#include "phy/detection/iterating.h"

/*
 * x_k + d_k (z_k - sum_j a_kj x_j), the sum in the order of layers.
 *
 *   row   [n_tx]  row k of A
 *   d     1 / a_kk
 *   x     [n_tx]
 */
LTE_INLINE lte_cplx lte_neumann_step(int n_tx, int k, const lte_cplx *row, lte_real d, lte_cplx z,
                                     const lte_cplx *x)
{
    lte_cplx rest = z;
    for (int j = 0; j < n_tx; j++)
        rest = c_nmac(rest, row[j], x[j]);
    return c_add_scaled(x[k], rest, d);
}

/* Sums iterations + 1 terms of the series for z: x [n_tx] out; next [n_tx] is memory. */
LTE_INLINE void lte_neumann_solve(int n_tx, int iterations, const lte_iterating *s,
                                  const lte_cplx *z, lte_cplx *next, lte_cplx *x)
{
    for (int k = 0; k < n_tx; k++)
        x[k] = c_scale(z[k], s->layer[k].re);
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < n_tx; k++)
            next[k] = lte_neumann_step(n_tx, k, &s->a[k * n_tx], s->layer[k].re, z[k], x);
        for (int k = 0; k < n_tx; k++)
            x[k] = next[k];
    }
}

/*
 * The state has LTE_ITERATING_STATE(n_rx, n_tx) elements. The series does the same to every z, so
 * gains and SINRs are exact.
 */
LTE_OUTLINE lte_mask lte_neumann_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                         lte_disturbance disturbance, lte_inverse_fn *invert,
                                         lte_cplx *state, lte_cplx *work)
{
    const int n_tx = plan->n_tx, iterations = (int)plan->detector.value[0];
    const lte_iterating s = lte_iterating_of(plan->n_rx, n_tx, state);
    lte_cplx *const z = s.room, *const next = &z[n_tx], *const p = &next[n_tx];
    const lte_mask flag = lte_iterating_begin(plan, h, disturbance.n0, state);
    (void)invert;
    (void)work;
    for (int k = 0; k < n_tx; k++) {
        lte_iterating_unit(n_tx, k, z);
        lte_neumann_solve(n_tx, iterations, &s, z, next, p);
        lte_iterating_keep(n_tx, k, disturbance.n0, p, &s);
    }
    return lte_iterating_end(plan, flag, state);
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_neumann_is_extreme(const lte_detector_plan *plan, lte_mask flag,
                                           lte_real n0, lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_iterating_is_extreme(plan, flag, n0, state);
}
LTE_INLINE lte_mask lte_neumann_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                               const lte_cplx *h, lte_disturbance disturbance,
                                               lte_inverse_fn *invert, lte_cplx *state,
                                               lte_cplx *work)
{
    return lte_prepare_at_scale(plan, lanes, lte_neumann_prepare, h, disturbance, invert, state,
                                work);
}

/* Arguments as lte_estimate; changes only the room of the state. */
LTE_OUTLINE void lte_neumann_estimate(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, lte_cplx *x, lte_real *rho)
{
    const int n_tx = plan->n_tx;
    const lte_iterating s = lte_iterating_of(plan->n_rx, n_tx, state);
    lte_matched_filter(plan->n_rx, n_tx, s.h, y, s.room);
    lte_neumann_solve(n_tx, (int)plan->detector.value[0], &s, s.room, &s.room[n_tx], x);
    lte_iterating_finish(n_tx, &s, x, rho);
}

#endif
