#include "kernels/backend_cpu.h"

#include <omp.h>
#include <stdlib.h>

struct lte_engine {
    const lte_stages *stages;
    lte_link link;
    int n_threads;
    int tick_threads; /* of them for ticks */
    /* batches of one slot, for tick_stages */
    float *h, *y, *g;
    uint8_t *flag;
    uint32_t *label;
};

static void engine_free(lte_engine *engine)
{
    if (!engine)
        return;
    free(engine->h);
    free(engine->y);
    free(engine->g);
    free(engine->flag);
    free(engine->label);
    free(engine);
}

static lte_status engine_create(const lte_backend *self, const lte_link *link, int n_threads,
                                lte_engine **engine)
{
    const size_t lanes = (size_t)link->n_groups * LTE_LANES;
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx;
    const size_t pair = 2 * sizeof(float);
    *engine = NULL;
    lte_engine *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an engine");
    made->stages = self->stages;
    made->link = *link;
    made->n_threads = n_threads > 0 ? n_threads : omp_get_num_procs();
    made->tick_threads = made->n_threads;
    made->h = aligned_alloc(64, lanes * n_rx * n_tx * pair);
    made->y = aligned_alloc(64, lanes * n_rx * LTE_SLOT_SYMBOLS * pair);
    made->g = aligned_alloc(64, lanes * n_tx * n_tx * pair);
    made->flag = malloc(lanes);
    made->label = aligned_alloc(64, lanes * n_tx * LTE_SLOT_SYMBOLS * sizeof(uint32_t));
    if (!made->h || !made->y || !made->g || !made->flag || !made->label) {
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

static void limit_tick(lte_engine *engine, int n_threads)
{
    engine->tick_threads = n_threads;
}

static lte_status sweep(lte_engine *engine, lte_noise noise, const int *detectors, int n_detectors,
                        uint64_t first, int n_slots, lte_power *power, lte_errors *errors)
{
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < n_slots; i++)
        engine->stages->sweep_slot(&engine->link, noise, detectors, n_detectors,
                                   first + (uint64_t)i, &power[i],
                                   &errors[(ptrdiff_t)i * n_detectors]);
    return LTE_OK;
}

/* Thread t of n_threads takes units t n / n_threads .. (t + 1) n / n_threads - 1. */
static int64_t share(int64_t n, int t, int n_threads)
{
    return n * t / n_threads;
}

static lte_status tick(lte_engine *engine, int detector, lte_noise noise, const lte_slot_io *io,
                       int n)
{
    const lte_link *link = &engine->link;
    const int n_groups = link->n_groups;
#pragma omp parallel num_threads(engine->tick_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int64_t units = (int64_t)n * n_groups;
        int64_t unit = share(units, t, n_threads);
        const int64_t end = share(units, t + 1, n_threads);
        while (unit < end) {
            const int slot = (int)(unit / n_groups), g0 = (int)(unit % n_groups);
            const int64_t left = end - unit;
            const int g1 = left < n_groups - g0 ? g0 + (int)left : n_groups;
            engine->stages->slot(link, detector, noise, g0, g1, io[slot].h, io[slot].y,
                                 io[slot].bits);
            unit += g1 - g0;
        }
    }
    return LTE_OK;
}

static lte_status tick_stages(lte_engine *engine, int detector, lte_noise noise,
                              const lte_slot_io *io, double *us)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    double at[LTE_N_TIMED + 1];
#pragma omp parallel num_threads(engine->tick_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)share(link->n_groups, t, n_threads);
        const int g1 = (int)share(link->n_groups, t + 1, n_threads);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_IN] = at[LTE_TIMED_CORNER_TURN] = omp_get_wtime();
        s->turn(link, g0, g1, io->h, io->y, engine->h, engine->y);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_GRAM] = omp_get_wtime();
        s->gram(link, detector, noise, g0, g1, engine->h, engine->g);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_INVERSION] = omp_get_wtime();
        s->invert(link, g0, g1, engine->g, engine->flag);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_DETECTION] = omp_get_wtime();
        s->detect(link, detector, noise, g0, g1, engine->h, engine->g, engine->y, engine->label);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_OUT] = omp_get_wtime();
        s->pack(link, g0, g1, engine->label, io->bits);
#pragma omp barrier
#pragma omp master
        at[LTE_N_TIMED] = omp_get_wtime();
    }
    for (int i = 0; i < LTE_N_TIMED; i++)
        us[i] = 1e6 * (at[i + 1] - at[i]);
    return LTE_OK;
}

#define CPU_BACKEND(set, what)                                                                     \
    extern const lte_stages lte_stages_##set;                                                      \
    bool lte_usable_##set(void);                                                                   \
    const lte_backend lte_backend_cpu_##set = {                                                    \
        .name = "cpu:" #set,                                                                       \
        .text = what,                                                                              \
        .stages = &lte_stages_##set,                                                               \
        .usable = lte_usable_##set,                                                                \
        .create = engine_create,                                                                   \
        .free = engine_free,                                                                       \
        .threads = engine_threads,                                                                 \
        .limit_tick = limit_tick,                                                                  \
        .sweep = sweep,                                                                            \
        .tick = tick,                                                                              \
        .tick_stages = tick_stages,                                                                \
    };

CPU_BACKEND(ref, "plain loops, any processor")
#ifdef LTE_X86_LEVELS
CPU_BACKEND(v3, "8 lanes, x86-64-v3 (AVX2, FMA)")
CPU_BACKEND(v4, "16 lanes, x86-64-v4 (AVX-512)")
#endif
