/* SNR at a target against the work on a slot, for plots/pareto.gp. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/charts/chart_writers.h"
#include "sim/report/results/words.h"

enum { MOST_POINTS = 64 };

typedef struct {
    double snr_db;
    int row;
} point;

static int by_snr(const void *a, const void *b)
{
    const point *x = a, *y = b;
    return x->snr_db != y->snr_db ? (x->snr_db > y->snr_db) - (x->snr_db < y->snr_db)
                                  : x->row - y->row;
}

/* Rows that were timed, by rising SNR; returns how many. */
static int find_points(const lte_table *table, point *points)
{
    int n = 0;
    for (int i = 0; i < table->n_rows && n < MOST_POINTS; i++) {
        if (isfinite(lte_table_real(table, i, LTE_PARETO_WORK)))
            points[n++] = (point){lte_table_real(table, i, LTE_PARETO_SNR), i};
    }
    qsort(points, (size_t)n, sizeof *points, by_snr);
    return n;
}

/* Whether the name of point i, above it, would lie on that of one before it: it goes below then. */
static bool is_crowded(const lte_table *table, const point *points, int n, int i)
{
    static const double near_snr = 0.2, near_work = 0.07; /* of the whole range */
    const double wide = fmax(points[n - 1].snr_db - points[0].snr_db, 1.0);
    double least = INFINITY, most = 0.0;
    bool crowded = false;
    for (int k = 0; k < n; k++) {
        const double work = lte_table_real(table, points[k].row, LTE_PARETO_WORK);
        least = fmin(least, work);
        most = fmax(most, work);
    }
    for (int k = 0; k < i; k++) {
        const double ratio = lte_table_real(table, points[i].row, LTE_PARETO_WORK) /
                             lte_table_real(table, points[k].row, LTE_PARETO_WORK);
        crowded = crowded || (points[i].snr_db - points[k].snr_db < near_snr * wide &&
                              fabs(log(ratio)) < near_work * log(2.0 * most / least));
    }
    return crowded;
}

/* "SNR low high work front place" of each: 1 on the front; name[] above or -1 below its point. */
static void put_points(FILE *out, const lte_result *result, const point *points, int n)
{
    const lte_table *table = &result->pareto;
    const bool several_csi = json_array_size(lte_json_at(result->scenario, "csi")) > 1;
    (void)fputs("$points << END\n", out);
    for (int i = 0; i < n; i++) {
        static const int numbers[] = {LTE_PARETO_SNR, LTE_PARETO_LOW, LTE_PARETO_HIGH,
                                      LTE_PARETO_WORK};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            lte_gnuplot_number(out, lte_table_real(table, points[i].row, numbers[k]), ' ');
        (void)fprintf(out, "%d %d\n", lte_table_is(table, points[i].row, LTE_PARETO_FRONT, "yes"),
                      is_crowded(table, points, n, i) ? -1 : 1);
    }
    (void)fprintf(out, "END\narray name[%d]\n", n);
    for (int i = 0; i < n; i++) {
        char name[32], text[96];
        const char *csi = lte_table_text(table, points[i].row, LTE_PARETO_CSI);
        (void)snprintf(
            text, sizeof text, "%s%s%s",
            lte_printed_detector(lte_table_text(table, points[i].row, LTE_PARETO_DETECTOR), name,
                                 sizeof name),
            several_csi ? ", " : "", several_csi ? csi : "");
        lte_gnuplot_set(out, text, "name[%d]", i + 1);
    }
}

/* "SNR at BER 0.001 (dB)" */
static void put_axis(FILE *out, const lte_result *result)
{
    const bool coded = lte_json_at(result->scenario, "code") != NULL;
    const double ber = lte_json_number(result->scenario, "sweep.target_ber");
    const double share = lte_json_number(result->scenario, "sweep.target_throughput");
    char target[64], text[128];
    if (share > 0.0)
        (void)snprintf(target, sizeof target, "%g %% of the throughput", 100.0 * share);
    else if (ber > 0.0)
        (void)snprintf(target, sizeof target, "%s %g", coded ? "BLER" : "BER", ber);
    else
        (void)snprintf(target, sizeof target, "%g bits a symbol",
                       lte_json_number(result->scenario, "sweep.target_rate"));
    (void)snprintf(text, sizeof text, "SNR at %s (dB)", target);
    lte_gnuplot_set(out, text, "axis");
    (void)snprintf(text, sizeof text, "median work on a %s%s (us)", coded ? "subframe" : "slot",
                   lte_of_carriers(lte_json_number(result->scenario, "deadline.carriers")));
    lte_gnuplot_set(out, text, "work");
    lte_gnuplot_set(out, lte_json_text(result->run, "device"), "facts");
}

lte_status lte_pareto_picture(FILE *out, lte_charted *of, char *title, size_t size)
{
    const lte_result *result = &of->result[0];
    point points[MOST_POINTS];
    if (of->n > 1)
        return lte_refuse("pareto: this picture shows one folder");
    const int n = find_points(&result->pareto, points);
    if (n == 0)
        return lte_refuse("%s: there is no pareto.csv with a detector that was timed: a run with "
                          "--pareto writes it",
                          result->dir);
    lte_charted_title(of, "", title, size);
    put_axis(out, result);
    (void)fprintf(out, "budget = %.9g\nn = %d\n",
                  lte_json_number(result->scenario, "deadline.budget_us"), n);
    put_points(out, result, points, n);
    return LTE_OK;
}
