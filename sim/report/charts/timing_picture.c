/* Latencies and stages, for plots/timing.gp. */
#include <math.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_writers.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/results/words.h"

enum { MOST_SERIES = 48, TEXT = 128 };

/* A detector with a placement in a folder: a row of its timing.csv. */
typedef struct {
    int folder, detector, placement; /* places among the names */
    int row;
} series;

typedef struct {
    const lte_charted *of;
    series serie[MOST_SERIES];
    int n_series;
    lte_charted_names detectors, placements, stages;
    double scale; /* of microseconds to the unit */
    const char *unit;
} timing;

static const lte_table *table_of(const timing *t, int folder)
{
    return &t->of->result[folder].timing;
}

/* ---- what is there ---- */

/* Latency of a slot that is overloaded is its backlog, and says nothing about its work. */
static bool is_overloaded(const lte_result *result)
{
    return strcmp(lte_json_verdict(lte_json_at(result->run, "deadline")), "overloaded") == 0;
}

/* What is to be said beside a folder's latencies; empty: nothing. */
static const char *warning_of(const lte_result *result)
{
    const char *verdict = lte_json_verdict(lte_json_at(result->run, "deadline"));
    return is_overloaded(result)               ? "overloaded, so that slots wait"
           : strcmp(verdict, "undecided") == 0 ? "undecided, as the machine stalled"
                                               : "";
}

static bool is_backlog(const lte_result *result, const char *stage)
{
    return is_overloaded(result) && (strcmp(stage, "slot") == 0 || strcmp(stage, "block") == 0);
}

static int detector_at(timing *t, const char *detector)
{
    char name[32];
    return lte_charted_place(&t->detectors, lte_printed_detector(detector, name, sizeof name));
}

static void take_series(timing *t, int folder, int row)
{
    const lte_table *table = table_of(t, folder);
    for (int i = 0; i < t->n_series; i++) {
        if (t->serie[i].folder == folder &&
            lte_table_alike(table, row, table, t->serie[i].row, LTE_TIMING_DETECTOR,
                            LTE_TIMING_PLACEMENT))
            return;
    }
    if (t->n_series == MOST_SERIES)
        return;
    const series one = {
        folder, detector_at(t, lte_table_text(table, row, LTE_TIMING_DETECTOR)),
        lte_charted_place(&t->placements, lte_table_text(table, row, LTE_TIMING_PLACEMENT)), row};
    int at = t->n_series++;
    for (; at > 0 && t->serie[at - 1].folder == folder && t->serie[at - 1].detector > one.detector;
         at--)
        t->serie[at] = t->serie[at - 1];
    t->serie[at] = one;
}

/* A stage that takes no time anywhere is not shown. */
static void take_stage(timing *t, int folder, int row)
{
    const char *stage = lte_table_text(table_of(t, folder), row, LTE_TIMING_STAGE);
    if (lte_table_real(table_of(t, folder), row, LTE_TIMING_P50) > 0.0 &&
        !is_backlog(&t->of->result[folder], stage))
        (void)lte_charted_place(&t->stages, stage);
}

/* Microseconds up to some ten thousand, then milliseconds, then seconds. */
static void choose_unit(timing *t)
{
    double most = 0.0;
    for (int r = 0; r < t->of->n; r++) {
        const lte_table *table = &t->of->result[r].timing;
        for (int i = 0; i < table->n_rows; i++) {
            if (!is_backlog(&t->of->result[r], lte_table_text(table, i, LTE_TIMING_STAGE)))
                most = fmax(most, lte_table_real(table, i, LTE_TIMING_P99));
        }
    }
    t->unit = most < 2e4 ? "µs" : most < 2e7 ? "ms" : "s";
    t->scale = most < 2e4 ? 1.0 : most < 2e7 ? 1e-3 : 1e-6;
}

/* Detectors in the order of ber.csv, or else of the rows that all of them have, so that a colour is
 * the same detector's in every picture of a folder. */
