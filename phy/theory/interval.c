/* Intervals of error rates over clusters, from exact integer sums. */
#include "phy/theory/interval.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

void lte_error_count_add(lte_error_count *error_count, uint64_t bits, uint64_t errors)
{
    const lte_error_count one = {.clusters = 1,
                                 .cluster_bits = bits,
                                 .errors = errors,
                                 .errors2 = (lte_u128)errors * errors};
    assert(errors <= bits);
    lte_error_count_join(error_count, &one);
}

void lte_error_count_join(lte_error_count *error_count, const lte_error_count *other)
{
    if (other->clusters == 0)
        return;
    assert(error_count->clusters == 0 || error_count->cluster_bits == other->cluster_bits);
    error_count->cluster_bits = other->cluster_bits;
    error_count->clusters += other->clusters;
    error_count->errors += other->errors;
    error_count->errors2 += other->errors2;
    error_count->parts = other->parts;
    error_count->least = other->least;
    error_count->bits += other->bits;
    error_count->bits2 += other->bits2;
    error_count->cross += other->cross;
}

uint64_t lte_error_count_bits(const lte_error_count *error_count)
{
    return error_count->parts > 1 ? error_count->bits
                                  : error_count->clusters * error_count->cluster_bits;
}

/* Terms that carry a sum of terms >= 0, at least 2. */
static double carriers(double sum, double sum2)
{
    const double m = sum2 > 0.0 ? sum * sum / sum2 : 0.0;
    return m > 2.0 ? m : 2.0;
}

double lte_error_count_carriers(const lte_error_count *error_count)
{
    return carriers((double)error_count->errors, (double)error_count->errors2);
}

/*
 * Rate and SE over n >= 2 clusters of b bits, where variance_sum = n sum e^2 - (sum e)^2, exact in
 * whole numbers:
 *
 *     SE^2 = variance_sum / ((n - 1) (n b)^2)
 */
static lte_interval ratio_of(uint64_t clusters, uint64_t cluster_bits, double sum,
                             lte_u128 variance_sum, double m)
{
    const double bits = (double)clusters * (double)cluster_bits;
    lte_interval interval = {.known = true, .rate = sum / bits, .degrees = m - 1.0};
    interval.se = sqrt((double)variance_sum / (double)(clusters - 1)) / bits;
    return interval;
}

/*
 * Sum (x - r y)^2 over clusters, from sums of xx, xy and yy; what rounding leaves of 0 is 0.
 */
static double residual2(double xx, double xy, double yy, double r)
{
    static const double rounding = 1e-12;
    const double sum = xx - 2.0 * r * xy + r * r * yy;
    return sum > rounding * xx ? sum : 0.0;
}

/* Rate and SE over n >= 2 clusters of unequal size. */
static lte_interval unequal_ratio(const lte_error_count *c)
{
    const double n = (double)c->clusters, bits = (double)c->bits;
    lte_interval interval = {.known = true,
                             .rate = (double)c->errors / bits,
                             .degrees = lte_error_count_carriers(c) - 1.0};
    const double sum =
        residual2((double)c->errors2, (double)c->cross, (double)c->bits2, interval.rate);
    interval.se = sqrt(n / (n - 1.0) * sum) / bits;
    return interval;
}

static lte_interval unknown_interval(void)
{
    const double nan = (double)NAN;
    return (lte_interval){.low = nan, .high = nan, .se = nan, .degrees = nan};
}

double lte_interval_bound(const lte_error_count *error_count, uint64_t n)
{
    return -expm1(log(0.05) / ((double)error_count->clusters * (double)n));
}

/* The ends p exp(+- t SE / p) of a rate above 0; high is 1 at most, but of a p that is more. */
static void set_ends(lte_interval *interval)
{
    const double p = interval->rate;
    const double factor = exp(gsl_cdf_tdist_Pinv(0.975, interval->degrees) * interval->se / p);
    interval->low = p / factor;
    interval->high = p * factor < 1.0 || p > 1.0 ? p * factor : 1.0;
}

/*
 * Narrows the interval of few clusters that carry the errors to what the number K of clusters with
 * errors says by itself, of which no more is known than these ends.
 */
static void narrow_by_clusters(const lte_error_count *c, lte_interval *interval)
{
    enum { FEW = 10 };
    const double n = (double)c->clusters, most = (double)c->cluster_bits;
    const double least = (double)c->least, sum = (double)c->errors;
    const double mean = (double)lte_error_count_bits(c) / n;
    if (c->least == 0 || lte_error_count_carriers(c) >= FEW)
        return;
    const double k_most = fmin(floor(sum / least), n);
    const double k_least = ceil(sum * sum / (double)c->errors2 * (1.0 - 1e-12));
    const double low = gsl_cdf_beta_Pinv(0.025, k_least, n - k_least + 1.0) * least / most;
    interval->low = fmax(interval->low, low);
    if (k_most < n)
        interval->high =
            fmin(interval->high, gsl_cdf_beta_Pinv(0.975, k_most + 1.0, n - k_most) * most / mean);
}

