/* The tables of a sweep; what a row says beside its counts is made in sim/jobs/sweep. */
#include "sim/report/tables/report.h"

#include <math.h>

#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/gains.h"
#include "sim/report/tables/terminal.h"
#include "sim/jobs/workers/stop.h"
#include "phy/theory/ber_theory.h"

enum { DETECTOR_WIDTH = 9, CSI_WIDTH = 10, PAIR_WIDTH = 21 };

/* The columns of a row beside the detector and, of several receivers, the csi. */
enum { SNR, MEASURED, EB_N0, BITS, ERRORS, BER, LOW, HIGH, THEORY, Z, STATUS, N_HARD_COLUMNS };
enum { GMI = N_HARD_COLUMNS, GMI_LOW, GMI_HIGH, SCALE, CUT, N_COLUMNS }; /* of LLRs */
static const lte_table_column columns[N_COLUMNS] = {
    [SNR] = {"SNR dB", 8, 0, false},
    [MEASURED] = {"meas.", 8, 8, false},
    [EB_N0] = {"Eb/N0", 8, 9, false},
    [BITS] = {"bits", 13, 7, false},
    [ERRORS] = {"errors", 11, 5, false},
    [BER] = {"BER", 12, 0, false},
    [LOW] = {"95 % low", 12, 1, false},
    [HIGH] = {"95 % high", 12, 2, false},
    [THEORY] = {"closed form ", 13, 3, false}, /* the last place is for a mark */
    [Z] = {"z", 7, 4, false},
    [STATUS] = {"ended by", 13, 6, true},
    [GMI] = {"GMI", 9, 0, false},
    [GMI_LOW] = {"95 % low", 10, 2, false},
    [GMI_HIGH] = {"95 % high", 10, 3, false},
    [SCALE] = {"best LLR x", 12, 4, false},
    [CUT] = {"cut", 10, 5, false},
};

/* Columns that the sweeps have. */
static int columns_of(const lte_sweeps *sweeps)
{
    return lte_sweep_is_soft(sweeps->of[0]) ? N_COLUMNS : N_HARD_COLUMNS;
}

/* Those of a paired difference. */
enum { PAIR_SNR, SLOTS, DIFFERENCE, PAIR_LOW, PAIR_HIGH, N_PAIR_COLUMNS };
static const lte_table_column pair_columns[N_PAIR_COLUMNS] = {
    [PAIR_SNR] = {"SNR dB", 8, 0, false},        [SLOTS] = {"slots", 9, 3, false},
    [DIFFERENCE] = {"difference", 12, 0, false}, [PAIR_LOW] = {"95 % low", 12, 1, false},
    [PAIR_HIGH] = {"95 % high", 12, 2, false},
};

/* What a stream has room for beside the names. */
static unsigned shown_of(FILE *out, const lte_sweeps *sweeps)
{
    return lte_columns_shown(lte_terminal_columns(out),
                             DETECTOR_WIDTH + (sweeps->n > 1 ? CSI_WIDTH : 0), columns,
                             columns_of(sweeps));
}

/* The column that tells several receivers apart; none of a single one. */
static void put_csi(FILE *out, const lte_sweeps *sweeps, const char *text)
{
    if (sweeps->n > 1)
        (void)fprintf(out, " %-*s", CSI_WIDTH - 1, text);
}

/* A real, or nothing if it is unknown. */
static void put_real(FILE *out, unsigned shown, const lte_table_column *list, int i, double x)
{
    if (isfinite(x))
        lte_columns_put(out, shown, list, i, "%.4e", x);
    else
        lte_columns_put(out, shown, list, i, "%s", "");
}

/* The same of two decimals, of a row. */
static void put_plain(FILE *out, unsigned shown, int i, double x)
{
    if (isfinite(x))
        lte_columns_put(out, shown, columns, i, "%.2f", x);
    else
        lte_columns_put(out, shown, columns, i, "%s", "");
}

/* What LLRs are worth. */
static void put_information(FILE *out, unsigned shown, const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_information of = lte_row_information_of(sweep, row);
    const double x[] = {of.bits, of.low, of.high, of.best_scale};
    for (int i = GMI; i <= SCALE; i++) {
        if (isfinite(x[i - GMI]))
            lte_columns_put(out, shown, columns, i, "%.3f", x[i - GMI]);
        else
            lte_columns_put(out, shown, columns, i, "%s", "");
    }
    lte_columns_put(out, shown, columns, CUT, "%.2g %%", 100.0 * of.cut);
}

