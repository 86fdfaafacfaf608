/* Latencies and stages, for plots/timing.gp. */
#include <math.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_writers.h"
#include "sim/report/charts/picture_parts.h"
#include "sim/report/results/printed.h"

enum { MOST_SERIES = 48, MOST_STAGES = 32, TEXT = 128 };

/* A detector with a placement in a folder. */
typedef struct {
    int folder, detector, placement; /* places among the names */
    const char *detector_name, *placement_name;
} series;

typedef struct {
    const lte_charted *of;
    series serie[MOST_SERIES];
    const char *stage[MOST_STAGES];
    int n_series, n_stages, n_placements;
    char detectors[MOST_SERIES][32];
    int n_detectors;
    double scale; /* of microseconds to the unit */
    const char *unit;
} timing;

/* ---- what is there ---- */

/* Latency of a slot that is overloaded is its backlog, and says nothing about its work. */
static bool is_overloaded(const lte_result *result)
{
    const char *verdict = lte_json_verdict(json_object_get(result->run, "deadline"));
    return strcmp(verdict, "overloaded") == 0;
}

/* What is to be said beside a folder's latencies; empty: nothing. */
static const char *warning_of(const lte_result *result)
{
    const char *verdict = lte_json_verdict(json_object_get(result->run, "deadline"));
    return strcmp(verdict, "overloaded") == 0  ? "overloaded, so that slots wait"
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
    int i = 0;
    (void)lte_printed_name(detector, name, sizeof name);
    while (i < t->n_detectors && strcmp(t->detectors[i], name) != 0)
        i++;
    if (i < MOST_SERIES && i == t->n_detectors)
        (void)snprintf(t->detectors[t->n_detectors++], sizeof t->detectors[0], "%s", name);
    return i;
}

static int placement_at(const timing *t, const char *placement)
{
    int n = 0;
    for (int i = 0; i < t->n_series; i++) {
        if (strcmp(t->serie[i].placement_name, placement) == 0)
            return t->serie[i].placement;
        n = n > t->serie[i].placement + 1 ? n : t->serie[i].placement + 1;
    }
    return n;
}

static void take_series(timing *t, int folder, int row)
{
    const lte_table *table = &t->of->result[folder].timing;
    const char *detector = lte_table_text(table, row, LTE_TIMING_DETECTOR);
    const char *placement = lte_table_text(table, row, LTE_TIMING_PLACEMENT);
    for (int i = 0; i < t->n_series; i++) {
        const series *s = &t->serie[i];
        if (s->folder == folder && strcmp(s->detector_name, detector) == 0 &&
            strcmp(s->placement_name, placement) == 0)
            return;
    }
    if (t->n_series == MOST_SERIES)
        return;
    const series one = {folder, detector_at(t, detector), placement_at(t, placement), detector,
                        placement};
    int at = t->n_series++;
    for (; at > 0 && t->serie[at - 1].folder == folder && t->serie[at - 1].detector > one.detector;
         at--)
        t->serie[at] = t->serie[at - 1];
    t->serie[at] = one;
    t->n_placements = t->n_placements > one.placement + 1 ? t->n_placements : one.placement + 1;
}

