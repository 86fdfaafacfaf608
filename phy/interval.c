/* Intervals of error rates over clusters, from exact integer sums. */
#include "phy/interval.h"

#include <assert.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

void lte_error_count_add(lte_error_count *error_count, uint64_t bits, uint64_t errors)
{
    assert(error_count->clusters == 0 || error_count->cluster_bits == bits);
    assert(errors <= bits);
    error_count->cluster_bits = bits;
    error_count->clusters++;
    error_count->errors += errors;
    error_count->errors2 += (lte_u128)errors * errors;
}

/*
 * Rate, SE and the symmetric interval over n >= 2 clusters of m bits, where
 * variance_sum = n sum e^2 - (sum e)^2, exact in whole numbers:
 *
 *     SE^2 = variance_sum / ((n - 1) (n m)^2)
 */
static lte_interval ratio_interval(uint64_t clusters, uint64_t cluster_bits, double sum,
                                   lte_u128 variance_sum)
{
    double bits = (double)clusters * (double)cluster_bits;
    double degrees = (double)(clusters - 1);
    lte_interval interval = {.known = true, .rate = sum / bits};
    interval.se = sqrt((double)variance_sum / degrees) / bits;
    double half = gsl_cdf_tdist_Pinv(0.975, degrees) * interval.se;
    interval.low = interval.rate - half;
    interval.high = interval.rate + half;
    return interval;
}

static lte_interval unknown_interval(void)
{
    double nan = (double)NAN;
    return (lte_interval){.low = nan, .high = nan, .se = nan};
}

lte_interval lte_interval_of(const lte_error_count *error_count)
{
    lte_interval interval = unknown_interval();
    uint64_t n = error_count->clusters;
    if (n == 0)
        return interval;
    if (error_count->errors == 0) {
        interval.no_error = true;
        interval.low = 0.0;
        interval.high = -expm1(log(0.05) / (double)n);
        return interval;
    }
    if (n == 1) {
        interval.rate = (double)error_count->errors / (double)error_count->cluster_bits;
        return interval;
    }
    lte_u128 variance_sum =
        n * error_count->errors2 - (lte_u128)error_count->errors * error_count->errors;
    interval =
        ratio_interval(n, error_count->cluster_bits, (double)error_count->errors, variance_sum);
    if (interval.low <= 0.0) {
        double p = interval.rate;
        double odds = p / (1.0 - p);
        double shift = (interval.high - p) / (p * (1.0 - p));
        interval.low = odds / (odds + exp(shift));
        interval.high = odds / (odds + exp(-shift));
    }
    if (interval.high > 1.0)
        interval.high = 1.0;
    return interval;
}

lte_interval lte_interval_paired(uint64_t clusters, uint64_t cluster_bits, int64_t sum_d,
                                 lte_u128 sum_d2)
{
    if (clusters >= 2) {
        lte_u128 variance_sum = clusters * sum_d2 - (lte_u128)((lte_i128)sum_d * sum_d);
        return ratio_interval(clusters, cluster_bits, (double)sum_d, variance_sum);
    }
    lte_interval interval = unknown_interval();
    if (clusters == 1)
        interval.rate = (double)sum_d / (double)cluster_bits;
    return interval;
}
