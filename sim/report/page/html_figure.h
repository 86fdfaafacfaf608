#ifndef LTE_SIM_REPORT_HTML_FIGURE_H
#define LTE_SIM_REPORT_HTML_FIGURE_H
/*
 * A figure of a report: SVG that lies in the page, drawn without a script.
 *
 *     lte_figure figure = {.out = out, .id = "ber",
 *                          .x = lte_axis_linear(0, 40), .y = lte_axis_log(1e-4, 1)};
 *     lte_figure_begin(&figure, "Bit error rate over SNR", "SNR (dB)", "bit error rate");
 *     lte_figure_series(&figure, 0, look);
 *     ... lte_figure_point(&figure, look, 20.0, 1e-2, "data-ber=\"...\"", "20 dB: BER 1e-2") ...
 *     lte_figure_series_end(&figure);
 *     lte_figure_end(&figure);
 */

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    double low, high; /* at its ends */
    bool log;
    double from, to; /* the same two in the figure's own units */
} lte_axis;

/* Axes of the box that all figures have: along it, and up. */
lte_axis lte_axis_x(double low, double high, bool log);
lte_axis lte_axis_y(double low, double high, bool log);

/* Where a value is; outside of the axis, too, but not by more than the figure's size. */
double lte_axis_at(const lte_axis *axis, double value);

/* How a series looks: its colour and the shape of its points, 0, 1, ... */
typedef struct {
    int colour, shape;
} lte_look;
enum { LTE_N_COLOURS = 8, LTE_N_SHAPES = 6 };

typedef struct {
    FILE *out;
    const char *id; /* of the figure in the page */
    lte_axis x, y;
} lte_figure;

/* The shapes, once in a page that has figures. */
void lte_figure_shapes(FILE *out);

/* Opens the figure with its grid and axes; what: its name for those who do not see it. */
void lte_figure_begin(const lte_figure *figure, const char *what, const char *x_title,
                      const char *y_title);
void lte_figure_end(const lte_figure *figure);

/* What lies between these two is shown and hidden with the legend's entry of the series. */
void lte_figure_series(const lte_figure *figure, int series, lte_look look);
void lte_figure_series_end(const lte_figure *figure);

/* A line of points, begun by path; broken off where a value is no number. */
typedef struct {
    const lte_figure *figure;
    bool drawing; /* the next point is joined to the last */
    double x, y;  /* that one, in the figure's units */
} lte_figure_path;
lte_figure_path lte_figure_line(const lte_figure *figure, const char *class);
void lte_figure_line_to(lte_figure_path *path, double x, double y);
void lte_figure_line_end(lte_figure_path *path);

/*
 * Opens a point that can be pointed at, by hand and by keyboard: the caller adds attributes and
 * ends it with lte_figure_point_end.
 *
 *   shape   of lte_look, or LTE_SHAPE_BOUND
 *   first   the keyboard comes to this one; arrows go on from it
 */
enum { LTE_SHAPE_BOUND = LTE_N_SHAPES };
void lte_figure_point(const lte_figure *figure, int shape, double x, double y, bool first);

/* title: what is told of it. */
void lte_figure_point_end(const lte_figure *figure, const char *title);

/* The least step of 1, 2 or 5 times a power of ten that n of reach over a length. */
double lte_nice_step(double length, int n);

/* A legend's entry of a series: 0, 1, ... of its figure. */
void lte_html_key(FILE *out, int series, lte_look look, const char *text);

#endif
