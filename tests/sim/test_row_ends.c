/* Rows of a sweep end by the stop rule, and the deadline run counts the sweep's errors. */
#include "tests/lib/link_sweeps.h"

#include <signal.h>

#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/workers/stop.h"

/* ---- when a sweep ends ---- */

static const double stop_snr_db[] = {6.0, 14.0};

static lte_scenario stop_scenario(const stop_rule *r)
{
    lte_scenario s = scenario_of(LTE_CHANNEL_rayleigh, 2, 2, 2, stop_snr_db[0], 72, 1, 1000);
    s.sweep.snr_db[1] = stop_snr_db[1];
    s.sweep.n_snr = 2;
    set_rule(&s, r);
    return s;
}

/* The rule of the scenario, slot by slot: where detector d ends, and why. */
static lte_row_status ending(const stop_rule *r, const slot_errors *errors, int d, uint64_t *slots,
                             uint64_t *bit_errors)
{
    *bit_errors = 0;
    for (*slots = 1; *slots <= r->max_slots; ++*slots) {
        *bit_errors += (uint64_t)bits_at(errors, (int)*slots - 1, d);
        if (*slots % (uint64_t)r->round_slots != 0 && *slots != r->max_slots)
            continue;
        if (*bit_errors >= r->min_bit_errors && *slots >= r->min_slots)
            return LTE_ROW_ERRORS;
    }
    *slots = r->max_slots;
    return LTE_ROW_SLOTS;
}

static void compare_endings(const stop_rule *r)
{
    const lte_scenario s = stop_scenario(r);
    lte_sweep *sweep = sweep_of(&s);
    assert_int_equal(sweep->n_started, 2);
    for (int at = 0; at < 2; at++) {
        static slot_errors errors;
        errors_of(&s, stop_snr_db[at], MOST_SLOTS, &errors);
        uint64_t ended[LTE_N_DETECTORS];
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweep, d, at);
            uint64_t bit_errors;
            assert_int_equal(row->status, ending(r, &errors, d, &ended[d], &bit_errors));
            assert_int_equal(row->error_count.clusters, ended[d]);
            assert_int_equal(row->error_count.errors, bit_errors);
        }
        for (int d = 1; d < sweep->n_detectors; d++) {
            const lte_pair *pair = &sweep->pairs[at * (sweep->n_detectors - 1) + d - 1];
            const uint64_t common = ended[d] < ended[0] ? ended[d] : ended[0];
            int64_t sum = 0, sum2 = 0, sum_abs = 0;
            for (int slot = 0; slot < (int)common; slot++) {
                const int64_t gap = bits_at(&errors, slot, 0) - bits_at(&errors, slot, d);
                sum += gap;
                sum2 += gap * gap;
                sum_abs += gap < 0 ? -gap : gap;
            }
            assert_int_equal(pair->clusters, common);
            assert_int_equal(pair->d.sum, sum);
            assert_int_equal(pair->d.sum_abs, sum_abs);
            assert_true(pair->d.sum2 == (lte_u128)sum2);
        }
    }
    lte_sweep_free(sweep);
}

