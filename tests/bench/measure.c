#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double lte_now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_spread bench_spread_of(double *sample, int n)
{
    if (n < 1)
        return (bench_spread){0, (double)NAN, (double)NAN, (double)NAN};
    qsort(sample, (size_t)n, sizeof *sample, ascending);
    return (bench_spread){n, lte_percentile(sample, n, 0.5), sample[0], sample[n - 1]};
}

double lte_percentile(const double *sorted, int n, double p)
{
    int rank = (int)ceil(p * n - 1e-9);
    rank = rank < 1 ? 1 : rank > n ? n : rank;
    return sorted[rank - 1];
}

void lte_row_real(json_t *row, const char *key, double value)
{
    if (isfinite(value))
        (void)json_object_set_new(row, key, json_real(value));
}

void bench_row_spread(json_t *row, const char *unit, bench_spread spread)
{
    char key[64];
    if (spread.samples > 0)
        (void)json_object_set_new(row, "samples", json_integer(spread.samples));
    (void)snprintf(key, sizeof key, "median_%s", unit);
    lte_row_real(row, key, spread.median);
    (void)snprintf(key, sizeof key, "min_%s", unit);
    lte_row_real(row, key, spread.min);
    (void)snprintf(key, sizeof key, "max_%s", unit);
    lte_row_real(row, key, spread.max);
}

void lte_row_goal(json_t *row, double figure, double required, double goal, bool at_least)
{
    const double sign = at_least ? 1.0 : -1.0;
    lte_row_real(row, "required", required);
    lte_row_real(row, "goal", goal);
    if (isfinite(figure)) {
        const char *verdict = sign * figure >= sign * goal       ? "goal"
                              : sign * figure >= sign * required ? "required"
                                                                 : "MISSED";
        (void)json_object_set_new(row, "reached", json_string(verdict));
    }
}
