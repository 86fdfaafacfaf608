/* The nodes of a search. */
#include "phy/detection/ml/ml_nodes.h"

#include <math.h>

#include "phy/detection/ml.h"

/* Real and imaginary part are a float each. */
_Static_assert(sizeof(lte_cplx) == 2 * sizeof(float), "one lane");

double lte_ml_most_nodes(const lte_detector_plan *plan)
{
    const double budget = plan->detector.value[LTE_ML_BUDGET];
    const double all = ldexp(1.0, plan->n_bits * (plan->n_tx - 1));
    return budget > 0.0 ? fmin(budget, all) : all;
}

double lte_ml_nodes(const lte_detector_plan *plan, const float *h, float n0, const float *y,
                    double most, float *memory)
{
    const double budget = plan->detector.value[LTE_ML_BUDGET];
    const double bound = fmin(fmin(most, budget > 0.0 ? budget : most), (double)UINT32_MAX);
    lte_cplx *const state = (lte_cplx *)memory;
    lte_cplx *const work = state + LTE_ML_STATE(plan->n_rx, plan->n_tx);
    const bool levels = plan->llrs && plan->demapper == LTE_DEMAPPER_max_log;
    lte_ml_depth s;
    const lte_mask flag =
        lte_ml_prepare(plan, (const lte_cplx *)h, lte_white(n0), NULL, state, work);
    const lte_mask extreme = lte_ml_is_extreme(plan, flag, n0, state, work);
    if (m_any(extreme))
        (void)lte_ml_prepare_scaled(plan, extreme, (const lte_cplx *)h, lte_white(n0), NULL, state,
                                    work);
    lte_ml_begin(plan, state, (const lte_cplx *)y, levels, work, &s.at, &s.found);
    (void)lte_ml_depth_all(plan, &s, (uint32_t)bound);
    return (double)s.nodes;
}
