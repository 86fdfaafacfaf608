/* SNRs at a rate against curves that are known, hand calculation and simulation. */

#include "tests/lib/unit.h"

#include <math.h>

#include "phy/theory/snr_at_rate.h"
#include "tests/lib/random.h"

enum { MOST = 16 };

/* log10 of a rate over SNR, in dB: cubic, falling. */
static double cubic_log10(double snr_db)
{
    const double x = snr_db / 10.0;
    return -0.4 - 0.7 * x - 0.1 * x * x - 0.02 * x * x * x;
}

static void set_rate(lte_rate_point *point, double snr_db, double rate)
{
    point->snr_db = snr_db;
    point->rate = rate;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        point->without[k] = rate;
}

/* Wherever the crossing lies, also beside the first or last point: the cubic comes out. */
static void a_cubic_curve_comes_out(void **state)
{
    (void)state;
    for (int i = 0; i <= 60; i++) {
        const double snr_db = 0.5 * i, rate = pow(10.0, cubic_log10(snr_db));
        lte_rate_point points[7];
        for (int s = 0; s < 7; s++)
            set_rate(&points[s], 5.0 * s, pow(10.0, cubic_log10(5.0 * s)));
        const lte_snr_estimate at = lte_snr_at_rate(points, 7, rate);
        assert_near(at.db, snr_db, 1e-9);
        assert_near(at.low_db, snr_db, 1e-9); /* the groups are all alike */
        assert_near(at.high_db, snr_db, 1e-9);
    }
}

static void few_points_are_joined_by_a_straight_line(void **state)
{
    (void)state;
    lte_rate_point points[4];
    set_rate(&points[0], 0.0, 1e-1);
    set_rate(&points[1], 10.0, 1e-2);
    set_rate(&points[2], 20.0, 1e-4);
    assert_near(lte_snr_at_rate(points, 3, 1e-3).db, 15.0, 1e-12);
    assert_near(lte_snr_at_rate(points, 3, 1e-2).db, 10.0, 1e-12);
    assert_near(lte_snr_at_rate(points, 3, 1e-4).db, 20.0, 1e-12);
    assert_true(isnan(lte_snr_at_rate(points, 3, 0.2).db));
    assert_true(isnan(lte_snr_at_rate(points, 3, 1e-5).db));
    set_rate(&points[3], 30.0, 0.0); /* no error: no logarithm */
    assert_near(lte_snr_at_rate(points, 4, 1e-3).db, 15.0, 1e-12);
    assert_true(isnan(lte_snr_at_rate(points, 4, 1e-5).db));
    assert_true(isnan(lte_snr_at_rate(points, 1, 1e-3).db));
    assert_true(isnan(lte_snr_at_rate(points, 0, 1e-3).db));
}

/* The cubic through (0, y[0]) .. (3, y[3]), by Newton's differences. */
static double lagrange4(const double y[4], double x)
{
    const double d1 = y[1] - y[0], d2 = y[2] - 2.0 * y[1] + y[0];
    const double d3 = y[3] - 3.0 * y[2] + 3.0 * y[1] - y[0];
    return y[0] + d1 * x + d2 * x * (x - 1.0) / 2.0 + d3 * x * (x - 1.0) * (x - 2.0) / 6.0;
}

/*
 * A cubic that passes the rate once between two points is followed; one that passes it three times
 * there gives way to the line.
 */
static void a_swinging_cubic_gives_way_to_the_line(void **state)
{
    (void)state;
    static const double calm[] = {1.0, 0.2, -0.1, -1.0}, wild[] = {40.0, 0.2, -0.1, -40.0};
    lte_rate_point points[4];
    for (int s = 0; s < 4; s++)
        set_rate(&points[s], (double)s, pow(10.0, calm[s]) * 1e-2);
    const double curved = lte_snr_at_rate(points, 4, 1e-2).db;
    assert_true(fabs(curved - (1.0 + 0.2 / 0.3)) > 1e-3); /* not the line */
    assert_near(lagrange4(calm, curved), 0.0, 1e-9);
    for (int s = 0; s < 4; s++)
        set_rate(&points[s], (double)s, pow(10.0, wild[s]) * 1e-2);
    assert_true(lagrange4(wild, 1.2) < 0.0 && lagrange4(wild, 1.8) > 0.0); /* three times */
    assert_near(lte_snr_at_rate(points, 4, 1e-2).db, 1.0 + 0.2 / 0.3, 1e-9);
}

/* Information rises. */
static void curves_may_rise(void **state)
{
    (void)state;
    lte_rate_point points[5];
    for (int s = 0; s < 5; s++)
        set_rate(&points[s], 5.0 * s, pow(10.0, -cubic_log10(5.0 * s)));
    for (int i = 1; i < 20; i++)
        assert_near(lte_snr_at_rate(points, 5, pow(10.0, -cubic_log10((double)i))).db, (double)i,
                    1e-9);
}

