#include "sim/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "phy/limits.h"
#include "sim/clock.h"

enum { MIN_CHUNK_SLOTS = 16 }; /* at least, between two looks at the signal and the clock */

uint64_t lte_slot_bits(const lte_scenario *scenario)
{
    return (uint64_t)scenario->n_sc * LTE_SLOT_SYMBOLS * (uint64_t)scenario->n_tx *
           (uint64_t)scenario->n_bits;
}

const lte_row *lte_sweep_row(const lte_sweep *sweep, int d, int s)
{
    return &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
}

static lte_row *row_of(lte_sweep *sweep, int d, int s)
{
    return &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
}

void lte_sweep_free(lte_sweep *sweep)
{
    if (!sweep)
        return;
    free(sweep->rows);
    free(sweep->pairs);
    free(sweep);
}

/* True if the scenario lists the detector. */
static bool is_listed(const lte_scenario *scenario, int detector)
{
    for (int i = 0; i < scenario->n_detectors; i++) {
        if (scenario->detectors[i] == detector)
            return true;
    }
    return false;
}

lte_status lte_sweep_create(const lte_scenario *scenario, lte_sweep **sweep)
{
    const int n_snr = scenario->sweep.n_snr, n_detectors = scenario->n_detectors;
    lte_status status = LTE_OK;
    *sweep = NULL;
    lte_sweep *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a sweep");
    made->scenario = scenario;
    made->n_snr = n_snr;
    made->n_detectors = n_detectors;
    made->rows = calloc((size_t)n_snr * (size_t)n_detectors, sizeof *made->rows);
    made->pairs = calloc((size_t)n_snr * (size_t)n_detectors, sizeof *made->pairs);
    if (!made->rows || !made->pairs) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the rows of a sweep");
        goto cleanup;
    }
    for (int detector = 0, d = 0; detector < LTE_N_DETECTORS; detector++) {
        if (!is_listed(scenario, detector))
            continue;
        for (int s = 0; s < n_snr; s++) {
            lte_row *row = row_of(made, d, s);
            row->detector = detector;
            row->knowledge = scenario->knowledge[0];
            row->snr_db = scenario->sweep.snr_db[s];
            status =
                lte_ber_theory_of(detector, scenario->channel, scenario->n_tx, scenario->n_rx,
                                  scenario->n_bits, pow(10.0, row->snr_db / 10.0), &row->theory);
            if (status)
                goto cleanup;
        }
        d++;
    }
    for (int s = 0; s < n_snr; s++) {
        for (int d = 1; d < n_detectors; d++) {
            lte_pair *pair = &made->pairs[(ptrdiff_t)s * (n_detectors - 1) + d - 1];
            pair->a = s;
            pair->b = d * n_snr + s;
        }
    }
    *sweep = made;
    made = NULL;
cleanup:
    lte_sweep_free(made);
    return status;
}

/* Adds one slot's counts to a row. */
static uint64_t add_slot(lte_row *row, const lte_scenario *scenario, const lte_errors *errors,
                         const lte_power *power)
{
    uint64_t sum = 0;
    for (int k = 0; k < scenario->n_tx; k++) {
        row->bit_errors[k] += errors->bit_errors[k];
        row->symbol_errors[k] += errors->symbol_errors[k];
        sum += errors->bit_errors[k];
    }
    row->flagged += errors->flagged;
    row->signal += power->signal;
    row->noise += power->noise;
    lte_tally_add(&row->tally, lte_slot_bits(scenario), sum);
    return sum;
}

/* The detectors still running at a point: their places and their names. */
static int running(lte_sweep *sweep, int s, int *place, int *detector)
{
    int n = 0;
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (row_of(sweep, d, s)->status == LTE_ROW_RUNNING) {
            place[n] = d;
            detector[n++] = row_of(sweep, d, s)->detector;
        }
    }
    return n;
}

/* Merges a chunk in slot order: errors [n_slots][n] of the detectors at place [n]. */
static void merge(lte_sweep *sweep, int s, const int *place, int n, int n_slots,
                  const lte_power *power, const lte_errors *errors)
{
    for (int i = 0; i < n_slots; i++) {
        uint64_t sum[LTE_N_DETECTORS];
        for (int k = 0; k < n; k++)
            sum[k] = add_slot(row_of(sweep, place[k], s), sweep->scenario,
                              &errors[(ptrdiff_t)i * n + k], &power[i]);
        for (int k = 1; k < n && place[0] == 0; k++) {
            lte_pair *pair = &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + place[k] - 1];
            const int64_t d = (int64_t)sum[0] - (int64_t)sum[k];
            pair->clusters++;
            pair->sum_d += d;
            pair->sum_d2 += (lte_u128)((lte_i128)d * d);
        }
    }
}

