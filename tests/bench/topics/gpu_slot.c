/* Topic gpu-slot: paced 20 MHz slots of the whole program on the device, and their floors. */
#include "kernels/link/link.h"
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/topics/gpu_topics.h"

#include <math.h>
#include <string.h>

enum { N_LINKS = 4, N_BITS = 4, N_DISTINCT = 64, HOST_FED = 0, RESIDENT = 1, N_PLACEMENTS = 2 };

static const struct {
    int n;
    const char *inverter;
} links[N_LINKS] = {
    {4, "ldl"},
    {4, "gauss-jordan"},
    {8, "ldl"},
    {8, "gauss-jordan"}, /* ldl goes before, as what it is held to */
};

/* What every row of a link shares. */
typedef struct {
    int n;
    const char *inverter;
    const bench_gpu_ceilings *ceilings;
    double *ldl_p999_us; /* [N_PLACEMENTS] of this n */
    bool right;
    json_t *rows;
} link_rows;

static json_t *new_row(const link_rows *w, int placement)
{
    char antennas[16];
    (void)snprintf(antennas, sizeof antennas, "%dx%d", w->n, w->n);
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "antennas", antennas, "inverter", w->inverter,
                            "state", w->right ? "timed" : "wrong, not timed", "placement",
                            placement == RESIDENT ? "device-resident" : "host-fed");
    (void)json_array_append_new(w->rows, row);
    return row;
}

/* The times that moving a slot's planes in and its bits out takes at least. */
static void add_floors(const link_rows *w, int placement, json_t *row)
{
    bench_row_real(row, "launch_us", w->ceilings->launch_us);
    bench_row_real(row, "moved_us",
                   bench_run_moved_us(w->n, w->n, N_BITS,
                                      placement == RESIDENT ? w->ceilings->memory_bytes_per_s
                                                            : w->ceilings->bus_bytes_per_s));
}

static void add_carriers(const json_t *run, json_t *row)
{
    char text[32];
    const double carriers = bench_run_number(run, "capacity_carriers");
    const bool bounded = json_is_true(json_object_get(run, "capacity_bounded"));
    if (!isfinite(carriers))
        return;
    (void)snprintf(text, sizeof text, "%s%.0f", bounded ? ">= " : "", carriers);
    bench_row_real(row, "carriers", carriers);
    (void)json_object_set_new(row, "carriers_held", json_string(text));
}

/* A placement's run, as run.json has it; alone: its inversions by themselves. */
static void add_rows(const link_rows *w, int placement, const json_t *run, const json_t *alone)
{
    const bool ldl = strcmp(w->inverter, "ldl") == 0;
    const double p999_us = bench_run_number(run, "p999_us");
    json_t *row = new_row(w, placement);
    if (ldl)
        w->ldl_p999_us[placement] = w->right ? p999_us : (double)NAN;
    if (!w->right)
        return;
    bench_run_latencies(run, row);
    (void)json_object_set(row, "missed", json_object_get(run, "missed"));
    (void)json_object_set(row, "bit_errors", json_object_get(run, "bit_errors"));
    bench_row_real(row, "inversion_alone_p50_us", bench_run_number(alone, "p50_us"));
    add_floors(w, placement, row);
    if (!ldl)
        bench_row_real(row, "over_ldl", p999_us / w->ldl_p999_us[placement]);
    add_carriers(run, row);
}

static lte_status run_program(const bench_program *program, int i, const char *backend, int n_slots,
                              json_t **json)
{
    bench_program_call call = {.scenario = "detection", .backend = backend, .job = "deadline"};
    double seconds;
    bench_program_set(&call, "antennas.tx=%d", links[i].n);
    bench_program_set(&call, "antennas.rx=%d", links[i].n);
    bench_program_set(&call, "inverter=%s", links[i].inverter);
    bench_program_set(&call, "deadline.distinct=%d", N_DISTINCT);
    bench_program_set(&call, "deadline.slots=%d", n_slots);
    bench_program_set(&call, "deadline.on_time=0.9999");
    if (strcmp(backend, "cpu") == 0) /* wanted for its errors: nothing fits, none are searched */
        bench_program_set(&call, "deadline.budget_us=1.0");
    return bench_program_run(program, &call, &seconds, json);
}

/* The CPU's run for its errors, then the device's. */
static lte_status run_link(const bench_program *program, int i, int n_slots, link_rows *w)
{
    json_t *cpu = NULL, *json = NULL;
    lte_status status = run_program(program, i, "cpu", N_DISTINCT, &cpu);
    if (!status)
        status = run_program(program, i, "cuda", n_slots, &json);
    if (status) {
        json_decref(cpu);
        return status;
    }
    const json_t *expected = json_object_get(cpu, "deadline");
    const json_t *host = json_object_get(json, "deadline");
    const json_t *device = json_object_get(host, "device");
    const json_t *alone = json_object_get(host, "inversion_alone");
    w->right = bench_run_same_errors(host, expected) && bench_run_same_errors(device, expected);
    if (json_is_object(host) && json_is_object(device)) {
        add_rows(w, HOST_FED, host, json_object_get(alone, "host"));
        add_rows(w, RESIDENT, device, json_object_get(alone, "device"));
    } else {
        status = LTE_FAIL(LTE_EIO, "%s: its run.json has no slots on the device", program->path);
    }
    json_decref(cpu);
    json_decref(json);
    return status;
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_gpu_ceilings ceilings;
    bench_program program;
    double ldl_p999_us[N_PLACEMENTS];
    lte_status status = bench_program_init(&program, options->program);
    if (!status)
        status = bench_gpu_ceilings_measure(&ceilings);
    for (int i = 0; i < N_LINKS && !status; i++) {
        link_rows w = {links[i].n, links[i].inverter, &ceilings, ldl_p999_us, false, rows};
        status = run_link(&program, i, options->quick ? 2000 : 20000, &w);
    }
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    BENCH_LINK_COLUMNS,
    {"state", "state", BENCH_CELL_TEXT},
    {"slots lie", "placement", BENCH_CELL_TEXT},
    {"slots", "slots", BENCH_CELL_COUNT},
    BENCH_LATENCY_COLUMNS,
    {"missed", "missed", BENCH_CELL_COUNT},
    {"inversion alone p50 us", "inversion_alone_p50_us", BENCH_CELL_REAL},
    {"empty kernel us", "launch_us", BENCH_CELL_REAL},
    {"its bytes us", "moved_us", BENCH_CELL_REAL},
    {"p99.9 / ldl's", "over_ldl", BENCH_CELL_REAL},
    {"carriers", "carriers_held", BENCH_CELL_TEXT},
};

const bench_topic bench_topic_gpu_slot = {
    .name = "gpu-slot",
    .group = "cuda",
    .title = "20 MHz slots on the GPU, paced, 20,000 of them",
    .note = "16QAM, MMSE, one slot every 0.5 ms, planes to packed bits, as ltesim --only deadline "
            "times "
            "them, once the errors of 64 slots are the CPU's: host-fed from and to host memory, "
            "device-resident within the device's. "
            "Beside them two floors measured in the same run: an empty kernel launched and waited "
            "for, p50, and the slot's bytes, planes in and bits out, at the rate of large copies: "
            "host-fed from page-locked memory over the bus, device-resident within the device, "
            "read and write counted. Carriers are as many slots per 0.5 ms as ltesim's search, "
            "which runs 1000 periods a trial, finds to be 99.99 % on time.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
