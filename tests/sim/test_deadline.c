/*
 * The deadline run on a backend with two places for its data, made here over cpu:ref, and on a
 * clock of this test: it goes on by half a microsecond whenever it is looked at, by what a period
 * is said to take, and by interruptions. So times and capacities are known.
 */
#include "tests/lib/unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/workers/stop.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/deadline/release_phase.h"
#include "sim/report/tables/report.h"
#include "sim/report/results/results.h"
#include "sim/scenario/described_link.h"

/* ---- the clock ---- */

static int64_t now_ns;

/* Every so often, at a phase of it, the machine is gone for a while. */
static struct {
    int64_t every_ns, phase_ns, length_ns;
} interruption[2];

static void go_on(int64_t ns)
{
    for (int i = 0; i < 2; i++) {
        const int64_t every = interruption[i].every_ns, phase = interruption[i].phase_ns;
        if (every > 0)
            ns += ((now_ns + ns - phase) / every - (now_ns - phase) / every) *
                  interruption[i].length_ns;
    }
    now_ns += ns;
}

/* Goes before the system's. */
int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    go_on(500);
    t->tv_sec = now_ns / 1000000000;
    t->tv_nsec = now_ns % 1000000000;
    return 0;
}

/* ---- the backend ---- */

static struct {
    int64_t period_ns[LTE_N_PLACEMENTS];   /* a period takes that */
    int64_t carrier_ns[LTE_N_PLACEMENTS];  /* and that for each carrier */
    int late_carriers, late_from, late_to; /* of the paced periods of a number of carriers these */
    int late_seen;                         /* take 600 us */
    bool wrong_on_device;                  /* one bit more is wrong there */
    bool fails_on_device;
    int begun, ended;
    int ran, stop_at; /* periods; within this one, from 1, the signal comes */
    lte_slot_plan plan;
} fake;

static const lte_backend *cpu(void)
{
    return lte_backends[0];
}

static lte_status fake_begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    assert_int_equal(fake.begun++, fake.ended);
    fake.plan = *plan;
    const lte_status status = cpu()->slots->begin(engine, plan, setup);
    setup->cached = plan->placement == LTE_PLACEMENT_DEVICE;
    return status;
}

/* Paced periods of late_carriers from host memory, some of them late: their release is not now. */
static bool is_late(double release_s)
{
    const double ahead = release_s - 1e-9 * (double)now_ns;
    if (fake.plan.placement != LTE_PLACEMENT_HOST ||
        fake.plan.job.n_carriers != fake.late_carriers || (ahead < 5e-6 && ahead > -5e-6))
        return false;
    const int k = fake.late_seen++;
    return k >= fake.late_from && k < fake.late_to;
}

static lte_status fake_run(lte_engine *engine, uint64_t first, double release_s,
                           double *completed_s)
{
    const int p = fake.plan.placement;
    const bool late = is_late(release_s);
    if (++fake.ran == fake.stop_at)
        lte_stop_signal = SIGINT;
    lte_wait_until(release_s);
    go_on(late ? 600000 : fake.period_ns[p] + fake.carrier_ns[p] * fake.plan.job.n_carriers);
    double unused;
    if (fake.fails_on_device && p == LTE_PLACEMENT_DEVICE)
        return LTE_EDEVICE;
    /* carriers beyond a few only cost the time that is said */
    *completed_s = lte_seconds();
    return fake.plan.job.n_carriers > 2 ? LTE_OK : cpu()->slots->run(engine, first, 0.0, &unused);
}

static lte_status fake_end(lte_engine *engine)
{
    assert_int_equal(++fake.ended, fake.begun);
    if (fake.wrong_on_device && fake.plan.placement == LTE_PLACEMENT_DEVICE)
        fake.plan.job.memory.bits[0] ^= 1;
    return cpu()->slots->end(engine);
}

static lte_status fake_stages(lte_engine *engine, uint64_t i, double *us)
{
    const bool on_device = fake.plan.placement == LTE_PLACEMENT_DEVICE;
    const lte_status status = cpu()->slots->stages(engine, i, us);
    for (int s = 0; s < LTE_N_TIMED; s++)
        us[s] = 1.0 + s;
    if (on_device)
        us[LTE_TIMED_COPY_IN] = us[LTE_TIMED_COPY_OUT] = 0.0;
    return status;
}

static lte_status fake_inversion(lte_engine *engine, int n, double *us)
{
    (void)engine;
    *us = n + 100.0 * fake.plan.placement;
    return LTE_OK;
}

/* Host and device; every time can be set. */
static lte_backend two_places(void)
{
    static const lte_slot_ops slots = {.n_placements = 2,
                                       .begin = fake_begin,
                                       .run = fake_run,
                                       .end = fake_end,
                                       .stages = fake_stages,
                                       .inversion = fake_inversion};
    lte_backend backend = *cpu();
    backend.name = "fake";
    backend.slots = &slots;
    return backend;
}

/* ---- runs ---- */

