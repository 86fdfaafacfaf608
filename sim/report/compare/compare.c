/* Two runs row by row. */
#include "sim/report/compare/compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/jobs/sweep/identity.h"
#include "phy/theory/snr_at_rate.h"
#include "sim/report/charts/draw.h"
#include "sim/report/compare/compare_rows.h"
#include "sim/report/results/result.h"

static const double chance = 0.0027; /* of calling any run worse that is not: 3 standard errors */
enum { FIGURE = 11, FIRST = 6, NAMES = 12 }; /* characters of a number at least; "first "; names */

/* Two runs of the same kind: those of the folders, or those of an MCS that both lists have. */
typedef struct {
    const lte_result *first, *later;
    int mcs; /* -1: the folders themselves */
} runs;

/* Folders beside each other. */
typedef struct {
    const lte_result_folder *first, *later;
    double tail;     /* probability of a row to be called worse by chance */
    double critical; /* the z of that */
    int common, same, worse, better, paired, lack, more;
    double most; /* the highest z */
    int names;   /* characters of the column of names, of the quantity at hand */
} comparison;

/* ---- runs of folders ---- */

static int mcs_of(const lte_result_folder *folder, int mcs)
{
    for (int i = 0; i < folder->n; i++) {
        if (folder->mcs[i] == mcs)
            return i;
    }
    return -1;
}

/* The i-th pair of runs, 0 that of the folders; false behind the last. */
static bool runs_at(const comparison *c, int i, runs *at)
{
    *at = (runs){&c->first->top, &c->later->top, -1};
    for (int k = 0; i > 0; k++) {
        if (k >= c->first->n)
            return false;
        const int there = mcs_of(c->later, c->first->mcs[k]);
        if (there < 0)
            continue;
        *at = (runs){&c->first->of[k], &c->later->of[there], c->first->mcs[k]};
        i--;
    }
    return true;
}

/* True if both are lists, whose folders have no run of their own. */
static bool is_list(const comparison *c)
{
    return c->first->n > 0 && c->later->n > 0;
}

static int rows_of(const lte_result *result)
{
    int n = 0;
    for (int q = 0; q < lte_n_quantities; q++)
        n += lte_compared_applies(&lte_quantities[q], result, result)
                 ? lte_quantity_table(&lte_quantities[q], result)->n_rows
                 : 0;
    return n;
}

/* Counts rows that both have, and those that one alone has. */
static void count_rows(comparison *c)
{
    runs at;
    for (int i = 0; runs_at(c, i, &at); i++) {
        for (int q = 0; q < lte_n_quantities; q++) {
            const lte_quantity *one = &lte_quantities[q];
            const int lack = lte_compared_missing(one, at.first, at.later);
            c->lack += lack;
            c->more += lte_compared_missing(one, at.later, at.first);
            if (lte_compared_applies(one, at.first, at.later))
                c->common += lte_quantity_table(one, at.first)->n_rows - lack;
        }
    }
    for (int k = 0; k < c->first->n; k++)
        c->lack += mcs_of(c->later, c->first->mcs[k]) < 0 ? rows_of(&c->first->of[k]) : 0;
    for (int k = 0; k < c->later->n; k++)
        c->more += mcs_of(c->first, c->later->mcs[k]) < 0 ? rows_of(&c->later->of[k]) : 0;
}

/* ---- a quantity of two runs ---- */

/* True if the rows of a quantity are those of an SNR. */
static bool is_over_snr(const lte_quantity *q)
{
    return q->n_keys > LTE_TABLE_SNR && strcmp(q->columns->column[q->keys[2]].name, "snr_db") == 0;
}

/* Characters of its numbers, which stand below "first BER". */
static int width_of(const lte_quantity *q)
{
    const int head = FIRST + (int)strlen(q->name);
    return head > FIGURE ? head : FIGURE;
}

/* Characters of the column of names: at least as many as of csi. */
static int names_width(const lte_curve *curves, int n)
{
    int width = NAMES;
    for (int i = 0; i < n; i++) {
        const int length = (int)strlen(curves[i].detector);
        width = length > width ? length : width;
    }
    return width;
}

