/* Intervals of what is rarer, of few blocks and of differences, by hand. */

#include "tests/lib/unit.h"

#include <math.h>

#include "phy/theory/interval.h"

static lte_error_count error_count_of(uint64_t cluster_bits, int n, const uint64_t *errors)
{
    lte_error_count error_count = {0};
    for (int i = 0; i < n; i++)
        lte_error_count_add(&error_count, cluster_bits, errors[i]);
    return error_count;
}

/* Where most is wrong the interval is that of what is right, turned over; sizes may differ. */
static void what_is_rarer_carries_the_interval(void **state)
{
    enum { N = 6, BITS = 12 };
    static const uint64_t wrong[N] = {8, 7, 9, 7, 8, 9}, sizes[N] = {12, 12, 12, 8, 12, 24};
    (void)state;
    for (int unequal = 0; unequal < 2; unequal++) {
        lte_error_count of_wrong = {.clusters = 0}, of_right = {.clusters = 0};
        for (int i = 0; i < N; i++) {
            const uint64_t b = unequal ? sizes[i] : BITS;
            const uint64_t e[2] = {wrong[i], b - wrong[i]};
            for (int k = 0; k < 2; k++) {
                lte_error_count one = {.clusters = 1,
                                       .cluster_bits = 24,
                                       .errors = e[k],
                                       .errors2 = (lte_u128)e[k] * e[k],
                                       .parts = 2,
                                       .bits = b,
                                       .bits2 = (lte_u128)b * b,
                                       .cross = (lte_u128)e[k] * b};
                if (unequal)
                    lte_error_count_join(k ? &of_right : &of_wrong, &one);
                else
                    lte_error_count_add(k ? &of_right : &of_wrong, b, e[k]);
            }
        }
        const lte_interval mostly = lte_interval_of(&of_wrong), rest = lte_interval_of(&of_right);
        assert_true(mostly.known && mostly.rate > 0.5);
        assert_near(mostly.rate, 1.0 - rest.rate, 1e-15);
        assert_near(mostly.low, 1.0 - rest.high, 1e-15);
        assert_near(mostly.high, 1.0 - rest.low, 1e-15);
        assert_near(mostly.se, rest.se, 1e-15);
        assert_near(mostly.degrees, rest.degrees, 1e-12);
        assert_near(lte_interval_z(&mostly, 0.8), -lte_interval_z(&rest, 0.2), 1e-9);
        const lte_interval told =
            lte_interval_from_ends(mostly.rate, mostly.low, mostly.high, unequal ? 0.0 : N);
        if (!unequal)
            assert_near(told.se, mostly.se, 1e-6 * mostly.se);
    }
}

/* A few wrong blocks, each in a cluster of its own: the ends are those of a share of clusters. */
static void few_blocks_are_bounded_by_their_clusters(void **state)
{
    enum { N = 500, BLOCKS = 2 };
    (void)state;
    for (uint64_t k = 1; k <= 3; k++) {
        lte_error_count count = {.clusters = 0};
        for (uint64_t i = 0; i < N; i++)
            lte_error_count_add(&count, BLOCKS, i < k);
        const lte_interval wide = lte_interval_of(&count);
        count.least = 1;
        const lte_interval narrow = lte_interval_of(&count);
        /* of k in 500: by bisection of the binomial tails, 2.5 % each */
        static const double low[] = {5.0635e-5, 4.8485e-4, 1.2389e-3};
        static const double high[] = {1.10925e-2, 1.43741e-2, 1.74337e-2};
        assert_near(narrow.low, low[k - 1] / BLOCKS, 2e-4 * narrow.low);
        assert_near(narrow.high, fmin(wide.high, high[k - 1]), 1e-5 * narrow.high);
        assert_true(wide.low < narrow.low && narrow.low < narrow.rate);
        assert_near(narrow.se, wide.se, 0.0);
    }
}

static lte_difference difference_of(const int64_t *d, int n, int sign)
{
    lte_difference sums = {.sum = 0};
    for (int i = 0; i < n; i++)
        lte_difference_add(&sums, sign * d[i]);
    return sums;
}

