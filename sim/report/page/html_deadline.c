/* The deadline in a report: verdict and latencies. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/jobs/deadline/percentiles.h"
#include "sim/report/results/words.h"

static const json_t *deadline_of(const lte_result *result)
{
    const json_t *deadline = lte_json_at(result->run, "deadline");
    return json_is_object(deadline) && result->timing.n_rows > 0 ? deadline : NULL;
}

/* ---- verdict ---- */

static bool is_true(const json_t *object, const char *key)
{
    return json_is_true(lte_json_at(object, key));
}

/* A number in words of its own, nothing if it is not there. */
static void put_fact(FILE *out, const json_t *object, const char *key, const char *format)
{
    const double x = lte_json_number(object, key);
    if (isfinite(x))
        (void)fprintf(out, format, x);
}

/* ", 2 threads" */
static void put_count(FILE *out, const json_t *object, const char *key, const char *what,
                      const char *behind)
{
    const double n = lte_json_number(object, key);
    if (isfinite(n))
        (void)fprintf(out, ", %.0f %s%s%s", n, what, n == 1.0 ? "" : "s", behind);
}

static void put_capacity(FILE *out, const lte_result *result, const json_t *placed)
{
    const double carriers = lte_json_number(placed, "capacity_carriers");
    if (carriers == 0.0 && is_true(placed, "capacity_bounded"))
        (void)fputs("; how many carriers fit is unknown, since this machine stalled too often",
                    out);
    else if (isfinite(carriers))
        (void)fprintf(out, "; %s%.0f carrier%s of %g MHz fit%s",
                      is_true(placed, "capacity_bounded") ? "at least " : "", carriers,
                      carriers == 1.0 ? "" : "s",
                      lte_json_number(result->scenario, "carrier.bandwidth_mhz"),
                      carriers == 1.0 ? "s" : "");
    put_fact(out, placed, "capacity_by_median", "; %.0f by median work");
    put_fact(out, placed, "symbols_per_s", "; %.3g symbols/s");
    put_fact(out, placed, "mbit_per_s", ", %.4g Mbit/s");
}

/* Of runs that have it: "; median work 152 us per slot, utilisation 30 %". */
static void put_work(FILE *out, const json_t *deadline, const char *due)
{
    const double us = lte_json_number(deadline, "service.p50_us");
    char text[32];
    if (!isfinite(us))
        return;
    (void)fprintf(out, "; median work%s %s per %s",
                  lte_of_carriers(lte_json_number(deadline, "carriers")),
                  lte_time_text(us, text, sizeof text), due);
    const double utilisation = lte_json_number(deadline, "utilisation");
    if (isfinite(utilisation))
        (void)fprintf(out, ", utilisation %.0f %%", 100.0 * utilisation);
}

/* p99.9 280.1 us, slowest 291.0 us; the percentile only if n times have one. */
static void put_latency(FILE *out, const json_t *times, double n)
{
    if (n > 0.0 && lte_quantile_holds(0.999, (int64_t)n))
        put_fact(out, times, "p999_us", "p99.9 %.1f \u00b5s, ");
    put_fact(out, times, "max_us", "slowest %.1f \u00b5s");
}

/* met: 0 of 2000 slots late ... */
static void put_verdict(FILE *out, const lte_reported *all, const lte_result *result)
{
    const json_t *deadline = deadline_of(result);
    const json_t *rule = lte_json_at(result->scenario, "deadline");
    const json_t *device = lte_json_at(deadline, "device");
    const char *verdict = lte_json_verdict(deadline);
    char word[32];
    const json_t *block = lte_json_at(deadline, "block");
    const double due = lte_json_number(deadline, block ? "due" : "slots");
    const double asked = lte_json_number(rule, "on_time");
    (void)fprintf(out, "<p class=\"verdict %s\"><strong>%s%s</strong> ",
                  strcmp(verdict, "met") == 0 ? "met" : "missed",
                  lte_verdict_text(verdict, word, sizeof word),
                  strcmp(verdict, "undecided") == 0 ? ": this machine stalled" : "");
    if (all->n > 1)
        lte_html_element(out, "b", "", result->name);
    (void)fprintf(out, "%s%.0f of %.0f %s late", all->n > 1 ? ": " : "",
                  lte_json_number(deadline, "missed"), due, block ? "subframes" : "slots");
    if (isfinite(asked))
        (void)fprintf(out, " (%.0f allowed)", floor((1.0 - asked) * due + 1e-9));
    (void)fputs(", ", out);
    put_latency(out, block ? block : deadline, due);
    put_fact(out, deadline, "budget_us", " (budget %g \u00b5s)");
    put_work(out, deadline, block ? "subframe" : "slot");
    put_capacity(out, result, deadline);
    if (is_true(deadline, "interrupted"))
        (void)fputs(" (interrupted)", out);
    (void)fputs(". <span class=\"note\">", out);
    lte_html_text(out, lte_json_text(deadline, "detector"));
    put_fact(out, deadline, "snr_db", " at %g dB");
    put_count(out, deadline, "carriers", "carrier", " per slot");
    put_count(out, deadline, "threads", "thread", "");
    (void)fputs(is_true(rule, "paced") ? ", a slot every 500 \u00b5s"
                                       : ", each slot when the previous one is done",
                out);
    (void)fputs(json_is_object(device) ? ", from host memory." : ".", out);
    if (json_is_object(device)) {
        const json_t *of_block = lte_json_at(device, "block");
        (void)fputs(" With the data already on the device: ", out);
        put_latency(out, of_block ? of_block : device, due);
        put_capacity(out, result, device);
        (void)fputs(".", out);
    }
    (void)fputs("</span></p>\n", out);
}

