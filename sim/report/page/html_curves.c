/* Quantities over the SNR in a report: a figure for each. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/page/html.h"
#include "sim/report/results/quantities.h"

/* A figure's quantity, and the curves of all results in it. */
typedef struct {
    const lte_reported *all;
    const lte_quantity *q;
    lte_curve *curve[LTE_MAX_REPORTED]; /* [n] of each */
    int n[LTE_MAX_REPORTED];
} curves;

static const lte_table *table_of(const curves *c, int r)
{
    return lte_quantity_table(c->q, &c->all->of[r]);
}

/* ---- names and looks ---- */

static const char *name_of(const lte_curve *curve, bool csi)
{
    return csi ? curve->csi : curve->detector;
}

/* The different names of all curves, and at which place among them one stands. */
typedef struct {
    int n, place;
} names;

static names find_name(const curves *c, const char *name, bool csi)
{
    const char *seen[LTE_MAX_CURVES + 1];
    names found = {0, -1};
    for (int r = 0; r < c->all->n; r++) {
        for (int i = 0; i < c->n[r]; i++) {
            const char *here = name_of(&c->curve[r][i], csi);
            int k = 0;
            while (k < found.n && strcmp(seen[k], here) != 0)
                k++;
            if (k < found.n || found.n == LTE_MAX_CURVES)
                continue;
            if (strcmp(here, name) == 0)
                found.place = found.n;
            seen[found.n++] = here;
        }
    }
    return found;
}

/* "zf", "zf, dmrs-ls" where there are several csi, "quick: zf" where there are several runs. */
static void name_curve(const curves *c, int r, const lte_curve *curve, char *text, size_t size)
{
    const bool several = find_name(c, "", true).n > 1, runs = c->all->n > 1;
    (void)snprintf(text, size, "%s%s%s%s%s", runs ? c->all->of[r].name : "", runs ? ": " : "",
                   curve->detector, several ? ", " : "", several ? curve->csi : "");
}

/* As in pictures: colours are detectors, shapes runs and csi. */
static lte_look look_of(const curves *c, int r, const lte_curve *curve)
{
    const names detectors = find_name(c, curve->detector, false);
    const names csis = find_name(c, curve->csi, true);
    lte_look look = {detectors.place, r * csis.n + csis.place};
    look.shape = (look.shape < 0 ? 0 : look.shape) % LTE_N_SHAPES;
    return look;
}

/* ---- the figure ---- */

static double real_at(const lte_quantity *q, const lte_table *table, int row, int column)
{
    return column == 0 ? (double)NAN : q->scale * lte_table_real(table, row, column);
}

static const char *text_at(const lte_table *table, int row, int column)
{
    return column == 0 ? "" : lte_table_text(table, row, column);
}

static double snr_at(const lte_table *table, int row)
{
    return lte_table_real(table, row, LTE_TABLE_SNR);
}

/* What a row of a rate has to say where it is pointed at. */
static void describe_rate(const lte_quantity *q, const lte_table *table, int row, const char *name,
                          char *text, size_t size)
{
    const char *rate = text_at(table, row, q->value), *high = text_at(table, row, q->high);
    const char *theory = text_at(table, row, q->theory), *z = text_at(table, row, q->z);
    char interval[100] = "", closed[100] = "";
    if (*high && *rate)
        (void)snprintf(interval, sizeof interval, "; 95 %%: %.30s to %.30s",
                       text_at(table, row, q->low), high);
    if (*theory)
        (void)snprintf(closed, sizeof closed, "; closed form %.30s%s", theory,
                       *z ? "" : ", approximate");
    (void)snprintf(text, size, "%s, %.30s dB; %s %s%.30s%s%s; %.30s of %.30s %s wrong", name,
                   text_at(table, row, LTE_TABLE_SNR), q->name, *rate ? "" : "below ",
                   *rate ? rate : high, interval, closed, text_at(table, row, q->errors),
                   text_at(table, row, q->bits), q->what);
}

/* ... of another number; of the best fixed MCS with its own. */
static void describe_value(const lte_quantity *q, const lte_table *table, int row, const char *name,
                           char *text, size_t size)
{
    char interval[100] = "", mcs[48] = "";
    const double low = real_at(q, table, row, q->low), high = real_at(q, table, row, q->high);
    if (isfinite(low) && isfinite(high))
        (void)snprintf(interval, sizeof interval, "; 95 %%: %.4g to %.4g", low, high);
    if (q->columns == &lte_envelope_columns)
        (void)snprintf(mcs, sizeof mcs, "; MCS %.30s", text_at(table, row, LTE_ENVELOPE_MCS));
    (void)snprintf(text, size, "%s, %.30s dB; %.4g %s%s%s", name,
                   text_at(table, row, LTE_TABLE_SNR), real_at(q, table, row, q->value), q->axis,
                   interval, mcs);
}