static void take_detectors(timing *t)
{
    for (int r = 0; r < t->of->n; r++) {
        const lte_result *result = &t->of->result[r];
        for (int i = 0; i < result->n_curves; i++)
            (void)detector_at(t, result->curve[i].detector);
        for (int i = 0; i < result->timing.n_rows; i++) {
            if (lte_table_is(&result->timing, i, LTE_TIMING_STAGE, "alone"))
                (void)detector_at(t, lte_table_text(&result->timing, i, LTE_TIMING_DETECTOR));
        }
    }
}

static lte_status look(timing *t)
{
    take_detectors(t);
    for (int r = 0; r < t->of->n; r++) {
        const lte_result *result = &t->of->result[r];
        if (!result->timing.text)
            return lte_refuse("%s: there is no timing.csv", result->dir);
        for (int i = 0; i < result->timing.n_rows; i++) {
            take_series(t, r, i);
            take_stage(t, r, i);
        }
    }
    choose_unit(t);
    return LTE_OK;
}

/* ---- the stages ---- */

static const char *stage_text(const timing *t, const char *stage)
{
    const bool copies = strncmp(lte_json_text(t->of->result[0].run, "backend"), "cpu", 3) != 0;
    static const struct {
        const char *name, *text;
    } known[] = {{"corner_turn", "reorder"},
                 {"alone", "back to back"},
                 {"gram", "Gram"},
                 {"service", "work"},
                 {"copy_in", "copy in"},
                 {"rate_matching", "unmatch"},
                 {"crc", "CRC"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(stage, known[i].name) == 0)
            return known[i].text;
    }
    if (strcmp(stage, "copy_out") == 0)
        return copies ? "copy out" : "pack";
    return stage;
}

/* The row of a stage of a series; -1: it has none. */
static int row_of(const timing *t, const series *s, int stage)
{
    const lte_table *table = table_of(t, s->folder);
    const char *name = t->stages.name[stage];
    for (int i = 0; i < table->n_rows && !is_backlog(&t->of->result[s->folder], name); i++) {
        if (lte_table_is(table, i, LTE_TIMING_STAGE, name) &&
            lte_table_alike(table, i, table, s->row, LTE_TIMING_DETECTOR, LTE_TIMING_PLACEMENT))
            return i;
    }
    return -1;
}

/* Fewer than ten slots beyond the 99th percentile: it is not shown. */
static bool has_percentile(const lte_result *result)
{
    return !(lte_json_number(result->run, "deadline.due") < 1000.0);
}

/* A bar's style: the folder, or with one folder the place where its data began. */
static int style_of(const timing *t, const series *s)
{
    return t->of->n > 1 ? s->folder : s->placement;
}

/* "place half median late colour style words": bars of a stage stand side by side around it. */
static void put_bars(FILE *out, const timing *t)
{
    char first[32], second[32];
    (void)fputs("$bar << END\n", out);
    for (int stage = 0; stage < t->stages.n; stage++) {
        int here = 0, n = 0;
        for (int i = 0; i < t->n_series; i++)
            here += row_of(t, &t->serie[i], stage) >= 0;
        for (int i = 0; i < t->n_series; i++) {
            const series *s = &t->serie[i];
            const lte_table *table = table_of(t, s->folder);
            const int row = row_of(t, s, stage);
            if (row < 0)
                continue;
            const bool late_known = has_percentile(&t->of->result[s->folder]);
            const double median = t->scale * lte_table_real(table, row, LTE_TIMING_P50);
            const double late = t->scale * lte_table_real(table, row, LTE_TIMING_P99);
            const double height = 0.8 / fmax(here, 2.0);
            (void)fprintf(out, "%.6g %.6g %.9g %.9g %d %d \"%s%s%s\"\n",
                          stage + 1 + (n - 0.5 * (here - 1)) * height, 0.45 * height, median,
                          late_known ? fmax(late, median) : median, s->detector, style_of(t, s),
                          lte_gnuplot_time(median, first, sizeof first), late_known ? " / " : "",
                          late_known ? lte_gnuplot_time(late, second, sizeof second) : "");
            n++;
        }
    }
    (void)fputs("END\n", out);
}

