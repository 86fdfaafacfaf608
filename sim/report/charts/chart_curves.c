/* What kinds of charts share: curves with their lines, smooth lines, the gain. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/charts/chart_kinds.h"
#include "sim/report/results/words.h"

static lte_chart_point point_of(const lte_charted *of, const lte_charted_curve *curve, int i,
                                const lte_chart_columns *columns, bool logarithmic)
{
    const double nan = (double)NAN;
    lte_chart_point p = {lte_charted_real(of, curve, i, LTE_TABLE_SNR),
                         columns->scale * lte_charted_real(of, curve, i, columns->y), nan, nan};
    if (columns->low >= 0) {
        p.low = columns->scale * lte_charted_real(of, curve, i, columns->low);
        p.high = columns->scale * lte_charted_real(of, curve, i, columns->high);
    }
    if (logarithmic && !(p.y > 0.0))
        p.y = p.low = nan;
    return p;
}

lte_status lte_chart_line(const lte_charted *of, const lte_charted_curve *curve,
                          const lte_chart_columns *columns, lte_layer_kind kind, int style,
                          lte_chart *chart)
{
    lte_chart_layer *layer = lte_chart_add(chart, kind, curve->colour, style, curve->n);
    if (!layer)
        return chart->status;
    for (int i = 0; i < curve->n; i++) {
        const lte_chart_point p = point_of(of, curve, i, columns, chart->y_logarithmic);
        if (!isnan(p.y) || (kind == LTE_LAYER_MARKS && p.high > 0.0))
            layer->point[layer->n++] = p;
    }
    return LTE_OK;
}

lte_status lte_chart_curve(const lte_charted *of, const lte_charted_curve *curve,
                           const lte_chart_columns *columns, lte_layer_kind line, int style,
                           lte_chart *chart)
{
    lte_status status = LTE_OK;
    if (line != LTE_LAYER_MARKS)
        status = lte_chart_line(of, curve, columns, line, style, chart);
    return status ? status : lte_chart_line(of, curve, columns, LTE_LAYER_MARKS, style, chart);
}

void lte_chart_marks_keys(lte_chart *chart)
{
    bool bars = false, bounds = false;
    for (int i = 0; i < chart->n_layers; i++) {
        const lte_chart_layer *layer = &chart->layer[i];
        for (int k = 0; layer->kind == LTE_LAYER_MARKS && k < layer->n; k++) {
            bars = bars || !isnan(layer->point[k].low);
            bounds = bounds || isnan(layer->point[k].y);
        }
    }
    if (bars)
        lte_chart_key_add(chart, LTE_KEY_INTERVAL, LTE_CHART_INK, 0, "95 % interval");
    if (bounds)
        lte_chart_key_add(chart, LTE_KEY_BOUND, LTE_CHART_INK, 0, "no error seen: upper bound");
}

/* Whether the form has what the column has, wherever that has something. */
static bool meets(const lte_charted *of, const lte_charted_curve *curve, int column,
                  lte_chart_form *form, void *user)
{
    for (int i = 0; i < curve->n; i++) {
        const double there = lte_charted_real(of, curve, i, column);
        const double here = form(lte_charted_real(of, curve, i, LTE_TABLE_SNR), user);
        if (!isnan(there) && !(fabs(here - there) <= 1e-4 * there))
            return false;
    }
    return true;
}

bool lte_chart_smooth(const lte_charted *of, const lte_charted_curve *curve, int column,
                      lte_chart_form *form, void *user, lte_chart *chart, int colour, int style)
{
    int known = 0;
    for (int i = 0; i < curve->n; i++)
        known += !isnan(lte_charted_real(of, curve, i, column));
    const double low = lte_charted_real(of, curve, 0, LTE_TABLE_SNR);
    const double high = lte_charted_real(of, curve, curve->n - 1, LTE_TABLE_SNR);
    if (known < 2 || !(high > low))
        return false;
    const bool smooth = meets(of, curve, column, form, user);
    lte_chart_layer *layer =
        lte_chart_add(chart, LTE_LAYER_LINE, colour, style, smooth ? LTE_CHART_LINES : known);
    if (!layer)
        return false;
    for (int i = 0; i < (smooth ? LTE_CHART_LINES : curve->n); i++) {
        const double x = smooth ? low + (high - low) * i / (LTE_CHART_LINES - 1)
                                : lte_charted_real(of, curve, i, LTE_TABLE_SNR);
        const double y = smooth ? form(x, user) : lte_charted_real(of, curve, i, column);
        if (!isnan(y))
            layer->point[layer->n++] = (lte_chart_point){x, y, (double)NAN, (double)NAN};
    }
    return true;
}

/* The first rate of a measure at which a detector gains something, and that detector: the one that
 * gains most. */
static const json_t *find_gain(const json_t *at_rate, const char *measure, const json_t **first,
                               const json_t **csi)
{
    const json_t *best = NULL;
    for (size_t k = 0; k < json_array_size(at_rate) && !best; k++) {
        const json_t *of = json_array_get(at_rate, k);
        const json_t *detectors = json_object_get(of, "detectors");
        if (strcmp(lte_json_text(of, "measure"), measure) != 0)
            continue;
        *csi = of;
        *first = json_array_get(detectors, 0);
        for (size_t i = 1; i < json_array_size(detectors); i++) {
            const json_t *one = json_array_get(detectors, i);
            const double gain = lte_json_number(one, "gain_db");
            const double low = lte_json_number(one, "gain_low");
            if (gain > 0.0 && !(low <= 0.0) && (!best || gain > lte_json_number(best, "gain_db")))
                best = one;
        }
    }
    return best;
}

void lte_chart_gain(const lte_charted *of, const char *measure, lte_chart *chart)
{
    const json_t *first = NULL, *csi = NULL;
    char name[48];
    if (of->n > 1)
        return;
    const json_t *best =
        find_gain(json_object_get(of->result[0].run, "snr_at_rate"), measure, &first, &csi);
    const double rate = best ? lte_json_number(csi, "rate") : (double)NAN;
    if (!(rate > 0.0))
        return;
    chart->gain.x0 = lte_json_number(best, "snr_db");
    chart->gain.x1 = lte_json_number(first, "snr_db");
    chart->gain.y = rate;
    chart->gain.given = chart->gain.x1 > chart->gain.x0;
    (void)snprintf(chart->gain.text, sizeof chart->gain.text, "%s gains %.2f dB",
                   lte_printed_detector(lte_json_text(best, "detector"), name, sizeof name),
                   lte_json_number(best, "gain_db"));
    const double low = lte_json_number(best, "gain_low"), high = lte_json_number(best, "gain_high");
    const bool named = of->several_csi;
    if (low < high)
        lte_append(chart->gain.note, sizeof chart->gain.note, "%.2f to %.2f dB%s", low, high,
                   named ? ", " : "");
    if (named)
        lte_append(chart->gain.note, sizeof chart->gain.note, "%s",
                   lte_printed_csi(lte_json_text(csi, "csi"), name, sizeof name));
}
