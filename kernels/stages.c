/* The tables of all instruction sets, and what is made of several stages. */
#include "kernels/stages.h"

#include <stdlib.h>
#include <string.h>

#include "phy/detectors.h"

bool lte_has_ref(void)
{
    return true;
}

#ifdef LTE_X86_LEVELS
bool lte_has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

bool lte_has_v4(void)
{
    return lte_has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

const lte_stages *const lte_stages_all[] = {
    &lte_stages_ref,
#ifdef LTE_X86_LEVELS
    &lte_stages_v3,
    &lte_stages_v4,
#endif
    NULL,
};

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

const float *lte_pilot_totals(const lte_link *link, float *sum)
{
    const ptrdiff_t n = link->n_rx * lte_unknowns_size(link);
    float *total = &sum[link->n_groups * n];
    memcpy(total, sum, (size_t)n * sizeof *total);
    for (int g = 1; g < link->n_groups; g++) {
        for (ptrdiff_t i = 0; i < n; i++)
            total[i] += sum[g * n + i];
    }
    return total;
}

lte_noise lte_stages_estimate(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              const lte_cf32 *y, ptrdiff_t stride, lte_cf32 *h, void *work)
{
    const bool spans = lte_pilots_span_carrier(&link->pilots);
    const int n_groups = link->n_groups;
    float *const sum = work; /* as lanes of the stage have them */
    float *const unknown = sum + (lte_sums_size(link) + 15) / 16 * 16;
    const float *c = NULL;
    int64_t residual = 0;
    if (spans) {
        stages->correlate(link, 0, n_groups, y, stride, sum, work);
        c = lte_pilot_totals(link, sum);
    }
    if (lte_needs_least_squares(link)) {
        if (spans)
            stages->fit(link, LTE_LS_WEIGHTS, c, unknown);
        stages->estimate(link, LTE_LS_WEIGHTS, 0, n_groups, y, stride, unknown, h, &residual, work);
    }
    const lte_noise known = lte_effective_noise(link, noise, residual);
    const int set = lte_link_weights(link, known.n0);
    if (set != LTE_LS_WEIGHTS) {
        if (spans)
            stages->fit(link, set, c, unknown);
        stages->estimate(link, set, 0, n_groups, y, stride, unknown, h, NULL, work);
    }
    return known;
}

void lte_stages_detect(const lte_stages *stages, const lte_link *link, int detector,
                       lte_noise noise, int g0, int g1, const float *h, const float *y, float *x,
                       uint8_t *flag, uint32_t *label, void *work)
{
    if (lte_detector_row(detector)->inverts) {
        stages->gram(link, detector, noise, g0, g1, h, x, work);
        stages->invert(link, g0, g1, x, flag, work);
    }
    stages->detect(link, detector, noise, g0, g1, h, x, y, label, flag, work);
}
