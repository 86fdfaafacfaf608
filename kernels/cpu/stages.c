/* The tables of all instruction sets, and what is made of several stages. */
#include "kernels/cpu/stages.h"

#include <stdlib.h>
#include <string.h>

#include "phy/detection/detectors.h"

const lte_stages *lte_stages_best(void)
{
    const lte_stages *best = lte_stages_all[0];
    for (int i = 0; lte_stages_all[i]; i++) {
        if (lte_stages_all[i]->usable())
            best = lte_stages_all[i];
    }
    return best;
}

const lte_stages *lte_stages_find(const char *name)
{
    for (int i = 0; lte_stages_all[i]; i++) {
        if (strcmp(lte_stages_all[i]->name, name) == 0)
            return lte_stages_all[i];
    }
    return NULL;
}

void *lte_stage_work_alloc(const lte_link *link)
{
    return aligned_alloc(64, lte_stage_work(link));
}

const float *lte_estimator_totals(const lte_link *link, float *sum)
{
    const ptrdiff_t n = link->n_rx * lte_unknowns_size(link);
    float *total = &sum[link->carrier.n_groups * n];
    memcpy(total, sum, (size_t)n * sizeof *total);
    for (int g = 1; g < link->carrier.n_groups; g++) {
        for (ptrdiff_t i = 0; i < n; i++)
            total[i] += sum[g * n + i];
    }
    return total;
}

/*
 * Estimates from n reference symbols, one after the other: least squares of all for the noise, if
 * it is not known, then each by the set of that noise.
 */
static lte_noise estimate_all(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              int n, const lte_cf32 *const *y, ptrdiff_t stride, lte_cf32 *const *h,
                              void *work)
{
    const bool spans = lte_estimator_spans_carrier(&link->receiver.estimator);
    const int n_groups = link->carrier.n_groups;
    float *const sum = work; /* as lanes of the stage have them */
    float *const unknown = sum + (link->receiver.pilots * lte_sums_size(link) + 15) / 16 * 16;
    const float *c[LTE_SUBFRAME_PILOTS] = {NULL};
    int64_t residual = 0;
    for (int i = 0; i < n; i++) {
        int64_t left = 0;
        if (spans) {
            float *const sums = &sum[i * lte_sums_size(link)];
            stages->correlate(link, 0, n_groups, y[i], stride, sums, work);
            c[i] = lte_estimator_totals(link, sums);
        }
        if (!lte_needs_least_squares(link))
            continue;
        if (spans)
            stages->fit(link, LTE_LS_WEIGHTS, c[i], unknown);
        stages->estimate(link, LTE_LS_WEIGHTS, lte_groups_of(0, n_groups, work), y[i], stride,
                         unknown, h[i], &left);
        residual += left / n;
    }
    const lte_noise known = lte_effective_noise(link, noise, residual);
    const int set = lte_link_weights(link, known.n0);
    for (int i = 0; i < n && set != LTE_LS_WEIGHTS; i++) {
        if (spans)
            stages->fit(link, set, c[i], unknown);
        stages->estimate(link, set, lte_groups_of(0, n_groups, work), y[i], stride, unknown, h[i],
                         NULL);
    }
    return known;
}

lte_noise lte_stages_estimate(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              const lte_cf32 *y, ptrdiff_t stride, lte_cf32 *h, void *work)
{
    return estimate_all(stages, link, noise, 1, &y, stride, &h, work);
}

lte_noise lte_stages_estimate_subframe(const lte_stages *stages, const lte_link *link,
                                       lte_noise noise, const lte_cf32 *y, ptrdiff_t stride,
                                       lte_cf32 *h, void *work)
{
    const size_t size = (size_t)link->n_rx * (size_t)link->n_tx * (size_t)link->carrier.n_sc;
    const lte_cf32 *const received[] = {y, y + link->n_rx * stride};
    lte_cf32 *const estimated[] = {h, h + size};
    return estimate_all(stages, link, noise, LTE_SUBFRAME_PILOTS, received, stride, estimated,
                        work);
}

void lte_stages_detect(const lte_stages *stages, const lte_link *link, lte_detector detector,
                       lte_noise noise, lte_groups groups, const float *h, const float *y,
                       const lte_decided *decided)
{
    const int g0 = groups.first, g1 = groups.end;
    if (lte_detector_needs(detector, LTE_NEEDS_INVERSE)) {
        stages->gram(link, detector, noise, g0, g1, h, decided->x, groups.work);
        stages->invert(link, g0, g1, decided->x, decided->flag, groups.work);
    }
    stages->detect(link, detector, noise, groups, h, y, decided);
}
