#ifndef LTE_SIM_JOBS_PERCENTILES_H
#define LTE_SIM_JOBS_PERCENTILES_H
/*
 * Percentiles of measured values, by nearest rank.
 *
 *     lte_percentiles slot = lte_percentiles_of(latency_us, n);     // sorts them
 */

#include <stdbool.h>
#include <stdint.h>

/* Microseconds. */
typedef struct {
    double p50_us, p99_us, p999_us, max_us, mean_us;
} lte_percentiles;

/* Something without a unit. */
typedef struct {
    double p50, p99, max;
} lte_quantiles;

/* Value of rank ceil(q n) of ascending x [n], n >= 1, 0 < q <= 1 (nearest rank). */
double lte_nearest_rank(const float *x, int64_t n, double q);

/*
 * True if at least ten of n values are expected beyond quantile q: with fewer a percentile says
 * what happened to a value or two, and the count of late ones and the slowest say it better.
 */
bool lte_quantile_holds(double q, int64_t n);

/* Sorts x [n], n >= 1, and takes its percentiles. */
lte_percentiles lte_percentiles_of(float *x, int n);

/* The same without a unit; n may be 0, which gives NAN. */
lte_quantiles lte_quantiles_of(float *x, int64_t n);

#endif
