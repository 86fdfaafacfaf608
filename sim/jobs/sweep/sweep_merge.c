/*
 * Counts into rows: chunks in slot order, rounds checked as they end. What comes out does not
 * depend on how slots are cut into chunks, unless time or a signal ends a row (sweep_run.c).
 */
#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/jobs/sweep/throughput.h"

#include <assert.h>
#include <string.h>

#include "phy/base/limits.h"
#include "sim/jobs/sweep/sweep_rounds.h"

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
    int s = 0;
    while (s < sweep->n_points && !lte_sweep_runs(sweep, s))
        s++;
    return s;
}

uint64_t lte_sweep_merged(const lte_sweep *sweep, int s)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->status == LTE_ROW_RUNNING)
            return sweep->first + row->slots + (uint64_t)row->drop.n_slots;
    }
    return 0;
}

void lte_sweep_end(lte_sweep *sweep, lte_row_status status)
{
    for (int i = 0; i < sweep->n_detectors * sweep->n_started; i++) {
        lte_row *row = lte_row_of(sweep, i / sweep->n_started, i % sweep->n_started);
        if (row->status == LTE_ROW_RUNNING)
            row->status = status;
    }
}

void lte_sweep_charge(lte_sweep *sweep, const lte_chunk *chunk, double seconds)
{
    for (int k = 0; k < chunk->n_detectors; k++)
        lte_row_of(sweep, chunk->place[k], chunk->point)->seconds += seconds / chunk->n_detectors;
    sweep->round.seconds += seconds;
}

/* Adds what some slots of a row come to: a drop or a round. */
static void add_sums(lte_row *row, const lte_row *sums, int n_counts)
{
    for (int i = 0; i < n_counts; i++)
        row->counts[i] += sums->counts[i];
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        row->groups[k] += sums->groups[k];
        row->lost_groups[k] += sums->lost_groups[k];
    }
    row->lost2 += sums->lost2;
    lte_tally_harq_join(&row->harq, &sums->harq);
    row->signal += sums->signal;
    row->noise += sums->noise;
    row->slots += sums->slots;
    lte_error_count_join(&row->error_count, &sums->error_count);
}

/* The same of a pair. */
static void add_differences(lte_pair *pair, const lte_pair *sums)
{
    pair->slots += sums->slots;
    pair->clusters += sums->clusters;
    lte_difference_join(&pair->d, &sums->d);
    lte_paired_count_join(&pair->count, &sums->count);
}

/* Adds sums of whole drops to a row, and to the round of a part. */
static void add_drops(lte_sweep *sweep, lte_row *row, const lte_row *sums)
{
    const int n_counts = sweep->cut.n_sums;
    add_sums(row, sums, n_counts);
    if (sweep->is_part)
        add_sums(&sweep->round.rows[(row - sweep->rows) / sweep->n_snr], sums, n_counts);
}

/* The same of the pair of detector d. */
static void add_paired_drops(lte_sweep *sweep, int d, int s, const lte_pair *sums)
{
    add_differences(lte_pair_of(sweep, d, s), sums);
    if (sweep->is_part)
        add_differences(&sweep->round.pairs[d - 1], sums);
}

/* Adds sums of a part of the drop at hand, which counts when it is whole. */
static void add_part(lte_sweep *sweep, lte_row *row, const lte_row *sums)
{
    const int n_counts = sweep->cut.n_sums;
    lte_drop *drop = &row->drop;
    for (int i = 0; i < n_counts; i++)
        drop->counts[i] += sums->counts[i];
    drop->errors += sums->error_count.errors;
    drop->signal += sums->signal;
    drop->noise += sums->noise;
    drop->n_slots += (int)sums->slots;
    assert(drop->n_slots <= lte_drop_slots(sweep->scenario) && !sweep->cut.harq);
    if (drop->n_slots < lte_drop_slots(sweep->scenario))
        return;
    const uint64_t lost = lte_lost_of_counts(&sweep->cut, drop->counts);
    lte_row whole = {.slots = (uint64_t)drop->n_slots,
                     .lost2 = (lte_u128)lost * lost,
                     .counts = drop->counts,
                     .signal = drop->signal,
                     .noise = drop->noise};
    lte_error_count_add(&whole.error_count, sweep->drop_bits, drop->errors);
    const uint64_t number = (sweep->first + row->slots) / whole.slots;
    whole.groups[number % LTE_N_GROUPS] = drop->errors;
    lte_counting_of(sweep)->end(sweep, number, lost, &whole);
    add_drops(sweep, row, &whole);
    memset(drop->counts, 0, (size_t)n_counts * sizeof *drop->counts);
    *drop = (lte_drop){.counts = drop->counts};
}

