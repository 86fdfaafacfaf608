/* Bit error rates in a report: the figure, and tables of the rows and of what follows from them. */
#include "sim/report/html_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/html_text.h"

/* ---- names and looks ---- */

static const char *name_of(const lte_curve *curve, bool csi)
{
    return csi ? curve->csi : curve->detector;
}

/* The different names of all curves, and at which place among them one stands. */
typedef struct {
    int n, place;
} names;

static names find_name(const lte_reported *all, const char *name, bool csi)
{
    const char *seen[LTE_MAX_CURVES + 1];
    names found = {0, -1};
    for (int r = 0; r < all->n; r++) {
        for (int i = 0; i < all->of[r].n_curves; i++) {
            const char *here = name_of(&all->of[r].curve[i], csi);
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

void lte_html_curve_name(const lte_reported *all, const lte_result *result, const char *detector,
                         const char *csi, char *text, size_t size)
{
    const bool several = find_name(all, "", true).n > 1;
    (void)snprintf(text, size, "%s%s%s%s%s", all->n > 1 ? result->name : "", all->n > 1 ? ": " : "",
                   detector, several ? ", " : "", several ? csi : "");
}

/* As plots/ber.gp has it: colours are detectors, or runs where there are several. */
static lte_look look_of(const lte_reported *all, int r, const lte_curve *curve)
{
    const names detectors = find_name(all, curve->detector, false);
    const names csis = find_name(all, curve->csi, true);
    const int both = csis.place + csis.n * detectors.place;
    lte_look look = {detectors.place, csis.n > 1 ? csis.place : detectors.place};
    if (all->n > 1)
        look = (lte_look){r, both};
    look.shape = (look.shape < 0 ? 0 : look.shape) % LTE_N_SHAPES;
    return look;
}

/* ---- the figure ---- */

/* What a row has to say where it is pointed at. */
static void describe(const lte_table *ber, int row, const char *name, char *text, size_t size)
{
    const char *rate = lte_table_text(ber, row, LTE_BER_BER);
    const char *high = lte_table_text(ber, row, LTE_BER_HIGH);
    const char *theory = lte_table_text(ber, row, LTE_BER_THEORY);
    const char *z = lte_table_text(ber, row, LTE_BER_Z);
    char interval[100] = "", closed[100] = "";
    if (*high && *rate)
        (void)snprintf(interval, sizeof interval, "; 95 %%: %.30s to %.30s",
                       lte_table_text(ber, row, LTE_BER_LOW), high);
    if (*theory)
        (void)snprintf(closed, sizeof closed, "; closed form %.30s%s", theory,
                       *z ? "" : ", approximate");
    (void)snprintf(text, size, "%s, %.30s dB; BER %s%.30s%s%s; %.30s of %.30s bits wrong", name,
                   lte_table_text(ber, row, LTE_BER_SNR), *rate ? "" : "below ",
                   *rate ? rate : high, interval, closed, lte_table_text(ber, row, LTE_BER_ERRORS),
                   lte_table_text(ber, row, LTE_BER_BITS));
}

/* Where a row's point is: its rate or, without errors, the bound; NAN if it has neither. */
static double height_of(const lte_table *ber, int row)
{
    const double rate = lte_table_real(ber, row, LTE_BER_BER);
    const double height = rate > 0.0 ? rate : lte_table_real(ber, row, LTE_BER_HIGH);
    return height > 0.0 ? height : (double)NAN;
}

static void put_point(const lte_figure *f, const lte_table *ber, int row, lte_look look, bool first,
                      const char *name)
{
    static const struct {
        const char *attribute;
        int column;
    } data[] = {
        {"snr", LTE_BER_SNR}, {"ber", LTE_BER_BER}, {"low", LTE_BER_LOW}, {"high", LTE_BER_HIGH}};
    char text[1000];
    lte_figure_point(f, lte_table_real(ber, row, LTE_BER_BER) > 0.0 ? look.shape : LTE_SHAPE_BOUND,
                     lte_table_real(ber, row, LTE_BER_SNR), height_of(ber, row), first);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        (void)fprintf(f->out, " data-%s=\"%s\"", data[i].attribute,
                      lte_table_text(ber, row, data[i].column));
    describe(ber, row, name, text, sizeof text);
    lte_figure_point_end(f, text);
}

/* Theory as a line; without it the points are joined, dotted. */
static void put_line(const lte_figure *f, const lte_reported *all, const lte_table *ber,
                     const lte_curve *curve, int column, const char *class)
{
    lte_figure_path path = lte_figure_line(f, class);
    for (int i = 0; i < curve->n; i += all->row_step) {
        if (column == LTE_BER_THEORY || lte_table_real(ber, curve->row[i], column) > 0.0)
            lte_figure_line_to(&path, lte_table_real(ber, curve->row[i], LTE_BER_SNR),
                               lte_table_real(ber, curve->row[i], column));
    }
    lte_figure_line_end(&path);
}

static bool has_theory(const lte_table *ber, const lte_curve *curve)
{
    int n = 0;
    for (int i = 0; i < curve->n; i++)
        n += lte_table_real(ber, curve->row[i], LTE_BER_THEORY) > 0.0;
    return n > 1;
}

static void put_intervals(const lte_figure *f, const lte_reported *all, const lte_table *ber,
                          const lte_curve *curve)
{
    lte_figure_path path = lte_figure_line(f, "bar");
    for (int i = 0; i < curve->n; i += all->row_step) {
        const int row = curve->row[i];
        const double snr = lte_table_real(ber, row, LTE_BER_SNR);
        if (!(lte_table_real(ber, row, LTE_BER_BER) > 0.0))
            continue;
        lte_figure_line_to(&path, snr, lte_table_real(ber, row, LTE_BER_LOW));
        lte_figure_line_to(&path, snr, lte_table_real(ber, row, LTE_BER_HIGH));
        path.drawing = false;
    }
    lte_figure_line_end(&path);
}

static void put_curve(const lte_figure *f, const lte_reported *all, int r, const lte_curve *curve,
                      int series)
{
    const lte_table *ber = &all->of[r].ber;
    const lte_look look = look_of(all, r, curve);
    const bool theory = has_theory(ber, curve);
    char name[600];
    bool first = true;
    lte_html_curve_name(all, &all->of[r], curve->detector, curve->csi, name, sizeof name);
    lte_figure_series(f, series, look);
    put_line(f, all, ber, curve, theory ? LTE_BER_THEORY : LTE_BER_BER, theory ? "line" : "joined");
    put_intervals(f, all, ber, curve);
    for (int i = 0; i < curve->n; i += all->row_step) {
        if (isnan(height_of(ber, curve->row[i])))
            continue;
        put_point(f, ber, curve->row[i], look, first, name);
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

static void extend(extent *e, const lte_table *ber, int row)
{
    const double snr = lte_table_real(ber, row, LTE_BER_SNR), y = height_of(ber, row);
    const double rate = lte_table_real(ber, row, LTE_BER_BER);
    const double low = lte_table_real(ber, row, LTE_BER_LOW);
    const double theory = lte_table_real(ber, row, LTE_BER_THEORY);
    e->x_low = e->n ? fmin(e->x_low, snr) : snr;
    e->x_high = e->n ? fmax(e->x_high, snr) : snr;
    e->n++;
    if (isnan(y))
        return;
    e->y_low = fmin(e->y_low, rate > 0.0 && low > rate / 20.0 ? low : rate > 0.0 ? rate / 20.0 : y);
    e->y_high = fmax(e->y_high, y);
    e->theory = e->theory || theory > 0.0;
    e->approximate = e->approximate ||
                     (theory > 0.0 && rate > 0.0 && isnan(lte_table_real(ber, row, LTE_BER_Z)));
    e->bound = e->bound || !(rate > 0.0);
}

static extent extent_of(const lte_reported *all)
{
    extent e = {.y_low = 1.0, .y_high = 0.0};
    for (int r = 0; r < all->n; r++) {
        for (int i = 0; i < all->of[r].n_curves; i++) {
            const lte_curve *curve = &all->of[r].curve[i];
            e.joined = e.joined || (curve->n > 1 && !has_theory(&all->of[r].ber, curve));
            for (int k = 0; k < curve->n; k++)
                extend(&e, &all->of[r].ber, curve->row[k]);
        }
    }
    return e;
}

/* Decades, half of the lowest one left out where nothing is in it. */
static lte_axis rate_axis(const extent *e)
{
    const double top = e->y_high > 0.0 ? pow(10.0, ceil(log10(e->y_high) - 1e-9)) : 1.0;
    const double decade = pow(10.0, floor(log10(0.8 * e->y_low)));
    const double bottom = 0.8 * e->y_low > 3.0 * decade ? 3.0 * decade : decade;
    return lte_axis_y(bottom < top / 90.0 ? bottom : top / 100.0, top, true);
}

static void put_legend(FILE *out, const lte_reported *all)
{
    int series = 0;
    (void)fputs("<ul class=\"legend\">\n", out);
    for (int r = 0; r < all->n; r++) {
        for (int i = 0; i < all->of[r].n_curves; i++) {
            const lte_curve *curve = &all->of[r].curve[i];
            char name[600];
            lte_html_curve_name(all, &all->of[r], curve->detector, curve->csi, name, sizeof name);
            lte_html_key(out, series++, look_of(all, r, curve), name);
        }
    }
    (void)fputs("</ul>\n", out);
}

static void put_caption(FILE *out, const lte_reported *all, const extent *e)
{
    (void)fputs("<figcaption>Points: measured, with 95 % intervals. ", out);
    if (e->theory)
        (void)fprintf(out, "Lines: closed form%s. ",
                      e->approximate ? ", approximate where a row has no z" : "");
    if (e->joined)
        (void)fputs("Dotted: points joined. ", out);
    if (e->bound)
        (void)fputs("Open triangle: no error seen, the rate lies below. ", out);
    if (all->row_step > 1)
        (void)fprintf(out, "One of %d points of a curve is shown; ber.csv has all. ",
                      all->row_step);
    (void)fputs("</figcaption>\n", out);
}

void lte_html_ber_figure(FILE *out, const lte_reported *all)
{
    const extent e = extent_of(all);
    const double margin = e.x_high > e.x_low ? 0.03 * (e.x_high - e.x_low) : 2.5;
    int series = 0;
    if (e.n == 0)
        return;
    const lte_figure f = {out, "ber", lte_axis_x(e.x_low - margin, e.x_high + margin, false),
                          rate_axis(&e)};
    (void)fputs("<section aria-labelledby=\"ber-h\">\n<h2 id=\"ber-h\">Bit error rate</h2>\n"
                "<figure id=\"ber\">\n",
                out);
    lte_figure_begin(&f, "Bit error rate over SNR, its numbers in the tables below", "SNR (dB)",
                     "bit error rate");
    for (int r = 0; r < all->n; r++) {
        for (int i = 0; i < all->of[r].n_curves; i++)
            put_curve(&f, all, r, &all->of[r].curve[i], series++);
    }
    lte_figure_end(&f);
    put_legend(out, all);
    put_caption(out, all, &e);
    (void)fputs("</figure>\n", out);
    (void)fputs("<p class=\"note\">SNR is ", out);
    lte_html_text(out, lte_json_text(all->of[0].run, "snr_definition"));
    (void)fputs(".</p>\n</section>\n", out);
}

/* ---- tables ---- */

static const struct {
    const char *head;
    int column;
    bool text;
} columns[] = {{"detector", LTE_BER_DETECTOR, true},
               {"csi", LTE_BER_CSI, true},
               {"SNR dB", LTE_BER_SNR, false},
               {"slots", LTE_BER_SLOTS, false},
               {"bits", LTE_BER_BITS, false},
               {"errors", LTE_BER_ERRORS, false},
               {"BER", LTE_BER_BER, false},
               {"95 % low", LTE_BER_LOW, false},
               {"95 % high", LTE_BER_HIGH, false},
               {"SER", LTE_BER_SER, false},
               {"closed form", LTE_BER_THEORY, false},
               {"z", LTE_BER_Z, false},
               {"ended by", LTE_BER_STATUS, true}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void put_row(FILE *out, const lte_table *ber, int row)
{
    (void)fputs("<tr>", out);
    for (int i = 0; i < N_COLUMNS; i++) {
        const char *cell = lte_table_text(ber, row, columns[i].column);
        char rounded[32];
        if (columns[i].column == LTE_BER_Z && *cell) {
            (void)snprintf(rounded, sizeof rounded, "%.2f", strtod(cell, NULL));
            cell = rounded;
        }
        lte_html_element(out, i == 0 ? "th" : "td",
                         i == 0            ? "scope=\"row\""
                         : columns[i].text ? "class=\"t\""
                                           : "",
                         cell);
    }
    (void)fputs("</tr>\n", out);
}

static void put_rows(FILE *out, const lte_reported *all, const lte_result *result)
{
    const lte_table *ber = &result->ber;
    uint64_t flagged = 0;
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"rows\">"
                "<table class=\"ber\">\n<caption>Rows of ber.csv</caption>\n<thead><tr>",
                out);
    for (int i = 0; i < N_COLUMNS; i++)
        lte_html_element(out, "th", columns[i].text ? "scope=\"col\" class=\"t\"" : "scope=\"col\"",
                         columns[i].head);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < result->n_curves; i++) {
        for (int k = 0; k < result->curve[i].n; k += all->row_step)
            put_row(out, ber, result->curve[i].row[k]);
    }
    (void)fputs("</tbody></table></div>\n", out);
    for (int i = 0; i < ber->n_rows; i++)
        flagged += strtoull(lte_table_text(ber, i, LTE_BER_FLAGGED), NULL, 10);
    if (all->row_step > 1)
        (void)fprintf(out,
                      "<p class=\"note\">One of %d points of a curve is shown; all %d rows "
                      "are in ber.csv.</p>\n",
                      all->row_step, ber->n_rows);
    if (flagged > 0)
        (void)fprintf(out,
                      "<p class=\"note\">%llu matrices had no inverse and were detected as "
                      "zero.</p>\n",
                      (unsigned long long)flagged);
}

/* A number of JSON in a cell: empty if there is none. */
static void put_number(FILE *out, const json_t *object, const char *key, const char *format)
{
    const double x = lte_json_number(object, key);
    (void)fputs("<td>", out);
    if (isfinite(x)) {
        char text[64];
        (void)snprintf(text, sizeof text, format, x);
        (void)fputs(text, out);
    }
    (void)fputs("</td>", out);
}

static void put_differences(FILE *out, const lte_reported *all, const lte_result *result)
{
    const json_t *pairs = json_object_get(result->run, "paired");
    const size_t most = (size_t)(all->room / 2 / all->n) + 1;
    const size_t n = json_array_size(pairs), step = (n + most - 1) / most;
    if (n == 0)
        return;
    (void)fputs("<details open><summary>Differences over common draws</summary>\n"
                "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">detectors</th>"
                "<th scope=\"col\" class=\"t\">csi</th><th scope=\"col\">SNR dB</th>"
                "<th scope=\"col\">slots</th><th scope=\"col\">difference of BER</th>"
                "<th scope=\"col\">95 % low</th><th scope=\"col\">95 % high</th></tr></thead>\n"
                "<tbody>\n",
                out);
    for (size_t i = 0; i < n; i += step) {
        const json_t *pair = json_array_get(pairs, i);
        (void)fputs("<tr><th scope=\"row\">", out);
        lte_html_text(out, lte_json_text(pair, "a"));
        (void)fputs(" \u2212 ", out);
        lte_html_text(out, lte_json_text(pair, "b"));
        (void)fputs("</th>", out);
        lte_html_element(out, "td", "class=\"t\"", lte_json_text(pair, "csi"));
        put_number(out, pair, "snr_db", "%.9g");
        put_number(out, pair, "slots", "%.0f");
        put_number(out, pair, "ber_difference", "%.6e");
        put_number(out, pair, "low", "%.6e");
        put_number(out, pair, "high", "%.6e");
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(out, "<p class=\"note\">One of %zu; run.json has all.</p>\n", step);
    (void)fputs("</details>\n", out);
}

static void put_losses(FILE *out, const lte_result *result)
{
    const json_t *list = json_object_get(result->run, "detectors");
    int n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const double db = lte_json_number(one, "loss_db_at_1e-2");
        if (!isfinite(db) || strcmp(lte_json_text(one, "csi"), "perfect") == 0)
            continue;
        if (n++ == 0)
            (void)fputs("<div class=\"wide\"><table class=\"losses\">\n<caption>Loss against "
                        "perfect CSI at BER 10<sup>\u22122</sup>"
                        "</caption>\n<thead><tr><th scope=\"col\">detector</th>"
                        "<th scope=\"col\" class=\"t\">csi</th><th scope=\"col\">dB</th></tr>"
                        "</thead>\n<tbody>\n",
                        out);
        (void)fputs("<tr>", out);
        lte_html_element(out, "th", "scope=\"row\"", lte_json_text(one, "detector"));
        lte_html_element(out, "td", "class=\"t\"", lte_json_text(one, "csi"));
        put_number(out, one, "loss_db_at_1e-2", "%.2f");
        (void)fputs("</tr>\n", out);
    }
    if (n > 0)
        (void)fputs("</tbody></table></div>\n", out);
}

/* Rows of layers.csv that are of one row of ber.csv, from the i-th on. */
static int layers_at(const lte_table *layers, int i)
{
    static const int same[] = {LTE_LAYERS_DETECTOR, LTE_LAYERS_CSI, LTE_LAYERS_SNR};
    int n = 1;
    for (; i + n < layers->n_rows; n++) {
        for (int k = 0; k < 3; k++) {
            const char *here = lte_table_text(layers, i + n, same[k]);
            if (strcmp(here, lte_table_text(layers, i, same[k])) != 0)
                return n;
        }
    }
    return n;
}

enum { FEW_LAYERS = 8 }; /* each in a column of its own */

/* The lowest rate of many layers and the highest, each with its layer. */
static void put_extremes(FILE *out, const lte_table *layers, int i, int n)
{
    int least = i, most = i;
    for (int k = i; k < i + n; k++) {
        const double rate = lte_table_real(layers, k, LTE_LAYERS_BER);
        least = rate < lte_table_real(layers, least, LTE_LAYERS_BER) ? k : least;
        most = rate > lte_table_real(layers, most, LTE_LAYERS_BER) ? k : most;
    }
    for (int k = 0; k < 2; k++) {
        const int row = k ? most : least;
        lte_html_element(out, "td", "", lte_table_text(layers, row, LTE_LAYERS_BER));
        lte_html_element(out, "td", "", lte_table_text(layers, row, LTE_LAYERS_LAYER));
    }
}

static void put_layer_heads(FILE *out, int n)
{
    static const char *const heads[] = {"detector", "csi", "SNR dB", "Eb/N0 dB"};
    static const char *const extremes[] = {"lowest BER", "layer", "highest BER", "layer"};
    for (int i = 0; i < 4; i++)
        lte_html_element(out, "th", i == 1 ? "scope=\"col\" class=\"t\"" : "scope=\"col\"",
                         heads[i]);
    for (int k = 0; k < n && n <= FEW_LAYERS; k++)
        (void)fprintf(out, "<th scope=\"col\">BER, layer %d</th>", k);
    for (int k = 0; k < 4 && n > FEW_LAYERS; k++)
        lte_html_element(out, "th", "scope=\"col\"", extremes[k]);
}

static void put_layers(FILE *out, const lte_reported *all, const lte_result *result)
{
    const int most = all->room / 3 / all->n + 1;
    const lte_table *layers = &result->layers;
    const int n = layers->n_rows > 0 ? layers_at(layers, 0) : 0;
    const int step = n > 0 ? (layers->n_rows / n + most - 1) / most : 1;
    if (n < 2)
        return;
    (void)fputs("<details open><summary>Layer by layer</summary>\n<div class=\"wide\"><table>\n"
                "<thead><tr>",
                out);
    put_layer_heads(out, n);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0, row = 0; i + n <= layers->n_rows; i += n, row++) {
        if (row % step != 0)
            continue;
        (void)fputs("<tr>", out);
        lte_html_element(out, "th", "scope=\"row\"",
                         lte_table_text(layers, i, LTE_LAYERS_DETECTOR));
        lte_html_element(out, "td", "class=\"t\"", lte_table_text(layers, i, LTE_LAYERS_CSI));
        lte_html_element(out, "td", "", lte_table_text(layers, i, LTE_LAYERS_SNR));
        (void)fprintf(out, "<td>%.2f</td>", lte_table_real(layers, i, LTE_LAYERS_EB_N0));
        for (int k = i; k < i + n && n <= FEW_LAYERS; k++)
            lte_html_element(out, "td", "", lte_table_text(layers, k, LTE_LAYERS_BER));
        if (n > FEW_LAYERS)
            put_extremes(out, layers, i, n);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(out, "<p class=\"note\">One row of %d; layers.csv has all.</p>\n", step);
    (void)fputs("</details>\n", out);
}

void lte_html_ber_tables(FILE *out, const lte_reported *all, const lte_result *result)
{
    if (result->ber.n_rows == 0)
        return;
    put_rows(out, all, result);
    put_losses(out, result);
    put_differences(out, all, result);
    put_layers(out, all, result);
}
