#ifndef LTE_TESTS_LIB_PRETEND_PLACES_H
#define LTE_TESTS_LIB_PRETEND_PLACES_H
/* A backend with two places on a clock of the test. */

#include "tests/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/deadline/machine_use.h"
#include "sim/jobs/workers/stop.h"
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

/* What the machine has kept from the run, more with every look; goes before that of Linux. */
static double kept_s;

lte_machine_use lte_machine_use_now(void)
{
    static lte_machine_use so_far;
    so_far.delay_s += kept_s;
    return so_far;
}

/* ---- the backend ---- */

static struct {
    int64_t period_ns[LTE_N_PLACEMENTS];   /* a period takes that */
    int64_t carrier_ns[LTE_N_PLACEMENTS];  /* and that for each carrier */
    int late_carriers, late_from, late_to; /* of the paced periods of a number of carriers these */
    int late_seen;                         /* take 600 us */
    int64_t more_ns[LTE_N_DETECTORS];      /* every period of a detector takes so much more */
    int32_t came[8];                       /* periods of each slot of the buffer, of zf */
    int64_t decoder_ns;                    /* the blocks of a subframe take that */
    bool wrong_on_device;                  /* one bit more is wrong there */
    bool fails_on_device;
    int64_t drift_ns; /* every period takes so much more than the one before */
    int begun, ended;
    int detector[64]; /* that were begun, in their order, */
    int threads[64];  /* and their threads */
    int ran, stop_at; /* periods; within this one, from 1, the signal comes */
    lte_slot_plan plan;
} fake;

static const lte_backend *cpu(void)
{
    return lte_backends[0];
}

static lte_status fake_begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    assert_int_equal(fake.begun, fake.ended);
    fake.detector[fake.begun % 64] = plan->job.detector.id;
    fake.threads[fake.begun++ % 64] = plan->n_threads;
    fake.plan = *plan;
    lte_slot_plan alone = *plan; /* the engine has one thread, whatever is pretended */
    alone.n_threads = plan->n_threads > 0 ? 1 : 0;
    const lte_status status = cpu()->slots->begin(engine, &alone, setup);
    setup->n_threads = plan->n_threads > 0 ? plan->n_threads : 1;
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
                           double *completed_s, double *gap_s)
{
    const int p = fake.plan.placement;
    const bool late = is_late(release_s);
    if (++fake.ran == fake.stop_at)
        lte_stop_signal = SIGINT;
    lte_wait_until(release_s, gap_s);
    go_on(late ? 600000
               : fake.drift_ns * fake.ran + fake.period_ns[p] +
                     fake.more_ns[fake.plan.job.detector.id] +
                     fake.carrier_ns[p] * fake.plan.job.n_carriers);
    if (fake.plan.job.detector.id == LTE_DETECTOR_zf && p == LTE_PLACEMENT_HOST)
        fake.came[first % 8]++;
    double unused;
    if (fake.fails_on_device && p == LTE_PLACEMENT_DEVICE)
        return LTE_EDEVICE;
    /* carriers beyond a few only cost the time that is said */
    *completed_s = lte_seconds();
    return fake.plan.job.n_carriers > 2 ? LTE_OK
                                        : cpu()->slots->run(engine, first, 0.0, &unused, &unused);
}

static lte_status fake_decode(lte_engine *engine, uint64_t first, double *decoded_s)
{
    double unused;
    go_on(fake.decoder_ns);
    *decoded_s = lte_seconds();
    return fake.plan.job.n_carriers > 2 ? LTE_OK : cpu()->slots->decode(engine, first, &unused);
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
                                       .decode = fake_decode,
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
    s.detectors[0] = lte_detector_usual(LTE_DETECTOR_mmse);
    s.inverter = LTE_INVERTER_ldl;
    s.sweep.n_snr = 1;
    s.sweep.snr_db[0] = 5.0;
    s.deadline = (lte_scenario_deadline){.slots = slots,
                                         .distinct = 3,
                                         .carriers = 1,
                                         .detector = lte_detector_usual(LTE_DETECTOR_mmse),
                                         .snr_db = 5.0,
                                         .budget_us = 500.0,
                                         .on_time = 1.0,
                                         .paced = true};
    return s;
}

/* What the run has told of its progress; it is stopped when it has made a share of the slots. */
static struct {
    double stop_at; /* 0: never */
    int n;          /* times of "generating slots" */
    double done;    /* the last of them */
    int warming_up, periods;
} told;

static void watch(const char *what, double done, void *user)
{
    (void)user;
    told.warming_up += strcmp(what, "warming up") == 0;
    told.periods += strcmp(what, "deadline") == 0;
    if (strcmp(what, "generating slots") != 0)
        return;
    assert_true(done >= told.done && done < 1.0);
    told.n++;
    told.done = done;
    if (told.stop_at > 0.0 && done >= told.stop_at)
        lte_stop_signal = SIGINT;
}

static lte_deadline *run_of(const lte_scenario *s, lte_status expected)
{
    const lte_backend backend = two_places();
    const lte_engine_options options = {.n_threads = 1};
    lte_engine *engine = NULL;
    lte_deadline *run = NULL;
    lte_estimator estimator;
    lte_link link;
    told.done = 0.0;
    assert_int_equal(lte_scenario_link(s, s->csi[0], NULL, &estimator, &link),
                     LTE_OK); /* none correlates */
    assert_int_equal(backend.create(cpu(), &link, &options, &engine), LTE_OK);
    assert_int_equal(lte_deadline_run(s, &backend, engine, &link, watch, NULL, &run), expected);
    assert_int_equal(fake.begun, fake.ended);
    backend.free(engine);
    lte_estimator_free(&estimator);
    assert_true((run == NULL) == (expected != LTE_OK));
    return run;
}

static int reset(void **state)
{
    (void)state;
    now_ns = 0; /* a case does not depend on those before it */
    memset(&fake, 0, sizeof fake);
    memset(interruption, 0, sizeof interruption);
    memset(&told, 0, sizeof told);
    kept_s = 0.0;
    lte_stop_signal = 0;
    for (int p = 0; p < LTE_N_PLACEMENTS; p++)
        fake.period_ns[p] = 1000;
    fake.carrier_ns[LTE_PLACEMENT_HOST] = 10000;
    fake.carrier_ns[LTE_PLACEMENT_DEVICE] = 100;
    return 0;
}

#endif
