/* Rates by SNR. */
#include "sim/report/summary/grid.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/throughput.h"

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

/* BER, or what stands in the corner. */
static const char *head_of(const lte_sweeps *sweeps, lte_grid_kind kind)
{
    return kind == LTE_GRID_INFORMATION        ? "GMI"
           : lte_sweep_is_coded(sweeps->of[0]) ? "BLER"
                                               : "BER";
}

static void put_error_rate(char *cell, size_t size, const lte_sweep *sweep, const lte_row *row,
                           lte_grid_marks *marks)
{
    const lte_interval ber = lte_row_interval(sweep, row);
    char text[12];
    if (ber.no_error) {
        (void)snprintf(cell, size, "<%s", lte_lines_digit(ber.high, text, sizeof text));
        marks->bound = true;
    } else if (lte_error_count_carriers(&row->error_count) < LTE_GRID_FEW) {
        (void)snprintf(cell, size, "(%s)", lte_lines_digit(ber.rate, text, sizeof text));
        marks->few = true;
    } else {
        (void)lte_lines_rate(ber.rate, cell, size);
    }
}

static const lte_row *counted(const lte_sweep *sweep, int d, int s)
{
    const lte_row *row = s < sweep->n_started ? lte_sweep_row(sweep, d, s) : NULL;
    return row && row->error_count.clusters > 0 ? row : NULL;
}

/* A line of cells behind its name. */
typedef struct {
    char text[LINE];
    size_t n;
} line;

static void add_cell(line *l, const char *cell)
{
    const int added = snprintf(l->text + l->n, sizeof l->text - l->n, "%*s", CELL, cell);
    l->n += added > 0 ? (size_t)added : 0;
}

/* What the grid is of. */
typedef struct {
    const lte_sweeps *sweeps;
    lte_grid_kind kind;
    lte_grid_shown shown;
    int width; /* of the names */
    int point; /* of the last column, Mbit/s; -1: there is none */
} grid;

static void add_throughput(line *l, const lte_sweep *sweep, const lte_row *row)
{
    char cell[THROUGHPUT + 1] = "-";
    if (row) {
        const lte_row_blocks of = lte_row_blocks_of(sweep, row);
        (void)snprintf(cell, sizeof cell, "%.1f of %.1f", 1e-6 * of.bits_per_s, 1e-6 * of.peak);
    }
    l->n += (size_t)snprintf(l->text + l->n, sizeof l->text - l->n, "%*s", THROUGHPUT, cell);
}

static void put_row(lte_lines *out, const grid *g, int k, int d, lte_grid_marks *marks)
{
    const lte_sweep *sweep = g->sweeps->of[k];
    char name[32], label[64];
    line l = {.n = 0};
    (void)lte_lines_detector(lte_sweep_row(sweep, d, 0)->detector, name, sizeof name);
    (void)snprintf(label, sizeof label, "%s%s%s", name, g->sweeps->n > 1 ? " " : "",
                   g->sweeps->n > 1 ? lte_csi_rows[sweep->csi].name : "");
    l.n = (size_t)snprintf(l.text, sizeof l.text, "%-*s", g->width, label);
    for (int i = 0; i < g->shown.n; i++) {
        const lte_row *row = counted(sweep, d, g->shown.at[i]);
        char cell[16] = "-";
        if (row && g->kind == LTE_GRID_INFORMATION)
            (void)snprintf(cell, sizeof cell, "%.2f", lte_row_information_of(sweep, row).bits);
        else if (row)
            put_error_rate(cell, sizeof cell, sweep, row, marks);
        add_cell(&l, cell);
    }
    if (g->point >= 0)
        add_throughput(&l, sweep, counted(sweep, d, g->point));
    lte_lines_line(out, l.text);
}

static int width_of(const lte_sweeps *sweeps)
{
    int width = (int)strlen("BLER, SNR dB");
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++) {
            char name[32];
            const int n =
                (int)strlen(lte_lines_detector(lte_sweep_row(sweeps->of[k], d, 0)->detector, name,
                                               sizeof name)) +
                (sweeps->n > 1 ? 1 + (int)strlen(lte_csi_rows[sweeps->of[k]->csi].name) : 0);
            width = n > width ? n : width;
        }
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
    marks.throughput = lte_sweep_is_coded(sweeps->of[0]) &&
                       g.width + CELL * g.shown.n + THROUGHPUT <= LTE_LINES_COLUMNS;
    g.point = marks.throughput ? point : -1;
    char head[32];
    line l = {.n = 0};
    (void)snprintf(head, sizeof head, "%s, SNR dB", head_of(sweeps, kind));
    l.n = (size_t)snprintf(l.text, sizeof l.text, "%-*s", g.width, head);
    for (int i = 0; i < g.shown.n; i++) {
        char cell[16];
        (void)snprintf(cell, sizeof cell, "%.4g", snr_db[g.shown.at[i]]);
        add_cell(&l, cell);
    }
    if (marks.throughput) {
        char cell[24];
        (void)snprintf(cell, sizeof cell, "%.4g dB", snr_db[point]);
        (void)snprintf(l.text + l.n, sizeof l.text - l.n, "%*s%s", (int)(THROUGHPUT - strlen(cell)),
                       "Mbit/s at ", cell);
    }
    lte_lines_line(text, l.text);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++)
            put_row(text, &g, k, d, &marks);
    }
    return marks;
}