/* The same of the pair of detector d. */
static void add_paired_part(lte_sweep *sweep, int d, int s, const lte_pair *sums)
{
    lte_pair *pair = lte_pair_of(sweep, d, s);
    pair->drop_d += sums->d.sum;
    pair->drop_slots += (int)sums->slots;
    if (pair->drop_slots < lte_drop_slots(sweep->scenario))
        return;
    lte_pair whole = {.slots = (uint64_t)pair->drop_slots, .clusters = 1};
    lte_difference_add(&whole.d, pair->drop_d);
    add_paired_drops(sweep, d, s, &whole);
    pair->drop_slots = 0;
    pair->drop_d = 0;
}

/* What record i of a tally has of its k-th detector, as a row. */
static lte_row row_of_record(const lte_sweep *sweep, const lte_tally *tally, int i, int k)
{
    const lte_tally_head *head = lte_tally_head_of(tally, i);
    const lte_tally_row *row = lte_tally_row_of(tally, i, k);
    const uint64_t drop = (uint64_t)lte_drop_slots(sweep->scenario);
    lte_row sums = {.slots = head->slots,
                    .error_count = {.clusters = head->slots / drop,
                                    .cluster_bits = sweep->drop_bits,
                                    .errors = row->errors,
                                    .errors2 = row->errors2},
                    .lost2 = row->lost2,
                    .counts = lte_tally_counts_of(tally, i, k),
                    .harq = row->harq,
                    .signal = head->signal,
                    .noise = head->noise};
    lte_counting_of(sweep)->count(sweep, &sums);
    memcpy(sums.groups, row->groups, sizeof sums.groups);
    memcpy(sums.lost_groups, row->lost_groups, sizeof sums.lost_groups);
    return sums;
}

/* The same of its first and its k-th detector, as a pair. */
static lte_pair pair_of_record(const lte_sweep *sweep, const lte_tally *tally, int i, int k)
{
    const lte_tally_head *head = lte_tally_head_of(tally, i);
    const lte_tally_row *first = lte_tally_row_of(tally, i, 0),
                        *row = lte_tally_row_of(tally, i, k);
    lte_pair pair = {.slots = head->slots,
                     .clusters = head->slots / (uint64_t)lte_drop_slots(sweep->scenario),
                     .d = row->d,
                     .count = row->pair};
    pair.d.sum = (int64_t)first->errors - (int64_t)row->errors; /* of parts of drops, too */
    return pair;
}

/* Merges record i of a chunk, the next one of its point, into the rows that run. */
static void merge_record(lte_sweep *sweep, const lte_chunk *chunk, int i)
{
    const lte_tally_head *head = lte_tally_head_of(&chunk->tally, i);
    const uint64_t drop = (uint64_t)lte_drop_slots(sweep->scenario);
    const bool whole = head->first % drop == 0 && head->slots >= drop;
    bool paired = false; /* the sweep's first detector runs; it is then the chunk's first, too */
    for (int k = 0; k < chunk->n_detectors; k++) {
        const int s = chunk->point, d = chunk->place[k];
        lte_row *row = lte_row_of(sweep, d, s);
        if (row->status != LTE_ROW_RUNNING)
            continue;
        const lte_row sums = row_of_record(sweep, &chunk->tally, i, k);
        const lte_pair differences = pair_of_record(sweep, &chunk->tally, i, k);
        paired = paired || d == 0;
        (whole ? add_drops : add_part)(sweep, row, &sums);
        if (paired && d > 0)
            (whole ? add_paired_drops : add_paired_part)(sweep, d, s, &differences);
    }
}

/* True if a row has what the scenario asks for. */
static bool has_enough(const lte_scenario_sweep *rule, const lte_row *row)
{
    const lte_error_count *count = &row->error_count;
    return count->errors >= rule->min_bit_errors * lte_row_parts(row) &&
           row->slots >= rule->min_slots &&
           lte_error_count_carriers(count) >= (double)rule->min_clusters &&
           (rule->precision <= 0.0 || lte_error_count_is_within(count, rule->precision));
}

/* True if the interval of a row's throughput has the share that is required of point s outside. */
static bool is_decided(const lte_sweep *sweep, const lte_row *row, int s)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    const double required = rule->required[rule->n_required > 1 ? s : 0] * of.peak;
    return row->slots >= rule->min_slots &&
           (of.throughput.low > required || of.throughput.high < required);
}

/*
 * Ends the running rows of a point whose round is complete: those whose goal is reached, or all if
 * the slots are used up.
 */
