/* Estimates of a period's channels and noise, by all of the threads that share it. */
#include "kernels/backends/cpu_engine.h"

#include <stdlib.h>

/* Floats of a carrier's unknowns. */
static size_t unknowns_size(const lte_engine *engine)
{
    return (size_t)(engine->link.n_rx * lte_unknowns_size(&engine->link));
}

lte_status lte_cpu_estimates_alloc(lte_engine *engine, size_t n_carriers)
{
    lte_cpu_slots *slots = &engine->slots;
    free(slots->estimates);
    free(slots->residuals);
    free(slots->known);
    free(slots->sums);
    free(slots->unknowns);
    slots->estimates = malloc(n_carriers * lte_layout_bytes(&engine->link, LTE_PLANES_CSI));
    slots->residuals = malloc(n_carriers * sizeof *slots->residuals);
    slots->known = malloc(n_carriers * sizeof *slots->known);
    slots->sums = malloc((n_carriers * (size_t)lte_sums_size(&engine->link) + 1) * sizeof(float));
    slots->unknowns = malloc((n_carriers * unknowns_size(engine) + 1) * sizeof(float));
    return slots->estimates && slots->residuals && slots->known && slots->sums && slots->unknowns
               ? LTE_OK
               : LTE_FAIL(LTE_ENOMEM, "no memory for the estimates of %zu carriers", n_carriers);
}

lte_cf32 *lte_cpu_estimates(const lte_engine *engine, int carrier)
{
    const lte_link *link = &engine->link;
    return &engine->slots.estimates[(size_t)carrier * lte_planes_size(link, link->n_csi)];
}

/* The reference symbol's planes of slot i, 7 n_sc from one to the next. */
static const lte_cf32 *pilots_of(const lte_engine *engine, uint64_t i)
{
    const lte_link *link = &engine->link;
    return lte_slot_memory_y(link, lte_cpu_memory(engine), i) +
           (ptrdiff_t)LTE_PILOT_SYMBOL * link->n_sc;
}

static float *sums_of(const lte_engine *engine, int carrier)
{
    return &engine->slots.sums[carrier * lte_sums_size(&engine->link)];
}

static float *unknowns_of(const lte_engine *engine, int carrier)
{
    return &engine->slots.unknowns[(size_t)carrier * unknowns_size(engine)];
}

/* Sums over the carrier: every thread those of its groups, then one of them a carrier's total. */
static void correlate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    lte_cpu_piece p;
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);)
        engine->stages->correlate(link, p.g0, p.g1, pilots_of(engine, first + (uint64_t)p.carrier),
                                  stride, sums_of(engine, p.carrier), lte_cpu_work(engine));
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        (void)lte_pilot_totals(link, sums_of(engine, c));
}

/* What every thread needs of a set before it estimates with it. */
static void fit_carrier(lte_engine *engine, int set, int carrier)
{
    const lte_link *link = &engine->link;
    const float *totals =
        sums_of(engine, carrier) + (ptrdiff_t)link->n_groups * (ptrdiff_t)unknowns_size(engine);
    if (lte_pilots_span_carrier(&link->pilots))
        engine->stages->fit(link, set, totals, unknowns_of(engine, carrier));
}

/* Groups begin .. end - 1 with the set that tells the noise, or with those of the noise. */
static void estimate_period(lte_engine *engine, bool least_squares, uint64_t first, int64_t begin,
                            int64_t end)
{
    const lte_link *link = &engine->link;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    lte_cpu_piece p;
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);) {
        const int set = least_squares ? LTE_LS_WEIGHTS
                                      : lte_link_weights(link, engine->slots.known[p.carrier].n0);
        int64_t residual = 0;
        if (!least_squares && set == LTE_LS_WEIGHTS)
            continue;
        engine->stages->estimate(
            link, set, p.g0, p.g1, pilots_of(engine, first + (uint64_t)p.carrier), stride,
            unknowns_of(engine, p.carrier), lte_cpu_estimates(engine, p.carrier),
            least_squares ? &residual : NULL, lte_cpu_work(engine));
#pragma omp atomic
        engine->slots.residuals[p.carrier] += residual;
    }
}

void lte_cpu_estimate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const lte_noise noise = engine->slots.plan.job.noise;
    lte_cpu_slots *const slots = &engine->slots;
    if (lte_pilots_span_carrier(&link->pilots))
        correlate_period(engine, first, begin, end);
#pragma omp for
    for (int c = 0; c < slots->plan.job.n_carriers; c++) {
        slots->residuals[c] = 0;
        if (lte_needs_least_squares(link))
            fit_carrier(engine, LTE_LS_WEIGHTS, c);
    }
    if (lte_needs_least_squares(link))
        estimate_period(engine, true, first, begin, end);
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < slots->plan.job.n_carriers; c++) {
        slots->known[c] = lte_effective_noise(link, noise, slots->residuals[c]);
        const int set = lte_link_weights(link, slots->known[c].n0);
        if (set != LTE_LS_WEIGHTS)
            fit_carrier(engine, set, c);
    }
    estimate_period(engine, false, first, begin, end);
}
