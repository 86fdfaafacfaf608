/* Charts of error rates, and of paired differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "phy/channel/channels.h"
#include "phy/detection/detectors.h"
#include "phy/estimation/csi.h"
#include "phy/theory/ber_theory.h"
#include "sim/files/refuse.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/results/words.h"
#include "sim/report/results/results.h"

/* ---- closed forms ---- */

/* What lte_ber_theory_of asks for. */
typedef struct {
    int detector, channel, csi, n_tx, n_rx, n_bits;
} form_of;

static form_of take_form(const json_t *scenario, const lte_charted_curve *curve)
{
    const lte_names channels = LTE_NAMES(lte_channel_rows), csis = LTE_NAMES(lte_csi_rows);
    lte_detector detector;
    const bool known = lte_detector_find(curve->detector, &detector);
    return (form_of){.detector = known ? detector.id : -1,
                     .channel = lte_name_find(&channels, lte_json_text(scenario, "channel.model")),
                     .csi = lte_name_find(&csis, curve->csi),
                     .n_tx = (int)lte_json_number(scenario, "antennas.tx"),
                     .n_rx = (int)lte_json_number(scenario, "antennas.rx"),
                     .n_bits = lte_charted_bits(scenario)};
}

static double closed_form(double snr_db, void *user)
{
    const form_of *f = user;
    lte_ber_theory theory = {false, false, (double)NAN};
    if (f->detector < 0 || f->channel < 0 || f->csi < 0 || f->n_bits < 2 ||
        lte_ber_theory_of(f->detector, f->channel, f->csi, f->n_tx, f->n_rx, f->n_bits,
                          pow(10.0, snr_db / 10.0), &theory) != LTE_OK)
        return (double)NAN;
    return theory.ber;
}

/* ---- the matched-filter bound ---- */

enum { BOUND_STYLE = 3 };

/*
 * What no detector of a folder can be below: the BER of a layer alone whose channel is known, all
 * antennas combined. Of one layer it is the closed form. By n_tx = 0: there is none.
 */
static form_of bound_form(const json_t *scenario, const lte_charted_curve *curve)
{
    form_of form = take_form(scenario, curve);
    form.detector = LTE_DETECTOR_mrc;
    form.csi = LTE_CSI_perfect;
    if (form.channel < 0 || lte_channel_rows[form.channel].form != LTE_FORM_RAYLEIGH ||
        lte_json_at(scenario, "channel.correlation") || form.n_tx < 2 || form.n_bits < 2)
        form.n_tx = 0;
    return form;
}

static double bound_at(double snr_db, const form_of *form)
{
    form_of alone = *form;
    alone.n_tx = 1;
    return closed_form(snr_db - 10.0 * log10(form->n_tx), &alone);
}

/* Adds it over the SNRs of a curve, unless it is there or there is none: then false. */
static bool add_bound(const lte_charted *of, const lte_charted_curve *curve, form_of *drawn,
                      lte_chart *chart)
{
    const form_of form = bound_form(of->result[curve->folder].scenario, curve);
    const double low = lte_charted_real(of, curve, 0, LTE_TABLE_SNR);
    const double high = lte_charted_real(of, curve, curve->n - 1, LTE_TABLE_SNR);
    if (form.n_tx == 0 || !(high > low) || memcmp(&form, drawn, sizeof form) == 0)
        return false;
    lte_chart_layer *layer =
        lte_chart_add(chart, LTE_LAYER_LINE, LTE_CHART_INK, BOUND_STYLE, LTE_CHART_LINES);
    for (int i = 0; layer && i < LTE_CHART_LINES; i++) {
        const double x = low + (high - low) * i / (LTE_CHART_LINES - 1);
        layer->point[layer->n++] =
            (lte_chart_point){x, bound_at(x, &form), (double)NAN, (double)NAN};
    }
    *drawn = form;
    return layer;
}

/* Whether a curve's closed form, if it has one, is exact: then its points have a z. */
static bool is_exact(const lte_charted *of, const lte_charted_curve *curve)
{
    for (int i = 0; i < curve->n; i++) {
        if (!isnan(lte_charted_real(of, curve, i, LTE_BER_Z)))
            return true;
    }
    return false;
}