static void rows_end_with_the_round_that_reaches_the_goal(void **state)
{
    (void)state;
    static const stop_rule rules[] = {
        {2000, 1, 600, 5, 1},      /* errors decide, for each detector elsewhere */
        {2000, 1, 600, 1, 1},      /* rounds of one slot */
        {2000, 53, 600, 5, 1},     /* slots decide, in mid-round */
        {0, 20, 600, 5, 1},        /* at the end of a round exactly */
        {0, 1, 600, 7, 1},         /* at once */
        {5000, 1, 103, 10, 1},     /* the last round is cut short */
        {1000000, 1, 103, 10, 1},  /* never reached */
        {1000000, 1, 7, 64, 1},    /* not even a whole round */
        {2000, 1, 700, 300, 1},    /* rounds longer than the chunks that a sweep works in */
        {1000000, 700, 700, 7, 1}, /* all equal */
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        compare_endings(&rules[i]);
}

static void the_goal_is_reached_by_equality(void **state)
{
    (void)state;
    stop_rule r = {1000000, 1, MOST_SLOTS, 5, 1};
    const lte_scenario s = stop_scenario(&r);
    static slot_errors errors;
    errors_of(&s, stop_snr_db[0], MOST_SLOTS, &errors);
    uint64_t sum = 0;
    for (int slot = 0; slot < 50; slot++)
        sum += (uint64_t)bits_at(&errors, slot, LTE_DETECTOR_zf);
    for (int more = 0; more < 2; more++) {
        r.min_bit_errors = sum + (uint64_t)more;
        compare_endings(&r);
        const lte_scenario exact = stop_scenario(&r);
        lte_sweep *sweep = sweep_of(&exact);
        assert_int_equal(row_of(sweep, LTE_DETECTOR_zf, 0)->error_count.clusters, 50 + 5 * more);
        assert_true(row_of(sweep, LTE_DETECTOR_mmse, 0)->error_count.clusters > 55);
        lte_sweep_free(sweep);
    }
}

static void time_and_signals_end_a_sweep_between_rounds(void **state)
{
    (void)state;
    const stop_rule endless = {(uint64_t)1 << 40, 1, (uint64_t)1 << 40, 1000, 1};
    for (int i = 0; i < 2; i++) {
        lte_scenario s = stop_scenario(&endless);
        s.sweep.max_seconds = i == 0 ? 1e-9 : 0.0;
        lte_stop_signal = i == 0 ? 0 : SIGTERM;
        lte_sweep *sweep = sweep_of(&s);
        lte_stop_signal = 0;
        assert_int_equal(sweep->n_started, 1);
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweep, d, 0);
            assert_int_equal(row->status, i == 0 ? LTE_ROW_TIME : LTE_ROW_INTERRUPTED);
            assert_true(row->error_count.clusters > 0 && row->error_count.errors > 0);
            assert_int_equal(lte_sweep_row(sweep, d, 1)->error_count.clusters, 0);
        }
        lte_sweep_free(sweep);
    }
}

/* 72 subcarriers, one QPSK layer: 1008 bits a slot. */
static void expected_slots_follow_the_stop_rule(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const struct {
        stop_rule rule;
        double ber, slots;
    } table[] = {
        {{1008, 1, 4096, 1, 1}, 0.5, 2.0},      {{1009, 1, 4096, 1, 1}, 0.5, 3.0},
        {{1008, 1, 4096, 64, 1}, 0.5, 64.0},    {{100800, 1, 4096, 64, 1}, 0.5, 256.0},
        {{1008, 65, 4096, 64, 1}, 0.5, 128.0},  {{1008, 64, 4096, 64, 1}, 0.5, 64.0},
        {{1008, 1, 4096, 64, 1}, 1e-9, 4096.0}, {{1008, 1, 50, 64, 1}, 0.5, 50.0},
        {{1008, 1, 4096, 64, 1}, 0.0, 4096.0},  {{1008, 1, 4096, 64, 1}, nan, 4096.0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lte_scenario s = scenario_of(LTE_CHANNEL_rayleigh, 1, 1, 2, 0.0, 72, 1, 1);
        set_rule(&s, &table[i].rule);
        const lte_sweep sweep = {.scenario = &s, .drop_bits = 1008, .end = table[i].rule.max_slots};
        assert_near(lte_expected_slots(&sweep, table[i].ber), table[i].slots, 0.0);
    }
}

/* ---- the deadline run ---- */

static void percentiles_are_nearest_ranks(void **state)
{
    (void)state;
    static const double share[] = {0.5, 0.99, 0.999, 1.0};
    static const struct {
        int n;
        double rank[4];
    } table[] = {
        {1, {1, 1, 1, 1}},
        {2, {1, 2, 2, 2}},
        {3, {2, 3, 3, 3}},
        {10, {5, 10, 10, 10}},
        {1000, {500, 990, 999, 1000}},
        {1001, {501, 991, 1000, 1001}},
        {2000, {1000, 1980, 1998, 2000}},
    };
    float x[2000];
    for (int i = 0; i < 2000; i++)
        x[i] = (float)(i + 1);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (int q = 0; q < 4; q++)
            assert_near(lte_nearest_rank(x, table[i].n, share[q]), table[i].rank[q], 0.0);
    }
}

