/*
 * Topic gpu-channels: what fading over subcarriers, motion, correlation and estimation cost the
 * device, against Rayleigh channels that the receiver knows.
 */
#include <math.h>

#include "kernels/link/link.h"
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/topics/gpu_topics.h"

enum { N_ANTENNAS = 4, FEW_SLOTS = 64, SWEEP_SLOTS = 3276800, TIMED_SLOTS = 20000 };

typedef struct {
    const char *job, *model;
    double doppler_hz;
    const char *level; /* of correlation, NULL: none */
    const char *csi;
} channel_case;

static const channel_case cases[] = {
    {"ber", "rayleigh", 0.0, NULL, "perfect"},  {"ber", "eva", 0.0, "medium", "perfect"},
    {"ber", "eva", 70.0, "medium", "perfect"},  {"ber", "eva", 0.0, NULL, "dmrs-ls"},
    {"ber", "eva", 0.0, NULL, "dmrs-mmse"},     {"deadline", "eva", 0.0, NULL, "perfect"},
    {"deadline", "eva", 0.0, NULL, "dmrs-ls"},  {"deadline", "eva", 0.0, NULL, "dmrs-mmse"},
    {"deadline", "eva", 70.0, NULL, "perfect"},
};

static lte_status run_program(const bench_program *program, const channel_case *c,
                              const char *backend, int n_slots, json_t **json)
{
    bench_program_call call = {.scenario = "detection", .backend = backend, .job = c->job};
    double seconds;
    bench_program_set(&call, "inverter=ldl");
    bench_program_set(&call, "channel.model=%s", c->model);
    bench_program_set(&call, "channel.doppler_hz=%g", c->doppler_hz);
    bench_program_set(&call, "csi=%s", c->csi);
    if (c->level)
        bench_program_set(&call, "channel.correlation.level=%s", c->level);
    if (strcmp(c->job, "ber") == 0) {
        bench_program_set(&call, "sweep.min_slots=%d", n_slots);
        bench_program_set(&call, "sweep.max_slots=%d", n_slots);
    } else {
        bench_program_set(&call, "deadline.slots=%d", n_slots);
        bench_program_set(&call, "deadline.distinct=%d", FEW_SLOTS);
        if (strcmp(backend, "cpu") == 0) /* wanted for its errors: nothing fits */
            bench_program_set(&call, "deadline.budget_us=1.0");
    }
    return bench_program_run(program, &call, &seconds, json);
}

/* What a run counted. */
static const json_t *counted(const json_t *json, const char *job)
{
    if (strcmp(job, "deadline") == 0)
        return json_object_get(json, "deadline");
    return json_array_get(json_object_get(json, "detectors"), 0);
}

/* True if the device's errors in FEW_SLOTS are the CPU's. */
static lte_status check(const bench_program *program, const channel_case *c, bool *right)
{
    static const char *const counts[] = {"bits", "bit_errors", "bit_errors_by_layer"};
    json_t *cpu = NULL, *cuda = NULL;
    lte_status status = run_program(program, c, "cpu", FEW_SLOTS, &cpu);
    if (!status)
        status = run_program(program, c, "cuda", FEW_SLOTS, &cuda);
    *right = !status && counted(cpu, c->job) && counted(cuda, c->job);
    for (size_t k = 0; k < sizeof counts / sizeof *counts && *right; k++) {
        const json_t *a = json_object_get(counted(cpu, c->job), counts[k]);
        const json_t *b = json_object_get(counted(cuda, c->job), counts[k]);
        *right = (!a && !b) || json_equal(a, b);
    }
    json_decref(cpu);
    json_decref(cuda);
    return status;
}

static json_t *new_row(const channel_case *c, const char *what, bool right, json_t *rows)
{
    char channel[64];
    (void)snprintf(channel, sizeof channel, "%s%s%s", c->model, c->level ? ", " : "",
                   c->level ? c->level : "");
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "run", what, "channel", channel, "csi", c->csi,
                            "state", right ? "timed" : "wrong, not timed");
    bench_row_real(row, "doppler_hz", c->doppler_hz);
    (void)json_array_append_new(rows, row);
    return row;
}

static void add_sweep(const channel_case *c, const json_t *json, double *first_rate, json_t *rows)
{
    json_t *row = new_row(c, "sweep", true, rows);
    const json_t *total = counted(json, c->job);
    const double symbols = json_number_value(json_object_get(total, "bits")) / 4.0;
    const double rate = symbols / json_number_value(json_object_get(total, "seconds"));
    if (!(*first_rate > 0.0))
        *first_rate = rate;
    (void)json_object_set_new(row, "slots", json_integer(SWEEP_SLOTS));
    bench_row_real(row, "gsymbols_per_s", 1e-9 * rate);
    bench_row_real(row, "over_rayleigh", rate / *first_rate);
}

static void add_slots(const channel_case *c, const json_t *json, json_t *rows)
{
    static const char *const names[] = {"slot, host-fed", "slot, device-resident"};
    const json_t *host = counted(json, c->job);
    const json_t *const placed[] = {host, json_object_get(host, "device")};
    for (int p = 0; p < 2; p++) {
        json_t *row = new_row(c, names[p], true, rows);
        bench_run_latencies(placed[p], row);
    }
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_program program;
    double first_rate = 0.0;
    lte_status status = bench_program_init(&program, options->program);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !status; i++) {
        const channel_case *c = &cases[i];
        const bool sweep = strcmp(c->job, "ber") == 0;
        const int n_slots = (sweep ? SWEEP_SLOTS : TIMED_SLOTS) / (options->quick ? 10 : 1);
        bool right = false;
        json_t *json = NULL;
        status = check(&program, c, &right);
        if (!status && right)
            status = run_program(&program, c, "cuda", n_slots, &json);
        if (!status && !right)
            (void)new_row(c, c->job, false, rows);
        else if (!status && sweep)
            add_sweep(c, json, &first_rate, rows);
        else if (!status)
            add_slots(c, json, rows);
        json_decref(json);
    }
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    {"run", "run", BENCH_CELL_TEXT},
    {"channel", "channel", BENCH_CELL_TEXT},
    {"Doppler Hz", "doppler_hz", BENCH_CELL_REAL},
    {"csi", "csi", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"slots", "slots", BENCH_CELL_COUNT},
    {"10^9 symbols/s", "gsymbols_per_s", BENCH_CELL_REAL},
    {"over rayleigh", "over_rayleigh", BENCH_CELL_REAL},
    BENCH_LATENCY_COLUMNS,
};

const bench_topic bench_topic_gpu_channels = {
    .name = "gpu-channels",
    .group = "cuda",
    .title = "LTE channels and estimated CSI on the GPU, 20 MHz, 4x4, 16QAM, ldl",
    .note = "Sweeps at 20 dB, MMSE, data symbols over the seconds that the sweep tells, next to "
            "Rayleigh channels; paced slots, MMSE at 40 dB, one every 0.5 ms. Errors of 64 "
            "slots are compared with the CPU's first. A receiver that estimates is fed y alone.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
