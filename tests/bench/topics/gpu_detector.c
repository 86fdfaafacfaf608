/* Topic detector: the 2012 authors' own measure, symbols a second of the whole detector. */
#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "tests/bench/topics/gpu_topics.h"

#include <stdlib.h>
#include <string.h>

enum { N_ANTENNAS = 4, N_CARRIERS = 64, MAX_PERIODS = 301, WARM_UP = 10 };

/* QAM symbols a second, 4x4: Sui, Li, Wang, Wang 2012. */
static const double published = 18e6;

typedef struct {
    const lte_backend *backend;
    lte_link link;
    lte_engine *engine;
    lte_slot_buffer *buffer; /* N_CARRIERS slots */
    lte_slot_plan plan;
    double sample[MAX_PERIODS];
} work;

static void work_fini(work *w)
{
    lte_slot_buffer_free(w->buffer);
    if (w->engine)
        w->backend->free(w->engine);
}

/* In every case w is for work_fini. */
static lte_status work_init(work *w)
{
    const int n = N_ANTENNAS;
    const lte_noise noise = lte_noise_of(n, 100.0); /* 20 dB */
    lte_engine_options options = {0};
    *w = (work){0};
    lte_status status = lte_link_init(&w->link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh,
                                      LTE_INVERTER_gauss_jordan, 1);
    if (!status)
        status = lte_backend_open("cuda", &w->backend, &options.device);
    if (!status)
        status = w->backend->create(w->backend, &w->link, &options, &w->engine);
    if (!status)
        status =
            lte_slot_buffer_create(w->backend, w->engine, &w->link, noise, N_CARRIERS, &w->buffer);
    if (!status)
        status = lte_slot_buffer_make(w->buffer, 0, N_CARRIERS);
    if (status)
        return status;
    w->plan = (lte_slot_plan){.job = {.memory = lte_slot_buffer_memory(w->buffer),
                                      .noise = noise,
                                      .n_carriers = N_CARRIERS},
                              .placement = LTE_PLACEMENT_DEVICE,
                              .n_threads = 1};
    return LTE_OK;
}

/* True if bits hold what the CPU decides about every slot. */
static lte_status compare(const work *w, bool *right)
{
    const lte_stages *stages = lte_stages_best();
    const lte_slot_job *job = &w->plan.job;
    const size_t size = job->memory.out_bytes;
    uint8_t *expected = calloc(1, size);
    void *scratch = lte_stage_work_alloc(&w->link);
    lte_status status = LTE_OK;
    if (!expected || !scratch) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory to compare a slot's bits");
        goto cleanup;
    }
    *right = true;
    for (uint64_t slot = 0; slot < N_CARRIERS; slot++) {
        stages->slot(&w->link, job->detector, job->noise,
                     lte_groups_of(0, w->link.carrier.n_groups, scratch),
                     lte_slot_memory_h(&w->link, &job->memory, slot),
                     lte_slot_memory_y(&w->link, &job->memory, slot), expected);
        *right = *right && memcmp(expected, lte_slot_memory_bits(&job->memory, slot), size) == 0;
    }
cleanup:
    free(expected);
    free(scratch);
    return status;
}

/* n ticks after warm_up others, each timed by the host from its call to its return. */
static lte_status periods(work *w, int warm_up, int n, bool *cached)
{
    lte_slot_setup setup;
    lte_status status = w->backend->slots->begin(w->engine, &w->plan, &setup);
    *cached = setup.cached;
    if (status)
        return status;
    for (int i = -warm_up; i < n && !status; i++) {
        const double release_s = lte_seconds();
        double completed_s = release_s, gap_s = 0.0;
        status = w->backend->slots->run(w->engine, (uint64_t)(i + warm_up) * N_CARRIERS, release_s,
                                        &completed_s, &gap_s);
        if (i >= 0)
            w->sample[i] = 1e6 * (completed_s - release_s);
    }
    const lte_status ended = w->backend->slots->end(w->engine);
    return status ? status : ended;
}

static lte_status add_row(work *w, int n_periods, json_t *rows)
{
    bool right = false, cached = false;
    memset(w->plan.job.memory.bits, 0xff, N_CARRIERS * w->plan.job.memory.out_bytes);
    lte_status status = periods(w, 0, 1, &cached);
    if (!status)
        status = compare(w, &right);
    if (status)
        return status;
    json_t *row = json_pack("{s:s, s:s, s:s, s:i}", "detector",
                            lte_detector_row_of(w->plan.job.detector)->name, "inverter",
                            lte_inverter_rows[w->link.receiver.inverter].name, "state",
                            right ? "timed" : "wrong, not timed", "carriers", N_CARRIERS);
    (void)json_array_append_new(rows, row);
    if (!right)
        return LTE_OK;
    status = periods(w, WARM_UP, n_periods, &cached);
    if (status)
        return status;
    const bench_percentiles us = bench_percentiles_of(w->sample, n_periods);
    const double symbols = (double)N_CARRIERS * LTE_MAX_SC * LTE_SLOT_SYMBOLS * N_ANTENNAS;
    const double rate = symbols / (1e-6 * us.median);
    bench_row_percentiles(row, "us", us);
    bench_row_real(row, "symbols_per_s", rate);
    bench_row_real(row, "published_symbols_per_s", published);
    bench_row_real(row, "over_published", rate / published);
    (void)json_object_set_new(row, "cache", json_string(cached ? "cached" : "beyond the caches"));
    return LTE_OK;
}

lte_status bench_gpu_detector_run(const bench_options *options, json_t *rows)
{
    static const int detectors[] = {LTE_DETECTOR_mmse, LTE_DETECTOR_zf};
    work w;
    lte_status status = work_init(&w);
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors && !status; i++) {
        w.plan.job.detector = lte_detector_usual(detectors[i]);
        status = add_row(&w, options->quick ? 51 : MAX_PERIODS, rows);
    }
    work_fini(&w);
    return status;
}
