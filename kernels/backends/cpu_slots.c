/*
 * Slot periods on the processor: threads share the groups of all carriers' slots, each from planes
 * to packed bits in its first-level cache.
 */
#include "kernels/backends/cpu_engine.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"

enum { TRIAL_PERIODS = 20 }; /* of each number of threads */

lte_status lte_cpu_slots_init(const lte_link *link, lte_cpu_slots *slots)
{
    slots->h = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_CSI));
    slots->y = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_Y));
    slots->g = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_GRAM));
    slots->flag = malloc(lte_batch_bytes(link, LTE_BATCH_FLAG));
    slots->label = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_LABEL));
    return slots->h && slots->y && slots->g && slots->flag && slots->label
               ? LTE_OK
               : LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
}

void lte_cpu_slots_fini(lte_cpu_slots *slots)
{
    free(slots->h);
    free(slots->y);
    free(slots->g);
    free(slots->flag);
    free(slots->label);
    free(slots->estimates);
    free(slots->residuals);
    free(slots->known);
}

/* Memory for the estimates of a period. */
static lte_status alloc_estimates(lte_engine *engine, size_t n_carriers)
{
    lte_cpu_slots *slots = &engine->slots;
    free(slots->estimates);
    free(slots->residuals);
    free(slots->known);
    slots->estimates = malloc(n_carriers * lte_slot_h_size(&engine->link) * sizeof(lte_cf32));
    slots->residuals = malloc(n_carriers * sizeof *slots->residuals);
    slots->known = malloc(n_carriers * sizeof *slots->known);
    return slots->estimates && slots->residuals && slots->known
               ? LTE_OK
               : LTE_FAIL(LTE_ENOMEM, "no memory for the estimates of %zu carriers", n_carriers);
}

static const lte_slot_memory *memory_of(const lte_engine *engine)
{
    return &engine->slots.plan.job.memory;
}

/* The reference symbol's planes of slot i, 7 n_sc from one to the next. */
static const lte_cf32 *pilots_of(const lte_engine *engine, uint64_t i)
{
    const lte_link *link = &engine->link;
    return lte_slot_memory_y(link, memory_of(engine), i) + (ptrdiff_t)LTE_PILOT_SYMBOL * link->n_sc;
}

/* Thread t of n_threads takes units t n / n_threads .. (t + 1) n / n_threads - 1. */
static int64_t share(int64_t n, int t, int n_threads)
{
    return n * t / n_threads;
}

/* Groups g0 .. g1 - 1 of one of a period's slots. */
typedef struct {
    int carrier, g0, g1;
} piece;

/* The next piece of groups *unit .. end - 1 of a period, counted over all of its slots. */
static bool next_piece(const lte_engine *engine, int64_t *unit, int64_t end, piece *next)
{
    const int n_groups = engine->link.n_groups;
    const int64_t left = end - *unit;
    if (left <= 0)
        return false;
    next->carrier = (int)(*unit / n_groups);
    next->g0 = (int)(*unit % n_groups);
    next->g1 = left < n_groups - next->g0 ? next->g0 + (int)left : n_groups;
    *unit += next->g1 - next->g0;
    return true;
}

static lte_cf32 *estimates_of(const lte_engine *engine, int carrier)
{
    return &engine->slots.estimates[(size_t)carrier * lte_slot_h_size(&engine->link)];
}

