/*
 * Parts of a slot period that all its paths have in common: where it lies, its pieces, its blocks.
 */
#include <omp.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/cpu/cpu_engine.h"

bool lte_cpu_is_stopped(const lte_engine *engine)
{
    const volatile sig_atomic_t *stop = engine->slots.plan.stop;
    return stop && *stop;
}

bool lte_cpu_next_piece(const lte_engine *engine, int64_t *unit, int64_t end, lte_cpu_piece *next)
{
    const int n_groups = engine->link.carrier.n_groups;
    const int64_t left = end - *unit;
    if (left <= 0 || lte_cpu_is_stopped(engine))
        return false;
    next->carrier = (int)(*unit / n_groups);
    next->g0 = (int)(*unit % n_groups);
    next->g1 = left < n_groups - next->g0 ? next->g0 + (int)left : n_groups;
    *unit += next->g1 - next->g0;
    return true;
}

uint64_t lte_cpu_period(lte_engine *engine, uint64_t first)
{
    lte_cpu_slots *slots = &engine->slots;
    const lte_slot_job *job = &slots->plan.job;
    const int part = lte_slot_job_part(job, &first);
    slots->memory = lte_slot_memory_part(&engine->link, &job->memory, part);
    slots->outputs->place(engine, part);
    return first;
}

void lte_cpu_decode(lte_engine *engine, const lte_subframes *subframes, double *at)
{
    lte_block_decoder *decoder = engine->slots.decoder;
    lte_block_match(decoder, subframes, engine->slots.llrs);
#pragma omp master
    at[0] = lte_seconds();
    lte_block_decode(decoder, subframes);
#pragma omp master
    at[1] = lte_seconds();
    lte_block_check(decoder, subframes);
#pragma omp master
    at[2] = lte_seconds();
}
