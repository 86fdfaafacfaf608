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
} bench;

static void bench_fini(bench *b)
{
    lte_slot_buffer_free(b->buffer);
    if (b->engine)
        b->backend->free(b->engine);
    free(b->slot_us);
    for (int i = 0; i < LTE_N_TIMED; i++)
        free(b->stage_us[i]);
}

/* In every case b is for bench_fini. */
static lte_status bench_init(int n, int inverter, int n_slots, bench *b)
{
    *b = (bench){.noise = lte_noise_of(n, 100.0)}; /* 20 dB */
    lte_engine_options options = {.n_threads = 1};
    lte_status status = lte_backend_open("cpu", &b->backend, &options.device);
    if (!status)
        status = lte_link_init(&b->link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh, inverter, 1);
    if (!status)
        status = b->backend->create(b->backend, &b->link, &options, &b->engine);
    if (!status)
        status = lte_slot_buffer_create(b->backend, b->engine, &b->link, b->noise, N_DISTINCT,
                                        &b->buffer);
    if (status)
        return status;
    const lte_slot_plan plan = {
        .n_threads = 1, .job = {lte_slot_buffer_memory(b->buffer), b->noise, LTE_DETECTOR_mmse, 1}};
    lte_slot_setup setup;
    status = b->backend->slots->begin(b->engine, &plan, &setup);
    if (status)
        return status;
    b->slot_us = malloc((size_t)n_slots * sizeof(double));
    bool enough = b->slot_us != NULL;
    for (int i = 0; i < LTE_N_TIMED; i++) {
        b->stage_us[i] = malloc((size_t)n_slots * sizeof(double));
        enough = enough && b->stage_us[i];
    }
    return enough ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for the times of %d slots", n_slots);
}

/* Every distinct slot counts the errors that the sweep counts, whole and by stages. */
static lte_status check(bench *b)
{
    const int detector = LTE_DETECTOR_mmse;
    b->right = true;
    for (uint64_t slot = 0; slot < 2 * (uint64_t)N_DISTINCT; slot++) {
        lte_power power;
        lte_errors errors;
        uint64_t expected = 0, found = 0;
        double us[LTE_N_TIMED], completed_s;
        lte_status status = slot < N_DISTINCT
                                ? b->backend->slots->run(b->engine, slot, 0.0, &completed_s)
                                : b->backend->slots->stages(b->engine, slot, us);
        if (!status)
            status = b->backend->sweep->start(b->engine, b->noise, &detector, 1, slot % N_DISTINCT,
                                              1, &power, &errors);
        if (!status)
            status = b->backend->sweep->wait(b->engine);
        if (!status)
            status = lte_slot_buffer_errors(b->buffer, slot, &found);
        if (status)
            return status;
        for (int k = 0; k < b->link.n_tx; k++)
            expected += errors.bit_errors[k];
        b->right = b->right && found == expected;
    }
    return LTE_OK;
}

/* Slots first .. first + n - 1, whole or by stages. */
static lte_status chunk(bench *b, bool by_stages, int first, int n)
{
    lte_status status = LTE_OK;
    for (int i = first; i < first + n && !status; i++) {
        if (by_stages) {
            double us[LTE_N_TIMED];
            status = b->backend->slots->stages(b->engine, (uint64_t)i, us);
            for (int k = 0; k < LTE_N_TIMED; k++)
                b->stage_us[k][i] = us[k];
        } else {
            const double release_s = lte_seconds();
            double completed_s = release_s;
            status = b->backend->slots->run(b->engine, (uint64_t)i, release_s, &completed_s);
            b->slot_us[i] = 1e6 * (completed_s - release_s);
        }
    }
    return status;
}

