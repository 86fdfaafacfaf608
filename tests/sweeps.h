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

#include <string.h>

#include "sim/jobs/sweep.h"
#include "sim/scenario/link.h"
#include "unit.h"

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

enum { SMALL_TX = 2, SMALL_COUNTS = LTE_N_COUNTS(SMALL_TX) };

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
    s.detectors[0] = LTE_DETECTOR_zf;
    s.detectors[1] = LTE_DETECTOR_mmse;
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
    lte_pilots none;
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
    assert_true(a->signal == b->signal && a->noise == b->noise);
}

#endif
