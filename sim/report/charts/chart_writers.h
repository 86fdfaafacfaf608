#ifndef LTE_SIM_REPORT_CHART_WRITERS_H
#define LTE_SIM_REPORT_CHART_WRITERS_H
/* Charts written for those who draw them. */

#include <stdio.h>

#include "sim/report/charts/chart.h"

/* NAME = 'text', in which gnuplot replaces nothing; the name is formatted: "stage[%d]", 3. */
void lte_gnuplot_set(FILE *out, const char *text, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* A number and what ends it; NaN: there is none. */
void lte_gnuplot_number(FILE *out, double x, char end);

/* A time beside its bar into text [size]: three digits, and no exponent. */
const char *lte_gnuplot_time(double x, char *text, size_t size);

/* title = '...', wrapped between words to lines of so many characters, and title_lines. */
void lte_gnuplot_title(FILE *out, const char *title, int width);

/* The assignments that plots/chart.gp draws; their names begin with of, "chart" or "panel". */
void lte_chart_gnuplot(FILE *out, const lte_chart *chart, const char *of);

/*
 * One axis of pgfplots with its data in it; below it, if panel is not NULL, that as a second one.
 *
 *   width_cm   of the axis; with its labels a little more
 */
void lte_chart_tex(FILE *out, const lte_chart *chart, const lte_chart *panel, double width_cm);

#endif
