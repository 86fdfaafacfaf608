/* Two runs row by row. */
#include "sim/report/compare/compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phy/theory/interval.h"
#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/jobs/sweep/identity.h"
#include "phy/theory/snr_at_rate.h"
#include "sim/report/compare/compare_speed.h"
#include "sim/report/charts/draw.h"
#include "sim/report/results/result.h"

static const double chance = 0.0027; /* of calling any run worse that is not: 3 standard errors */

/* ---- rows ---- */

/* Clusters of a row: slots, or drops where a realisation lasts for several (lte_drop_slots). */
static double clusters_of(const lte_result *result, int row)
{
    const json_t *channel = json_object_get(result->scenario, "channel");
    const bool drops =
        lte_json_number(channel, "doppler_hz") > 0.0 || json_object_get(channel, "checksum");
    const double slots = lte_table_real(&result->ber, row, LTE_BER_SLOTS);
    return drops ? slots / fmax(lte_json_number(channel, "drop_slots"), 1.0) : slots;
}

/* What a row tells of its rate. */
static lte_interval interval_of(const lte_result *result, int row)
{
    const lte_table *ber = &result->ber;
    const double rate = lte_table_real(ber, row, LTE_BER_BER);
    const double low = lte_table_real(ber, row, LTE_BER_LOW);
    const double high = lte_table_real(ber, row, LTE_BER_HIGH);
    if (rate > 0.0 && low > 0.0)
        return lte_interval_from_ends(rate, low, high, clusters_of(result, row));
    return (lte_interval){.no_error = !(rate > 0.0) && high > 0.0, .high = high};
}

/* The bound of a row without errors that holds but for the probability tail, not 5 %. */
static double bound_at(const lte_interval *row, double tail)
{
    return fmin(row->high * log(tail) / log(0.05), 1.0);
}

/* How much worse b is than a, as a standard normal variable; NAN if that cannot be told. */
static double z_of(const lte_interval *a, const lte_interval *b, double tail)
{
    if (a->no_error && b->no_error)
        return 0.0;
    if (a->no_error)
        return fmax(lte_interval_z(b, bound_at(a, tail)), 0.0);
    if (b->no_error)
        return -fmax(lte_interval_z(a, bound_at(b, tail)), 0.0);
    if (!a->known || !b->known)
        return (double)NAN;
    const double va = pow(a->se / a->rate, 2.0), vb = pow(b->se / b->rate, 2.0);
    const lte_interval both = {.known = true,
                               .rate = b->rate,
                               .se = b->rate * sqrt(va + vb),
                               .degrees = (va + vb) * (va + vb) /
                                          (va * va / a->degrees + vb * vb / b->degrees)};
    return lte_interval_z(&both, a->rate);
}

/* True if runs have the same channels, slot for slot. */
static bool has_common_draws(const lte_result *a, const lte_result *b)
{
    static const char *const keys[] = {"seed", "carrier", "antennas", "channel"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *x = json_object_get(a->scenario, keys[i]);
        const json_t *y = json_object_get(b->scenario, keys[i]);
        if (!x || !y || !json_equal(x, y))
            return false;
    }
    return true;
}

/* The errors of a row of ber.csv by groups; false if groups.csv has them not. */
static bool groups_of(const lte_result *result, int row, double errors[LTE_N_GROUPS], double *bits)
{
    const lte_table *ber = &result->ber, *groups = &result->groups;
    const char *snr = lte_table_text(ber, row, LTE_BER_SNR);
    if (row >= groups->n_rows || strcmp(lte_table_text(groups, row, LTE_GROUPS_SNR), snr) != 0)
        return false;
    double sum = 0.0;
    *bits = lte_table_real(groups, row, LTE_GROUPS_BITS);
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        errors[k] = lte_table_real(groups, row, LTE_GROUPS_E0 + k);
        sum += errors[k];
    }
    return *bits == lte_table_real(ber, row, LTE_BER_BITS) &&
           sum == lte_table_real(ber, row, LTE_BER_ERRORS);
}