static lte_scenario scenario_of(int slots)
{
    lte_scenario s = {.n_sc = 16, .n_tx = 2, .n_rx = 2, .n_bits = 2, .bandwidth_mhz = 1.4};
    s.channel = LTE_CHANNEL_rayleigh;
    s.csi[0] = LTE_CSI_perfect;
    s.n_csi = s.n_detectors = 1;
    s.detectors[0] = LTE_DETECTOR_mmse;
    s.inverter = LTE_INVERTER_ldl;
    s.sweep.n_snr = 1;
    s.sweep.snr_db[0] = 5.0;
    s.deadline = (lte_scenario_deadline){.slots = slots,
                                         .distinct = 3,
                                         .carriers = 1,
                                         .detector = LTE_DETECTOR_mmse,
                                         .snr_db = 5.0,
                                         .budget_us = 500.0,
                                         .on_time = 1.0,
                                         .paced = true};
    return s;
}

/* What the run has told of its progress; it is stopped when it has made a share of the slots. */
static struct {
    double stop_at; /* 0: never */
    int n;          /* times of "making slots" */
    double done;    /* the last of them */
    int warming_up, periods;
} told;

static void watch(const char *what, double done, void *user)
{
    (void)user;
    told.warming_up += strcmp(what, "warming up") == 0;
    told.periods += strcmp(what, "deadline") == 0;
    if (strcmp(what, "making slots") != 0)
        return;
    assert_true(done >= told.done && done < 1.0);
    told.n++;
    told.done = done;
    if (told.stop_at > 0.0 && done >= told.stop_at)
        lte_stop_signal = SIGINT;
}

static int reset(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    memset(interruption, 0, sizeof interruption);
    memset(&told, 0, sizeof told);
    lte_stop_signal = 0;
    for (int p = 0; p < LTE_N_PLACEMENTS; p++)
        fake.period_ns[p] = 1000;
    fake.carrier_ns[LTE_PLACEMENT_HOST] = 10000;
    fake.carrier_ns[LTE_PLACEMENT_DEVICE] = 100;
    return 0;
}

static lte_deadline *run_of(const lte_scenario *s, lte_status expected)
{
    const lte_backend backend = two_places();
    const lte_engine_options options = {.n_threads = 1};
    lte_engine *engine = NULL;
    lte_deadline *run = NULL;
    lte_pilots pilots;
    lte_link link;
    told.done = 0.0;
    assert_int_equal(lte_scenario_link(s, s->csi[0], NULL, &pilots, &link),
                     LTE_OK); /* none correlates */
    assert_int_equal(backend.create(cpu(), &link, &options, &engine), LTE_OK);
    assert_int_equal(lte_deadline_run(s, &backend, engine, &link, watch, NULL, &run), expected);
    assert_int_equal(fake.begun, fake.ended);
    backend.free(engine);
    lte_pilots_free(&pilots);
    assert_true((run == NULL) == (expected != LTE_OK));
    return run;
}

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
    assert_true(host->met && device->met && !host->cached && device->cached);
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
    assert_false(run->at[LTE_PLACEMENT_HOST].met);
    assert_int_equal(run->at[LTE_PLACEMENT_HOST].capacity.carriers, 0);
    assert_true(run->at[LTE_PLACEMENT_DEVICE].met);
    lte_deadline_free(run);
}

/* 611 us of work every 500 us: each slot 111 us later than the one before it, none dropped. */
static void latency_counts_from_the_scheduled_release(void **state)
{
    (void)state;
    for (int slots = 20; slots <= 80; slots += 60) {
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
        assert_int_equal(host->met, late <= 2);
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

/* ---- what is written ---- */

static char *table_of(const lte_scenario *s, const lte_deadline *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    lte_report_deadline(out, s, run);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_table_has_both_places_side_by_side(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "from host memory                                   data already on the device\n",
        "\nslot, 112 grid points         11.",
        "\ninversion alone, 16           16.0      16.0      16.0      16.0      16.0 |     116.0",
        "\ncopy_in                        1.0       1.0       1.0       1.0       1.0 |\n",
        "\ngram                           4.0       4.0       4.0       4.0       4.0 |       4.0",
        "\ncarriers at 100 %               49                                         |      49",
        "stay in its L2 cache",
        "\nmet: 20 of 20 slots on time (100.000 %, asked 100 %), p99.9 11.",
        "; 49 carriers of 1.4 MHz fit (100 % on time); ",
    };
    const lte_scenario s = scenario_of(20);
    lte_deadline *run = run_of(&s, LTE_OK);
    char *text = table_of(&s, run);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strstr(text, rows[i]))
            fail_msg("no '%s' in:\n%s", rows[i], text);
    }
    free(text);
    lte_deadline_free(run);
}