static bool is_rate(const lte_quantity *q)
{
    return q->kind == LTE_QUANTITY_RATE;
}

/* Whether a row has a point, not a bound alone. */
static bool is_seen(const lte_quantity *q, const lte_table *table, int row)
{
    const double value = real_at(q, table, row, q->value);
    return is_rate(q) ? value > 0.0 : isfinite(value);
}

/* Where a row's point is: its value or, without errors, the bound; NAN if it has neither. */
static double height_of(const lte_quantity *q, const lte_table *table, int row)
{
    if (is_seen(q, table, row))
        return real_at(q, table, row, q->value);
    const double high = is_rate(q) ? real_at(q, table, row, q->high) : (double)NAN;
    return high > 0.0 ? high : (double)NAN;
}

static void put_point(const lte_figure *f, const curves *c, int r, int row, lte_look look,
                      bool first, const char *name)
{
    const lte_quantity *q = c->q;
    const lte_table *table = table_of(c, r);
    const struct {
        const char *attribute;
        int column;
    } data[] = {{"snr", LTE_TABLE_SNR}, {q->id, q->value}, {"low", q->low}, {"high", q->high}};
    char text[1000];
    lte_figure_point(f, is_seen(q, table, row) ? look.shape : LTE_SHAPE_BOUND, snr_at(table, row),
                     height_of(q, table, row), first);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        (void)fprintf(f->out, " data-%s=\"%s\"", data[i].attribute,
                      text_at(table, row, data[i].column));
    if (is_rate(q))
        describe_rate(q, table, row, name, text, sizeof text);
    else
        describe_value(q, table, row, name, text, sizeof text);
    lte_figure_point_end(f, text);
}

/* Theory as a line; without it the points are joined, dotted. */
static void put_line(const lte_figure *f, const curves *c, int r, const lte_curve *curve,
                     int column, const char *class)
{
    const lte_table *table = table_of(c, r);
    lte_figure_path path = lte_figure_line(f, class);
    for (int i = 0; i < curve->n; i += c->all->row_step) {
        const int row = curve->row[i];
        if (column == c->q->theory || is_seen(c->q, table, row))
            lte_figure_line_to(&path, snr_at(table, row), real_at(c->q, table, row, column));
    }
    lte_figure_line_end(&path);
}

static bool has_theory(const curves *c, int r, const lte_curve *curve)
{
    int n = 0;
    for (int i = 0; i < curve->n; i++)
        n += real_at(c->q, table_of(c, r), curve->row[i], c->q->theory) > 0.0;
    return n > 1;
}

static void put_intervals(const lte_figure *f, const curves *c, int r, const lte_curve *curve)
{
    const lte_table *table = table_of(c, r);
    lte_figure_path path = lte_figure_line(f, "bar");
    for (int i = 0; i < curve->n; i += c->all->row_step) {
        const int row = curve->row[i];
        if (!is_seen(c->q, table, row))
            continue;
        lte_figure_line_to(&path, snr_at(table, row), real_at(c->q, table, row, c->q->low));
        lte_figure_line_to(&path, snr_at(table, row), real_at(c->q, table, row, c->q->high));
        path.drawing = false;
    }
    lte_figure_line_end(&path);
}

static void put_curve(const lte_figure *f, const curves *c, int r, const lte_curve *curve,
                      int series)
{
    const lte_look look = look_of(c, r, curve);
    const bool theory = has_theory(c, r, curve);
    char name[600];
    bool first = true;
    name_curve(c, r, curve, name, sizeof name);
    lte_figure_series(f, series, look);
    put_line(f, c, r, curve, theory ? c->q->theory : c->q->value, theory ? "line" : "joined");
    put_intervals(f, c, r, curve);
    for (int i = 0; i < curve->n; i += c->all->row_step) {
        if (isnan(height_of(c->q, table_of(c, r), curve->row[i])))
            continue;
        put_point(f, c, r, curve->row[i], look, first, name);
        first = false;
    }
    lte_figure_series_end(f);
}

/* The ranges of all rows; n: how many. */
typedef struct {
    double x_low, x_high, y_low, y_high;
    int n;
    bool theory, approximate, joined, bound;
} extent;

static void extend(extent *e, const lte_quantity *q, const lte_table *table, int row)
{
    const double snr = snr_at(table, row), y = height_of(q, table, row);
    const bool seen = is_seen(q, table, row);
    const double low = real_at(q, table, row, q->low), high = real_at(q, table, row, q->high);
    const double theory = real_at(q, table, row, q->theory);
    e->x_low = e->n ? fmin(e->x_low, snr) : snr;
    e->x_high = e->n ? fmax(e->x_high, snr) : snr;
    e->n++;
    if (isnan(y))
        return;
    e->y_low = fmin(e->y_low, seen && low > y / 20.0 ? low : seen ? y / 20.0 : y);
    e->y_high = fmax(e->y_high, is_rate(q) || !(high > y) ? y : high);
    e->theory = e->theory || theory > 0.0;
    e->approximate =
        e->approximate || (theory > 0.0 && seen && isnan(real_at(q, table, row, q->z)));
    e->bound = e->bound || !seen;
}

