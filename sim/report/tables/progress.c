/* The live row on a terminal, or a line now and then. */
#include "sim/report/tables/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/report/tables/terminal.h"

/* A terminal that can clear a row. */
static bool is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void lte_progress_init(lte_progress *progress, bool quiet)
{
    progress->quiet = quiet;
    progress->terminal = is_terminal();
    progress->row_open = false;
    progress->what = NULL;
    progress->start = progress->last = lte_seconds();
}

/* Characters that a row may have: one less than the terminal's columns, so that it never wraps. */
static size_t row_length(const lte_progress *progress)
{
    enum { LONGEST = LTE_PROGRESS_ROW - 1 };
    const int columns = progress->terminal ? lte_terminal_columns(stderr) : 0;
    return columns > 0 && columns - 1 < LONGEST ? (size_t)columns - 1 : LONGEST;
}

/* Appends a field to a row, if it fits as a whole: row [most + 1], two spaces between fields. */
static void append(char *row, size_t most, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *row, size_t most, const char *format, ...)
{
    char field[80];
    const size_t used = strlen(row), gap = used > 0 ? 2 : 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(field, sizeof field, format, arguments);
    va_end(arguments);
    if (used + gap + strlen(field) <= most)
        (void)snprintf(row + used, most + 1 - used, "%*s%s", (int)gap, "", field);
}

/* True if it is time for another row; a terminal gets ten a second, a file one in five seconds. */
static bool due(lte_progress *progress)
{
    const double now = lte_seconds(), period = progress->terminal ? 0.1 : 5.0;
    if (progress->quiet || now - progress->last < period)
        return false;
    progress->last = now;
    return true;
}

static void show(lte_progress *progress, const char *text)
{
    if (progress->terminal) {
        (void)fprintf(stderr, "\r\033[K%s", text);
        (void)fflush(stderr);
        progress->row_open = true;
    } else {
        (void)fprintf(stderr, "%s\n", text);
    }
}

void lte_progress_end(lte_progress *progress)
{
    if (progress->row_open)
        (void)fputs("\r\033[K", stderr);
    progress->row_open = false;
}

/* Slots still expected, over all points, each detector as if alone. */
static double slots_left(const lte_sweep *sweep, int snr)
{
    double left = 0.0;
    for (int s = snr; s < sweep->n_points; s++) {
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweep, d, s);
            if (row->status != LTE_ROW_RUNNING)
                continue;
            const uint64_t bits = lte_row_bits(row);
            const double seen = bits > 0 ? (double)row->error_count.errors / (double)bits : 0.0;
            const double need =
                row->goal > 0 ? (double)row->goal
                              : lte_expected_slots(sweep, seen > 0.0 ? seen : row->theory.ber);
            if (need > (double)row->slots)
                left += need - (double)row->slots;
        }
    }
    return left;
}

/*
 * Sweeps of a run's receivers that follow this one: in the order of phy/base/names.h, not as
 * listed.
 */
static int sweeps_after(const lte_sweep *sweep)
{
    int n = 0;
    for (int k = sweep->csi + 1; k < LTE_N_CSI; k++)
        n += lte_scenario_has_csi(sweep->scenario, k);
    return n;
}

void lte_progress_sweep(lte_progress *progress, const lte_sweep *sweep, int snr, bool point_done)
{
    const bool search = lte_sweep_is_search(sweep);
    const bool last = point_done && snr == sweep->n_points - 1 && !search;
    uint64_t bits = 0, errors = 0, slots = 0;
    const size_t most = row_length(progress);
    char text[LTE_PROGRESS_ROW] = "";
    if (!due(progress) || last)
        return;
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        bits += lte_row_bits(row) / lte_row_parts(row);
        errors += row->error_count.errors / lte_row_parts(row);
        for (int s = 0; s <= snr; s++)
            slots += lte_sweep_row(sweep, d, s)->slots;
    }
    const double spent = lte_seconds() - progress->start;
    const double rate = (double)slots / spent;
    const lte_counting *counting = lte_counting_of(sweep);
    const double counted = rate * lte_sweep_slot_bits(sweep);
    const char *const unit = counting->by_symbol ? "symbols" : counting->counts;
    const int of_unit = counting->by_symbol ? sweep->scenario->n_bits : 1;
    const double left = slots_left(sweep, snr) / rate; /* what follows takes as long, probably */
    const double bound = sweep->scenario->sweep.max_seconds;
    double eta = left + sweeps_after(sweep) * (spent + left);
    if (bound > 0.0)
        eta = fmin(eta, fmax(bound - sweep->spent_s - spent, 0.0));
    /* what matters most comes first: a narrow terminal has no room for the rest */
    if (search)
        append(text, most, "search %d", snr + 1);
    else
        append(text, most, "sweep %d/%d", snr + 1, sweep->n_snr);
    append(text, most, "%6.2f dB", lte_sweep_row(sweep, 0, snr)->snr_db);
    append(text, most, search ? "point %.0f s" : "ETA %.0f s", search ? left : eta);
    append(text, most, "%.3g %s", (double)bits, counting->counts);
    append(text, most, "%llu errors", (unsigned long long)errors);
    append(text, most, "%.3g %s/s", counted / of_unit, unit);
    if (sweep->scenario->n_csi > 1)
        append(text, most, "%s", lte_csi_rows[sweep->csi].name);
    show(progress, text);
}

void lte_progress_deadline(lte_progress *progress, const char *what, double done)
{
    char text[LTE_PROGRESS_ROW] = "";
    if (progress->terminal && what != progress->what) /* may last: shown at once */
        progress->last = -INFINITY;
    progress->what = what;
    if (!due(progress))
        return;
    append(text, row_length(progress), "%s %3.0f %%", what, 100.0 * done);
    show(progress, text);
}
