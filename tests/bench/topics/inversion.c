/* Topic inversion: one slot's matrices, the entries in turn. */
#include "tests/bench/bench.h"
#include "tests/bench/entries.h"
#include "kernels/backends/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MATRICES = 1200, MAX_BUFFERS = 16, MAX_REPETITIONS = 101, WARM_UP = 3 };

/* A residual in units of n u |A| |X| above which an inverse is wrong. */
static const double residual_limit = 4.0;

/* One entry's measurement. */
typedef struct {
    double residual;
    int flagged;
    bool timed;
    bench_percentiles us;
} outcome;

/* Work of one order: buffers that are reloaded between repetitions, outside the timing. */
typedef struct {
    bench_matrices matrices;
    int n_buffers; /* about 1 MB together, a core's second-level cache */
    float *a[MAX_BUFFERS], *x[MAX_BUFFERS];
    void *stage; /* work of the stages */
    uint8_t flag[N_MATRICES];
    double sample[BENCH_MAX_ENTRIES][MAX_REPETITIONS];
} work;

static void work_free(work *w)
{
    if (!w)
        return;
    for (int i = 0; i < MAX_BUFFERS; i++) {
        free(w->a[i]);
        free(w->x[i]);
    }
    free(w->stage);
    bench_matrices_fini(&w->matrices);
    free(w);
}

static lte_status work_create(const lte_link *link, work **out)
{
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return LTE_FAIL(LTE_ENOMEM, "no memory to measure inverses");
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0); /* 20 dB */
    lte_status status = bench_matrices_init(link, noise, &w->matrices);
    if (status)
        return status;
    w->stage = lte_stage_work_alloc(link);
    if (!w->stage)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the work of the stages");
    const size_t fit = ((size_t)1 << 20) / (2 * w->matrices.bytes);
    w->n_buffers = fit < 1 ? 1 : fit > MAX_BUFFERS ? MAX_BUFFERS : (int)fit;
    for (int i = 0; i < w->n_buffers; i++) {
        w->a[i] = aligned_alloc(64, w->matrices.bytes);
        w->x[i] = aligned_alloc(64, w->matrices.bytes);
        if (!w->a[i] || !w->x[i])
            return LTE_FAIL(LTE_ENOMEM, "no memory for the buffers of %d matrices",
                            link->carrier.n_sc);
        memset(w->x[i], 0, w->matrices.bytes);
    }
    return LTE_OK;
}

static void check(const bench_entry *entry, work *w, outcome *result)
{
    if (!entry->run)
        return;
    bench_entry_load(entry, &w->matrices, w->a[0]);
    memset(w->flag, 0, sizeof w->flag);
    entry->run(entry, w->a[0], w->x[0], w->flag);
    for (int i = 0; i < N_MATRICES; i++)
        result->flagged += w->flag[i];
    if (entry->side != BENCH_SIDE_COPY)
        result->residual = bench_entry_residual(entry, &w->matrices, w->a[0], w->x[0]);
    result->timed = result->residual <= residual_limit && result->flagged == 0;
}

/* Microseconds for one slot's matrices. */
static double time_once(const bench_entry *entry, work *w)
{
    for (int i = 0; i < w->n_buffers; i++)
        bench_entry_load(entry, &w->matrices, w->a[i]);
    const double start = lte_seconds();
    for (int i = 0; i < w->n_buffers; i++)
        entry->run(entry, w->a[i], w->x[i], w->flag);
    return 1e6 * (lte_seconds() - start) / w->n_buffers;
}

static void measure(const bench_entry *list, int n_list, int repetitions, work *w, outcome *results)
{
    for (int i = 0; i < n_list; i++)
        check(&list[i], w, &results[i]);
    for (int r = -WARM_UP; r < repetitions; r++) {
        for (int i = 0; i < n_list; i++) {
            const int next = (i + r + WARM_UP) % n_list; /* none always follows the same one */
            if (!results[next].timed)
                continue;
            const double us = time_once(&list[next], w);
            if (r >= 0)
                w->sample[next][r] = us;
        }
    }
    for (int i = 0; i < n_list; i++)
        results[i].us = bench_percentiles_of(w->sample[i], results[i].timed ? repetitions : 0);
}

/* The fastest of one side, NAN if none was timed. */
static double best_of(bench_side side, const bench_entry *list, int n_list, const outcome *results)
{
    double best = (double)NAN;
    for (int i = 0; i < n_list; i++) {
        if (list[i].side == side && !(best <= results[i].us.median))
            best = results[i].us.median;
    }
    return best;
}

/* The fastest peer of an inverter, as documents name it: one that pivots beside one that does.
 * Eigen's inverse() pivots beyond order 4. */
