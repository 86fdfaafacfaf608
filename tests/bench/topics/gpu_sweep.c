/* Topic gpu-sweep: the whole program's sweep on the device, by the clock on the wall. */
#include "kernels/link/link.h"
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/peers/peer_programs.h"
#include "tests/bench/topics/gpu_topics.h"

#include <math.h>

/* FEW the CPU counts in under a second; PROBE is the first guess at what takes a while. */
enum { N_LINKS = 6, FEW_SLOTS = 64, PROBE_SLOTS = 204800, N_BITS = 4 };

static const struct {
    const char *inverter;
    int n;
    bool peer; /* it takes Cholesky, as ldl does */
} links[N_LINKS] = {
    {"ldl", 2, true},           {"ldl", 4, true},           {"ldl", 8, true},
    {"gauss-jordan", 2, false}, {"gauss-jordan", 4, false}, {"gauss-jordan", 8, false},
};

typedef struct {
    bool right;
    double start_up_s; /* a run of FEW_SLOTS */
    long long n_slots;
    double wall_s;
} outcome;

static double symbols_of(int n, long long n_slots)
{
    return (double)n_slots * LTE_MAX_SC * LTE_SLOT_SYMBOLS * n;
}

static lte_status run_program(const bench_program *program, int i, const char *backend,
                              long long n_slots, double *seconds, json_t **json)
{
    bench_program_call call = {.scenario = "detection", .backend = backend, .job = "ber"};
    bench_program_set(&call, "antennas.tx=%d", links[i].n);
    bench_program_set(&call, "antennas.rx=%d", links[i].n);
    bench_program_set(&call, "inverter=%s", links[i].inverter);
    bench_program_set(&call, "sweep.min_slots=%lld", n_slots);
    bench_program_set(&call, "sweep.max_slots=%lld", n_slots);
    return bench_program_run(program, &call, seconds, json);
}

/* The device's run of n_slots, all of which it must have counted. */
static lte_status time_slots(const bench_program *program, int i, long long n_slots,
                             double *seconds)
{
    json_t *json;
    lte_status status = run_program(program, i, "cuda", n_slots, seconds, &json);
    if (status)
        return status;
    const json_t *total = json_array_get(json_object_get(json, "detectors"), 0);
    const double bits = json_number_value(json_object_get(total, "bits"));
    json_decref(json);
    if (bits != symbols_of(links[i].n, n_slots) * N_BITS)
        return LTE_FAIL(LTE_EIO, "%s counted %.0f bits in %lld slots", program->path, bits,
                        n_slots);
    return LTE_OK;
}

/* True if the device counts FEW_SLOTS as the CPU does; its second run is the start-up. */
static lte_status check(const bench_program *program, int i, outcome *o)
{
    static const char *const counts[] = {"bits", "bit_errors_by_layer", "symbol_errors_by_layer",
                                         "flagged"};
    json_t *cpu = NULL, *cuda = NULL;
    double seconds;
    lte_status status = run_program(program, i, "cpu", FEW_SLOTS, &seconds, &cpu);
    if (!status)
        status = run_program(program, i, "cuda", FEW_SLOTS, &seconds, &cuda);
    if (!status)
        status = time_slots(program, i, FEW_SLOTS, &o->start_up_s);
    o->right = !status;
    for (size_t k = 0; k < sizeof counts / sizeof *counts && o->right; k++) {
        const json_t *a = json_array_get(json_object_get(cpu, "detectors"), 0);
        const json_t *b = json_array_get(json_object_get(cuda, "detectors"), 0);
        o->right = json_equal(json_object_get(a, counts[k]), json_object_get(b, counts[k]));
    }
    json_decref(cpu);
    json_decref(cuda);
    return status;
}

/* A run of at least min_s, a tenth more being aimed at. */
static lte_status measure(const bench_program *program, int i, double min_s, outcome *o)
{
    lte_status status = check(program, i, o);
    o->n_slots = PROBE_SLOTS;
    o->wall_s = 0;
    while (!status && o->right) {
        status = time_slots(program, i, o->n_slots, &o->wall_s);
        if (status || o->wall_s >= min_s)
            break;
        /* what the start-up hides is multiplied, until the slots show */
        const double net_s = o->wall_s - o->start_up_s;
        double grow = net_s > 0 ? (1.1 * min_s - o->start_up_s) / net_s : 16;
        if (net_s < 0.5 * o->start_up_s && !(grow < 16))
            grow = 16;
        grow = grow < 1.1 ? 1.1 : grow;
        o->n_slots = (long long)ceil((double)o->n_slots * grow / FEW_SLOTS) * FEW_SLOTS;
    }
    return status;
}

static json_t *new_row(int i, const outcome *o, json_t *rows)
{
    char antennas[16];
    (void)snprintf(antennas, sizeof antennas, "%dx%d", links[i].n, links[i].n);
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:s}", "antennas", antennas, "inverter", links[i].inverter,
                  "state", o->right ? "timed" : "wrong, not timed", "binds", "issue slots");
    (void)json_array_append_new(rows, row);
    return row;
}

static void add_rows(int i, const outcome *o, const bench_peer *torch, json_t *rows)
{
    json_t *row = new_row(i, o, rows);
    if (!o->right)
        return;
    const double rate = symbols_of(links[i].n, o->n_slots) / o->wall_s;
    const double peer = links[i].peer ? bench_torch_rate(torch, links[i].n) : (double)NAN;
    (void)json_object_set_new(row, "slots", json_integer(o->n_slots));
    bench_row_real(row, "wall_s", o->wall_s);
    bench_row_real(row, "start_up_s", o->start_up_s);
    bench_row_real(row, "symbols_per_s", rate);
    bench_row_real(row, "gsymbols_per_s", 1e-9 * rate);
    bench_row_real(row, "peer_symbols_per_s", peer);
    bench_row_real(row, "peer_gsymbols_per_s", 1e-9 * peer);
    bench_row_real(row, "over_peer", rate / peer);
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_program program;
    bench_peer torch;
    lte_status status = bench_program_init(&program, options->program);
    if (!status)
        status = bench_torch_run(options, &torch);
    for (int i = 0; i < N_LINKS && !status; i++) {
        outcome o;
        status = measure(&program, i, options->quick ? 1.0 : 5.0, &o);
        if (!status)
            add_rows(i, &o, &torch, rows);
    }
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    BENCH_LINK_COLUMNS,
    {"state", "state", BENCH_CELL_TEXT},
    {"slots", "slots", BENCH_CELL_COUNT},
    {"wall s", "wall_s", BENCH_CELL_REAL},
    {"start-up s", "start_up_s", BENCH_CELL_REAL},
    {"10^9 symbols/s", "gsymbols_per_s", BENCH_CELL_REAL},
    {"PyTorch, 10^9", "peer_gsymbols_per_s", BENCH_CELL_REAL},
    {"ours / PyTorch", "over_peer", BENCH_CELL_REAL},
    {"binds", "binds", BENCH_CELL_TEXT},
};

const bench_topic bench_topic_gpu_sweep = {
    .name = "gpu-sweep",
    .group = "cuda",
    .title = "BER sweep on the GPU, 16QAM, MMSE, by the clock on the wall",
    .note = "QAM symbols decided per second of the whole program, from its start to its end with "
            "the files written: nothing is subtracted. 20 MHz, Rayleigh, 20 dB; the errors of 64 "
            "slots are compared with the CPU's first. Start-up is a run of 64 slots. PyTorch is "
            "the same link written with its operators, the faster of eager and compiled. What "
            "binds is read off ncu, see below.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
