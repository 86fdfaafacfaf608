/*
 * Slot periods on the processor: threads share the groups of all carriers' slots, each from planes
 * to packed bits or LLRs in its first-level cache; and the blocks of a code after every subframe.
 */
#include "kernels/backends/cpu/cpu_engine.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "phy/detection/plugin.h"

enum { TRIAL_PERIODS = 20 };        /* of each number of threads; */
static const double trial_s = 0.25; /* fewer if they take so long */

void lte_cpu_slots_fini(lte_cpu_slots *slots)
{
    lte_pool_free(&slots->batches);
    lte_pool_free(&slots->period);
    lte_pool_free(&slots->subframes);
    lte_block_decoder_free(slots->decoder);
    slots->decoder = NULL;
}

static lte_status run(lte_engine *engine, uint64_t first, double release_s, double *completed_s,
                      double *gap_s)
{
    const lte_link *link = &engine->link;
    const lte_slot_job *job = &engine->slots.plan.job;
    first = lte_cpu_period(engine, first);
    lte_wait_until(release_s, gap_s);
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int64_t units = (int64_t)job->n_carriers * link->carrier.n_groups;
        int64_t unit = lte_cpu_share(units, t, n_threads);
        const int64_t end = lte_cpu_share(units, t + 1, n_threads);
        const bool estimate = lte_link_estimates(link);
        lte_cpu_piece p;
        if (estimate) /* each piece is detected by the thread that estimated it */
            lte_cpu_estimate_period(engine, first, unit, end);
        while (lte_cpu_next_piece(engine, &unit, end, &p)) {
            const uint64_t slot = first + (uint64_t)p.carrier;
            engine->stages->slot(link, job->detector,
                                 estimate ? engine->slots.known[p.carrier] : job->noise,
                                 lte_groups_of(p.g0, p.g1, lte_cpu_work(engine)),
                                 estimate ? lte_cpu_estimates(engine, p.carrier)
                                          : lte_slot_memory_h(link, lte_cpu_memory(engine), slot),
                                 lte_slot_memory_y(link, lte_cpu_memory(engine), slot),
                                 lte_slot_memory_bits(lte_cpu_memory(engine), slot));
        }
    }
    *completed_s = lte_seconds();
    return LTE_OK;
}