/* z_of rows of the same slots, from the differences of their groups; NAN if these are not known. */
static double paired_z(const lte_result *a, int row_a, const lte_result *b, int row_b)
{
    double errors_a[LTE_N_GROUPS], errors_b[LTE_N_GROUPS], bits_a, bits_b;
    if (strcmp(lte_table_text(&a->ber, row_a, LTE_BER_SLOTS),
               lte_table_text(&b->ber, row_b, LTE_BER_SLOTS)) != 0 ||
        !groups_of(a, row_a, errors_a, &bits_a) || !groups_of(b, row_b, errors_b, &bits_b))
        return (double)NAN;
    const lte_interval d = lte_interval_of_groups(errors_a, bits_a, errors_b, bits_b);
    return lte_interval_paired_z(&d);
}

/* True if the rows have counted the same. */
static bool is_same(const lte_result *a, int row_a, const lte_result *b, int row_b)
{
    static const int columns[] = {LTE_BER_SLOTS, LTE_BER_BITS, LTE_BER_ERRORS};
    for (int i = 0; i < 3; i++) {
        if (strcmp(lte_table_text(&a->ber, row_a, columns[i]),
                   lte_table_text(&b->ber, row_b, columns[i])) != 0)
            return false;
    }
    return true;
}

/* The row of a curve at an SNR, -1 for none: points are rounded to 1e-6 dB. */
static int row_at(const lte_result *result, const lte_curve *curve, double snr)
{
    for (int i = 0; curve && i < curve->n; i++) {
        if (fabs(lte_table_real(&result->ber, curve->row[i], LTE_BER_SNR) - snr) < 5e-7)
            return curve->row[i];
    }
    return -1;
}

/* ---- a run against the first ---- */

typedef struct {
    const lte_result *first, *later;
    double tail;     /* probability of a row to be called worse by chance */
    double critical; /* the z of that */
    bool common_draws;
    int common, same, worse, better, paired;
    double most; /* the highest z */
} comparison;

typedef void take_pair(comparison *c, FILE *out, int row_a, int row_b);

/* Hands over the rows that both have. */
static void each_pair(comparison *c, FILE *out, take_pair *take)
{
    for (int i = 0; i < c->first->n_curves; i++) {
        const lte_curve *a = &c->first->curve[i];
        const lte_curve *b = lte_result_curve(c->later, a->detector, a->csi);
        for (int k = 0; k < a->n; k++) {
            const int row =
                row_at(c->later, b, lte_table_real(&c->first->ber, a->row[k], LTE_BER_SNR));
            if (row >= 0)
                take(c, out, a->row[k], row);
        }
    }
}

static void count_pair(comparison *c, FILE *out, int row_a, int row_b)
{
    (void)out;
    (void)row_a;
    (void)row_b;
    c->common++;
}

/* A rate as a table has it; "<" and the bound without errors. */
static void put_rate(FILE *out, const lte_result *result, int row)
{
    const double rate = lte_table_real(&result->ber, row, LTE_BER_BER);
    const double high = lte_table_real(&result->ber, row, LTE_BER_HIGH);
    if (rate > 0.0)
        (void)fprintf(out, "  %10.4e", rate);
    else
        (void)fprintf(out, " <%10.4e", high);
}