/* The table as a terminal of 80 columns gets it; its lines may end as they like. */
static void on_a_narrow_terminal_one_place_stands_below_the_other(void **state)
{
    (void)state;
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    const lte_scenario s = scenario_of(20);
    char text[8192] = "";
    size_t n = 0;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    FILE *out = fopen(ptsname(master), "w");
    assert_non_null(out);
    assert_int_equal(ioctl(fileno(out), TIOCSWINSZ, &size), 0);
    (void)setvbuf(out, NULL, _IOFBF, sizeof text);
    lte_deadline *run = run_of(&s, LTE_OK);
    lte_report_deadline(out, &s, run);
    lte_deadline_free(run);
    (void)fputs("end\n", out);
    assert_int_equal(fflush(out), 0);
    while (n + 1 < sizeof text && !strstr(text, "end")) {
        const ssize_t more = read(master, text + n, sizeof text - 1 - n);
        assert_true(more > 0);
        n += (size_t)more;
        text[n] = '\0';
    }
    (void)fclose(out);
    (void)close(master);
    const char *host = strstr(text, "from host memory"), *device = strstr(text, "data already");
    assert_true(host && device && device > strstr(host, "copy_out"));
    for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        if (strncmp(line, "slot,", 5) == 0 || strncmp(line, "gram", 4) == 0)
            assert_int_equal(strlen(line), 24 + 50);
    }
}

static const char *name_in(const char *dir, const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void files_have_both_places(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "detector,placement,stage", "mmse,host,slot,",     "mmse,host,copy_in,",
        "mmse,host,corner_turn,",   "mmse,host,gram,",     "mmse,host,inversion,",
        "mmse,host,detection,",     "mmse,host,copy_out,", "mmse,device,slot,",
        "mmse,device,corner_turn,", "mmse,device,gram,",   "mmse,device,inversion,",
        "mmse,device,detection,",
    };
    char dir[] = "/tmp/lte_deadline_XXXXXX", line[256];
    const lte_scenario s = scenario_of(20);
    const lte_run_info info = {.scenario = &s,
                               .backend = "fake",
                               .choices = "as told",
                               .device = {.name = "a board", .driver = "1.2", .clock_mhz = 1980}};
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_non_null(mkdtemp(dir));
    assert_int_equal(lte_results_timing(dir, run), LTE_OK);
    assert_int_equal(lte_results_json(dir, &info, NULL, run), LTE_OK);
    FILE *file = fopen(name_in(dir, "timing.csv"), "r");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_memory_equal(line, starts[i], strlen(starts[i]));
    }
    assert_null(fgets(line, sizeof line, file));
    (void)fclose(file);

    json_t *root = json_load_file(name_in(dir, "run.json"), 0, NULL);
    const char *driver, *choices;
    int clock, host, device, matrices, missed, resident;
    double alone, phase;
    assert_int_equal(json_unpack(root, "{s:s, s:s, s:i, s:n}", "driver", &driver, "choices",
                                 &choices, "clock_mhz", &clock, "memory_clock_mhz"),
                     0);
    assert_string_equal(driver, "1.2");
    assert_string_equal(choices, "as told");
    assert_int_equal(clock, 1980);
    assert_int_equal(json_unpack(root, "{s:{s:i, s:{s:i, s:i, s:b}, s:{s:i, s:{s:f}}}}", "deadline",
                                 "capacity_carriers", &host, "device", "capacity_carriers", &device,
                                 "missed", &missed, "l2_resident", &resident, "inversion_alone",
                                 "matrices", &matrices, "device", "p50_us", &alone),
                     0);
    assert_int_equal(host, 49);
    assert_true(device > 4000 && missed == 0 && resident && matrices == 16);
    assert_near(alone, 116.0, 1e-3);
    assert_int_equal(
        json_unpack(root, "{s:{s:{s:f}}}", "deadline", "device", "release_phase_us", &phase), 0);
    assert_near(phase, run->at[LTE_PLACEMENT_DEVICE].phase_us, 1e-3);
    json_decref(root);
    static const char *const names[] = {"timing.csv", "latency.csv", "run.json"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(unlink(name_in(dir, names[i])), 0);
    assert_int_equal(rmdir(dir), 0);
    lte_deadline_free(run);
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

#define CASE(claim)                                                                                \
    {                                                                                              \
        "deadline." #claim, claim, reset, NULL, NULL                                               \
    }
static const struct CMUnitTest cases[] = {
    CASE(both_places_are_timed_and_searched),
    CASE(a_search_ends_at_its_largest_number),
    CASE(a_search_ends_after_its_time),
    CASE(disturbed_tries_do_not_decide),
    CASE(a_search_takes_few_tries),
    CASE(host_alone_decides),
    CASE(latency_counts_from_the_scheduled_release),
    CASE(throughput_is_of_the_work_alone),
    CASE(the_bar_is_the_share_asked_for),
    CASE(places_that_count_differently_are_a_failure),
    CASE(a_failing_period_ends_its_run),
    CASE(releases_keep_clear_of_interruptions),
    CASE(the_quietest_time_is_farthest_from_what_was_heard),
    CASE(the_table_has_both_places_side_by_side),
    CASE(on_a_narrow_terminal_one_place_stands_below_the_other),
    CASE(files_have_both_places),
    CASE(slots_are_made_in_parts_until_a_signal),
    CASE(a_period_with_a_signal_is_not_counted),
    CASE(long_periods_warm_up_shortly_and_are_told),
};

int main(void)
{
    return cmocka_run_group_tests_name("deadline", cases, NULL, NULL);
}
