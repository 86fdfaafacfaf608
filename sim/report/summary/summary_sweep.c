/* Sweeps in a summary. */
#include "sim/report/summary/summary_parts.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/report/results/counted_words.h"
#include "sim/report/results/words.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/sweep/gains.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/search.h"
#include "sim/jobs/sweep/throughput.h"

enum { NAME = 32 };

static const char *name_of(const lte_sweep *sweep, int d, char *name)
{
    return lte_lines_detector(lte_sweep_row(sweep, d, 0)->detector, name, NAME);
}

/* ", dmrs-ls" where there are several receivers. */
static void put_csi(lte_lines *text, const lte_sweeps *sweeps, int k)
{
    if (sweeps->n > 1)
        lte_lines_add(text, "%s:", lte_csi_rows[sweeps->of[k]->csi].name);
}

/* Two digits behind the point; a third where the interval is as narrow as two steps of them. */
static int digits_of(const lte_snr_estimate *at)
{
    return at->high_db - at->low_db < 0.025 ? 3 : 2;
}

/* (1.60 to 1.70) */
static void put_interval(lte_lines *text, const lte_snr_estimate *at, const char *behind)
{
    const int digits = digits_of(at);
    if (isfinite(at->low_db) && isfinite(at->high_db))
        lte_lines_add(text, "(%.*f" LTE_BIND "to" LTE_BIND "%.*f)%s", digits, at->low_db, digits,
                      at->high_db, behind);
    else if (*behind)
        lte_lines_add(text, "%s", behind);
}

/* ---- gains ---- */

/* MMSE gains 1.65 dB (1.60 to 1.70) */
static void put_gain(lte_lines *text, const lte_sweep *sweep, int d, const lte_snr_estimate *gain,
                     const char *behind)
{
    char name[NAME];
    const lte_snr_estimate more = {-gain->db, -gain->high_db, -gain->low_db};
    (void)name_of(sweep, d, name);
    if (!isfinite(gain->db)) {
        lte_lines_add(text, "%s does not reach it%s", name, behind);
        return;
    }
    if (gain->db >= 0.0)
        lte_lines_add(text, "%s" LTE_BIND "gains %.*f" LTE_BIND "dB", name, digits_of(gain),
                      gain->db);
    else
        lte_lines_add(text, "%s" LTE_BIND "needs %.*f" LTE_BIND "dB more", name, digits_of(gain),
                      -gain->db);
    put_interval(text, gain->db >= 0.0 ? gain : &more, behind);
}

/* BER 1e-2 at 28.93 dB (ZF), 27.28 dB (MMSE): MMSE gains 1.65 dB (1.60 to 1.70); of a rate that
 * has been named (NULL) the gains alone */
static void put_gains(lte_lines *text, const lte_sweep *sweep, const lte_csi_gains *of,
                      const char *rate)
{
    const int n = sweep->n_detectors;
    char name[NAME];
    if (rate)
        lte_lines_add(text, "%s at", rate);
    for (int d = 0; d < n && rate; d++) {
        if (d > 0 && isfinite(of->at[d].db))
            lte_lines_add(text, ",");
        if (isfinite(of->at[d].db))
            lte_lines_add(text, "%.2f" LTE_BIND "dB", of->at[d].db);
        if (isfinite(of->at[d].db) && n > 1)
            lte_lines_add(text, "(%s)", name_of(sweep, d, name));
    }
    if (n > 1 && rate)
        lte_lines_add(text, n > 2 ? ";" : ":");
    if (n == 1 && rate)
        put_interval(text, &of->at[0], "");
    if (n > 2)
        lte_lines_add(text, "against %s:", name_of(sweep, 0, name));
    for (int d = 1; d < n; d++)
        put_gain(text, sweep, d, &of->gain[d], d < n - 1 ? "," : "");
}

