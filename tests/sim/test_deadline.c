/*
 * The deadline run on a backend with two places for its data, made here over cpu:ref, and on a
 * clock of this test: it goes on by half a microsecond whenever it is looked at, by what a period
 * is said to take, and by interruptions. So times and capacities are known.
 */
#include "tests/lib/pretend_places.h"

#include <math.h>

#include "sim/jobs/deadline/release_phase.h"
#include "sim/jobs/workers/stop.h"

/* The search found the last number that fits and the first that does not. */
static void assert_capacity(const lte_capacity *capacity, int low, int high)
{
    int most = 0, least = 1 << 30;
    for (int i = 0; i < capacity->n_trials; i++) {
        const lte_trial *trial = &capacity->trials[i];
        if (trial->met && trial->carriers > most)
            most = trial->carriers;
        if (!trial->met && trial->carriers < least)
            least = trial->carriers;
    }
    assert_in_range(capacity->carriers, low, high);
    assert_int_equal(capacity->carriers, most);
    assert_int_equal(least, most + 1);
    assert_true(capacity->n_trials <= 20);
    assert_false(capacity->bounded);
}

static void both_places_are_timed_and_searched(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    lte_deadline *run = run_of(&s, LTE_OK);
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const lte_placed *device = &run->at[LTE_PLACEMENT_DEVICE];
    assert_near(host->slot.p50_us, 11.5, 0.6);
    assert_near(device->slot.p50_us, 1.6, 0.6);
    assert_true(host->verdict == LTE_VERDICT_MET && device->verdict == LTE_VERDICT_MET &&
                !host->cached && device->cached);
    assert_true(host->bit_errors > 0);
    assert_int_equal(host->bit_errors, device->bit_errors);
    assert_near(host->inversion.p99_us, 16.0, 1e-3);
    assert_near(device->inversion.p99_us, 116.0, 1e-3);
    assert_capacity(&host->capacity, 49, 49);       /* (500 - 1) / 10 */
    assert_capacity(&device->capacity, 4970, 4990); /* (500 - 1) / 0.1 */
    lte_deadline_free(run);
}

static void a_search_ends_at_its_largest_number(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(10);
    fake.carrier_ns[LTE_PLACEMENT_DEVICE] = 0;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->at[LTE_PLACEMENT_DEVICE].capacity.carriers, 100000);
    assert_true(run->at[LTE_PLACEMENT_DEVICE].capacity.bounded);
    lte_deadline_free(run);
}

/* That of the run's own slots, between three seconds and five. */
static void a_search_ends_after_its_time(void **state)
{
    (void)state;
    static const int slots[] = {1000, 8000, 20000}, most_s[] = {3, 4, 5};
    fake.carrier_ns[LTE_PLACEMENT_DEVICE] = 9; /* some dozen tries of half a second */
    fake.period_ns[LTE_PLACEMENT_DEVICE] = 200000;
    for (int i = 0; i < 3; i++) {
        lte_scenario s = scenario_of(slots[i]);
        s.deadline.on_time = 0.001; /* none ends early */
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_capacity *capacity = &run->at[LTE_PLACEMENT_DEVICE].capacity;
        int64_t periods = 0;
        for (int t = 0; t < capacity->n_trials; t++)
            periods += capacity->trials[t].periods;
        assert_true(capacity->bounded);
        assert_in_range(capacity->carriers, 30000, 33333);
        assert_in_range(periods, (most_s[i] - 1) * 2000, most_s[i] * 2000);
        lte_deadline_free(run);
    }
}

/* Trials of a number, and whether the last of them held. */
static int trials_of(const lte_capacity *capacity, int carriers, bool *met)
{
    int n = 0;
    for (int i = 0; i < capacity->n_trials; i++) {
        if (capacity->trials[i].carriers != carriers)
            continue;
        *met = capacity->trials[i].met;
        n++;
    }
    return n;
}

