#ifndef LTE_PHY_DETECTION_H
#define LTE_PHY_DETECTION_H
/*
 * The detectors of the list by the two verbs of phy/detection/detector.h.
 *
 *     const lte_detector mmse = lte_detector_usual(LTE_DETECTOR_mmse);
 *     const lte_detector_plan plan = lte_detector_plan_of(mmse, N, N, n_bits, false);
 *     lte_cplx state[LTE_LINEAR_STATE(N, N)], work[N * N + 2]; // or more: its row's state and work
 *     lte_word label[N];
 *     flag = lte_prepare(&plan, h, lte_white(n0), lte_ldl, state, work);
 *     left = lte_detect(&plan, state, y, &(lte_decision){.label = label}, work);
 *
 * All but LTE_SEARCHING_DETECTORS make estimates of the symbols sent, which are then decided layer
 * by layer: a caller that has its own use for these calls lte_estimate instead of lte_detect.
 */

#include "phy/detection/matched.h"
#include "phy/detection/other_detectors.h"
#include "phy/detection/searching_detectors.h"

/* prepare; arguments as phy/detection/detector.h. */
LTE_INLINE lte_mask lte_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                lte_disturbance disturbance, lte_inverse_fn *invert,
                                lte_cplx *state, lte_cplx *work)
{
#define PREPARE(name)                                                                              \
    if (plan->detector.id == LTE_DETECTOR_##name)                                                  \
        return lte_##name##_prepare(plan, h, disturbance, invert, state, work);
    LTE_OTHER_DETECTORS(PREPARE)
    LTE_SEARCHING_DETECTORS(PREPARE)
#undef PREPARE
    return lte_solving_prepare(plan, h, disturbance, invert, state, work);
}

/* Lanes of which prepare has made a state, with such flags, that is not to be used. */
LTE_INLINE lte_mask lte_is_extreme_state(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                         lte_cplx *state, const lte_cplx *work)
{
#define IS_EXTREME(name)                                                                           \
    if (plan->detector.id == LTE_DETECTOR_##name)                                                  \
        return lte_##name##_is_extreme(plan, flag, n0, state, work);
    LTE_OTHER_DETECTORS(IS_EXTREME)
    LTE_SEARCHING_DETECTORS(IS_EXTREME)
#undef IS_EXTREME
    return lte_solving_is_extreme(plan, flag, n0, state, work);
}

/* prepare_scaled; arguments as phy/detection/detector.h. */
LTE_INLINE lte_mask lte_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                       const lte_cplx *h, lte_disturbance disturbance,
                                       lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
#define PREPARE(name)                                                                              \
    if (plan->detector.id == LTE_DETECTOR_##name)                                                  \
        return lte_##name##_prepare_scaled(plan, lanes, h, disturbance, invert, state, work);
    LTE_OTHER_DETECTORS(PREPARE)
    LTE_SEARCHING_DETECTORS(PREPARE)
#undef PREPARE
    return lte_solving_prepare_scaled(plan, lanes, h, disturbance, invert, state, work);
}

/*
 * Unbiased estimates of one resource element per lane, by a detector that makes them.
 *
 *   state   of lte_prepare; where a detector works in it, it is as before afterwards
 *   y       [n_rx]
 *   x       [n_tx]  out
 *   rho     [n_tx]  out: their SINR, of a plan with LLRs, linear; or NULL
 */
LTE_INLINE void lte_estimate(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                             lte_cplx *x, lte_real *rho)
{
#define ESTIMATE(name)                                                                             \
    if (plan->detector.id == LTE_DETECTOR_##name) {                                                \
        lte_##name##_estimate(plan, state, y, x, rho);                                             \
        return;                                                                                    \
    }
    LTE_OTHER_DETECTORS(ESTIMATE)
#undef ESTIMATE
    lte_solving_estimate(plan, state, y, x, rho);
}

/* detect; arguments as phy/detection/detector.h. */
LTE_INLINE lte_mask lte_detect(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                               const lte_decision *decision, lte_cplx *work)
{
#define DETECT(name)                                                                               \
    if (plan->detector.id == LTE_DETECTOR_##name)                                                  \
        return lte_##name##_detect(plan, state, y, decision, work);
    LTE_SEARCHING_DETECTORS(DETECT)
#undef DETECT
    lte_cplx *const x = work;
    lte_real *const rho = &work[plan->n_tx].re; /* a lane of it takes half an element */
    lte_estimate(plan, state, y, x, plan->llrs ? rho : NULL);
    for (int k = 0; k < plan->n_tx; k++)
        lte_decide(plan, k, x[k], plan->llrs ? rho[k] : r_set(0.0f), decision);
    return m_none();
}

#endif
