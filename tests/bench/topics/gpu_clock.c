/*
 * Topic gpu-clock: paced subframes of the whole program on the device, from planes to the bits of
 * transport blocks.
 */
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/topics/gpu_topics.h"

#include <math.h>

enum { N_LINKS = 3, MOST_SETS = 2, SLOTS = 20000, QUICK_SLOTS = 2000, N_PLACEMENTS = 2 };

/* All of 20 MHz 4x4, 16QAM at rate 1/2, EVA at 5 Hz, MMSE at 20 dB. */
static const struct {
    const char *what, *set[MOST_SETS];
} links[N_LINKS] = {
    {"H known at each symbol", {"csi=perfect", "code.early_stop=true"}},
    {"H estimated", {"csi=dmrs-mmse", "code.early_stop=true"}},
    {"H estimated, all 6 iterations", {"csi=dmrs-mmse", "code.early_stop=false"}},
};

static lte_status run_program(const bench_program *program, int i, const char *backend, int n_slots,
                              json_t **json)
{
    bench_program_call call = {.scenario = "coded", .backend = backend, .job = "deadline"};
    double seconds;
    for (int s = 0; s < MOST_SETS; s++)
        bench_program_set(&call, "%s", links[i].set[s]);
    bench_program_set(&call, "deadline.slots=%d", n_slots);
    return bench_program_run(program, &call, &seconds, json);
}

/* A placement's run, as run.json has it. */
static void add_row(int i, int placement, const json_t *run, bool right, json_t *rows)
{
    const json_t *block = json_object_get(run, "block"), *decoder = json_object_get(run, "decoder");
    const bool bounded = json_is_true(json_object_get(run, "capacity_bounded"));
    char text[32];
    json_t *row = json_pack("{s:s, s:s, s:s}", "what", links[i].what, "placement",
                            placement ? "device-resident" : "host-fed", "state",
                            right ? "timed" : "wrong, not timed");
    (void)json_array_append_new(rows, row);
    if (!right)
        return;
    bench_row_real(row, "slot_p50_us", bench_run_number(run, "p50_us"));
    bench_row_real(row, "slot_p999_us", bench_run_number(run, "p999_us"));
    bench_row_real(row, "block_p50_us", bench_run_number(block, "p50_us"));
    bench_row_real(row, "block_p999_us", bench_run_number(block, "p999_us"));
    bench_row_real(row, "decoder_p50_us", bench_run_number(decoder, "p50_us"));
    (void)json_object_set(row, "missed", json_object_get(run, "missed"));
    (void)json_object_set(row, "wrong_blocks", json_object_get(run, "wrong_blocks"));
    const double carriers = bench_run_number(run, "capacity_carriers");
    if (!isfinite(carriers))
        return;
    (void)snprintf(text, sizeof text, "%s%.0f", bounded ? ">= " : "", carriers);
    bench_row_real(row, "carriers", carriers);
    (void)json_object_set_new(row, "carriers_held", json_string(text));
}

static lte_status run_link(const bench_program *program, int i, int n_slots, json_t *rows)
{
    json_t *json[2] = {NULL, NULL};
    lte_status status = run_program(program, i, "cpu", 64, &json[0]);
    if (!status)
        status = run_program(program, i, "cuda", n_slots, &json[1]);
    if (!status) {
        const json_t *expected = json_object_get(json[0], "deadline");
        const json_t *host = json_object_get(json[1], "deadline");
        const json_t *device = json_object_get(host, "device");
        add_row(i, 0, host, bench_run_same_errors(expected, host), rows);
        add_row(i, 1, device, bench_run_same_errors(expected, device), rows);
    }
    json_decref(json[0]);
    json_decref(json[1]);
    return status;
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_program program;
    lte_status status = bench_program_init(&program, options->program);
    for (int i = 0; i < N_LINKS && !status; i++)
        status = run_link(&program, i, options->quick ? QUICK_SLOTS : SLOTS, rows);
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    {"receiver", "what", BENCH_CELL_TEXT},
    {"placement", "placement", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"slot p50 us", "slot_p50_us", BENCH_CELL_REAL},
    {"p99.9", "slot_p999_us", BENCH_CELL_REAL},
    {"block p50 us", "block_p50_us", BENCH_CELL_REAL},
    {"p99.9 ", "block_p999_us", BENCH_CELL_REAL},
    {"decoder p50 us", "decoder_p50_us", BENCH_CELL_REAL},
    {"late", "missed", BENCH_CELL_COUNT},
    {"carriers held", "carriers_held", BENCH_CELL_TEXT},
};

const bench_topic bench_topic_gpu_clock = {
    .name = "gpu-clock",
    .group = "coded",
    .title =
        "Subframes against the clock on the GPU, 20 MHz 4x4, 16QAM at rate 1/2, EVA at 5 Hz, MMSE",
    .note = "Slots every 500 us, one carrier; LLRs due 500 us after the release of a slot, bits of "
            "the transport blocks 500 us after that of a subframe's second. Slot: release to LLRs; "
            "block: release of the second slot to bits with their CRCs; decoder: rate matching, "
            "turbo decoder and CRCs, launches and waits among it. Carriers: none of five hundred "
            "subframes is "
            "late. Errors are held against the CPU's first.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
