/* Figures out of samples, and rows out of figures. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_percentiles bench_percentiles_of(double *sample, int n)
{
    if (n < 1)
        return (bench_percentiles){0, (double)NAN, (double)NAN, (double)NAN};
    qsort(sample, (size_t)n, sizeof *sample, ascending);
    return (bench_percentiles){n, bench_percentile(sample, n, 0.5), sample[0], sample[n - 1]};
}

double bench_percentile(const double *sorted, int n, double p)
{
    int rank = (int)ceil(p * n - 1e-9);
    rank = rank < 1 ? 1 : rank > n ? n : rank;
    return sorted[rank - 1];
}

void bench_row_real(json_t *row, const char *key, double value)
{
    if (isfinite(value))
        (void)json_object_set_new(row, key, json_real(value));
}

void bench_row_percentiles(json_t *row, const char *unit, bench_percentiles spread)
{
    char key[64];
    if (spread.samples > 0)
        (void)json_object_set_new(row, "samples", json_integer(spread.samples));
    (void)snprintf(key, sizeof key, "median_%s", unit);
    bench_row_real(row, key, spread.median);
    (void)snprintf(key, sizeof key, "min_%s", unit);
    bench_row_real(row, key, spread.min);
    (void)snprintf(key, sizeof key, "max_%s", unit);
    bench_row_real(row, key, spread.max);
}
