/* Intervals of clustered error counts against hand calculation, Student's t and simulation. */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "phy/theory/interval.h"
#include "tests/lib/random.h"

static lte_error_count error_count_of(uint64_t cluster_bits, int n, const uint64_t *errors)
{
    lte_error_count error_count = {0};
    for (int i = 0; i < n; i++)
        lte_error_count_add(&error_count, cluster_bits, errors[i]);
    return error_count;
}

/*
 * The probability that Student's t with nu degrees is below x, by Simpson's rule over its density
 * in u = atan(x / sqrt(nu)): cos(u)^(nu - 1) over its integral.
 */
static double student_below(double x, double nu)
{
    enum { STEPS = 20000 };
    const double from = -0.5 * M_PI, ends[2] = {atan(x / sqrt(nu)), 0.5 * M_PI};
    double integral[2];
    for (int k = 0; k < 2; k++) {
        const double step = (ends[k] - from) / STEPS;
        double sum = 0.0;
        for (int i = 0; i <= STEPS; i++) {
            const double c = cos(from + i * step);
            const double weight = i == 0 || i == STEPS ? 1.0 : i % 2 ? 4.0 : 2.0;
            sum += c > 0.0 ? weight * pow(c, nu - 1.0) : 0.0;
        }
        integral[k] = sum * step / 3.0;
    }
    return integral[0] / integral[1];
}

/* Student's t that an end of an interval stands for. */
static double end_in_errors(const lte_interval *ber, double end)
{
    return log(end / ber->rate) * ber->rate / ber->se;
}

static void hand_example_comes_out(void **state)
{
    (void)state;
    static const uint64_t errors[] = {1, 2, 3, 2}; /* sum 8, sum of squares 18 */
    lte_error_count error_count = error_count_of(10, 4, errors);
    assert_int_equal(error_count.clusters, 4);
    assert_int_equal(error_count.cluster_bits, 10);
    assert_int_equal(error_count.errors, 8);
    assert_true(error_count.errors2 == 18);
    assert_near(lte_error_count_carriers(&error_count), 64.0 / 18.0, 1e-15);
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(ber.known && !ber.no_error);
    assert_near(ber.rate, 0.2, 1e-16);
    assert_near(ber.se, sqrt(1.0 / 600.0), 1e-16);
    assert_near(ber.degrees, 46.0 / 18.0, 1e-15);
    assert_near(student_below(end_in_errors(&ber, ber.high), 46.0 / 18.0), 0.975, 1e-7);
    assert_near(ber.low * ber.high, ber.rate * ber.rate, 1e-15);
}

/* t_{1, 0.975} = tan(0.475 pi); t_{2, 0.975} = 0.95 sqrt(2 / (1 - 0.95^2)). */
static void width_follows_student_t(void **state)
{
    (void)state;
    static const uint64_t errors[] = {400000, 400001, 400002};
    lte_error_count error_count = error_count_of(1000000, 2, errors);
    lte_interval two = lte_interval_of(&error_count);
    assert_near(end_in_errors(&two, two.high), tan(0.475 * M_PI), 1e-8);
    error_count = error_count_of(1000000, 3, errors);
    lte_interval three = lte_interval_of(&error_count);
    assert_near(end_in_errors(&three, three.high), 0.95 * sqrt(2.0 / 0.0975), 1e-8);
    for (int i = 0; i < 20; i++) { /* 3 million clusters: the normal quantile */
        error_count.clusters *= 2;
        error_count.errors *= 2;
        error_count.errors2 *= 2;
    }
    lte_interval many = lte_interval_of(&error_count);
    assert_near(end_in_errors(&many, many.high), 1.959963984540, 1e-4);
}

/* A thousand clusters, two of them with all errors but a few: hardly more than two samples. */
static void few_clusters_that_carry_the_errors_are_few_samples(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    for (int i = 0; i < 1000; i++)
        lte_error_count_add(&error_count, 1000, i < 2 ? 400 : i % 20 == 0);
    const double sum = 849.0, sum2 = 2 * 160000.0 + 49.0;
    lte_interval ber = lte_interval_of(&error_count);
    assert_near(lte_error_count_carriers(&error_count), sum * sum / sum2, 1e-12);
    assert_near(ber.degrees, sum * sum / sum2 - 1.0, 1e-12);
    assert_near(student_below(end_in_errors(&ber, ber.high), ber.degrees), 0.975, 1e-5);
    error_count = (lte_error_count){0};
    assert_near(lte_error_count_carriers(&error_count), 2.0, 0.0);
    lte_error_count_add(&error_count, 10, 7);
    lte_error_count_add(&error_count, 10, 0);
    assert_near(lte_error_count_carriers(&error_count), 2.0, 0.0);
}