/* ---- latencies ---- */

/* The row of what is due: blocks of a code, else slots. */
static int slot_row(const lte_table *timing)
{
    const int block = lte_table_find(timing, LTE_TIMING_STAGE, "block");
    return block >= 0 ? block : lte_table_find(timing, LTE_TIMING_STAGE, "slot");
}

typedef struct {
    double low, high, share; /* of latencies and deadlines; the least share that is seen */
    int n;                   /* runs that have any */
} extent;

/* The share of slots later than that of a row, 0 for the last. */
static double share_at(const lte_table *latency, int row)
{
    const double quantile = lte_table_real(latency, row, LTE_LATENCY_QUANTILE);
    return quantile < 1.0 - 1e-12 ? 1.0 - quantile : 0.0;
}

static bool has_latencies(const lte_result *result)
{
    return deadline_of(result) && result->latency.n_rows > 0;
}

static extent extent_of(const lte_reported *all)
{
    extent e = {INFINITY, 0.0, 0.01, 0};
    for (int r = 0; r < all->n; r++) {
        const lte_table *latency = &all->of[r].latency;
        const double budget = lte_json_number(deadline_of(&all->of[r]), "budget_us");
        if (!has_latencies(&all->of[r]))
            continue;
        e.n++;
        for (int i = 0; i < latency->n_rows; i++) {
            const double us = lte_table_real(latency, i, LTE_LATENCY_US);
            const double share = share_at(latency, i);
            e.low = us > 0.0 ? fmin(e.low, us) : e.low;
            e.high = fmax(e.high, us);
            e.share = share > 0.0 ? fmin(e.share, share) : e.share;
        }
        e.low = budget > 0.0 ? fmin(e.low, budget) : e.low;
        e.high = budget > 0.0 ? fmax(e.high, budget) : e.high;
    }
    return e;
}

/* The quantiles of timing.csv as points on the curve; the slowest at its foot. */
static void put_quantiles(const lte_figure *f, const lte_result *result, lte_look look,
                          const char *name)
{
    static const struct {
        const char *name;
        int column;
        double share;
    } quantiles[] = {{"median", LTE_TIMING_P50, 0.5},
                     {"p99", LTE_TIMING_P99, 1e-2},
                     {"p99.9", LTE_TIMING_P999, 1e-3},
                     {"slowest", LTE_TIMING_MAX, 0.0}};
    const lte_table *timing = &result->timing;
    const double n = lte_json_number(deadline_of(result), "slots");
    const int row = slot_row(timing);
    for (int i = 0; i < 4 && row >= 0; i++) {
        const char *us = lte_table_text(timing, row, quantiles[i].column);
        char text[700];
        if (!*us || quantiles[i].share > f->y.high ||
            (quantiles[i].share > 0.0 && quantiles[i].share < 0.5 &&
             !(n > 0.0 && lte_quantile_holds(1.0 - quantiles[i].share, (int64_t)n))))
            continue;
        lte_figure_point(f, look.shape, strtod(us, NULL), fmax(quantiles[i].share, f->y.low),
                         i == 0);
        (void)fprintf(f->out, " data-us=\"%s\"", us);
        (void)snprintf(text, sizeof text, "%s; %s %s \u00b5s", name, quantiles[i].name, us);
        lte_figure_point_end(f, text);
    }
}

