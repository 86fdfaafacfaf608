/* The live row on a terminal, or a line now and then. */
#include "sim/report/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "kernels/backends/clock.h"

void lte_progress_init(lte_progress *progress, bool quiet)
{
    progress->quiet = quiet;
    progress->terminal = isatty(STDERR_FILENO) != 0;
    progress->row_open = false;
    progress->start = progress->last = lte_seconds();
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
    for (int s = snr; s < sweep->n_snr; s++) {
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweep, d, s);
            if (row->status != LTE_ROW_RUNNING)
                continue;
            const uint64_t bits = lte_row_bits(row);
            const double seen = bits > 0 ? (double)row->error_count.errors / (double)bits : 0.0;
            const double need = lte_expected_slots(sweep, seen > 0.0 ? seen : row->theory.ber);
            if (need > (double)row->slots)
                left += need - (double)row->slots;
        }
    }
    return left;
}

/* Sweeps of a run's receivers that follow this one: in the order of phy/names.h, not as listed. */
static int sweeps_after(const lte_sweep *sweep)
{
    int n = 0;
    for (int k = sweep->csi + 1; k < LTE_N_CSI; k++)
        n += lte_scenario_has_csi(sweep->scenario, k);
    return n;
}

void lte_progress_sweep(lte_progress *progress, const lte_sweep *sweep, int snr, bool point_done)
{
    const bool last = point_done && snr == sweep->n_snr - 1;
    uint64_t bits = 0, errors = 0, slots = 0;
    char text[160], who[64] = "";
    if (!due(progress) || last)
        return;
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        bits += lte_row_bits(row);
        errors += row->error_count.errors;
        for (int s = 0; s <= snr; s++)
            slots += lte_sweep_row(sweep, d, s)->slots;
    }
    const double spent = lte_seconds() - progress->start;
    const double rate = (double)slots / spent;
    const double symbols = rate * (double)sweep->slot_bits / sweep->scenario->n_bits;
    const double left = slots_left(sweep, snr) / rate; /* what follows takes as long, probably */
    const double eta = left + sweeps_after(sweep) * (spent + left);
    if (sweep->scenario->n_csi > 1)
        (void)snprintf(who, sizeof who, "%s: ", lte_csi_rows[sweep->csi].name);
    (void)snprintf(text, sizeof text,
                   "%ssweep %d/%d  %6.2f dB  %.3g bits  %llu errors  %.3g symbols/s  ETA %.0f s",
                   who, snr + 1, sweep->n_snr, sweep->scenario->sweep.snr_db[snr], (double)bits,
                   (unsigned long long)errors, symbols, eta);
    show(progress, text);
}

void lte_progress_deadline(lte_progress *progress, const char *what, double done)
{
    char text[160];
    if (!due(progress))
        return;
    (void)snprintf(text, sizeof text, "%s %3.0f %%", what, 100.0 * done);
    show(progress, text);
}