/* Every cluster is all right or all wrong: as good as one bit per cluster. */
static void bits_of_a_cluster_are_not_independent(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    for (int i = 0; i < 1003; i++)
        lte_error_count_add(&error_count, 1000, i % 4 == 0 ? 1000 : 0);
    lte_interval ber = lte_interval_of(&error_count);
    double p = 251.0 / 1003.0;
    assert_near(ber.rate, p, 1e-15);
    assert_near(ber.se, sqrt(p * (1.0 - p) / 1002.0), 1e-15);
}

static void ends_are_a_factor_off_the_rate(void **state)
{
    (void)state;
    static const uint64_t errors[] = {1, 3};
    lte_error_count error_count = error_count_of(1u << 20, 2, errors);
    lte_interval ber = lte_interval_of(&error_count);
    double p = 2.0 / (1 << 20), factor = exp(12.706204736175 * 0.5);
    assert_true(ber.known);
    assert_near(ber.se, 0.5 * p, 1e-15 * p);
    assert_near(ber.low, p / factor, 1e-9 * p);
    assert_near(ber.high, p * factor, 1e-9 * p * factor);
    static const uint64_t few[] = {0, 0, 0, 0, 0, 0, 0, 1};
    error_count = error_count_of(1u << 20, 8, few);
    ber = lte_interval_of(&error_count);
    assert_true(ber.low > 0.0 && ber.low < ber.rate && ber.rate < ber.high && ber.high <= 1.0);
}

/* Student's t and SE come back from the ends, in the seven digits that a table has of them. */
static void ends_tell_what_they_are_made_of(void **state)
{
    static const uint64_t few[][4] = {{1, 2, 3, 2}, {0, 0, 0, 7}, {5, 0, 0, 1}, {9, 1, 0, 9}};
    (void)state;
    for (int i = 0; i < 5 + 4; i++) {
        lte_error_count count = i < 4 ? error_count_of(1000, 4, few[i]) : (lte_error_count){0};
        for (uint64_t k = 0; i >= 4 && k < 1003; k++) /* one in 1, 4, 16 ... has errors */
            lte_error_count_add(&count, 1000, k % (1u << 2 * (i - 4)) == 0 ? k % 7 + 1 : 0);
        const lte_interval of = lte_interval_of(&count);
        char digits[3][32];
        (void)snprintf(digits[0], sizeof digits[0], "%.6e", of.rate);
        (void)snprintf(digits[1], sizeof digits[1], "%.6e", of.low);
        (void)snprintf(digits[2], sizeof digits[2], "%.6e", of.high);
        const lte_interval from =
            lte_interval_from_ends(strtod(digits[0], NULL), strtod(digits[1], NULL),
                                   strtod(digits[2], NULL), (double)count.clusters);
        assert_true(from.known && of.known);
        assert_near(from.se, of.se, 2e-4 * of.se);
        assert_near(from.degrees, of.degrees, 1e-3 * of.degrees);
        assert_near(lte_interval_z(&from, 2.0 * of.rate), lte_interval_z(&of, 2.0 * of.rate), 5e-3);
    }
}

