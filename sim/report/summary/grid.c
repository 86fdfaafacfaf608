/* Rates by SNR. */
#include "sim/report/summary/grid.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/sweep/row_information.h"

enum { CELL = 7, FEW = 5, LINE = 128 };

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
    } else if (lte_error_count_carriers(&row->error_count) < FEW) {
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

static void put_row(lte_lines *out, const lte_sweeps *sweeps, int k, int d, int width,
                    const lte_grid_shown *s, lte_grid_kind kind, lte_grid_marks *marks)
{
    const lte_sweep *sweep = sweeps->of[k];
    char name[32], label[64];
    line l = {.n = 0};
    (void)lte_lines_detector(lte_sweep_row(sweep, d, 0)->detector, name, sizeof name);
    (void)snprintf(label, sizeof label, "%s%s%s", name, sweeps->n > 1 ? " " : "",
                   sweeps->n > 1 ? lte_csi_rows[sweep->csi].name : "");
    l.n = (size_t)snprintf(l.text, sizeof l.text, "%-*s", width, label);
    for (int i = 0; i < s->n; i++) {
        const lte_row *row = counted(sweep, d, s->at[i]);
        char cell[16] = "-";
        if (row && kind == LTE_GRID_INFORMATION)
            (void)snprintf(cell, sizeof cell, "%.2f", lte_row_information_of(sweep, row).bits);
        else if (row)
            put_error_rate(cell, sizeof cell, sweep, row, marks);
        add_cell(&l, cell);
    }
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

lte_grid_marks lte_grid_put(lte_lines *text, const lte_sweeps *sweeps, lte_grid_kind kind)
{
    lte_grid_marks marks = {false, false};
    if (sweeps->n == 0 || sweeps->of[0]->n_started == 0)
        return marks;
    const int width = width_of(sweeps);
    const lte_grid_shown s = lte_grid_choose(sweeps->of[0]->n_points, width);
    char head[32];
    line l = {.n = 0};
    (void)snprintf(head, sizeof head, "%s, SNR dB", head_of(sweeps, kind));
    l.n = (size_t)snprintf(l.text, sizeof l.text, "%-*s", width, head);
    for (int i = 0; i < s.n; i++) {
        char cell[16];
        (void)snprintf(cell, sizeof cell, "%.4g", sweeps->of[0]->scenario->sweep.snr_db[s.at[i]]);
        add_cell(&l, cell);
    }
    lte_lines_line(text, l.text);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++)
            put_row(text, sweeps, k, d, width, &s, kind, &marks);
    }
    return marks;
}
