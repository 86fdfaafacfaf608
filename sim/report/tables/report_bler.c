/* The table of a sweep of transport blocks. */
#include "sim/report/tables/report.h"

#include <math.h>

#include "sim/jobs/sweep/throughput.h"
#include "sim/report/tables/terminal.h"

enum { DETECTOR_WIDTH = 9, CSI_WIDTH = 10 };
enum {
    SNR,
    MEASURED,
    BLOCKS,
    WRONG,
    BLER,
    LOW,
    HIGH,
    LAST,
    RATE,
    SHARE,
    SENT,
    ITERATIONS,
    RAW,
    BER,
    STATUS,
    N_COLUMNS
};
static const lte_table_column columns[N_COLUMNS] = {
    [SNR] = {"SNR dB", 8, 0, false},       [MEASURED] = {"meas.", 8, 10, false},
    [BLOCKS] = {"blocks", 9, 7, false},    [WRONG] = {"wrong", 8, 8, false},
    [BLER] = {"BLER", 12, 0, false},       [LOW] = {"95 % low", 12, 3, false},
    [HIGH] = {"95 % high", 12, 4, false},  [LAST] = {"last BLER", 12, 1, false},
    [RATE] = {"Mbit/s", 9, 0, false},      [SHARE] = {"of peak", 9, 2, false},
    [SENT] = {"sent", 6, 5, false},        [ITERATIONS] = {"iter.", 6, 6, false},
    [RAW] = {"raw BER", 11, 11, false},    [BER] = {"BER", 11, 9, false},
    [STATUS] = {"ended by", 13, 12, true},
};

static unsigned shown_of(FILE *out, const lte_sweeps *sweeps)
{
    return lte_columns_shown(lte_terminal_columns(out),
                             DETECTOR_WIDTH + (sweeps->n > 1 ? CSI_WIDTH : 0), columns, N_COLUMNS);
}

static void put_csi(FILE *out, const lte_sweeps *sweeps, const char *text)
{
    if (sweeps->n > 1)
        (void)fprintf(out, " %-*s", CSI_WIDTH - 1, text);
}

/* A real by a format, or nothing. */
static void put(FILE *out, unsigned shown, int i, const char *format, double x)
{
    char text[32] = "";
    if (isfinite(x))
        (void)snprintf(text, sizeof text, format, x);
    lte_columns_put(out, shown, columns, i, "%s", text);
}

static void put_row(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, const lte_row *row)
{
    const unsigned shown = shown_of(out, sweeps);
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    const lte_interval first = lte_row_interval(sweep, row);
    (void)fprintf(out, "%-*s", DETECTOR_WIDTH, lte_detector_named(row->detector).text);
    put_csi(out, sweeps, lte_csi_rows[row->csi].name);
    put(out, shown, SNR, "%.2f", row->snr_db);
    put(out, shown, MEASURED, "%.2f", lte_row_snr_db(row));
    put(out, shown, BLOCKS, "%.0f", (double)of.blocks);
    put(out, shown, WRONG, "%.0f", (double)of.wrong_first);
    if (first.no_error)
        lte_columns_put(out, shown, columns, BLER, "no error");
    else
        put(out, shown, BLER, "%.4e", first.rate);
    put(out, shown, LOW, "%.4e", first.low);
    put(out, shown, HIGH, "%.4e", first.high);
    put(out, shown, LAST, "%.4e", of.last.rate);
    put(out, shown, RATE, "%.2f", 1e-6 * of.bits_per_s);
    put(out, shown, SHARE, "%.1f %%", 100.0 * of.bits_per_s / of.peak);
    put(out, shown, SENT, "%.2f", of.transmissions);
    put(out, shown, ITERATIONS, "%.2f", of.iterations);
    put(out, shown, RAW, "%.3e", of.raw_ber);
    put(out, shown, BER, "%.3e", of.ber);
    lte_columns_put(out, shown, columns, STATUS, "%s", lte_row_status_name(row->status));
    (void)fputc('\n', out);
}

void lte_report_bler_head(FILE *out, const lte_sweeps *sweeps)
{
    (void)fprintf(out, "\n%-*s", DETECTOR_WIDTH, "detector");
    put_csi(out, sweeps, "csi");
    lte_columns_heads(out, shown_of(out, sweeps), columns, N_COLUMNS);
}

void lte_report_bler_point(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int snr)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        if (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING)
            put_row(out, sweeps, sweep, row);
    }
}

void lte_report_bler_foot(FILE *out, const lte_sweeps *sweeps)
{
    uint64_t undetected = 0;
    for (int k = 0; k < sweeps->n; k++) {
        const lte_row *row;
        for (int i = 0; (row = lte_sweep_started(sweeps->of[k], i)); i++)
            undetected += row->counts[lte_coded_at(sweeps->of[k]->cut.n_tx, LTE_CODED_UNDETECTED)];
    }
    (void)fputs("BLER: after the first transmission; last BLER: after the last one; sent: "
                "transmissions per block;\niter.: decoder iterations per code block; raw BER: "
                "before decoding; BER: of the payload\n",
                out);
    if (undetected > 0)
        (void)fprintf(out, "undetected errors: %llu wrong blocks passed their CRC\n",
                      (unsigned long long)undetected);
}