/* Clusters of unequal size in twelfths, against the formulas as they are written. */
static void unequal_clusters_are_a_ratio(void **state)
{
    enum { N = 7 };
    static const uint64_t errors[2][N] = {{12, 0, 96, 30, 24, 8, 60}, {24, 12, 84, 42, 36, 0, 72}};
    static const uint64_t bits[2][N] = {{672, 660, 420, 600, 640, 672, 500},
                                        {660, 640, 440, 580, 610, 672, 470}};
    double sum_e[2] = {0}, sum_b[2] = {0}, spread[2] = {0}, both = 0.0, sum_abs = 0.0, sum_d2 = 0.0;
    (void)state;
    for (int d = 0; d < 2; d++) {
        lte_error_count count = {.clusters = N, .cluster_bits = 672, .parts = 12};
        for (int i = 0; i < N; i++) {
            count.errors += errors[d][i];
            count.errors2 += (lte_u128)errors[d][i] * errors[d][i];
            count.bits += bits[d][i];
            count.bits2 += (lte_u128)bits[d][i] * bits[d][i];
            count.cross += (lte_u128)errors[d][i] * bits[d][i];
            sum_e[d] += (double)errors[d][i];
            sum_b[d] += (double)bits[d][i];
        }
        const double p = sum_e[d] / sum_b[d];
        for (int i = 0; i < N; i++)
            spread[d] += pow((double)errors[d][i] - p * (double)bits[d][i], 2.0);
        const lte_interval of = lte_interval_of(&count);
        assert_true(of.known);
        assert_near(of.rate, p, 1e-15);
        assert_near(of.se, sqrt(N / (N - 1.0) * spread[d]) / sum_b[d], 1e-12);
        assert_near(of.degrees, lte_error_count_carriers(&count) - 1.0, 0.0);
        assert_near(log(of.high / p), log(p / of.low), 1e-12);
    }
    lte_paired_count paired = {0}, rest = {0};
    for (int i = 0; i < N; i++) {
        const uint64_t e[2] = {errors[0][i], errors[1][i]}, b[2] = {bits[0][i], bits[1][i]};
        const double d = (double)e[0] - (double)e[1];
        const double z = ((double)e[0] - sum_e[0] / sum_b[0] * (double)b[0]) / sum_b[0] -
                         ((double)e[1] - sum_e[1] / sum_b[1] * (double)b[1]) / sum_b[1];
        lte_paired_count_add(i < 3 ? &paired : &rest, e, b);
        both += z * z;
        sum_abs += fabs(d);
        sum_d2 += d * d;
    }
    lte_paired_count_join(&paired, &rest);
    const lte_interval gap = lte_interval_paired_unequal(
        &paired, &(lte_difference){.sum_abs = (uint64_t)sum_abs, .sum2 = (lte_u128)sum_d2});
    assert_true(gap.known);
    assert_near(gap.rate, sum_e[0] / sum_b[0] - sum_e[1] / sum_b[1], 1e-15);
    assert_near(gap.se, sqrt(N / (N - 1.0) * both), 1e-9 * gap.se);
    assert_near(gap.degrees, sum_abs * sum_abs / sum_d2 - 1.0, 1e-12);
    assert_near(gap.high - gap.rate, gap.rate - gap.low, 1e-15);
}

/* Of clusters of one size both come to the same. */
static void equal_clusters_are_no_other(void **state)
{
    static const uint64_t errors[] = {1, 2, 3, 2, 9, 0};
    const lte_error_count count = error_count_of(10, 6, errors);
    lte_error_count parts = {.clusters = 6, .cluster_bits = 120, .parts = 12, .bits = 720};
    (void)state;
    for (int i = 0; i < 6; i++) {
        const uint64_t e = 12 * errors[i];
        parts.errors += e;
        parts.errors2 += (lte_u128)e * e;
        parts.bits2 += (lte_u128)120 * 120;
        parts.cross += (lte_u128)e * 120;
    }
    const lte_interval a = lte_interval_of(&count), b = lte_interval_of(&parts);
    assert_near(a.rate, b.rate, 1e-15);
    assert_near(a.se, b.se, 1e-12);
    assert_near(a.low, b.low, 1e-12);
    assert_near(a.high, b.high, 1e-12);
    lte_error_count same = {.clusters = 6, .cluster_bits = 120, .parts = 12, .bits = 720};
    same.errors = 6 * 36;
    same.errors2 = 6 * 36 * 36;
    same.bits2 = 6 * 120 * 120;
    same.cross = 6 * 36 * 120;
    const lte_interval flat = lte_interval_of(&same); /* as 18 of 60 blocks */
    assert_near(flat.se, sqrt(0.3 * 0.7 / 60.0), 1e-12);
}

static void high_end_stops_at_one(void **state)
{
    (void)state;
    static const uint64_t errors[] = {10, 0, 0, 0, 8};
    lte_error_count error_count = error_count_of(10, 5, errors);
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(ber.low > 0.0 && ber.low < ber.rate);
    assert_near(ber.high, 1.0, 0.0);
}