static void check_knowing(const point *p, int channel, int csi, int inverter, int detector,
                          int carriers)
{
    const int distinct = 7, seed = 1000;
    lte_scenario s = scenario_of(channel, p->n_tx, p->n_rx, p->n_bits, 0.0, p->n_sc, 1, seed);
    s.inverter = inverter;
    s.csi[0] = csi;
    s.deadline.slots = p->n_slots;
    s.deadline.distinct = distinct;
    s.deadline.carriers = carriers;
    s.deadline.detector = lte_detector_usual(detector);
    s.deadline.snr_db = p->snr_db;
    s.deadline.budget_us = 1e-3; /* nothing meets it: no search for more carriers */
    s.deadline.on_time = 1.0;
    machine m = machine_of(&s);
    lte_deadline *run = NULL;
    assert_int_equal(lte_deadline_run(&s, m.backend, m.engine, &m.link, NULL, NULL, &run), LTE_OK);
    machine_fini(&m);
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const int seen = p->n_slots * carriers < distinct ? p->n_slots * carriers : distinct;
    lte_scenario swept =
        scenario_of(channel, p->n_tx, p->n_rx, p->n_bits, p->snr_db, p->n_sc, seen, seed);
    swept.inverter = inverter;
    swept.csi[0] = csi;
    lte_sweep *sweep = sweep_of(&swept);
    const lte_row *row = row_of(sweep, detector, 0);
    assert_int_equal(host->distinct_used, seen);
    assert_int_equal(host->bits, row->error_count.clusters * row->error_count.cluster_bits);
    assert_int_equal(host->bit_errors, row->error_count.errors);
    assert_true(host->bit_errors > 0);
    assert_int_equal(host->slots, p->n_slots);
    assert_int_equal(host->missed, p->n_slots);
    assert_near(host->on_time, 0.0, 0.0);
    assert_true(host->verdict != LTE_VERDICT_MET && !run->interrupted &&
                host->capacity.carriers == 0);
    for (int i = 1; i < host->slots; i++)
        assert_true(host->latency_us[i - 1] <= host->latency_us[i]);
    assert_near(host->slot.p50_us, host->latency_us[(host->slots + 1) / 2 - 1], 0.0);
    assert_near(host->slot.p999_us, host->latency_us[host->slots - 1], 0.0);
    assert_near(host->slot.max_us, host->latency_us[host->slots - 1], 0.0);
    const bool inverts = (lte_detector_rows[detector].needs & LTE_NEEDS_INVERSE);
    assert_int_equal(host->inversions, inverts ? p->n_slots : 0);
    assert_true((host->inversion.p50_us > 0.0) == inverts);
    assert_int_equal(run->at[LTE_PLACEMENT_DEVICE].slots, 0);
    const bool estimates = lte_csi_estimates(csi);
    assert_int_equal(run->csi, csi);
    assert_true(lte_stage_is_there(run, LTE_PLACEMENT_HOST, LTE_TIMED_ESTIMATION) == estimates);
    assert_true(lte_stage_is_there(run, LTE_PLACEMENT_HOST, LTE_TIMED_GRAM) == inverts);
    assert_true(lte_stage_is_there(run, LTE_PLACEMENT_HOST, LTE_TIMED_INVERSION) == inverts);
    assert_true(lte_stage_is_there(run, LTE_PLACEMENT_HOST, LTE_TIMED_DETECTION));
    const int data = p->n_sc * (estimates ? 6 : 7) * p->n_tx * carriers;
    double latencies_us = 0.0;
    for (int i = 0; i < host->slots; i++)
        latencies_us += (double)host->latency_us[i];
    assert_true(host->work_s > 0.0 && host->work_s * 1e6 <= latencies_us * (1.0 + 1e-5));
    assert_near(host->symbols_per_s * host->work_s / data / host->slots, 1.0, 1e-9);
    assert_near(host->mbit_per_s * 1e6 / host->symbols_per_s, p->n_bits, 1e-9);
    assert_true(inverts ? run->inverses.condition.p50 > 0.0 : isnan(run->inverses.condition.p50));
    assert_int_equal(run->inverses.flagged, 0);
    lte_sweep_free(sweep);
    lte_deadline_free(run);
}

