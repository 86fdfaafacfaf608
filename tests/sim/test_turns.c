/* Detectors timed in turn, on the backend and the clock of tests/lib/pretend_places.h. */
#include "tests/lib/pretend_places.h"

#include <math.h>

/* Detectors take turns in rounds, every second one the other way round: a drift falls on both. */
static void a_drift_falls_on_all_detectors_alike(void **state)
{
    (void)state;
    static const int order[] = {LTE_DETECTOR_zf,   LTE_DETECTOR_mmse, LTE_DETECTOR_mmse,
                                LTE_DETECTOR_zf,   LTE_DETECTOR_zf,   LTE_DETECTOR_mmse,
                                LTE_DETECTOR_mmse, LTE_DETECTOR_zf};
    enum { ROUNDS = sizeof order / sizeof *order };
    lte_scenario s = scenario_of(80);
    s.n_detectors = 2;
    s.detectors[0] = lte_detector_usual(LTE_DETECTOR_zf);
    s.detectors[1] = lte_detector_usual(LTE_DETECTOR_mmse);
    fake.period_ns[LTE_PLACEMENT_HOST] = 600000; /* no search for carriers */
    fake.drift_ns = 100;
    fake.period_ns[LTE_PLACEMENT_DEVICE] = 600000;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->turns.n, 2);
    for (int i = 0; i < ROUNDS; i++) /* of the device, the last that were begun */
        assert_int_equal(fake.detector[fake.begun - ROUNDS + i], order[i]);
    for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
        const lte_turn *zf = &run->turns.of[0].at[p], *mmse = &run->turns.of[1].at[p];
        assert_int_equal(zf->slots, 80);
        assert_int_equal(mmse->slots, 80);
        assert_near(zf->latency.mean_us, mmse->latency.mean_us, 0.2); /* a round drifts by 4 us */
    }
    lte_deadline_free(run);
}

/* Few slots are one round. */
static void few_slots_are_one_round(void **state)
{
    (void)state;
    for (int slots = 10; slots <= 50; slots += 20) {
        lte_scenario s = scenario_of(slots);
        s.n_detectors = 2;
        s.detectors[0] = lte_detector_usual(LTE_DETECTOR_zf);
        s.detectors[1] = lte_detector_usual(LTE_DETECTOR_mmse);
        lte_deadline *run = run_of(&s, LTE_OK);
        for (int d = 0; d < 2; d++)
            assert_int_equal(run->turns.of[d].at[LTE_PLACEMENT_HOST].slots, slots);
        lte_deadline_free(run);
    }
}

/*
 * Those that are asked for run through all slots, and are judged: one that takes longer than the
 * time between two of them is not paced.
 */
static void those_in_turn_are_judged(void **state)
{
    (void)state;
    static const int ids[] = {LTE_DETECTOR_zf, LTE_DETECTOR_ml, LTE_DETECTOR_mmse};
    lte_scenario s = scenario_of(120);
    s.deadline.distinct = 8;
    s.n_detectors = s.deadline.n_in_turn = 3;
    for (int d = 0; d < 3; d++)
        s.detectors[d] = s.deadline.in_turn[d] = lte_detector_usual(ids[d]);
    for (int late = 0; late < 2; late++) {
        reset(NULL);
        fake.period_ns[LTE_PLACEMENT_DEVICE] = 600000; /* no search for carriers */
        fake.period_ns[LTE_PLACEMENT_HOST] = 100000;
        fake.more_ns[LTE_DETECTOR_ml] = late ? 300000 : 200000;
        fake.more_ns[LTE_DETECTOR_mmse] = late ? 500000 : 0;
        lte_deadline *run = run_of(&s, LTE_OK);
        assert_true(run->turns.judged);
        assert_int_equal(run->turns.n, 3);
        for (int d = 0; d < 3; d++) {
            const lte_turn *turn = &run->turns.of[d].at[LTE_PLACEMENT_HOST];
            const bool slow = late && d == 2;
            assert_int_equal(run->turns.of[d].detector.id, ids[d]);
            assert_int_equal(turn->slots, 120);
            assert_int_equal(turn->due, 120);
            assert_int_equal(turn->distinct, 8);
            assert_int_equal(turn->missed, slow ? 120 : 0);
            assert_int_equal(turn->paced, !slow);
            assert_int_equal(turn->verdict, slow ? LTE_VERDICT_OVERLOADED : LTE_VERDICT_MET);
            assert_near(turn->latency.p50_us, 100.0 + 1e-3 * (double)fake.more_ns[ids[d]] + 10.5,
                        2.0);
            /* eight slots say little of a time that depends on them */
            assert_int_equal(isnan(turn->latency.p999_us) != 0, ids[d] == LTE_DETECTOR_ml);
            assert_int_equal(run->turns.of[d].at[LTE_PLACEMENT_DEVICE].missed, 120);
        }
        assert_int_equal(lte_turns_met(&run->turns), !late);
        /* a round of 30 goes on where the last one ended; the first 20 warm up before each */
        for (int i = 0; i < 8; i++)
            assert_int_equal(fake.came[i], 120 / 8 + 4 * (i < 4 ? 3 : 2));
        lte_deadline_free(run);
    }
}