static void put_rate_name(char *text, size_t size, const lte_sweeps *sweeps, lte_measure measure,
                          double rate)
{
    char digits[16];
    if (measure == LTE_MEASURE_INFORMATION) {
        (void)snprintf(text, size, "GMI" LTE_BIND "%g", rate);
        return;
    }
    const lte_counting *counting = lte_counting_of(sweeps->of[0]);
    if (counting->by_symbol)
        (void)lte_lines_rate(rate, 0, digits, sizeof digits);
    else
        (void)snprintf(digits, sizeof digits, "%g", rate);
    (void)snprintf(text, size, "%s" LTE_BIND "%s", counting->rate, digits);
}

/* Of the first csi SNRs and gains, of the others the gains, in a few lines. */
static void put_all_gains(lte_lines *text, const lte_sweeps *sweeps, lte_measure measure,
                          const lte_gains *gains)
{
    char rate[32];
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        const lte_csi_gains *of = &gains->of[k];
        if (sweep->n_started < 2 || (k > 0 && sweep->n_detectors < 2))
            continue;
        if (k > 0 && text->column > 0)
            lte_lines_add(text, ";");
        put_csi(text, sweeps, k);
        put_rate_name(rate, sizeof rate, sweeps, measure, of->rate);
        if (!isfinite(of->rate))
            lte_lines_add(text, "%s",
                          measure == LTE_MEASURE_INFORMATION
                              ? "the curves do not all reach half the bits of the modulation"
                              : lte_counted_words_of(sweep->scenario)->no_rate);
        else
            put_gains(text, sweep, of, k == 0 || of->rate != gains->of[0].rate ? rate : NULL);
    }
    lte_lines_end(text);
}

/* ---- receivers that estimate, against perfect CSI ---- */

enum { CSI_WIDTH = 15, SNR_WIDTH = 22, GAIN_WIDTH = 20 };

/* True if SNRs, losses and gains, all at one rate, fit into a small table, a row for each csi. */
static bool has_csi_table(const lte_sweeps *sweeps, const lte_gains *gains)
{
    bool one_rate = isfinite(gains->of[0].rate) && !lte_csi_estimates(sweeps->of[0]->csi);
    for (int k = 1; k < sweeps->n; k++)
        one_rate =
            one_rate && (!isfinite(gains->of[k].rate) || gains->of[k].rate == gains->of[0].rate);
    return sweeps->n > 1 && sweeps->of[0]->n_detectors <= 2 && one_rate;
}

/* "+1.35 (1.29 to 1.41)" */
static const char *with_interval(char *cell, size_t size, const lte_snr_estimate *of,
                                 const char *format)
{
    (void)snprintf(cell, size, isfinite(of->db) ? format : "-", of->db);
    if (isfinite(of->db) && isfinite(of->low_db) && isfinite(of->high_db))
        lte_append(cell, size, " (%.2f to %.2f)", of->low_db, of->high_db);
    return cell;
}

/* SNRs with perfect CSI, what estimates need more, and what the second detector gains. */
static void put_csi_table(lte_lines *text, const lte_sweeps *sweeps, const lte_gains *gains)
{
    const int n = sweeps->of[0]->n_detectors;
    char line[160] = "", rate[32], name[NAME], cell[64];
    put_rate_name(rate, sizeof rate, sweeps, LTE_MEASURE_ERRORS, gains->of[0].rate);
    for (char *c = rate; *c; c++)
        *c = (char)(*c == *LTE_BIND ? ' ' : *c);
    lte_append(line, sizeof line, "SNR at %-*s", CSI_WIDTH - 7, rate);
    for (int d = 0; d < n; d++)
        lte_append(line, sizeof line, "%*s", SNR_WIDTH, name_of(sweeps->of[0], d, name));
    if (n > 1)
        lte_append(line, sizeof line, "%*s gains (95 %%)", GAIN_WIDTH - 13,
                   name_of(sweeps->of[0], 1, name));
    lte_lines_line(text, line);
    for (int k = 0; k < sweeps->n; k++) {
        const lte_csi_gains *of = &gains->of[k];
        (void)snprintf(cell, sizeof cell, "%s%s", lte_csi_rows[sweeps->of[k]->csi].name,
                       k == 0 ? "" : " needs");
        (void)snprintf(line, sizeof line, "%-*s", CSI_WIDTH, cell);
        for (int d = 0; d < n; d++) {
            if (k == 0)
                (void)snprintf(cell, sizeof cell, isfinite(of->at[d].db) ? "%.2f dB" : "-",
                               of->at[d].db);
            else
                (void)with_interval(cell, sizeof cell, &of->loss[d], "%+.2f");
            lte_append(line, sizeof line, " %*s", SNR_WIDTH - 1, cell);
        }
        if (n > 1)
            lte_append(line, sizeof line, " %*s", GAIN_WIDTH - 1,
                       with_interval(cell, sizeof cell, &of->gain[1], "%.2f"));
        lte_lines_line(text, line);
    }
}