static void put_pair(comparison *c, FILE *out, int row_a, int row_b)
{
    const lte_table *ber = &c->first->ber;
    const lte_interval a = interval_of(c->first, row_a), b = interval_of(c->later, row_b);
    const bool same = is_same(c->first, row_a, c->later, row_b);
    const double paired =
        c->common_draws && !same ? paired_z(c->first, row_a, c->later, row_b) : (double)NAN;
    const double z = same ? 0.0 : isnan(paired) ? z_of(&a, &b, c->tail) : paired;
    const bool worse = z > c->critical, better = z < -c->critical;
    c->same += same;
    c->paired += !isnan(paired);
    c->worse += worse;
    c->better += better;
    c->most = z > c->most ? z : c->most;
    (void)fprintf(out, "%-12s %-12s %7.2f", lte_table_text(ber, row_a, LTE_BER_DETECTOR),
                  lte_table_text(ber, row_a, LTE_BER_CSI), lte_table_real(ber, row_a, LTE_BER_SNR));
    put_rate(out, c->first, row_a);
    put_rate(out, c->later, row_b);
    if (a.known && b.known)
        (void)fprintf(out, " %8.4f", b.rate / a.rate);
    else
        (void)fprintf(out, " %8s", "-");
    if (isnan(z))
        (void)fprintf(out, " %7s\n", "-");
    else
        (void)fprintf(out, " %7.2f%s\n", z,
                      same     ? "  same"
                      : worse  ? "  WORSE"
                      : better ? "  better"
                               : "");
}

/* Rows of a that b has not. */
static int count_missing(const lte_result *a, const lte_result *b)
{
    int n = 0;
    for (int i = 0; i < a->n_curves; i++) {
        const lte_curve *curve = &a->curve[i];
        const lte_curve *other = lte_result_curve(b, curve->detector, curve->csi);
        for (int k = 0; k < curve->n; k++)
            n += row_at(b, other, lte_table_real(&a->ber, curve->row[k], LTE_BER_SNR)) < 0;
    }
    return n;
}

/* ---- dB ---- */

/* The SNR at which a curve comes down to a rate; NAN if it does not within its points. */
static double snr_at(const lte_result *result, const lte_curve *curve, double ber)
{
    if (!curve || curve->n == 0)
        return (double)NAN;
    lte_rate_point *points = calloc((size_t)curve->n, sizeof *points);
    if (!points)
        return (double)NAN;
    for (int i = 0; i < curve->n; i++) {
        points[i].snr_db = lte_table_real(&result->ber, curve->row[i], LTE_BER_SNR);
        points[i].rate = lte_table_real(&result->ber, curve->row[i], LTE_BER_BER);
        for (int k = 0; k < LTE_N_GROUPS; k++)
            points[i].without[k] = (double)NAN;
    }
    const double snr_db = lte_snr_at_rate(points, curve->n, ber).db;
    free(points);
    return snr_db;
}

static void put_decibels(FILE *out, const lte_result *first, const lte_result *later)
{
    int n = 0;
    for (int i = 0; i < first->n_curves; i++) {
        const lte_curve *a = &first->curve[i];
        const lte_curve *b = lte_result_curve(later, a->detector, a->csi);
        for (int power = 1; power < 10; power++) {
            const double ber = pow(10.0, -power);
            const double x = snr_at(first, a, ber), y = snr_at(later, b, ber);
            if (!isfinite(x) || !isfinite(y))
                continue;
            if (n++ == 0)
                (void)fprintf(out, "\n%-12s %-12s %7s %11s %11s %8s\n", "detector", "csi", "at BER",
                              "first dB", "later dB", "change");
            (void)fprintf(out, "%-12s %-12s %7.0e %11.2f %11.2f %8.2f\n", a->detector, a->csi, ber,
                          x, y, y - x);
        }
    }
}

/* ---- all of it ---- */

static void put_verdict(FILE *out, const comparison *c)
{
    const int lack = count_missing(c->first, c->later), more = count_missing(c->later, c->first);
    if (c->common == 0)
        (void)fputs("\nno rows in common", out);
    else if (c->same == c->common)
        (void)fprintf(out, "\nequal: all %d common rows have the same counts", c->common);
    else if (c->worse > 0)
        (void)fprintf(out, "\nWORSE: %d of %d common rows; the largest z is %.2f (limit %.2f)",
                      c->worse, c->common, c->most, c->critical);
    else
        (void)fprintf(out, "\nnot worse: the largest z is %.2f in %d common rows (limit %.2f)",
                      c->most, c->common, c->critical);
    if (c->better > 0)
        (void)fprintf(out, "; better: %d", c->better);
    if (lack > 0)
        (void)fprintf(out, "; %d rows of the first run are missing in the later run", lack);
    if (more > 0)
        (void)fprintf(out, "; %d rows of the later run are missing in the first run", more);
    (void)fputc('\n', out);
}

