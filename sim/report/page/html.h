#ifndef LTE_SIM_REPORT_HTML_H
#define LTE_SIM_REPORT_HTML_H
/*
 * One HTML file of one or several results: tables and figures that need no network, no script and
 * no other file.
 *
 *     const char *dirs[] = {"out/quick"};
 *     lte_status status = lte_html_report(dirs, 1, NULL);       // out/quick/report.html
 */

#include <stdbool.h>

#include "phy/base/status.h"
#include "phy/theory/snr_at_rate.h"
#include "sim/report/results/results_folder.h"

enum { LTE_MAX_REPORTED = 8 }; /* results of one report: colours that are told apart */

/*
 * Reads the result folders dirs [n] and writes the report of them, whole or not at all.
 *
 *   path   of the file; NULL: report.html in the first folder, unless that is there and is
 *          somebody else's
 *
 * Returns LTE_EINVAL for a folder without results or for too many of them, LTE_EIO, LTE_ENOMEM.
 */
lte_status lte_html_report(const char *const *dirs, int n, const char *path);

/* ---- the page of --verify 3gpp: what came of every point, bandwidth after bandwidth ---- */

typedef enum {
    LTE_POINT_MET,
    LTE_POINT_MISSED,
    LTE_POINT_UNDECIDED,
    LTE_POINT_UNJUDGED,
    LTE_N_JUDGEMENTS
} lte_judgement;

/* A share of a reference channel's throughput at an SNR, and what was measured there. */
typedef struct {
    double bandwidth_mhz;                          /* as all that follows: what was run */
    char run[96], reference[16];                   /* "1.4 MHz 1x2 EPA 5 Hz", "A3-2" */
    char folder[96];                               /* in that of all points */
    int bits;                                      /* of the transport block */
    double required_db, snr_db;                    /* required at, run at */
    double required, share, share_low, share_high; /* of the largest throughput, 95 % */
    unsigned long long drops;
    lte_judgement judgement;
    lte_snr_estimate margin; /* dB below the required SNR; NAN: not searched, or not found */
} lte_conformance_point;

typedef struct {
    const lte_conformance_point *points; /* [n], those of a bandwidth one after another */
    int n;
    const char *about, *not_tested; /* lines of text */
    const char *device, *command;
} lte_conformance_page;

/* How many points have a judgement. */
int lte_conformance_count(const lte_conformance_page *page, lte_judgement judgement);

/* Writes it, as conformance.html, whole or not at all. LTE_EIO, LTE_ENOMEM. */
lte_status lte_html_conformance(const lte_conformance_page *page, const char *dir);

#endif