static extent extent_of(const curves *c)
{
    extent e = {.y_low = 1.0, .y_high = 0.0};
    for (int r = 0; r < c->all->n; r++) {
        for (int i = 0; c->curve[r] && i < c->n[r]; i++) {
            const lte_curve *curve = &c->curve[r][i];
            e.joined = e.joined || (curve->n > 1 && !has_theory(c, r, curve));
            for (int k = 0; k < curve->n; k++)
                extend(&e, c->q, table_of(c, r), curve->row[k]);
        }
    }
    return e;
}

/* Decades, half of the lowest one left out where nothing is in it; of other numbers from 0 on. */
static lte_axis y_axis(const lte_quantity *q, const extent *e)
{
    if (!is_rate(q)) {
        const double step = lte_nice_step(e->y_high > 0.0 ? e->y_high : 1.0, 8);
        return lte_axis_y(0.0, step * ceil(1.02 * e->y_high / step + 1e-9), false);
    }
    const double top = e->y_high > 0.0 ? pow(10.0, ceil(log10(e->y_high) - 1e-9)) : 1.0;
    const double decade = pow(10.0, floor(log10(0.8 * e->y_low)));
    const double bottom = 0.8 * e->y_low > 3.0 * decade ? 3.0 * decade : decade;
    return lte_axis_y(bottom < top / 90.0 ? bottom : top / 100.0, top, true);
}

static void put_legend(FILE *out, const curves *c)
{
    int series = 0;
    (void)fputs("<ul class=\"legend\">\n", out);
    for (int r = 0; r < c->all->n; r++) {
        for (int i = 0; i < c->n[r]; i++) {
            char name[600];
            name_curve(c, r, &c->curve[r][i], name, sizeof name);
            lte_html_key(out, series++, look_of(c, r, &c->curve[r][i]), name);
        }
    }
    (void)fputs("</ul>\n", out);
}

static void put_caption(FILE *out, const curves *c, const extent *e)
{
    (void)fputs("<figcaption>Points: measured, with 95 % intervals. ", out);
    if (e->theory)
        (void)fprintf(out, "Lines: closed form%s. ",
                      e->approximate ? ", approximate for rows without z" : "");
    if (e->joined)
        (void)fputs("Dotted lines only join the points. ", out);
    if (e->bound)
        (void)fputs("Open triangle: no error was seen, the rate is below this bound. ", out);
    if (c->all->row_step > 1)
        (void)fprintf(out, "One point in %d of each curve is shown; %s has all. ", c->all->row_step,
                      c->q->columns->file);
    (void)fputs("</figcaption>\n", out);
}

static void put_figure(FILE *out, const curves *c)
{
    char what[120];
    const lte_quantity *q = c->q;
    const extent e = extent_of(c);
    const double margin = e.x_high > e.x_low ? 0.03 * (e.x_high - e.x_low) : 2.5;
    int series = 0;
    if (e.n == 0)
        return;
    const lte_figure f = {out, q->id, lte_axis_x(e.x_low - margin, e.x_high + margin, false),
                          y_axis(q, &e)};
    lte_html_put(out,
                 "<section aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n<figure "
                 "id=\"%s\">\n",
                 q->id, q->id, q->title, q->id);
    (void)snprintf(what, sizeof what, "%s over SNR; the tables below have the numbers", q->title);
    lte_figure_begin(&f, what, "SNR (dB)", q->axis);
    for (int r = 0; r < c->all->n; r++) {
        for (int i = 0; i < c->n[r]; i++)
            put_curve(&f, c, r, &c->curve[r][i], series++);
    }
    lte_figure_end(&f);
    put_legend(out, c);
    put_caption(out, c, &e);
    lte_html_put(out, "</figure>\n<p class=\"note\">SNR is %s.</p>\n</section>\n",
                 lte_json_text(c->all->of[0].run, "snr_definition"));
}

lte_status lte_html_curves(FILE *out, const lte_reported *all)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < lte_n_quantities && !status; i++) {
        curves c = {.all = all, .q = &lte_quantities[i]};
        if (!c.q->id)
            continue;
        for (int r = 0; r < all->n && !status; r++) {
            if (!lte_quantity_is_in(c.q, &all->of[r]))
                continue;
            c.curve[r] = lte_table_curves(table_of(&c, r), &c.n[r]);
            if (!c.curve[r])
                status = LTE_FAIL(LTE_ENOMEM, "no memory for the curves of %s", all->of[r].dir);
        }
        if (!status)
            put_figure(out, &c);
        for (int r = 0; r < all->n; r++)
            free(c.curve[r]);
    }
    return status;
}
