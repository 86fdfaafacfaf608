/* Quantities of two runs, row by row. */
#include "sim/report/compare/compare_rows.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* ---- rows ---- */

bool lte_compared_applies(const lte_quantity *q, const lte_result *a, const lte_result *b)
{
    return lte_quantity_is_in(q, a) && lte_quantity_is_in(q, b);
}

static bool is_key(const lte_quantity *q, const lte_table *a, int row_a, const lte_table *b,
                   int row_b)
{
    static const double rounded_db = 5e-7; /* points are rounded to 1e-6 dB */
    for (int k = 0; k < q->n_keys; k++) {
        const int column = q->keys[k];
        if (column >= a->n_columns || column >= b->n_columns) /* of older files */
            continue;
        if (lte_table_is(a, row_a, column, lte_table_text(b, row_b, column)))
            continue;
        if (q->columns->column[column].kind != LTE_KIND_EXACT &&
            q->columns->column[column].kind != LTE_KIND_NUMBER)
            return false;
        if (!(fabs(lte_table_real(a, row_a, column) - lte_table_real(b, row_b, column)) <
              rounded_db))
            return false;
    }
    return true;
}

int lte_compared_row(const lte_quantity *q, const lte_result *other, const lte_result *result,
                     int row, int *hint)
{
    const lte_table *there = lte_quantity_table(q, other), *here = lte_quantity_table(q, result);
    for (int i = 0; i < there->n_rows; i++) {
        const int at = (*hint + i) % there->n_rows;
        if (!is_key(q, there, at, here, row))
            continue;
        *hint = (at + 1) % there->n_rows;
        return at;
    }
    return -1;
}

int lte_compared_missing(const lte_quantity *q, const lte_result *a, const lte_result *b)
{
    const int n = lte_quantity_is_in(q, a) ? lte_quantity_table(q, a)->n_rows : 0;
    int missing = 0, hint = 0;
    if (!lte_quantity_is_in(q, b))
        return n;
    for (int row = 0; row < n; row++)
        missing += lte_compared_row(q, b, a, row, &hint) < 0;
    return missing;
}

/* ---- intervals ---- */

/* Clusters of a row: slots, or drops where a realisation lasts for several (lte_drop_slots). */
static double clusters_of(const lte_quantity *q, const lte_result *result, int row)
{
    const json_t *channel = lte_json_at(result->scenario, "channel");
    const json_t *code = lte_json_at(result->scenario, "code");
    const bool drops = lte_json_number(channel, "doppler_hz") > 0.0 ||
                       lte_json_at(channel, "checksum") ||
                       lte_json_number(code, "transmissions") > 1.0 ||
                       (code && strcmp(lte_json_text(channel, "fades"), "drop") == 0);
    const lte_table *table = lte_quantity_table(q, result);
    const double slots = q->slots ? lte_table_real(table, row, q->slots)
                                  : lte_json_number(result->scenario, "sweep.min_slots");
    const double drop = drops ? lte_json_number(channel, "drop_slots") : code ? 2.0 : 1.0;
    return drop > 1.0 ? slots / drop : slots;
}

/* What a row tells of a rate or share. */
static lte_interval interval_of(const lte_quantity *q, const lte_result *result, int row)
{
    const lte_table *table = lte_quantity_table(q, result);
    const double whole = q->peak ? lte_table_real(table, row, q->peak) : 1.0;
    const double rate = lte_table_real(table, row, q->value) / whole;
    const double low = lte_table_real(table, row, q->low) / whole;
    const double high = lte_table_real(table, row, q->high) / whole;
    if (rate > 0.0 && low > 0.0 && rate < 1.0)
        return lte_interval_from_ends(rate, low, high, clusters_of(q, result, row));
    if (rate > 0.5 && rate < 1.0 && high > rate && high < 1.0) { /* the end of the rest is cut */
        const double rest = 1.0 - rate, least = 1.0 - high;
        lte_interval of =
            lte_interval_from_ends(rest, least, rest * rest / least, clusters_of(q, result, row));
        of.rate = rate;
        of.low = 0.0;
        of.high = high;
        return of;
    }
    return (lte_interval){.no_error = !(rate > 0.0) && high > 0.0,
                          .rate = rate > 0.0 ? rate : 0.0,
                          .low = low,
                          .high = high};
}

/* The bound of a row without errors that holds but for the probability tail, not 5 %; of a row in
 * which all is wrong that from below. */
static double bound_at(const lte_interval *row, double tail)
{
    const double power = log(tail) / log(0.05);
    return row->no_error ? fmin(row->high * power, 1.0) : pow(fmax(row->low, 1e-300), power);
}

static bool is_whole(const lte_interval *row)
{
    return row->rate >= 1.0 && row->low > 0.0 && row->low < 1.0;
}

