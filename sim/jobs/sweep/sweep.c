/* The rows of a sweep: made, and asked. */
#include "sim/jobs/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/coding/counted.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/sweep_parts.h"

int lte_drop_slots(const lte_scenario *scenario)
{
    const int alone = lte_counted_rows[scenario->counted].due_slots;
    return scenario->doppler_hz > 0.0 || scenario->stored.h || scenario->code.transmissions > 1 ||
                   lte_scenario_stands_still(scenario)
               ? scenario->drop_slots
               : alone;
}

lte_tally_cut lte_sweep_cut(const lte_scenario *scenario, int csi)
{
    /* an estimated column is never exactly zero */
    const bool known = scenario->stored.h && !lte_csi_estimates(csi);
    const lte_counting *counting = &lte_counting_rows[scenario->counted];
    const int n_lost = counting->n_lost(scenario->n_tx, scenario->n_bits);
    const int n_counts = counting->n_counts(scenario->n_tx, scenario->n_bits);
    return (lte_tally_cut){.n_tx = scenario->n_tx,
                           .n_bits = scenario->n_bits,
                           .counted = scenario->counted,
                           .n_lost = n_lost,
                           .harq = scenario->code.transmissions > 1,
                           .parts = scenario->code.transmissions > 1 ? LTE_TWELFTHS : 1,
                           .n_counts = n_counts,
                           .n_words = scenario->records ? LTE_N_RECORD_WORDS(scenario->n_tx) : 0,
                           .n_sums = n_counts + LTE_SQUARE_WORDS * n_lost,
                           .round_slots = scenario->sweep.round_slots,
                           .drop_slots = lte_drop_slots(scenario),
                           .silent = known ? scenario->stored.silent : NULL,
                           .n_stored = scenario->stored.n_read};
}

const lte_row *lte_sweep_row(const lte_sweep *sweep, int d, int s)
{
    return &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
}

const lte_row *lte_sweep_started(const lte_sweep *sweep, int i)
{
    const int n = sweep->n_started;
    return i < sweep->n_detectors * n ? lte_sweep_row(sweep, i / n, i % n) : NULL;
}

const lte_row *lte_sweeps_started(const lte_sweeps *sweeps, int i, const lte_sweep **sweep)
{
    for (int k = 0; sweeps && k < sweeps->n; k++) {
        const int n = sweeps->of[k]->n_detectors * sweeps->of[k]->n_started;
        *sweep = sweeps->of[k];
        if (i < n)
            return lte_sweep_started(*sweep, i);
        i -= n;
    }
    return NULL;
}

int lte_sweeps_missing(const lte_sweeps *sweeps)
{
    int missing = 0;
    for (int k = 0; k < sweeps->n; k++)
        missing += sweeps->of[k]->n_points - sweeps->of[k]->n_started;
    return missing;
}

bool lte_sweeps_detector(const lte_sweeps *sweeps, int i, lte_swept *swept)
{
    for (int k = 0; k < sweeps->n; i -= sweeps->of[k++]->n_detectors) {
        const lte_sweep *sweep = sweeps->of[k];
        if (i < sweep->n_detectors) {
            *swept = (lte_swept){sweep, k, i, lte_sweep_row(sweep, i, 0)->detector};
            return true;
        }
    }
    return false;
}

void lte_sweep_free(lte_sweep *sweep)
{
    if (!sweep)
        return;
    if (sweep->rounds)
        (void)fclose(sweep->rounds);
    free(sweep->round_text);
    free(sweep->rows);
    free(sweep->counts);
    free(sweep->pairs);
    free(sweep);
}

bool lte_sweep_is_search(const lte_sweep *sweep)
{
    return lte_scenario_searches(sweep->scenario);
}

int lte_sweep_room(const lte_scenario *scenario)
{
    enum { SEARCHED = 64 }; /* points for a detector: about 20 are usual */
    return lte_scenario_searches(scenario) ? SEARCHED * scenario->n_detectors
                                           : scenario->sweep.n_snr;
}

/* The scenario's detectors in the order of reports: of their ids, then of their parameters. */
static void order_detectors(const lte_scenario *scenario, lte_detector *ordered)
{
    for (int i = 0; i < scenario->n_detectors; i++) {
        int at = i;
        for (; at > 0 && lte_detector_compare(scenario->detectors[i], ordered[at - 1]) < 0; at--)
            ordered[at] = ordered[at - 1];
        ordered[at] = scenario->detectors[i];
    }
}

