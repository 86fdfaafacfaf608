#ifndef LTE_TESTS_SWEEPS_H
#define LTE_TESTS_SWEEPS_H
/*
 * Small sweeps for the tests of how slots become rows, and such rows compared.
 *
 *     const stop_rule r = {2000, 1, 600, 5, 1};
 *     const lte_scenario s = small_scenario(&r, snr_db, n_snr);
 *     lte_sweep *sweep = new_sweep(&s);
 *     ... lte_sweep_run ...
 *     assert_same_counts(&sweep->rows[0], &expected->rows[0]);
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/sweep/sweep_state.h"
#include "sim/scenario/described_link.h"
#include "sim/jobs/workers/stop.h"
#include "tests/lib/unit.h"

/* When rows end, and the slots of a drop: more than one if the channel moves. */
typedef struct {
    uint64_t min_bit_errors, min_slots, max_slots;
    int round_slots, drop_slots;
} stop_rule;

static const stop_rule stop_rules[] = {
    {2000, 1, 600, 5, 1},     /* errors decide, for each detector elsewhere */
    {2000, 1, 600, 1, 1},     /* rounds of one slot */
    {2000, 1, 611, 7, 1},     /* the last round is cut short */
    {2000, 53, 600, 5, 1},    /* slots decide, in mid-round */
    {0, 1, 600, 7, 1},        /* at once */
    {1000000, 1, 103, 10, 1}, /* never reached */
    {1000000, 1, 7, 64, 1},   /* not even a whole round */
    {2000, 1, 700, 300, 1},   /* rounds longer than some chunks */
    {50, 1, 5000, 3, 1},      /* rare errors */
    {500, 1, 4096, 16, 8},    /* drops of a channel that moves */
};
enum { N_STOP_RULES = sizeof stop_rules / sizeof *stop_rules };

enum { SMALL_TX = 2, SMALL_COUNTS = LTE_N_HARD_COUNTS(SMALL_TX) };

static inline void set_rule(lte_scenario *s, const stop_rule *r)
{
    s->sweep.min_bit_errors = r->min_bit_errors;
    s->sweep.min_slots = r->min_slots;
    s->sweep.max_slots = r->max_slots;
    s->sweep.round_slots = r->round_slots;
    s->doppler_hz = r->drop_slots > 1 ? 70.0 : 0.0;
    s->drop_slots = r->drop_slots;
}

/* QPSK for ZF and MMSE over 16 subcarriers of a flat channel, SMALL_TX antennas a side. */
static inline lte_scenario small_scenario(const stop_rule *r, const double *snr_db, int n_snr)
{
    lte_scenario s = {.n_sc = 16, .n_tx = SMALL_TX, .n_rx = SMALL_TX, .n_bits = 2, .seed = 1000};
    s.channel = LTE_CHANNEL_flat;
    s.csi[0] = LTE_CSI_perfect;
    s.n_csi = 1;
    s.n_detectors = 2;
    s.detectors[0] = lte_detector_usual(LTE_DETECTOR_zf);
    s.detectors[1] = lte_detector_usual(LTE_DETECTOR_mmse);
    s.inverter = LTE_INVERTER_ldl;
    s.sweep.n_snr = n_snr;
    memcpy(s.sweep.snr_db, snr_db, (size_t)n_snr * sizeof *snr_db);
    set_rule(&s, r);
    return s;
}

/* With perfect CSI. */
static inline lte_link scenario_link(const lte_scenario *s)
{
    lte_link link;
    lte_estimator none;
    assert_int_equal(lte_scenario_link(s, LTE_CSI_perfect, NULL, &none, &link),
                     LTE_OK); /* none correlates */
    return link;
}

static inline lte_sweep *new_sweep(const lte_scenario *s)
{
    const lte_link link = scenario_link(s);
    lte_sweep *sweep = NULL;
    assert_int_equal(lte_sweep_create(s, &link, &sweep), LTE_OK);
    return sweep;
}

/* What rows of small scenarios have counted, drops at hand aside. */
static inline void assert_same_counts(const lte_row *a, const lte_row *b)
{
    assert_int_equal(a->slots, b->slots);
    assert_int_equal(a->error_count.clusters, b->error_count.clusters);
    assert_int_equal(a->error_count.errors, b->error_count.errors);
    assert_true(a->error_count.errors2 == b->error_count.errors2);
    assert_memory_equal(a->counts, b->counts, SMALL_COUNTS * sizeof *a->counts);
    assert_memory_equal(a->groups, b->groups, sizeof a->groups);
    assert_true(a->signal == b->signal && a->noise == b->noise);
}

/* Stops after so many chunks. */
static inline void stop_after(const lte_sweep *sweep, int s, bool done, void *user)
{
    int *left = user;
    (void)sweep;
    (void)s;
    (void)done;
    if (--*left == 0)
        lte_stop_signal = 1;
}

/*
 * Runs a sweep, at most so many chunks of it, which are of so many slots: few, and drops are cut.
 */
static inline void run_some(const lte_scenario *scenario, lte_sweep *sweep, int chunk, int chunks)
{
    const lte_backend *backend = NULL;
    lte_engine *engine = NULL;
    int device;
    const lte_link link = scenario_link(scenario);
    assert_int_equal(lte_backend_open("cpu", &backend, &device), LTE_OK);
    const lte_engine_options options = {.n_threads = 1, .n_detectors = scenario->n_detectors};
    assert_int_equal(backend->create(backend, &link, &options, &engine), LTE_OK);
    lte_worker worker = lte_worker_of(backend, engine);
    if (worker.most > chunk)
        worker.most = chunk;
    lte_stop_signal = 0;
    assert_int_equal(lte_sweep_run(sweep, &worker, 1, stop_after, &chunks), LTE_OK);
    lte_stop_signal = 0;
    backend->free(engine);
}

/* A sweep that stands where another one stands. */
static inline lte_sweep *copy_of(const lte_scenario *scenario, lte_sweep *sweep)
{
    lte_sweep *copy = new_sweep(scenario);
    for (int s = 0; s < sweep->n_started; s++) {
        char *line = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&line, &size);
        assert_non_null(out);
        lte_sweep_put_point(sweep, s, out);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(lte_sweep_take_point(copy, line), LTE_OK);
        free(line);
    }
    return copy;
}

static inline void assert_same_sweeps(const lte_sweep *a, const lte_sweep *b)
{
    assert_int_equal(a->n_started, b->n_started);
    for (int i = 0; i < a->n_detectors * a->n_snr; i++) {
        assert_same_counts(&a->rows[i], &b->rows[i]);
        assert_int_equal(a->rows[i].status, b->rows[i].status);
    }
    for (int i = 0; i < (a->n_detectors - 1) * a->n_snr; i++)
        assert_memory_equal(&a->pairs[i], &b->pairs[i], sizeof a->pairs[i]);
}

#endif
