/*
 * Topic gpu-massive: paced 20 MHz slots of large arrays on the device, and the carriers it holds.
 */
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/topics/gpu_topics.h"

#include <string.h>

enum { N_BITS = 4, FEW_SLOTS = 16, TIMED_SLOTS = 2000, N_PLACEMENTS = 2 };

static const struct {
    int n_rx, n_tx;
    double snr_db;
} arrays[] = {{64, 8, 9.0}, {64, 16, 12.0}, {128, 32, 12.0}};

static lte_status run_program(const bench_program *program, size_t i, const char *backend,
                              int n_slots, json_t **json)
{
    double seconds;
    bench_program_call call = {.scenario = "massive", .backend = backend, .job = "deadline"};
    bench_program_set(&call, "antennas.tx=%d", arrays[i].n_tx);
    bench_program_set(&call, "antennas.rx=%d", arrays[i].n_rx);
    bench_program_set(&call, "deadline.snr_db=%.1f", arrays[i].snr_db);
    bench_program_set(&call, "deadline.distinct=%d", FEW_SLOTS);
    bench_program_set(&call, "deadline.slots=%d", n_slots);
    if (strcmp(backend, "cpu") == 0) /* wanted for its errors: nothing fits, none are searched */
        bench_program_set(&call, "deadline.budget_us=1.0");
    return bench_program_run(program, &call, &seconds, json);
}

static json_t *new_row(size_t i, const char *placement, bool right, json_t *rows)
{
    char antennas[16];
    (void)snprintf(antennas, sizeof antennas, "%dx%d", arrays[i].n_rx, arrays[i].n_tx);
    json_t *row = json_pack("{s:s, s:s, s:s}", "antennas", antennas, "placement", placement,
                            "state", right ? "timed" : "wrong, not timed");
    (void)json_array_append_new(rows, row);
    return row;
}

/* Rows of one array from run.json's deadline of the CPU and of the device. */
static void add_rows(size_t i, const json_t *expected, const json_t *host,
                     const bench_gpu_ceilings *ceilings, json_t *rows)
{
    static const char *const names[N_PLACEMENTS] = {"host-fed", "device-resident"};
    const double rates[N_PLACEMENTS] = {ceilings->bus_bytes_per_s, ceilings->memory_bytes_per_s};
    const json_t *const placed[N_PLACEMENTS] = {host, json_object_get(host, "device")};
    for (int p = 0; p < N_PLACEMENTS; p++) {
        const bool right = bench_run_same_errors(placed[p], expected);
        const double carriers = bench_run_number(placed[p], "capacity_carriers");
        json_t *row = new_row(i, names[p], right, rows);
        if (!right)
            continue;
        bench_run_latencies(placed[p], row);
        (void)json_object_set(row, "missed", json_object_get(placed[p], "missed"));
        (void)json_object_set(row, "bit_errors", json_object_get(placed[p], "bit_errors"));
        bench_row_real(row, "moved_us",
                       bench_run_moved_us(arrays[i].n_rx, arrays[i].n_tx, N_BITS, rates[p]));
        bench_row_real(row, "carriers", carriers);
    }
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_gpu_ceilings ceilings;
    bench_program program;
    lte_status status = bench_program_init(&program, options->program);
    if (!status)
        status = bench_gpu_ceilings_measure(&ceilings);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; i++) {
        json_t *cpu = NULL, *json = NULL;
        status = run_program(&program, i, "cpu", FEW_SLOTS, &cpu);
        if (!status)
            status =
                run_program(&program, i, "cuda", TIMED_SLOTS / (options->quick ? 10 : 1), &json);
        if (!status)
            add_rows(i, json_object_get(cpu, "deadline"), json_object_get(json, "deadline"),
                     &ceilings, rows);
        json_decref(cpu);
        json_decref(json);
    }
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    {"antennas", "antennas", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"slots lie", "placement", BENCH_CELL_TEXT},
    {"slots", "slots", BENCH_CELL_COUNT},
    BENCH_LATENCY_COLUMNS,
    {"missed", "missed", BENCH_CELL_COUNT},
    {"its bytes us", "moved_us", BENCH_CELL_REAL},
    {"carriers", "carriers", BENCH_CELL_COUNT},
};

const bench_topic bench_topic_gpu_massive = {
    .name = "gpu-massive",
    .group = "cuda",
    .title = "Massive MIMO on the GPU, 20 MHz, 16QAM, MMSE, cholesky-delayed",
    .note = "One slot every 0.5 ms, planes to packed bits, as ltesim --only deadline times them, "
            "once the errors of 16 slots are the CPU's; beside them the slot's bytes, planes in "
            "and bits out, at the rate of large copies, over the bus or within the device, where "
            "a copy's bytes are read and written. Carriers are as many slots per 0.5 ms as the "
            "search finds to be 99.9 % on time, in 1000 periods a trial. "
            "A latency beyond the 500 us is that of a queue.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
