/*
 * Topic gpu-coded: the whole program's coded sweep on the device, beside detection and decoding
 * alone.
 */
#include "phy/coding/transport.h"
#include "phy/base/limits.h"
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/topics/gpu_topics.h"

#include <math.h>

/*
 * PROBE_SLOTS is the first guess at what takes a while; a decoder is timed with the blocks of so
 * many subframes.
 */
enum { FEW_SLOTS = 256, PROBE_SLOTS = 65536, SLOTS_OF_ROUND = 4096, SUBFRAMES = 1024 };

/* Of scenario "coded": 20 MHz 4x4, 16QAM at rate 1/2. */
enum { N_TX = 4, N_BITS = 4, TRANSPORT_BITS = 67176, ITERATIONS = 6 };

static const char with_code[] = "coded", without_code[] = "detection";

typedef struct {
    long long n_slots;
    double wall_s;
} outcome;

static bench_program_call new_call(const char *scenario, const char *backend, double snr_db,
                                   long long min_slots, long long max_slots)
{
    bench_program_call call = {.scenario = scenario, .backend = backend, .job = "ber"};
    bench_program_set(&call, "sweep.snr_points=[%.1f]", snr_db);
    if (scenario == without_code) { /* the channel of the other one */
        bench_program_set(&call, "channel.model=eva");
        bench_program_set(&call, "channel.doppler_hz=5.0");
        bench_program_set(&call, "channel.drop_slots=256");
    }
    bench_program_set(&call, "sweep.min_slots=%lld", min_slots);
    bench_program_set(&call, "sweep.max_slots=%lld", max_slots);
    return call;
}

/* As many slots as take min_s, without an end before; sets: settings up to NULL. */
static lte_status measure(const bench_program *program, const char *scenario,
                          const char *const *sets, double min_s, outcome *o)
{
    lte_status status = LTE_OK;
    *o = (outcome){.n_slots = PROBE_SLOTS};
    while (!status) {
        bench_program_call call = new_call(scenario, "cuda", 20.0, o->n_slots, o->n_slots);
        json_t *json = NULL;
        bench_program_set(&call, "sweep.min_bit_errors=0");
        bench_program_set(&call, "sweep.round_slots=%d", SLOTS_OF_ROUND);
        for (int i = 0; sets[i]; i++)
            bench_program_set(&call, "%s", sets[i]);
        status = bench_program_run(program, &call, &o->wall_s, &json);
        json_decref(json);
        if (status || o->wall_s >= min_s)
            break;
        const double grow = 1.2 * min_s / o->wall_s;
        o->n_slots = (long long)ceil((double)o->n_slots * grow / SLOTS_OF_ROUND) * SLOTS_OF_ROUND;
    }
    return status;
}

/*
 * True if the device sends, counts and decodes as the CPU does: what is sent again follows from
 * that.
 */
static lte_status check(const bench_program *program, bool *right)
{
    static const char *const counts[] = {"blocks", "bit_errors_by_layer", "symbol_errors_by_layer",
                                         "flagged"};
    json_t *json[2] = {NULL, NULL};
    lte_status status = LTE_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const bench_program_call call =
            new_call(with_code, i ? "cuda" : "cpu", 11.0, FEW_SLOTS, FEW_SLOTS);
        double seconds;
        status = bench_program_run(program, &call, &seconds, &json[i]);
    }
    *right = !status;
    for (size_t k = 0; k < sizeof counts / sizeof *counts && *right; k++)
        *right = json_equal(
            json_object_get(json_array_get(json_object_get(json[0], "detectors"), 0), counts[k]),
            json_object_get(json_array_get(json_object_get(json[1], "detectors"), 0), counts[k]));
    json_decref(json[0]);
    json_decref(json[1]);
    return status;
}

static json_t *add_row(const char *what, double us, json_t *rows)
{
    json_t *row = json_pack("{s:s}", "what", what);
    (void)json_array_append_new(rows, row);
    bench_row_real(row, "us_of_subframe", us);
    return row;
}

static double add_measured(const char *what, const outcome *o, json_t *rows)
{
    const double us = 2e6 * o->wall_s / (double)o->n_slots;
    json_t *row = add_row(what, us, rows);
    (void)json_object_set_new(row, "subframes", json_integer(o->n_slots / 2));
    bench_row_real(row, "wall_s", o->wall_s);
    return us;
}

