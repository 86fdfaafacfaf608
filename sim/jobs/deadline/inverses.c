/* Condition numbers and residuals over the matrices of some slots. */
#include "sim/jobs/deadline/inverses.h"

#include "phy/inversion/condition.h"
#include "phy/base/pool.h"
#include "sim/jobs/workers/stop.h"

/* A link's channel to a receiver that knows it. */
static lte_link as_known(const lte_link *link)
{
    lte_link known = *link;
    lte_link_set_perfect_csi(&known);
    return known;
}

lte_status lte_inverses_look(const lte_stages *stages, const lte_link *detected, lte_noise noise,
                             lte_detector detector, uint64_t first, int n_slots, lte_inverses *seen)
{
    const lte_link known = as_known(detected), *link = &known;
    const int n = link->n_tx, n_h = link->channel.n_h;
    const size_t matrices = (size_t)n_slots * (size_t)link->carrier.n_sc * (size_t)n_h;
    const bool inverts = lte_detector_needs(detector, LTE_NEEDS_INVERSE);
    int64_t n_seen = 0;
    *seen = (lte_inverses){0};
    lte_pool pool = {0};
    float *h = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_H));
    float *a = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_GRAM));
    float *x = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_GRAM));
    float *condition = lte_pool_take(&pool, matrices * sizeof *condition);
    float *residual = lte_pool_take(&pool, matrices * sizeof *residual);
    uint8_t *flag = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_FLAG));
    void *work = lte_pool_take(&pool, lte_stage_work(link));
    lte_cf32 *matrix = lte_pool_take(&pool, lte_layout_bytes(link, LTE_MATRICES_GRAM));
    lte_cf32 *inverse = lte_pool_take(&pool, lte_layout_bytes(link, LTE_MATRICES_GRAM));
    lte_status status = lte_pool_check(&pool, "condition numbers");
    for (int slot = 0; slot < n_slots && inverts && !status && !lte_stop_signal; slot++) {
        stages->channel(link, first + (uint64_t)slot, 0, link->carrier.n_groups, h, work);
        stages->gram(link, detector, noise, 0, link->carrier.n_groups, h, a, work);
        stages->gram(link, detector, noise, 0, link->carrier.n_groups, h, x, work);
        stages->invert(link, 0, link->carrier.n_groups, x, flag, work);
        status = lte_layout_copy(link, LTE_BATCH_GRAM, a, LTE_MATRICES_GRAM, matrix);
        if (!status)
            status = lte_layout_copy(link, LTE_BATCH_GRAM, x, LTE_MATRICES_GRAM, inverse);
        for (int k = 0; k < link->carrier.n_sc * n_h && !status; k++) {
            const ptrdiff_t at = (ptrdiff_t)k * n * n;
            if (flag[lte_lane_at(n_h, 1, k % link->carrier.n_sc, k / link->carrier.n_sc, 0)]) {
                seen->flagged++;
                continue;
            }
            const lte_condition one = lte_condition_of(n, &matrix[at], &inverse[at]);
            condition[n_seen] = (float)one.condition;
            residual[n_seen++] = (float)one.residual;
        }
    }
    if (!status) {
        seen->condition = lte_quantiles_of(condition, n_seen);
        seen->residual = lte_quantiles_of(residual, n_seen);
    }
    lte_pool_free(&pool);
    return status;
}
