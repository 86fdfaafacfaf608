/* The tables of a sweep; what a row says beside its counts is made in sim/jobs/sweep. */
#include "sim/report/tables/report.h"

#include <math.h>

#include "sim/jobs/sweep/gains.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/report/tables/terminal.h"
#include "sim/report/results/counted_words.h"
#include "sim/report/results/words.h"
#include "sim/jobs/workers/stop.h"

/* "zf - mmse" */
static int pair_width(const lte_sweeps *sweeps)
{
    return 2 * lte_detector_width(sweeps->of[0]->scenario) + 3;
}

/* The csi, where it tells several receivers apart. */
static const char *csi_of(const lte_sweeps *sweeps, int csi)
{
    return sweeps->n > 1 ? lte_csi_rows[csi].name : NULL;
}

/* What a stream has room for beside names of a width. */
static lte_shown shown_of(FILE *out, const lte_sweeps *sweeps, int width, const lte_columns *of,
                          int n)
{
    return lte_terminal_shown(out, width + (sweeps->n > 1 ? LTE_CSI_WIDTH : 0), of, n);
}

/* The heads of a table whose rows begin with names of a width. */
static void put_heads(FILE *out, const lte_sweeps *sweeps, int width, const char *what,
                      lte_shown shown, const lte_columns *of, int n)
{
    (void)fputc('\n', out);
    lte_terminal_names(out, width, what, sweeps->n > 1 ? "csi" : NULL);
    lte_terminal_heads(out, shown, of, n);
}

static void put_row(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, const lte_row *row)
{
    lte_cell cells[LTE_MOST_CELLS];
    const int width = lte_detector_width(sweep->scenario);
    int n;
    const lte_columns *of = lte_row_columns(sweep, &n);
    lte_row_cells(sweep, row, cells);
    lte_terminal_names(out, width, lte_detector_named(row->detector).text,
                       csi_of(sweeps, row->csi));
    lte_terminal_row(out, shown_of(out, sweeps, width, of, n), of, n, cells);
    (void)fputc('\n', out);
}

/* Paired differences of all points. */
static void put_pairs(FILE *out, lte_shown shown, const lte_sweeps *sweeps, const lte_sweep *sweep)
{
    for (int i = 0; i < sweep->n_started * (sweep->n_detectors - 1); i++) {
        const lte_pair *pair = &sweep->pairs[i];
        lte_cell cells[LTE_N_PAIRED];
        char name[140];
        if (pair->clusters == 0)
            continue;
        lte_paired_cells(sweep, pair, cells);
        (void)snprintf(name, sizeof name, "%s - %s", cells[LTE_PAIRED_A].text,
                       cells[LTE_PAIRED_B].text);
        lte_terminal_names(out, pair_width(sweeps), name, csi_of(sweeps, sweep->rows[pair->a].csi));
        lte_terminal_row(out, shown, &lte_paired_columns, LTE_N_PAIRED, cells);
        (void)fputc('\n', out);
    }
}

/* The differences of several detectors over common draws. */
static void put_differences(FILE *out, const lte_sweeps *sweeps)
{
    const lte_shown shown =
        shown_of(out, sweeps, pair_width(sweeps), &lte_paired_columns, LTE_N_PAIRED);
    if (sweeps->of[0]->n_detectors < 2 || sweeps->of[0]->n_started == 0)
        return;
    put_heads(out, sweeps, pair_width(sweeps), "paired, same slots", shown, &lte_paired_columns,
              LTE_N_PAIRED);
    for (int k = 0; k < sweeps->n; k++)
        put_pairs(out, shown, sweeps, sweeps->of[k]);
}