static void add_peer(const bench_entry *entry, double lapack_us, double eigen_us, double mkl_us,
                     json_t *row)
{
    const int inverter = entry->link.receiver.inverter, n = entry->link.n_tx;
    const bool pivots = inverter != LTE_INVERTER_ldl && inverter != LTE_INVERTER_cholesky_delayed;
    const struct {
        const char *name;
        double us;
        bool counts;
    } peers[] = {
        {"LAPACK, partial pivoting", lapack_us, true},
        {n > 4 ? "Eigen, partial pivoting" : "Eigen, no pivoting", eigen_us, !pivots || n > 4},
        {"MKL compact, no pivoting", mkl_us, !pivots}};
    const char *name = NULL;
    double best = (double)NAN;
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        if (peers[i].counts && isfinite(peers[i].us) && !(best <= peers[i].us)) {
            best = peers[i].us;
            name = peers[i].name;
        }
    }
    if (name)
        (void)json_object_set_new(row, "peer", json_string(name));
    bench_row_real(row, "peer_us", best);
}

static void add_ratios(double us, double lapack_us, double eigen_us, double mkl_us, json_t *row)
{
    bench_row_real(row, "lapack_us", lapack_us);
    bench_row_real(row, "eigen_us", eigen_us);
    bench_row_real(row, "lapack_over_this", lapack_us / us);
    bench_row_real(row, "eigen_over_this", eigen_us / us);
    bench_row_real(row, "mkl_us", mkl_us);
    bench_row_real(row, "mkl_over_this", mkl_us / us);
}

static void add_rows(const bench_entry *list, int n_list, const outcome *results, json_t *rows)
{
    const double lapack_us = best_of(BENCH_SIDE_LAPACK, list, n_list, results);
    const double eigen_us = best_of(BENCH_SIDE_EIGEN, list, n_list, results);
    const double mkl_us = best_of(BENCH_SIDE_MKL, list, n_list, results);
    const double copy_us = best_of(BENCH_SIDE_COPY, list, n_list, results);
    for (int i = 0; i < n_list; i++) {
        const char *state = !list[i].run        ? "not built"
                            : !results[i].timed ? "wrong, not timed"
                                                : "timed";
        json_t *row = json_pack("{s:i, s:s, s:s, s:s}", "n", list[i].link.n_tx, "contender",
                                list[i].name, "code", list[i].code, "state", state);
        if (list[i].run && list[i].side != BENCH_SIDE_COPY) {
            bench_row_real(row, "residual_over_n_u_a_x", results[i].residual);
            (void)json_object_set_new(row, "flagged", json_integer(results[i].flagged));
        }
        bench_row_percentiles(row, "us", results[i].us);
        bench_row_real(row, "copy_us", copy_us);
        if (list[i].side == BENCH_SIDE_OURS)
            add_ratios(results[i].us.median, lapack_us, eigen_us, mkl_us, row);
        if (list[i].side == BENCH_SIDE_OURS)
            add_peer(&list[i], lapack_us, eigen_us, mkl_us, row);
        (void)json_array_append_new(rows, row);
    }
}

static lte_status run(const bench_options *options, json_t *rows)
{
    const int repetitions = options->quick ? 5 : 51;
    lte_status status = LTE_OK;
    (void)bench_lapack_open();
    (void)bench_mkl_open();
    for (int n = 1; n <= LTE_MAX_ORDER && !status; n++) {
        bench_entry list[BENCH_MAX_ENTRIES];
        outcome results[BENCH_MAX_ENTRIES] = {{0}};
        lte_link link;
        work *w = NULL;
        status = lte_link_init(&link, N_MATRICES, n, n, 4, LTE_CHANNEL_rayleigh, 0, 1);
        if (!status)
            status = work_create(&link, &w);
        if (!status) {
            const int n_list = bench_entries_of(&link, w->stage, list);
            measure(list, n_list, repetitions, w, results);
            add_rows(list, n_list, results, rows);
        }
        work_free(w);
    }
    return status;
}

static const bench_column columns[] = {
    {"n", "n", BENCH_CELL_COUNT},
    {"contender", "contender", BENCH_CELL_TEXT},
    {"code", "code", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", BENCH_CELL_REAL},
    {"flagged", "flagged", BENCH_CELL_COUNT},
    BENCH_TIME_COLUMNS,
    {"copy us", "copy_us", BENCH_CELL_REAL},
    {"LAPACK us", "lapack_us", BENCH_CELL_REAL},
    {"Eigen us", "eigen_us", BENCH_CELL_REAL},
    {"MKL us", "mkl_us", BENCH_CELL_REAL},
    {"LAPACK/it", "lapack_over_this", BENCH_CELL_REAL},
    {"Eigen/it", "eigen_over_this", BENCH_CELL_REAL},
    {"MKL/it", "mkl_over_this", BENCH_CELL_REAL},
};
const bench_topic bench_topic_inversion = {
    .name = "inversion",
    .group = "cpu",
    .title = "1200 inverses, one core",
    .note = "MMSE-loaded Gram matrices of Rayleigh channels at 20 dB, the same for everyone, each "
            "in its own layout; reloading the inputs is not timed, copy moves the same bytes. "
            "Eigen is built with -ffast-math, the faster of its builds counts. MKL: its compact "
            "routines cgetrfnp and cgetrinp, which do not pivot, as ldl and cholesky do not; "
            "packing is not timed. LAPACK pivots partially, gauss-jordan fully. "
            "Residual: the worst |I - A X| in units of n u |A| |X|, at most 4.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
