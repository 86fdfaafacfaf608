/*
 * Workers that fail, are interrupted or run out of time: what is merged then, and how a sweep
 * goes on.
 */
#include "tests/lib/pretend_workers.h"

#include "kernels/backends/clock.h"

/* ---- ends before their time ---- */

/*
 * After an end before its time: whole rows before the point at hand, the counts of its first slots
 * there, nothing behind it. Returns slots at hand.
 */
static uint64_t check_rest(const lte_scenario *s, const lte_sweep *sweep, lte_row_status status)
{
    uint64_t at_hand = 0;
    for (int i = 0; i < 2 * N_SNR; i++) {
        const lte_row *row = &sweep->rows[i];
        const int point = i % N_SNR;
        uint64_t counted[SMALL_COUNTS] = {0};
        lte_row counts = {.counts = counted};
        if (point >= sweep->n_started) {
            assert_int_equal(row->slots, 0);
            assert_int_equal(row->status, LTE_ROW_RUNNING);
        } else if (row->status != status) {
            assert_int_equal(row->status, expected.row[i].status);
            assert_counts(row, &expected.row[i]);
        } else {
            assert_int_equal(point, sweep->n_started - 1);
            assert_true(row->slots < expected.row[i].slots);
            assert_int_equal(row->slots % (uint64_t)s->sweep.round_slots, 0);
            count_slots(s, point, 0, row->slots, i < N_SNR ? LTE_DETECTOR_zf : LTE_DETECTOR_mmse,
                        &counts);
            assert_counts(row, &counts);
            at_hand += row->slots;
        }
    }
    return at_hand;
}

static void a_failing_worker_leaves_whole_rounds(void **state)
{
    (void)state;
    const stop_rule r = {2000, 1, 2000, 8, 1};
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            uint64_t kept = 0;
            team t;
            team_init(&t, n, seed);
            lte_sweep_free(run(&t, &s, LTE_OK));
            const int calls = crew.starts;
            assert_true(calls > 10);
            for (int call = 0; call < 2 * calls; call++) {
                team_init(&t, n, seed);
                *(call < calls ? &crew.fail_start : &crew.fail_wait) = call % calls;
                lte_sweep *sweep = new_sweep(&s);
                assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_EDEVICE);
                for (int w = 0; w < n; w++)
                    assert_false(t.fake[w].busy);
                assert_int_equal(crew.held, 0);
                assert_true(sweep->n_started >= 1);
                kept += check_rest(&s, sweep, LTE_ROW_INTERRUPTED);
                lte_sweep_free(sweep);
            }
            assert_true(kept > 0);
        }
    }
}

/* What others had counted before the slots of the worker that failed is kept. */
static void what_precedes_a_failure_is_merged(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 64, 16, 1};
    const lte_scenario s = scenario_of(&r);
    team t;
    team_init(&t, 4, 0);
    for (int w = 0; w < 4; w++) {
        t.fake[w].slow = w == 3 ? 0 : -1; /* the last is done long before the others */
        t.worker[w].most = 16;
    }
    crew.fail_wait = 1;
    lte_sweep *sweep = run(&t, &s, LTE_EDEVICE);
    assert_int_equal(sweep->rows[0].slots, 48);
    assert_int_equal(sweep->rows[0].status, LTE_ROW_INTERRUPTED);
    lte_sweep_free(sweep);
}

static void a_signal_keeps_what_was_merged(void **state)
{
    (void)state;
    const stop_rule r = {2000, 1, 2000, 8, 1};
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            for (int call = 0; call < 12; call++) {
                team t;
                team_init(&t, n, seed);
                for (int w = 0; w < n; w++) /* chunks of whole rounds */
                    t.worker[w].most += 8;
                crew.stop_wait = call;
                lte_sweep *sweep = run(&t, &s, LTE_OK);
                const int handed = crew.starts;
                lte_stop_signal = 0;
                (void)check_rest(&s, sweep, LTE_ROW_INTERRUPTED);
                assert_true(sweep->rows[0].slots > 0);
                assert_true(handed <= call + 1 + 2 * n); /* little is begun after it */
                lte_sweep_free(sweep);
            }
        }
    }
}

