#ifndef LTE_PHY_DETECTOR_H
#define LTE_PHY_DETECTOR_H
/*
 * What every detector is: two verbs over lanes or in a thread.
 *
 *     flag = lte_<id>_prepare(&plan, h, disturbance, invert, state, work);   // once a matrix
 *     left = lte_<id>_detect(&plan, state, y, &decision, work);              // each element
 *
 * prepare makes a state of a channel matrix. detect makes a decision of that state and of what is
 * received: labels, and, as far as they are asked for, LLRs and the SINR of its estimates.
 *
 *   plan          sizes and parameters; its row is that of the detector (phy/detection/detectors.h)
 *   h             [n_rx][n_tx]  channel matrix
 *   disturbance   of y, which prepare puts into the state as far as detect needs it
 *   invert        the scenario's inverter, of detectors whose row needs an inverse. Those that
 *                 search have none on devices: they invert by formulas of phy/inversion/
 *   state         [state(plan)]  out of prepare: may be h. detect may work in it; it is as before
 *                 afterwards
 *   y             [n_rx]  received
 *   work          [work(plan)]  of each call; nothing in it stays
 *
 * prepare returns the mask of matrices of which it has no finite state; theirs is zero, and what is
 * detected with it, or of a y that is not finite, is decided as an estimate of zero is, with LLRs
 * of 0. detect returns the mask of elements that it could not finish; their decisions are the best
 * that it had.
 *
 * prepare is fast and right for channels whose elements are near 1. Products of four or more of
 * them leave the range of a float where they are not, and a layer may be far weaker than others.
 * So a detector has two more functions, which phy/detection/detection.h calls after it:
 *
 *     lanes = lte_<id>_is_extreme(&plan, flag, n0, state, work);  // after prepare: not to be used
 *     flag = lte_<id>_prepare_scaled(&plan, lanes, h, disturbance, invert, state, work);
 *
 * The latter makes the state of (H / s, n0 / s^2) and folds s, a power of two, into it, so that y
 * stays as it is; in lanes that are not extreme both have the same bits. h is not the state then.
 * Channels: the largest part of an element from 2^-100 to 2^100, any layers weaker than it.
 */

#include "phy/detection/demap.h"
#include "phy/detection/detectors.h"
#include "phy/inversion/powers_of_two.h"

/* What disturbs y: white noise of variance n0 on each antenna, linear, > 0. */
typedef struct {
    lte_real n0;
} lte_disturbance;

LTE_INLINE lte_disturbance lte_white(lte_real n0)
{
    lte_disturbance white;
    white.n0 = n0;
    return white;
}

/*
 * a <- a^-1 for a [n][n]; returns the mask of those without an inverse, which become zero. NULL on
 * devices where the scenario's inverter takes whole batches.
 */
typedef lte_mask lte_inverse_fn(int n, lte_cplx *a);

/* Where a decision goes; NULL: that is not asked for. */
typedef struct {
    lte_word *label; /* [n_tx] */
    lte_real *llr;   /* [n_tx][n_bits], all finite */
    lte_real *rho;   /* [n_tx] the SINR of its estimates, linear; left as it is by a detector that
                        makes no estimates */
} lte_decision;

/* The verbs as functions, and what one has that makes estimates (phy/detection/detection.h). */
typedef lte_mask lte_detector_prepare_fn(const lte_detector_plan *plan, const lte_cplx *h,
                                         lte_disturbance disturbance, lte_inverse_fn *invert,
                                         lte_cplx *state, lte_cplx *work);
typedef lte_mask lte_detector_detect_fn(const lte_detector_plan *plan, lte_cplx *state,
                                        const lte_cplx *y, const lte_decision *decision,
                                        lte_cplx *work);
typedef void lte_detector_estimate_fn(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, lte_cplx *x, lte_real *rho);

/*
 * prepare_scaled of a detector that adds n0 to a matrix, and of which the first n_rx n_tx elements
 * of the state are what y is multiplied by: all layers at the scale of the larger one of H and
 * sqrt(n0), at which no layer's power is below n0.
 */
LTE_COLD lte_mask lte_prepare_at_scale(const lte_detector_plan *plan, lte_mask lanes,
                                       lte_detector_prepare_fn *prepare, const lte_cplx *h,
                                       lte_disturbance disturbance, lte_inverse_fn *invert,
                                       lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_real n0 = disturbance.n0;
    const lte_real s = lte_channel_scale(n_rx, n_tx, h, lanes, r_sqrt(n0));
    lte_scale_channel(n_rx, n_tx, h, s, r_set(1.0f), state);
    disturbance.n0 = r_sel(lanes, lte_scaled_noise(n0, s, LTE_LEAST_NOISE), n0);
    const lte_mask flag = prepare(plan, state, disturbance, invert, state, work);
    lte_scale_channel(n_rx, n_tx, state, s, r_set(1.0f), state);
    return flag;
}

/* lte_demap_soft as a call: in the loops of every order it would take most of what is compiled. */
LTE_OUTLINE void lte_decide_llrs(int n_bits, int demapper, const lte_cplx *x, lte_real rho,
                                 lte_real *llr)
{
    lte_demap_soft(n_bits, demapper, *x, rho, llr);
}

/*
 * The decision of layer k from its unbiased estimate and the SINR of that, which is read for LLRs
 * and rho alone (phy/detection/demap.h).
 */
LTE_INLINE void lte_decide(const lte_detector_plan *plan, int k, lte_cplx x, lte_real rho,
                           const lte_decision *to)
{
    if (to->label)
        lte_demap_hard(1, plan->n_bits, &x, &to->label[k]);
    if (to->llr)
        lte_decide_llrs(plan->n_bits, plan->demapper, &x, rho, &to->llr[k * plan->n_bits]);
    if (to->rho)
        to->rho[k] = rho;
}

#endif