static lte_status decode_period(lte_engine *engine, uint64_t first, double *completed_s)
{
    const lte_subframes subframes = lte_subframes_of(&engine->slots.plan.job, first);
    double at[3];
#pragma omp parallel num_threads(engine->slots.n_threads)
    lte_cpu_decode(engine, &subframes, at);
    *completed_s = at[2];
    return LTE_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A period that begins with a slot, at once, and the blocks that are there with it; seconds. */
static lte_status time_period(lte_engine *engine, uint64_t first, double *seconds)
{
    const lte_slot_job *job = &engine->slots.plan.job;
    const double release_s = lte_seconds();
    double completed_s = release_s, gap_s = 0.0;
    uint64_t of_part = first;
    lte_status status = run(engine, first, release_s, &completed_s, &gap_s);
    if (!status && lte_slot_job_part(job, &of_part) == job->memory.parts - 1)
        status = engine->slots.outputs->finish(engine, first, &completed_s);
    *seconds = completed_s - release_s;
    return status;
}

/* Median time of a period; of a code's of those with blocks. */
static lte_status try_threads(lte_engine *engine, int n_threads, double *median_us)
{
    const int parts = engine->slots.plan.job.memory.parts;
    double us[TRIAL_PERIODS], spent_s = 0.0;
    int n = 0;
    engine->slots.n_threads = n_threads;
    for (int k = 0; n < TRIAL_PERIODS && (n == 0 || spent_s < trial_s); k++) {
        double seconds = 0.0;
        const uint64_t first = (uint64_t)k * (uint64_t)engine->slots.plan.job.n_carriers;
        const lte_status status = time_period(engine, first, &seconds);
        if (status)
            return status;
        if (k % parts == parts - 1)
            us[n++] = 1e6 * seconds;
        spent_s += seconds;
    }
    qsort(us, (size_t)n, sizeof *us, ascending);
    *median_us = us[(n - 1) / 2];
    return LTE_OK;
}

/*
 * 1, 2, 4, ... threads until a period is short enough: a thread more than needed is one more that
 * the system may delay.
 */
static lte_status choose_threads(lte_engine *engine, lte_slot_setup *setup)
{
    const int most = engine->n_threads;
    double fastest_us = INFINITY;
    int chosen = 1;
    for (int n = 1; most > 1 && !lte_cpu_is_stopped(engine); n = 2 * n < most ? 2 * n : most) {
        double us = 0.0;
        const lte_status status = try_threads(engine, n, &us);
        if (status)
            return status;
        setup->trial[setup->n_trials++] = (lte_thread_trial){n, us};
        if (us < fastest_us) {
            fastest_us = us;
            chosen = n;
        }
        if (n == most || us <= engine->slots.plan.enough_us)
            break;
    }
    engine->slots.n_threads = chosen;
    return LTE_OK;
}

/* Memory for the subframes of a period. */
static lte_status subframes_alloc(lte_engine *engine, const lte_slot_job *job)
{
    lte_cpu_slots *slots = &engine->slots;
    const int n = job->memory.parts == 1 ? job->n_carriers / 2 : job->n_carriers;
    lte_pool_free(&slots->subframes);
    lte_block_decoder_free(slots->decoder);
    slots->decoder = NULL;
    slots->llrs =
        lte_pool_zeros(&slots->subframes, 2 * (size_t)n * (size_t)lte_llr_planes(&engine->link));
    const lte_status status = lte_pool_check(&slots->subframes, "the LLRs of a period");
    return status ? status
                  : lte_block_decoder_create(&engine->link, lte_turbo_of(engine->stages->name),
                                             engine->n_threads, n, &slots->decoder);
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

static const lte_cpu_outputs *outputs_of(const lte_link *link)
{
    static const lte_cpu_outputs outputs[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = {nothing_begins, as_planned, nothing_follows, lte_cpu_time_bits},
        [LTE_COUNTED_LLRS] = {nothing_begins, as_planned, nothing_follows, lte_cpu_time_llrs},
        [LTE_COUNTED_BLOCKS] = {subframes_alloc, to_decoder, decode_period, lte_cpu_time_blocks},
    };
    return &outputs[link->output.counted];
}

lte_status lte_cpu_slots_init(const lte_link *link, lte_cpu_slots *slots)
{
    lte_pool *pool = &slots->batches;
    slots->outputs = outputs_of(link);
    slots->h = lte_pool_take(pool, lte_layout_bytes(link, LTE_BATCH_CSI));
    slots->y = lte_pool_take(pool, lte_layout_bytes(link, LTE_BATCH_Y));
    slots->g = lte_pool_take(pool, lte_layout_bytes(link, LTE_BATCH_GRAM));
    slots->flag = lte_pool_take(pool, lte_layout_bytes(link, LTE_BATCH_FLAG));
    slots->label = lte_pool_take(pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    return lte_pool_check(pool, "the batches of a slot");
}

static lte_status begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    engine->slots.plan = *plan;
    engine->slots.n_threads = plan->n_threads;
    lte_status status = engine->slots.outputs->begin(engine, &plan->job);
    if (!status && lte_link_estimates(&engine->link))
        status = lte_cpu_estimates_alloc(engine, (size_t)plan->job.n_carriers);
    *setup = (lte_slot_setup){.n_trials = 0, .cached = false};
    if (!status && plan->n_threads == 0)
        status = choose_threads(engine, setup);
    setup->n_threads = engine->slots.n_threads;
    return status;
}

static lte_status time_stages(lte_engine *engine, uint64_t i, double *us)
{
    engine->slots.outputs->time(engine, i, us);
    return LTE_OK;
}

static lte_status end(lte_engine *engine)
{
    (void)engine;
    return lte_plugin_check();
}

const lte_slot_ops lte_cpu_slot_ops = {
    .n_placements = 1,
    .begin = begin,
    .run = run,
    .decode = decode_period,
    .end = end,
    .stages = time_stages,
    .inversion = lte_cpu_time_inversion,
};