/* The same in sentences: what each estimate needs more. */
static void put_losses(lte_lines *text, const lte_sweeps *sweeps, const lte_gains *gains)
{
    char name[NAME], rate[32];
    for (int k = 1; k < sweeps->n && !lte_csi_estimates(sweeps->of[0]->csi); k++) {
        const lte_sweep *sweep = sweeps->of[k];
        const lte_csi_gains *of = &gains->of[k];
        if (!isfinite(of->rate))
            continue;
        put_rate_name(rate, sizeof rate, sweeps, LTE_MEASURE_ERRORS, of->rate);
        lte_lines_add(text, "%s needs more than perfect CSI at %s:", lte_csi_rows[sweep->csi].name,
                      rate);
        for (int d = 0; d < sweep->n_detectors; d++) {
            if (isfinite(of->loss[d].db))
                lte_lines_add(text, "%s" LTE_BIND "%.2f" LTE_BIND "dB", name_of(sweep, d, name),
                              of->loss[d].db);
            else
                lte_lines_add(text, "%s" LTE_BIND "-", name_of(sweep, d, name));
            put_interval(text, &of->loss[d], "");
            if (d < sweep->n_detectors - 1)
                lte_lines_add(text, ",");
        }
        lte_lines_end(text);
    }
}

/* ---- how sure ---- */

/* Two digits, or all of a whole number. */
static const char *percent_of(double x, char *text, size_t size)
{
    (void)snprintf(text, size, x < 99.5 ? "%.2g" : "%.0f", x);
    return text;
}

/* "BER +-0.1 to 10 %": half the intervals' widths over their rates, of those outside brackets. */
static void put_widths(lte_lines *text, const lte_sweeps *sweeps, bool brackets)
{
    double least = (double)INFINITY, most = 0.0;
    char low[16], high[16];
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        const lte_interval ber = lte_row_interval(sweep, row);
        if (!ber.known || lte_grid_is_few(&ber, row))
            continue;
        const double width = 100.0 * (exp(lte_interval_precision(&ber)) - 1.0);
        least = width > 0.0 ? fmin(least, width) : least;
        most = fmax(most, width);
    }
    const char *what = lte_counting_of(sweeps->of[0])->rate;
    if (most > 0.0)
        lte_lines_add(
            text, "95" LTE_BIND "%%" LTE_BIND "intervals: %s" LTE_BIND "+-%s to %s" LTE_BIND "%%%s",
            what, percent_of(least, low, sizeof low), percent_of(most, high, sizeof high),
            brackets ? " and brackets" : "");
    else
        lte_lines_add(text, "%s without 95" LTE_BIND "%% intervals: too few errors%s", what,
                      brackets ? "; 95" LTE_BIND "% intervals in brackets" : "");
}

/* Which of the gains have intervals; those that have not have groups without errors. */
typedef struct {
    bool some, missing;
} gain_intervals;

static gain_intervals intervals_of(const lte_sweeps *sweeps, const lte_gains *gains)
{
    gain_intervals have = {false, false};
    lte_swept at;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        const lte_csi_gains *of = &gains->of[at.k];
        const lte_snr_estimate *shown[] = {&of->gain[at.d], &of->loss[at.d], &of->at[at.d]};
        for (int n = 0; n < (at.sweep->n_detectors == 1 ? 3 : 2); n++) {
            have.some = have.some || isfinite(shown[n]->low_db);
            have.missing = have.missing || (isfinite(shown[n]->db) && !isfinite(shown[n]->low_db));
        }
    }
    return have;
}

