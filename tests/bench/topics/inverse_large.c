/* Topic inverse-large-cpu: every instruction set, LAPACK and Eigen on one core, order by order. */
#include "kernels/backends/clock.h"
#include "kernels/methods/inverse/inverse.h"
#include "kernels/cpu/stages.h"
#include "tests/bench/bench.h"
#include "tests/bench/large_matrices.h"
#include "tests/bench/peers/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPETITIONS = 21, MAX_ENTRIES = 8, MAX_COUNT = 64 };

static const int orders[] = {9, 16, 24, 32, 48, 64, 100, 128, 256};

/* The matrices of one order, and where they are inverted. */
typedef struct {
    int n, count, method;
    size_t bytes;
    lte_cf32 *start, *a, *x;
    void *work;
} batch;

typedef enum { SIDE_OURS, SIDE_LAPACK, SIDE_EIGEN, N_SIDES } side;

/* Who inverts, and what that took. */
typedef struct {
    side side;
    const char *name;
    const lte_inverse_level *level; /* ours */
    bench_invert_large_fn *peer;    /* others' */
    double residual, us[MAX_REPETITIONS];
    bench_percentiles spread;
} entry;

static entry *add(entry **end, side whose, const char *name)
{
    entry *made = (*end)++;
    *made = (entry){.side = whose, .name = name};
    return made;
}

/* list [MAX_ENTRIES]  out. Returns how many. */
static int entries_of(entry *list)
{
    entry *end = list;
#ifdef BENCH_HAVE_LAPACK
    add(&end, SIDE_LAPACK, bench_lapack_open())->peer = bench_lapack_invert_large;
#endif
#ifdef BENCH_HAVE_EIGEN
#ifdef __x86_64__
    if (lte_has_v3())
        add(&end, SIDE_EIGEN, "Eigen x86-64-v3")->peer = bench_eigen_large_v3;
    if (lte_has_v4())
        add(&end, SIDE_EIGEN, "Eigen x86-64-v4")->peer = bench_eigen_large_v4;
#else
    add(&end, SIDE_EIGEN, "Eigen")->peer = bench_eigen_large_ref;
#endif
#endif
    for (int l = 0; lte_inverse_levels[l]; l++) {
        if (lte_inverse_levels[l]->usable())
            add(&end, SIDE_OURS, lte_inverse_levels[l]->name)->level = lte_inverse_levels[l];
    }
    return (int)(end - list);
}

static lte_status run(const entry *e, const batch *b)
{
    uint8_t flag[MAX_COUNT];
    if (e->peer) {
        e->peer(b->n, b->count, lte_inverse_rows[b->method].hermitian, b->a, b->x);
        return LTE_OK;
    }
    return lte_inverse(e->level, b->method,
                       &(lte_inverse_batch){LTE_CFLOAT, b->n, b->count, b->a, b->x, flag, b->work},
                       1);
}

/* The worst residual of some matrices; LAPACK's lie in a, column major, or in one triangle. */
static double check(const entry *e, const batch *b)
{
    const ptrdiff_t n = b->n, n2 = n * n;
    const bool lapack = e->side == SIDE_LAPACK;
    double worst = 0.0;
    for (int m = 0; m < b->count && m < 4; m++) {
        lte_cf32 *const x = (lapack ? b->a : b->x) + m * n2;
        for (int i = 0; i < n && lapack && lte_inverse_rows[b->method].hermitian; i++) {
            for (int j = 0; j < i; j++) /* column j's row i is there */
                x[i * n + j] = (lte_cf32){x[j * n + i].re, -x[j * n + i].im};
        }
        const double r = bench_large_residual(b->n, b->start + m * n2, x);
        worst = r > worst || r != r ? r : worst;
    }
    return worst;
}

static lte_status time_of(const entry *e, const batch *b, double *us)
{
    memcpy(b->a, b->start, b->bytes);
    const double begin = lte_seconds();
    lte_status status = run(e, b);
    *us = 1e6 * (lte_seconds() - begin) / b->count;
    return status;
}

