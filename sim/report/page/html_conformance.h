#ifndef LTE_SIM_REPORT_HTML_CONFORMANCE_H
#define LTE_SIM_REPORT_HTML_CONFORMANCE_H
/*
 * The page of --verify 3gpp: what came of every point, bandwidth after bandwidth.
 *
 *     const lte_conformance_page page = {points, n, about, not_tested, "NVIDIA H100", command};
 *     lte_status status = lte_html_conformance(&page, "out/3gpp");    // out/3gpp/conformance.html
 */

#include "phy/base/status.h"
#include "phy/theory/snr_at_rate.h"

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

/* Writes it, whole or not at all. LTE_EIO, LTE_ENOMEM. */
lte_status lte_html_conformance(const lte_conformance_page *page, const char *dir);

#endif
