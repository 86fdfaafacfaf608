/* Clusters of errors: intervals of short sweeps, and what they do to the stop rule. */
#include "tests/lib/short_sweeps.h"

#include <math.h>

/* ---- intervals and the stop rule, over many short sweeps ---- */

/* ZF on one point of the scenario, for a seed. */
static lte_sweep *short_sweep(const stop_rule *r, int channel, double snr_db, int min_clusters,
                              int seed)
{
    static lte_scenario s; /* outlives the sweep */
    s = small_scenario(r, &snr_db, 1);
    s.channel = channel;
    s.n_detectors = 1;
    s.doppler_hz = r->drop_slots > 1 ? 5.0 : 0.0;
    s.sweep.min_clusters = min_clusters;
    s.seed = (uint64_t)seed;
    const lte_backend *fastest = NULL;
    int device;
    assert_int_equal(lte_backend_open("cpu", &fastest, &device), LTE_OK);
    return by_rounds_of(fastest, &s);
}

/* Of so many sweeps, those whose interval has the closed form. */
static int covered_of(int n_sweeps, const stop_rule *r, int channel, double snr_db, int *far_off)
{
    int covered = 0;
    for (int seed = 1; seed <= n_sweeps; seed++) {
        lte_sweep *sweep = short_sweep(r, channel, snr_db, 0, seed);
        const lte_row *row = lte_sweep_row(sweep, 0, 0);
        const lte_interval ber = lte_row_interval(sweep, row);
        assert_true(row->theory.known && row->theory.exact && ber.known);
        covered += ber.low <= row->theory.ber && row->theory.ber <= ber.high;
        *far_off += !(fabs(lte_row_z(row)) <= 4.0); /* what --verify would refuse */
        lte_sweep_free(sweep);
    }
    return covered;
}

static void intervals_of_short_sweeps_cover_the_closed_form(void **state)
{
    (void)state;
    const stop_rule slots8 = {0, 8, 8, 8, 1}, slots64 = {0, 64, 64, 64, 1};
    const stop_rule drops = {0, 64, 64, 64, 8};
    int far_off = 0;
    assert_in_range(covered_of(400, &slots8, LTE_CHANNEL_flat, 10.0, &far_off), 368, 392);
    assert_in_range(covered_of(400, &slots64, LTE_CHANNEL_flat, 20.0, &far_off), 368, 392);
    assert_in_range(covered_of(200, &slots64, LTE_CHANNEL_eva, 20.0, &far_off), 184, 196);
    assert_in_range(covered_of(200, &slots8, LTE_CHANNEL_rayleigh, 20.0, &far_off), 184, 196);
    assert_in_range(covered_of(100, &drops, LTE_CHANNEL_epa, 15.0, &far_off), 92, 99);
    assert_int_equal(far_off, 0);
}

/* One deep fade brings all the errors asked for; alone it must not end the row. */
static void one_deep_fade_does_not_end_a_row(void **state)
{
    (void)state;
    enum { SWEEPS = 150 };
    const stop_rule r = {100, 8, 20000, 8, 1};
    double ratio[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        for (int seed = 1; seed <= SWEEPS; seed++) {
            lte_sweep *sweep = short_sweep(&r, LTE_CHANNEL_flat, 25.0, i == 0 ? 1 : 20, seed);
            const lte_row *row = lte_sweep_row(sweep, 0, 0);
            assert_int_equal(row->status, LTE_ROW_ERRORS);
            assert_true(i == 0 || lte_error_count_carriers(&row->error_count) >= 20.0);
            ratio[i] += lte_interval_of(&row->error_count).rate / row->theory.ber / SWEEPS;
            lte_sweep_free(sweep);
        }
    }
    print_message("mean BER over theory: %.3f, %.3f\n", ratio[0], ratio[1]);
    assert_true(ratio[0] > 1.2);
    assert_near(ratio[1], 1.0, 0.06);
}

/* A row that ends by errors when it has just as many clusters as asked for. */
static void the_rule_counts_clusters_that_carry_errors(void **state)
{
    (void)state;
    const stop_rule r = {1, 1, 4096, 1, 1};
    lte_sweep *sweep = short_sweep(&r, LTE_CHANNEL_rayleigh, 6.0, 20, 7);
    const lte_row *row = lte_sweep_row(sweep, 0, 0);
    const double m = lte_error_count_carriers(&row->error_count);
    assert_int_equal(row->status, LTE_ROW_ERRORS);
    assert_true(m >= 20.0 && m < 21.0);
    assert_in_range(row->slots, 20, 23);
    lte_sweep_free(sweep);
}

/* Where nothing is wrong any more the bound goes on where the curve ended. */
static void a_bound_is_no_higher_than_the_rows_before_it(void **state)
{
    (void)state;
    static const double snr_db[] = {10.0, 30.0, 2.0, 8.0};
    const stop_rule r = {0, 64, 64, 64, 1};
    for (int i = 0; i < 2; i++) {
        lte_scenario s = small_scenario(&r, snr_db, 4);
        s.channel = i == 0 ? LTE_CHANNEL_awgn : LTE_CHANNEL_flat;
        lte_sweep *sweep = by_rounds(&s);
        for (int d = 0; d < 2; d++) {
            const lte_row *last = lte_sweep_row(sweep, d, 0);
            const double top = lte_row_interval(sweep, last).high;
            const lte_interval bound = lte_row_interval(sweep, lte_sweep_row(sweep, d, 1));
            if (i == 1) {
                assert_false(bound.no_error);
                continue;
            }
            assert_true(last->error_count.errors > 0 && bound.no_error);
            const double plain = 1.0 - pow(0.05, 1.0 / (64.0 * 16.0));
            assert_true(top < plain);
            assert_near(bound.high, top, 1e-15);
            assert_near(lte_interval_of(&lte_sweep_row(sweep, d, 1)->error_count).high,
                        1.0 - pow(0.05, 1.0 / 64.0), 1e-15);
        }
        lte_sweep_free(sweep);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(sweep, intervals_of_short_sweeps_cover_the_closed_form),
    LTE_CASE(sweep, one_deep_fade_does_not_end_a_row),
    LTE_CASE(sweep, the_rule_counts_clusters_that_carry_errors),
    LTE_CASE(sweep, a_bound_is_no_higher_than_the_rows_before_it),
};

int main(void)
{
    return cmocka_run_group_tests_name("sweep", cases, NULL, NULL);
}