static void put_head(const lte_quantity *q, int names, FILE *out)
{
    char first[32], later[32];
    (void)snprintf(first, sizeof first, "first %s", q->name);
    (void)snprintf(later, sizeof later, "later %s", q->name);
    (void)fprintf(out, "\n%-*s %-*s", names, "detector", NAMES, "csi");
    (void)fprintf(out, is_over_snr(q) ? " %7s" : " %9s", is_over_snr(q) ? "SNR dB" : "target");
    for (int k = LTE_TABLE_SNR + 1; k < q->n_keys && is_over_snr(q); k++)
        (void)fprintf(out, " %5s", q->columns->column[q->keys[k]].name);
    (void)fprintf(out, " %*s %*s %8s %7s\n", width_of(q), first, width_of(q), later,
                  q->in_db ? "change" : "ratio", "z");
}

static void put_keys(const lte_quantity *q, int names, FILE *out, const lte_table *table, int row)
{
    (void)fprintf(out, "%-*s %-*s", names, lte_table_text(table, row, q->keys[0]), NAMES,
                  lte_table_text(table, row, q->keys[1]));
    if (is_over_snr(q)) {
        (void)fprintf(out, " %7.2f", lte_table_real(table, row, q->keys[2]));
        for (int k = LTE_TABLE_SNR + 1; k < q->n_keys; k++)
            (void)fprintf(out, " %5s", lte_table_text(table, row, q->keys[k]));
        return;
    }
    const char *target = "";
    for (int k = LTE_TABLE_SNR; k < q->n_keys; k++) /* that which is set */
        target = strtod(lte_table_text(table, row, q->keys[k]), NULL) > 0.0
                     ? lte_table_text(table, row, q->keys[k])
                     : target;
    (void)fprintf(out, " %9s", target);
}

/* A number as a table has it; "<" and the bound without errors; "-" where nothing was counted. */
static double put_figure(const lte_quantity *q, FILE *out, const lte_table *table, int row)
{
    char text[32];
    const double x = lte_table_real(table, row, q->value);
    const double high = q->kind == LTE_QUANTITY_RATE ? lte_table_real(table, row, q->high) : x;
    const bool bound = q->kind == LTE_QUANTITY_RATE && !(x > 0.0) && isfinite(high);
    const double shown = q->scale * (bound ? high : x);
    (void)snprintf(text, sizeof text, q->format, shown);
    if (bound)
        (void)fprintf(out, " <%*s", width_of(q) - 1, text);
    else
        (void)fprintf(out, " %*s", width_of(q), isfinite(shown) ? text : "-");
    return bound ? (double)NAN : shown;
}

/* Rows that both have. */
static void put_pair(comparison *c, FILE *out, const lte_quantity *q, const runs *at, int row_a,
                     int row_b)
{
    const lte_table *first = lte_quantity_table(q, at->first);
    const lte_compared_pair pair =
        lte_compared_rows(q, at->first, row_a, at->later, row_b,
                          lte_compared_common_draws(at->first, at->later), c->tail);
    const bool worse = pair.z > c->critical, better = pair.z < -c->critical;
    c->same += pair.same;
    c->paired += pair.paired;
    c->worse += worse;
    c->better += better;
    c->most = pair.z > c->most ? pair.z : c->most;
    put_keys(q, c->names, out, first, row_a);
    const double x = put_figure(q, out, first, row_a);
    const double y = put_figure(q, out, lte_quantity_table(q, at->later), row_b);
    if (isfinite(x) && isfinite(y) && (q->in_db || x > 0.0))
        (void)fprintf(out, " %8.*f", q->in_db ? 3 : 4, q->in_db ? y - x : y / x);
    else
        (void)fprintf(out, " %8s", "-");
    if (isnan(pair.z))
        (void)fprintf(out, " %7s\n", "-");
    else
        (void)fprintf(out, " %7.2f%s\n", pair.z,
                      pair.same ? "  same"
                      : worse   ? "  WORSE"
                      : better  ? "  better"
                                : "");
}

