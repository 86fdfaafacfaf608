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
    lte_cpu_outputs_of(engine)->place(engine, part);
    return first;
}

/* ---- what differs by what is counted ---- */

static lte_status nothing_begins(lte_engine *engine, const lte_slot_job *job)
{
    (void)engine;
    (void)job;
    return LTE_OK;
}

static void as_planned(lte_engine *engine, int part)
{
    (void)engine;
    (void)part;
}

static lte_status nothing_follows(lte_engine *engine, uint64_t first, double *completed_s)
{
    (void)engine;
    (void)first;
    (void)completed_s;
    return LTE_OK;
}

/* The LLRs of a subframe's slot go to the decoder. */
static void to_decoder(lte_engine *engine, int part)
{
    lte_cpu_slots *slots = &engine->slots;
    const lte_slot_job *job = &slots->plan.job;
    const size_t planes = (size_t)lte_llr_planes(&engine->link);
    slots->memory.bits = (uint8_t *)slots->llrs + (size_t)part * planes;
    slots->memory.out_bytes = (size_t)job->memory.parts * planes;
    slots->memory.n_out = (uint64_t)job->n_carriers;
}

const lte_cpu_outputs *lte_cpu_outputs_of(const lte_engine *engine)
{
    static const lte_cpu_outputs outputs[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = {nothing_begins, as_planned, nothing_follows, lte_cpu_time_bits},
        [LTE_COUNTED_LLRS] = {nothing_begins, as_planned, nothing_follows, lte_cpu_time_llrs},
        [LTE_COUNTED_BLOCKS] = {lte_cpu_subframes_alloc, to_decoder, lte_cpu_decode_period,
                                lte_cpu_time_blocks},
    };
    return &outputs[engine->link.output.counted];
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