static void check_deadline(const point *p, int channel, int inverter, int detector, int carriers)
{
    check_knowing(p, channel, LTE_CSI_perfect, inverter, detector, carriers);
}

static void deadline_run_counts_the_errors_of_the_sweep(void **state)
{
    (void)state;
    const int jordan = LTE_INVERTER_gauss_jordan, ldl = LTE_INVERTER_ldl;
    const int zf = LTE_DETECTOR_zf, mmse = LTE_DETECTOR_mmse;
    check_deadline(&(point){1, 1, 2, 10.0, 72, 5}, LTE_CHANNEL_rayleigh, jordan, zf, 1);
    check_deadline(&(point){4, 4, 4, 20.0, 180, 20}, LTE_CHANNEL_rayleigh, jordan, mmse, 1);
    check_deadline(&(point){3, 5, 6, 15.0, 72, 3}, LTE_CHANNEL_rayleigh, ldl, zf, 3);
    check_deadline(&(point){2, 3, 8, 25.0, 300, 2}, LTE_CHANNEL_flat, jordan, mmse, 3);
    check_deadline(&(point){8, 8, 2, 20.0, 72, 9}, LTE_CHANNEL_rayleigh, ldl, mmse, 2);
    check_deadline(&(point){5, 5, 6, 12.0, 180, 7}, LTE_CHANNEL_awgn, jordan, zf, 1);
    for (int d = 0; d < LTE_N_ESTIMATING_DETECTORS; d++)
        check_deadline(&(point){2, 4, 4, 8.0, 72, 4}, LTE_CHANNEL_eva, inverter_for(d, 2), d, 2);
}

static void deadline_run_estimates_as_the_sweep_does(void **state)
{
    (void)state;
    const int jordan = LTE_INVERTER_gauss_jordan, ldl = LTE_INVERTER_ldl;
    const int zf = LTE_DETECTOR_zf, mmse = LTE_DETECTOR_mmse;
    const int ls = LTE_CSI_dmrs_ls, wiener = LTE_CSI_dmrs_mmse;
    check_knowing(&(point){4, 4, 4, 15.0, 180, 9}, LTE_CHANNEL_eva, ls, ldl, mmse, 1);
    check_knowing(&(point){3, 5, 2, 5.0, 72, 3}, LTE_CHANNEL_etu, wiener, jordan, mmse, 3);
    check_knowing(&(point){2, 2, 6, 20.0, 72, 2}, LTE_CHANNEL_flat, wiener, jordan, zf, 2);
    check_knowing(&(point){1, 1, 2, 5.0, 300, 7}, LTE_CHANNEL_awgn, ls, ldl, zf, 1);
    for (int d = 0; d < LTE_N_ESTIMATING_DETECTORS; d++)
        check_knowing(&(point){2, 4, 4, 8.0, 72, 4}, LTE_CHANNEL_eva, ls, inverter_for(d, 2), d, 2);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(sweep, rows_end_with_the_round_that_reaches_the_goal),
    LTE_CASE(sweep, the_goal_is_reached_by_equality),
    LTE_CASE(sweep, time_and_signals_end_a_sweep_between_rounds),
    LTE_CASE(sweep, expected_slots_follow_the_stop_rule),
    LTE_CASE(deadline, percentiles_are_nearest_ranks),
    LTE_CASE(deadline, deadline_run_counts_the_errors_of_the_sweep),
    LTE_CASE(deadline, deadline_run_estimates_as_the_sweep_does),
};

int main(void)
{
    return cmocka_run_group_tests_name("row_ends", cases, NULL, NULL);
}