/* An entry's figures; best [N_SIDES]: medians of the fastest. */
static lte_status add_row(const entry *e, const batch *b, const double *best, json_t *rows)
{
    const lte_inverse_row *method = &lte_inverse_rows[b->method];
    const bool good = e->residual <= 4.0;
    json_t *row = json_pack("{s:i, s:s, s:s, s:s}", "n", b->n, "method", method->name, "contender",
                            e->name, "state", good ? "good" : "WRONG");
    if (!row || json_array_append_new(rows, row) != 0)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
    bench_row_real(row, "residual_over_n_u_a_x", e->residual);
    if (!good)
        return LTE_OK;
    bench_row_percentiles(row, "us", e->spread);
    bench_row_real(row, "gflops",
                   (method->hermitian ? 4e-3 : 8e-3) * pow(b->n, 3) / e->spread.median);
    if (e->side == SIDE_OURS) {
        bench_row_real(row, "lapack_over_this", best[SIDE_LAPACK] / e->spread.median);
        bench_row_real(row, "eigen_over_this", best[SIDE_EIGEN] / e->spread.median);
    }
    return LTE_OK;
}

static lte_status run_batch(const batch *b, int repetitions, json_t *rows)
{
    static entry list[MAX_ENTRIES];
    const int n_list = entries_of(list);
    double best[N_SIDES];
    lte_status status = LTE_OK;
    for (int r = -1; r < repetitions && !status; r++) { /* the first one warms up */
        for (int i = 0; i < n_list && !status; i++) {
            status = time_of(&list[i], b, &list[i].us[r < 0 ? 0 : r]);
            if (r < 0)
                list[i].residual = check(&list[i], b);
        }
    }
    for (int s = 0; s < N_SIDES; s++)
        best[s] = (double)NAN;
    for (int i = 0; i < n_list && !status; i++) {
        entry *e = &list[i];
        e->spread = bench_percentiles_of(e->us, repetitions);
        if (e->residual <= 4.0 && !(best[e->side] <= e->spread.median))
            best[e->side] = e->spread.median;
    }
    for (int i = 0; i < n_list && !status; i++)
        status = add_row(&list[i], b, best, rows);
    return status;
}

static lte_status run_topic(const bench_options *options, json_t *rows)
{
    lte_status status = LTE_OK;
    for (size_t o = 0; o < sizeof orders / sizeof *orders && !status; o++) {
        for (int method = 0; method < LTE_N_INVERSES && !status; method++) {
            const int n = orders[o], count = n <= 32 ? MAX_COUNT : n <= 128 ? 16 : 4;
            const size_t bytes = (size_t)count * (size_t)(n * n) * sizeof(lte_cf32);
            batch b = {.n = n, .count = count, .method = method, .bytes = bytes};
            b.start = malloc(bytes);
            b.a = malloc(bytes);
            b.x = malloc(bytes);
            b.work = aligned_alloc(64, lte_inverse_work(1));
            if (b.start && b.a && b.x && b.work) {
                bench_large_fill(n, count, lte_inverse_rows[method].hermitian, b.start);
                status = run_batch(&b, options->quick ? 1 : MAX_REPETITIONS, rows);
            } else {
                status = LTE_FAIL(LTE_ENOMEM, "no memory for matrices of order %d", n);
            }
            free(b.start);
            free(b.a);
            free(b.x);
            free(b.work);
        }
    }
    return status;
}

static const bench_column columns[] = {
    {"n", "n", BENCH_CELL_COUNT},
    {"method", "method", BENCH_CELL_TEXT},
    {"contender", "contender", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", BENCH_CELL_REAL},
    BENCH_TIME_COLUMNS,
    {"GFLOP/s", "gflops", BENCH_CELL_REAL},
    {"LAPACK/it", "lapack_over_this", BENCH_CELL_REAL},
    {"Eigen/it", "eigen_over_this", BENCH_CELL_REAL},
};

const bench_topic bench_topic_inverse_large_cpu = {
    .name = "inverse-large-cpu",
    .group = "cpu",
    .title = "Inverses of order 9 to 256 on one core, complex floats",
    .note =
        "Microseconds a matrix. LAPACK: cgetrf and cgetri in place, or cpotrf and cpotri, which "
        "give one triangle. Eigen: partialPivLu().inverse(), or llt().solve() of the identity, the "
        "faster of its builds in the ratio. residual is |I - A X| in units of n u |A| |X|, at "
        "most 4.",
    .print = BENCH_COLUMNS(columns),
    .run = run_topic,
};