/* Loss of each detector with each estimate; "-" where a curve does not come down to the rate. */
static void put_losses(FILE *out, const lte_sweeps *sweeps)
{
    bool gains = false;
    lte_swept at;
    const int width = lte_detector_width(sweeps->of[0]->scenario);
    (void)fprintf(out, "\nloss against perfect CSI at BER 1e-2\n%-*s %-9s %7s\n", width, "detector",
                  "csi", "dB");
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        const double db = lte_loss_db(sweeps, at.k, at.d);
        if (!lte_csi_estimates(at.sweep->csi))
            continue;
        gains = gains || db < 0.0;
        (void)fprintf(out, "%-*s %-9s", width, lte_detector_named(at.detector).text,
                      lte_csi_rows[at.sweep->csi].name);
        (void)fprintf(out, isfinite(db) ? " %7.2f\n" : "       -\n", db);
    }
    if (gains)
        (void)fputs(
            "A loss below 0: estimation errors regularise the matrix that ZF inverts, which helps "
            "with correlated\nantennas; or the loss is smaller than its statistical uncertainty.\n",
            out);
}

/* Why there is no SNR, or no interval as narrow as was asked for. */
static void put_remark(FILE *out, const lte_sweep *sweep, const lte_found *found)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const char *rises = lte_scenario_target(sweep->scenario).noun;
    if (found->how == LTE_FOUND_BELOW)
        (void)fprintf(out, "  the %s is %s the target already at %g dB", rises ? rises : "rate",
                      rises ? "above" : "below", found->snr_db);
    else if (found->how == LTE_FOUND_ABOVE)
        (void)fprintf(out, "  the %s is still %s the target at %g dB", rises ? rises : "rate",
                      rises ? "below" : "above", found->snr_db);
    else if (found->how == LTE_FOUND_NODES)
        (void)fputs("  not found: it would be where the detector has no row", out);
    else if (found->how == LTE_FOUND_NOT)
        (void)fputs("  not found yet", out);
    else if (found->how == LTE_FOUND_SLOTS)
        (void)fprintf(out, "  wider than sweep.precision = %g: the search ended by sweep.max_slots",
                      rule->precision);
    (void)fputc('\n', out);
}

/* What a search has found: the SNR that each detector needs. */
static void put_found(FILE *out, const lte_sweeps *sweeps)
{
    const lte_columns *of = &lte_target_columns;
    const lte_shown shown = lte_terminal_shown(out, 0, of, LTE_N_TARGET);
    const int width = lte_detector_width(sweeps->of[0]->scenario);
    lte_swept at;
    char target[48];
    (void)fprintf(out, "\nSNR in dB at %s",
                  lte_search_target(sweeps->of[0], target, sizeof target));
    put_heads(out, sweeps, width, "detector", shown, of, LTE_N_TARGET);
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        lte_cell cells[LTE_N_TARGET];
        const lte_found found = lte_found_cells(&at, cells);
        lte_terminal_names(out, width, cells[LTE_TARGET_DETECTOR].text,
                           csi_of(sweeps, at.sweep->csi));
        lte_terminal_row(out, shown, of, LTE_N_TARGET, cells);
        put_remark(out, at.sweep, &found);
    }
}

/* Points that the sweeps have no row of. */
static void put_missing(FILE *out, const lte_sweeps *sweeps)
{
    const int missing = lte_sweeps_missing(sweeps);
    if (missing > 0)
        (void)fprintf(
            out, "%d point%s of the sweep not started: %s\n", missing, lte_plural(missing),
            lte_stop_signal                                    ? "interrupted"
            : sweeps->of[0]->scenario->sweep.max_seconds > 0.0 ? "sweep.max_seconds has passed"
                                                               : "the run did not get that far");
}

void lte_report_ber_head(FILE *out, const lte_sweeps *sweeps)
{
    const int width = lte_detector_width(sweeps->of[0]->scenario);
    int n;
    const lte_columns *of = lte_row_columns(sweeps->of[0], &n);
    put_heads(out, sweeps, width, "detector", shown_of(out, sweeps, width, of, n), of, n);
}

