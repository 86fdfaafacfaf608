/* Topic detector: the 2012 authors' own measure, symbols a second of the whole detector. */
#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "tests/bench/race_topics.h"

#include <stdlib.h>
#include <string.h>

enum { N_ANTENNAS = 4, N_CARRIERS = 64, MAX_PERIODS = 301, WARM_UP = 10 };

/* QAM symbols a second, 4x4 (methods.md M1's detector). */
static const double published = 18e6;

typedef struct {
    const lte_backend *backend;
    lte_link link;
    lte_engine *engine;
    lte_slot_plan plan;
    lte_cf32 *h;                      /* [N_CARRIERS][n_rx][n_tx][n_sc] */
    lte_cf32 *y;                      /* [N_CARRIERS][n_rx][7][n_sc] */
    uint8_t *bits;                    /* [N_CARRIERS][7][row bytes] */
    size_t h_size, y_size, bits_size; /* elements or bytes of a slot */
    double sample[MAX_PERIODS];
} bench;

/* All slots' planes, by the CPU's stages. */
static lte_status fill(bench *b)
{
    const lte_stages *stages = lte_stages_best();
    const lte_link *link = &b->link;
    float *h = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_H));
    float *y = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_Y));
    uint32_t *label = aligned_alloc(64, lte_batch_bytes(link, LTE_BATCH_LABEL));
    lte_status status = LTE_OK;
    if (!h || !y || !label)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
    for (size_t slot = 0; slot < N_CARRIERS && !status; slot++) {
        lte_power power = {0, 0};
        stages->source(link, slot, 0, link->n_groups, label);
        stages->channel(link, slot, 0, link->n_groups, h);
        stages->receive(link, slot, b->plan.job.noise, 0, link->n_groups, h, label, y, &power);
        lte_planes_of(link, h, link->n_h, link->n_rx * link->n_tx, &b->h[slot * b->h_size]);
        lte_planes_of(link, y, LTE_SLOT_SYMBOLS, link->n_rx, &b->y[slot * b->y_size]);
    }
    free(h);
    free(y);
    free(label);
    return status;
}

static void bench_fini(bench *b)
{
    if (b->engine) {
        if (b->h)
            b->backend->host_free(b->engine, b->h);
        if (b->y)
            b->backend->host_free(b->engine, b->y);
        if (b->bits)
            b->backend->host_free(b->engine, b->bits);
        b->backend->free(b->engine);
    }
}

/* In every case b is for bench_fini. */
static lte_status bench_init(bench *b)
{
    const int n = N_ANTENNAS;
    lte_engine_options options = {0};
    void *h = NULL, *y = NULL, *bits = NULL;
    *b = (bench){0};
    lte_status status = lte_link_init(&b->link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh,
                                      LTE_INVERTER_gauss_jordan, 1);
    if (!status)
        status = lte_backend_open("cuda", &b->backend, &options.device);
    if (!status)
        status = b->backend->create(b->backend, &b->link, &options, &b->engine);
    if (status)
        return status;
    b->h_size = (size_t)n * (size_t)n * (size_t)b->link.n_sc;
    b->y_size = (size_t)n * LTE_SLOT_SYMBOLS * (size_t)b->link.n_sc;
    b->bits_size = LTE_SLOT_SYMBOLS * lte_packed_row(&b->link);
    status = b->backend->host_alloc(b->engine, N_CARRIERS * b->h_size * sizeof *b->h, &h);
    if (!status)
        status = b->backend->host_alloc(b->engine, N_CARRIERS * b->y_size * sizeof *b->y, &y);
    if (!status)
        status = b->backend->host_alloc(b->engine, N_CARRIERS * b->bits_size, &bits);
    b->h = h;
    b->y = y;
    b->bits = bits;
    b->plan = (lte_slot_plan){.job = {.memory = {h, y, bits, N_CARRIERS, N_CARRIERS, N_CARRIERS,
                                                 lte_packed_row(&b->link)},
                                      .noise = lte_noise_of(n, 100.0),
                                      /* 20 dB */ .n_carriers = N_CARRIERS},
                              .placement = LTE_PLACEMENT_DEVICE};
    return status ? status : fill(b);
}

/* True if bits hold what the CPU decides about every slot. */
static lte_status compare(const bench *b, bool *right)
{
    const lte_stages *stages = lte_stages_best();
    uint8_t *expected = calloc(1, b->bits_size);
    if (!expected)
        return LTE_FAIL(LTE_ENOMEM, "no memory to compare a slot's bits");
    *right = true;
    for (size_t slot = 0; slot < N_CARRIERS; slot++) {
        stages->slot(&b->link, b->plan.job.detector, b->plan.job.noise, 0, b->link.n_groups,
                     &b->h[slot * b->h_size], &b->y[slot * b->y_size], expected);
        *right = *right && memcmp(expected, &b->bits[slot * b->bits_size], b->bits_size) == 0;
    }
    free(expected);
    return LTE_OK;
}

/* n periods after warm_up others, each timed by the host from its call to its return. */
static lte_status periods(bench *b, int warm_up, int n, lte_slot_setup *setup)
{
    lte_status status = b->backend->slots->begin(b->engine, &b->plan, setup);
    if (status)
        return status;
    for (int i = -warm_up; i < n && !status; i++) {
        const double release_s = lte_seconds();
        double completed_s = release_s;
        status = b->backend->slots->run(b->engine, (uint64_t)(i + warm_up) * N_CARRIERS, release_s,
                                        &completed_s);
        if (i >= 0)
            b->sample[i] = 1e6 * (completed_s - release_s);
    }
    const lte_status ended = b->backend->slots->end(b->engine);
    return status ? status : ended;
}

static lte_status add_row(bench *b, int n_periods, json_t *rows)
{
    bool right = false;
    lte_slot_setup setup;
    memset(b->bits, 0xff, N_CARRIERS * b->bits_size);
    lte_status status = periods(b, 0, 1, &setup);
    if (!status)
        status = compare(b, &right);
    if (status)
        return status;
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:i, s:b}", "detector", lte_detector_names[b->plan.job.detector].name,
        "inverter", lte_inverter_names[b->link.inverter].name, "state",
        right ? "timed" : "wrong, not timed", "carriers", N_CARRIERS, "readme", 1);
    (void)json_array_append_new(rows, row);
    if (!right)
        return LTE_OK;
    status = periods(b, WARM_UP, n_periods, &setup);
    if (status)
        return status;
    const bench_spread us = bench_spread_of(b->sample, n_periods);
    const double symbols = (double)N_CARRIERS * LTE_MAX_SC * LTE_SLOT_SYMBOLS * N_ANTENNAS;
    const double rate = symbols / (1e-6 * us.median);
    bench_row_spread(row, "us", us);
    lte_row_real(row, "symbols_per_s", rate);
    lte_row_real(row, "published_symbols_per_s", published);
    lte_row_real(row, "over_published", rate / published);
    (void)json_object_set_new(row, "cache",
                              json_string(setup.cached ? "cached" : "beyond the caches"));
    return LTE_OK;
}

lte_status lte_race_detector_run(const lte_bench_options *options, json_t *rows)
{
    static const int detectors[] = {LTE_DETECTOR_mmse, LTE_DETECTOR_zf};
    bench b;
    lte_status status = bench_init(&b);
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors && !status; i++) {
        b.plan.job.detector = detectors[i];
        status = add_row(&b, options->quick ? 51 : MAX_PERIODS, rows);
    }
    bench_fini(&b);
    return status;
}