/*
 * One that takes longer than the time between two slots falls behind, whatever the budget allows;
 * where nothing is paced, the budget alone counts.
 */
static void a_larger_budget_carries_no_load(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(120);
    s.deadline.budget_us = 900.0;
    s.deadline.detector = lte_detector_usual(LTE_DETECTOR_mmse);
    s.n_detectors = s.deadline.n_in_turn = 2;
    s.detectors[0] = s.deadline.in_turn[0] = lte_detector_usual(LTE_DETECTOR_zf);
    s.detectors[1] = s.deadline.in_turn[1] = lte_detector_usual(LTE_DETECTOR_mmse);
    for (int paced = 0; paced < 2; paced++) {
        reset(NULL);
        s.deadline.paced = paced;
        fake.period_ns[LTE_PLACEMENT_DEVICE] = 100000;
        fake.period_ns[LTE_PLACEMENT_HOST] = 100000;
        fake.more_ns[LTE_DETECTOR_mmse] = 600000;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_turn *slow = &run->turns.of[1].at[LTE_PLACEMENT_HOST];
        assert_int_equal(run->turns.of[0].at[LTE_PLACEMENT_HOST].verdict, LTE_VERDICT_MET);
        assert_false(slow->paced);
        assert_int_equal(slow->missed, 0);
        assert_int_equal(slow->verdict, paced ? LTE_VERDICT_OVERLOADED : LTE_VERDICT_MET);
        assert_int_equal(slow->verdict, run->at[LTE_PLACEMENT_HOST].verdict);
        assert_int_equal(lte_turns_met(&run->turns), !paced);
        lte_deadline_free(run);
    }
}

/*
 * The first of them are on time: of slots every 500 us that take 711 us each number k ends
 * 711 + 211 k us after its release, which is within 1600 us up to k = 4.
 */
static void few_slots_may_be_met_with_load(void **state)
{
    (void)state;
    for (int slots = 4; slots <= 6; slots++) {
        lte_scenario s = scenario_of(slots);
        reset(NULL);
        s.deadline.budget_us = 1600.0;
        s.deadline.on_time = 1.0;
        s.deadline.detector = lte_detector_usual(LTE_DETECTOR_mmse);
        s.n_detectors = s.deadline.n_in_turn = 1;
        s.detectors[0] = s.deadline.in_turn[0] = s.deadline.detector;
        fake.period_ns[LTE_PLACEMENT_DEVICE] = 100000;
        fake.period_ns[LTE_PLACEMENT_HOST] = 700000;
        lte_deadline *run = run_of(&s, LTE_OK);
        assert_int_equal(run->turns.of[0].at[LTE_PLACEMENT_HOST].verdict,
                         slots <= 5 ? LTE_VERDICT_MET : LTE_VERDICT_OVERLOADED);
        assert_int_equal(run->at[LTE_PLACEMENT_HOST].verdict == LTE_VERDICT_MET, slots <= 5);
        lte_deadline_free(run);
    }
}

/* Carriers of a period take different slots of the buffer, as long as there are any. */
static void different_slots_are_those_of_all_carriers(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(10);
    const lte_detector zf = lte_detector_usual(LTE_DETECTOR_zf);
    const lte_detector ml = lte_detector_usual(LTE_DETECTOR_ml);
    s.deadline.distinct = 16;
    assert_int_equal(lte_different_slots(&s, 10), 10);
    s.deadline.carriers = 3;
    assert_int_equal(lte_different_slots(&s, 5), 15);
    assert_int_equal(lte_different_slots(&s, 10), 16);
    assert_true(lte_slots_vary(zf, 1));
    assert_false(lte_slots_vary(ml, LTE_VARIED_SLOTS - 1));
    assert_true(lte_slots_vary(ml, LTE_VARIED_SLOTS));
    s.n_detectors = s.deadline.n_in_turn = 1;
    s.detectors[0] = s.deadline.in_turn[0] = zf;
    fake.period_ns[LTE_PLACEMENT_DEVICE] = fake.period_ns[LTE_PLACEMENT_HOST] = 100000;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->turns.of[0].at[LTE_PLACEMENT_HOST].distinct, 16);
    lte_deadline_free(run);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE_AFTER(turns, a_drift_falls_on_all_detectors_alike, reset),
    LTE_CASE_AFTER(turns, few_slots_are_one_round, reset),
    LTE_CASE_AFTER(turns, those_in_turn_are_judged, reset),
    LTE_CASE_AFTER(turns, a_larger_budget_carries_no_load, reset),
    LTE_CASE_AFTER(turns, few_slots_may_be_met_with_load, reset),
    LTE_CASE_AFTER(turns, different_slots_are_those_of_all_carriers, reset),
};

int main(void)
{
    return cmocka_run_group_tests_name("turns", cases, NULL, NULL);
}