static lte_status compare_pair(FILE *out, comparison *c)
{
    char text[400];
    lte_json_begin();
    lte_identity_difference(c->first->run, c->later->run,
                            (const char *const[]){"the first run", "the later run"}, true, text,
                            sizeof text);
    if (!lte_json_is_whole())
        return LTE_FAIL(LTE_ENOMEM, "no memory to compare scenarios");
    (void)fprintf(out, "first %s\nlater %s\n", c->first->dir, c->later->dir);
    if (*text)
        (void)fprintf(out, "the scenarios differ: %s\n", text);
    if (c->first->unfinished || c->later->unfinished)
        (void)fprintf(out, "not finished: %s\n",
                      !c->later->unfinished   ? "the first run"
                      : !c->first->unfinished ? "the later run"
                                              : "both runs");
    if (c->common > 0)
        (void)fprintf(out, "\n%-12s %-12s %7s %11s %11s %8s %7s\n", "detector", "csi", "SNR dB",
                      "first BER", "later BER", "ratio", "z");
    each_pair(c, out, put_pair);
    put_decibels(out, c->first, c->later);
    lte_compare_speed(out, c->first, c->later);
    put_verdict(out, c);
    if (c->paired > 0)
        (void)fprintf(out,
                      "(Both runs used the same random draws: z of %d of the %d rows that differ "
                      "tests slot-by-slot differences.)\n",
                      c->paired, c->common - c->same);
    return LTE_OK;
}

/* The later runs, each with the first; all of them share the chance of an error. */
static lte_status compare_all(FILE *out, const lte_result *result, int n, bool *worse)
{
    comparison counted = {.first = result};
    lte_status status = LTE_OK;
    for (int i = 1; i < n; i++) {
        counted.later = &result[i];
        each_pair(&counted, out, count_pair);
    }
    const double tail = 0.5 * chance / (counted.common > 0 ? counted.common : 1);
    for (int i = 1; i < n && !status; i++) {
        comparison c = {.first = result,
                        .later = &result[i],
                        .common_draws = has_common_draws(result, &result[i]),
                        .tail = tail,
                        .critical = gsl_cdf_ugaussian_Qinv(tail)};
        each_pair(&c, out, count_pair);
        (void)fputs(i > 1 ? "\n" : "", out);
        status = compare_pair(out, &c);
        *worse = *worse || c.worse > 0;
    }
    return status;
}

lte_status lte_compare(FILE *out, const char *const *dirs, int n, const char *plot, bool *worse)
{
    lte_status status = LTE_OK;
    int n_read = 0;
    *worse = false;
    if (plot && !lte_is_picture(plot))
        return lte_refuse("--plot %.60s: must end in .svg, .png, .pdf or .tex", plot);
    if (plot && n > LTE_MOST_CHARTED)
        return lte_refuse("--plot: a picture shows at most %d runs", LTE_MOST_CHARTED);
    lte_result *result = calloc((size_t)n, sizeof *result);
    if (!result)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d results", n);
    while (n_read < n && !status) {
        status = lte_result_read(dirs[n_read], &result[n_read]);
        n_read++;
    }
    if (!status)
        status = compare_all(out, result, n, worse);
    if (!status && plot)
        status = lte_plot_folders(dirs, n, "ber", plot, &(lte_drawing_options){.paired = false});
    for (int i = 0; i < n_read; i++)
        lte_result_free(&result[i]);
    free(result);
    return status;
}