static void check_rows(lte_sweep *sweep, int s)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        const bool used_up = row->slots >= sweep->end - sweep->first;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (lte_sweep_is_search(sweep))
            row->status = row->slots >= row->goal ? LTE_ROW_SEARCH : LTE_ROW_RUNNING;
        else if (rule->n_required > 0)
            row->status = is_decided(sweep, row, s) ? LTE_ROW_DECIDED
                          : used_up                 ? LTE_ROW_SLOTS
                                                    : LTE_ROW_RUNNING;
        else if (has_enough(rule, row) && rule->precision > 0.0)
            row->status = LTE_ROW_PRECISION;
        else if (has_enough(rule, row) && !(used_up && rule->min_bit_errors == 0))
            row->status = LTE_ROW_ERRORS;
        else if (used_up)
            row->status = LTE_ROW_SLOTS;
    }
}

/* What follows the last slot of a round of point s, which has a slot. */
static void end_round(lte_sweep *sweep, int s, uint64_t slot)
{
    const uint64_t round = (uint64_t)sweep->scenario->sweep.round_slots;
    if (sweep->is_part)
        lte_sweep_keep_round(sweep, s, slot / round * round);
    lte_sweep_forget_round(sweep);
    check_rows(sweep, s);
}

/* Tells of the transmissions in a subframe of detector k of a chunk. */
static void tell_subframe(const lte_sweep *sweep, const lte_chunk *chunk, uint64_t slot, int k)
{
    const lte_row *row = lte_sweep_row(sweep, chunk->place[k], chunk->point);
    const uint32_t *const records = lte_tally_transmissions(&chunk->tally, slot, k);
    for (int q = 0; q < LTE_MOST_CODEWORDS && row->status == LTE_ROW_RUNNING; q++) {
        const lte_transmission of = {slot, q, records[q], records + LTE_MOST_CODEWORDS};
        if (of.record)
            sweep->listener.take(sweep, row, &of, sweep->listener.user);
    }
}

/* Tells of all transmissions in record i of a chunk, as they were sent. */
static void tell_record(const lte_sweep *sweep, const lte_chunk *chunk, int i)
{
    const lte_tally_head *head = lte_tally_head_of(&chunk->tally, i);
    for (uint64_t slot = head->first; slot < head->first + head->slots; slot += 2) {
        for (int k = 0; k < chunk->n_detectors; k++)
            tell_subframe(sweep, chunk, slot, k);
    }
}

void lte_sweep_merge(lte_sweep *sweep, const lte_chunk *chunk)
{
    const int s = chunk->point;
    assert(chunk->first == lte_sweep_merged(sweep, s));
    for (int i = 0; i < chunk->tally.n && lte_sweep_runs(sweep, s); i++) {
        const lte_tally_head *head = lte_tally_head_of(&chunk->tally, i);
        merge_record(sweep, chunk, i);
        if (sweep->listener.take)
            tell_record(sweep, chunk, i);
        if (head->first + head->slots == lte_sweep_round_end(sweep, head->first))
            end_round(sweep, s, head->first);
    }
}

/* True if the round at hand is the next one of point s, with all rows that run. */
static bool is_next(const lte_sweep *sweep, int s, uint64_t from)
{
    bool next = lte_sweep_runs(sweep, s) && from == lte_sweep_merged(sweep, s);
    for (int d = 0; next && d < sweep->n_detectors; d++)
        next =
            lte_sweep_row(sweep, d, s)->status != LTE_ROW_RUNNING || sweep->round.rows[d].slots > 0;
    return next;
}

/*
 * Adds the round at hand, which is that from slot `from` on of point s, to the rows that run and
 * their pairs, as merging its slots would have. A round that is not the next one of its point, or
 * lacks a row that runs, adds nothing.
 */
static void join_round(lte_sweep *sweep, int s, uint64_t from)
{
    lte_round *round = &sweep->round;
    const int n_counts = sweep->cut.n_sums;
    const bool paired = lte_sweep_row(sweep, 0, s)->status == LTE_ROW_RUNNING;
    int n_rows = 0;
    if (!is_next(sweep, s, from)) {
        lte_sweep_forget_round(sweep);
        return;
    }
    for (int d = 0; d < sweep->n_detectors; d++)
        n_rows += round->rows[d].slots > 0;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        if (row->status != LTE_ROW_RUNNING)
            continue;
        add_sums(row, &round->rows[d], n_counts);
        row->seconds += round->seconds / n_rows;
        if (d > 0 && paired)
            add_differences(lte_pair_of(sweep, d, s), &round->pairs[d - 1]);
    }
    lte_sweep_start(sweep, s);
    end_round(sweep, s, from);
}

lte_status lte_sweep_take_round(lte_sweep *sweep, const char *line)
{
    uint64_t from = 0;
    int s = 0;
    const lte_status status = lte_sweep_read_round(sweep, line, &s, &from);
    if (!status)
        join_round(sweep, s, from);
    return status;
}
