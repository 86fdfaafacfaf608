/* The SNR at an error rate or a throughput, by bisection over common draws. */
#include "sim/jobs/sweep/search.h"

#include <math.h>
#include <stdio.h>

#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/jobs/sweep/throughput.h"

static const double coarse_db = 1.0;  /* apart at most: the ends that a curve is read between */
static const double finest_db = 1e-3; /* and at least */
static const double edge_db = 0.05;   /* how near a rate is sought to an SNR that has none */
static const double moved_db = 1e-4;  /* an SNR has one row: another one is taken so far from it */
static const double spare = 0.9;      /* of the precision asked for, is what is aimed at */
static const double first_errors = 100.0; /* that the first curve has at the target */

enum { MOST_GROWTH = 16 }; /* of the slots, from one curve to the next */

/* A search of one detector, and the point that it lacks. */
typedef struct {
    const lte_sweep *sweep;
    int d;
    bool lacks;
    double snr_db;
    uint64_t slots;
} search;

/* Two points between which the curve of some slots comes down to the target. */
typedef struct {
    const lte_row *high, *low; /* rates: above the target, or none there; and not above it */
} bracket;

/*
 * What falls with the SNR: the error rate, or the share of the largest throughput that is not
 * reached, with its interval (NAN: none); and what it is at least taken for.
 */
typedef struct {
    double rate, low, high, least;
} level;

static level of_throughput(const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    return (level){.rate = 1.0 - of.throughput.mean / of.peak,
                   .low = 1.0 - of.throughput.high / of.peak,
                   .high = 1.0 - of.throughput.low / of.peak,
                   .least = 0.5 * LTE_TWELFTHS / (double)of.blocks};
}

static level of_information(const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_information of = lte_row_information_of(sweep, row);
    const double most = sweep->cut.n_bits;
    return (level){.rate = 1.0 - of.bits / most,
                   .low = 1.0 - of.high / most,
                   .high = 1.0 - of.low / most,
                   .least = 0.5 / (double)lte_row_bits(row)};
}

static level of_errors(const lte_sweep *sweep, const lte_row *row)
{
    (void)sweep;
    const lte_interval ber = lte_interval_of(&row->error_count);
    const double bits = (double)lte_row_bits(row);
    return (level){.rate = (double)row->error_count.errors / bits,
                   .low = ber.known ? ber.low : (double)NAN,
                   .high = ber.known ? ber.high : (double)NAN,
                   .least = 0.5 / bits};
}

/* What differs by what is sought. */
static const struct {
    level (*level)(const lte_sweep *sweep, const lte_row *row);
    bool by_errors; /* the first curve has so many of them */
} kinds[] = {
    [LTE_SEEKS_ERRORS] = {of_errors, true},
    [LTE_SEEKS_THROUGHPUT] = {of_throughput, false},
    [LTE_SEEKS_INFORMATION] = {of_information, false},
};

static level level_of(const lte_sweep *sweep, const lte_row *row)
{
    return kinds[lte_scenario_target(sweep->scenario).seeks].level(sweep, row);
}

static double target_of(const lte_sweep *sweep)
{
    return lte_scenario_target(sweep->scenario).unreached;
}

/* False of a point at which the detector could not be counted. */
static bool has_rate(const lte_row *row)
{
    return row->status != LTE_ROW_NODES;
}

/* Whether a row has all that a search asked of it; one that has no rate has, too. */
static bool has_ended(const lte_row *row)
{
    return row->status == LTE_ROW_SEARCH || !has_rate(row);
}

/*
 * The row of a point of so many slots; NULL if it has not been counted: it is what the search
 * lacks.
 */
static const lte_row *ask(search *q, double snr_db, uint64_t slots)
{
    double at = round(snr_db * 1e6) / 1e6;
    for (int s = 0; s < q->sweep->n_points; s++) {
        const lte_row *row = lte_sweep_row(q->sweep, q->d, s);
        if (row->snr_db != at)
            continue;
        if (row->goal == slots || !has_rate(row)) /* more slots would give it none */
            return has_ended(row) ? row : NULL;
        at = round((at + moved_db) * 1e6) / 1e6;
        s = -1;
    }
    q->lacks = true;
    q->snr_db = at;
    q->slots = slots;
    return NULL;
}

static bool is_above(const search *q, const lte_row *row)
{
    return !has_rate(row) || level_of(q->sweep, row).rate > target_of(q->sweep);
}

/* ln of the level; without an error that of half a one. */
static double ln_level(const lte_sweep *sweep, const lte_row *row)
{
    const level of = level_of(sweep, row);
    return log(of.rate > 0.0 ? of.rate : of.least);
}

/* How far the end of its interval is, over its own ln; INFINITY if there is none. */
static double precision_of(const lte_sweep *sweep, const lte_row *row)
{
    const level of = level_of(sweep, row);
    return of.rate > 0.0 && of.low > 0.0 ? log(of.rate / of.low) : (double)INFINITY;
}