static void put_row(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, const lte_row *row)
{
    const unsigned shown = shown_of(out, sweeps);
    const lte_interval ber = lte_row_interval(sweep, row);
    (void)fprintf(out, "%-*s", DETECTOR_WIDTH, lte_detector_named(row->detector).text);
    put_csi(out, sweeps, lte_csi_rows[row->csi].name);
    put_plain(out, shown, SNR, row->snr_db);
    put_plain(out, shown, MEASURED, lte_row_snr_db(row));
    put_plain(out, shown, EB_N0,
              lte_eb_n0_db(sweep->scenario->n_tx, sweep->scenario->n_bits, row->snr_db));
    lte_columns_put(out, shown, columns, BITS, "%llu", (unsigned long long)lte_row_bits(row));
    lte_columns_put(out, shown, columns, ERRORS, "%llu",
                    (unsigned long long)row->error_count.errors);
    if (ber.no_error)
        lte_columns_put(out, shown, columns, BER, "no error");
    else
        put_real(out, shown, columns, BER, ber.rate);
    put_real(out, shown, columns, LOW, ber.low);
    put_real(out, shown, columns, HIGH, ber.high);
    if (row->theory.known)
        lte_columns_put(out, shown, columns, THEORY, "%.4e%c", row->theory.ber,
                        row->theory.exact ? ' ' : '~');
    else
        lte_columns_put(out, shown, columns, THEORY, "%s", "");
    put_plain(out, shown, Z, lte_row_z(row));
    lte_columns_put(out, shown, columns, STATUS, "%s", lte_row_status_name(row->status));
    if (lte_sweep_is_soft(sweep))
        put_information(out, shown, sweep, row);
    (void)fputc('\n', out);
}

/* Paired differences of all points. */
static void put_pairs(FILE *out, unsigned shown, const lte_sweeps *sweeps, const lte_sweep *sweep)
{
    for (int s = 0; s < sweep->n_started; s++) {
        for (int d = 1; d < sweep->n_detectors; d++) {
            const lte_pair *pair = &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + d - 1];
            const lte_row *a = &sweep->rows[pair->a], *b = &sweep->rows[pair->b];
            const lte_interval gap = lte_pair_interval(sweep, pair);
            char name[64];
            if (pair->clusters == 0)
                continue;
            (void)snprintf(name, sizeof name, "%s - %s", lte_detector_named(a->detector).text,
                           lte_detector_named(b->detector).text);
            (void)fprintf(out, "%-*s", PAIR_WIDTH, name);
            put_csi(out, sweeps, lte_csi_rows[a->csi].name);
            lte_columns_put(out, shown, pair_columns, PAIR_SNR, "%.2f", a->snr_db);
            lte_columns_put(out, shown, pair_columns, SLOTS, "%llu",
                            (unsigned long long)pair->slots);
            put_real(out, shown, pair_columns, DIFFERENCE, gap.rate);
            put_real(out, shown, pair_columns, PAIR_LOW, gap.known ? gap.low : (double)NAN);
            put_real(out, shown, pair_columns, PAIR_HIGH, gap.known ? gap.high : (double)NAN);
            (void)fputc('\n', out);
        }
    }
}

/* The differences of several detectors over common draws. */
static void put_differences(FILE *out, const lte_sweeps *sweeps)
{
    const unsigned shown =
        lte_columns_shown(lte_terminal_columns(out), PAIR_WIDTH + (sweeps->n > 1 ? CSI_WIDTH : 0),
                          pair_columns, N_PAIR_COLUMNS);
    if (sweeps->of[0]->n_detectors < 2 || sweeps->of[0]->n_started == 0)
        return;
    (void)fprintf(out, "\n%-*s", PAIR_WIDTH, "paired, same slots");
    put_csi(out, sweeps, "csi");
    lte_columns_heads(out, shown, pair_columns, N_PAIR_COLUMNS);
    for (int k = 0; k < sweeps->n; k++)
        put_pairs(out, shown, sweeps, sweeps->of[k]);
}

