/* Intervals of clustered error counts against hand calculation, Student's t and simulation. */

#include "unit.h"

#include <math.h>
#include <stdbool.h>

#include "phy/interval.h"

static lte_error_count error_count_of(uint64_t cluster_bits, int n, const uint64_t *errors)
{
    lte_error_count error_count = {0};
    for (int i = 0; i < n; i++)
        lte_error_count_add(&error_count, cluster_bits, errors[i]);
    return error_count;
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
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(ber.known && !ber.no_error);
    assert_near(ber.rate, 0.2, 1e-16);
    assert_near(ber.se, sqrt(1.0 / 600.0), 1e-16);
    assert_near(ber.low, 0.2 - 3.182446305284 / sqrt(600.0), 1e-12);
    assert_near(ber.high, 0.2 + 3.182446305284 / sqrt(600.0), 1e-12);
}

/* t_{1, 0.975} = tan(0.475 pi); t_{2, 0.975} = 0.95 sqrt(2 / (1 - 0.95^2)). */
static void width_follows_student_t(void **state)
{
    (void)state;
    static const uint64_t errors[] = {500, 501, 502};
    lte_error_count error_count = error_count_of(1000, 2, errors);
    lte_interval two = lte_interval_of(&error_count);
    assert_near((two.high - two.rate) / two.se, tan(0.475 * M_PI), 1e-9);
    error_count = error_count_of(1000, 3, errors);
    lte_interval three = lte_interval_of(&error_count);
    assert_near((three.high - three.rate) / three.se, 0.95 * sqrt(2.0 / 0.0975), 1e-9);
    for (int i = 0; i < 20; i++) { /* 3 million clusters: the normal quantile */
        error_count.clusters *= 2;
        error_count.errors *= 2;
        error_count.errors2 *= 2;
    }
    lte_interval many = lte_interval_of(&error_count);
    assert_near((many.high - many.rate) / many.se, 1.959963984540, 1e-5);
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

static double logit(double p)
{
    return log(p / (1.0 - p));
}

static void end_below_zero_turns_to_the_logit(void **state)
{
    (void)state;
    static const uint64_t errors[] = {1, 3};
    lte_error_count error_count = error_count_of(100, 2, errors);
    lte_interval ber = lte_interval_of(&error_count);
    double p = 0.02, se = 0.01;
    double t = 12.706204736175;
    assert_true(ber.known);
    assert_near(ber.se, se, 1e-15);
    assert_true(ber.low > 0.0 && ber.high < 1.0);
    assert_near(logit(ber.low), logit(p) - t * se / (p * (1.0 - p)), 1e-10);
    assert_near(logit(ber.high), logit(p) + t * se / (p * (1.0 - p)), 1e-10);
    static const uint64_t few[] = {0, 0, 0, 0, 0, 0, 0, 1};
    error_count = error_count_of(1u << 20, 8, few);
    ber = lte_interval_of(&error_count);
    assert_true(ber.low > 0.0 && ber.low < ber.rate && ber.rate < ber.high && ber.high < 1.0);
}

static void high_end_stops_at_one(void **state)
{
    (void)state;
    static const uint64_t errors[] = {10, 9, 10, 10, 8};
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

static void no_cluster_says_nothing(void **state)
{
    (void)state;
    lte_error_count error_count = {0};
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(!ber.known && !ber.no_error);
    assert_true(isnan(ber.low) && isnan(ber.high) && isnan(ber.se));
}

static void equal_clusters_have_no_width(void **state)
{
    (void)state;
    static const uint64_t some[] = {4, 4, 4};
    lte_error_count error_count = error_count_of(10, 3, some);
    lte_interval ber = lte_interval_of(&error_count);
    assert_true(ber.known);
    assert_near(ber.se, 0.0, 0.0);
    assert_true(ber.low == ber.rate && ber.high == ber.rate);
    static const uint64_t all[] = {10, 10, 10};
    error_count = error_count_of(10, 3, all);
    ber = lte_interval_of(&error_count);
    assert_true(ber.known);
    assert_true(ber.low == 1.0 && ber.rate == 1.0 && ber.high == 1.0);
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
                                           -(int64_t)error_count.errors, error_count.errors2);
    assert_near(gap.rate, -ber.rate, 0.0);
    assert_near(gap.se, ber.se, 0.0);
}

static void paired_hand_example_comes_out(void **state)
{
    (void)state; /* d = 1, -1, 3, 1: sum 4, sum of squares 12, spread 4 * 12 - 16 = 32 */
    lte_interval gap = lte_interval_paired(4, 10, 4, 12);
    assert_true(gap.known && !gap.no_error);
    assert_near(gap.rate, 0.1, 1e-16);
    assert_near(gap.se, sqrt(32.0 / 3.0) / 40.0, 1e-15);
    assert_near(gap.low, 0.1 - 3.182446305284 * gap.se, 1e-12);
    assert_near(gap.high, 0.1 + 3.182446305284 * gap.se, 1e-12);
    lte_interval swapped = lte_interval_paired(4, 10, -4, 12);
    assert_near(swapped.rate, -gap.rate, 0.0);
    assert_near(swapped.se, gap.se, 0.0);
    assert_near(swapped.low, -gap.high, 0.0);
    assert_near(swapped.high, -gap.low, 0.0);
}

static void paired_edges_hold(void **state)
{
    (void)state;
    assert_false(lte_interval_paired(0, 0, 0, 0).known);
    lte_interval one = lte_interval_paired(1, 10, -5, 25);
    assert_false(one.known);
    assert_near(one.rate, -0.5, 0.0);
    assert_true(isnan(one.low) && isnan(one.high) && isnan(one.se));
    lte_interval same = lte_interval_paired(1003, 10, 0, 0);
    assert_true(same.known && !same.no_error && same.low == 0.0 && same.high == 0.0);
}

static uint64_t random_state = 20180419;

/* xorshift64*: uniform in [0, 1). */
static double uniform(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (double)((random_state * 2685821657736338717ull) >> 11) / 9007199254740992.0;
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

static const struct CMUnitTest cases[] = {
    LTE_CASE(interval, hand_example_comes_out),
    LTE_CASE(interval, width_follows_student_t),
    LTE_CASE(interval, bits_of_a_cluster_are_not_independent),
    LTE_CASE(interval, end_below_zero_turns_to_the_logit),
    LTE_CASE(interval, high_end_stops_at_one),
    LTE_CASE(interval, no_error_gives_an_upper_bound),
    LTE_CASE(interval, one_cluster_has_a_rate_but_no_interval),
    LTE_CASE(interval, no_cluster_says_nothing),
    LTE_CASE(interval, equal_clusters_have_no_width),
    LTE_CASE(interval, largest_sums_neither_overflow_nor_cancel),
    LTE_CASE(interval, paired_hand_example_comes_out),
    LTE_CASE(interval, paired_edges_hold),
    LTE_CASE(interval, interval_covers_the_truth_95_times_in_100),
};

int main(void)
{
    return cmocka_run_group_tests_name("interval", cases, NULL, NULL);
}