/* Whichever number is disturbed: two tries do not matter, after three it does not hold. */
static void disturbed_tries_do_not_decide(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    int n_disturbed = 0;
    for (int disturbed = 40; disturbed <= 49; disturbed++) {
        for (int tries = 1; tries <= 3; tries++) {
            bool met = true;
            reset(NULL);
            fake.late_carriers = disturbed;
            fake.late_to = tries;
            lte_deadline *run = run_of(&s, LTE_OK);
            const lte_capacity *capacity = &run->at[LTE_PLACEMENT_HOST].capacity;
            const int n = trials_of(capacity, disturbed, &met);
            assert_in_range(n, 0, 3);
            n_disturbed += n > 1;
            assert_int_equal(capacity->carriers, n == 3 && !met ? disturbed - 1 : 49);
            assert_true(n == 0 || met || tries == 3);
            assert_false(capacity->bounded);
            assert_int_equal(trials_of(capacity, capacity->carriers + 1, &met), 3);
            lte_deadline_free(run);
        }
    }
    assert_true(n_disturbed >= 6); /* the search did meet some */
}

/*
 * A machine that is away for 60 us makes those of 45 carriers and more late whose median work fits:
 * whether they hold stays open after three such tries. Work that does not fit is decided.
 */
static void a_stalled_machine_leaves_the_next_number_open(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    for (int i = 0; i < 2; i++) {
        reset(NULL);
        interruption[0].every_ns = 1700000;
        interruption[0].length_ns = i ? 2000 : 60000;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_capacity *capacity = &run->at[LTE_PLACEMENT_HOST].capacity;
        int n_stalled = 0, n = 0;
        for (int t = 0; t < capacity->n_trials; t++) {
            const lte_trial *trial = &capacity->trials[t];
            n += trial->carriers == capacity->carriers + 1;
            n_stalled += trial->carriers == capacity->carriers + 1 && trial->stalled;
            assert_false(trial->stalled && (trial->met || trial->carriers > 49));
        }
        assert_int_equal(capacity->bounded, i == 0);
        assert_in_range(capacity->carriers, i ? 49 : 42, i ? 49 : 45);
        assert_int_equal(n, 3);
        assert_int_equal(n_stalled, i ? 0 : 3);
        assert_in_range(capacity->by_median, 46, 49);
        lte_deadline_free(run);
    }
}

/* The number by median work is that of a machine that never stalls, to a sixteenth. */
static void carriers_by_median_work_are_told(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    for (int carriers = 0; carriers <= 40; carriers += 20) {
        reset(NULL);
        fake.period_ns[LTE_PLACEMENT_HOST] = 1000 * (495 - 10 * carriers);
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_capacity *capacity = &run->at[LTE_PLACEMENT_HOST].capacity;
        assert_in_range(capacity->by_median, carriers - carriers / 16, carriers);
        assert_int_equal(capacity->carriers, carriers);
        lte_deadline_free(run);
    }
}

/* What is asked for reaches the backend, for every detector; the search chooses by itself. */
static void all_detectors_have_the_same_threads(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(50);
    s.n_detectors = 2;
    s.detectors[0] = lte_detector_usual(LTE_DETECTOR_zf);
    s.detectors[1] = lte_detector_usual(LTE_DETECTOR_mmse);
    for (int threads = 0; threads <= 3; threads += 3) {
        reset(NULL);
        s.deadline.threads = threads;
        lte_deadline *run = run_of(&s, LTE_OK);
        const int chosen = threads > 0 ? threads : 1; /* the backend has one */
        assert_int_equal(fake.threads[0], threads);   /* the run from host memory */
        assert_int_equal(fake.threads[1], 0);         /* a look of the search */
        assert_int_equal(fake.threads[fake.begun - 1], chosen);
        assert_int_equal(fake.threads[fake.begun - 2], chosen);
        assert_int_equal(run->at[LTE_PLACEMENT_HOST].threads, chosen);
        lte_deadline_free(run);
    }
}

/* The search begins near its end: a default run has ten seconds for all it does. */
static void a_search_takes_few_tries(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    lte_deadline *run = run_of(&s, LTE_OK);
    for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
        int held = 0;
        for (int i = 0; i < run->at[p].capacity.n_trials; i++)
            held += run->at[p].capacity.trials[i].met;
        assert_in_range(held, 1, p == LTE_PLACEMENT_HOST ? 3 : 7);
    }
    lte_deadline_free(run);
}

static void host_alone_decides(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    fake.period_ns[LTE_PLACEMENT_HOST] = 600000;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].verdict, LTE_VERDICT_MISSED);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].capacity.carriers, 0);
    assert_int_equal(run->at[LTE_PLACEMENT_DEVICE].verdict, LTE_VERDICT_MET);
    lte_deadline_free(run);
}