lte_status lte_sweep_theory(const lte_sweep *sweep, lte_detector detector, double snr_db,
                            lte_ber_theory *theory)
{
    const lte_scenario *s = sweep->scenario;
    const bool held = lte_csi_estimates(sweep->csi) && s->doppler_hz > 0.0;
    *theory = (lte_ber_theory){false, false, (double)NAN};
    if (s->correlation.given || held || !lte_counting_of(sweep)->by_symbol) /* no formulas */
        return LTE_OK;
    return lte_ber_theory_of(detector.id, s->channel, sweep->csi, s->n_tx, s->n_rx, s->n_bits,
                             pow(10.0, snr_db / 10.0), theory);
}

/* The counts of rows, of their drops and of the round, and the round behind the rows and pairs. */
static void place_counts(lte_sweep *sweep)
{
    const int n_counts = sweep->cut.n_sums;
    const ptrdiff_t n_rows = (ptrdiff_t)sweep->n_detectors * sweep->n_snr;
    for (ptrdiff_t i = 0; i < n_rows; i++) {
        sweep->rows[i].counts = &sweep->counts[lte_counts_at(n_counts, 2 * i)];
        sweep->rows[i].drop.counts = &sweep->counts[lte_counts_at(n_counts, 2 * i + 1)];
    }
    sweep->round.rows = &sweep->rows[n_rows];
    sweep->round.pairs = &sweep->pairs[n_rows];
    for (int d = 0; d < sweep->n_detectors; d++)
        sweep->round.rows[d].counts = &sweep->counts[lte_counts_at(n_counts, 2 * n_rows + d)];
}

/* What a point is of. */
static lte_status set_point(lte_sweep *sweep, int s, double snr_db, uint64_t goal)
{
    lte_status status = LTE_OK;
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        row->snr_db = snr_db;
        row->goal = goal;
        status = lte_sweep_theory(sweep, row->detector, snr_db, &row->theory);
    }
    return status;
}

lte_status lte_sweep_add_point(lte_sweep *sweep, double snr_db, uint64_t goal)
{
    if (!lte_sweep_is_search(sweep) || sweep->n_points >= sweep->n_snr)
        return LTE_FAIL(LTE_EINVAL, "a sweep has %d points and takes no other", sweep->n_points);
    const lte_status status = set_point(sweep, sweep->n_points, snr_db, goal);
    sweep->n_points += !status;
    return status;
}

bool lte_sweep_time_is_up(const lte_sweep *sweep, double seconds)
{
    const double most_s = sweep->scenario->sweep.max_seconds;
    return most_s > 0.0 && sweep->spent_s + seconds >= most_s;
}

double lte_sweep_slot_bits(const lte_sweep *sweep)
{
    const double parts = sweep->cut.harq ? LTE_TWELFTHS : 1.0;
    return (double)sweep->drop_bits / parts / lte_drop_slots(sweep->scenario);
}

