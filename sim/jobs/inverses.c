/* Condition numbers and residuals over the matrices of some slots. */
#include "sim/jobs/inverses.h"

#include <stdlib.h>

#include "phy/condition.h"
#include "sim/stop.h"

/* A link's channel to a receiver that knows it. */
static lte_link as_known(const lte_link *link)
{
    lte_link known = *link;
    lte_link_know(&known);
    return known;
}

lte_status lte_inverses_look(const lte_stages *stages, const lte_link *detected, lte_noise noise,
                             int detector, uint64_t first, int n_slots, lte_inverses *seen)
{
    const lte_link known = as_known(detected), *link = &known;
    const int n = link->n_tx, n_h = link->n_h;
    const size_t matrices = (size_t)n_slots * (size_t)link->n_sc * (size_t)n_h;
    const bool inverts = lte_detector_row(detector)->inverts;
    int64_t n_seen = 0;
    *seen = (lte_inverses){0};
    lte_status status = LTE_OK;
    float *h = malloc(lte_layout_bytes(link, LTE_BATCH_H));
    float *a = malloc(lte_layout_bytes(link, LTE_BATCH_GRAM));
    float *x = malloc(lte_layout_bytes(link, LTE_BATCH_GRAM));
    float *condition = malloc(matrices * sizeof *condition);
    float *residual = malloc(matrices * sizeof *residual);
    uint8_t *flag = malloc(lte_layout_bytes(link, LTE_BATCH_FLAG));
    void *work = lte_stage_work_alloc(link);
    lte_cf32 *matrix = malloc(lte_layout_bytes(link, LTE_MATRICES_GRAM));
    lte_cf32 *inverse = malloc(lte_layout_bytes(link, LTE_MATRICES_GRAM));
    if (!h || !a || !x || !condition || !residual || !flag || !work || !matrix || !inverse) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for condition numbers");
        goto cleanup;
    }
    for (int slot = 0; slot < n_slots && inverts && !status && !lte_stop_signal; slot++) {
        stages->channel(link, first + (uint64_t)slot, 0, link->n_groups, h, work);
        stages->gram(link, detector, noise, 0, link->n_groups, h, a, work);
        stages->gram(link, detector, noise, 0, link->n_groups, h, x, work);
        stages->invert(link, 0, link->n_groups, x, flag, work);
        status = lte_layout_copy(link, LTE_BATCH_GRAM, a, LTE_MATRICES_GRAM, matrix);
        if (!status)
            status = lte_layout_copy(link, LTE_BATCH_GRAM, x, LTE_MATRICES_GRAM, inverse);
        for (int k = 0; k < link->n_sc * n_h && !status; k++) {
            const ptrdiff_t at = (ptrdiff_t)k * n * n;
            if (flag[lte_lane_at(n_h, 1, k % link->n_sc, k / link->n_sc, 0)]) {
                seen->flagged++;
                continue;
            }
            const lte_condition one = lte_condition_of(n, &matrix[at], &inverse[at]);
            condition[n_seen] = (float)one.condition;
            residual[n_seen++] = (float)one.residual;
        }
    }
    seen->condition = lte_quantiles_of(condition, n_seen);
    seen->residual = lte_quantiles_of(residual, n_seen);
cleanup:
    free(h);
    free(a);
    free(x);
    free(condition);
    free(residual);
    free(flag);
    free(work);
    free(matrix);
    free(inverse);
    return status;
}