static void time_ends_a_sweep_after_a_chunk(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    lte_scenario s = scenario_of(&r);
    s.sweep.max_seconds = 1e-9;
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (int spent = 0; spent < 2; spent++) {
            team t;
            team_init(&t, n, 0);
            lte_sweep *sweep = new_sweep(&s);
            sweep->spent_s = spent;
            assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_OK);
            assert_all_idle(&t);
            assert_int_equal(sweep->n_started, 1 - spent);
            assert_int_equal(check_rest(&s, sweep, LTE_ROW_TIME), spent ? 0 : 2 * 16);
            lte_sweep_free(sweep);
        }
    }
}

/* What a sweep has merged; rows that were interrupted run again. */
static void copy_merged(lte_sweep *to, const lte_sweep *from)
{
    for (int i = 0; i < 2 * N_SNR; i++) {
        lte_row *row = &to->rows[i];
        uint64_t *counts = row->counts, *of_drop = row->drop.counts;
        *row = from->rows[i];
        row->counts = counts;
        row->drop.counts = of_drop;
        if (row->status == LTE_ROW_INTERRUPTED)
            row->status = LTE_ROW_RUNNING;
    }
    memcpy(to->counts, from->counts, sizeof(uint64_t[2 * N_SNR][2][SMALL_COUNTS]));
    memcpy(to->pairs, from->pairs, N_SNR * sizeof *to->pairs);
    to->n_started = from->n_started;
}

/* Rows with their counts, pairs and n_started are all that a sweep needs to be gone on with. */
static void a_sweep_goes_on_from_where_its_rows_stand(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        expect(&s);
        for (int call = 0; call < 12; call++) {
            team t;
            team_init(&t, 1 + call % MOST_WORKERS, (uint64_t)call);
            crew.stop_wait = call;
            lte_sweep *sweep = run(&t, &s, LTE_OK), *rest = new_sweep(&s);
            const bool stopped = lte_stop_signal != 0;
            lte_stop_signal = 0;
            copy_merged(rest, sweep);
            team_init(&t, 1 + call % 2, 0);
            assert_int_equal(lte_sweep_run(rest, t.worker, t.n, NULL, NULL), LTE_OK);
            assert_all_idle(&t);
            assert_whole(&s, rest);
            assert_true(used_in_all(sweep) > 0);
            if (!stopped)
                assert_int_equal(crew.starts, 0);
            for (uint64_t slot = 0; slot < used(sweep, 0); slot++)
                assert_int_equal(crew.handed[0][slot], 0); /* none again */
            lte_sweep_free(rest);
            lte_sweep_free(sweep);
        }
    }
}

static void memory_is_bounded_and_none_is_left(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(&stop_rules[0]);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        lte_sweep_free(run(&t, &s, LTE_OK));
        const int chunks = crew.allocs;
        assert_int_equal(chunks, 3 * n);
        for (int call = 0; call < chunks; call++) {
            team_init(&t, n, 0);
            crew.fail_alloc = call;
            lte_sweep *sweep = run(&t, &s, LTE_ENOMEM);
            assert_int_equal(sweep->n_started, 0);
            assert_int_equal(crew.starts, 0);
            lte_sweep_free(sweep);
        }
    }
}

/* Each second of the run is given to one row. */
static void seconds_of_rows_add_up(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n += 2) {
        team t;
        double sum = 0.0;
        team_init(&t, n, 0);
        const double start = lte_seconds();
        lte_sweep *sweep = run(&t, &s, LTE_OK);
        const double all = lte_seconds() - start;
        for (int i = 0; i < 2 * N_SNR; i++) {
            assert_true(sweep->rows[i].seconds > 0.0);
            sum += sweep->rows[i].seconds;
        }
        assert_true(sum <= all);
        lte_sweep_free(sweep);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(workers, a_failing_worker_leaves_whole_rounds),
    LTE_CASE(workers, what_precedes_a_failure_is_merged),
    LTE_CASE(workers, a_signal_keeps_what_was_merged),
    LTE_CASE(workers, time_ends_a_sweep_after_a_chunk),
    LTE_CASE(workers, a_sweep_goes_on_from_where_its_rows_stand),
    LTE_CASE(workers, memory_is_bounded_and_none_is_left),
    LTE_CASE(workers, seconds_of_rows_add_up),
};

int main(void)
{
    return cmocka_run_group_tests_name("workers", cases, NULL, NULL);
}
