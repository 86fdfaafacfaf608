/* Topic slot: planes in host memory to packed bits, and the same by stage. */
#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

enum { N_LINKS = 4, CHUNK = 100, N_DISTINCT = 64 };

static const double budget_us = 500.0;

static const struct {
    int n, inverter;
} links[N_LINKS] = {
    {4, LTE_INVERTER_ldl},
    {4, LTE_INVERTER_gauss_jordan},
    {8, LTE_INVERTER_ldl},
    {8, LTE_INVERTER_gauss_jordan},
};

typedef struct {
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
    double *slot_us;               /* [n_slots] */
    double *stage_us[LTE_N_TIMED]; /* [n_slots] */
    lte_link link;
    lte_noise noise;
    bool right;
} work;

static void work_fini(work *w)
{
    lte_slot_buffer_free(w->buffer);
    if (w->engine)
        w->backend->free(w->engine);
    free(w->slot_us);
    for (int i = 0; i < LTE_N_TIMED; i++)
        free(w->stage_us[i]);
}

/* In every case w is for work_fini. */
static lte_status work_init(int n, int inverter, int n_slots, work *w)
{
    *w = (work){.noise = lte_noise_of(n, 100.0)}; /* 20 dB */
    lte_engine_options options = {.n_threads = 1};
    lte_status status = lte_backend_open("cpu", &w->backend, &options.device);
    if (!status)
        status = lte_link_init(&w->link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh, inverter, 1);
    if (!status)
        status = w->backend->create(w->backend, &w->link, &options, &w->engine);
    if (!status)
        status = lte_slot_buffer_create(w->backend, w->engine, &w->link, w->noise, N_DISTINCT,
                                        &w->buffer);
    if (!status)
        status = lte_slot_buffer_make(w->buffer, 0, N_DISTINCT);
    if (status)
        return status;
    const lte_slot_plan plan = {.n_threads = 1,
                                .job = {lte_slot_buffer_memory(w->buffer), w->noise,
                                        .detector = lte_detector_usual(LTE_DETECTOR_mmse),
                                        .n_carriers = 1}};
    lte_slot_setup setup;
    status = w->backend->slots->begin(w->engine, &plan, &setup);
    if (status)
        return status;
    w->slot_us = malloc((size_t)n_slots * sizeof(double));
    bool enough = w->slot_us != NULL;
    for (int i = 0; i < LTE_N_TIMED; i++) {
        w->stage_us[i] = malloc((size_t)n_slots * sizeof(double));
        enough = enough && w->stage_us[i];
    }
    return enough ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for the times of %d slots", n_slots);
}

/* Every distinct slot counts the errors that the sweep counts, whole and by stages. */
static lte_status check(work *w)
{
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    w->right = true;
    for (uint64_t slot = 0; slot < 2 * (uint64_t)N_DISTINCT; slot++) {
        lte_power power;
        uint32_t errors[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)];
        lte_output_errors found;
        double us[LTE_N_TIMED], completed_s, gap_s = 0.0;
        lte_status status = slot < N_DISTINCT
                                ? w->backend->slots->run(w->engine, slot, 0.0, &completed_s, &gap_s)
                                : w->backend->slots->stages(w->engine, slot, us);
        if (!status)
            status = w->backend->sweep->start(w->engine, w->noise, &detector, 1, slot % N_DISTINCT,
                                              1, &power, errors);
        if (!status)
            status = w->backend->sweep->wait(w->engine);
        if (!status)
            status = lte_slot_buffer_errors(w->buffer, slot, &found);
        if (status)
            return status;
        w->right = w->right && found.bit_errors == lte_bit_errors(w->link.n_tx, errors);
    }
    return LTE_OK;
}

/* Slots first .. first + n - 1, whole or by stages. */
static lte_status chunk(work *w, bool by_stages, int first, int n)
{
    lte_status status = LTE_OK;
    for (int i = first; i < first + n && !status; i++) {
        if (by_stages) {
            double us[LTE_N_TIMED];
            status = w->backend->slots->stages(w->engine, (uint64_t)i, us);
            for (int k = 0; k < LTE_N_TIMED; k++)
                w->stage_us[k][i] = us[k];
        } else {
            const double release_s = lte_seconds();
            double completed_s = release_s, gap_s = 0.0;
            status =
                w->backend->slots->run(w->engine, (uint64_t)i, release_s, &completed_s, &gap_s);
            w->slot_us[i] = 1e6 * (completed_s - release_s);
        }
    }
    return status;
}

static void add_row(work *w, int n_slots, int n_staged, json_t *rows)
{
    char antennas[32], key[64];
    (void)snprintf(antennas, sizeof antennas, "%dx%d", w->link.n_tx, w->link.n_rx);
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "antennas", antennas, "inverter",
                            lte_inverter_rows[w->link.receiver.inverter].name, "code",
                            w->backend->name, "state", w->right ? "timed" : "wrong, not timed");
    (void)json_array_append_new(rows, row);
    if (!w->right)
        return;
    const bench_percentiles us = bench_percentiles_of(w->slot_us, n_slots);
    (void)json_object_set_new(row, "slots", json_integer(n_slots));
    bench_row_real(row, "p50_us", us.median);
    bench_row_real(row, "p99_us", bench_percentile(w->slot_us, n_slots, 0.99));
    bench_row_real(row, "p999_us", bench_percentile(w->slot_us, n_slots, 0.999));
    bench_row_real(row, "max_us", us.max);
    bench_row_real(row, "p50_over_budget", us.median / budget_us);
    for (int i = 0; i < LTE_N_TIMED; i++) {
        (void)snprintf(key, sizeof key, "%s_us", lte_timed_names[i]);
        bench_row_real(row, key, bench_percentiles_of(w->stage_us[i], n_staged).median);
    }
}

static lte_status run(const bench_options *options, json_t *rows)
{
    const int n_slots = options->quick ? 1000 : 20000, n_staged = n_slots / 10;
    work list[N_LINKS] = {{0}};
    lte_status status = LTE_OK;
    for (int i = 0; i < N_LINKS && !status; i++) {
        status = work_init(links[i].n, links[i].inverter, n_slots, &list[i]);
        if (!status)
            status = check(&list[i]);
    }
    for (int first = 0; first < n_slots && !status; first += CHUNK) {
        for (int i = 0; i < N_LINKS && !status; i++) {
            if (!list[i].right)
                continue;
            status = chunk(&list[i], false, first, CHUNK);
            if (!status)
                status = chunk(&list[i], true, first / 10, CHUNK / 10);
        }
    }
    for (int i = 0; i < N_LINKS; i++) {
        if (!status)
            add_row(&list[i], n_slots, n_staged, rows);
        work_fini(&list[i]);
    }
    return status;
}

#define STAGE_COLUMN(id, name) {name, name "_us", BENCH_CELL_REAL},
static const bench_column columns[] = {BENCH_LINK_COLUMNS,
                                       {"code", "code", BENCH_CELL_TEXT},
                                       {"state", "state", BENCH_CELL_TEXT},
                                       BENCH_LATENCY_COLUMNS,
                                       {"p50/budget", "p50_over_budget", BENCH_CELL_REAL},
                                       LTE_TIMED_STAGES(STAGE_COLUMN)};
const bench_topic bench_topic_slot = {
    .name = "slot",
    .group = "cpu",
    .title = "20 MHz slot, 16QAM, MMSE, one core",
    .note = "Planes in host memory to packed bits, back to back over 64 different slots; budget "
            "500 us. Stages in us are medians of unfused passes and need not add up.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