static void no_error_gives_an_upper_bound(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    for (int i = 1; i <= 1003; i++) {
        lte_error_count_add(&error_count, 1000, 0);
        lte_interval ber = lte_interval_of(&error_count);
        assert_true(ber.no_error && !ber.known && isnan(ber.se));
        assert_near(ber.rate, 0.0, 0.0);
        assert_near(ber.low, 0.0, 0.0);
        assert_near(ber.high, 1.0 - pow(0.05, 1.0 / i), 1e-15);
    }
    error_count.clusters = 1ull << 40;
    double three_over_n = 2.995732273554 / 1099511627776.0;
    assert_near(lte_interval_of(&error_count).high, three_over_n, 1e-11 * three_over_n);
}

/* Where each of 72 subcarriers is a realisation of its own the bound is 72 times lower. */
static void a_bound_counts_independent_realisations(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    for (int i = 0; i < 1003; i++)
        lte_error_count_add(&error_count, 1000, 0);
    assert_near(lte_interval_bound(&error_count, 1), lte_interval_of(&error_count).high, 0.0);
    assert_near(lte_interval_bound(&error_count, 72), 1.0 - pow(0.05, 1.0 / 72216.0), 1e-15);
}

static void one_cluster_has_a_rate_but_no_interval(void **state)
{
    (void)state;
    static const uint64_t errors[] = {3};
    lte_error_count error_count = error_count_of(12, 1, errors);
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(!ber.known && !ber.no_error);
    assert_near(ber.rate, 0.25, 0.0);
    assert_true(isnan(ber.low) && isnan(ber.high) && isnan(ber.se));
}

static void joined_counts_are_those_of_all_clusters(void **state)
{
    const uint64_t errors[] = {3, 0, 1000, 7, 1, 0, 2};
    const lte_error_count all = error_count_of(1000, 7, errors);
    (void)state;
    for (int n = 0; n <= 7; n++) {
        lte_error_count first = error_count_of(1000, n, errors);
        const lte_error_count rest = error_count_of(1000, 7 - n, errors + n);
        lte_error_count_join(&first, &rest);
        assert_int_equal(first.clusters, all.clusters);
        assert_int_equal(first.cluster_bits, all.cluster_bits);
        assert_int_equal(first.errors, all.errors);
        assert_true(first.errors2 == all.errors2);
    }
}

static void no_cluster_says_nothing(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(!ber.known && !ber.no_error);
    assert_true(isnan(ber.low) && isnan(ber.high) && isnan(ber.se));
}

static void equal_clusters_have_the_width_of_independent_bits(void **state)
{
    (void)state;
    static const uint64_t some[] = {4, 4, 4};
    lte_error_count error_count = error_count_of(10, 3, some);
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(ber.known);
    assert_near(ber.se, sqrt(0.4 * 0.6 / 30.0), 1e-15);
    assert_true(ber.low < ber.rate && ber.rate < ber.high);
    static const uint64_t all[] = {10, 10, 10};
    error_count = error_count_of(10, 3, all);
    ber = lte_interval_of(&error_count);
    assert_true(ber.known);
    assert_true(ber.rate == 1.0 && ber.high == 1.0);
    assert_near(ber.low, pow(0.05, 1.0 / 3.0), 1e-15); /* what is right has its bound */
    assert_true(isnan(lte_interval_z(&ber, 0.5)));
}

/* The normal law below z, and Student's below t, agree. */
static void z_has_the_probability_of_t(void **state)
{
    (void)state;
    static const double truth[] = {0.05, 0.1, 0.19, 0.2, 0.21, 0.35, 0.5};
    static const uint64_t errors[] = {1, 2, 3, 2};
    const lte_error_count error_count = error_count_of(10, 4, errors);
    const lte_interval ber = lte_interval_of(&error_count);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const double t = log(0.2 / truth[i]) * 0.2 / ber.se;
        const double z = lte_interval_z(&ber, truth[i]);
        assert_near(0.5 * erfc(-z / sqrt(2.0)), student_below(t, ber.degrees), 1e-7);
        assert_true(fabs(z) <= fabs(t));
    }
    /* the ends of the interval, as a normal variable has them */
    assert_near(lte_interval_z(&ber, ber.high), -1.959963984540, 1e-6);
    assert_near(lte_interval_z(&ber, ber.low), 1.959963984540, 1e-6);
    /* far off: many clusters, whatever the tail is too small for */
    lte_error_count many = {0};
    for (int i = 0; i < 100000; i++)
        lte_error_count_add(&many, 1000, 100 + (uint64_t)i % 3);
    const lte_interval sure = lte_interval_of(&many);
    assert_true(lte_interval_z(&sure, 0.05) > 30.0 && lte_interval_z(&sure, 0.05) < 39.0);
    assert_true(lte_interval_z(&sure, 0.2) < -30.0 && lte_interval_z(&sure, 0.2) > -39.0);
    assert_true(lte_interval_z(&sure, 0.0) > 30.0);
    const double near_p = sure.rate * exp(-5.0 * sure.se / sure.rate);
    assert_near(lte_interval_z(&sure, near_p), 5.0, 5e-3);
}