/* Whether errors are more than half of what they are counted of, but not more than all of it. */
static bool is_mostly_wrong(const lte_error_count *error_count)
{
    const uint64_t bits = lte_error_count_bits(error_count);
    return error_count->errors > bits / 2 && error_count->errors <= bits;
}

/* The count of what is no error. */
static lte_error_count rest_of(const lte_error_count *error_count)
{
    const bool unequal = error_count->parts > 1;
    const lte_u128 b = error_count->cluster_bits, n = error_count->clusters;
    const lte_u128 bits2 = unequal ? error_count->bits2 : n * b * b;
    const lte_u128 cross = unequal ? error_count->cross : b * error_count->errors;
    lte_error_count rest = *error_count;
    rest.errors = lte_error_count_bits(error_count) - error_count->errors;
    rest.errors2 = bits2 + error_count->errors2 - 2 * cross;
    rest.cross = unequal ? bits2 - cross : 0;
    return rest;
}

/* The interval of a rate from that of the rest, over two clusters or more. */
static lte_interval interval_of_rest(const lte_error_count *error_count)
{
    const lte_error_count rest = rest_of(error_count);
    lte_interval interval = lte_interval_of(&rest);
    const double low = 1.0 - interval.high;
    interval.rate = 1.0 - interval.rate;
    interval.high = 1.0 - interval.low;
    interval.low = low;
    if (interval.no_error) {
        interval.no_error = false;
        interval.known = true;
        interval.se = 0.0;
        interval.degrees = lte_error_count_carriers(error_count) - 1.0;
    }
    return interval;
}

lte_interval lte_interval_of(const lte_error_count *error_count)
{
    const uint64_t n = error_count->clusters;
    lte_interval interval = unknown_interval();
    if (n == 0)
        return interval;
    if (error_count->errors == 0) {
        interval.no_error = true;
        interval.low = 0.0;
        interval.high = lte_interval_bound(error_count, 1);
        return interval;
    }
    if (n == 1) {
        interval.rate = (double)error_count->errors / (double)lte_error_count_bits(error_count);
        return interval;
    }
    if (is_mostly_wrong(error_count))
        return interval_of_rest(error_count);
    if (error_count->parts > 1) {
        interval = unequal_ratio(error_count);
    } else {
        const lte_u128 variance_sum =
            n * error_count->errors2 - (lte_u128)error_count->errors * error_count->errors;
        interval = ratio_of(n, error_count->cluster_bits, (double)error_count->errors, variance_sum,
                            lte_error_count_carriers(error_count));
    }
    const double parts = error_count->parts > 1 ? (double)error_count->parts : 1.0;
    const double p = interval.rate, bits = (double)lte_error_count_bits(error_count) / parts;
    if (!(interval.se > 0.0))
        interval.se = sqrt(p * (1.0 - p) / bits);
    set_ends(&interval);
    narrow_by_clusters(error_count, &interval);
    return interval;
}

double lte_interval_precision(const lte_interval *interval)
{
    return interval->known ? log(interval->rate / interval->low) : (double)INFINITY;
}

bool lte_error_count_is_within(const lte_error_count *error_count, double precision)
{
    static const double least_t = 1.959963; /* of any number of degrees */
    const double n = (double)error_count->clusters, m = lte_error_count_carriers(error_count);
    const bool equal =
        error_count->parts <= 1 && error_count->least == 0 && !is_mostly_wrong(error_count);
    if (error_count->errors == 0 || n < 2.0 ||
        (equal && least_t * sqrt((n / m - 1.0) / n) > precision))
        return false; /* told without a quantile: it is asked after every round */
    const lte_interval interval = lte_interval_of(error_count);
    return lte_interval_precision(&interval) <= precision;
}

lte_interval lte_interval_from_ends(double rate, double low, double high, double clusters)
{
    enum { MOST_STEPS = 100 };
    const double rarer = rate > 0.5 ? 1.0 - rate : rate, n = clusters > 2.0 ? clusters : 2.0;
    const double width = rate > 0.5 ? log((1.0 - low) / rarer) : log(rate / low);
    double least = 2.0, most = n;
    for (int i = 0; i < MOST_STEPS && most - least > 1e-12 * most; i++) {
        const double m = 0.5 * (least + most);
        const double here = gsl_cdf_tdist_Pinv(0.975, m - 1.0) * sqrt((n / m - 1.0) / (n - 1.0));
        if (here > width)
            least = m;
        else
            most = m;
    }
    lte_interval interval = {.known = width > 0.0, .rate = rate, .low = low, .high = high};
    interval.degrees = least - 1.0;
    interval.se = rarer * width / gsl_cdf_tdist_Pinv(0.975, interval.degrees);
    return interval;
}

