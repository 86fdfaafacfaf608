/* SNR at a target against the work on a slot, in a summary. */
#include "sim/report/summary/summary_parts.h"

#include <math.h>

#include "sim/report/results/counted_words.h"
#include "sim/report/results/words.h"

enum { CELL = 16 };

/* A number of the table; "-": there is none. */
static const char *cell(double x, const char *format, char *text)
{
    (void)snprintf(text, CELL, isfinite(x) ? format : "-", x);
    return text;
}

/* Carriers held, ">= 6" where a machine that stalled left it open. */
static const char *carriers_of(const lte_pareto_point *point, char *text)
{
    const lte_capacity *capacity = &point->capacity;
    const bool known = point->timed && capacity->carriers >= 0;
    (void)snprintf(text, CELL, known ? "%s%d" : "-", known && capacity->bounded ? ">= " : "",
                   capacity->carriers);
    return text;
}

void lte_summary_pareto(lte_lines *text, const lte_sweeps *sweeps, const lte_pareto *pareto)
{
    const lte_sweep *const sweep = sweeps->of[0];
    char line[160], head[64], target[48], name[LTE_CURVE_NAME];
    char snr[CELL], more[CELL], work[CELL], threads[CELL], held[CELL], median[CELL];
    char operations[CELL];
    const int carriers = sweep->scenario->deadline.carriers;
    double least = (double)INFINITY;
    for (int i = 0; i < pareto->n; i++)
        least = pareto->point[i].timed ? fmin(least, pareto->point[i].found.snr_db) : least;
    (void)snprintf(head, sizeof head, "at %s", lte_search_target(sweep, target, sizeof target));
    (void)snprintf(line, sizeof line, "%-18s %7s %7s %8s %7s %8s %6s %5s %5s", head, "SNR dB",
                   "dB more", "work us", "threads", "carriers", "median", "Mop", "front");
    lte_lines_line(text, line);
    for (int i = 0; i < pareto->n; i++) {
        const lte_pareto_point *point = &pareto->point[i];
        const double known = point->timed ? 0.0 : (double)NAN; /* added to what is not there */
        lte_swept at;
        (void)lte_sweeps_detector(sweeps, i, &at);
        const double by_median = point->capacity.by_median;
        (void)snprintf(
            line, sizeof line, "%-18s %7s %7s %8s %7s %8s %6s %5s %5s",
            lte_lines_curve(sweeps, &at, name), cell(known + point->found.snr_db, "%.2f", snr),
            cell(known + point->found.snr_db - least, "%.2f", more),
            cell(known + point->work_us, "%.4g", work),
            cell(point->threads > 0 ? known + point->threads : (double)NAN, "%.0f", threads),
            carriers_of(point, held),
            cell(by_median >= 0.0 ? known + by_median : (double)NAN, "%.0f", median),
            cell(known + 1e-6 * point->operations, "%.3g", operations),
            !point->timed  ? lte_found_name(point->found.how)
            : point->front ? "yes"
                           : "no");
        lte_lines_line(text, line);
    }
    lte_lines_add(text, "work: the median on a %s of", lte_counted_words_of(sweep->scenario)->due);
    if (carriers > 1)
        lte_lines_add(text, "all %d carriers of", carriers);
    lte_lines_add(text,
                  "%g MHz, each detector at its SNR and, on processors, with its own number of "
                  "threads; median: carriers whose median work fits; on the front: no other one "
                  "needs less of one and no more of the other\n",
                  sweep->scenario->bandwidth_mhz);
}
