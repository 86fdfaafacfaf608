/*
 * The sweep over one to five workers of this test, which come back in a random but seeded order
 * with made-up counts: rows are those of slot after slot, whatever happens.
 */
#include "tests/lib/pretend_workers.h"

#include "sim/jobs/sweep/sweep_parts.h"

/* One that expects all slots of a point to be needed until it has seen some. */
static lte_sweep *sweep_without_theory(const lte_scenario *s)
{
    lte_sweep *sweep = new_sweep(s);
    for (int i = 0; i < 2 * N_SNR; i++)
        sweep->rows[i].theory.known = false;
    return sweep;
}

/* ---- equal rows ---- */

static void rows_are_those_of_slot_after_slot(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        expect(&s);
        for (int n = 1; n <= MOST_WORKERS; n++) {
            for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
                team t;
                team_init(&t, n, seed);
                lte_sweep *sweep = run(&t, &s, LTE_OK);
                assert_whole(&s, sweep);
                lte_sweep_free(sweep);
            }
        }
    }
}

/* Once the first detector has ended, the others are not paired with one another. */
static void pairs_end_with_the_first_detector(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(&stop_rules[0]);
    s.n_detectors = 3;
    s.detectors[2] = lte_detector_usual(LTE_DETECTOR_mrc);
    lte_sweep *sweep = new_sweep(&s);
    int place[] = {1, 2};
    lte_detector detector[] = {lte_detector_usual(LTE_DETECTOR_mmse),
                               lte_detector_usual(LTE_DETECTOR_mrc)};
    lte_power power = power_of(0, 0);
    uint32_t errors[2][SMALL_COUNTS];
    lte_chunk chunk = {.n_slots = 1,
                       .n_counts = SMALL_COUNTS,
                       .n_detectors = 2,
                       .place = place,
                       .detector = detector,
                       .tally = {.cut = lte_sweep_cut(&s, s.csi[0])},
                       .power = &power,
                       .errors = errors[0]};
    for (int k = 0; k < 2; k++)
        count_slot(0, 0, detector[k].id, errors[k]);
    lte_row_of(sweep, 0, 0)->status = LTE_ROW_ERRORS;
    assert_int_equal(lte_tally_begin(&chunk.tally, 2, 0, 1), LTE_OK);
    assert_int_equal(lte_chunk_sum(&chunk), LTE_OK);
    lte_sweep_merge(sweep, &chunk);
    lte_tally_free(&chunk.tally);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lte_sweep_row(sweep, place[k], 0)->slots, 1);
        assert_int_equal(sweep->pairs[k].clusters, 0);
    }
    lte_sweep_free(sweep);
}

static void no_slot_is_handed_out_twice(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            team t;
            team_init(&t, 1 + (int)seed % MOST_WORKERS, seed);
            lte_sweep *sweep = run(&t, &s, LTE_OK);
            for (int p = 0; p < N_SNR; p++) {
                for (uint64_t slot = 0; slot < MOST_SLOTS; slot++)
                    assert_in_range(crew.handed[p][slot], slot < used(sweep, p), 1);
            }
            lte_sweep_free(sweep);
        }
    }
}

/* Else the cases here would say nothing of the order. */
static void chunks_do_come_back_out_of_order(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(&stop_rules[8]);
    expect(&s);
    for (int n = 2; n <= MOST_WORKERS; n++) {
        team t;
        int early = 0;
        for (uint64_t seed = 1; seed < N_SEEDS; seed++) {
            team_init(&t, n, seed);
            lte_sweep *sweep = run(&t, &s, LTE_OK);
            assert_whole(&s, sweep);
            lte_sweep_free(sweep);
            early += crew.came_early;
        }
        assert_true(early >= 20);
    }
}

/* ---- who works when ---- */

static void everyone_works_in_chunks_that_grow(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        lte_sweep_free(run(&t, &s, LTE_OK));
        assert_int_equal(crew.longest, 256);
        for (int w = 0; w < n; w++)
            assert_true(t.fake[w].starts >= N_SNR * 8000 / 256 / n - 6);
    }
}

/* A worker that is not done is asked for its counts only when no other can go on. */
static void a_slow_worker_holds_nobody_up(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 4096, 16, 1};
    const lte_scenario s = scenario_of(&r);
    team t;
    team_init(&t, 3, 0);
    t.fake[1].slow = 1000000;
    lte_sweep_free(run(&t, &s, LTE_OK));
    /* while it has one chunk, the others fill the memory that they have for three */
    assert_true(t.fake[0].starts >= 2 * t.fake[1].starts);
    assert_true(t.fake[2].starts >= 2 * t.fake[1].starts);
}

