/* Topic sweep: the fused link, slot after slot. */
#include "tests/bench/topics/sweep_codes.h"

#include <math.h>
#include <string.h>

enum { N_CHECKED = 4, MAX_ROUNDS = 31, PEER_EVERY = 4, N_LINKS = 4 };

static const struct {
    int n, inverter;
} links[N_LINKS] = {
    {2, LTE_INVERTER_ldl},
    {4, LTE_INVERTER_ldl},
    {8, LTE_INVERTER_ldl},
    {4, LTE_INVERTER_gauss_jordan},
};

typedef struct {
    bool timed;
    int n_samples; /* a peer, which runs long, takes part in every PEER_EVERY-th round */
    double sample[MAX_ROUNDS]; /* symbols/s */
    bench_percentiles rate;
} outcome;

/* Power and errors of a few slots, equal to those of the first code. */
static bool same_counts(const bench_sweep_code *code, const bench_sweep_code *first,
                        lte_noise noise)
{
    const size_t size = (size_t)LTE_N_HARD_COUNTS(code->link.n_tx) * sizeof(uint32_t);
    for (uint64_t slot = 0; slot < N_CHECKED; slot++) {
        lte_power power[2];
        uint32_t errors[2][LTE_N_HARD_COUNTS(LTE_MAX_ORDER)];
        bench_sweep_code_slot(first, noise, slot, &power[0], errors[0]);
        bench_sweep_code_slot(code, noise, slot, &power[1], errors[1]);
        if (memcmp(&power[0], &power[1], sizeof *power) != 0 ||
            memcmp(errors[0], errors[1], size) != 0)
            return false;
    }
    return true;
}

/* Slots that take about 20 ms. */
static int slots_of(const bench_sweep_code *code, lte_noise noise)
{
    double rate = 1.0;
    (void)bench_sweep_code_rate(code, noise, 0, 2, &rate);
    const double slot_symbols =
        (double)LTE_SLOT_SYMBOLS * code->link.carrier.n_sc * code->link.n_tx;
    return 1 + (int)(0.02 * rate / slot_symbols);
}

static lte_status measure(const bench_sweep_code *code, int n_codes, lte_noise noise, int rounds,
                          outcome *results)
{
    int n_slots[BENCH_MAX_SWEEP_CODES] = {0};
    for (int i = 0; i < n_codes; i++) {
        results[i].timed = code[i].peer || same_counts(&code[i], &code[0], noise);
        if (!code[i].peer)
            n_slots[i] = slots_of(&code[i], noise);
    }
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < n_codes; k++) {
            const int i = (k + r) % n_codes;
            outcome *result = &results[i];
            if (!result->timed || (code[i].peer && r % PEER_EVERY != 0))
                continue;
            lte_status status = bench_sweep_code_rate(&code[i], noise, 0, n_slots[i],
                                                      &result->sample[result->n_samples++]);
            if (status)
                return status;
        }
    }
    for (int i = 0; i < n_codes; i++)
        results[i].rate = bench_percentiles_of(results[i].sample, results[i].n_samples);
    return LTE_OK;
}

typedef enum { KIND_STAGES, KIND_SCALAR, KIND_PEER } kind;

static kind kind_of(const bench_sweep_code *code)
{
    return code->stages ? KIND_STAGES : code->scalar ? KIND_SCALAR : KIND_PEER;
}

/* The fastest of a kind for one instruction set, NAN if there is none. */
static double rate_of(const bench_sweep_code *code, int n_codes, const outcome *results,
                      kind wanted, const char *level)
{
    double best = (double)NAN;
    for (int i = 0; i < n_codes; i++) {
        if (kind_of(&code[i]) == wanted && strcmp(code[i].level, level) == 0 &&
            !(best >= results[i].rate.median))
            best = results[i].rate.median;
    }
    return best;
}

static void add_rows(const bench_sweep_code *code, int n_codes, const outcome *results,
                     json_t *rows)
{
    const double ref = results[0].rate.median;
    for (int i = 0; i < n_codes; i++) {
        char antennas[32];
        const double rate = results[i].rate.median;
        const lte_link *link = &code[i].link;
        (void)snprintf(antennas, sizeof antennas, "%dx%d", link->n_tx, link->n_rx);
        json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s}", "antennas", antennas, "inverter",
                                kind_of(&code[i]) == KIND_PEER
                                    ? "its own"
                                    : lte_inverter_rows[link->receiver.inverter].name,
                                "code", code[i].name, "level", code[i].level, "state",
                                results[i].timed ? "timed" : "wrong, not timed");
        bench_row_percentiles(row, "symbols_per_s", results[i].rate);
        bench_row_real(row, "over_ref", rate / ref);
        (void)json_array_append_new(rows, row);
        if (kind_of(&code[i]) != KIND_STAGES)
            continue;
        const double over_scalar =
            rate / rate_of(code, n_codes, results, KIND_SCALAR, code[i].level);
        const double over_peer = rate / rate_of(code, n_codes, results, KIND_PEER, code[i].level);
        bench_row_real(row, "over_scalar", over_scalar);
        bench_row_real(row, "over_peer", over_peer);
    }
}

static lte_status run(const bench_options *options, json_t *rows)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < N_LINKS && !status; i++) {
        bench_sweep_code code[BENCH_MAX_SWEEP_CODES];
        outcome results[BENCH_MAX_SWEEP_CODES] = {{0}};
        lte_link link;
        const int n = links[i].n;
        const lte_noise noise = lte_noise_of(n, 100.0); /* 20 dB */
        status =
            lte_link_init(&link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh, links[i].inverter, 1);
        if (status)
            break;
        void *work = aligned_alloc(64, lte_sweep_work(&link, 1));
        if (!work)
            return LTE_FAIL(LTE_ENOMEM, "no memory for the work of a sweep");
        const int n_codes = bench_sweep_codes(&link, options, work, code);
        status = measure(code, n_codes, noise, options->quick ? 3 : MAX_ROUNDS, results);
        if (!status)
            add_rows(code, n_codes, results, rows);
        free(work);
    }
    return status;
}

static const bench_column columns[] = {
    BENCH_LINK_COLUMNS,
    {"code", "code", BENCH_CELL_TEXT},
    {"level", "level", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"Msymbols/s", "median_symbols_per_s", BENCH_CELL_MEGA},
    {"min", "min_symbols_per_s", BENCH_CELL_MEGA},
    {"max", "max_symbols_per_s", BENCH_CELL_MEGA},
    {"over cpu:ref", "over_ref", BENCH_CELL_REAL},
    {"over scalar link", "over_scalar", BENCH_CELL_REAL},
    {"over peer", "over_peer", BENCH_CELL_REAL},
};
const bench_topic bench_topic_sweep = {
    .name = "sweep",
    .group = "cpu",
    .title = "BER sweep, 16QAM, MMSE, one core",
    .note = "QAM symbols decided per second, 20 MHz, Rayleigh, 20 dB; every code counts the same "
            "errors first. Ratios to the plain scalar link and to a peer program are those of the "
            "same level.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