/* Estimates for groups begin .. end - 1 of a period, by all threads at once. */
static void estimate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const lte_noise noise = engine->slots.plan.job.noise;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    piece p;
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        engine->slots.residuals[c] = 0;
    for (int64_t unit = begin;
         lte_needs_least_squares(link) && next_piece(engine, &unit, end, &p);) {
        int64_t residual = 0;
        engine->stages->estimate(link, LTE_LS_WEIGHTS, p.g0, p.g1,
                                 pilots_of(engine, first + (uint64_t)p.carrier), stride,
                                 estimates_of(engine, p.carrier), &residual);
#pragma omp atomic
        engine->slots.residuals[p.carrier] += residual;
    }
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        engine->slots.known[c] = lte_effective_noise(link, noise, engine->slots.residuals[c]);
    for (int64_t unit = begin; next_piece(engine, &unit, end, &p);) {
        const int set = lte_link_weights(link, engine->slots.known[p.carrier].n0);
        if (set != LTE_LS_WEIGHTS)
            engine->stages->estimate(link, set, p.g0, p.g1,
                                     pilots_of(engine, first + (uint64_t)p.carrier), stride,
                                     estimates_of(engine, p.carrier), NULL);
    }
}

static lte_status run(lte_engine *engine, uint64_t first, double release_s, double *completed_s)
{
    const lte_link *link = &engine->link;
    const lte_slot_job *job = &engine->slots.plan.job;
    lte_wait_until(release_s);
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int64_t units = (int64_t)job->n_carriers * link->n_groups;
        int64_t unit = share(units, t, n_threads);
        const int64_t end = share(units, t + 1, n_threads);
        const bool estimate = lte_link_estimates(link);
        piece p;
        if (estimate) /* each piece is detected by the thread that estimated it */
            estimate_period(engine, first, unit, end);
        while (next_piece(engine, &unit, end, &p)) {
            const uint64_t slot = first + (uint64_t)p.carrier;
            engine->stages->slot(link, job->detector,
                                 estimate ? engine->slots.known[p.carrier] : job->noise, p.g0, p.g1,
                                 estimate ? estimates_of(engine, p.carrier)
                                          : lte_slot_memory_h(link, memory_of(engine), slot),
                                 lte_slot_memory_y(link, memory_of(engine), slot),
                                 lte_slot_memory_bits(memory_of(engine), slot));
        }
    }
    *completed_s = lte_seconds();
    return LTE_OK;
}

/*
 * The channel that slot i is detected with, and the noise; if they are estimated, by all threads
 * at once.
 */
static const lte_cf32 *receiver_channel(lte_engine *engine, uint64_t i, lte_noise *noise)
{
    const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
    const int n_groups = engine->link.n_groups;
    *noise = engine->slots.plan.job.noise;
    if (!lte_link_estimates(&engine->link))
        return lte_slot_memory_h(&engine->link, memory_of(engine), i);
    estimate_period(engine, i, share(n_groups, t, n_threads), share(n_groups, t + 1, n_threads));
#pragma omp barrier
    *noise = engine->slots.known[0];
    return estimates_of(engine, 0);
}

static lte_status time_stages(lte_engine *engine, uint64_t i, double *us)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_slot_job *job = &engine->slots.plan.job;
    const lte_cf32 *y = lte_slot_memory_y(link, memory_of(engine), i);
    const bool inverts = lte_detector_rows[job->detector].inverts;
    double at[LTE_N_TIMED + 1];
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)share(link->n_groups, t, n_threads);
        const int g1 = (int)share(link->n_groups, t + 1, n_threads);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_IN] = at[LTE_TIMED_ESTIMATION] = omp_get_wtime();
        lte_noise noise;
        const lte_cf32 *h = receiver_channel(engine, i, &noise);
#pragma omp master
        at[LTE_TIMED_CORNER_TURN] = omp_get_wtime();
        s->corner_turn(link, g0, g1, h, y, engine->slots.h, engine->slots.y);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_GRAM] = omp_get_wtime();
        if (inverts)
            s->gram(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_INVERSION] = omp_get_wtime();
        if (inverts)
            s->invert(link, g0, g1, engine->slots.g, engine->slots.flag);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_DETECTION] = omp_get_wtime();
        s->detect(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g,
                  engine->slots.y, engine->slots.label, engine->slots.flag);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_OUT] = omp_get_wtime();
        s->pack(link, g0, g1, engine->slots.label, lte_slot_memory_bits(memory_of(engine), i));