/* Whether a name is one of "MMSE-max-log, MMSE". */
static bool is_named(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += n) {
        if ((at == names || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0'))
            return true;
    }
    return false;
}

/* Adds a name to those of approximations, "closed form (approximate: MMSE)". */
static void add_approximate(char *names, size_t size, const char *detector)
{
    char name[32];
    (void)lte_printed_detector(detector, name, sizeof name);
    if (!is_named(names, name))
        lte_append(names, size, "%s%s", *names ? ", " : "", name);
}

lte_status lte_chart_ber(lte_charted *of, lte_chart *chart)
{
    static const lte_chart_columns columns = {LTE_BER_BER, LTE_BER_LOW, LTE_BER_HIGH, 1.0};
    char approximate[64] = "", closed[120];
    bool any_closed = false, any_joined = false, any_bound = false;
    form_of bound = {.n_tx = 0};
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_ber(of);
    lte_charted_label(of, "bit error rate", "bit error rate", chart);
    chart->y_logarithmic = true;
    while (!status && lte_charted_next(of, &curve, chart)) {
        form_of form = take_form(of->result[curve.folder].scenario, &curve);
        const bool has = lte_chart_smooth(of, &curve, LTE_BER_THEORY, closed_form, &form, chart,
                                          curve.colour, curve.style);
        status = chart->status;
        if (!status)
            status = lte_chart_curve(of, &curve, &columns, has ? LTE_LAYER_MARKS : LTE_LAYER_JOINED,
                                     curve.style, chart);
        if (has && !is_exact(of, &curve))
            add_approximate(approximate, sizeof approximate, curve.detector);
        any_bound = (!status && add_bound(of, &curve, &bound, chart)) || any_bound;
        any_closed = any_closed || has;
        any_joined = any_joined || (!has && curve.n > 1);
    }
    if (status)
        return status;
    (void)snprintf(closed, sizeof closed, "closed form%s%s%s",
                   *approximate ? " (approximate: " : "", approximate, *approximate ? ")" : "");
    if (any_closed)
        lte_chart_key_add(chart, LTE_KEY_LINE, LTE_CHART_INK, 0, closed);
    if (any_bound)
        lte_chart_key_add(chart, LTE_KEY_LINE, LTE_CHART_INK, BOUND_STYLE, "matched-filter bound");
    if (any_joined)
        lte_chart_key_add(chart, LTE_KEY_JOINED, LTE_CHART_INK, 0, "points joined");
    lte_chart_marks_keys(chart);
    lte_chart_gain(of, "ber", chart);
    return LTE_OK;
}

/* ---- blocks ---- */

/* Whether blocks that were sent again came through: then the rates after the last transmission are
 * not those after the first. */
static bool has_last(const lte_charted *of, const lte_charted_curve *curve)
{
    for (int i = 0; i < curve->n; i++) {
        if (lte_charted_real(of, curve, i, LTE_BLER_WRONG) !=
            lte_charted_real(of, curve, i, LTE_BLER_WRONG_FIRST))
            return true;
    }
    return false;
}

lte_status lte_chart_bler(lte_charted *of, lte_chart *chart)
{
    static const lte_chart_columns first = {LTE_BLER_BLER, LTE_BLER_LOW, LTE_BLER_HIGH, 1.0};
    static const lte_chart_columns last = {LTE_BLER_LAST, LTE_BLER_LAST_LOW, LTE_BLER_LAST_HIGH,
                                           1.0};
    bool any_last = false;
    lte_charted_curve curve = {.place = -1};
    lte_status status = lte_charted_table(of, &lte_bler_columns);
    lte_charted_label(of, "block error rate", "block error rate", chart);
    chart->y_logarithmic = true;
    while (!status && lte_charted_next(of, &curve, chart)) {
        status = lte_chart_curve(of, &curve, &first, LTE_LAYER_JOINED, curve.style, chart);
        if (!status && has_last(of, &curve)) {
            any_last = true;
            status = lte_chart_curve(of, &curve, &last, LTE_LAYER_JOINED,
                                     curve.style + LTE_CHART_STYLES, chart);
        }
    }
    if (status)
        return status;
    if (any_last)
        lte_chart_key_add(chart, LTE_KEY_CURVE, LTE_CHART_INK, LTE_CHART_STYLES,
                          "open: after the last transmission");
    lte_chart_marks_keys(chart);
    lte_chart_gain(of, "bler", chart);
    return LTE_OK;
}

/* ---- paired differences ---- */

/* The rate of the first detector, of which a difference is a share. */
static double rate_at(const lte_result *result, const json_t *pair)
{
    const lte_curve *curve = lte_curve_find(result->curve, result->n_curves,
                                            lte_json_text(pair, "a"), lte_json_text(pair, "csi"));
    const double snr = lte_json_number(pair, "snr_db");
    const int row = curve ? lte_curve_row(&result->ber, curve, snr) : -1;
    return row >= 0 ? lte_table_real(&result->ber, row, LTE_BER_BER) : (double)NAN;
}

/* The points of one detector against the first. */
static void add_pairs(const lte_result *result, const lte_charted_curve *curve,
                      lte_chart_layer *marks)
{
    const json_t *pairs = json_object_get(result->run, "paired");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const double share = -100.0 / rate_at(result, pair); /* below 0: fewer than the first */
        if (strcmp(lte_json_text(pair, "b"), curve->detector) != 0 ||
            strcmp(lte_json_text(pair, "csi"), curve->csi) != 0 ||
            strcmp(lte_json_text(pair, "a"), lte_table_text(&result->ber, 0, LTE_BER_DETECTOR)) !=
                0 ||
            !isfinite(share))
            continue;
        marks->point[marks->n++] = (lte_chart_point){
            lte_json_number(pair, "snr_db"), share * lte_json_number(pair, "ber_difference"),
            share * lte_json_number(pair, "high"), share * lte_json_number(pair, "low")};
    }
}

lte_status lte_chart_paired(lte_charted *of, lte_chart *chart)
{
    char name[32];
    int n = 0;
    const lte_result *result = &of->result[0];
    const int most = (int)json_array_size(json_object_get(result->run, "paired"));
    lte_charted_curve curve = {.place = -1};
    while (lte_charted_next(of, &curve, NULL)) {
        lte_chart_layer *marks =
            lte_chart_add(chart, LTE_LAYER_MARKS, curve.colour, curve.style, most);
        if (!marks)
            return chart->status;
        add_pairs(result, &curve, marks);
        n += marks->n;
    }
    if (n == 0)
        return lte_refuse(
            "%s: has no paired differences: they need two detectors over common slots",
            result->dir);
    (void)snprintf(
        chart->y_label, sizeof chart->y_label, "errors against %s (%%)",
        lte_printed_detector(lte_table_text(&result->ber, 0, LTE_BER_DETECTOR), name, sizeof name));
    return LTE_OK;
}
