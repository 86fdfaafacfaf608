#include "kernels/backends/cpu.h"

#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/processor.h"

enum { MIN_SWEEP_SLOTS = 16 };

struct lte_engine {
    const lte_stages *stages;
    lte_link link;
    int n_threads;
    lte_tick_plan plan;
    int tick_threads;  /* of them for ticks */
    uint64_t inverted; /* passes over a slot's matrices so far, for tick_inversion */
    /* batches of one slot, for tick_stages and tick_inversion */
    float *h, *y, *g;
    uint8_t *flag;
    uint32_t *label;
    void *work;          /* [n_threads][work_size] of sweeps */
    size_t work_size;    /* of a thread's, rounded up to whole cache lines */
    lte_cf32 *estimates; /* [n_carriers][n_rx][n_tx][n_sc] of a tick, if the receiver makes some */
    int64_t *residuals;  /* [n_carriers] */
    lte_noise *known;    /* [n_carriers] */
};

static lte_status describe(int i, lte_device *device)
{
    (void)i;
    *device = (lte_device){0};
    lte_processor_name(device->name, sizeof device->name);
    return LTE_OK;
}

static void engine_free(lte_engine *engine)
{
    if (!engine)
        return;
    free(engine->h);
    free(engine->y);
    free(engine->g);
    free(engine->flag);
    free(engine->label);
    free(engine->work);
    free(engine->estimates);
    free(engine->residuals);
    free(engine->known);
    free(engine);
}

static lte_status engine_create(const lte_backend *self, const lte_link *link,
                                const lte_engine_options *options, lte_engine **engine)
{
    const size_t lanes = (size_t)link->n_groups * LTE_LANES;
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx;
    const size_t n_csi = (size_t)link->n_csi;
    const size_t pair = 2 * sizeof(float);
    *engine = NULL;
    lte_engine *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an engine");
    made->stages = self->stages;
    made->link = *link;
    made->n_threads = options->n_threads > 0 ? options->n_threads : omp_get_num_procs();
    made->h = aligned_alloc(64, lanes * n_csi * n_rx * n_tx * pair);
    made->y = aligned_alloc(64, lanes * n_rx * LTE_SLOT_SYMBOLS * pair);
    made->g = aligned_alloc(64, lanes * n_csi * n_tx * n_tx * pair);
    made->flag = malloc(lanes * n_csi);
    made->label = aligned_alloc(64, lanes * n_tx * LTE_SLOT_SYMBOLS * sizeof(uint32_t));
    made->work_size = (lte_sweep_work(link) + 63) / 64 * 64;
    made->work = aligned_alloc(64, (size_t)made->n_threads * made->work_size + 64);
    if (!made->h || !made->y || !made->g || !made->flag || !made->label || !made->work) {
        engine_free(made);
        return LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
    }
    *engine = made;
    return LTE_OK;
}

static int engine_threads(const lte_engine *engine)
{
    return engine->n_threads;
}

static const char *choices(const lte_engine *engine)
{
    (void)engine;
    return "one matrix a lane, stages fused";
}

/* Four slots for each thread, so that none waits long; a look at signals and the clock between. */
static void sweep_slots(const lte_engine *engine, int *fewest, int *most)
{
    const int four_each = 4 * engine->n_threads;
    *fewest = *most = four_each > MIN_SWEEP_SLOTS ? four_each : MIN_SWEEP_SLOTS;
}

/* This thread's part of the work memory. */
static void *work_of(const lte_engine *engine)
{
    return (char *)engine->work + (size_t)omp_get_thread_num() * engine->work_size;
}

static lte_status sweep_start(lte_engine *engine, lte_noise noise, const int *detectors,
                              int n_detectors, uint64_t first, int n_slots, lte_power *power,
                              lte_errors *errors)
{
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < n_slots; i++)
        engine->stages->sweep_slot(&engine->link, noise, detectors, n_detectors,
                                   first + (uint64_t)i, work_of(engine), &power[i],
                                   &errors[(ptrdiff_t)i * n_detectors]);
    return LTE_OK;
}

static lte_status sweep_wait(lte_engine *engine)
{
    (void)engine;
    return LTE_OK;
}

/* On large pages where the system gives them: a slot reads dozens of planes at once, each on pages
 * of its own. */
