/*
 * Counts into rows: chunks in slot order, rounds checked as they end. What comes out does not
 * depend on how slots are cut into chunks.
 */
#include "sim/jobs/sweep_parts.h"

#include <assert.h>

#include "phy/limits.h"

bool lte_sweep_runs(const lte_sweep *sweep, int s)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (lte_sweep_row(sweep, d, s)->status == LTE_ROW_RUNNING)
            return true;
    }
    return false;
}

int lte_sweep_point(const lte_sweep *sweep)
{
    int s = sweep->n_started > 0 ? sweep->n_started - 1 : 0; /* those before it have ended */
    while (s < sweep->n_snr && !lte_sweep_runs(sweep, s))
        s++;
    return s;
}

uint64_t lte_sweep_merged(const lte_sweep *sweep, int s)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->status == LTE_ROW_RUNNING)
            return row->slots + (uint64_t)row->drop.n_slots;
    }
    return 0;
}

uint64_t lte_sweep_round_end(const lte_sweep *sweep, uint64_t slot)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const uint64_t round = (uint64_t)rule->round_slots;
    const uint64_t end = (slot / round + 1) * round;
    return end < rule->max_slots ? end : rule->max_slots;
}

void lte_sweep_end(lte_sweep *sweep, int s, lte_row_status status)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (lte_row_of(sweep, d, s)->status == LTE_ROW_RUNNING)
            lte_row_of(sweep, d, s)->status = status;
    }
}

void lte_sweep_charge(lte_sweep *sweep, const lte_chunk *chunk, double seconds)
{
    for (int k = 0; k < chunk->n_detectors; k++)
        lte_row_of(sweep, chunk->place[k], chunk->point)->seconds += seconds / chunk->n_detectors;
}

/* Counts the drop at hand, of whose slots each has so many bits. */
static void end_drop(lte_row *row, int n_counts, uint64_t bits)
{
    lte_drop *drop = &row->drop;
    for (int i = 0; i < n_counts; i++) {
        row->counts[i] += drop->counts[i];
        drop->counts[i] = 0;
    }
    row->signal += drop->signal;
    row->noise += drop->noise;
    row->slots += (uint64_t)drop->n_slots;
    lte_error_count_add(&row->error_count, (uint64_t)drop->n_slots * bits, drop->errors);
    *drop = (lte_drop){.counts = drop->counts};
}

/* Adds the counts of one slot to a row's drop; returns its bit errors. */
static uint64_t add_slot(lte_row *row, const lte_sweep *sweep, const uint32_t *errors,
                         const lte_power *power)
{
    const lte_scenario *scenario = sweep->scenario;
    const int n_counts = LTE_N_COUNTS(scenario->n_tx);
    const uint64_t sum = lte_bit_errors(scenario->n_tx, errors);
    lte_drop *drop = &row->drop;
    for (int i = 0; i < n_counts; i++)
        drop->counts[i] += errors[i];
    drop->errors += sum;
    drop->signal += power->signal;
    drop->noise += power->noise;
    if (++drop->n_slots == lte_drop_slots(scenario))
        end_drop(row, n_counts, sweep->slot_bits);
    return sum;
}

/* Adds a slot's difference of errors. */
static void add_difference(lte_pair *pair, const lte_scenario *scenario, int64_t d)
{
    pair->drop_d += d;
    if (++pair->drop_slots < lte_drop_slots(scenario))
        return;
    pair->clusters++;
    pair->slots += (uint64_t)pair->drop_slots;
    pair->sum_d += pair->drop_d;
    pair->sum_abs += (uint64_t)(pair->drop_d < 0 ? -pair->drop_d : pair->drop_d);
    pair->sum_d2 += (lte_u128)((lte_i128)pair->drop_d * pair->drop_d);
    pair->drop_slots = 0;
    pair->drop_d = 0;
}

/* Merges slots i0 .. i1 - 1 of a chunk, in their order, into the rows that run. */
static void merge_slots(lte_sweep *sweep, const lte_chunk *chunk, int i0, int i1)
{
    const int s = chunk->point;
    for (int i = i0; i < i1; i++) {
        int64_t first = 0;   /* bit errors of the sweep's first detector, */
        bool paired = false; /* if that runs; it is then the chunk's first, too */
        for (int k = 0; k < chunk->n_detectors; k++) {
            const int d = chunk->place[k];
            lte_row *row = lte_row_of(sweep, d, s);
            if (row->status != LTE_ROW_RUNNING)
                continue;
            const int64_t sum =
                (int64_t)add_slot(row, sweep, lte_chunk_errors(chunk, i, k), &chunk->power[i]);
            if (d == 0) {
                first = sum;
                paired = true;
            } else if (paired) {
                lte_pair *pair = &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + d - 1];
                add_difference(pair, sweep->scenario, first - sum);
            }
        }
    }
}

/* Ends the running rows of a point whose round is complete and whose goal is reached. */
static void check_rows(lte_sweep *sweep, int s)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        const uint64_t slots = row->slots;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (row->error_count.errors >= rule->min_bit_errors && slots >= rule->min_slots &&
            lte_error_count_carriers(&row->error_count) >= (double)rule->min_clusters)
            row->status = LTE_ROW_ERRORS;
        else if (slots >= rule->max_slots)
            row->status = LTE_ROW_SLOTS;
    }
}

void lte_sweep_merge(lte_sweep *sweep, const lte_chunk *chunk)
{
    const int s = chunk->point;
    const uint64_t end = chunk->first + (uint64_t)chunk->n_slots;
    assert(chunk->first == lte_sweep_merged(sweep, s));
    for (uint64_t slot = chunk->first; slot < end && lte_sweep_runs(sweep, s);) {
        const uint64_t limit = lte_sweep_round_end(sweep, slot);
        const uint64_t stop = limit < end ? limit : end;
        merge_slots(sweep, chunk, (int)(slot - chunk->first), (int)(stop - chunk->first));
        if (stop == limit)
            check_rows(sweep, s);
        slot = stop;
    }
}
