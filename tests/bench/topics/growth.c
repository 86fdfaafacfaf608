/*
 * Topic growth: a sweep over up to 10,000 ranks. What rank 0 does is done, in real time: planning,
 * orders, records that are merged. The other ranks are workers that take the time of so many
 * slots, and of the calls of MPI that their messages cost rank 0.
 */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/scenario/described_link.h"
#include "tests/bench/topics/growth_messages.h"

enum { DEPTH = 2, N_ANTENNAS = 4, N_MESSAGES = 2000, MEGA = 1000000 };

/* Who counts, 4x4 20 MHz: slots/s of a rank as results/README.md has them (sweep, gpu-sweep). */
static const struct {
    const char *name;
    double slots_per_s;
    int round_slots, fewest;
} kinds[] = {
    {"processor core", 7.1e3, 64, 64}, {"H200", 2.85e6, 64, 1024}, {"H200", 2.85e6, 65536, 1024}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const int ranks[] = {1, 10, 100, 1000, 10000};
enum { N_RANKS = sizeof ranks / sizeof *ranks };

/* What all ranks of a sweep share. */
typedef struct {
    double slots_per_s;
    bench_message_costs cost;
    uint64_t n_orders, n_bytes;
} model;

typedef struct {
    model *shared;
    lte_chunk *chunk[DEPTH];
    double done_s[DEPTH]; /* when the chunk will have been counted */
    uint64_t started, collected;
    double free_s; /* when all will have been */
} rank_state;

static void spin(double seconds)
{
    const double end = lte_seconds() + seconds;
    while (lte_seconds() < end) {
    }
}

/* Records as a rank would send them: each round with the same errors. */
static void fill(lte_tally *tally)
{
    const uint64_t round = (uint64_t)tally->cut.round_slots;
    tally->n = 0;
    for (uint64_t slot = tally->next; slot < tally->end; tally->n++) {
        const uint64_t end =
            (slot / round + 1) * round < tally->end ? (slot / round + 1) * round : tally->end;
        lte_tally_head *head = lte_tally_head_of(tally, tally->n);
        *head = (lte_tally_head){.first = slot, .slots = end - slot, .signal = 1, .noise = 1};
        for (int k = 0; k < tally->n_detectors; k++) {
            *lte_tally_row_of(tally, tally->n, k) = (lte_tally_row){.errors = 1, .errors2 = 1};
            memset(lte_tally_counts_of(tally, tally->n, k), 0,
                   (size_t)LTE_N_HARD_COUNTS(tally->cut.n_tx) * sizeof(uint64_t));
        }
        slot = end;
    }
}

static lte_status rank_start(lte_worker *self, lte_chunk *chunk)
{
    rank_state *r = self->state;
    const double now = lte_seconds(), start = now > r->free_s ? now : r->free_s;
    r->free_s = start + chunk->n_slots / r->shared->slots_per_s;
    r->done_s[r->started % DEPTH] = r->free_s;
    r->chunk[r->started++ % DEPTH] = chunk;
    r->shared->n_orders++;
    spin(r->shared->cost.order_s);
    return LTE_OK;
}

static bool rank_is_done(lte_worker *self)
{
    const rank_state *r = self->state;
    spin(r->shared->cost.look_s);
    return lte_seconds() >= r->done_s[r->collected % DEPTH];
}

static lte_status rank_wait(lte_worker *self)
{
    rank_state *r = self->state;
    for (int looks = 0; !rank_is_done(self); looks++)
        lte_workers_pause(looks);
    lte_tally *tally = &r->chunk[r->collected++ % DEPTH]->tally;
    fill(tally);
    r->shared->n_bytes +=
        (uint64_t)tally->n * lte_tally_record_bytes(&tally->cut, tally->n_detectors);
    return LTE_OK;
}

static const lte_worker_kind rank_kind = {
    .start = rank_start, .is_done = rank_is_done, .wait = rank_wait};

/* One point that ends by its time alone. */
static lte_scenario scenario_of(int round_slots, double seconds)
{
    lte_scenario s = {.n_sc = 1200, .n_tx = N_ANTENNAS, .n_rx = N_ANTENNAS, .n_bits = 4, .seed = 1};
    s.channel = LTE_CHANNEL_rayleigh;
    s.n_csi = 1;
    s.csi[0] = LTE_CSI_perfect;
    s.n_detectors = 2;
    s.detectors[0] = lte_detector_usual(LTE_DETECTOR_zf);
    s.detectors[1] = lte_detector_usual(LTE_DETECTOR_mmse);
    s.inverter = LTE_INVERTER_ldl;
    s.sweep.n_snr = 1;
    s.sweep.min_bit_errors = UINT64_MAX;
    s.sweep.max_slots = (uint64_t)1 << 42;
    s.sweep.round_slots = round_slots;
    s.sweep.max_seconds = seconds;
    s.drop_slots = 1;
    return s;
}

static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs a sweep over n workers, and what came of it. */
static lte_status measure(lte_sweep *sweep, lte_worker *workers, int n, const model *shared,
                          json_t *row)
{
    const lte_scenario *s = sweep->scenario;
    const double start = lte_seconds(), start_cpu = cpu_seconds();
    const lte_status status = lte_sweep_run(sweep, workers, n, NULL, NULL);
    const double took = lte_seconds() - start, busy = cpu_seconds() - start_cpu;
    const lte_row *first = lte_sweep_row(sweep, 0, 0), *second = lte_sweep_row(sweep, 1, 0);
    const double merged_s = first->seconds + second->seconds; /* up to the last merge */
    const double slots = (double)first->slots;
    if (status)
        return status;
    bench_row_real(row, "efficiency", slots / (n * shared->slots_per_s * merged_s));
    bench_row_real(row, "busy", busy / took);
    bench_row_real(row, "orders_per_s", (double)shared->n_orders / took);
    bench_row_real(row, "mb_per_s", (double)shared->n_bytes / took / MEGA);
    bench_row_real(row, "symbols_per_s", slots * LTE_SLOT_SYMBOLS * s->n_sc * s->n_tx / merged_s);
    return LTE_OK;
}

/* n ranks of a kind. */
static lte_status hire(int kind, int n, model *shared, lte_worker **workers, rank_state **states)
{
    *workers = calloc((size_t)n, sizeof **workers);
    *states = calloc((size_t)n, sizeof **states);
    if (!*workers || !*states)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d ranks", n);
    for (int i = 0; i < n; i++) {
        (*states)[i].shared = shared;
        (*workers)[i] = (lte_worker){.kind = &rank_kind,
                                     .ahead = true,
                                     .tells = true,
                                     .depth = DEPTH,
                                     .fewest = kinds[kind].fewest,
                                     .most = (int)(kinds[kind].slots_per_s / 4.0),
                                     .state = &(*states)[i]};
    }
    return LTE_OK;
}

/* A sweep over n ranks of a kind. */
static lte_status run_ranks(int kind, int n, double seconds, const bench_message_costs *cost,
                            json_t *row)
{
    const lte_scenario s = scenario_of(kinds[kind].round_slots, seconds);
    model shared = {.slots_per_s = kinds[kind].slots_per_s, .cost = *cost};
    lte_link link;
    lte_estimator estimator;
    lte_sweep *sweep = NULL;
    lte_worker *workers = NULL;
    rank_state *states = NULL;
    lte_status status = lte_scenario_link(&s, LTE_CSI_perfect, NULL, &estimator, &link);
    if (!status)
        status = lte_sweep_create(&s, &link, &sweep);
    if (!status)
        status = hire(kind, n, &shared, &workers, &states);
    if (!status)
        status = measure(sweep, workers, n, &shared, row);
    free(workers);
    free(states);
    lte_sweep_free(sweep);
    return status;
}

static lte_status run(const bench_options *options, json_t *rows)
{
    const double seconds = options->quick ? 0.2 : 10.0;
    bench_message_costs cost;
    lte_status status = bench_message_costs_of(N_MESSAGES, &cost);
    for (int kind = 0; kind < N_KINDS && !status; kind++) {
        for (int i = 0; i < N_RANKS && !status; i++) {
            json_t *row = json_pack("{s:s, s:i, s:i}", "rank", kinds[kind].name, "round_slots",
                                    kinds[kind].round_slots, "ranks", ranks[i]);
            bench_row_real(row, "order_us", 1e6 * cost.order_s);
            bench_row_real(row, "look_us", 1e6 * cost.look_s);
            status = run_ranks(kind, ranks[i], seconds, &cost, row);
            (void)json_array_append_new(rows, row);
        }
    }
    return status;
}

static const bench_column columns[] = {
    {"a rank is", "rank", BENCH_CELL_TEXT},
    {"slots a round", "round_slots", BENCH_CELL_COUNT},
    {"ranks", "ranks", BENCH_CELL_COUNT},
    {"efficiency", "efficiency", BENCH_CELL_REAL},
    {"10^6 symbols/s", "symbols_per_s", BENCH_CELL_MEGA},
    {"rank 0 busy", "busy", BENCH_CELL_REAL},
    {"orders/s", "orders_per_s", BENCH_CELL_REAL},
    {"MB/s to rank 0", "mb_per_s", BENCH_CELL_REAL},
    {"us of MPI an order", "order_us", BENCH_CELL_REAL},
    {"a look", "look_us", BENCH_CELL_REAL},
};

const bench_topic bench_topic_growth = {
    .name = "growth",
    .group = "growth",
    .title = "One sweep over many ranks, 20 MHz 4x4, two detectors",
    .note =
        "Rank 0's own work in real time, 10 s from the first order on; the ranks are simulated by "
        "the time that they take. Efficiency: slots merged over what the ranks alone would have "
        "counted until then.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