static void put_stages(FILE *out, const timing *t)
{
    double low = HUGE_VAL, high = 0.0;
    bool whiskers = false;
    for (int i = 0; i < t->n_series; i++) {
        const lte_table *table = table_of(t, t->serie[i].folder);
        const bool late = has_percentile(&t->of->result[t->serie[i].folder]);
        for (int k = 0; k < t->stages.n; k++) {
            const int row = row_of(t, &t->serie[i], k);
            if (row < 0)
                continue;
            low = fmin(low, t->scale * lte_table_real(table, row, LTE_TIMING_P50));
            high = fmax(high, t->scale * lte_table_real(table, row,
                                                        late ? LTE_TIMING_P99 : LTE_TIMING_P50));
            whiskers = whiskers || late;
        }
    }
    (void)fprintf(out, "n_stages = %d\narray stage[%d]\nwhiskers = %d\n", t->stages.n,
                  t->stages.n ? t->stages.n : 1, whiskers);
    for (int k = 0; k < t->stages.n; k++)
        lte_gnuplot_set(out, stage_text(t, t->stages.name[k]), "stage[%d]", k + 1);
    (void)fprintf(out, "stage_low = %.9g\nstage_high = %.9g\n", isfinite(low) ? low : 1.0,
                  high > 0.0 ? high : 1.0);
    put_bars(out, t);
}

static void put_legend(FILE *out, const timing *t)
{
    (void)fprintf(out, "array bar_name[%d]\narray bar_colour[%d]\narray bar_style[%d]\n",
                  MOST_SERIES, MOST_SERIES, MOST_SERIES);
    for (int i = 0; i < t->n_series; i++) {
        const series *s = &t->serie[i];
        const bool host =
            lte_table_is(table_of(t, s->folder), s->row, LTE_TIMING_PLACEMENT, "host");
        char name[TEXT];
        (void)snprintf(name, sizeof name, "%s%s%s%s", t->of->n > 1 ? t->of->label[s->folder] : "",
                       t->of->n > 1 ? ", " : "", t->detectors.name[s->detector],
                       t->placements.n == 1 ? ""
                       : host               ? ", from host memory"
                                            : ", data already on the device");
        lte_gnuplot_set(out, name, "bar_name[%d]", i + 1);
        (void)fprintf(out, "bar_colour[%d] = %d\nbar_style[%d] = %d\n", i + 1, s->detector, i + 1,
                      style_of(t, s));
    }
    (void)fprintf(out, "n_legend = %d\n", t->n_series);
}

/* ---- the latencies ---- */

static const char *due_of(const lte_result *result)
{
    return lte_table_find(&result->timing, LTE_TIMING_STAGE, "block") >= 0 ? "block" : "slot";
}