/*
 * Nearly 2^40 clusters, half with 1000003 errors and half with one fewer: the variance is 1/4,
 * twelve digits below the sums it is the difference of.
 */
static void largest_sums_neither_overflow_nor_cancel(void **state)
{
    (void)state;
    lte_u128 half = ((lte_u128)1 << 39) - 1, e = 1000003;
    lte_error_count error_count = {.clusters = (uint64_t)(2 * half),
                                   .cluster_bits = 1u << 20,
                                   .errors = (uint64_t)(half * (2 * e - 1)),
                                   .errors2 = half * (e * e + (e - 1) * (e - 1))};
    lte_interval ber = lte_interval_of(&error_count);
    double se = 0.5 / sqrt(1099511627773.0) / 1048576.0;
    assert_true(ber.known);
    assert_near(ber.rate, 1000002.5 / 1048576.0, 1e-15);
    assert_near(ber.se, se, 1e-14 * se);
    assert_true(ber.low < ber.rate && ber.rate < ber.high && ber.high < 1.0);
    lte_interval gap = lte_interval_paired(error_count.clusters, error_count.cluster_bits,
                                           &(lte_difference){.sum = -(int64_t)error_count.errors,
                                                             .sum_abs = error_count.errors,
                                                             .sum2 = error_count.errors2});
    assert_near(gap.rate, -ber.rate, 0.0);
    assert_near(gap.se, ber.se, 0.0);
}

static uint64_t random_state = 20180419;

static double uniform(void)
{
    return random_uniform(&random_state);
}

/* 30 clusters of 200 bits whose chance of error is drawn once per cluster, mean 0.15. */
static void interval_covers_the_truth_95_times_in_100(void **state)
{
    (void)state;
    int covered = 0, covered_if_independent = 0;
    for (int run = 0; run < 2000; run++) {
        lte_error_count error_count = {0};
        for (int cluster = 0; cluster < 30; cluster++) {
            double chance = 0.3 * uniform();
            uint64_t errors = 0;
            for (int bit = 0; bit < 200; bit++)
                errors += uniform() < chance;
            lte_error_count_add(&error_count, 200, errors);
        }
        lte_interval ber = lte_interval_of(&error_count);
        double naive = 1.96 * sqrt(ber.rate * (1.0 - ber.rate) / (30.0 * 200.0));
        covered += ber.low <= 0.15 && 0.15 <= ber.high;
        covered_if_independent += fabs(ber.rate - 0.15) <= naive;
    }
    assert_in_range(covered, 1860, 1940);
    assert_in_range(covered_if_independent, 0, 1200); /* the errors do come in clusters */
}

/* ---- coverage: short runs of channels whose slots fade as a whole, or in parts ---- */

static double normal(void)
{
    return random_normal(&random_state);
}

/* Errors of n bits that fail with chance p, to the nearest whole number. */
static uint64_t errors_of(double n, double p)
{
    const double x = floor(n * p + sqrt(n * p * (1.0 - p)) * normal() + 0.5);
    return x < 0.0 ? 0 : x > n ? (uint64_t)n : (uint64_t)x;
}

/*
 * A cluster of QPSK over as many independent fades: theory.md's 2.7 and 4.8 of a 20 MHz carrier for
 * EPA and EVA, one for flat, one a subcarrier for rayleigh.
 */
static uint64_t cluster_of(int fades, double bits, double snr)
{
    uint64_t errors = 0;
    for (int k = 0; k < fades; k++) {
        const double gamma = -snr * log(1.0 - uniform());
        errors += errors_of(bits / fades, 0.5 * erfc(sqrt(0.5 * gamma)));
    }
    return errors;
}

