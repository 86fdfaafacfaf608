#ifndef LTE_SIM_REPORT_CHART_KINDS_H
#define LTE_SIM_REPORT_CHART_KINDS_H
/*
 * The kinds of charts, one function each: from tables of folders to layers, keys and labels. The
 * ranges are set later. All return LTE_EINVAL for folders that lack the table, LTE_ENOMEM.
 */

#include "sim/report/charts/charted.h"

/* Bit error rates, with closed forms and the gain at a rate. */
lte_status lte_chart_ber(lte_charted *of, lte_chart *chart);

/* Block error rates after the first transmission and after the last. */
lte_status lte_chart_bler(lte_charted *of, lte_chart *chart);

/* Delivered Mbit/s below what blocks without errors deliver. */
lte_status lte_chart_throughput(lte_charted *of, lte_chart *chart);

/* Mutual information of LLRs below two limits. */
lte_status lte_chart_rate(lte_charted *of, lte_chart *chart);

/* Mbit/s of the best MCS, above those of each. */
lte_status lte_chart_adaptation(lte_charted *of, lte_chart *chart);

/* Of a picture of one folder, below its chart: how many errors more or fewer each detector has
 * than the first one, in percent, over common draws. LTE_EINVAL if none were paired. */
lte_status lte_chart_paired(lte_charted *of, lte_chart *chart);

/* ---- pictures that are no chart over SNR: assignments for their own scripts of plots/ ---- */

/* plots/timing.gp: the share of slots later than a latency, and the stages. LTE_EINVAL for a folder
 * without timing.csv. Sets the title. */
lte_status lte_timing_picture(FILE *out, lte_charted *of, char *title, size_t size);

/* plots/channel.gp: a channel and what was proved of it. LTE_EINVAL for several folders, or one
 * without channel.csv and channel_grid.csv. Sets the title. */
lte_status lte_channel_picture(FILE *out, lte_charted *of, char *title, size_t size);

/* plots/pareto.gp: SNR at a target against the work on a slot. LTE_EINVAL for several folders, or
 * one without pareto.csv. Sets the title. */
lte_status lte_pareto_picture(FILE *out, lte_charted *of, char *title, size_t size);

/* ---- what kinds share ---- */

/* The columns of a curve, and what its numbers are multiplied by; low and high -1: no intervals. */
typedef struct {
    int y, low, high;
    double scale;
} lte_chart_columns;

/* Adds a curve's points, and if its line is wanted (no LTE_LAYER_MARKS) that before them. Of a
 * logarithmic chart rows without errors are bounds, which no line joins. */
lte_status lte_chart_curve(const lte_charted *of, const lte_charted_curve *curve,
                           const lte_chart_columns *columns, lte_layer_kind line, int style,
                           lte_chart *chart);

/* Adds one layer of a curve: as marks those rows too that have a bound alone. */
lte_status lte_chart_line(const lte_charted *of, const lte_charted_curve *curve,
                          const lte_chart_columns *columns, lte_layer_kind kind, int style,
                          lte_chart *chart);

/* Adds entries for intervals and bounds if any layer has them. */
void lte_chart_marks_keys(lte_chart *chart);

/* Draws the gain that run.json tells of a measure ("ber", "bler") at its rate. */
void lte_chart_gain(const lte_charted *of, const char *measure, lte_chart *chart);

/* y of x, NAN: there is none. */
typedef double lte_chart_form(double snr_db, void *user);

/*
 * Adds a smooth line of LTE_CHART_LINES points over a curve's SNRs; if the form does not meet what
 * the folder's column has (a folder of an older revision), the points of that column. True if there
 * is a line.
 */
bool lte_chart_smooth(const lte_charted *of, const lte_charted_curve *curve, int column,
                      lte_chart_form *form, void *user, lte_chart *chart, int colour, int style);

#endif
