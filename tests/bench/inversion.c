/* Topic inversion: one slot's matrices, everyone in turn. */
#include "tests/bench/bench.h"
#include "tests/bench/contenders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MATRICES = 1200, MAX_BUFFERS = 16, MAX_REPETITIONS = 101, WARM_UP = 3 };

/* A residual in units of n u |A| |X| above which an inverse is wrong. */
static const double residual_limit = 4.0;

/* One contender's measurement. */
typedef struct {
    double residual;
    int flagged;
    bool timed;
    bench_spread us;
} outcome;

/* Work of one order: buffers that are reloaded between repetitions, outside the timing. */
typedef struct {
    lte_matrices matrices;
    int n_buffers; /* about 1 MB together, a core's second-level cache */
    float *a[MAX_BUFFERS], *x[MAX_BUFFERS];
    uint8_t flag[N_MATRICES];
    double sample[LTE_MAX_CONTENDERS][MAX_REPETITIONS];
} bench;

static void bench_free(bench *b)
{
    if (!b)
        return;
    for (int i = 0; i < MAX_BUFFERS; i++) {
        free(b->a[i]);
        free(b->x[i]);
    }
    lte_matrices_fini(&b->matrices);
    free(b);
}

static lte_status bench_create(const lte_link *link, bench **out)
{
    bench *b = calloc(1, sizeof *b);
    *out = b;
    if (!b)
        return LTE_FAIL(LTE_ENOMEM, "no memory to measure inverses");
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0); /* 20 dB */
    lte_status status = lte_matrices_init(link, noise, &b->matrices);
    if (status)
        return status;
    const size_t fit = ((size_t)1 << 20) / (2 * b->matrices.bytes);
    b->n_buffers = fit < 1 ? 1 : fit > MAX_BUFFERS ? MAX_BUFFERS : (int)fit;
    for (int i = 0; i < b->n_buffers; i++) {
        b->a[i] = aligned_alloc(64, b->matrices.bytes);
        b->x[i] = aligned_alloc(64, b->matrices.bytes);
        if (!b->a[i] || !b->x[i])
            return LTE_FAIL(LTE_ENOMEM, "no memory for the buffers of %d matrices", link->n_sc);
        memset(b->x[i], 0, b->matrices.bytes);
    }
    return LTE_OK;
}

static void check(const lte_contender *who, bench *b, outcome *result)
{
    if (!who->run)
        return;
    lte_contender_load(who, &b->matrices, b->a[0]);
    memset(b->flag, 0, sizeof b->flag);
    who->run(who, b->a[0], b->x[0], b->flag);
    for (int i = 0; i < N_MATRICES; i++)
        result->flagged += b->flag[i];
    if (who->side != LTE_SIDE_COPY)
        result->residual = lte_contender_residual(who, &b->matrices, b->a[0], b->x[0]);
    result->timed = result->residual <= residual_limit && result->flagged == 0;
}

/* Microseconds for one slot's matrices. */
static double time_once(const lte_contender *who, bench *b)
{
    for (int i = 0; i < b->n_buffers; i++)
        lte_contender_load(who, &b->matrices, b->a[i]);
    const double start = lte_now_us();
    for (int i = 0; i < b->n_buffers; i++)
        who->run(who, b->a[i], b->x[i], b->flag);
    return (lte_now_us() - start) / b->n_buffers;
}

static void measure(const lte_contender *list, int n_list, int repetitions, bench *b,
                    outcome *results)
{
    for (int i = 0; i < n_list; i++)
        check(&list[i], b, &results[i]);
    for (int r = -WARM_UP; r < repetitions; r++) {
        for (int i = 0; i < n_list; i++) {
            const int who = (i + r + WARM_UP) % n_list; /* nobody always follows the same one */
            if (!results[who].timed)
                continue;
            const double us = time_once(&list[who], b);
            if (r >= 0)
                b->sample[who][r] = us;
        }
    }
    for (int i = 0; i < n_list; i++)
        results[i].us = bench_spread_of(b->sample[i], results[i].timed ? repetitions : 0);
}

/* The fastest of one side, NAN if none was timed. */
static double best_of(lte_side side, const lte_contender *list, int n_list, const outcome *results)
{
    double best = (double)NAN;
    for (int i = 0; i < n_list; i++) {
        if (list[i].side == side && !(best <= results[i].us.median))
            best = results[i].us.median;
    }
    return best;
}

/* How many times faster an inverter must be than which peer. */
static const struct {
    int inverter, n;
    lte_side peer;
    double required, goal;
} goals[] = {
    {LTE_INVERTER_gauss_jordan, 4, LTE_SIDE_LAPACK, 6, 15},
    {LTE_INVERTER_gauss_jordan, 8, LTE_SIDE_LAPACK, 4, 8},
    {LTE_INVERTER_ldl, 4, LTE_SIDE_EIGEN, 6, 12},
    {LTE_INVERTER_ldl, 8, LTE_SIDE_EIGEN, 6, 12},
};