/* Share of runs of n clusters whose interval has the truth. */
static double coverage(int fades, int n, double truth)
{
    enum { RUNS = 1000 };
    const double bits = fades * floor(17280.0 / fades), root = 1.0 - 2.0 * truth;
    const double snr = 2.0 * root * root / (1.0 - root * root); /* of that BER in Rayleigh fading */
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
        lte_error_count error_count = {0};
        for (int i = 0; i < n; i++)
            lte_error_count_add(&error_count, (uint64_t)bits, cluster_of(fades, bits, snr));
        const lte_interval ber = lte_interval_of(&error_count);
        covered += ber.known && ber.low <= truth && truth <= ber.high;
    }
    return covered / (double)RUNS;
}

static void interval_covers_the_truth_of_short_runs(void **state)
{
    (void)state;
    static const int fades[] = {1, 3, 5, 72}, clusters[] = {8, 16, 32, 64, 256};
    static const double truth[] = {1e-1, 3e-2, 1e-2};
    double sum = 0.0;
    int n = 0;
    for (size_t i = 0; i < sizeof fades / sizeof *fades; i++) {
        for (size_t k = 0; k < sizeof clusters / sizeof *clusters; k++) {
            for (size_t l = 0; l < sizeof truth / sizeof *truth && fades[i] * clusters[k] < 5000;
                 l++) {
                const double covered = coverage(fades[i], clusters[k], truth[l]);
                if (!(covered >= 0.92 && covered <= 0.98))
                    fail_msg("%d fades, %d clusters, BER %g: %g", fades[i], clusters[k], truth[l],
                             covered);
                sum += covered;
                n++;
            }
        }
    }
    assert_near(sum / n, 0.95, 0.015);
}

/* ---- two runs over the same clusters, by groups ---- */

static void difference_of_groups_comes_out(void **state)
{
    (void)state;
    double a[LTE_N_GROUPS], b[LTE_N_GROUPS], bits[LTE_N_GROUPS], twice[LTE_N_GROUPS];
    for (int k = 0; k < LTE_N_GROUPS; k++) { /* d_k = 1e-3 (3, 1, 3, 1, ...) */
        a[k] = 100.0 + 7.0 * k;
        b[k] = 2.0 * (a[k] + (k % 2 ? 1.0 : 3.0));
        bits[k] = 1000.0;
        twice[k] = 2000.0;
    }
    const lte_interval d = lte_interval_of_groups(a, bits, b, twice);
    assert_true(d.known && !d.no_error);
    assert_near(d.rate, 2e-3, 1e-12);
    assert_near(d.se, 1e-3 * sqrt(16.0 / 15.0) / 4.0, 1e-12);
    assert_near(d.degrees, 32.0 * 32.0 / 80.0 - 1.0, 1e-9); /* (sum |d|)^2 / sum d^2 - 1 */
    assert_near(student_below((d.high - d.rate) / d.se, d.degrees), 0.975, 1e-6);
    assert_near(d.high - d.rate, d.rate - d.low, 1e-15);
    const double z = lte_interval_paired_z(&d);
    assert_near(0.5 * erfc(z / sqrt(2.0)), 1.0 - student_below(d.rate / d.se, d.degrees), 1e-7);
    const lte_interval back = lte_interval_of_groups(b, twice, a, bits);
    assert_near(lte_interval_paired_z(&back), -z, 1e-9);
    const lte_interval none = lte_interval_of_groups(a, bits, a, bits);
    assert_true(none.rate == 0.0 && lte_interval_paired_z(&none) == 0.0);
}

