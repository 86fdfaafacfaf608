/* Charts of what comes through: mutual information, throughput, the best MCS. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "phy/theory/information.h"
#include "sim/files/refuse.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/results.h"

/* ---- mutual information ---- */

/* n_rx / n_tx: a layer that uses all receive antennas alone has snr times it. */
typedef struct {
    double antennas;
    int n_bits;
} limit_of;

static double limit_of_qam(double snr_db, void *user)
{
    const limit_of *of = user;
    return lte_information_limit(of->n_bits, of->antennas * pow(10.0, snr_db / 10.0));
}

static double limit_of_shannon(double snr_db, void *user)
{
    const limit_of *of = user;
    return log2(1.0 + of->antennas * pow(10.0, snr_db / 10.0));
}

/* The limits of a folder, over the SNRs of its first curve. */
static bool add_limits(const lte_charted *of, const lte_charted_curve *curve, lte_chart *chart)
{
    const json_t *scenario = of->result[curve->folder].scenario;
    limit_of limit = {lte_json_number(scenario, "antennas.rx") /
                          lte_json_number(scenario, "antennas.tx"),
                      lte_charted_bits(scenario)};
    const bool qam = lte_chart_smooth(of, curve, LTE_BER_GMI_LIMIT, limit_of_qam, &limit, chart,
                                      LTE_CHART_INK, 0);
    return lte_chart_smooth(of, curve, LTE_BER_SHANNON, limit_of_shannon, &limit, chart,
                            LTE_CHART_INK, 1) &&
           qam;
}

lte_status lte_chart_rate(lte_charted *of, lte_chart *chart)
{
    static const lte_chart_columns columns = {LTE_BER_GMI, LTE_BER_GMI_LOW, LTE_BER_GMI_HIGH, 1.0};
    int limits = 0, folder = -1;
    double most = 0.0;
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_ber(of);
    for (int r = 0; r < of->n && !status; r++) {
        if (of->table[r].n_columns <= LTE_BER_SHANNON)
            status =
                lte_refuse("%s: has no LLRs: a run with output = \"llr\" has", of->result[r].dir);
    }
    lte_charted_label(of, "mutual information of the LLRs", "bits per QAM symbol", chart);
    while (!status && lte_charted_next(of, &curve, chart)) {
        if (curve.folder != folder)
            limits += add_limits(of, &curve, chart);
        folder = curve.folder;
        for (int i = 0; i < curve.n; i++)
            most = fmax(most, lte_charted_real(of, &curve, i, LTE_BER_GMI_LIMIT));
        status = chart->status
                     ? chart->status
                     : lte_chart_curve(of, &curve, &columns, LTE_LAYER_JOINED, curve.style, chart);
    }
    if (status)
        return status;
    if (limits)
        lte_chart_key_add(chart, LTE_KEY_LINE, LTE_CHART_INK, 0,
                          "constellation-constrained capacity");
    if (limits)
        lte_chart_key_add(chart, LTE_KEY_LINE, LTE_CHART_INK, 1, "Shannon limit of a single layer");
    lte_chart_marks_keys(chart);
    chart->y_most = 1.1 * most;
    return LTE_OK;
}

/* ---- throughput ---- */

lte_status lte_chart_throughput(lte_charted *of, lte_chart *chart)
{
    static const lte_chart_columns sent = {LTE_BLER_BITS_PER_S, LTE_BLER_BITS_LOW,
                                           LTE_BLER_BITS_HIGH, 1e-6};
    static const lte_chart_columns peak = {LTE_BLER_PEAK, -1, -1, 1e-6};
    int drawn = -1;
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_table(of, &lte_bler_columns);
    lte_charted_label(of, "throughput", "throughput (Mbit/s)", chart);
    while (!status && lte_charted_next(of, &curve, chart)) {
        lte_charted_curve limit = curve;
        limit.colour = LTE_CHART_INK;
        if (curve.style > drawn) /* once for each folder and csi, with their dash */
            status = lte_chart_line(of, &limit, &peak, LTE_LAYER_LINE, curve.style, chart);
        drawn = curve.style > drawn ? curve.style : drawn;
        if (!status)
            status = lte_chart_curve(of, &curve, &sent, LTE_LAYER_JOINED, curve.style, chart);
    }
    if (status)
        return status;
    lte_chart_key_add(chart, LTE_KEY_LINE, LTE_CHART_INK, 0, "without block errors");
    lte_chart_marks_keys(chart);
    return LTE_OK;
}