static void add_ratios(const lte_contender *who, double us, double lapack_us, double eigen_us,
                       json_t *row)
{
    const int n = who->link.n_tx;
    lte_row_real(row, "lapack_us", lapack_us);
    lte_row_real(row, "eigen_us", eigen_us);
    lte_row_real(row, "lapack_over_this", lapack_us / us);
    lte_row_real(row, "eigen_over_this", eigen_us / us);
    if (who->stages != lte_stages_best())
        return;
    (void)json_object_set_new(row, "readme", json_boolean(n == 2 || n == 4 || n == 8));
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        if (goals[i].inverter == who->link.inverter && goals[i].n == n) {
            const bool lapack = goals[i].peer == LTE_SIDE_LAPACK;
            (void)json_object_set_new(row, "against", json_string(lapack ? "LAPACK" : "Eigen"));
            lte_row_goal(row, (lapack ? lapack_us : eigen_us) / us, goals[i].required,
                         goals[i].goal, true);
        }
    }
}

static void add_rows(const lte_contender *list, int n_list, const outcome *results, json_t *rows)
{
    const double lapack_us = best_of(LTE_SIDE_LAPACK, list, n_list, results);
    const double eigen_us = best_of(LTE_SIDE_EIGEN, list, n_list, results);
    const double copy_us = best_of(LTE_SIDE_COPY, list, n_list, results);
    for (int i = 0; i < n_list; i++) {
        const char *state = !list[i].run        ? "not built"
                            : !results[i].timed ? "wrong, not timed"
                                                : "timed";
        json_t *row = json_pack("{s:i, s:s, s:s, s:s}", "n", list[i].link.n_tx, "contender",
                                list[i].name, "code", list[i].code, "state", state);
        if (list[i].run && list[i].side != LTE_SIDE_COPY) {
            lte_row_real(row, "residual_over_n_u_a_x", results[i].residual);
            (void)json_object_set_new(row, "flagged", json_integer(results[i].flagged));
        }
        bench_row_spread(row, "us", results[i].us);
        lte_row_real(row, "copy_us", copy_us);
        if (list[i].side == LTE_SIDE_OURS)
            add_ratios(&list[i], results[i].us.median, lapack_us, eigen_us, row);
        (void)json_array_append_new(rows, row);
    }
}

static lte_status run(const lte_bench_options *options, json_t *rows)
{
    const int repetitions = options->quick ? 5 : 51;
    lte_status status = LTE_OK;
    (void)lte_lapack_open();
    for (int n = 1; n <= LTE_MAX_TX && !status; n++) {
        lte_contender list[LTE_MAX_CONTENDERS];
        outcome results[LTE_MAX_CONTENDERS] = {{0}};
        lte_link link;
        bench *b = NULL;
        status = lte_link_init(&link, N_MATRICES, n, n, 4, LTE_CHANNEL_rayleigh, 0, 1);
        if (!status)
            status = bench_create(&link, &b);
        if (!status) {
            const int n_list = lte_contenders_of(&link, list);
            measure(list, n_list, repetitions, b, results);
            add_rows(list, n_list, results, rows);
        }
        bench_free(b);
    }
    return status;
}

static const lte_column columns[] = {
    {"n", "n", LTE_CELL_COUNT},
    {"contender", "contender", LTE_CELL_TEXT},
    {"code", "code", LTE_CELL_TEXT},
    {"state", "state", LTE_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", LTE_CELL_REAL},
    {"flagged", "flagged", LTE_CELL_COUNT},
    {"us", "median_us", LTE_CELL_REAL},
    {"min", "min_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"copy us", "copy_us", LTE_CELL_REAL},
    {"LAPACK us", "lapack_us", LTE_CELL_REAL},
    {"Eigen us", "eigen_us", LTE_CELL_REAL},
    {"LAPACK/it", "lapack_over_this", LTE_CELL_REAL},
    {"Eigen/it", "eigen_over_this", LTE_CELL_REAL},
    {"against", "against", LTE_CELL_TEXT},
    {"required", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};
static const lte_column readme[] = {
    {"n", "n", LTE_CELL_COUNT},
    {"inverter", "contender", LTE_CELL_TEXT},
    {"code", "code", LTE_CELL_TEXT},
    {"us", "median_us", LTE_CELL_REAL},
    {"copy us", "copy_us", LTE_CELL_REAL},
    {"LAPACK us", "lapack_us", LTE_CELL_REAL},
    {"Eigen us", "eigen_us", LTE_CELL_REAL},
    {"LAPACK / ours", "lapack_over_this", LTE_CELL_REAL},
    {"Eigen / ours", "eigen_over_this", LTE_CELL_REAL},
    {"against", "against", LTE_CELL_TEXT},
    {"required", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};

const lte_topic lte_topic_inversion = {
    .name = "inversion",
    .block = "cpu",
    .title = "1200 inverses, one core",
    .note = "MMSE-loaded Gram matrices of Rayleigh channels at 20 dB, the same for everyone, each "
            "in its own layout; reloading the inputs is not timed, copy moves the same bytes. "
            "Eigen is built with -ffast-math, the faster of its builds counts. "
            "Residual: the worst |I - A X| in units of n u |A| |X|, at most 4.",
    .print = {columns, sizeof columns / sizeof *columns},
    .readme = {readme, sizeof readme / sizeof *readme},
    .run = run,
};