static lte_status host_alloc(lte_engine *engine, size_t size, void **memory)
{
    const size_t page = (size_t)2 << 20;
    const size_t rounded = (size + page - 1) / page * page;
    (void)engine;
    *memory = aligned_alloc(page, rounded);
    if (!*memory)
        return LTE_FAIL(LTE_ENOMEM, "no memory: %zu bytes", size);
    (void)madvise(*memory, rounded, MADV_HUGEPAGE); /* a wish: refused, it costs only time */
    return LTE_OK;
}

static void host_free(lte_engine *engine, void *memory)
{
    (void)engine;
    free(memory);
}

/* Memory for the estimates of a tick. */
static lte_status alloc_estimates(lte_engine *engine, size_t n_carriers)
{
    const lte_link *link = &engine->link;
    const size_t planes = (size_t)link->n_rx * (size_t)link->n_tx;
    free(engine->estimates);
    free(engine->residuals);
    free(engine->known);
    engine->estimates = malloc(n_carriers * planes * (size_t)link->n_sc * sizeof(lte_cf32));
    engine->residuals = malloc(n_carriers * sizeof *engine->residuals);
    engine->known = malloc(n_carriers * sizeof *engine->known);
    return engine->estimates && engine->residuals && engine->known
               ? LTE_OK
               : LTE_FAIL(LTE_ENOMEM, "no memory for the estimates of %zu carriers", n_carriers);
}

static lte_status tick_begin(lte_engine *engine, const lte_tick_plan *plan, int n_threads,
                             bool *cached)
{
    engine->plan = *plan;
    engine->tick_threads = n_threads;
    *cached = false;
    return engine->link.pilot < 0 ? LTE_OK : alloc_estimates(engine, (size_t)plan->job.n_carriers);
}

static lte_status tick_end(lte_engine *engine)
{
    (void)engine;
    return LTE_OK;
}

static const lte_slot_memory *memory_of(const lte_engine *engine)
{
    return &engine->plan.job.memory;
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

/* Groups g0 .. g1 - 1 of one of a tick's slots. */
typedef struct {
    int carrier, g0, g1;
} piece;

/* The next piece of groups *unit .. end - 1 of a tick, counted over all of its slots. */
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
    const lte_link *link = &engine->link;
    return &engine->estimates[(ptrdiff_t)carrier * link->n_rx * link->n_tx * link->n_sc];
}

/* Estimates for groups begin .. end - 1 of a tick, by all threads at once. */
static void estimate_tick(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const lte_noise noise = engine->plan.job.noise;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    piece p;
#pragma omp for
    for (int c = 0; c < engine->plan.job.n_carriers; c++)
        engine->residuals[c] = 0;
    for (int64_t unit = begin;
         lte_needs_least_squares(link) && next_piece(engine, &unit, end, &p);) {
        int64_t residual = 0;
        engine->stages->estimate(link, LTE_LS_WEIGHTS, p.g0, p.g1,
                                 pilots_of(engine, first + (uint64_t)p.carrier), stride,
                                 estimates_of(engine, p.carrier), &residual);
#pragma omp atomic
        engine->residuals[p.carrier] += residual;
    }
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < engine->plan.job.n_carriers; c++)
        engine->known[c] = lte_effective_noise(link, noise, engine->residuals[c]);
    for (int64_t unit = begin; next_piece(engine, &unit, end, &p);) {
        const int set = lte_link_weights(link, engine->known[p.carrier].n0);
        if (set != LTE_LS_WEIGHTS)
            engine->stages->estimate(link, set, p.g0, p.g1,
                                     pilots_of(engine, first + (uint64_t)p.carrier), stride,
                                     estimates_of(engine, p.carrier), NULL);
    }
}