/* How far those with an exact closed form are from it. */
static void put_theory(lte_lines *text, const lte_sweeps *sweeps)
{
    char name[LTE_CURVE_NAME];
    lte_swept at;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        double farthest = (double)NAN;
        for (int s = 0; s < at.sweep->n_started; s++)
            farthest = fmax(farthest, fabs(lte_row_z(lte_sweep_row(at.sweep, at.d, s))));
        if (isfinite(farthest))
            lte_lines_add(text, "; %s %s theory (z" LTE_BIND "%.1f)",
                          lte_lines_curve(sweeps, &at, name),
                          farthest <= LTE_ROW_Z_LIMIT ? "agrees with" : "DIFFERS FROM", farthest);
    }
}

static void put_marks(lte_lines *text, const lte_sweeps *sweeps, const lte_grid_marks *marks)
{
    if (marks->few)
        lte_lines_add(text, "; ( ): errors%s in under %d %s",
                      lte_counted_words_of(sweeps->of[0]->scenario)->few, LTE_GRID_FEW,
                      lte_drop_slots(sweeps->of[0]->scenario) > 1 ? "drops" : "slots");
    if (marks->bound)
        lte_lines_add(text, "; <:" LTE_BIND "in" LTE_BIND "none");
}

static void put_sureness(lte_lines *text, const lte_sweeps *sweeps, const lte_gains *gains,
                         const lte_grid_marks *marks, bool with_table)
{
    const gain_intervals have = intervals_of(sweeps, gains);
    put_widths(text, sweeps, have.some && !with_table);
    put_theory(text, sweeps);
    put_marks(text, sweeps, marks);
    if (have.missing)
        lte_lines_add(text, "; dB without an interval: too few errors");
    lte_lines_end(text);
}

/* ---- what else there is to know ---- */

static void put_flagged(lte_lines *text, const lte_sweeps *sweeps)
{
    unsigned long long flagged = 0, silent = 0;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        flagged += row->counts[lte_flagged_at(sweep->scenario->n_tx)];
        silent += row->counts[lte_silent_at(sweep->scenario->n_tx)];
    }
    if (flagged > 0)
        lte_lines_add(text,
                      "%llu matrices had no inverse and were detected as zero (column flagged)\n",
                      flagged);
    if (silent > 0)
        lte_lines_add(text, "%llu layers were silent, their column of H zero (column silent)\n",
                      silent);
}

static void put_missing(lte_lines *text, const lte_sweeps *sweeps, bool interrupted)
{
    const int missing = lte_sweeps_missing(sweeps);
    if (interrupted)
        lte_lines_add(text, "interrupted: what is here was counted until then;");
    if (missing > 0)
        lte_lines_add(text, "%d point%s of the sweep not begun%s", missing, lte_plural(missing),
                      interrupted ? ""
                      : sweeps->of[0]->scenario->sweep.max_seconds > 0.0
                          ? ": sweep.max_seconds is over"
                          : "");
    lte_lines_end(text);
}

/* ---- kinds of sweeps ---- */

/* The scale with which LLRs carry most information, and how many int8 clips, over the points. */
static void put_llrs(lte_lines *text, const lte_sweeps *sweeps)
{
    lte_llr_scale low = {(double)INFINITY, 0}, high = {0.0, 0};
    double least_cut = (double)INFINITY, most_cut = 0.0;
    char least[32], most[32];
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        if (row->error_count.clusters == 0)
            continue;
        const lte_row_information of = lte_row_information_of(sweep, row);
        low = of.best.s < low.s ? of.best : low;
        high = of.best.s > high.s ? of.best : high;
        least_cut = fmin(least_cut, of.cut);
        most_cut = fmax(most_cut, of.cut);
    }
    if (!(high.s > 0.0))
        return;
    lte_lines_add(
        text, "best LLR scale %s to %s (1 is exact); int8 clips %.1f to %.1f" LTE_BIND "%%",
        lte_llr_scale_text(&low, 2, least, sizeof least),
        lte_llr_scale_text(&high, 2, most, sizeof most), 100.0 * least_cut, 100.0 * most_cut);
    lte_lines_end(text);
}