static lte_status put_quantity(comparison *c, FILE *out, const lte_quantity *q, const runs *at)
{
    int n = 0, hint = 0, shown = 0;
    lte_curve *curves = lte_table_curves(lte_quantity_table(q, at->first), &n);
    if (!curves)
        return LTE_FAIL(LTE_ENOMEM, "no memory to compare rows");
    c->names = names_width(curves, n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < curves[i].n; k++) {
            const int row = curves[i].row[k];
            const int there = lte_compared_row(q, at->later, at->first, row, &hint);
            if (there >= 0 && shown++ == 0)
                put_head(q, c->names, out);
            if (there >= 0)
                put_pair(c, out, q, at, row, there);
        }
    }
    free(curves);
    return LTE_OK;
}

/* ---- dB ---- */

/* The SNR at which a curve comes down to a rate; NAN if it does not within its points [room]. */
static double snr_at(const lte_quantity *q, const lte_table *table, const lte_curve *curve,
                     double rate, lte_rate_point *points)
{
    for (int i = 0; i < curve->n; i++) {
        points[i].snr_db = lte_table_real(table, curve->row[i], LTE_TABLE_SNR);
        points[i].rate = lte_table_real(table, curve->row[i], q->value);
        for (int k = 0; k < LTE_N_GROUPS; k++)
            points[i].without[k] = (double)NAN;
    }
    return lte_snr_at_rate(points, curve->n, rate).db;
}

static lte_status put_decibels(FILE *out, const lte_quantity *q, const runs *at)
{
    char head[32];
    int n_a = 0, n_b = 0, n = 0;
    const lte_table *first = lte_quantity_table(q, at->first);
    const lte_table *later = lte_quantity_table(q, at->later);
    lte_curve *a = lte_table_curves(first, &n_a), *b = lte_table_curves(later, &n_b);
    lte_rate_point *points = /* the curves have no more */
        calloc((size_t)first->n_rows + (size_t)later->n_rows + 1, sizeof *points);
    (void)snprintf(head, sizeof head, "at %s", q->name);
    for (int i = 0; a && b && points && i < n_a; i++) {
        const lte_curve *there = lte_curve_find(b, n_b, a[i].detector, a[i].csi);
        for (int power = 1; there && power < 10; power++) {
            const double rate = pow(10.0, -power);
            const double x = snr_at(q, first, &a[i], rate, points);
            const double y = snr_at(q, later, there, rate, points);
            if (!isfinite(x) || !isfinite(y))
                continue;
            if (n++ == 0)
                (void)fprintf(out, "\n%-*s %-*s %7s %11s %11s %8s\n", names_width(a, n_a),
                              "detector", NAMES, "csi", head, "first dB", "later dB", "change");
            (void)fprintf(out, "%-*s %-*s %7.0e %11.2f %11.2f %8.2f\n", names_width(a, n_a),
                          a[i].detector, NAMES, a[i].csi, rate, x, y, y - x);
        }
    }
    const bool whole = a && b && points;
    free(a);
    free(b);
    free(points);
    return whole ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory to compare curves");
}

/* ---- all of it ---- */

static void put_verdict(FILE *out, const comparison *c)
{
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
    if (c->lack > 0)
        (void)fprintf(out, "; %d rows of the first run are missing in the later run", c->lack);
    if (c->more > 0)
        (void)fprintf(out, "; %d rows of the later run are missing in the first run", c->more);
    (void)fputc('\n', out);
    if (c->paired > 0)
        (void)fprintf(out,
                      "(Both runs used the same random draws: z of %d of the %d rows that differ "
                      "tests slot-by-slot differences.)\n",
                      c->paired, c->common - c->same);
}

/* What two runs are of, where that differs. */
static lte_status put_difference(FILE *out, const runs *at)
{
    char text[400];
    lte_json_begin();
    lte_identity_difference(at->first->run, at->later->run,
                            (const char *const[]){"the first run", "the later run"}, true, text,
                            sizeof text);
    if (!lte_json_is_whole())
        return LTE_FAIL(LTE_ENOMEM, "no memory to compare scenarios");
    if (*text)
        (void)fprintf(out, "the scenarios differ: %s\n", text);
    return LTE_OK;
}