static void add_row(bench *b, int n_slots, int n_staged, json_t *rows)
{
    char antennas[32], key[64];
    (void)snprintf(antennas, sizeof antennas, "%dx%d", b->link.n_tx, b->link.n_rx);
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:b}", "antennas", antennas, "inverter",
                            lte_inverter_names[b->link.inverter].name, "code", b->backend->name,
                            "state", b->right ? "timed" : "wrong, not timed", "readme", 1);
    (void)json_array_append_new(rows, row);
    if (!b->right)
        return;
    const bench_spread us = bench_spread_of(b->slot_us, n_slots);
    (void)json_object_set_new(row, "slots", json_integer(n_slots));
    lte_row_real(row, "p50_us", us.median);
    lte_row_real(row, "p99_us", lte_percentile(b->slot_us, n_slots, 0.99));
    lte_row_real(row, "p999_us", lte_percentile(b->slot_us, n_slots, 0.999));
    lte_row_real(row, "max_us", us.max);
    lte_row_real(row, "p50_over_budget", us.median / budget_us);
    if (b->link.n_tx == 4)
        lte_row_goal(row, us.median / budget_us, 0.5, 0.2, false);
    for (int i = 0; i < LTE_N_TIMED; i++) {
        (void)snprintf(key, sizeof key, "%s_us", lte_timed_names[i]);
        lte_row_real(row, key, bench_spread_of(b->stage_us[i], n_staged).median);
    }
}

static lte_status run(const lte_bench_options *options, json_t *rows)
{
    const int n_slots = options->quick ? 2000 : 20000, n_staged = n_slots / 10;
    bench list[N_LINKS] = {{0}};
    lte_status status = LTE_OK;
    for (int i = 0; i < N_LINKS && !status; i++) {
        status = bench_init(links[i].n, links[i].inverter, n_slots, &list[i]);
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
        bench_fini(&list[i]);
    }
    return status;
}

#define STAGE_COLUMN(id, name) {name, name "_us", LTE_CELL_REAL},
static const lte_column columns[] = {{"antennas", "antennas", LTE_CELL_TEXT},
                                     {"inverter", "inverter", LTE_CELL_TEXT},
                                     {"code", "code", LTE_CELL_TEXT},
                                     {"state", "state", LTE_CELL_TEXT},
                                     {"p50 us", "p50_us", LTE_CELL_REAL},
                                     {"p99", "p99_us", LTE_CELL_REAL},
                                     {"p99.9", "p999_us", LTE_CELL_REAL},
                                     {"max", "max_us", LTE_CELL_REAL},
                                     {"p50/budget", "p50_over_budget", LTE_CELL_REAL},
                                     {"required", "required", LTE_CELL_REAL},
                                     {"goal", "goal", LTE_CELL_REAL},
                                     {"reached", "reached", LTE_CELL_TEXT},
                                     LTE_TIMED_STAGES(STAGE_COLUMN)};
static const lte_column readme[] = {
    {"antennas", "antennas", LTE_CELL_TEXT},
    {"inverter", "inverter", LTE_CELL_TEXT},
    {"code", "code", LTE_CELL_TEXT},
    {"p50 us", "p50_us", LTE_CELL_REAL},
    {"p99", "p99_us", LTE_CELL_REAL},
    {"p99.9", "p999_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"p50 / budget", "p50_over_budget", LTE_CELL_REAL},
    {"required, at most", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
    {"corner turn", "corner_turn_us", LTE_CELL_REAL},
    {"Gram", "gram_us", LTE_CELL_REAL},
    {"inversion", "inversion_us", LTE_CELL_REAL},
    {"detection", "detection_us", LTE_CELL_REAL},
    {"packing", "copy_out_us", LTE_CELL_REAL},
};

const lte_topic lte_topic_slot = {
    .name = "slot",
    .block = "cpu",
    .title = "20 MHz slot, 16QAM, MMSE, one core",
    .note = "Planes in host memory to packed bits, back to back over 64 different slots; budget "
            "500 us. Stages in us are medians of unfused passes and need not add up.",
    .print = {columns, sizeof columns / sizeof *columns},
    .readme = {readme, sizeof readme / sizeof *readme},
    .run = run,
};