/* The normal quantile of the probability that Student's t has of being below t; within +- 38. */
static double normal_of_t(double t, double degrees)
{
    const double tail = gsl_cdf_tdist_P(-fabs(t), degrees);
    const double z = gsl_cdf_ugaussian_Pinv(tail > DBL_MIN ? tail : DBL_MIN);
    return t < 0.0 ? z : -z;
}

double lte_interval_z(const lte_interval *interval, double p0)
{
    if (!interval->known || !(interval->se > 0.0))
        return (double)NAN;
    const double p = interval->rate;
    const double t = p > 0.5 ? log((1.0 - p0) / (1.0 - p)) * (1.0 - p) : log(p / p0) * p;
    return normal_of_t(t / interval->se, interval->degrees);
}

double lte_interval_paired_z(const lte_interval *difference)
{
    if (!difference->known || !(difference->se > 0.0))
        return difference->known && difference->rate == 0.0 ? 0.0 : (double)NAN;
    return normal_of_t(difference->rate / difference->se, difference->degrees);
}

uint64_t lte_clusters_in_group(uint64_t first, uint64_t n, int k)
{
    const uint64_t from_first = ((uint64_t)k + LTE_N_GROUPS - first % LTE_N_GROUPS) % LTE_N_GROUPS;
    return n / LTE_N_GROUPS + (from_first < n % LTE_N_GROUPS);
}

static double sum_of_groups(const double *of)
{
    double sum = 0.0;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        sum += of[k];
    return sum;
}

lte_interval lte_interval_of_groups(const double *a, const double *bits_a, const double *b,
                                    const double *bits_b)
{
    const double all_a = sum_of_groups(bits_a), all_b = sum_of_groups(bits_b);
    const double rate_a = sum_of_groups(a) / all_a, rate_b = sum_of_groups(b) / all_b;
    double n = 0.0, sum_abs = 0.0, sum2 = 0.0, spread2 = 0.0;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        n += bits_a[k] > 0.0 || bits_b[k] > 0.0;
    if (n < 2.0)
        return (lte_interval){.rate = rate_b - rate_a, .low = NAN, .high = NAN, .se = NAN};
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        if (!(bits_a[k] > 0.0 || bits_b[k] > 0.0))
            continue;
        const double z = (b[k] - rate_b * bits_b[k]) / all_b - (a[k] - rate_a * bits_a[k]) / all_a;
        const double d = n * z + (rate_b - rate_a);
        sum_abs += fabs(d);
        sum2 += d * d;
        spread2 += z * z;
    }
    lte_interval interval = {.known = true, .rate = rate_b - rate_a};
    interval.se = sqrt(spread2 * n / (n - 1.0));
    interval.degrees = carriers(sum_abs, sum2) - 1.0;
    const double half = gsl_cdf_tdist_Pinv(0.975, interval.degrees) * interval.se;
    interval.low = interval.rate - half;
    interval.high = interval.rate + half;
    return interval;
}

void lte_difference_add(lte_difference *difference, int64_t d)
{
    const lte_difference one = {.sum = d,
                                .sum_abs = (uint64_t)(d < 0 ? -d : d),
                                .sum2 = (lte_u128)((lte_i128)d * d),
                                .sum2_up = d > 0 ? (lte_u128)((lte_i128)d * d) : 0};
    lte_difference_join(difference, &one);
}

void lte_difference_join(lte_difference *difference, const lte_difference *other)
{
    difference->sum += other->sum;
    difference->sum_abs += other->sum_abs;
    difference->sum2 += other->sum2;
    difference->sum2_up += other->sum2_up;
}

/* The ends of what one of two detectors has more, by m clusters; of nothing they are 0. */
static lte_interval interval_of_part(uint64_t clusters, uint64_t cluster_bits, uint64_t sum,
                                     lte_u128 sum2, double m)
{
    if (sum == 0)
        return (lte_interval){.rate = 0.0};
    lte_interval part =
        ratio_of(clusters, cluster_bits, (double)sum, clusters * sum2 - (lte_u128)sum * sum, m);
    set_ends(&part);
    return part;
}

