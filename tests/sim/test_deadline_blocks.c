/*
 * Transport blocks in the deadline run, on the clock of pretend_places.h: from which release their
 * latency counts, which subframes are late, and how many of them may be.
 */
#include "tests/lib/pretend_places.h"

#include <math.h>

#include "kernels/coding/coded.h"
#include "sim/jobs/deadline/slot_periods.h"

enum { SUBFRAMES = 20, DECODER_US = 100 };

/* A run whose subframes carry a block each; a slot takes 11 us, its blocks decoder_us. */
static lte_deadline *run_of_subframes(int n, int decoder_us, double budget_us, int late_slots)
{
    lte_scenario s = scenario_of(2 * n);
    s.n_sc = 24;
    s.n_tx = 1;
    s.deadline.distinct = 4;
    s.deadline.budget_us = budget_us;
    s.code = (lte_scenario_code){.given = true,
                                 .mcs = -1,
                                 .rate = 0.5,
                                 .transmissions = 1,
                                 .iterations = 2,
                                 .early_stop = true};
    s.counted = LTE_COUNTED_BLOCKS;
    s.grid = LTE_GRID_full;
    s.llr_scale = 8.0;
    s.deadline.n_in_turn = 1;
    s.deadline.in_turn[0] = s.detectors[0];
    assert_int_equal(lte_scenario_make_codes(&s), LTE_OK);
    (void)reset(NULL);
    fake.decoder_ns = 1000 * decoder_us;
    fake.carrier_ns[LTE_PLACEMENT_DEVICE] = 10000; /* a search without many carriers */
    fake.late_carriers = 1;
    fake.late_to = late_slots;
    lte_deadline *run = run_of(&s, LTE_OK);
    for (int i = 0; i < 2; i++)
        lte_code_free(s.codes[i]);
    return run;
}

static lte_deadline *run_of_blocks(double budget_us, int late_slots)
{
    return run_of_subframes(SUBFRAMES, DECODER_US, budget_us, late_slots);
}

/* Subframes of 1 ms that take 1.42 ms: slots of all but the first wait for more than 500 us. */
static void an_overload_in_turn_is_that_of_the_run(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        lte_deadline *run = run_of_subframes(n, 1400, 5000.0, 0);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_int_equal(host->missed, n - 1);
        assert_int_equal(host->verdict == LTE_VERDICT_MET, n == 1);
        assert_int_equal(run->turns.of[0].at[LTE_PLACEMENT_HOST].verdict,
                         n == 1 ? LTE_VERDICT_MET : LTE_VERDICT_OVERLOADED);
        lte_deadline_free(run);
    }
}

/* What a detector in turn takes is of its subframes, as that of the run's detector is. */
static void times_in_turn_are_of_subframes(void **state)
{
    (void)state;
    lte_deadline *run = run_of_blocks(116.0, 0);
    lte_timed_row rows[LTE_MOST_TIMED_ROWS];
    const int n = lte_timed_rows(run, rows), host = LTE_PLACEMENT_HOST;
    assert_string_equal(rows[n - 1].stage, "in_turn");
    assert_int_equal(rows[n - 1].n[host], SUBFRAMES);
    assert_near(rows[n - 1].spread[host]->p50_us, 12.5 + DECODER_US, 2.0);
    lte_deadline_free(run);
}

/* 111 us and some looks at the clock after the second slot's release, not the first one's. */
static void budgets_count_from_the_second_slot(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        lte_deadline *run = run_of_blocks(i ? 116.0 : 109.0, 0);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_int_equal(host->slots, 2 * SUBFRAMES);
        assert_int_equal(host->due, SUBFRAMES);
        assert_near(host->slot.p50_us, 11.5, 1.0);
        assert_near(host->decoder.p50_us, DECODER_US, 2.0);
        assert_near(host->block.p50_us, 12.5 + DECODER_US, 2.0);
        assert_near(host->block.max_us, 12.5 + DECODER_US, 2.0);
        assert_near(host->service.p50_us, 24.0 + DECODER_US, 3.0);
        assert_int_equal(host->missed, i ? 0 : SUBFRAMES);
        assert_int_equal(host->verdict, i ? LTE_VERDICT_MET : LTE_VERDICT_MISSED);
        lte_deadline_free(run);
    }
}

/* One late slot, or both, make a subframe late; the share on time is that of subframes. */
static void shares_on_time_are_of_subframes(void **state)
{
    static const int late_slots[] = {0, 1, 2, 3, 5}, late_subframes[] = {0, 1, 1, 2, 3};
    (void)state;
    for (size_t i = 0; i < sizeof late_slots / sizeof *late_slots; i++) {
        lte_deadline *run = run_of_blocks(500.0, late_slots[i]);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_int_equal(host->due, SUBFRAMES);
        assert_int_equal(host->missed, late_subframes[i]);
        assert_near(host->on_time, 1.0 - (double)late_subframes[i] / SUBFRAMES, 1e-12);
        lte_deadline_free(run);
    }
}

/* Of a share that leaves a part of a slot, that part is none. */
static void allowed_misses_are_whole(void **state)
{
    static const struct {
        double on_time;
        int n, misses;
    } of[] = {{0.9, 20, 2},    {0.9, 25, 2},     {0.9, 29, 2},     {0.999, 20, 0},
              {0.999, 999, 0}, {0.999, 1000, 1}, {0.999, 1999, 1}, {1.0, 1000000, 0},
              {0.99, 100, 1},  {0.95, 100, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        lte_scenario s = scenario_of(of[i].n);
        s.deadline.on_time = of[i].on_time;
        assert_int_equal(lte_allowed_misses(&s, of[i].n), of[i].misses);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE_AFTER(deadline_blocks, budgets_count_from_the_second_slot, reset),
    LTE_CASE_AFTER(deadline_blocks, an_overload_in_turn_is_that_of_the_run, reset),
    LTE_CASE_AFTER(deadline_blocks, times_in_turn_are_of_subframes, reset),
    LTE_CASE_AFTER(deadline_blocks, shares_on_time_are_of_subframes, reset),
    LTE_CASE_AFTER(deadline_blocks, allowed_misses_are_whole, reset),
};

int main(void)
{
    return cmocka_run_group_tests_name("deadline_blocks", cases, NULL, NULL);
}