#pragma omp barrier
#pragma omp master
        at[LTE_N_TIMED] = omp_get_wtime();
    }
    for (int k = 0; k < LTE_N_TIMED; k++)
        us[k] = 1e6 * (at[k + 1] - at[k]);
    return LTE_OK;
}

/* The first n_groups groups of a slot's Gram matrices inverted; seconds. */
static double invert_groups(lte_engine *engine, uint64_t i, int n_groups)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_slot_job *job = &engine->slots.plan.job;
    const lte_cf32 *y = lte_slot_memory_y(link, memory_of(engine), i);
    double start = 0.0, end = 0.0;
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)share(n_groups, t, n_threads);
        const int g1 = (int)share(n_groups, t + 1, n_threads);
        lte_noise noise;
        const lte_cf32 *h = receiver_channel(engine, i, &noise);
        s->corner_turn(link, g0, g1, h, y, engine->slots.h, engine->slots.y);
        s->gram(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g);
#pragma omp barrier
#pragma omp master
        start = omp_get_wtime();
        s->invert(link, g0, g1, engine->slots.g, engine->slots.flag);
#pragma omp barrier
#pragma omp master
        end = omp_get_wtime();
    }
    return end - start;
}

static lte_status time_inversion(lte_engine *engine, int n, double *us)
{
    double seconds = 0.0;
    const int group = LTE_LANES * engine->link.n_csi; /* matrices of a group */
    if (!lte_detector_rows[engine->slots.plan.job.detector].inverts) {
        *us = 0.0;
        return LTE_OK;
    }
    for (int left = (n + group - 1) / group; left > 0; left -= engine->link.n_groups) {
        const int n_groups = left < engine->link.n_groups ? left : engine->link.n_groups;
        seconds += invert_groups(engine, engine->slots.n_inverted++, n_groups);
    }
    *us = 1e6 * seconds;
    return LTE_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of a period. */
static lte_status try_threads(lte_engine *engine, int n_threads, double *median_us)
{
    double us[TRIAL_PERIODS];
    engine->slots.n_threads = n_threads;
    for (int k = 0; k < TRIAL_PERIODS; k++) {
        const double release_s = lte_seconds();
        double completed_s = release_s;
        const uint64_t first = (uint64_t)k * (uint64_t)engine->slots.plan.job.n_carriers;
        const lte_status status = run(engine, first, release_s, &completed_s);
        if (status)
            return status;
        us[k] = 1e6 * (completed_s - release_s);
    }
    qsort(us, TRIAL_PERIODS, sizeof *us, ascending);
    *median_us = us[TRIAL_PERIODS / 2 - 1];
    return LTE_OK;
}

/*
 * 1, 2, 4, ... threads until a period is short enough: a thread more than needed is one more that
 * the system may delay.
 */
static lte_status choose_threads(lte_engine *engine)
{
    const int most = engine->n_threads;
    double fastest_us = INFINITY;
    int chosen = 1;
    for (int n = 1; most > 1; n = 2 * n < most ? 2 * n : most) {
        double us = 0.0;
        const lte_status status = try_threads(engine, n, &us);
        if (status)
            return status;
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

static lte_status begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    lte_status status = LTE_OK;
    engine->slots.plan = *plan;
    engine->slots.n_threads = plan->n_threads;
    if (lte_link_estimates(&engine->link))
        status = alloc_estimates(engine, (size_t)plan->job.n_carriers);
    if (!status && plan->n_threads == 0)
        status = choose_threads(engine);
    *setup = (lte_slot_setup){.n_threads = engine->slots.n_threads, .cached = false};
    return status;
}

static lte_status end(lte_engine *engine)
{
    (void)engine;
    return LTE_OK;
}

const lte_slot_ops lte_cpu_slot_ops = {
    .n_placements = 1,
    .begin = begin,
    .run = run,
    .end = end,
    .stages = time_stages,
    .inversion = time_inversion,
};