/* Two counts that differ in no cluster. */
static lte_interval no_difference(uint64_t clusters)
{
    const lte_error_count none = {.clusters = clusters};
    const double bound = lte_interval_bound(&none, 1);
    return (lte_interval){.known = true, .low = -bound, .high = bound, .degrees = 1.0};
}

lte_interval lte_interval_paired(uint64_t clusters, uint64_t cluster_bits, const lte_difference *d)
{
    lte_interval interval = unknown_interval();
    if (clusters == 1)
        interval.rate = (double)d->sum / (double)cluster_bits;
    if (clusters < 2)
        return interval;
    if (d->sum_abs == 0)
        return no_difference(clusters);
    const uint64_t up = (uint64_t)((lte_i128)d->sum_abs + d->sum) / 2, down = d->sum_abs - up;
    const lte_u128 up2 = d->sum2_up, down2 = d->sum2 - d->sum2_up;
    const double m = carriers((double)d->sum_abs, (double)d->sum2);
    const double m_up = up < down ? m : carriers((double)up, (double)up2);
    const double m_down = up < down ? carriers((double)down, (double)down2) : m;
    const lte_interval p = interval_of_part(clusters, cluster_bits, up, up2, m_up);
    const lte_interval n = interval_of_part(clusters, cluster_bits, down, down2, m_down);
    interval = ratio_of(clusters, cluster_bits, (double)d->sum,
                        clusters * d->sum2 - (lte_u128)((lte_i128)d->sum * d->sum), m);
    interval.low = interval.rate - hypot(p.rate - p.low, n.high - n.rate);
    interval.high = interval.rate + hypot(p.high - p.rate, n.rate - n.low);
    return interval;
}

void lte_paired_count_add(lte_paired_count *count, const uint64_t errors[2], const uint64_t bits[2])
{
    lte_paired_count one = {.clusters = 1};
    for (int i = 0; i < 2; i++) {
        one.errors[i] = errors[i];
        one.bits[i] = bits[i];
        one.ee[i] = (lte_u128)errors[i] * errors[i];
        one.eb[i] = (lte_u128)errors[i] * bits[i];
        one.bb[i] = (lte_u128)bits[i] * bits[i];
    }
    one.e0e1 = (lte_u128)errors[0] * errors[1];
    one.e0b1 = (lte_u128)errors[0] * bits[1];
    one.b0e1 = (lte_u128)bits[0] * errors[1];
    one.b0b1 = (lte_u128)bits[0] * bits[1];
    lte_paired_count_join(count, &one);
}

void lte_paired_count_join(lte_paired_count *count, const lte_paired_count *other)
{
    count->clusters += other->clusters;
    for (int i = 0; i < 2; i++) {
        count->errors[i] += other->errors[i];
        count->bits[i] += other->bits[i];
        count->ee[i] += other->ee[i];
        count->eb[i] += other->eb[i];
        count->bb[i] += other->bb[i];
    }
    count->e0e1 += other->e0e1;
    count->e0b1 += other->e0b1;
    count->b0e1 += other->b0e1;
    count->b0b1 += other->b0b1;
}

lte_interval lte_interval_paired_unequal(const lte_paired_count *c, const lte_difference *d)
{
    lte_interval interval = unknown_interval();
    const double n = (double)c->clusters, bits[2] = {(double)c->bits[0], (double)c->bits[1]};
    const double r[2] = {(double)c->errors[0] / bits[0], (double)c->errors[1] / bits[1]};
    if (c->clusters == 0 || c->bits[0] == 0 || c->bits[1] == 0)
        return interval;
    interval.rate = r[0] - r[1];
    if (c->clusters < 2)
        return interval;
    if (d->sum_abs == 0) { /* of errors: of blocks there may be one */
        lte_interval none = no_difference(c->clusters);
        none.rate = interval.rate;
        none.low += none.rate;
        none.high += none.rate;
        return none;
    }
    double own = 0.0;
    for (int i = 0; i < 2; i++)
        own += residual2((double)c->ee[i], (double)c->eb[i], (double)c->bb[i], r[i]) /
               (bits[i] * bits[i]);
    const double both = ((double)c->e0e1 - r[0] * (double)c->b0e1 - r[1] * (double)c->e0b1 +
                         r[0] * r[1] * (double)c->b0b1) /
                        (bits[0] * bits[1]);
    interval.known = true;
    interval.se = sqrt(n / (n - 1.0) * fmax(own - 2.0 * both, 0.0));
    interval.degrees = carriers((double)d->sum_abs, (double)d->sum2) - 1.0;
    const double half = gsl_cdf_tdist_Pinv(0.975, interval.degrees) * interval.se;
    interval.low = interval.rate - half;
    interval.high = interval.rate + half;
    return interval;
}