static lte_status compare_runs(FILE *out, comparison *c, const runs *at)
{
    lte_status status = LTE_OK;
    const bool list = is_list(c);
    if (list && at->mcs < 0)
        (void)fputs("\nbest fixed MCS", out);
    else if (list)
        (void)fprintf(out, "\nMCS %d", at->mcs);
    if (list)
        (void)fputc('\n', out);
    if (at->first->unfinished || at->later->unfinished)
        (void)fprintf(out, "not finished: %s\n",
                      !at->later->unfinished   ? "the first run"
                      : !at->first->unfinished ? "the later run"
                                               : "both runs");
    for (int q = 0; q < lte_n_quantities && !status; q++) {
        if (lte_compared_applies(&lte_quantities[q], at->first, at->later))
            status = put_quantity(c, out, &lte_quantities[q], at);
    }
    for (int q = 0; q < lte_n_quantities && !status; q++) {
        if (lte_quantities[q].kind == LTE_QUANTITY_RATE &&
            lte_compared_applies(&lte_quantities[q], at->first, at->later))
            status = put_decibels(out, &lte_quantities[q], at);
    }
    if (!status && (at->mcs >= 0 || !list))
        lte_compare_speed(out, at->first, at->later);
    return status;
}

static lte_status compare_folders(FILE *out, comparison *c)
{
    lte_status status = LTE_OK;
    runs at;
    (void)fprintf(out, "first %s\nlater %s\n", c->first->top.dir, c->later->top.dir);
    if (runs_at(c, is_list(c) ? 1 : 0, &at))
        status = put_difference(out, &at);
    for (int i = 0; runs_at(c, i, &at) && !status; i++)
        status = compare_runs(out, c, &at);
    if (!status)
        put_verdict(out, c);
    return status;
}

/* True if two folders have something to compare: rows, or times against a deadline. */
static bool has_common(const comparison *c)
{
    return c->common > 0 || (lte_json_at(c->first->top.run, "deadline") &&
                             lte_json_at(c->later->top.run, "deadline"));
}

/* The later folders, each with the first; all of them share the chance of an error. */
static lte_status compare_all(FILE *out, const lte_result_folder *folder, int n, bool *worse)
{
    lte_status status = LTE_OK;
    const char *apart = NULL; /* the first that has nothing in common */
    int common = 0;
    for (int i = 1; i < n; i++) {
        comparison c = {.first = folder, .later = &folder[i]};
        count_rows(&c);
        common += c.common;
        apart = apart || has_common(&c) ? apart : folder[i].top.dir;
    }
    const double tail = 0.5 * chance / (common > 0 ? common : 1);
    for (int i = 1; i < n && !status; i++) {
        comparison c = {.first = folder,
                        .later = &folder[i],
                        .tail = tail,
                        .critical = gsl_cdf_ugaussian_Qinv(tail)};
        count_rows(&c);
        (void)fputs(i > 1 ? "\n" : "", out);
        status = compare_folders(out, &c);
        *worse = *worse || c.worse > 0;
    }
    if (!status && apart)
        return lte_refuse("compare: %s and %s have no rows in common", folder[0].top.dir, apart);
    return status;
}

lte_status lte_compare(FILE *out, const char *const *dirs, int n, const char *plot, bool *worse)
{
    lte_status status = LTE_OK;
    *worse = false;
    if (plot && !lte_is_picture(plot))
        return lte_refuse("--plot %.60s: must end in .svg, .png, .pdf or .tex", plot);
    if (plot && n > LTE_MOST_CHARTED)
        return lte_refuse("--plot: a picture shows at most %d runs", LTE_MOST_CHARTED);
    lte_result_folder *folder = calloc((size_t)n, sizeof *folder);
    if (!folder)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d results", n);
    for (int i = 0; i < n && !status; i++)
        status = lte_result_folder_read(dirs[i], &folder[i]);
    if (!status)
        status = compare_all(out, folder, n, worse);
    if (!status && plot)
        status = lte_plot_folders(dirs, n, folder[0].top.ber.text ? "ber" : NULL, plot,
                                  &(lte_drawing_options){.paired = false});
    for (int i = 0; i < n; i++)
        lte_result_folder_free(&folder[i]);
    free(folder);
    return status;
}