/* Curves with rows whose LLRs mislead: they must not go to a decoder. */
static void put_misleading(lte_lines *text, const lte_sweeps *sweeps)
{
    lte_swept at;
    int n_curves = 0;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        char name[LTE_CURVE_NAME];
        int n = 0;
        for (int s = 0; s < at.sweep->n_started; s++) {
            const lte_row *row = lte_sweep_row(at.sweep, at.d, s);
            if (!lte_row_misleads(at.sweep, row))
                continue;
            low = fmin(low, row->snr_db);
            high = fmax(high, row->snr_db);
            n++;
        }
        if (n == 0)
            continue;
        lte_lines_add(text, n_curves++ == 0 ? "information below 0 (95" LTE_BIND
                                              "%%), LLRs must not go to a decoder:"
                                            : ";");
        lte_lines_add(text, "%s", lte_lines_curve(sweeps, &at, name));
        if (n > 1)
            lte_lines_add(text, "at %d SNRs from %g to %g" LTE_BIND "dB", n, low, high);
        else
            lte_lines_add(text, "at %g" LTE_BIND "dB", low);
    }
    if (n_curves > 0)
        lte_lines_end(text);
}

static void put_soft(lte_lines *text, const lte_sweeps *sweeps)
{
    const lte_gains gains = lte_gains_of(sweeps, LTE_MEASURE_INFORMATION);
    lte_lines_add(text, "GMI: mutual information of the LLRs, bits per QAM symbol, at most %d\n",
                  sweeps->of[0]->scenario->n_bits);
    (void)lte_grid_put(text, sweeps, LTE_GRID_INFORMATION, 0);
    put_all_gains(text, sweeps, LTE_MEASURE_INFORMATION, &gains);
    put_llrs(text, sweeps);
}

/* The point of the grid whose first curve is nearest to a BLER of 0.1. */
static int point_near(const lte_sweep *sweep)
{
    int nearest = 0;
    double least = (double)INFINITY;
    for (int s = 0; s < sweep->n_started; s++) {
        const lte_row *row = lte_sweep_row(sweep, 0, s);
        const double rate =
            row->error_count.clusters > 0 ? lte_interval_of(&row->error_count).rate : (double)NAN;
        const double distance = rate > 0.0 ? fabs(log(rate / 0.1)) : (double)INFINITY;
        if (distance < least) {
            least = distance;
            nearest = s;
        }
    }
    return nearest;
}

/* Mbit/s at 12 dB, peak 25.9: perfect ZF 22.7, MMSE 24.5; dmrs-mmse ZF 18.2, MMSE 21.2 */
static void put_throughput(lte_lines *text, const lte_sweeps *sweeps)
{
    const int s = point_near(sweeps->of[0]);
    char name[NAME];
    int n = 0;
    lte_swept at;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        const lte_row *row = lte_sweep_row(at.sweep, at.d, s);
        if (s >= at.sweep->n_started || row->error_count.clusters == 0)
            continue;
        const lte_row_blocks of = lte_row_blocks_of(at.sweep, row);
        if (n++ == 0)
            lte_lines_add(text, "Mbit/s at %g" LTE_BIND "dB, peak %.1f:", row->snr_db,
                          1e-6 * of.peak);
        else
            lte_lines_add(text, "%s", at.d == 0 ? ";" : ",");
        if (at.d == 0 && sweeps->n > 1)
            lte_lines_add(text, "%s", lte_csi_rows[at.sweep->csi].name);
        lte_lines_add(text, "%s" LTE_BIND "%.1f", name_of(at.sweep, at.d, name),
                      1e-6 * of.throughput.mean);
    }
    lte_lines_end(text);
}

