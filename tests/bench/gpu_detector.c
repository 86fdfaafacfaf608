/* Topic detector: the 2012 authors' own measure, symbols a second of the whole detector. */
#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "tests/bench/gpu_topics.h"

#include <stdlib.h>
#include <string.h>

enum { N_ANTENNAS = 4, N_CARRIERS = 64, MAX_TICKS = 301, WARM_UP = 10 };

/* QAM symbols a second, 4x4: Sui, Li, Wang, Wang 2012. */
static const double published = 18e6;

typedef struct {
    const lte_backend *backend;
    lte_link link;
    lte_engine *engine;
    lte_slot_buffer *buffer; /* N_CARRIERS slots */
    lte_tick_plan plan;
    double sample[MAX_TICKS];
} work;

static size_t bits_size(const work *w)
{
    return LTE_SLOT_SYMBOLS * lte_packed_row(&w->link);
}

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
    if (status)
        return status;
    w->plan = (lte_tick_plan){.slots = lte_slot_buffer_slots(w->buffer),
                              .placement = LTE_PLACEMENT_DEVICE,
                              .noise = noise,
                              .n_carriers = N_CARRIERS};
    return LTE_OK;
}

/* True if bits hold what the CPU decides about every slot. */
static lte_status compare(const work *w, bool *right)
{
    const lte_stages *stages = lte_stages_best();
    const lte_slots *slots = &w->plan.slots;
    const size_t h_size = lte_planes_size(&w->link), size = bits_size(w);
    const size_t y_size = (size_t)w->link.n_rx * LTE_SLOT_SYMBOLS * (size_t)w->link.n_sc;
    uint8_t *expected = calloc(1, size);
    if (!expected)
        return LTE_FAIL(LTE_ENOMEM, "no memory to compare a slot's bits");
    *right = true;
    for (size_t slot = 0; slot < N_CARRIERS; slot++) {
        stages->slot(&w->link, w->plan.detector, w->plan.noise, 0, w->link.n_groups,
                     &slots->h[slot * h_size], &slots->y[slot * y_size], expected);
        *right = *right && memcmp(expected, &slots->bits[slot * size], size) == 0;
    }
    free(expected);
    return LTE_OK;
}

/* n ticks after warm_up others, each timed by the host from its call to its return. */
static lte_status ticks(work *w, int warm_up, int n, bool *cached)
{
    lte_status status = w->backend->tick_begin(w->engine, &w->plan, 1, cached);
    if (status)
        return status;
    for (int i = -warm_up; i < n && !status; i++) {
        const double release_s = lte_seconds();
        double completed_s = release_s;
        status = w->backend->tick(w->engine, (uint64_t)(i + warm_up) * N_CARRIERS, release_s,
                                  &completed_s);
        if (i >= 0)
            w->sample[i] = 1e6 * (completed_s - release_s);
    }
    const lte_status ended = w->backend->tick_end(w->engine);
    return status ? status : ended;
}

static lte_status add_row(work *w, int n_ticks, json_t *rows)
{
    bool right = false, cached = false;
    memset(w->plan.slots.bits, 0xff, N_CARRIERS * bits_size(w));
    lte_status status = ticks(w, 0, 1, &cached);
    if (!status)
        status = compare(w, &right);
    if (status)
        return status;
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:i, s:b}", "detector", lte_detector_rows[w->plan.detector].name,
                  "inverter", lte_inverter_rows[w->link.inverter].name, "state",
                  right ? "timed" : "wrong, not timed", "carriers", N_CARRIERS, "readme", 1);
    (void)json_array_append_new(rows, row);
    if (!right)
        return LTE_OK;
    status = ticks(w, WARM_UP, n_ticks, &cached);
    if (status)
        return status;
    const bench_percentiles us = bench_percentiles_of(w->sample, n_ticks);
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
        w.plan.detector = detectors[i];
        status = add_row(&w, options->quick ? 51 : MAX_TICKS, rows);
    }
    work_fini(&w);
    return status;
}