/* Half the width of the interval of the level's ln: the larger of both ends'. */
static double half_width(const lte_sweep *sweep, const bracket *b)
{
    return fmax(precision_of(sweep, b->high), precision_of(sweep, b->low));
}

static double slope(const lte_sweep *sweep, const bracket *b)
{
    return (ln_level(sweep, b->low) - ln_level(sweep, b->high)) /
           (b->low->snr_db - b->high->snr_db);
}

/* Where a straight line between both ends is at the target. */
static double crossing(const search *q, const bracket *b)
{
    return b->high->snr_db +
           (log(target_of(q->sweep)) - ln_level(q->sweep, b->high)) / slope(q->sweep, b);
}

/*
 * True if the ends are so near each other that the curve is as good as straight between them. An
 * error rate that falls with exp(-SNR) bends most: over h dB it leaves the line by h^2 / 8 times
 * ln(10) / 10 of its own slope, here 3 % of the interval of the SNR.
 */
static bool is_straight(const lte_sweep *sweep, const bracket *b)
{
    const double h = b->low->snr_db - b->high->snr_db;
    if (!has_rate(b->high))
        return h <= edge_db;
    const double interval_db = half_width(sweep, b) / fabs(slope(sweep, b));
    if (h <= finest_db)
        return true;
    return h <= coarse_db && h * h <= interval_db && level_of(sweep, b->low).rate > 0.0;
}

/*
 * Halves a bracket until the curve is straight in it, or too short to find a rate at its upper end;
 * false if a point is lacking.
 */
static bool narrow(search *q, bracket *b, uint64_t slots)
{
    while (!is_straight(q->sweep, b)) {
        const lte_row *middle = ask(q, 0.5 * (b->high->snr_db + b->low->snr_db), slots);
        if (!middle)
            return false;
        *(is_above(q, middle) ? &b->high : &b->low) = middle;
    }
    return true;
}

/* The lowest and the highest of the scenario's points. */
static void range_of(const lte_scenario_sweep *sweep, double *lowest, double *highest)
{
    *lowest = INFINITY;
    *highest = -INFINITY;
    for (int s = 0; s < sweep->n_snr; s++) {
        *lowest = fmin(*lowest, sweep->snr_db[s]);
        *highest = fmax(*highest, sweep->snr_db[s]);
    }
}

/*
 * Finds two points around the target, from `from` and `to` on, further apart as need be, within the
 * range of the scenario. how: LTE_FOUND_NOT if a point is lacking, BELOW, ABOVE, NODES, or else
 * SLOTS.
 */
static lte_found_how enclose(search *q, double from, double to, uint64_t slots, bracket *b)
{
    double lowest, highest;
    range_of(&q->sweep->scenario->sweep, &lowest, &highest);
    double left = fmax(from, lowest), right = fmin(to, highest), step = to - from;
    *b = (bracket){NULL, NULL};
    for (; !b->high; left = fmax(left - step, lowest), step *= 2.0) {
        const lte_row *row = ask(q, left, slots);
        if (!row)
            return LTE_FOUND_NOT;
        *(is_above(q, row) ? &b->high : &b->low) = row;
        if (!b->high && left <= lowest)
            return LTE_FOUND_BELOW;
    }
    for (; !b->low; right = fmin(right + step, highest), step *= 2.0) {
        const lte_row *row = ask(q, right, slots);
        if (!row)
            return LTE_FOUND_NOT;
        *(is_above(q, row) ? &b->high : &b->low) = row;
        if (!b->low && right >= highest)
            return has_rate(row) ? LTE_FOUND_ABOVE : LTE_FOUND_NODES;
    }
    return LTE_FOUND_SLOTS;
}

/* A number of slots as whole rounds, no more than the sweep has. */
static uint64_t whole_rounds(const lte_sweep *sweep, double slots)
{
    const double round = sweep->scenario->sweep.round_slots, most = (double)sweep->end;
    return (uint64_t)fmin(ceil(slots / round) * round, most);
}

/* Slots of the first curve. */
static uint64_t first_slots(const lte_sweep *sweep)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const double errors = fmax((double)rule->min_bit_errors, first_errors);
    const double clusters = (double)rule->min_clusters * lte_drop_slots(sweep->scenario);
    const bool by_errors = kinds[lte_scenario_target(sweep->scenario).seeks].by_errors;
    const double slots = by_errors ? errors / (target_of(sweep) * lte_sweep_slot_bits(sweep)) : 0.0;
    return whole_rounds(sweep, fmax(fmax(slots, clusters), (double)rule->min_slots));
}

/* Slots of the next curve, if the precision goes with their root. */
static uint64_t next_slots(const lte_sweep *sweep, uint64_t slots, double precision)
{
    const double ratio = precision / (spare * sweep->scenario->sweep.precision);
    int growth = 2;
    while (growth < MOST_GROWTH && growth < ratio * ratio)
        growth *= 2;
    return whole_rounds(sweep, (double)slots * growth);
}

/*
 * The curve of so many slots between from and to: where it is at the target, and whether that is
 * precise enough; or which way the target lies, or nothing while a point is lacking.
 */
