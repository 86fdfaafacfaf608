#ifndef LTE_SIM_REPORT_CHART_H
#define LTE_SIM_REPORT_CHART_H
/*
 * A chart over SNR: what a picture shows, before anything draws it. A kind (chart_kinds.h) fills it
 * from result folders; chart_gnuplot.c and chart_tex.c write it for gnuplot and for LaTeX.
 *
 *     lte_chart chart = {.title = "...", .y_label = "bit error rate", .y_logarithmic = true};
 *     lte_chart_layer *layer = lte_chart_add(&chart, LTE_LAYER_MARKS, 0, 0, n);
 *     if (layer)
 *         layer->point[layer->n++] = (lte_chart_point){10.0, 1e-2, 0.9e-2, 1.1e-2};
 *     lte_chart_range(&chart, 110);
 *     ... draw ...
 *     lte_chart_free(&chart);
 */

#include <stdbool.h>
#include <stddef.h>

#include "phy/base/status.h"

enum {
    LTE_CHART_LINES = 100, /* points of a closed form */
    LTE_CHART_NAME = 120,
    LTE_CHART_KEYS = 64,
    LTE_CHART_COLOURS = 8, /* then they begin again */
    LTE_CHART_STYLES = 8,
    LTE_CHART_INK = -1,  /* the colour of what belongs to no detector */
    LTE_CHART_FAINT = -2 /* and of what lies in the background */
};

/* y NAN: no error was seen, and the rate is below high. low and high NAN: no interval. */
typedef struct {
    double x, y, low, high;
} lte_chart_point;

typedef enum {
    LTE_LAYER_MARKS,  /* measured points, with their intervals or bounds */
    LTE_LAYER_LINE,   /* a closed form, or a limit */
    LTE_LAYER_JOINED, /* measured points, joined */
    LTE_LAYER_FAINT   /* the same in the background */
} lte_layer_kind;

typedef struct {
    lte_layer_kind kind;
    int colour, style; /* of detectors, and of folders and csi: a dash and a shape */
    int n;
    lte_chart_point *point;
} lte_chart_layer;

/* An entry of the legend. */
typedef enum {
    LTE_KEY_CURVE,    /* mark and line */
    LTE_KEY_COLOUR,   /* a thick line */
    LTE_KEY_LINE,     /* a line */
    LTE_KEY_JOINED,   /* a thin line */
    LTE_KEY_INTERVAL, /* a bar */
    LTE_KEY_BOUND,    /* the mark of a bound */
    LTE_KEY_NOTE      /* words alone */
} lte_chart_key_kind;

typedef struct {
    lte_chart_key_kind kind;
    int colour, style;
    char name[LTE_CHART_NAME];
} lte_chart_key;

/* A word beside a point. */
typedef struct {
    double x, y;
    int colour;
    bool above;
    char text[16];
} lte_chart_word;

/* Where the words of a gain stand: beside its arrow, or below it. */
enum { LTE_GAIN_LEFT, LTE_GAIN_RIGHT, LTE_GAIN_UNDER };

typedef struct {
    char title[300];
    char x_label[120], y_label[120];
    bool y_logarithmic;
    double y_most; /* of a linear axis; 0: as high as what is highest */
    double x_low, x_high, y_low, y_high;
    lte_chart_layer *layer;
    int n_layers, room;
    lte_chart_key key[LTE_CHART_KEYS];
    int n_keys;
    lte_chart_word *word;
    int n_words;
    struct {
        bool given;
        double x0, x1, y; /* a line from curve to curve, at the rate */
        int words;        /* LTE_GAIN_*; the ranges decide */
        char text[80], note[80];
    } gain;
    lte_status status; /* of what was added */
} lte_chart;

/* A layer with room for points, of which it has none yet; NULL without memory, and then the chart's
 * status says so. It is valid up to the next one. */
lte_chart_layer *lte_chart_add(lte_chart *chart, lte_layer_kind kind, int colour, int style,
                               int room);

/* Room for so many words more; false without memory. */
bool lte_chart_words(lte_chart *chart, int n);

void lte_chart_key_add(lte_chart *chart, lte_chart_key_kind kind, int colour, int style,
                       const char *name);

/*
 * Sets the ranges of the axes from what the layers hold: of a logarithmic axis from the lowest
 * point or bound to the decade above the highest, of a linear one from 0. Intervals are cut where
 * they leave it.
 *
 *   axis   of SNR, in characters of its words: whether those of the gain fit
 */
void lte_chart_range(lte_chart *chart, int axis);

void lte_chart_free(lte_chart *chart);

#endif
