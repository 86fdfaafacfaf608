/* Rates by SNR. */
#include "sim/report/summary/summary_parts.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/report/results/counted_words.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/throughput.h"
#include "sim/report/results/words.h"

enum { CELL = 7, THROUGHPUT = 19, LINE = 128 };

lte_grid_shown lte_grid_choose(int n_points, int width)
{
    const int fit = (LTE_LINES_COLUMNS - width) / CELL;
    const int most = fit < LTE_GRID_MOST ? fit : LTE_GRID_MOST;
    lte_grid_shown s = {.n = n_points < most ? n_points : most};
    for (int n = s.n; n_points > most && n > most / 2; n--) {
        if (n > 1 && (n_points - 1) % (n - 1) == 0) {
            s.n = n;
            break;
        }
    }
    for (int i = 0; i < s.n; i++)
        s.at[i] = s.n > 1 ? (int)lround((double)i * (n_points - 1) / (s.n - 1)) : 0;
    return s;
}

bool lte_grid_is_few(const lte_interval *of, const lte_row *row)
{
    const double carriers = lte_error_count_carriers(&row->error_count);
    const bool turned = of->rate > 0.5 && of->rate < 1.0; /* what is right is rarer */
    return carriers < LTE_GRID_FEW || (turned && !(of->degrees + 1.0 >= LTE_GRID_FEW));
}

static void put_error_rate(char *cell, size_t size, const lte_sweep *sweep, const lte_row *row,
                           lte_grid_marks *marks)
{
    const lte_interval ber = lte_row_interval(sweep, row);
    char text[12];
    if (ber.no_error) {
        (void)snprintf(cell, size, "<%s", lte_lines_rate(ber.high, 0, text, sizeof text));
        marks->bound = true;
    } else if (lte_grid_is_few(&ber, row)) {
        (void)snprintf(cell, size, "(%s)", lte_lines_rate(ber.rate, 0, text, sizeof text));
        marks->few = true;
    } else {
        (void)lte_lines_rate(ber.rate, 1, cell, size);
    }
}

static const lte_row *counted(const lte_sweep *sweep, int d, int s)
{
    const lte_row *row = s < sweep->n_started ? lte_sweep_row(sweep, d, s) : NULL;
    return row && row->error_count.clusters > 0 ? row : NULL;
}

/* What the grid is of. */
typedef struct {
    const lte_sweeps *sweeps;
    lte_grid_kind kind;
    lte_grid_shown shown;
    int width; /* of the names */
    int point; /* of the last column, Mbit/s; -1: there is none */
} grid;

static void add_throughput(char *line, const lte_sweep *sweep, const lte_row *row)
{
    char cell[THROUGHPUT + 1] = "-";
    if (row) {
        const lte_row_blocks of = lte_row_blocks_of(sweep, row);
        (void)snprintf(cell, sizeof cell, "%.1f of %.1f", 1e-6 * of.throughput.mean,
                       1e-6 * of.peak);
    }
    lte_append(line, LINE, "%*s", THROUGHPUT, cell);
}

static void put_row(lte_lines *out, const grid *g, const lte_swept *at, lte_grid_marks *marks)
{
    const lte_sweep *sweep = at->sweep;
    char name[LTE_CURVE_NAME], line[LINE] = "";
    lte_append(line, LINE, "%-*s", g->width, lte_lines_curve(g->sweeps, at, name));
    for (int i = 0; i < g->shown.n; i++) {
        const lte_row *row = counted(sweep, at->d, g->shown.at[i]);
        char cell[16] = "-";
        if (row && g->kind == LTE_GRID_INFORMATION)
            (void)snprintf(cell, sizeof cell, "%.2f", lte_row_information_of(sweep, row).bits);
        else if (row)
            put_error_rate(cell, sizeof cell, sweep, row, marks);
        lte_append(line, LINE, "%*s", CELL, cell);
    }
    if (g->point >= 0)
        add_throughput(line, sweep, counted(sweep, at->d, g->point));
    lte_lines_line(out, line);
}

static int width_of(const lte_sweeps *sweeps)
{
    int width = (int)strlen("BLER, SNR dB");
    lte_swept at;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        char name[LTE_CURVE_NAME];
        const int n = (int)strlen(lte_lines_curve(sweeps, &at, name));
        width = n > width ? n : width;
    }
    return width;
}

lte_grid_marks lte_grid_put(lte_lines *text, const lte_sweeps *sweeps, lte_grid_kind kind,
                            int point)
{
    lte_grid_marks marks = {false, false, false};
    if (sweeps->n == 0 || sweeps->of[0]->n_started == 0)
        return marks;
    const double *snr_db = sweeps->of[0]->scenario->sweep.snr_db;
    grid g = {.sweeps = sweeps, .kind = kind, .width = width_of(sweeps), .point = -1};
    g.shown = lte_grid_choose(sweeps->of[0]->n_points, g.width);
    marks.throughput = lte_counted_words_of(sweeps->of[0]->scenario)->delivers &&
                       g.width + CELL * g.shown.n + THROUGHPUT <= LTE_LINES_COLUMNS;
    g.point = marks.throughput ? point : -1;
    const char *const rate = lte_counting_of(sweeps->of[0])->rate;
    char line[LINE] = "", cell[24];
    (void)snprintf(cell, sizeof cell, "%s, SNR dB", kind == LTE_GRID_INFORMATION ? "GMI" : rate);
    lte_append(line, LINE, "%-*s", g.width, cell);
    for (int i = 0; i < g.shown.n; i++)
        lte_append(line, LINE, "%*.4g", CELL, snr_db[g.shown.at[i]]);
    if (marks.throughput) {
        (void)snprintf(cell, sizeof cell, "%.4g dB", snr_db[point]);
        lte_append(line, LINE, "%*s%s", (int)(THROUGHPUT - strlen(cell)), "Mbit/s at ", cell);
    }
    lte_lines_line(text, line);
    lte_swept at;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++)
        put_row(text, &g, &at, &marks);
    return marks;
}