/* Of curves that are shifted group by group the jackknife is that of the shifts, by hand. */
static void the_interval_is_that_of_the_jackknife(void **state)
{
    (void)state;
    lte_rate_point a[5], b[5];
    double mean = 0.0, spread2 = 0.0;
    for (int s = 0; s < 5; s++) {
        set_rate(&a[s], 5.0 * s, pow(10.0, cubic_log10(5.0 * s)));
        set_rate(&b[s], 5.0 * s, pow(10.0, cubic_log10(5.0 * s + 2.0))); /* gains 2 dB */
        for (int k = 0; k < LTE_N_GROUPS; k++) {
            a[s].without[k] = pow(10.0, cubic_log10(5.0 * s + 0.01 * k));
            b[s].without[k] = pow(10.0, cubic_log10(5.0 * s + 2.0 + 0.03 * k));
        }
    }
    for (int k = 0; k < LTE_N_GROUPS; k++)
        mean += 0.02 * k / 16.0;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        spread2 += (0.02 * k - mean) * (0.02 * k - mean);
    /* shifts are symmetric, so nothing accelerates; what groups have of the rates differs little */
    const double least = 2.131449545559 * sqrt(15.0 / 16.0 * spread2); /* t of 15 degrees */
    const lte_snr_estimate at = lte_snr_at_rate(b, 5, 0.03), gain = lte_snr_gap(a, 5, b, 5, 0.03);
    assert_near(at.high_db - at.db, at.db - at.low_db, 1e-6);
    assert_near(gain.db, 2.0, 1e-9);
    /* a gain's is that of its logarithm: to first order the same */
    const double half = 0.5 * log(gain.high_db / gain.low_db);
    assert_true(gain.low_db < 2.0 && 2.0 < gain.high_db);
    assert_near(half, least / 2.0, 0.15 * least / 2.0);
    for (int s = 0; s < 5; s++)
        b[s].without[7] = 1e-6; /* without that group the curve does not reach the rate */
    const lte_snr_estimate open = lte_snr_gap(a, 5, b, 5, 0.03);
    assert_near(open.db, 2.0, 1e-9);
    assert_true(isnan(open.low_db) && isnan(open.high_db));
}

/* Of n clusters of 100 units from the first on. */
static double without(const double *counts, uint64_t first, uint64_t n, int k)
{
    return lte_rate_without(counts, 100.0 * (double)n,
                            100.0 * (double)lte_clusters_in_group(first, n, k), k);
}

static void a_rate_without_a_group_is_that_of_the_others(void **state)
{
    (void)state;
    double counts[LTE_N_GROUPS];
    for (int k = 0; k < LTE_N_GROUPS; k++)
        counts[k] = k + 1; /* of 136 */
    assert_near(without(counts, 0, 32, 3), (136.0 - 4.0) / 3000.0, 1e-15);
    /* of 35 clusters groups 0 to 2 have three, all others two */
    assert_near(without(counts, 0, 35, 2), (136.0 - 3.0) / 3200.0, 1e-15);
    assert_near(without(counts, 0, 35, 3), (136.0 - 4.0) / 3300.0, 1e-15);
    /* clusters 14 to 48: groups 14, 15 and 0 have three */
    assert_near(without(counts, 14, 35, 0), (136.0 - 1.0) / 3200.0, 1e-15);
    assert_near(without(counts, 14, 35, 1), (136.0 - 2.0) / 3300.0, 1e-15);
    assert_true(isnan(without(counts, 0, 1, 0)));
}

/*
 * Intervals that cover the truth, of so many runs whose drops are in n groups with noise of their
 * own, common to all points; the other groups have none.
 */
static int covered_of(int n, int runs)
{
    int covered = 0;
    uint64_t seed = 1;
    for (int run = 0; run < runs; run++) {
        lte_rate_point points[5];
        double rate[LTE_N_GROUPS] = {0}, shift[LTE_N_GROUPS];
        for (int k = 0; k < n; k++)
            shift[k] = exp(0.5 * random_normal(&seed));
        for (int s = 0; s < 5; s++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                rate[k] = pow(10.0, cubic_log10(5.0 * s)) * shift[k] / exp(0.125);
                sum += rate[k];
            }
            set_rate(&points[s], 5.0 * s, sum / n);
            for (int k = 0; k < LTE_N_GROUPS; k++)
                points[s].without[k] = k < n ? (sum - rate[k]) / (n - 1) : points[s].rate;
        }
        const lte_snr_estimate at = lte_snr_at_rate(points, 5, pow(10.0, cubic_log10(12.0)));
        covered += at.low_db <= 12.0 && at.high_db >= 12.0;
    }
    print_message("%d groups: covered %d of %d\n", n, covered, runs);
    return covered;
}

static void intervals_cover(void **state)
{
    enum { RUNS = 2000 };
    (void)state;
    assert_in_range(covered_of(LTE_N_GROUPS, RUNS), 92 * RUNS / 100, 97 * RUNS / 100);
    for (int n = 3; n < LTE_N_GROUPS; n += 3)
        assert_in_range(covered_of(n, RUNS), 92 * RUNS / 100, RUNS);
}

static void clusters_of_groups_add_up(void **state)
{
    (void)state;
    for (uint64_t first = 0; first < 40; first++) {
        for (uint64_t n = 0; n < 70; n++) {
            uint64_t of[LTE_N_GROUPS] = {0};
            for (uint64_t i = first; i < first + n; i++)
                of[i % LTE_N_GROUPS]++;
            for (int k = 0; k < LTE_N_GROUPS; k++)
                assert_int_equal(lte_clusters_in_group(first, n, k), of[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        LTE_CASE(snr_at_rate, a_cubic_curve_comes_out),
        LTE_CASE(snr_at_rate, few_points_are_joined_by_a_straight_line),
        LTE_CASE(snr_at_rate, a_swinging_cubic_gives_way_to_the_line),
        LTE_CASE(snr_at_rate, curves_may_rise),
        LTE_CASE(snr_at_rate, the_interval_is_that_of_the_jackknife),
        LTE_CASE(snr_at_rate, a_rate_without_a_group_is_that_of_the_others),
        LTE_CASE(snr_at_rate, clusters_of_groups_add_up),
        LTE_CASE(snr_at_rate, intervals_cover),
    };
    return cmocka_run_group_tests_name("snr_at_rate", cases, NULL, NULL);
}