static void busy_while_merging(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    const team *t = user;
    (void)snr;
    (void)point_done;
    const uint64_t left = N_SNR * sweep->scenario->sweep.max_slots - used_in_all(sweep);
    for (int w = 0; w < t->n; w++) {
        if (!t->worker[w].ahead)
            assert_false(t->fake[w].busy);
        else if (t->n == 1)
            assert_int_equal(t->fake[w].busy, left > 0);
    }
}

static void who_works_ahead_has_its_next_chunk_before_the_last_is_merged(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 4096, 16, 1}; /* all slots: nothing is useless */
    const lte_scenario s = scenario_of(&r);
    for (int ahead = 0; ahead < 2; ahead++) {
        team t;
        team_init(&t, 1, 0);
        t.worker[0].ahead = ahead;
        t.fake[0].slow = ahead ? -1 : 0; /* nor does it tell whether it is done */
        lte_sweep *sweep = new_sweep(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, 1, busy_while_merging, &t), LTE_OK);
        assert_all_idle(&t);
        lte_sweep_free(sweep);
    }
}

static void who_does_not_work_ahead_counts_nothing_in_vain(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        team t;
        team_init(&t, 1, 0);
        t.worker[0].ahead = false;
        lte_sweep *sweep = run(&t, &s, LTE_OK);
        assert_int_equal(crew.slots, used_in_all(sweep));
        lte_sweep_free(sweep);
    }
}

/* The memory of what was dropped is there again: at the last point nobody waits for any. */
static void busy_at_the_last_point(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    const team *t = user;
    if (snr < N_SNR - 1 || point_done || used(sweep, snr) > 4000)
        return;
    for (int w = 0; w < t->n; w++)
        assert_true(t->fake[w].busy);
}

static void chunks_beyond_the_end_are_waited_for_and_dropped(void **state)
{
    (void)state;
    const stop_rule r = {20, 1, 8000, 4, 1}; /* the first chunk has more than enough */
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++)
            t.fake[w].slow = -1;
        lte_sweep *sweep = sweep_without_theory(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, n, busy_at_the_last_point, &t), LTE_OK);
        assert_all_idle(&t);
        assert_whole(&s, sweep);
        assert_true(crew.slots > used_in_all(sweep));
        lte_sweep_free(sweep);
    }
}

/*
 * All workers together look about as far ahead as one does, also where nothing is known of the
 * error rate at first: as far again as has been counted.
 */
static void little_is_counted_in_vain(void **state)
{
    (void)state;
    const stop_rule r = {12000, 1, 8000, 4, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++) {
            t.worker[w].most = MOST_SLOTS;
            t.fake[w].slow = -1;
        }
        lte_sweep *sweep = sweep_without_theory(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_OK);
        for (int p = 0; p < N_SNR; p++) {
            uint64_t handed = 0;
            for (uint64_t slot = 0; slot < MOST_SLOTS; slot++)
                handed += crew.handed[p][slot];
            assert_true((double)handed <= 1.1 * (double)used(sweep, p) + 16.0);
        }
        lte_sweep_free(sweep);
    }
}

/* So that nobody has a long chunk when the others have run out of work. */
static void the_last_slots_of_a_point_are_shared(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 2; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++)
            t.worker[w].most = MOST_SLOTS;
        lte_sweep_free(run(&t, &s, LTE_OK));
        assert_true(crew.longest > 200);
        assert_int_equal(crew.last, 16);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(workers, rows_are_those_of_slot_after_slot),
    LTE_CASE(workers, pairs_end_with_the_first_detector),
    LTE_CASE(workers, no_slot_is_handed_out_twice),
    LTE_CASE(workers, chunks_do_come_back_out_of_order),
    LTE_CASE(workers, everyone_works_in_chunks_that_grow),
    LTE_CASE(workers, a_slow_worker_holds_nobody_up),
    LTE_CASE(workers, who_works_ahead_has_its_next_chunk_before_the_last_is_merged),
    LTE_CASE(workers, who_does_not_work_ahead_counts_nothing_in_vain),
    LTE_CASE(workers, chunks_beyond_the_end_are_waited_for_and_dropped),
    LTE_CASE(workers, little_is_counted_in_vain),
    LTE_CASE(workers, the_last_slots_of_a_point_are_shared),
};

int main(void)
{
    return cmocka_run_group_tests_name("workers", cases, NULL, NULL);
}
