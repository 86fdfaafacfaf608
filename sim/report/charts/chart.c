/* The memory and the ranges of a chart. */
#include "sim/report/charts/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lte_chart_layer *lte_chart_add(lte_chart *chart, lte_layer_kind kind, int colour, int style,
                               int room)
{
    lte_chart_point *point = calloc((size_t)room + 1, sizeof *point);
    if (chart->n_layers == chart->room) {
        const int more = chart->room ? 2 * chart->room : 16;
        lte_chart_layer *layer = realloc(chart->layer, (size_t)more * sizeof *layer);
        if (layer) {
            chart->layer = layer;
            chart->room = more;
        }
    }
    if (!point || chart->n_layers == chart->room) {
        free(point);
        chart->status = LTE_FAIL(LTE_ENOMEM, "no memory for a curve of %d points", room);
        return NULL;
    }
    lte_chart_layer *layer = &chart->layer[chart->n_layers++];
    *layer = (lte_chart_layer){.kind = kind, .colour = colour, .style = style, .point = point};
    return layer;
}

bool lte_chart_words(lte_chart *chart, int n)
{
    lte_chart_word *word =
        realloc(chart->word, (size_t)(chart->n_words + n + 1) * sizeof *chart->word);
    if (!word) {
        chart->status = LTE_FAIL(LTE_ENOMEM, "no memory for %d words", n);
        return false;
    }
    chart->word = word;
    return true;
}

void lte_chart_key_add(lte_chart *chart, lte_chart_key_kind kind, int colour, int style,
                       const char *name)
{
    if (chart->n_keys == LTE_CHART_KEYS)
        return;
    lte_chart_key *key = &chart->key[chart->n_keys++];
    *key = (lte_chart_key){.kind = kind, .colour = colour, .style = style};
    (void)snprintf(key->name, sizeof key->name, "%s", name);
}

/* ---- ranges ---- */

typedef struct {
    double x_low, x_high, y_low, y_high;
} extent;

static void extend(extent *e, double x, double y)
{
    e->x_low = fmin(e->x_low, x);
    e->x_high = fmax(e->x_high, x);
    e->y_low = fmin(e->y_low, y); /* a NAN changes nothing */
    e->y_high = fmax(e->y_high, y);
}

/* Closed forms may leave the picture; what was measured may not, but for an interval that goes down
 * by more than half a decade. */
static extent extent_of(const lte_chart *chart)
{
    static const double most_down = 3.0;
    extent e = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < chart->n_layers; i++) {
        const lte_chart_layer *layer = &chart->layer[i];
        const bool measured = layer->kind == LTE_LAYER_MARKS || layer->kind == LTE_LAYER_FAINT;
        for (int k = 0; k < layer->n; k++) {
            const lte_chart_point *p = &layer->point[k];
            const double bound = isnan(p->y) ? p->high : p->y;
            if (measured || !chart->y_logarithmic)
                extend(&e, p->x, bound);
            if (measured && !isnan(p->y)) {
                const double least = chart->y_logarithmic ? p->y / most_down : p->low;
                extend(&e, p->x, fmax(p->low, least));
                extend(&e, p->x, p->high);
            }
        }
    }
    return e;
}

/* From the decade, or 3 of it, below what is lowest to the decade above what is highest. */
static void range_decades(lte_chart *chart, const extent *e)
{
    const double low = 0.8 * e->y_low, decade = pow(10.0, floor(log10(low)));
    chart->y_high = pow(10.0, ceil(log10(e->y_high) - 1e-9));
    chart->y_low = fmin(low > 3.0 * decade ? 3.0 * decade : decade, chart->y_high / 10.0);
}

/* Cuts what lies outside: a closed form ends there, an interval reaches the axis. */
static void clip(lte_chart *chart)
{
    for (int i = 0; i < chart->n_layers; i++) {
        lte_chart_layer *layer = &chart->layer[i];
        int kept = 0;
        for (int k = 0; k < layer->n; k++) {
            lte_chart_point p = layer->point[k];
            if (layer->kind != LTE_LAYER_MARKS && !(p.y >= chart->y_low && p.y <= chart->y_high))
                continue;
            if (!isnan(p.low))
                p.low = fmin(fmax(p.low, chart->y_low), chart->y_high);
            if (!isnan(p.high))
                p.high = fmin(fmax(p.high, chart->y_low), chart->y_high);
            layer->point[kept++] = p;
        }
        layer->n = kept;
    }
}

/* Leaves out the words that would stand on the axis. */
static void drop_words(lte_chart *chart)
{
    int kept = 0;
    for (int i = 0; i < chart->n_words; i++) {
        if (chart->word[i].above || chart->word[i].y > 0.05 * chart->y_high)
            chart->word[kept++] = chart->word[i];
    }
    chart->n_words = kept;
}

