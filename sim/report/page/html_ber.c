/* Bit error rates in a report: the figure. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <string.h>

#include "sim/report/page/html_text.h"

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

/* As in pictures: colours are detectors, shapes runs and csi. */
static lte_look look_of(const lte_reported *all, int r, const lte_curve *curve)
{
    const names detectors = find_name(all, curve->detector, false);
    const names csis = find_name(all, curve->csi, true);
    lte_look look = {detectors.place, r * csis.n + csis.place};
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
                      e->approximate ? ", approximate for rows without z" : "");
    if (e->joined)
        (void)fputs("Dotted lines only join the points. ", out);
    if (e->bound)
        (void)fputs("Open triangle: no error was seen, the rate is below this bound. ", out);
    if (all->row_step > 1)
        (void)fprintf(out, "One point in %d of each curve is shown; ber.csv has all. ",
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
    lte_figure_begin(&f, "Bit error rate over SNR; the tables below have the numbers", "SNR (dB)",
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
