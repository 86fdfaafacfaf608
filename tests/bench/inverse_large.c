/* Topic inverse-large-cpu: every instruction set and LAPACK on one core, order by order. */
#include "kernels/backends/clock.h"
#include "kernels/methods/inverse.h"
#include "tests/bench/bench.h"
#include "tests/bench/large_matrices.h"
#include "tests/bench/peers.h"

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

/* NULL: LAPACK. */
static lte_status run(const lte_inverse_level *level, const batch *b)
{
    uint8_t flag[MAX_COUNT];
#ifdef BENCH_HAVE_LAPACK
    if (!level) {
        bench_lapack_invert_large(b->n, b->count, lte_inverse_rows[b->method].hermitian, b->a);
        return LTE_OK;
    }
#endif
    return lte_inverse(level, b->method, LTE_CFLOAT, b->n, b->count, b->a, b->x, flag, 1, b->work);
}

/* The worst residual of some matrices; LAPACK's lie column major, or in one triangle. */
static double check(const lte_inverse_level *level, const batch *b)
{
    const ptrdiff_t n = b->n, n2 = n * n;
    double worst = 0.0;
    for (int m = 0; m < b->count && m < 4; m++) {
        lte_cf32 *const x = (level ? b->x : b->a) + m * n2;
        for (int i = 0; i < n && !level && lte_inverse_rows[b->method].hermitian; i++) {
            for (int j = 0; j < i; j++) /* column j's row i is there */
                x[i * n + j] = (lte_cf32){x[j * n + i].re, -x[j * n + i].im};
        }
        const double r = bench_large_residual(b->n, b->start + m * n2, x);
        worst = r > worst || r != r ? r : worst;
    }
    return worst;
}

static lte_status time_of(const lte_inverse_level *level, const batch *b, double *us)
{
    memcpy(b->a, b->start, b->bytes);
    const double begin = lte_seconds();
    lte_status status = run(level, b);
    *us = 1e6 * (lte_seconds() - begin) / b->count;
    return status;
}

static lte_status run_batch(const batch *b, int repetitions, json_t *rows)
{
    const lte_inverse_level *list[MAX_ENTRIES] = {NULL};
    static double us[MAX_ENTRIES][MAX_REPETITIONS];
    double residual[MAX_ENTRIES], lapack = NAN;
    int n_list = 0;
    lte_status status = LTE_OK;
#ifdef BENCH_HAVE_LAPACK
    n_list = 1; /* the first: list[0] is NULL */
#endif
    for (int l = 0; lte_inverse_levels[l]; l++) {
        if (lte_inverse_levels[l]->usable())
            list[n_list++] = lte_inverse_levels[l];
    }
    for (int r = -1; r < repetitions && !status; r++) { /* the first one warms up */
        for (int i = 0; i < n_list && !status; i++) {
            status = time_of(list[i], b, &us[i][r < 0 ? 0 : r]);
            if (r < 0)
                residual[i] = check(list[i], b);
        }
    }
    for (int i = 0; i < n_list && !status; i++) {
        const bool hermitian = lte_inverse_rows[b->method].hermitian;
        const bench_percentiles spread = bench_percentiles_of(us[i], repetitions);
        const bool good = residual[i] <= 4.0;
        json_t *row =
            json_pack("{s:i, s:s, s:s, s:s}", "n", b->n, "method", lte_inverse_rows[b->method].name,
                      "contender", list[i] ? list[i]->name : bench_lapack_open(), "state",
                      good ? "good" : "WRONG");
        if (!row || json_array_append_new(rows, row) != 0)
            return LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
        bench_row_real(row, "residual_over_n_u_a_x", residual[i]);
        if (!good)
            continue;
        if (!list[i])
            lapack = spread.median;
        bench_row_percentiles(row, "us", spread);
        bench_row_real(row, "gflops", (hermitian ? 4e-3 : 8e-3) * pow(b->n, 3) / spread.median);
        if (list[i])
            bench_row_real(row, "lapack_over_this", lapack / spread.median);
        if (list[i] == lte_inverse_best())
            (void)json_object_set_new(row, "readme", json_true());
    }
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
            (void)bench_lapack_open();
            b.start = malloc(bytes);
            b.a = malloc(bytes);
            b.x = malloc(bytes);
            b.work = aligned_alloc(64, lte_inverse_work(1));
            if (b.start && b.a && b.x && b.work) {
                bench_large_fill(n, count, lte_inverse_rows[method].hermitian, b.start);
                status = run_batch(&b, options->quick ? 3 : MAX_REPETITIONS, rows);
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
};

const bench_topic bench_topic_inverse_large_cpu = {
    .name = "inverse-large-cpu",
    .block = "cpu",
    .title = "Inverses of order 9 to 256 on one core, complex floats",
    .note =
        "Microseconds a matrix. LAPACK: cgetrf and cgetri in place, or cpotrf and cpotri, which "
        "give one triangle. residual is |I - A X| in units of n u |A| |X|, at most 4.",
    .print = BENCH_COLUMNS(columns),
    .readme = BENCH_COLUMNS(columns),
    .run = run_topic,
};
