#ifndef LTE_SIM_REPORT_RESULT_H
#define LTE_SIM_REPORT_RESULT_H
/*
 * What a run has left in its folder, read back.
 *
 *     lte_result result;
 *     lte_status status = lte_result_read("out/quick", &result);
 *     ... result.run, result.ber ...
 *     lte_result_free(&result);
 */

#include <jansson.h>
#include <stdbool.h>

#include "sim/report/results/table.h"

enum { LTE_MAX_CURVES = 256 }; /* of one result */

/* Columns of ber.csv (LTE_BER_COLUMNS of results.h), and what is in them. */
enum {
    LTE_BER_DETECTOR,
    LTE_BER_CSI,
    LTE_BER_SNR,
    LTE_BER_SNR_MEASURED,
    LTE_BER_SLOTS,
    LTE_BER_BITS,
    LTE_BER_ERRORS,
    LTE_BER_BER,
    LTE_BER_LOW,
    LTE_BER_HIGH,
    LTE_BER_SER,
    LTE_BER_THEORY,
    LTE_BER_Z,
    LTE_BER_FLAGGED,
    LTE_BER_STATUS,
    LTE_BER_SECONDS
};
#define LTE_BER_KINDS "ttnnnnnnnnnnnntn"
#define LTE_BER_SOFT_KINDS "nnnnnnn" /* LTE_BER_SOFT_COLUMNS */

/* Of layers.csv. */
enum {
    LTE_LAYERS_DETECTOR,
    LTE_LAYERS_CSI,
    LTE_LAYERS_SNR,
    LTE_LAYERS_EB_N0,
    LTE_LAYERS_LAYER,
    LTE_LAYERS_BITS,
    LTE_LAYERS_ERRORS,
    LTE_LAYERS_BER
};
#define LTE_LAYERS_KINDS "ttnnnnnnnn"

/* Of groups.csv: LTE_N_GROUPS of them. */
enum { LTE_GROUPS_DETECTOR, LTE_GROUPS_CSI, LTE_GROUPS_SNR, LTE_GROUPS_BITS, LTE_GROUPS_ERRORS };
#define LTE_GROUPS_KINDS "ttnnnnnnnnnnnnnnnnnn"
#define LTE_GROUPS_SOFT_KINDS "nnnnnnnnnnnnnnnn"

/* Of timing.csv, and of latency.csv. */
enum {
    LTE_TIMING_DETECTOR,
    LTE_TIMING_PLACEMENT,
    LTE_TIMING_STAGE,
    LTE_TIMING_P50,
    LTE_TIMING_P99,
    LTE_TIMING_P999,
    LTE_TIMING_MAX,
    LTE_TIMING_MEAN
};
#define LTE_TIMING_KINDS "tttnnnnn"
enum { LTE_LATENCY_QUANTILE, LTE_LATENCY_US };
#define LTE_LATENCY_KINDS "nn"

/* Of bler.csv, and of envelope.csv. */
enum {
    LTE_BLER_DETECTOR,
    LTE_BLER_CSI,
    LTE_BLER_SNR,
    LTE_BLER_SNR_MEASURED,
    LTE_BLER_SLOTS,
    LTE_BLER_BLOCKS,
    LTE_BLER_WRONG_FIRST,
    LTE_BLER_BLER,
    LTE_BLER_LOW,
    LTE_BLER_HIGH,
    LTE_BLER_WRONG,
    LTE_BLER_LAST,
    LTE_BLER_LAST_LOW,
    LTE_BLER_LAST_HIGH,
    LTE_BLER_BITS_PER_S,
    LTE_BLER_PEAK
};
#define LTE_BLER_KINDS "ttnnnnnnnnnnnnnnnnnnnnntn"
enum {
    LTE_ENVELOPE_DETECTOR,
    LTE_ENVELOPE_CSI,
    LTE_ENVELOPE_SNR,
    LTE_ENVELOPE_MCS,
    LTE_ENVELOPE_BITS_PER_S
};
#define LTE_ENVELOPE_KINDS "ttnnnnn"

/* A curve of ber.csv: the rows of a detector with a csi. */
typedef struct {
    const char *detector, *csi;
    int n;
    int *row; /* [n] of the table, by rising SNR */
} lte_curve;

typedef struct {
    const char *dir; /* not owned */
    char name[64];   /* of the folder, without those above it; a long one is cut */
    json_t *run;     /* run.json */
    const json_t *scenario;
    const char *title; /* of the scenario, or else its folder's name */
    lte_table ber, layers, groups, timing, latency;
    lte_curve *curve; /* [n_curves] in the order of ber.csv */
    int *curve_rows;  /* of all curves */
    int n_curves;
    bool unfinished; /* --resume has something to do */
} lte_result;

/* Returns LTE_EINVAL if dir holds no run.json. */
lte_status lte_result_check(const char *dir);

/*
 * Reads what is there: run.json must be, tables may be missing.
 *
 * Returns LTE_EINVAL for a folder without results, or with files that are not of this program's
 * making; LTE_EIO, LTE_ENOMEM. Whatever it returns, lte_result_free is due.
 */
lte_status lte_result_read(const char *dir, lte_result *result);
void lte_result_free(lte_result *result);

/* The curve of a detector with a csi; NULL: there is none. */
const lte_curve *lte_result_curve(const lte_result *result, const char *detector, const char *csi);

/* A text or number of a JSON object; "" and NAN for none. */
const char *lte_json_text(const json_t *object, const char *key);
double lte_json_number(const json_t *object, const char *key);

/* The verdict of a run's deadline; of older runs "met" or "missed"; "-" where there is none. */
const char *lte_json_verdict(const json_t *deadline);

#endif
