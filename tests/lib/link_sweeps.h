#ifndef LTE_TESTS_LIB_LINK_SWEEPS_H
#define LTE_TESTS_LIB_LINK_SWEEPS_H
/* Sweeps over a link, and what each of their slots has wrong. */

#include "tests/lib/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "phy/base/limits.h"
#include "tests/lib/sweeps.h"

/* ---- running ---- */

/*
 * The detectors that take n_tx layers at one SNR, for exactly n_slots slots; without those that
 * search, which take long.
 */
static lte_scenario scenario_of(int channel, int n_tx, int n_rx, int n_bits, double snr_db,
                                int n_sc, int n_slots, int seed)
{
    lte_scenario s = {.n_sc = n_sc, .n_tx = n_tx, .n_rx = n_rx, .n_bits = n_bits};
    s.csi_references = 1;
    s.channel = channel;
    s.csi[0] = LTE_CSI_perfect;
    s.n_csi = 1;
    s.n_detectors = quick_detectors_for(n_tx, n_bits, s.detectors);
    s.inverter = LTE_INVERTER_gauss_jordan;
    s.sweep.snr_db[0] = snr_db;
    s.sweep.n_snr = 1;
    s.sweep.min_slots = s.sweep.max_slots = (uint64_t)n_slots;
    s.sweep.round_slots = 64;
    s.seed = (uint64_t)seed;
    return s;
}

typedef struct {
    const lte_backend *backend;
    lte_engine *engine;
    lte_link link;
    lte_estimator estimator; /* of link */
} machine;

static machine machine_of(const lte_scenario *s)
{
    machine m = {0};
    lte_engine_options options = {.n_threads = 1};
    assert_int_equal(lte_backend_open("cpu", &m.backend, &options.device), LTE_OK);
    static float correlation_factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    assert_int_equal(lte_scenario_link(s, s->csi[0], correlation_factor, &m.estimator, &m.link),
                     LTE_OK);
    assert_int_equal(m.backend->create(m.backend, &m.link, &options, &m.engine), LTE_OK);
    return m;
}

static void machine_fini(machine *m)
{
    m->backend->free(m->engine);
    lte_estimator_free(&m->estimator);
}

static lte_sweep *sweep_of(const lte_scenario *s)
{
    lte_sweep *sweep = NULL;
    machine m = machine_of(s);
    assert_int_equal(lte_sweep_create(s, &m.link, &sweep), LTE_OK);
    lte_worker worker = lte_worker_of(m.backend, m.engine);
    assert_int_equal(lte_sweep_run(sweep, &worker, 1, NULL, NULL), LTE_OK);
    machine_fini(&m);
    return sweep;
}

static double linear(double db)
{
    return pow(10.0, db / 10.0);
}

enum { MOST_SLOTS = 700 };

/* What the detectors got wrong, slot by slot: [slot][detector's place in the scenario]. */
typedef struct {
    int n, n_tx; /* detectors, layers */
    uint32_t list[MOST_SLOTS * LTE_N_DETECTORS *
                  LTE_N_HARD_COUNTS(LTE_MAX_ORDER)]; /* [slots][n] of rows */
} slot_errors;

static const uint32_t *errors_at(const slot_errors *errors, int slot, int d)
{
    return &errors->list[lte_counts_at(LTE_N_HARD_COUNTS(errors->n_tx),
                                       (ptrdiff_t)slot * errors->n + d)];
}

/* Bit errors of all layers. */
static int64_t bits_at(const slot_errors *errors, int slot, int d)
{
    return (int64_t)lte_bit_errors(errors->n_tx, errors_at(errors, slot, d));
}

/* Slots 0 .. n_slots - 1 at one SNR, from the backend itself. */
static void errors_of(const lte_scenario *s, double snr_db, int n_slots, slot_errors *errors)
{
    static lte_power power[MOST_SLOTS];
    machine m = machine_of(s);
    errors->n = s->n_detectors;
    errors->n_tx = s->n_tx;
    assert_int_equal(m.backend->sweep->start(m.engine, lte_noise_of(s->n_tx, linear(snr_db)),
                                             s->detectors, s->n_detectors, 0, n_slots, power,
                                             errors->list),
                     LTE_OK);
    assert_int_equal(m.backend->sweep->wait(m.engine), LTE_OK);
    machine_fini(&m);
}

/* The row of a detector at a sweep's SNR point s. */
static const lte_row *row_of(const lte_sweep *sweep, int detector, int s)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (lte_sweep_row(sweep, d, s)->detector.id == detector)
            return lte_sweep_row(sweep, d, s);
    }
    fail_msg("the sweep has no %s", lte_detector_rows[detector].name);
    return NULL;
}

/* ---- many points in Rayleigh fading ---- */

typedef struct {
    int n_tx, n_rx, n_bits;
    double snr_db;
    int n_sc, n_slots; /* of the long form */
} point;

#endif