/* "latency share" of each folder that has them, and one line of how many were late. */
static void put_latencies(FILE *out, timing *t)
{
    int n = 0, colour[LTE_MOST_CHARTED], folder[LTE_MOST_CHARTED];
    double low = HUGE_VAL, high = 0.0, share = 1.0;
    (void)fputs("$late << END\n", out);
    for (int r = 0; r < t->of->n; r++) {
        const lte_table *latency = &t->of->result[r].latency;
        if (latency->n_rows == 0)
            continue;
        folder[n] = r;
        colour[n++] =
            detector_at(t, lte_table_text(&t->of->result[r].timing, 0, LTE_TIMING_DETECTOR));
        low = fmin(low, t->scale * lte_table_real(latency, 0, LTE_LATENCY_US));
        (void)fprintf(out, "%.9g 1\n", t->scale * lte_table_real(latency, 0, LTE_LATENCY_US));
        for (int i = 0; i < latency->n_rows; i++) {
            const double us = t->scale * lte_table_real(latency, i, LTE_LATENCY_US);
            const double later = 1.0 - lte_table_real(latency, i, LTE_LATENCY_QUANTILE);
            (void)fprintf(out, "%.9g %.9g\n", us, later > 1e-12 ? later : 1e-15);
            high = fmax(high, us);
            if (later > 1e-12)
                share = fmin(share, later);
        }
        (void)fputs("\n\n", out);
    }
    (void)fprintf(out,
                  "END\nn_late = %d\narray late_colour[%d]\narray late_style[%d]\narray "
                  "late_name[%d]\n",
                  n, LTE_MOST_CHARTED, LTE_MOST_CHARTED, LTE_MOST_CHARTED);
    for (int i = 0; i < n; i++) {
        const char *warning = warning_of(&t->of->result[folder[i]]);
        char name[TEXT];
        if (t->of->n > 1)
            (void)snprintf(name, sizeof name, "%s%s%s", t->of->label[folder[i]],
                           *warning ? ": " : "", warning);
        else
            (void)snprintf(name, sizeof name, "%ss", due_of(&t->of->result[0]));
        (void)fprintf(out, "late_colour[%d] = %d\nlate_style[%d] = %d\n", i + 1, colour[i], i + 1,
                      folder[i]);
        lte_gnuplot_set(out, name, "late_name[%d]", i + 1);
    }
    (void)fprintf(out, "late_low = %.9g\nlate_high = %.9g\nshare_low = %.9g\n",
                  isfinite(low) ? low : 0.0, high, share);
}

/* The deadlines that differ. */
static void put_budgets(FILE *out, const timing *t)
{
    double budgets[LTE_MOST_CHARTED];
    int n = 0;
    for (int r = 0; r < t->of->n; r++) {
        const double budget = lte_json_number(t->of->result[r].scenario, "deadline.budget_us");
        bool there = !(budget > 0.0);
        for (int i = 0; i < n; i++)
            there = there || budgets[i] == budget;
        if (!there)
            budgets[n++] = budget;
    }
    (void)fprintf(out, "n_budgets = %d\narray budget[%d]\narray budget_us[%d]\n", n,
                  LTE_MOST_CHARTED, LTE_MOST_CHARTED);
    for (int i = 0; i < n; i++)
        (void)fprintf(out, "budget[%d] = %.9g\nbudget_us[%d] = %.9g\n", i + 1,
                      t->scale * budgets[i], i + 1, budgets[i]);
}

/* Of one folder also how many are late of how many, and the slowest. */
static void put_heading(FILE *out, const timing *t)
{
    const lte_result *result = &t->of->result[0];
    const double due = lte_json_number(result->run, "deadline.due");
    const double asked = lte_json_number(result->scenario, "deadline.on_time");
    const char *name = strcmp(due_of(result), "block") == 0 ? "Block" : "Slot";
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s latency", name);
    const char *warning = warning_of(result);
    if (t->of->n == 1 && is_overloaded(result))
        (void)snprintf(text, sizeof text, "%s latency: %s", name, warning);
    else if (t->of->n == 1 && due > 0.0)
        (void)snprintf(text, sizeof text, "%s latency: %.0f of %.0f late (%.0f allowed)%s", name,
                       lte_json_number(result->run, "deadline.missed"), due,
                       floor((1.0 - asked) * due + 1e-9), *warning ? "; undecided" : "");
    lte_gnuplot_set(out, text, "late_title");
    (void)fprintf(out, "due = '%s'\nunit = '%s'\n", due_of(result), t->unit);
}

lte_status lte_timing_picture(FILE *out, lte_charted *of, char *title, size_t size)
{
    timing t = {.of = of};
    const lte_status status = look(&t);
    if (status)
        return status;
    lte_charted_title(of, "processing time of a slot", title, size);
    put_heading(out, &t);
    put_latencies(out, &t);
    put_budgets(out, &t);
    put_stages(out, &t);
    put_legend(out, &t);
    return LTE_OK;
}