/* 611 us of work every 500 us: each slot 111 us later than the one before it, none dropped. */
static void latency_counts_from_the_scheduled_release(void **state)
{
    (void)state;
    for (int slots = 20; slots <= 60; slots += 40) {
        const lte_scenario s = scenario_of(slots);
        fake.period_ns[LTE_PLACEMENT_HOST] = 600000;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_int_equal(host->missed, slots);
        for (int k = 0; k < slots; k++)
            assert_near((double)host->latency_us[k], 610.0 + 110.0 * k, 3.0 * (k + 1));
        lte_deadline_free(run);
    }
}

/* Work done over the time spent on it, however long slots waited and whoever was late. */
static void throughput_is_of_the_work_alone(void **state)
{
    (void)state;
    const int symbols = 16 * 7 * 2; /* of a slot */
    for (int i = 0; i < 4; i++) {
        lte_scenario s = scenario_of(i < 2 ? 50 : 200);
        s.deadline.paced = i % 2 == 0;
        s.deadline.carriers = 1 + i % 2;
        fake.period_ns[LTE_PLACEMENT_HOST] = 600000;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        const double rate = s.deadline.carriers * symbols / (600e-6 + 10e-6 * s.deadline.carriers);
        assert_near(host->symbols_per_s, rate, 0.005 * rate);
        assert_near(host->mbit_per_s, 2e-6 * host->symbols_per_s, 1e-9 * host->symbols_per_s);
        lte_deadline_free(run);
    }
    reset(NULL); /* the mean counts: one slot of ten takes 600 us, the others 11 */
    lte_scenario s = scenario_of(10);
    fake.late_carriers = 1;
    fake.late_from = 4;
    fake.late_to = 5;
    lte_deadline *run = run_of(&s, LTE_OK);
    const double work_us = 9 * 11.0 + 600.0;
    assert_near(run->at[LTE_PLACEMENT_HOST].symbols_per_s, 1e6 * 10 * symbols / work_us,
                0.02 * 1e6 * 10 * symbols / work_us);
    lte_deadline_free(run);
}

/* The same work is 611 us for each of them, however long they have waited. */
static void work_and_waiting_are_apart(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    fake.period_ns[LTE_PLACEMENT_HOST] = 600000;
    lte_deadline *run = run_of(&s, LTE_OK);
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const lte_placed *device = &run->at[LTE_PLACEMENT_DEVICE];
    assert_near(host->slot.max_us, 611.5 + 19 * 112.0, 20.0);
    assert_near(host->service.p50_us, 611.5, 2.0);
    assert_near(host->service.max_us, 611.5, 2.0);
    assert_near(host->utilisation, 611.5 / 500.0, 0.01);
    assert_near(device->service.p50_us, device->slot.p50_us, 1.0); /* none waits */
    assert_near(device->utilisation, device->service.p50_us / 500.0, 1e-6);
    lte_deadline_free(run);
}

/* Five times too slow: that is told after 64 slots. Before them there is only a deadline missed. */
static void an_overload_ends_the_run_and_is_told_by_its_factor(void **state)
{
    (void)state;
    fake.period_ns[LTE_PLACEMENT_HOST] = 2590000;
    for (int slots = 60; slots <= 400; slots += 340) {
        const lte_scenario s = scenario_of(slots);
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        const bool judged = slots >= LTE_OVERLOAD_LEAST;
        assert_int_equal(host->verdict, judged ? LTE_VERDICT_OVERLOADED : LTE_VERDICT_MISSED);
        assert_int_equal(host->slots, judged ? LTE_OVERLOAD_LEAST : slots);
        assert_near(host->utilisation, 5.2, 0.05 * 5.2);
        assert_int_equal(run->at[LTE_PLACEMENT_DEVICE].verdict, LTE_VERDICT_MET);
        lte_deadline_free(run);
    }
}

/* Whatever the work: who is in time is in time. */
static void a_long_budget_is_met_by_a_slow_receiver(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(200);
    s.deadline.budget_us = 1e5;
    fake.period_ns[LTE_PLACEMENT_HOST] = 600000;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].verdict, LTE_VERDICT_MET);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].slots, 200);
    lte_deadline_free(run);
}