/* Microseconds of a subframe that its code blocks take the decoder alone. */
static lte_status decoding_us(double *us)
{
    lte_transport t;
    const int elements = 2 * LTE_SLOT_SYMBOLS * LTE_MAX_SC;
    const int words = lte_codewords(N_TX);
    lte_status status =
        lte_transport_of(TRANSPORT_BITS, lte_codeword_layers(N_TX, 0), N_BITS, elements, &t);
    *us = 0.0;
    for (int i = 0; i < 2 && !status; i++) {
        const lte_code_block *block = i ? t.s.size : t.s.smaller;
        const int n = SUBFRAMES * words * (i ? t.s.n - t.s.n_smaller : t.s.n_smaller);
        double taken = 0.0;
        if (n > 0)
            status = bench_gpu_decoding_us(block, ITERATIONS, n, &taken);
        *us += taken / SUBFRAMES;
    }
    return status;
}

/* A sweep to 100 wrong blocks, where one in a hundred thousand is. */
static lte_status search_errors(const bench_program *program, json_t *rows)
{
    enum { WRONG = 100, MOST_SLOTS = 40000000 };
    static const double snr_db = 17.0;
    bench_program_call call = new_call(with_code, "cuda", snr_db, SLOTS_OF_ROUND, MOST_SLOTS);
    json_t *json = NULL;
    double seconds = 0.0;
    bench_program_set(&call, "sweep.min_bit_errors=%d", WRONG);
    bench_program_set(&call, "sweep.round_slots=%d", SLOTS_OF_ROUND);
    bench_program_set(&call, "code.transmissions=1");
    const lte_status status = bench_program_run(program, &call, &seconds, &json);
    if (status)
        return status;
    const json_t *total = json_array_get(json_object_get(json, "detectors"), 0);
    const double blocks = json_number_value(json_object_get(total, "blocks"));
    json_t *row = add_row("to 100 wrong blocks, 17 dB, early stop", 2e6 * seconds / blocks, rows);
    (void)json_object_set_new(row, "subframes", json_integer((json_int_t)blocks / 2));
    bench_row_real(row, "wall_s", seconds);
    bench_row_real(row, "bler", WRONG / blocks);
    json_decref(json);
    return LTE_OK;
}

static lte_status run(const bench_options *options, json_t *rows)
{
    static const char *const hard[] = {"output=hard", NULL}, *const soft[] = {"output=llr", NULL};
    static const char *const coded[] = {"code.transmissions=1", "code.early_stop=false", NULL};
    const double min_s = options->quick ? 1.0 : 5.0;
    bench_program program;
    outcome o;
    bool right = false;
    double detection = 0.0, decoding = 0.0;
    lte_status status = bench_program_init(&program, options->program);
    if (!status)
        status = check(&program, &right);
    if (!status && !right)
        status = LTE_FAIL(LTE_EIO, "%s counts on the device what the CPU does not", program.path);
    if (!status)
        status = measure(&program, without_code, hard, min_s, &o);
    if (!status)
        detection = add_measured("detection alone, hard bits", &o, rows);
    if (!status)
        status = measure(&program, without_code, soft, min_s, &o);
    if (!status)
        (void)add_measured("detection alone, LLRs counted", &o, rows);
    if (!status)
        status = decoding_us(&decoding);
    if (!status)
        (void)add_row("decoding alone, 6 iterations", decoding, rows);
    if (!status)
        status = measure(&program, with_code, coded, min_s, &o);
    if (!status) {
        const double all = add_measured("coded sweep, 6 iterations", &o, rows);
        json_t *row = json_array_get(rows, json_array_size(rows) - 1);
        bench_row_real(row, "share", (detection + decoding) / all);
    }
    if (!status && !options->quick)
        status = search_errors(&program, rows);
    bench_program_fini(&program);
    return status;
}

static const bench_column columns[] = {
    {"what", "what", BENCH_CELL_TEXT},     {"subframes", "subframes", BENCH_CELL_COUNT},
    {"wall s", "wall_s", BENCH_CELL_REAL}, {"us a subframe", "us_of_subframe", BENCH_CELL_REAL},
    {"share", "share", BENCH_CELL_REAL},
};

const bench_topic bench_topic_gpu_coded = {
    .name = "gpu-coded",
    .group = "coded",
    .title = "Coded sweep on the GPU, 20 MHz 4x4, 16QAM at rate 1/2, EVA at 5 Hz, MMSE",
    .note = "The whole program by the clock on the wall, from its start to its end, nothing "
            "subtracted, one transmission a block. Share: detection, with hard bits as an uncoded "
            "sweep has them, and decoding alone, over the coded sweep. The device's counts of "
            "256 slots with retransmissions are compared with the CPU's first.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
