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
 *     lte_charted_curve curve = {.folder = 0, .row = -1};
 *     while (!status && lte_charted_next(&of, &curve))
 *         puts(curve.name);
 *     lte_charted_free(&of);
 */

#include <glob.h>

#include "sim/report/charts/chart.h"
#include "sim/report/charts/draw.h"
#include "sim/report/results/result.h"

enum { LTE_CHARTED_NAMES = 64 };

/* Names in the order in which they appeared. */
typedef struct {
    int n;
    char name[LTE_CHARTED_NAMES][LTE_CHART_NAME];
} lte_charted_names;

typedef struct {
    int n;
    lte_result result[LTE_MOST_CHARTED];
    char label[LTE_MOST_CHARTED][64]; /* of folders, without what all names begin with */
    bool is_list[LTE_MOST_CHARTED];   /* of MCS: the result is that of the first */
    lte_table table[LTE_MOST_CHARTED];
    bool several_csi;            /* the curves have more than one */
    bool by_style;               /* the legend has detectors and styles apart: many curves */
    lte_charted_names detectors; /* as printed */
    lte_charted_names styles;    /* of folders and csi; one of an empty name: all are alike */
    int *rows;                   /* of the curve at hand */
} lte_charted;

/* One curve: the rows of a detector with a csi in a folder. */
typedef struct {
    int folder;
    int row; /* the first of them */
    const char *detector, *csi;
    char name[LTE_CHART_NAME]; /* "MMSE, DM-RS (LMMSE)" */
    int colour, style;
    const int *rows; /* [n] by rising SNR, until the next */
    int n;
} lte_charted_curve;

/*
 * The runs of a list of MCS that have a file: found->gl_pathv are their folders, DIR/mcs_0 and so
 * on; globfree is due. False: there are none.
 */
bool lte_charted_runs(const char *dir, const char *file, glob_t *found);

/* Reads folders [n]. That of a list of MCS has no run.json: that of its first run stands for it.
 * Whatever it returns, lte_charted_free is due. */
lte_status lte_charted_read(const char *const *dirs, int n, lte_charted *of);

/* Reads a table of every folder, which begins with LTE_TABLE_DETECTOR, _CSI and _SNR, and its
 * names. */
lte_status lte_charted_table(lte_charted *of, const lte_columns *columns);

/* ber.csv instead, which is read already. */
lte_status lte_charted_ber(lte_charted *of);

/* The first columns of every table of curves. */
enum { LTE_TABLE_DETECTOR, LTE_TABLE_CSI, LTE_TABLE_SNR };

/* Goes to the next curve; false behind the last one. */
bool lte_charted_next(lte_charted *of, lte_charted_curve *curve);

/* The bits of a QAM symbol of a scenario; 0: its modulation is unknown. */
int lte_charted_bits(const json_t *scenario);

double lte_charted_real(const lte_charted *of, const lte_charted_curve *curve, int i, int column);

/* The legend: an entry for each curve that was met, or one for each detector and each style. */
void lte_charted_key(const lte_charted *of, lte_chart *chart, const lte_charted_curve *curve);
void lte_charted_keys(const lte_charted *of, lte_chart *chart);

/* The title of a picture: that of the scenario, or what was run where --set has changed that. Of
 * several folders with titles of their own: what they share, and others behind it. */
void lte_charted_title(const lte_charted *of, const char *others, char *title, size_t size);

void lte_charted_free(lte_charted *of);

#endif