static lte_status tick(lte_engine *engine, uint64_t first, double release_s, double *completed_s)
{
    const lte_link *link = &engine->link;
    const lte_tick_plan *plan = &engine->plan;
    lte_wait_until(release_s);
#pragma omp parallel num_threads(engine->tick_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int64_t units = (int64_t)plan->job.n_carriers * link->n_groups;
        int64_t unit = share(units, t, n_threads);
        const int64_t end = share(units, t + 1, n_threads);
        const bool estimate = link->pilot >= 0;
        piece p;
        if (estimate) /* each piece is detected by the thread that estimated it */
            estimate_tick(engine, first, unit, end);
        while (next_piece(engine, &unit, end, &p)) {
            const uint64_t slot = first + (uint64_t)p.carrier;
            engine->stages->slot(link, plan->job.detector,
                                 estimate ? engine->known[p.carrier] : plan->job.noise, p.g0, p.g1,
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
    *noise = engine->plan.job.noise;
    if (engine->link.pilot < 0)
        return lte_slot_memory_h(&engine->link, memory_of(engine), i);
    estimate_tick(engine, i, share(n_groups, t, n_threads), share(n_groups, t + 1, n_threads));
#pragma omp barrier
    *noise = engine->known[0];
    return estimates_of(engine, 0);
}

static lte_status tick_stages(lte_engine *engine, uint64_t i, double *us)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_tick_plan *plan = &engine->plan;
    const lte_cf32 *y = lte_slot_memory_y(link, memory_of(engine), i);
    const bool inverts = lte_detector_rows[plan->job.detector].inverts;
    double at[LTE_N_TIMED + 1];
#pragma omp parallel num_threads(engine->tick_threads)
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
        s->corner_turn(link, g0, g1, h, y, engine->h, engine->y);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_GRAM] = omp_get_wtime();
        if (inverts)
            s->gram(link, plan->job.detector, noise, g0, g1, engine->h, engine->g);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_INVERSION] = omp_get_wtime();
        if (inverts)
            s->invert(link, g0, g1, engine->g, engine->flag);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_DETECTION] = omp_get_wtime();
        s->detect(link, plan->job.detector, noise, g0, g1, engine->h, engine->g, engine->y,
                  engine->label, engine->flag);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_OUT] = omp_get_wtime();
        s->pack(link, g0, g1, engine->label, lte_slot_memory_bits(memory_of(engine), i));
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
    const lte_tick_plan *plan = &engine->plan;
    const lte_cf32 *y = lte_slot_memory_y(link, memory_of(engine), i);
    double start = 0.0, end = 0.0;
#pragma omp parallel num_threads(engine->tick_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)share(n_groups, t, n_threads);
        const int g1 = (int)share(n_groups, t + 1, n_threads);
        lte_noise noise;
        const lte_cf32 *h = receiver_channel(engine, i, &noise);
        s->corner_turn(link, g0, g1, h, y, engine->h, engine->y);
        s->gram(link, plan->job.detector, noise, g0, g1, engine->h, engine->g);
#pragma omp barrier
#pragma omp master
        start = omp_get_wtime();
        s->invert(link, g0, g1, engine->g, engine->flag);
#pragma omp barrier
#pragma omp master
        end = omp_get_wtime();
    }
    return end - start;
}

static lte_status tick_inversion(lte_engine *engine, int n, double *us)
{
    double seconds = 0.0;
    if (!lte_detector_rows[engine->plan.job.detector].inverts) {
        *us = 0.0;
        return LTE_OK;
    }
    const int group = LTE_LANES * engine->link.n_csi; /* matrices of a group */
    for (int left = (n + group - 1) / group; left > 0; left -= engine->link.n_groups) {
        const int n_groups = left < engine->link.n_groups ? left : engine->link.n_groups;
        seconds += invert_groups(engine, engine->inverted++, n_groups);
    }
    *us = 1e6 * seconds;
    return LTE_OK;
}

#define CPU_BACKEND(set, what)                                                                     \
    static int n_devices_##set(void)                                                               \
    {                                                                                              \
        return lte_has_##set() ? 1 : 0;                                                            \
    }                                                                                              \
    const lte_backend lte_backend_cpu_##set = {                                                    \
        .name = "cpu:" #set,                                                                       \
        .text = what,                                                                              \
        .stages = &lte_stages_##set,                                                               \
        .ahead = false,                                                                            \
        .n_placements = 1,                                                                         \
        .n_devices = n_devices_##set,                                                              \
        .describe = describe,                                                                      \
        .create = engine_create,                                                                   \
        .free = engine_free,                                                                       \
        .threads = engine_threads,                                                                 \
        .choices = choices,                                                                        \
        .sweep_slots = sweep_slots,                                                                \
        .sweep_start = sweep_start,                                                                \
        .sweep_wait = sweep_wait,                                                                  \
        .host_alloc = host_alloc,                                                                  \
        .host_free = host_free,                                                                    \
        .tick_begin = tick_begin,                                                                  \
        .tick = tick,                                                                              \
        .tick_end = tick_end,                                                                      \
        .tick_stages = tick_stages,                                                                \
        .tick_inversion = tick_inversion,                                                          \
    };

CPU_BACKEND(ref, "plain loops, any processor")
#ifdef LTE_X86_LEVELS
CPU_BACKEND(v3, "8 lanes, x86-64-v3 (AVX2, FMA)")
CPU_BACKEND(v4, "16 lanes, x86-64-v4 (AVX-512)")
#endif