/* What a search has found: the answer of such a run. */
static void put_found(lte_lines *text, const lte_sweeps *sweeps)
{
    char line[128], head[64], target[48], name[LTE_CURVE_NAME];
    const bool rises = lte_scenario_target(sweeps->of[0]->scenario).noun != NULL;
    lte_swept at;
    (void)snprintf(head, sizeof head, "SNR for %s, dB",
                   lte_search_target(sweeps->of[0], target, sizeof target));
    (void)snprintf(line, sizeof line, "%-20s %10s %18s %12s %7s", head, "", "95 % interval",
                   "closed form", "slots");
    lte_lines_line(text, line);
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        const lte_found found = lte_search_of(at.sweep, at.d);
        const bool known = lte_found_is_known(&found);
        char interval[32] = "-", theory[16] = "-";
        if (isfinite(found.low_db) && isfinite(found.high_db))
            (void)snprintf(interval, sizeof interval, "%.3f to %.3f", found.low_db, found.high_db);
        if (isfinite(found.theory_db))
            (void)snprintf(theory, sizeof theory, "%.3f", found.theory_db);
        (void)lte_lines_curve(sweeps, &at, name);
        if (known)
            (void)snprintf(line, sizeof line, "%-20s %10.3f %18s %12s %7llu", name, found.snr_db,
                           interval, theory, (unsigned long long)found.slots);
        else
            (void)snprintf(
                line, sizeof line, "%-20s %10s   %s", name, "-",
                found.how == LTE_FOUND_NOT     ? "not found yet"
                : found.how == LTE_FOUND_NODES ? "it would be where the detector has no row"
                : found.how == LTE_FOUND_BELOW
                    ? (rises ? "reached at the lowest SNR" : "not above it at the lowest SNR")
                : rises ? "not reached at the highest SNR"
                        : "above it at the highest SNR");
        lte_lines_line(text, line);
    }
}

static void put_search(lte_lines *text, const lte_sweeps *sweeps)
{
    const lte_sweep *sweep = sweeps->of[0];
    const bool information = lte_scenario_target(sweep->scenario).seeks == LTE_SEEKS_INFORMATION;
    const lte_gains gains =
        lte_gains_of(sweeps, information ? LTE_MEASURE_INFORMATION : LTE_MEASURE_ERRORS);
    put_found(text, sweeps);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 1; d < sweeps->of[k]->n_detectors && isfinite(gains.of[k].rate); d++) {
            put_csi(text, sweeps, k);
            put_gain(text, sweeps->of[k], d, &gains.of[k].gain[d], ";");
        }
    }
    lte_lines_add(text, "%d points tried from %g to %g dB\n", sweep->n_started,
                  sweep->scenario->sweep.snr_db[0],
                  sweep->scenario->sweep.snr_db[sweep->scenario->sweep.n_snr - 1]);
}

void lte_summary_sweeps(lte_lines *text, const lte_sweeps *sweeps, bool interrupted)
{
    if (sweeps->of[0]->n_started == 0) {
        put_missing(text, sweeps, interrupted);
        return;
    }
    if (lte_sweep_is_search(sweeps->of[0])) {
        put_search(text, sweeps);
        put_misleading(text, sweeps);
        put_flagged(text, sweeps);
        put_missing(text, sweeps, interrupted);
        return;
    }
    const lte_gains gains = lte_gains_of(sweeps, LTE_MEASURE_ERRORS);
    const bool with_table = has_csi_table(sweeps, &gains);
    if (with_table)
        put_csi_table(text, sweeps, &gains);
    else
        put_losses(text, sweeps, &gains);
    const lte_counted_words *words = lte_counted_words_of(sweeps->of[0]->scenario);
    if (words->measure[LTE_MEASURE_INFORMATION])
        put_soft(text, sweeps);
    const lte_grid_marks marks =
        lte_grid_put(text, sweeps, LTE_GRID_ERRORS, point_near(sweeps->of[0]));
    if (!with_table)
        put_all_gains(text, sweeps, LTE_MEASURE_ERRORS, &gains);
    if (words->delivers && !marks.throughput)
        put_throughput(text, sweeps);
    put_sureness(text, sweeps, &gains, &marks, with_table);
    put_misleading(text, sweeps);
    put_flagged(text, sweeps);
    put_missing(text, sweeps, interrupted);
}