static int longest_of(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    return (int)(n > m ? n : m);
}

/* A part of the picture: SNRs, and heights from 0 to 1. */
typedef struct {
    double x0, x1, low, high;
} area;

/* Where a value stands between the ends of a logarithmic axis. */
static double height_of(const lte_chart *chart, double y)
{
    return log10(y / chart->y_low) / log10(chart->y_high / chart->y_low);
}

/* Whether a curve goes through an area, from one of its points straight to the next. */
static bool is_crossed(const lte_chart *chart, const lte_chart_layer *layer, const area *of)
{
    enum { STEPS = 50 };
    for (int k = 1; k < layer->n; k++) {
        const lte_chart_point *a = &layer->point[k - 1], *b = &layer->point[k];
        for (int i = 0; i <= STEPS && b->x >= of->x0 && a->x <= of->x1; i++) {
            const double x = a->x + (b->x - a->x) * i / STEPS;
            const double height = height_of(chart, a->y) +
                                  (height_of(chart, b->y) - height_of(chart, a->y)) * i / STEPS;
            if (x >= of->x0 && x <= of->x1 && height >= of->low && height <= of->high)
                return true;
        }
    }
    return false;
}

/* How many curves do; of a linear axis none is known to. */
static int crossing(const lte_chart *chart, const area *of)
{
    int n = 0;
    for (int i = 0; i < chart->n_layers && chart->y_logarithmic; i++)
        n += chart->layer[i].kind != LTE_LAYER_MARKS && is_crossed(chart, &chart->layer[i], of);
    return n;
}

/*
 * The words of the gain stand left of its arrow, below falling curves, or else right of it, above
 * them; where fewer curves cross them. If the arrow leaves no room on either side, they stand below
 * it, or where it is too short, too, without the second line.
 */
static void place_gain(lte_chart *chart, int axis)
{
    const double width = chart->x_high - chart->x_low, line = 0.035; /* of the height */
    const double left = axis * (chart->gain.x0 - chart->x_low) / width;
    const double right = axis * (chart->x_high - chart->gain.x1) / width;
    int longest = 2 + longest_of(chart->gain.text, chart->gain.note);
    chart->gain.words = LTE_GAIN_UNDER;
    if (longest > left && longest > right && longest <= axis - left - right)
        return;
    if (longest > left && longest > right)
        chart->gain.note[0] = '\0';
    longest = 2 + longest_of(chart->gain.text, chart->gain.note);
    chart->gain.words = longest > left && right > left ? LTE_GAIN_RIGHT : LTE_GAIN_LEFT;
    if (longest > left || longest > right)
        return;
    const double long_x = longest * width / axis, at = height_of(chart, chart->gain.y);
    const area beside[] = {
        [LTE_GAIN_LEFT] = {chart->gain.x0 - long_x, chart->gain.x0 - 0.02 * width, at - 2.0 * line,
                           at - 0.2 * line},
        [LTE_GAIN_RIGHT] = {chart->gain.x1 + 0.02 * width, chart->gain.x1 + long_x, at + 0.2 * line,
                            at + 2.0 * line}};
    if (crossing(chart, &beside[LTE_GAIN_RIGHT]) < crossing(chart, &beside[LTE_GAIN_LEFT]))
        chart->gain.words = LTE_GAIN_RIGHT;
}

void lte_chart_range(lte_chart *chart, int axis)
{
    const extent e = extent_of(chart);
    if (!(e.x_high >= e.x_low) ||
        !(chart->y_logarithmic ? e.y_high > 0.0
                               : e.y_high > e.y_low || e.y_high > 0.0)) { /* nothing is there */
        chart->x_low = 0.0;
        chart->x_high = 30.0;
        chart->y_low = chart->y_logarithmic ? 1e-2 : 0.0;
        chart->y_high = 1.0;
    } else {
        const double margin = e.x_high > e.x_low ? 0.03 * (e.x_high - e.x_low) : 2.5;
        chart->x_low = e.x_low - margin;
        chart->x_high = e.x_high + margin;
        chart->y_low = fmin(1.1 * e.y_low, 0.0);
        chart->y_high = chart->y_most > 0.0 ? chart->y_most : fmax(1.1 * e.y_high, 0.0);
        if (chart->y_logarithmic)
            range_decades(chart, &e);
    }
    clip(chart);
    drop_words(chart);
    place_gain(chart, axis);
}

void lte_chart_free(lte_chart *chart)
{
    for (int i = 0; i < chart->n_layers; i++)
        free(chart->layer[i].point);
    free(chart->layer);
    free(chart->word);
    *chart = (lte_chart){.n_layers = 0};
}