static void paired_hand_example_comes_out(void **state)
{
    /* sum 4, of |d| 6, sum of squares 12, spread 4 * 12 - 16 = 32 */
    static const int64_t d[] = {1, -1, 3, 1};
    static const uint64_t more[] = {1, 0, 3, 1}, less[] = {0, 1, 0, 0};
    (void)state;
    const lte_difference sums = difference_of(d, 4, 1), turned = difference_of(d, 4, -1);
    const lte_interval gap = lte_interval_paired(4, 10, &sums);
    assert_true(gap.known && !gap.no_error);
    assert_near(gap.rate, 0.1, 1e-16);
    assert_near(gap.se, sqrt(32.0 / 3.0) / 40.0, 1e-15);
    assert_near(gap.degrees, 2.0, 1e-15); /* m = 36 / 12 */
    const lte_error_count up = error_count_of(10, 4, more), down = error_count_of(10, 4, less);
    const lte_interval p = lte_interval_of(&up), n = lte_interval_of(&down);
    /* the larger part by its own interval, the smaller by t of two degrees */
    const double f_n = exp(0.95 * sqrt(2.0 / 0.0975) * n.se / n.rate);
    assert_near(gap.low, 0.1 - hypot(p.rate - p.low, fmin(n.rate * f_n, 1.0) - n.rate), 1e-10);
    assert_near(gap.high, 0.1 + hypot(p.high - p.rate, n.rate - n.rate / f_n), 1e-10);
    const lte_interval swapped = lte_interval_paired(4, 10, &turned);
    assert_near(swapped.rate, -gap.rate, 0.0);
    assert_near(swapped.se, gap.se, 0.0);
    assert_near(swapped.low, -gap.high, 1e-15);
    assert_near(swapped.high, -gap.low, 1e-15);
}

/* Where one detector has all that differs, the ends are those of that rate. */
static void a_difference_of_one_sign_is_a_rate(void **state)
{
    static const int64_t d[] = {1, 0, 3, 7, 2, 0, 1, 4};
    static const uint64_t errors[] = {1, 0, 3, 7, 2, 0, 1, 4};
    (void)state;
    const lte_difference sums = difference_of(d, 8, 1);
    const lte_error_count count = error_count_of(100, 8, errors);
    const lte_interval gap = lte_interval_paired(8, 100, &sums), rate = lte_interval_of(&count);
    assert_near(gap.rate, rate.rate, 1e-16);
    assert_near(gap.low, rate.low, 1e-14);
    assert_near(gap.high, rate.high, 1e-14);
    assert_near(gap.se, rate.se, 1e-16);
}

static void paired_edges_hold(void **state)
{
    static const int64_t five = 5;
    const lte_difference none = {.sum = 0}, some = difference_of(&five, 1, -1);
    (void)state;
    assert_false(lte_interval_paired(0, 0, &none).known);
    const lte_interval one = lte_interval_paired(1, 10, &some);
    assert_false(one.known);
    assert_near(one.rate, -0.5, 0.0);
    assert_true(isnan(one.low) && isnan(one.high) && isnan(one.se));
    const lte_interval same = lte_interval_paired(1003, 10, &none);
    assert_true(same.known && !same.no_error && same.se == 0.0 && same.rate == 0.0);
    assert_near(same.high, 1.0 - pow(0.05, 1.0 / 1003.0), 1e-15);
    assert_near(same.low, -same.high, 0.0);
    assert_near(lte_interval_paired_z(&same), 0.0, 0.0);
}

/* As many wrong blocks in each drop, of which one detector has sent more: the rates differ. */
static void equal_errors_may_be_different_rates(void **state)
{
    static const lte_difference none = {.sum = 0};
    lte_paired_count count = {.clusters = 0};
    (void)state;
    for (uint64_t i = 0; i < 4; i++)
        lte_paired_count_add(&count, (uint64_t[]){1, 1}, (uint64_t[]){10, 12});
    const lte_interval gap = lte_interval_paired_unequal(&count, &none);
    assert_true(gap.known);
    assert_near(gap.rate, 1.0 / 10.0 - 1.0 / 12.0, 1e-15);
    assert_true(gap.low < gap.rate && gap.rate < gap.high);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(difference, what_is_rarer_carries_the_interval),
    LTE_CASE(difference, few_blocks_are_bounded_by_their_clusters),
    LTE_CASE(difference, paired_hand_example_comes_out),
    LTE_CASE(difference, a_difference_of_one_sign_is_a_rate),
    LTE_CASE(difference, equal_errors_may_be_different_rates),
    LTE_CASE(difference, paired_edges_hold),
};

int main(void)
{
    return cmocka_run_group_tests_name("difference", cases, NULL, NULL);
}