/* Ends the running rows of a point whose round is complete and whose goal is reached. */
static void judge(lte_sweep *sweep, int s)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = row_of(sweep, d, s);
        const uint64_t slots = row->tally.clusters;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (row->tally.errors >= rule->min_bit_errors && slots >= rule->min_slots)
            row->status = LTE_ROW_ERRORS;
        else if (slots >= rule->max_slots)
            row->status = LTE_ROW_SLOTS;
    }
}

static void end_running(lte_sweep *sweep, int s, lte_row_status status)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (row_of(sweep, d, s)->status == LTE_ROW_RUNNING)
            row_of(sweep, d, s)->status = status;
    }
}

lte_status lte_sweep_run(lte_sweep *sweep, const lte_backend *backend, lte_engine *engine,
                         lte_sweep_watch *watch, void *user)
{
    const lte_scenario *scenario = sweep->scenario;
    const lte_scenario_sweep *rule = &scenario->sweep;
    const double start = lte_seconds();
    lte_status status = LTE_OK;
    const int four_each = 4 * backend->threads(engine);
    const int chunk_slots = four_each > MIN_CHUNK_SLOTS ? four_each : MIN_CHUNK_SLOTS;
    lte_power *power = malloc(sizeof *power * (size_t)chunk_slots);
    lte_errors *errors = malloc(sizeof *errors * (size_t)chunk_slots * LTE_N_DETECTORS);
    bool stop = false;
    if (!power || !errors) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the counts of a sweep");
        goto cleanup;
    }
    for (int s = 0; s < sweep->n_snr && !stop; s++) {
        const lte_noise noise = lte_noise_of(scenario->n_tx, pow(10.0, rule->snr_db[s] / 10.0));
        int place[LTE_N_DETECTORS], detector[LTE_N_DETECTORS], n;
        uint64_t slot = 0;
        sweep->n_started = s + 1;
        while ((n = running(sweep, s, place, detector)) > 0) {
            const uint64_t round_end =
                (slot / (uint64_t)rule->round_slots + 1) * (uint64_t)rule->round_slots;
            const uint64_t limit = round_end < rule->max_slots ? round_end : rule->max_slots;
            const uint64_t left = limit - slot;
            const int n_slots = left < (uint64_t)chunk_slots ? (int)left : chunk_slots;
            const double before = lte_seconds();
            status = backend->sweep(engine, noise, detector, n, slot, n_slots, power, errors);
            if (status)
                goto cleanup;
            merge(sweep, s, place, n, n_slots, power, errors);
            slot += (uint64_t)n_slots;
            for (int k = 0; k < n; k++)
                row_of(sweep, place[k], s)->seconds += (lte_seconds() - before) / n;
            if (slot == limit)
                judge(sweep, s);
            if (lte_stop_signal) {
                end_running(sweep, s, LTE_ROW_INTERRUPTED);
                stop = true;
            } else if (rule->max_seconds > 0.0 && lte_seconds() - start >= rule->max_seconds) {
                end_running(sweep, s, LTE_ROW_TIME);
                stop = true;
            }
            if (watch)
                watch(sweep, s, running(sweep, s, place, detector) == 0, user);
        }
    }
cleanup:
    free(power);
    free(errors);
    return status;
}

uint64_t lte_row_bits(const lte_row *row)
{
    return row->tally.clusters * row->tally.cluster_bits;
}

double lte_row_snr_db(const lte_row *row)
{
    if (!(row->signal > 0 && row->noise > 0))
        return NAN;
    return 10.0 * log10((double)row->signal / (double)row->noise);
}

double lte_row_z(const lte_row *row)
{
    const lte_interval ber = lte_interval_of(&row->tally);
    if (!row->theory.known || !row->theory.exact || !ber.known || !(ber.se > 0.0))
        return NAN;
    return (ber.rate - row->theory.ber) / ber.se;
}

const char *lte_row_status_name(lte_row_status status)
{
    static const char *const names[] = {"running", "errors", "slots", "time", "interrupted"};
    return names[status];
}

double lte_expected_slots(const lte_scenario *scenario, double ber)
{
    const lte_scenario_sweep *rule = &scenario->sweep;
    double slots = ber > 0.0
                       ? (double)rule->min_bit_errors / (ber * (double)lte_slot_bits(scenario))
                       : (double)rule->max_slots;
    slots = slots > (double)rule->min_slots ? slots : (double)rule->min_slots;
    slots = ceil(slots / rule->round_slots) * rule->round_slots;
    return slots < (double)rule->max_slots ? slots : (double)rule->max_slots;
}