lte_status lte_sweep_create(const lte_scenario *scenario, const lte_link *link, lte_sweep **sweep)
{
    const int n_snr = lte_sweep_room(scenario), n_detectors = scenario->n_detectors;
    const size_t n_rows = (size_t)n_snr * (size_t)n_detectors;
    const ptrdiff_t n_counted = 2 * (ptrdiff_t)n_rows + n_detectors;
    const lte_tally_cut cut = lte_sweep_cut(scenario, link->receiver.csi);
    const size_t n_counts = (size_t)lte_counts_at(cut.n_sums, n_counted);
    lte_status status = LTE_OK;
    lte_detector ordered[LTE_MAX_DETECTORS];
    *sweep = NULL;
    lte_sweep *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a sweep");
    made->scenario = scenario;
    made->csi = link->receiver.csi;
    made->cut = cut;
    made->drop_bits = lte_counting_of(made)->drop(&cut, link);
    made->n_snr = n_snr;
    made->n_detectors = n_detectors;
    made->end = scenario->sweep.max_slots;
    made->rows = calloc(n_rows + (size_t)n_detectors, sizeof *made->rows);
    made->counts = calloc(n_counts, sizeof *made->counts);
    made->pairs = calloc(n_rows + (size_t)n_detectors, sizeof *made->pairs);
    if (!made->rows || !made->counts || !made->pairs) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the rows of a sweep");
        goto cleanup;
    }
    place_counts(made);
    order_detectors(scenario, ordered);
    made->n_points = lte_sweep_is_search(made) ? 0 : n_snr;
    for (int s = 0; s < n_snr; s++) {
        for (int d = 0; d < n_detectors; d++) {
            lte_row_of(made, d, s)->detector = ordered[d];
            lte_row_of(made, d, s)->csi = link->receiver.csi;
        }
        if (s < made->n_points)
            status = set_point(made, s, scenario->sweep.snr_db[s], 0);
        if (status)
            goto cleanup;
        for (int d = 1; d < n_detectors; d++) {
            lte_pair *pair = lte_pair_of(made, d, s);
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

void lte_sweep_set_part(lte_sweep *sweep, uint64_t first, uint64_t last)
{
    sweep->first = first;
    sweep->end = last + 1;
    sweep->is_part = true;
}

uint64_t lte_row_bits(const lte_row *row)
{
    return lte_error_count_bits(&row->error_count);
}

uint64_t lte_row_group_bits(const lte_sweep *sweep, const lte_row *row, int group)
{
    const lte_error_count *all = &row->error_count;
    if (sweep->cut.harq)
        return row->harq.group_blocks[group];
    const uint64_t first = sweep->first / (uint64_t)lte_drop_slots(sweep->scenario);
    return lte_clusters_in_group(first, all->clusters, group) * all->cluster_bits;
}

uint64_t lte_row_parts(const lte_row *row)
{
    return row->error_count.parts > 1 ? row->error_count.parts : 1;
}

double lte_row_snr_db(const lte_sweep *sweep, const lte_row *row)
{
    const double signal = lte_counting_of(sweep)->signal(&sweep->cut, row);
    if (!(signal > 0.0 && row->noise > 0))
        return NAN;
    return 10.0 * log10(signal / (double)row->noise);
}

/* Independent realisations that a slot of a row is known to have: an estimate spans subcarriers. */
static uint64_t realisations(const lte_scenario *scenario, const lte_row *row)
{
    const lte_channel_row *channel = &lte_channel_rows[scenario->channel];
    const bool alone = channel->subcarriers == LTE_SUBCARRIERS_INDEPENDENT ||
                       channel->fading == LTE_FADING_CONSTANT;
    const bool by_symbol = lte_counting_rows[scenario->counted].by_symbol;
    return alone && !lte_csi_estimates(row->csi) && by_symbol ? (uint64_t)scenario->n_sc : 1;
}

lte_interval lte_row_interval(const lte_sweep *sweep, const lte_row *row)
{
    lte_interval interval = lte_interval_of(&row->error_count);
    if (!interval.no_error)
        return interval;
    interval.high = lte_interval_bound(&row->error_count, realisations(sweep->scenario, row));
    const lte_row *first = row - (row - sweep->rows) % sweep->n_snr;
    for (int s = 0; s < sweep->n_points; s++) {
        const lte_interval other = lte_interval_of(&first[s].error_count);
        if (first[s].snr_db < row->snr_db && other.known && other.high < interval.high)
            interval.high = other.high;
    }
    return interval;
}

lte_interval lte_pair_interval(const lte_sweep *sweep, const lte_pair *pair)
{
    if (sweep->cut.harq)
        return lte_interval_paired_unequal(&pair->count, &pair->d);
    return lte_interval_paired(pair->clusters, sweep->rows[pair->a].error_count.cluster_bits,
                               &pair->d);
}

double lte_row_z(const lte_row *row)
{
    const lte_interval ber = lte_interval_of(&row->error_count);
    const bool exact = row->theory.known && row->theory.exact;
    return exact ? lte_interval_z(&ber, row->theory.ber) : (double)NAN;
}

const char *lte_row_status_name(lte_row_status status)
{
    static const char *const names[] = {"running",   "errors", "slots",   "time", "interrupted",
                                        "precision", "search", "decided", "nodes"};
    return names[status];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Errors that make a rate so precise, if bits fail one by one. */
static double errors_for(double precision)
{
    return pow(1.96 / precision, 2.0);
}

double lte_needed_slots(const lte_scenario *scenario, double slot_bits, double most, double ber)
{
    const lte_scenario_sweep *rule = &scenario->sweep;
    const double clusters = rule->min_clusters > 2 ? rule->min_clusters : 0.0;
    double slots = ber > 0.0 ? (double)rule->min_bit_errors / (ber * slot_bits) : most;
    slots = larger(slots, (double)rule->min_slots);
    slots = larger(slots, clusters * lte_drop_slots(scenario));
    if (rule->precision > 0.0 && ber > 0.0)
        slots = larger(slots, errors_for(rule->precision) / (ber * slot_bits));
    slots = ceil(slots / rule->round_slots) * rule->round_slots;
    return slots < most ? slots : most;
}

double lte_expected_slots(const lte_sweep *sweep, double ber)
{
    return lte_needed_slots(sweep->scenario, lte_sweep_slot_bits(sweep),
                            (double)(sweep->end - sweep->first), ber);
}