/* ---- the best fixed MCS ---- */

/* The throughput of one MCS in the background: the curves of its table. */
static lte_status add_one_mcs(const char *dir, lte_chart *chart)
{
    static const lte_chart_columns sent = {LTE_BLER_BITS_PER_S, -1, -1, 1e-6};
    const char *const dirs[] = {dir};
    lte_charted one;
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_read(dirs, 1, &one);
    const bool there = !status && one.result[0].bler.text;
    if (there)
        status = lte_charted_table(&one, &lte_bler_columns);
    while (there && !status && lte_charted_next(&one, &curve, NULL)) {
        curve.colour = LTE_CHART_FAINT;
        status = lte_chart_line(&one, &curve, &sent, LTE_LAYER_FAINT, 0, chart);
    }
    lte_charted_free(&one);
    return status;
}

/* Those of all runs of a list that have one. */
static lte_status add_every_mcs(const char *dir, lte_chart *chart)
{
    char folder[PATH_MAX + 32];
    int *mcs, n;
    lte_status status = lte_mcs_list(dir, &mcs, &n);
    for (int i = 0; i < n && !status; i++) {
        (void)snprintf(folder, sizeof folder, "%.*s/mcs_%d", PATH_MAX, dir, mcs[i]);
        status = add_one_mcs(folder, chart);
    }
    free(mcs);
    return status;
}

/* The MCS beside each point at which it changes. */
static bool add_words(const lte_charted *of, const lte_charted_curve *curve, lte_chart *chart)
{
    double before = -1.0;
    if (!lte_chart_words(chart, curve->n))
        return false;
    for (int i = 0; i < curve->n; i++) {
        const double mcs = lte_charted_real(of, curve, i, LTE_ENVELOPE_MCS);
        if (mcs == before)
            continue;
        before = mcs;
        lte_chart_word *word = &chart->word[chart->n_words++];
        *word =
            (lte_chart_word){.x = lte_charted_real(of, curve, i, LTE_TABLE_SNR),
                             .y = 1e-6 * lte_charted_real(of, curve, i, LTE_ENVELOPE_BITS_PER_S),
                             .colour = curve->colour,
                             .above = curve->colour % 2 == 1};
        (void)snprintf(word->text, sizeof word->text, "%g", mcs);
    }
    return true;
}

lte_status lte_chart_adaptation(lte_charted *of, lte_chart *chart)
{
    static const lte_chart_columns best = {LTE_ENVELOPE_BITS_PER_S, LTE_ENVELOPE_BITS_LOW,
                                           LTE_ENVELOPE_BITS_HIGH, 1e-6};
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_table(of, &lte_envelope_columns);
    lte_charted_label(of, "throughput with the best fixed MCS",
                      "throughput, best fixed MCS (Mbit/s)", chart);
    for (int r = 0; r < of->n && !status; r++)
        status = add_every_mcs(of->result[r].dir, chart);
    const bool single = chart->n_layers > 0;
    while (!status && lte_charted_next(of, &curve, chart)) {
        status = lte_chart_curve(of, &curve, &best, LTE_LAYER_LINE, curve.style, chart);
        if (!status && !add_words(of, &curve, chart))
            status = chart->status;
    }
    if (status)
        return status;
    if (single)
        lte_chart_key_add(chart, LTE_KEY_JOINED, LTE_CHART_FAINT, 0, "a single MCS");
    lte_chart_marks_keys(chart);
    lte_chart_key_add(chart, LTE_KEY_NOTE, LTE_CHART_INK, 0,
                      "number: MCS, where it changes and has room");
    return LTE_OK;
}