/* What a run of 20 slots says of which three take 600 us, one more than may be late. */
static lte_verdict verdict_with_three_late(double budget_us, bool *stalled)
{
    lte_scenario s = scenario_of(20);
    s.deadline.on_time = 0.9;
    s.deadline.budget_us = budget_us;
    fake.late_carriers = 1;
    fake.late_to = 3;
    lte_deadline *run = run_of(&s, LTE_OK);
    const lte_verdict verdict = run->at[LTE_PLACEMENT_HOST].verdict;
    *stalled = run->at[LTE_PLACEMENT_HOST].stalled;
    lte_deadline_free(run);
    return verdict;
}

/* A machine that is away for more than a tenth of the budget, or keeps a tenth of the time. */
static void a_machine_that_stalls_leaves_the_verdict_open(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        const bool away = i == 1 || i == 5, kept = i == 2;
        bool stalled;
        reset(NULL);
        interruption[0].every_ns = away ? 1700000 : i == 3 ? 1700000 : 0;
        interruption[0].length_ns = away ? 60000 : 40000;
        kept_s = kept ? 1.1e-3 : i == 4 ? 0.8e-3 : 0.0; /* of 10 ms */
        const lte_verdict verdict = verdict_with_three_late(i == 5 ? 5.0 : 500.0, &stalled);
        assert_int_equal(stalled, away || kept);
        /* work that is longer than the budget is no fault of the machine */
        assert_int_equal(verdict, stalled && i != 5 ? LTE_VERDICT_UNDECIDED : LTE_VERDICT_MISSED);
    }
}

/* Whatever the machine did, a share that is reached is reached. */
static void a_machine_that_stalls_may_be_in_time(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    interruption[0].every_ns = 1700000;
    interruption[0].length_ns = 100000;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].verdict, LTE_VERDICT_MET);
    assert_true(run->at[LTE_PLACEMENT_HOST].stalled);
    assert_near(run->at[LTE_PLACEMENT_HOST].gap_us, 100.5, 1.0);
    lte_deadline_free(run);
}

/* Two of 20 may be late where 90 % are asked for, not three; the capacity has the same bar. */
static void the_bar_is_the_share_asked_for(void **state)
{
    (void)state;
    for (int late = 0; late <= 3; late++) {
        lte_scenario s = scenario_of(20);
        s.deadline.on_time = 0.9;
        reset(NULL);
        fake.late_carriers = 1;
        fake.late_to = late;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_int_equal(host->missed, late);
        assert_near(host->on_time, 1.0 - late / 20.0, 1e-12);
        assert_int_equal(host->verdict, late <= 2 ? LTE_VERDICT_MET : LTE_VERDICT_MISSED);
        for (int i = 0; i < host->capacity.n_trials; i++) {
            const lte_trial *trial = &host->capacity.trials[i];
            assert_int_equal(trial->met, trial->missed <= 2 && trial->periods == 20);
            assert_true(trial->missed <= 3); /* that ends a trial */
        }
        assert_int_equal(host->capacity.carriers, 49);
        lte_deadline_free(run);
    }
}

static int n_failures;

static void count_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    assert_int_equal(status, LTE_EDEVICE);
    assert_non_null(strstr(text, "with the data on the device"));
    n_failures++;
}

static void places_that_count_differently_are_a_failure(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    fake.wrong_on_device = true;
    (void)run_of(&s, LTE_EDEVICE);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(n_failures, 1);
}

static void a_failing_period_ends_its_run(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    fake.fails_on_device = true;
    (void)run_of(&s, LTE_EDEVICE);
}

static void releases_keep_clear_of_interruptions(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(1000);
    fake.period_ns[LTE_PLACEMENT_HOST] = 100000;
    for (int64_t phase = 0; phase < 500; phase += 125) {
        interruption[0].every_ns = 1000000;
        interruption[0].phase_ns = 1000 * phase;
        interruption[0].length_ns = 7000;
        interruption[1].every_ns = 4000000;
        interruption[1].phase_ns = 1000 * phase + 2150000;
        interruption[1].length_ns = 20000;
        lte_deadline *run = run_of(&s, LTE_OK);
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        assert_near(host->slot.max_us, 110.5, 1.1);
        /* of 330 and 143 us between the two, the middle of the longer */
        const double middle = fmod((double)phase + 150.0 + 20.0 + (330.0 - 110.5) / 2.0, 500.0);
        assert_near(host->phase_us, middle, 15.0);
        assert_near(run->at[LTE_PLACEMENT_DEVICE].slot.max_us, 1.6, 1.1);
        lte_deadline_free(run);
    }
}

