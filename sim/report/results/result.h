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

#include "sim/report/results/columns.h"
#include "sim/report/results/table.h"

enum { LTE_MAX_CURVES = 256 }; /* of one result */

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
