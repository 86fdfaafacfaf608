/* Figures in SVG. Their unit is a pixel where the page is as wide as they were drawn for. */
#include "sim/report/page/html_figure.h"

#include <math.h>
#include <stdlib.h>

#include "sim/report/page/html_parts.h"

/*
 * The figure, and the box of its axes in it. Letters grow on small screens: there is room for them.
 */
enum { WIDTH = 760, HEIGHT = 480, LEFT = 92, RIGHT = 724, TOP = 14, BOTTOM = 404 };

lte_axis lte_axis_x(double low, double high, bool log)
{
    return (lte_axis){low, high, log, LEFT, RIGHT};
}

lte_axis lte_axis_y(double low, double high, bool log)
{
    return (lte_axis){low, high, log, BOTTOM, TOP};
}

double lte_axis_at(const lte_axis *axis, double value)
{
    const double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
                                   : (value - axis->low) / (axis->high - axis->low);
    return axis->from + fmin(fmax(share, -1.0), 2.0) * (axis->to - axis->from);
}

double lte_nice_step(double length, int n)
{
    const double decade = pow(10.0, floor(log10(length / n))), part = length / n / decade;
    return decade * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

void lte_figure_shapes(FILE *out)
{
    static const char *const shape[LTE_N_SHAPES + 1] = {
        "<circle r=\"5\"/>",
        "<rect x=\"-4.2\" y=\"-4.2\" width=\"8.4\" height=\"8.4\"/>",
        "<path d=\"M0-6.2 6.2 0 0 6.2-6.2 0Z\"/>",
        "<path d=\"M0-6 5.6 4.4H-5.6Z\"/>",
        "<path d=\"M-1.8-5.5H1.8V-1.8H5.5V1.8H1.8V5.5H-1.8V1.8H-5.5V-1.8H-1.8Z\"/>",
        "<circle r=\"4.2\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2.4\"/>",
        /* no error seen: a triangle on a stalk that points down */
        "<path d=\"M-6-5H6L0 5ZM0 5V24\" class=\"line\"/>",
    };
    (void)fputs("<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>", out);
    for (int i = 0; i <= LTE_N_SHAPES; i++)
        (void)fprintf(out, "<g id=\"m%d\">%s</g>", i, shape[i]);
    (void)fputs("</defs></svg>\n", out);
}

/* ---- axes ---- */

/* A line of the grid and its label, which is mark-up. */
static void put_tick(const lte_figure *f, bool along, double value, const char *label)
{
    const double at = lte_axis_at(along ? &f->x : &f->y, value);
    if (along)
        (void)fprintf(f->out, "<path d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\">%s</text>", at,
                      TOP, BOTTOM, at, BOTTOM + 26, label);
    else
        (void)fprintf(f->out,
                      "<path d=\"M%d %.1fH%d\"/><text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>",
                      LEFT, at, RIGHT, LEFT - 8, at, label);
}

static void put_minor(const lte_figure *f, bool along, double value)
{
    const lte_axis *axis = along ? &f->x : &f->y;
    if (value <= axis->low || value >= axis->high)
        return;
    if (along)
        (void)fprintf(f->out, "M%.1f %dV%d", lte_axis_at(axis, value), TOP, BOTTOM);
    else
        (void)fprintf(f->out, "M%d %.1fH%d", LEFT, lte_axis_at(axis, value), RIGHT);
}

static void put_power(const lte_figure *f, bool along, int power)
{
    char label[100];
    if (along && power >= -1 && power <= 3)
        (void)snprintf(label, sizeof label, "%g", pow(10.0, power));
    else
        (void)snprintf(label, sizeof label, "10<tspan class=\"e\" dy=\"-.4em\">%s%d</tspan>",
                       power < 0 ? "\u2212" : "", abs(power));
    put_tick(f, along, pow(10.0, power), label);
}

/* Decades, of a few of them 2 and 5 times too, with thin lines between. */
static void put_decades(const lte_figure *f, bool along)
{
    const lte_axis *axis = along ? &f->x : &f->y;
    const int first = (int)ceil(log10(axis->low) - 1e-9);
    const int last = (int)floor(log10(axis->high) + 1e-9);
    const int step = (last - first) / 9 + 1;
    const bool few = along && axis->high < 100.0 * axis->low;
    (void)fputs("<path class=\"minor\" d=\"M0 0", f->out);
    for (int k = first - 1; k <= last && step == 1; k++) {
        for (int m = 2; m < 10; m++)
            put_minor(f, along, m * pow(10.0, k));
    }
    (void)fputs("\"/>", f->out);
    for (int k = first; k <= last; k += step)
        put_power(f, along, k);
    for (int k = first - 1; k <= last && few; k++) {
        for (int m = 2; m <= 5; m += 3) {
            char label[32];
            const double value = m * pow(10.0, k);
            (void)snprintf(label, sizeof label, "%g", value);
            if (value >= axis->low && value <= axis->high)
                put_tick(f, along, value, label);
        }
    }
}

static void put_steps(const lte_figure *f, bool along)
{
    enum { MOST = 7 };
    const lte_axis *axis = along ? &f->x : &f->y;
    const double step = lte_nice_step(axis->high - axis->low, MOST);
    for (double k = ceil(axis->low / step - 1e-9); k * step <= axis->high + 1e-9 * step; k++) {
        char label[40];
        (void)snprintf(label, sizeof label, "%s%g", k < 0.0 ? "\u2212" : "", fabs(k * step));
        put_tick(f, along, k * step, label);
    }
}

void lte_figure_begin(const lte_figure *f, const char *what, const char *x_title,
                      const char *y_title)
{
    lte_html_put(f->out,
                 "<svg viewBox=\"0 0 %d %d\" role=\"group\" aria-label=\"%s\">\n"
                 "<clipPath id=\"%s-box\"><rect x=\"%d\" y=\"%d\" width=\"%d\" "
                 "height=\"%d\"/></clipPath>\n<g class=\"axes\" aria-hidden=\"true\">",
                 WIDTH, HEIGHT, what, f->id, LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    for (int along = 0; along < 2; along++) {
        if (along ? f->x.log : f->y.log)
            put_decades(f, along);
        else
            put_steps(f, along);
    }
    lte_html_put(f->out,
                 "<path class=\"box\" d=\"M%d %dV%dH%d\"/><text class=\"title\" x=\"%d\" "
                 "y=\"%d\">%s</text><text class=\"title\" transform=\"translate(24 %d)"
                 "rotate(-90)\">%s</text></g>\n",
                 LEFT, TOP, BOTTOM, RIGHT, (LEFT + RIGHT) / 2, HEIGHT - 14, x_title,
                 (TOP + BOTTOM) / 2, y_title);
}

void lte_figure_end(const lte_figure *f)
{
    (void)fputs("</svg>\n", f->out);
}

/* ---- what is in them ---- */

void lte_figure_series(const lte_figure *f, int series, lte_look look)
{
    (void)fprintf(f->out, "<g class=\"series c%d\" data-series=\"%d\">\n",
                  look.colour % LTE_N_COLOURS, series);
}

void lte_figure_series_end(const lte_figure *f)
{
    (void)fputs("</g>\n", f->out);
}

lte_figure_path lte_figure_line(const lte_figure *f, const char *class)
{
    (void)fprintf(f->out, "<path class=\"%s\" clip-path=\"url(#%s-box)\" d=\"", class, f->id);
    return (lte_figure_path){.figure = f};
}

void lte_figure_line_to(lte_figure_path *path, double x, double y)
{
    const lte_figure *f = path->figure;
    if (!isfinite(x) || !isfinite(y) || (f->x.log && x <= 0.0) || (f->y.log && y <= 0.0)) {
        path->drawing = false;
        return;
    }
    static const double same = 0.02; /* of a pixel, of which a tenth is written */
    const double from_x = path->x, from_y = path->y;
    path->x = lte_axis_at(&f->x, x);
    path->y = lte_axis_at(&f->y, y);
    if (path->drawing && fabs(path->y - from_y) < same)
        (void)fprintf(f->out, "H%.1f", path->x);
    else if (path->drawing && fabs(path->x - from_x) < same)
        (void)fprintf(f->out, "V%.1f", path->y);
    else
        (void)fprintf(f->out, "%s%.1f %.1f", path->drawing ? "L" : "M", path->x, path->y);
    path->drawing = true;
}

void lte_figure_line_end(lte_figure_path *path)
{
    (void)fputs("\"/>\n", path->figure->out);
}

void lte_figure_point(const lte_figure *f, int shape, double x, double y, bool first)
{
    (void)fprintf(f->out,
                  "<use class=\"p\" href=\"#m%d\" x=\"%.1f\" y=\"%.1f\" tabindex=\"%d\" "
                  "role=\"img\"",
                  shape < LTE_N_SHAPES ? shape % LTE_N_SHAPES : LTE_SHAPE_BOUND,
                  lte_axis_at(&f->x, x), lte_axis_at(&f->y, y), first ? 0 : -1);
}

void lte_figure_point_end(const lte_figure *f, const char *title)
{
    lte_html_put(f->out, "><title>%s</title></use>\n", title);
}

void lte_html_key(FILE *out, int series, lte_look look, const char *text)
{
    lte_html_put(out,
                 "<li class=\"c%d\" data-series=\"%d\"><svg viewBox=\"-14 -7 28 14\" "
                 "aria-hidden=\"true\"><path class=\"line\" d=\"M-13 0H13\"/>"
                 "<use href=\"#m%d\"/></svg><span>%s</span></li>\n",
                 look.colour % LTE_N_COLOURS, series, look.shape, text);
}