static void the_quietest_time_is_farthest_from_what_was_heard(void **state)
{
    (void)state;
    static double taken[LTE_RELEASE_BINS];
    const int reach = LTE_RELEASE_BINS / 4;
    assert_int_equal(lte_release_bin(taken, 1), 0);
    taken[7] = 1.0; /* the first place that it does not reach, from bin 7 on */
    assert_int_equal(lte_release_bin(taken, 20), 7 + reach);
    taken[7 + reach + 20] = 0.5;
    taken[7 + 2 * reach] = 1.0;
    const int s = lte_release_bin(taken, 20);
    assert_true(s > 7 + 2 * reach && s + 20 <= LTE_RELEASE_BINS);
    for (int i = 0; i < LTE_RELEASE_BINS; i++)
        taken[i] = i == 123 ? 0.5 : 1.0;
    assert_int_equal(lte_release_bin(taken, LTE_RELEASE_BINS), 0); /* all the same */
    assert_int_equal(lte_release_bin(taken, 1), 123);
}

static void slots_are_made_in_parts_until_a_signal(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(10);
    s.deadline.distinct = 100;
    told.stop_at = 0.1;
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_true(run->interrupted);
    assert_true(told.n > 1 && told.done < 0.5);
    assert_int_equal(fake.begun, 0);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].slots, 0);
    lte_deadline_free(run);
}

static void a_period_with_a_signal_is_not_counted(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    fake.stop_at = 20 + 7; /* after those that warm up */
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_true(run->interrupted);
    assert_true(fake.plan.stop == &lte_stop_signal);
    assert_int_equal(fake.ran, fake.stop_at);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].slots, 6);
    lte_deadline_free(run);
}

static void long_periods_warm_up_shortly_and_are_told(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(5);
    fake.period_ns[LTE_PLACEMENT_HOST] = 10000000000;
    fake.stop_at = 1 + 4; /* one that warms up */
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].slots, 3);
    assert_int_equal(told.warming_up, 1);
    assert_int_equal(told.periods, 3);
    lte_deadline_free(run);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE_AFTER(deadline, both_places_are_timed_and_searched, reset),
    LTE_CASE_AFTER(deadline, a_search_ends_at_its_largest_number, reset),
    LTE_CASE_AFTER(deadline, a_search_ends_after_its_time, reset),
    LTE_CASE_AFTER(deadline, disturbed_tries_do_not_decide, reset),
    LTE_CASE_AFTER(deadline, a_search_takes_few_tries, reset),
    LTE_CASE_AFTER(deadline, a_stalled_machine_leaves_the_next_number_open, reset),
    LTE_CASE_AFTER(deadline, carriers_by_median_work_are_told, reset),
    LTE_CASE_AFTER(deadline, all_detectors_have_the_same_threads, reset),
    LTE_CASE_AFTER(deadline, host_alone_decides, reset),
    LTE_CASE_AFTER(deadline, work_and_waiting_are_apart, reset),
    LTE_CASE_AFTER(deadline, an_overload_ends_the_run_and_is_told_by_its_factor, reset),
    LTE_CASE_AFTER(deadline, a_machine_that_stalls_leaves_the_verdict_open, reset),
    LTE_CASE_AFTER(deadline, a_machine_that_stalls_may_be_in_time, reset),
    LTE_CASE_AFTER(deadline, a_long_budget_is_met_by_a_slow_receiver, reset),
    LTE_CASE_AFTER(deadline, latency_counts_from_the_scheduled_release, reset),
    LTE_CASE_AFTER(deadline, throughput_is_of_the_work_alone, reset),
    LTE_CASE_AFTER(deadline, the_bar_is_the_share_asked_for, reset),
    LTE_CASE_AFTER(deadline, places_that_count_differently_are_a_failure, reset),
    LTE_CASE_AFTER(deadline, a_failing_period_ends_its_run, reset),
    LTE_CASE_AFTER(deadline, releases_keep_clear_of_interruptions, reset),
    LTE_CASE_AFTER(deadline, the_quietest_time_is_farthest_from_what_was_heard, reset),
    LTE_CASE_AFTER(deadline, slots_are_made_in_parts_until_a_signal, reset),
    LTE_CASE_AFTER(deadline, a_period_with_a_signal_is_not_counted, reset),
    LTE_CASE_AFTER(deadline, long_periods_warm_up_shortly_and_are_told, reset),
};

int main(void)
{
    return cmocka_run_group_tests_name("deadline", cases, NULL, NULL);
}