/* How much higher the rate b is than a: both are known. Where b is above 1/2, by what is left. */
static double z_of_known(const lte_interval *a, const lte_interval *b)
{
    const double p = b->rate > 0.5 ? 1.0 - a->rate : a->rate;
    const double r = b->rate > 0.5 ? 1.0 - b->rate : b->rate;
    const double va = pow(a->se / p, 2.0), vb = pow(b->se / r, 2.0);
    const lte_interval both = {.known = true,
                               .rate = b->rate,
                               .se = r * sqrt(va + vb),
                               .degrees = (va + vb) * (va + vb) /
                                          (va * va / a->degrees + vb * vb / b->degrees)};
    return lte_interval_z(&both, a->rate);
}

/* How much higher b is than a, as a standard normal variable; NAN if that cannot be told. */
static double z_of_rates(const lte_interval *a, const lte_interval *b, double tail)
{
    static const double certain = 38.0;
    const bool end_a = a->no_error || is_whole(a), end_b = b->no_error || is_whole(b);
    if (end_a && end_b) {
        if (a->no_error == b->no_error)
            return 0.0;
        const double bound_a = bound_at(a, tail), bound_b = bound_at(b, tail);
        return a->no_error ? (bound_a < bound_b ? certain : 0.0)
                           : (bound_b < bound_a ? -certain : 0.0);
    }
    if (end_a && b->known) {
        const double z = lte_interval_z(b, bound_at(a, tail));
        return a->no_error ? fmax(z, 0.0) : fmin(z, 0.0);
    }
    if (end_b && a->known) {
        const double z = -lte_interval_z(a, bound_at(b, tail));
        return b->no_error ? fmin(z, 0.0) : fmax(z, 0.0);
    }
    return a->known && b->known ? z_of_known(a, b) : (double)NAN;
}

/*
 * How much higher the SNR of a search is where one of the two lies beyond its range, and the other
 * within that: certainly, if beyond the whole interval; NAN if neither does.
 */
static double z_of_ranges(const lte_quantity *q, const lte_result *a, int row_a,
                          const lte_result *b, int row_b)
{
    static const double certain = 38.0;
    const lte_table *of_a = lte_quantity_table(q, a), *of_b = lte_quantity_table(q, b);
    const bool above_a = lte_table_is(of_a, row_a, LTE_TARGET_STATUS, "above");
    const bool below_a = lte_table_is(of_a, row_a, LTE_TARGET_STATUS, "below");
    const bool above_b = lte_table_is(of_b, row_b, LTE_TARGET_STATUS, "above");
    const bool below_b = lte_table_is(of_b, row_b, LTE_TARGET_STATUS, "below");
    const double x = lte_table_real(of_a, row_a, q->value),
                 y = lte_table_real(of_b, row_b, q->value);
    const double least_a = above_a ? x : lte_table_real(of_a, row_a, q->low);
    const double most_a = below_a ? x : lte_table_real(of_a, row_a, q->high);
    const double least_b = above_b ? y : lte_table_real(of_b, row_b, q->low);
    const double most_b = below_b ? y : lte_table_real(of_b, row_b, q->high);
    if (above_a + below_a + above_b + below_b == 0)
        return (double)NAN;
    return least_b > most_a ? certain : most_b < least_a ? -certain : (double)NAN;
}

/*
 * Of numbers with intervals: the difference over the halves of both that face each other (Zou,
 * Donner, Statistics in Medicine 27, 2008), with Student's t of the fewer clusters.
 */
static double z_of_values(const lte_quantity *q, const lte_result *a, int row_a,
                          const lte_result *b, int row_b)
{
    const lte_table *of_a = lte_quantity_table(q, a), *of_b = lte_quantity_table(q, b);
    const double x = lte_table_real(of_a, row_a, q->value),
                 y = lte_table_real(of_b, row_b, q->value);
    const double half_a =
        y > x ? lte_table_real(of_a, row_a, q->high) - x : x - lte_table_real(of_a, row_a, q->low);
    const double half_b =
        y > x ? y - lte_table_real(of_b, row_b, q->low) : lte_table_real(of_b, row_b, q->high) - y;
    const double degrees =
        fmax(fmin(clusters_of(q, a, row_a), clusters_of(q, b, row_b)) - 1.0, 1.0);
    const double half = hypot(half_a, half_b);
    if (!isfinite(x) || !isfinite(y) || !(half > 0.0))
        return q->in_db ? z_of_ranges(q, a, row_a, b, row_b) : x == y ? 0.0 : (double)NAN;
    const lte_interval d = {.known = true,
                            .rate = y - x,
                            .se = half / gsl_cdf_tdist_Pinv(0.975, degrees),
                            .degrees = degrees};
    return lte_interval_paired_z(&d);
}

/* ---- common draws ---- */

