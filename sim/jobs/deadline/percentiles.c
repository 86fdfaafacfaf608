/* Percentiles by nearest rank. */
#include "sim/jobs/deadline/percentiles.h"

#include <math.h>
#include <stdlib.h>

double lte_nearest_rank(const float *x, int64_t n, double q)
{
    /* 1e-9: a product that should be whole may come out a rounding above */
    int64_t rank = (int64_t)ceil(q * (double)n - 1e-9);
    rank = rank < 1 ? 1 : rank > n ? n : rank;
    return (double)x[rank - 1];
}

bool lte_quantile_holds(double q, int64_t n)
{
    return (1.0 - q) * (double)n >= 10.0 - 1e-9;
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

lte_percentiles lte_percentiles_of(float *x, int n)
{
    lte_percentiles p;
    double sum = 0.0;
    qsort(x, (size_t)n, sizeof *x, ascending);
    for (int i = 0; i < n; i++)
        sum += (double)x[i];
    p.p50_us = lte_nearest_rank(x, n, 0.5);
    p.p99_us = lte_nearest_rank(x, n, 0.99);
    p.p999_us = lte_nearest_rank(x, n, 0.999);
    p.max_us = (double)x[n - 1];
    p.mean_us = sum / n;
    return p;
}

lte_quantiles lte_quantiles_of(float *x, int64_t n)
{
    lte_quantiles q = {NAN, NAN, NAN};
    if (n > 0) {
        qsort(x, (size_t)n, sizeof *x, ascending);
        q.p50 = lte_nearest_rank(x, n, 0.5);
        q.p99 = lte_nearest_rank(x, n, 0.99);
        q.max = (double)x[n - 1];
    }
    return q;
}