/* Steps down; those that would not be seen are left out. */
static void put_steps(const lte_figure *f, const lte_table *latency)
{
    static const double seen = 0.7; /* of a pixel */
    double share = 1.0;
    lte_figure_path path = lte_figure_line(f, "line thick");
    for (int i = 0; i < latency->n_rows; i++) {
        const double us = lte_table_real(latency, i, LTE_LATENCY_US);
        const double next = share_at(latency, i);
        const double floor_share = fmax(next, 0.1 * f->y.low);
        const bool last = i == latency->n_rows - 1;
        if (path.drawing && !last && fabs(lte_axis_at(&f->x, us) - path.x) < seen &&
            fabs(lte_axis_at(&f->y, floor_share) - path.y) < seen)
            continue;
        lte_figure_line_to(&path, us, share);
        lte_figure_line_to(&path, us, floor_share);
        share = floor_share;
    }
    lte_figure_line_end(&path);
}

static void put_budgets(const lte_figure *f, const lte_reported *all)
{
    lte_figure_path path = lte_figure_line(f, "budget");
    for (int r = 0; r < all->n; r++) {
        const double budget = lte_json_number(deadline_of(&all->of[r]), "budget_us");
        if (!(budget > 0.0))
            continue;
        path.drawing = false;
        lte_figure_line_to(&path, budget, f->y.low);
        lte_figure_line_to(&path, budget, f->y.high);
    }
    lte_figure_line_end(&path);
}

/* A curve's entry for each run that has one, and what the dashed line is. */
static void put_legend(FILE *out, const lte_reported *all)
{
    int series = 0;
    (void)fputs("<ul class=\"legend\">\n", out);
    for (int r = 0; r < all->n; r++) {
        if (has_latencies(&all->of[r]))
            lte_html_key(out, series++, (lte_look){all->n > 1 ? r : 0, 0},
                         all->n > 1 ? all->of[r].name : "slots");
    }
    (void)fputs("<li class=\"still\"><svg viewBox=\"0 0 28 14\" aria-hidden=\"true\">"
                "<path class=\"budget\" d=\"M1 7H27\"/></svg>deadline</li>\n</ul>\n",
                out);
}

static void put_latencies(FILE *out, const lte_reported *all)
{
    const extent e = extent_of(all);
    int series = 0;
    if (e.n == 0 || !(e.low < e.high))
        return;
    const bool decades = e.high > 8.0 * e.low;
    const lte_axis x = decades ? lte_axis_x(0.85 * e.low, 1.18 * e.high, true)
                               : lte_axis_x(0.0, 1.08 * e.high, false);
    const lte_axis y = lte_axis_y(pow(10.0, floor(log10(e.share) + 1e-9)), 1.0, true);
    const lte_figure f = {out, "latency", x, y};
    (void)fputs("<figure id=\"latency\">\n", out);
    lte_figure_begin(&f, "Fraction of slots or blocks with a higher latency", "latency (\u00b5s)",
                     "fraction with a higher latency");
    put_budgets(&f, all);
    for (int r = 0; r < all->n; r++) {
        const lte_look look = {all->n > 1 ? r : 0, 0};
        if (!has_latencies(&all->of[r]))
            continue;
        lte_figure_series(&f, series++, look);
        put_steps(&f, &all->of[r].latency);
        put_quantiles(&f, &all->of[r], look, all->n > 1 ? all->of[r].name : "slots");
        lte_figure_series_end(&f);
    }
    lte_figure_end(&f);
    put_legend(out, all);
    (void)fputs("<figcaption>The height at which a curve crosses the dashed line is the fraction "
                "that missed the deadline. Points: median, slowest, and the 99 % and 99.9 % "
                "percentiles if at least ten slots are slower.</figcaption>\n</figure>\n",
                out);
}

void lte_html_deadline(FILE *out, const lte_reported *all)
{
    int n = 0;
    for (int r = 0; r < all->n; r++)
        n += deadline_of(&all->of[r]) != NULL;
    if (n == 0)
        return;
    (void)fputs("<section aria-labelledby=\"deadline-h\">\n<h2 id=\"deadline-h\">Deadline</h2>\n",
                out);
    for (int r = 0; r < all->n; r++) {
        if (deadline_of(&all->of[r]))
            put_verdict(out, all, &all->of[r]);
    }
    put_latencies(out, all);
    (void)fputs("</section>\n", out);
}