void lte_report_ber_point(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int snr)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        if (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING)
            put_row(out, sweeps, sweep, row);
    }
}

/* What stands below the rows of blocks. */
static void put_blocks_foot(FILE *out, const lte_sweeps *sweeps)
{
    uint64_t undetected = 0;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++)
        undetected += row->counts[lte_coded_at(sweep->cut.n_tx, LTE_CODED_UNDETECTED)];
    (void)fputs("BLER: after the first transmission; last BLER: after the last one; sent: "
                "transmissions per block;\niter.: decoder iterations per code block; raw BER: "
                "before decoding; BER: of the payload\n",
                out);
    if (undetected > 0)
        (void)fprintf(out, "undetected errors: %llu wrong blocks passed their CRC\n",
                      (unsigned long long)undetected);
    put_missing(out, sweeps);
}

/* What stands below the rows of bits. */
static void put_bits_foot(FILE *out, const lte_sweeps *sweeps)
{
    bool approximate = false, any_flagged = false, any_silent = false, misleading = false;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        if (row->error_count.clusters == 0)
            continue;
        approximate = approximate || (row->theory.known && !row->theory.exact);
        misleading = misleading || lte_row_misleads(sweep, row);
        any_flagged = any_flagged || row->counts[lte_flagged_at(sweep->scenario->n_tx)] > 0;
        any_silent = any_silent || row->counts[lte_silent_at(sweep->scenario->n_tx)] > 0;
    }
    if (approximate)
        (void)fputs(
            "~ approximate: exact SINR distribution, interference assumed Gaussian (within 6 %)\n",
            out);
    if (lte_sweep_has_llrs(sweeps->of[0]))
        (void)fputs(
            "GMI: mutual information of the LLRs as given, in bits per QAM symbol; best LLR x: the "
            "factor for the\nLLRs that maximises it; cut: LLRs outside the range of the integers\n",
            out);
    if (misleading)
        (void)fputs("! GMI is below 0, with its whole 95 % interval: such LLRs must not go to a "
                    "decoder.\n",
                    out);
    put_missing(out, sweeps);
    if (any_flagged)
        (void)fputs("Some matrices had no inverse; their symbols were detected as zero (column "
                    "flagged of ber.csv).\n",
                    out);
    if (any_silent)
        (void)fputs("Some layers were silent: their column of a channel matrix is zero (column "
                    "silent of ber.csv).\n",
                    out);
    int n, n_shown = 0, n_all = 0;
    const lte_columns *of = lte_row_columns(sweeps->of[0], &n);
    const lte_shown shown =
        shown_of(out, sweeps, lte_detector_width(sweeps->of[0]->scenario), of, n);
    for (int i = 0; i < n; i++) {
        n_shown += (int)(shown >> i & 1u);
        n_all += of->column[i].width > 0;
    }
    if (n_shown < n_all)
        (void)fputs("(The terminal is too narrow for all columns; ber.csv has them.)\n", out);
}

/* What stands below rows, by what they count. */
static const struct {
    void (*put)(FILE *out, const lte_sweeps *sweeps);
    void (*losses)(FILE *out, const lte_sweeps *sweeps); /* of receivers that estimate; or NULL */
} feet[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {put_bits_foot, put_losses},
    [LTE_COUNTED_LLRS] = {put_bits_foot, put_losses},
    [LTE_COUNTED_BLOCKS] = {put_blocks_foot, NULL},
};

void lte_report_ber_foot(FILE *out, const lte_sweeps *sweeps)
{
    const int counted = sweeps->of[0]->cut.counted;
    feet[counted].put(out, sweeps);
    put_differences(out, sweeps);
    if (lte_sweep_is_search(sweeps->of[0]))
        put_found(out, sweeps);
    if (lte_csi_estimates(sweeps->of[sweeps->n - 1]->csi) && feet[counted].losses)
        feet[counted].losses(out, sweeps);
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