/* A group with more blocks has more of the rate, by a sum of its own. */
static void groups_may_differ_in_size(void **state)
{
    double a[LTE_N_GROUPS], b[LTE_N_GROUPS], bits_a[LTE_N_GROUPS], bits_b[LTE_N_GROUPS];
    double wrong[2] = {0}, all[2] = {0}, sum2 = 0.0;
    (void)state;
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        bits_a[k] = 100.0 + k;
        bits_b[k] = 150.0 - k * k / 4.0;
        a[k] = 0.2 * bits_a[k] + k % 3;
        b[k] = 0.3 * bits_b[k] - k % 5;
        wrong[0] += a[k];
        wrong[1] += b[k];
        all[0] += bits_a[k];
        all[1] += bits_b[k];
    }
    for (int k = 0; k < LTE_N_GROUPS; k++)
        sum2 += pow((b[k] - wrong[1] / all[1] * bits_b[k]) / all[1] -
                        (a[k] - wrong[0] / all[0] * bits_a[k]) / all[0],
                    2.0);
    const lte_interval d = lte_interval_of_groups(a, bits_a, b, bits_b);
    assert_near(d.rate, wrong[1] / all[1] - wrong[0] / all[0], 1e-15);
    assert_near(d.se, sqrt(sum2 * 16.0 / 15.0), 1e-15);
    for (int k = 0; k < LTE_N_GROUPS; k++) /* of equal rates in all groups nothing is left */
        b[k] = 0.5 * bits_b[k], a[k] = 0.25 * bits_a[k];
    assert_near(lte_interval_of_groups(a, bits_a, b, bits_b).se, 0.0, 1e-15);
}

/* Of runs of equal rates no more are beyond z than the normal law has, few clusters or many. */
static void paired_z_is_of_a_normal_variable(void **state)
{
    enum { RUNS = 20000 };
    static const int clusters[] = {2, 3, 5, 10, 16, 24, 64, 1000};
    (void)state;
    for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
        int beyond_2 = 0, beyond_3 = 0;
        double sum2 = 0.0;
        for (int run = 0; run < RUNS; run++) {
            double a[LTE_N_GROUPS] = {0}, b[LTE_N_GROUPS] = {0}, bits[LTE_N_GROUPS] = {0};
            for (int i = 0; i < clusters[c]; i++) { /* where more is wrong there is less of it */
                const double fade = -log(1.0 - uniform()), shared = 50.0 / (0.2 + fade);
                a[i % LTE_N_GROUPS] += shared + sqrt(shared) * normal();
                b[i % LTE_N_GROUPS] += shared + sqrt(shared) * normal();
                bits[i % LTE_N_GROUPS] += 1000.0 - shared;
            }
            const lte_interval d = lte_interval_of_groups(a, bits, b, bits);
            const double z = lte_interval_paired_z(&d);
            sum2 += z * z;
            beyond_2 += fabs(z) > 1.96;
            beyond_3 += fabs(z) > 3.0;
        }
        assert_in_range(beyond_2, RUNS / 100, RUNS * 5 / 100);
        assert_in_range(beyond_3, 0, RUNS * 27 / 10000);
        assert_true(sum2 / RUNS > 0.7 && sum2 / RUNS < 1.0);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(interval, hand_example_comes_out),
    LTE_CASE(interval, width_follows_student_t),
    LTE_CASE(interval, bits_of_a_cluster_are_not_independent),
    LTE_CASE(interval, few_clusters_that_carry_the_errors_are_few_samples),
    LTE_CASE(interval, ends_are_a_factor_off_the_rate),
    LTE_CASE(interval, ends_tell_what_they_are_made_of),
    LTE_CASE(interval, unequal_clusters_are_a_ratio),
    LTE_CASE(interval, equal_clusters_are_no_other),
    LTE_CASE(interval, high_end_stops_at_one),
    LTE_CASE(interval, no_error_gives_an_upper_bound),
    LTE_CASE(interval, a_bound_counts_independent_realisations),
    LTE_CASE(interval, one_cluster_has_a_rate_but_no_interval),
    LTE_CASE(interval, joined_counts_are_those_of_all_clusters),
    LTE_CASE(interval, no_cluster_says_nothing),
    LTE_CASE(interval, equal_clusters_have_the_width_of_independent_bits),
    LTE_CASE(interval, z_has_the_probability_of_t),
    LTE_CASE(interval, largest_sums_neither_overflow_nor_cancel),
    LTE_CASE(interval, interval_covers_the_truth_95_times_in_100),
    LTE_CASE(interval, interval_covers_the_truth_of_short_runs),
    LTE_CASE(interval, difference_of_groups_comes_out),
    LTE_CASE(interval, groups_may_differ_in_size),
    LTE_CASE(interval, paired_z_is_of_a_normal_variable),
};

int main(void)
{
    return cmocka_run_group_tests_name("interval", cases, NULL, NULL);
}