static lte_found read_curve(search *q, double from, double to, uint64_t slots, double *precision)
{
    const double nan = (double)NAN;
    lte_found found = {
        .snr_db = nan, .low_db = nan, .high_db = nan, .theory_db = nan, .slots = slots};
    bracket b;
    found.how = enclose(q, from, to, slots, &b);
    if (found.how == LTE_FOUND_BELOW || found.how == LTE_FOUND_ABOVE)
        found.snr_db = (b.high ? b.high : b.low)->snr_db;
    if (found.how == LTE_FOUND_SLOTS && !narrow(q, &b, slots))
        found.how = LTE_FOUND_NOT;
    else if (found.how == LTE_FOUND_SLOTS && !has_rate(b.high))
        found.how = LTE_FOUND_NODES;
    if (found.how != LTE_FOUND_SLOTS)
        return found;
    *precision = half_width(q->sweep, &b);
    const double half_db = *precision / fabs(slope(q->sweep, &b));
    found.snr_db = crossing(q, &b);
    found.slope = slope(q->sweep, &b);
    if (isfinite(half_db)) {
        found.low_db = found.snr_db - half_db;
        found.high_db = found.snr_db + half_db;
    }
    if (*precision <= q->sweep->scenario->sweep.precision)
        found.how = LTE_FOUND_PRECISION;
    return found;
}

/* The whole search of a detector: to its end, or to a point that it lacks. */
static lte_found run(search *q)
{
    double from, to, precision;
    range_of(&q->sweep->scenario->sweep, &from, &to);
    for (uint64_t slots = first_slots(q->sweep);; slots = next_slots(q->sweep, slots, precision)) {
        const lte_found found = read_curve(q, from, to, slots, &precision);
        if (found.how != LTE_FOUND_SLOTS || slots >= q->sweep->end)
            return found;
        const double half_db = precision / fabs(found.slope);
        const double open_db = fmax(fmin(half_db, to - from), finest_db);
        from = found.snr_db - open_db;
        to = found.snr_db + open_db;
    }
}

/*
 * The SNR at which the closed form of a row has the target, within the range; NAN if it is not
 * exact.
 */
static double theory_db(const lte_sweep *sweep, int d)
{
    const lte_row *first = lte_sweep_row(sweep, d, 0);
    double lowest, highest;
    range_of(&sweep->scenario->sweep, &lowest, &highest);
    const bool exact =
        first->theory.exact && kinds[lte_scenario_target(sweep->scenario).seeks].by_errors;
    while (exact && highest - lowest > 1e-6) {
        const double middle = 0.5 * (lowest + highest);
        lte_ber_theory theory;
        if (lte_sweep_theory(sweep, first->detector, middle, &theory) != LTE_OK)
            return (double)NAN;
        *(theory.ber > target_of(sweep) ? &lowest : &highest) = middle;
    }
    return exact ? 0.5 * (lowest + highest) : (double)NAN;
}

const char *lte_search_target(const lte_sweep *sweep, char *text, size_t size)
{
    const lte_target target = lte_scenario_target(sweep->scenario);
    if (target.seeks == LTE_SEEKS_THROUGHPUT)
        (void)snprintf(text, size, "throughput %g %%", 100.0 * target.value);
    else if (target.seeks == LTE_SEEKS_INFORMATION)
        (void)snprintf(text, size, "%g bits a symbol", target.value);
    else
        (void)snprintf(text, size, "%s %g", lte_counting_of(sweep)->rate, target.value);
    return text;
}

const char *lte_found_name(lte_found_how how)
{
    static const char *const names[] = {"precision", "slots", "below",
                                        "above",     "nodes", "unfinished"};
    return names[how];
}

lte_found lte_search_of(const lte_sweep *sweep, int d)
{
    search q = {.sweep = sweep, .d = d};
    lte_found found = run(&q);
    if (lte_found_is_known(&found))
        found.theory_db = theory_db(sweep, d);
    return found;
}

static bool is_counted(const lte_sweep *sweep)
{
    for (int s = 0; s < sweep->n_points; s++) {
        for (int d = 0; d < sweep->n_detectors; d++) {
            if (!has_ended(lte_sweep_row(sweep, d, s)))
                return false;
        }
    }
    return true;
}

/* The first search of a detector that lacks a point; false if none does. */
static bool find_lacking(const lte_sweep *sweep, search *q)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        *q = (search){.sweep = sweep, .d = d};
        (void)run(q);
        if (q->lacks)
            return true;
    }
    return false;
}

bool lte_search_is_over(const lte_sweep *sweep)
{
    search q;
    return is_counted(sweep) && (sweep->n_points >= sweep->n_snr || !find_lacking(sweep, &q));
}

bool lte_search_next(lte_sweep *sweep, lte_status *status)
{
    search q;
    if (!lte_sweep_is_search(sweep) || sweep->n_points >= sweep->n_snr || !is_counted(sweep) ||
        !find_lacking(sweep, &q))
        return false;
    *status = lte_sweep_add_point(sweep, q.snr_db, q.slots);
    return *status == LTE_OK;
}
