#ifndef LTE_SIM_REPORT_CHARTED_H
#define LTE_SIM_REPORT_CHARTED_H
/*
 * The result folders that one picture shows, and the curves in a table of each: names, colours of
 * detectors, styles of folders and csi.
 *
 *     lte_charted of;
 *     lte_status status = lte_charted_read(dirs, n, &of);
 *     if (!status)
 *         status = lte_charted_table(&of, &lte_bler_columns);
 *     lte_charted_curve curve = {.folder = 0, .place = -1};
 *     while (!status && lte_charted_next(&of, &curve, NULL))
 *         puts(curve.name);
 *     lte_charted_free(&of);
 */

#include "sim/report/charts/chart.h"
#include "sim/report/charts/draw.h"
#include "sim/report/results/result.h"

enum { LTE_CHARTED_NAMES = 64 };

/* Names in the order in which they appeared. */
typedef struct {
    int n;
    char name[LTE_CHARTED_NAMES][LTE_CHART_NAME];
} lte_charted_names;

/* The place of a name, to which it is added if it is new; of too many the last. */
int lte_charted_place(lte_charted_names *names, const char *name);

typedef struct {
    int n;
    lte_result result[LTE_MOST_CHARTED];
    char label[LTE_MOST_CHARTED][64]; /* of folders, without what all names begin with */
    bool is_list[LTE_MOST_CHARTED];   /* of MCS: the result is that of the first */
    lte_table table[LTE_MOST_CHARTED];
    lte_curve *curves[LTE_MOST_CHARTED]; /* [n_curves] of a table */
    int n_curves[LTE_MOST_CHARTED];
    bool several_csi;            /* the curves have more than one */
    bool by_style;               /* the legend has detectors and styles apart: many curves */
    lte_charted_names detectors; /* as printed */
    lte_charted_names styles;    /* of folders and csi; one of an empty name: all are alike */
} lte_charted;

/* One curve: the rows of a detector with a csi in a folder. */
typedef struct {
    int folder, place; /* the place among its curves */
    const char *detector, *csi;
    char name[LTE_CHART_NAME]; /* "MMSE, DM-RS (LMMSE)" */
    int colour, style;
    const int *rows; /* [n] by rising SNR */
    int n;
} lte_charted_curve;

/* Reads folders [n]. That of a list of MCS has no run.json: that of its first run stands for it.
 * Whatever it returns, lte_charted_free is due. */
lte_status lte_charted_read(const char *const *dirs, int n, lte_charted *of);

/* Reads a table of every folder, which begins with LTE_TABLE_DETECTOR, _CSI and _SNR, and its
 * names. */
lte_status lte_charted_table(lte_charted *of, const lte_columns *columns);

/* ber.csv instead, which is read already. */
lte_status lte_charted_ber(lte_charted *of);

/* Goes to the next curve, for which a chart gets an entry in its legend (NULL: none), of many
 * curves one for each detector and each style instead; false behind the last one. */
bool lte_charted_next(lte_charted *of, lte_charted_curve *curve, lte_chart *chart);

/* The bits of a QAM symbol of a scenario; 0: its modulation is unknown. */
int lte_charted_bits(const json_t *scenario);

double lte_charted_real(const lte_charted *of, const lte_charted_curve *curve, int i, int column);

/* The title of a picture: that of the scenario, or what was run where --set has changed that. Of
 * several folders with titles of their own: what they share, and others behind it. */
void lte_charted_title(const lte_charted *of, const char *others, char *title, size_t size);

/* The same for a chart, whose axis of y has a label. */
void lte_charted_label(const lte_charted *of, const char *others, const char *y_label,
                       lte_chart *chart);

void lte_charted_free(lte_charted *of);

#endif