/* A stage that takes no time anywhere is not shown. */
static void take_stage(timing *t, int folder, int row)
{
    const lte_table *table = &t->of->result[folder].timing;
    const char *stage = lte_table_text(table, row, LTE_TIMING_STAGE);
    if (!(lte_table_real(table, row, LTE_TIMING_P50) > 0.0) ||
        is_backlog(&t->of->result[folder], stage))
        return;
    for (int i = 0; i < t->n_stages; i++) {
        if (strcmp(t->stage[i], stage) == 0)
            return;
    }
    if (t->n_stages < MOST_STAGES)
        t->stage[t->n_stages++] = stage;
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
            if (strcmp(lte_table_text(&result->timing, i, LTE_TIMING_STAGE), "alone") == 0)
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
static int row_of(const timing *t, const series *s, const char *stage)
{
    const lte_result *result = &t->of->result[s->folder];
    for (int i = 0; i < result->timing.n_rows && !is_backlog(result, stage); i++) {
        if (strcmp(lte_table_text(&result->timing, i, LTE_TIMING_STAGE), stage) == 0 &&
            strcmp(lte_table_text(&result->timing, i, LTE_TIMING_DETECTOR), s->detector_name) ==
                0 &&
            strcmp(lte_table_text(&result->timing, i, LTE_TIMING_PLACEMENT), s->placement_name) ==
                0)
            return i;
    }
    return -1;
}

/* Fewer than ten slots beyond the 99th percentile: it is not shown. */
static bool has_percentile(const lte_result *result)
{
    const double due = lte_json_number(json_object_get(result->run, "deadline"), "due");
    return !(due < 1000.0);
}

/* A bar's style: the folder, or with one folder the place where its data began. */
static int style_of(const timing *t, const series *s)
{
    return t->of->n > 1 ? s->folder : s->placement;
}

/* "place half median late colour style words": bars of a stage stand side by side around it. */
static void put_bars(FILE *out, const timing *t)
{
    (void)fputs("$bar << END\n", out);
    for (int stage = 0; stage < t->n_stages; stage++) {
        int here = 0, n = 0;
        for (int i = 0; i < t->n_series; i++)
            here += row_of(t, &t->serie[i], t->stage[stage]) >= 0;
        for (int i = 0; i < t->n_series; i++) {
            const series *s = &t->serie[i];
            const int row = row_of(t, s, t->stage[stage]);
            if (row < 0)
                continue;
            const lte_result *result = &t->of->result[s->folder];
            const double median = t->scale * lte_table_real(&result->timing, row, LTE_TIMING_P50);
            const double late = t->scale * lte_table_real(&result->timing, row, LTE_TIMING_P99);
            const double height = 0.8 / fmax(here, 2.0);
            (void)fprintf(out, "%.6g %.6g %.9g %.9g %d %d ",
                          stage + 1 + (n - 0.5 * (here - 1)) * height, 0.45 * height, median,
                          has_percentile(result) ? fmax(late, median) : median, s->detector,
                          style_of(t, s));
            (void)fputc('"', out);
            lte_gnuplot_time(out, median);
            if (has_percentile(result)) {
                (void)fputs(" / ", out);
                lte_gnuplot_time(out, late);
            }
            (void)fputs("\"\n", out);
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
        for (int k = 0; k < t->n_stages; k++) {
            const int row = row_of(t, &t->serie[i], t->stage[k]);
            const lte_result *result = &t->of->result[t->serie[i].folder];
            if (row < 0)
                continue;
            low = fmin(low, t->scale * lte_table_real(&result->timing, row, LTE_TIMING_P50));
            high = fmax(high, t->scale * lte_table_real(&result->timing, row,
                                                        has_percentile(result) ? LTE_TIMING_P99
                                                                               : LTE_TIMING_P50));
            whiskers = whiskers || has_percentile(result);
        }
    }
    (void)fprintf(out, "n_stages = %d\narray stage[%d]\nwhiskers = %d\n", t->n_stages,
                  t->n_stages ? t->n_stages : 1, whiskers);
    for (int k = 0; k < t->n_stages; k++) {
        (void)fprintf(out, "stage[%d] = ", k + 1);
        lte_gnuplot_text(out, stage_text(t, t->stage[k]));
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "stage_low = %.9g\nstage_high = %.9g\n", isfinite(low) ? low : 1.0,
                  high > 0.0 ? high : 1.0);
    put_bars(out, t);
}

static void put_legend(FILE *out, const timing *t)
{
    int n = 0;
    (void)fprintf(out, "array bar_name[%d]\narray bar_colour[%d]\narray bar_style[%d]\n",
                  MOST_SERIES, MOST_SERIES, MOST_SERIES);
    for (int i = 0; i < t->n_series; i++) {
        const series *s = &t->serie[i];
        char name[TEXT] = "";
        if (t->of->n > 1)
            (void)snprintf(name, sizeof name, "%s, ", t->of->label[s->folder]);
        (void)snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s",
                       t->detectors[s->detector < t->n_detectors ? s->detector : 0],
                       t->n_placements == 1                     ? ""
                       : strcmp(s->placement_name, "host") == 0 ? ", from host memory"
                                                                : ", data already on the device");
        n++;
        (void)fprintf(out, "bar_name[%d] = ", n);
        lte_gnuplot_text(out, name);
        (void)fprintf(out, "\nbar_colour[%d] = %d\nbar_style[%d] = %d\n", n, s->detector, n,
                      style_of(t, s));
    }
    (void)fprintf(out, "n_legend = %d\n", n);
}

/* ---- the latencies ---- */

static const char *due_of(const lte_result *result)
{
    for (int i = 0; i < result->timing.n_rows; i++) {
        if (strcmp(lte_table_text(&result->timing, i, LTE_TIMING_STAGE), "block") == 0)
            return "block";
    }
    return "slot";
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
        (void)fprintf(out, "late_colour[%d] = %d\nlate_style[%d] = %d\nlate_name[%d] = ", i + 1,
                      colour[i], i + 1, folder[i], i + 1);
        lte_gnuplot_text(out, name);
        (void)fputc('\n', out);
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
        const json_t *deadline = json_object_get(t->of->result[r].scenario, "deadline");
        const double budget = lte_json_number(deadline, "budget_us");
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
    const json_t *deadline = json_object_get(result->run, "deadline");
    const double due = lte_json_number(deadline, "due");
    const double allowed =
        lte_json_number(json_object_get(result->scenario, "deadline"), "on_time");
    const char *name = strcmp(due_of(result), "block") == 0 ? "Block" : "Slot";
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s latency", name);
    const char *warning = warning_of(result);
    if (t->of->n == 1 && is_overloaded(result))
        (void)snprintf(text, sizeof text, "%s latency: %s", name, warning);
    else if (t->of->n == 1 && due > 0.0)
        (void)snprintf(text, sizeof text, "%s latency: %.0f of %.0f late (%.0f allowed)%s%s", name,
                       lte_json_number(deadline, "missed"), due,
                       floor((1.0 - allowed) * due + 1e-9), *warning ? "; " : "",
                       strcmp(warning, "") == 0 ? "" : "undecided");
    (void)fputs("late_title = ", out);
    lte_gnuplot_text(out, text);
    (void)fprintf(out, "\ndue = '%s'\nunit = '%s'\n", due_of(result), t->unit);
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