bool lte_compared_common_draws(const lte_result *a, const lte_result *b)
{
    static const char *const keys[] = {"seed", "carrier", "antennas", "channel"};
    const json_t *part_a = json_object_get(a->run, "slots"),
                 *part_b = json_object_get(b->run, "slots");
    if (part_a != part_b && !json_equal(part_a, part_b)) /* NULL: all of them */
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *x = json_object_get(a->scenario, keys[i]);
        const json_t *y = json_object_get(b->scenario, keys[i]);
        if (!x || !y || !json_equal(x, y))
            return false;
    }
    return true;
}

/* A row by groups: sums of what is counted, and of how much. */
typedef struct {
    double sums[LTE_N_GROUPS], bits[LTE_N_GROUPS];
} by_groups;

/* True if the sums of all groups are that number; parts of a block were read from their text. */
static bool add_up_to(const double *sums, double all)
{
    double sum = 0.0;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        sum += sums[k];
    return fabs(sum - all) <= 1e-12 * all;
}

/* The row of groups.csv, which has none of rows that counted nothing; -1: it has not this one. */
static int groups_row(const lte_table *groups, const lte_table *table, int row)
{
    int at = row < groups->n_rows ? row : groups->n_rows - 1;
    while (at >= 0 && !lte_table_alike(table, row, groups, at, LTE_TABLE_DETECTOR, LTE_TABLE_SNR))
        at--;
    return at;
}

/* False if groups.csv has it not. */
static bool groups_of(const lte_quantity *q, const lte_result *result, int row, by_groups *of)
{
    const lte_table *table = lte_quantity_table(q, result), *groups = &result->groups;
    const bool has_bits = LTE_GROUPS_B0 + LTE_N_GROUPS <= groups->n_columns;
    if (!q->group || q->group + LTE_N_GROUPS > groups->n_columns ||
        (!has_bits && lte_json_number(result->scenario, "code.transmissions") > 1.0))
        return false;
    const int at = groups_row(groups, table, row);
    if (at < 0)
        return false;
    const double all = lte_table_real(groups, at, LTE_GROUPS_BITS);
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        of->sums[k] = lte_table_real(groups, at, q->group + k);
        of->bits[k] = has_bits ? lte_table_real(groups, at, LTE_GROUPS_B0 + k) : all / LTE_N_GROUPS;
    }
    return all == lte_table_real(table, row, q->bits) && all > 0.0 && add_up_to(of->bits, all) &&
           (!q->errors || add_up_to(of->sums, lte_table_real(table, row, q->errors)));
}

/* How much worse b is over the same slots, from the differences of their groups; NAN if these are
 * not known. */
static double paired_z(const lte_quantity *q, const lte_result *a, int row_a, const lte_result *b,
                       int row_b)
{
    by_groups of_a, of_b;
    if (!q->slots ||
        !lte_table_is(lte_quantity_table(q, a), row_a, q->slots,
                      lte_table_text(lte_quantity_table(q, b), row_b, q->slots)) ||
        !groups_of(q, a, row_a, &of_a) || !groups_of(q, b, row_b, &of_b))
        return (double)NAN;
    const lte_interval d = lte_interval_of_groups(of_a.sums, of_a.bits, of_b.sums, of_b.bits);
    return lte_interval_paired_z(&d);
}

/* ---- both ---- */

/* True if the quantity is a rate or a share, and both rows have the same whole. */
static bool is_share_of_one(const lte_quantity *q, const lte_result *a, int row_a,
                            const lte_result *b, int row_b)
{
    return q->kind == LTE_QUANTITY_RATE ||
           (q->kind == LTE_QUANTITY_SHARE &&
            lte_table_is(lte_quantity_table(q, a), row_a, q->peak,
                         lte_table_text(lte_quantity_table(q, b), row_b, q->peak)));
}

lte_compared_pair lte_compared_rows(const lte_quantity *q, const lte_result *a, int row_a,
                                    const lte_result *b, int row_b, bool common, double tail)
{
    lte_compared_pair pair = {.same = lte_table_alike(lte_quantity_table(q, a), row_a,
                                                      lte_quantity_table(q, b), row_b,
                                                      q->same_first, q->same_last)};
    if (pair.same)
        return pair;
    pair.z = common ? paired_z(q, a, row_a, b, row_b) : (double)NAN; /* of errors and losses */
    pair.paired = !isnan(pair.z);
    if (pair.paired)
        return pair;
    if (!is_share_of_one(q, a, row_a, b, row_b)) {
        pair.z = z_of_values(q, a, row_a, b, row_b);
    } else {
        const lte_interval x = interval_of(q, a, row_a), y = interval_of(q, b, row_b);
        pair.z = z_of_rates(&x, &y, tail);
    }
    pair.z = q->more_is_better ? -pair.z : pair.z;
    return pair;
}
