#ifndef LTE_PHY_DETECTION_H
#define LTE_PHY_DETECTION_H
/*
 * A detector is an object of two verbs: prepare, once for a channel matrix, makes a state of it;
 * apply, for every resource element, gives estimates out of that state and y, and their SINR.
 * Decisions are a matter of their own (phy/detection/demap.h).
 *
 *     lte_cplx g[N * N], state[LTE_LINEAR_STATE(N, N)], x[N];
 *     lte_real rho[N];
 *     flag = lte_prepare(LTE_DETECTOR_mmse, N, N, h, n0, lte_ldl, true, g, state);
 *     lte_apply(LTE_DETECTOR_mmse, N, N, n_bits, state, y, x, rho);
 */

#include "phy/detection/other_detectors.h"
#include "phy/detection/matched.h"

/* Diagonal loading of the Gram matrix by a detector that solves it. */
LTE_INLINE lte_real lte_loading(int detector, lte_real n0)
{
    return r_set(lte_detector_row(detector)->loading) * n0;
}

/*
 * prepare: what a detector keeps of a channel matrix.
 *
 *   h        [n_rx][n_tx]
 *   n0       noise variance per receive antenna, linear, > 0
 *   invert   the scenario's inverter, for detectors that invert
 *   g        [n_tx][n_tx]  work; of large arrays it may lie in the state, behind n_rx n_tx elements
 *   state    [state_size(n_rx, n_tx, with_sinr)] of its row, out: may be h
 *
 * Returns the mask of matrices of which it has no finite state; theirs is zero.
 */
LTE_INLINE lte_mask lte_prepare(int detector, int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                                lte_inverse_fn *invert, bool with_sinr, lte_cplx *g,
                                lte_cplx *state)
{
#define PREPARE(id)                                                                                \
    if (lte_detector_id(detector) == LTE_DETECTOR_##id)                                            \
        return lte_##id##_prepare(n_rx, n_tx, h, n0, with_sinr, g, state);
    LTE_OTHER_DETECTORS(PREPARE)
#undef PREPARE
    if (LTE_IS_LARGE(n_rx, n_tx))
        return lte_matched_prepare(lte_loading(detector, n0), n_rx, n_tx, h, n0, invert, with_sinr,
                                   g, state);
    return lte_solve_prepare(lte_loading(detector, n0), n_rx, n_tx, h, n0, invert, with_sinr, g,
                             state);
}

/*
 * The second half of prepare for a detector that solves: the state from the inverse x of the loaded
 * Gram matrix; other arguments as lte_prepare.
 */
LTE_INLINE void lte_finish(int detector, int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                           bool with_sinr, const lte_cplx *x, lte_cplx *state)
{
    if (LTE_IS_LARGE(n_rx, n_tx))
        lte_matched_finish(lte_loading(detector, n0), n_rx, n_tx, h, n0, with_sinr, x, state);
    else
        lte_solve_finish(lte_loading(detector, n0), n_rx, n_tx, h, n0, with_sinr, x, state);
}

/* apply of the detectors that solve; arguments as lte_apply. */
LTE_INLINE void lte_apply_solving(int n_rx, int n_tx, lte_cplx *state, const lte_cplx *y,
                                  lte_cplx *x, lte_real *rho)
{
    if (LTE_IS_LARGE(n_rx, n_tx))
        lte_matched_apply(n_rx, n_tx, state, y, x, rho);
    else
        lte_linear_apply(n_rx, n_tx, state, y, x, rho);
}

/* apply of all others; arguments as lte_apply. */
LTE_INLINE void lte_apply_other(int detector, int n_rx, int n_tx, int n_bits, lte_cplx *state,
                                const lte_cplx *y, lte_cplx *x, lte_real *rho)
{
#define APPLY(id)                                                                                  \
    if (lte_detector_id(detector) == LTE_DETECTOR_##id)                                            \
        lte_##id##_apply(n_rx, n_tx, n_bits, lte_detector_parameter(detector), state, y, x, rho);
    LTE_OTHER_DETECTORS(APPLY)
#undef APPLY
}

/*
 * apply: estimates of one resource element per lane.
 *
 *   n_bits  of a QAM symbol, for detectors that decide on their way
 *   state   of lte_prepare; where a detector works in it, it is as before afterwards
 *   y       [n_rx]
 *   x       [n_tx]  out
 *   rho     [n_tx]  out: their SINR, of a state made with_sinr, linear; or NULL
 */
LTE_INLINE void lte_apply(int detector, int n_rx, int n_tx, int n_bits, lte_cplx *state,
                          const lte_cplx *y, lte_cplx *x, lte_real *rho)
{
    if (lte_detector_solves(detector))
        lte_apply_solving(n_rx, n_tx, state, y, x, rho);
    else
        lte_apply_other(detector, n_rx, n_tx, n_bits, state, y, x, rho);
}

#endif