/* Loss of each detector with each estimate; "-" where a curve does not come down to the rate. */
static void put_losses(FILE *out, const lte_sweeps *sweeps)
{
    bool gains = false;
    (void)fprintf(out, "\nloss against perfect CSI at BER 1e-2\n%-9s %-9s %7s\n", "detector", "csi",
                  "dB");
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        if (!lte_csi_estimates(sweep->csi))
            continue;
        for (int d = 0; d < sweep->n_detectors; d++) {
            const double db = lte_loss_db(sweeps, k, d);
            gains = gains || db < 0.0;
            (void)fprintf(out, "%-9s %-9s",
                          lte_detector_named(lte_sweep_row(sweep, d, 0)->detector).text,
                          lte_csi_rows[sweep->csi].name);
            if (isfinite(db))
                (void)fprintf(out, " %7.2f\n", db);
            else
                (void)fprintf(out, " %7s\n", "-");
        }
    }
    if (gains)
        (void)fputs(
            "A loss below 0: estimation errors regularise the matrix that ZF inverts, which helps "
            "with correlated\nantennas; or the loss is smaller than its statistical uncertainty.\n",
            out);
}

/* Points that the sweeps have no row of. */
static void put_missing(FILE *out, const lte_sweeps *sweeps)
{
    int missing = 0;
    for (int k = 0; k < sweeps->n; k++)
        missing += sweeps->of[k]->n_points - sweeps->of[k]->n_started;
    if (missing > 0)
        (void)fprintf(
            out, "%d point%s of the sweep not started: %s\n", missing, missing == 1 ? "" : "s",
            lte_stop_signal                                    ? "interrupted"
            : sweeps->of[0]->scenario->sweep.max_seconds > 0.0 ? "sweep.max_seconds has passed"
                                                               : "the run did not get that far");
}

void lte_report_ber_head(FILE *out, const lte_sweeps *sweeps)
{
    if (lte_sweep_is_coded(sweeps->of[0])) {
        lte_report_bler_head(out, sweeps);
        return;
    }
    (void)fprintf(out, "\n%-*s", DETECTOR_WIDTH, "detector");
    put_csi(out, sweeps, "csi");
    lte_columns_heads(out, shown_of(out, sweeps), columns, columns_of(sweeps));
}

void lte_report_ber_point(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int snr)
{
    if (lte_sweep_is_coded(sweep)) {
        lte_report_bler_point(out, sweeps, sweep, snr);
        return;
    }
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        if (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING)
            put_row(out, sweeps, sweep, row);
    }
}

void lte_report_ber_foot(FILE *out, const lte_sweeps *sweeps)
{
    bool approximate = false, any_flagged = false, estimates = false;
    if (lte_sweep_is_coded(sweeps->of[0])) {
        lte_report_bler_foot(out, sweeps);
        put_missing(out, sweeps);
        put_differences(out, sweeps);
        if (lte_sweep_is_search(sweeps->of[0]))
            lte_report_found(out, sweeps);
        return;
    }
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        estimates = estimates || lte_csi_estimates(sweep->csi);
        const lte_row *row;
        for (int i = 0; (row = lte_sweep_started(sweep, i)); i++) {
            if (row->error_count.clusters == 0)
                continue;
            approximate = approximate || (row->theory.known && !row->theory.exact);
            any_flagged = any_flagged || row->counts[lte_flagged_at(sweep->scenario->n_tx)] > 0;
        }
    }
    if (approximate)
        (void)fputs(
            "~ approximate: exact SINR distribution, interference assumed Gaussian (within 6 %)\n",
            out);
    if (lte_sweep_is_soft(sweeps->of[0]))
        (void)fputs(
            "GMI: mutual information of the LLRs as given, in bits per QAM symbol; best LLR x: the "
            "factor for the\nLLRs that maximises it; cut: LLRs outside the range of the integers\n",
            out);
    put_missing(out, sweeps);
    if (any_flagged)
        (void)fputs("Some matrices had no inverse; their symbols were detected as zero (column "
                    "flagged of ber.csv).\n",
                    out);
    if (shown_of(out, sweeps) != (1u << columns_of(sweeps)) - 1)
        (void)fputs("(The terminal is too narrow for all columns; ber.csv has them.)\n", out);
    put_differences(out, sweeps);
    if (lte_sweep_is_search(sweeps->of[0]))
        lte_report_found(out, sweeps);
    if (estimates)
        put_losses(out, sweeps);
}

void lte_report_ber(FILE *out, const lte_sweeps *sweeps)
{
    lte_report_ber_head(out, sweeps);
    for (int k = 0; k < sweeps->n; k++) {
        for (int snr = 0; snr < sweeps->of[k]->n_started; snr++)
            lte_report_ber_point(out, sweeps, sweeps->of[k], snr);
    }
    lte_report_ber_foot(out, sweeps);
}
