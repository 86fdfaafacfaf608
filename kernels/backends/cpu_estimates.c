/* Estimates of a period's channels and noise, by all of the threads that share it. */
#include "kernels/backends/cpu_engine.h"

#include <stdlib.h>

lte_status lte_cpu_estimates_alloc(lte_engine *engine, size_t n_carriers)
{
    lte_cpu_slots *slots = &engine->slots;
    free(slots->estimates);
    free(slots->residuals);
    free(slots->known);
    slots->estimates = malloc(n_carriers * lte_layout_bytes(&engine->link, LTE_PLANES_CSI));
    slots->residuals = malloc(n_carriers * sizeof *slots->residuals);
    slots->known = malloc(n_carriers * sizeof *slots->known);
    return slots->estimates && slots->residuals && slots->known
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

void lte_cpu_estimate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const lte_noise noise = engine->slots.plan.job.noise;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    lte_cpu_piece p;
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        engine->slots.residuals[c] = 0;
    for (int64_t unit = begin;
         lte_needs_least_squares(link) && lte_cpu_next_piece(engine, &unit, end, &p);) {
        int64_t residual = 0;
        engine->stages->estimate(
            link, LTE_LS_WEIGHTS, p.g0, p.g1, pilots_of(engine, first + (uint64_t)p.carrier),
            stride, lte_cpu_estimates(engine, p.carrier), &residual, lte_cpu_work(engine));
#pragma omp atomic
        engine->slots.residuals[p.carrier] += residual;
    }
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        engine->slots.known[c] = lte_effective_noise(link, noise, engine->slots.residuals[c]);
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);) {
        const int set = lte_link_weights(link, engine->slots.known[p.carrier].n0);
        if (set != LTE_LS_WEIGHTS)
            engine->stages->estimate(
                link, set, p.g0, p.g1, pilots_of(engine, first + (uint64_t)p.carrier), stride,
                lte_cpu_estimates(engine, p.carrier), NULL, lte_cpu_work(engine));
    }
}
