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

/* The tables that are read. */
#define LTE_RESULT_TABLES(T)                                                                       \
    T(ber) T(layers) T(groups) T(bler) T(rate) T(target) T(pareto) T(envelope) T(timing) T(latency)

typedef struct {
    const char *dir; /* not owned */
    char name[64];   /* of the folder, without those above it; a long one is cut */
    json_t *run;     /* run.json */
    const json_t *scenario;
    const char *title; /* of the scenario, or else its folder's name */
#define LTE_TABLE_OF(name) lte_table name;
    LTE_RESULT_TABLES(LTE_TABLE_OF)
    lte_curve *curve; /* [n_curves] of ber.csv */
    int n_curves;
    bool unfinished; /* --resume has something to do */
} lte_result;

/* A folder: of one run, or of those of a list of MCS, each in a folder of its own, DIR/mcs_4. */
typedef struct {
    lte_result
        top; /* the run; of a list what its folder has itself, envelope.csv, with the scenario
                       of its first run */
    lte_result *of; /* [n] the runs of a list, by rising MCS */
    int *mcs;       /* [n] */
    char **dirs;    /* [n] */
    int n;          /* 0: it is no list */
} lte_result_folder;

/*
 * Reads a folder of either kind. Returns as lte_result_read; whatever it returns,
 * lte_result_folder_free is due.
 */
lte_status lte_result_folder_read(const char *dir, lte_result_folder *folder);
void lte_result_folder_free(lte_result_folder *folder);

/* Returns LTE_EINVAL if dir holds no run.json and is not that of a list. */
lte_status lte_result_check(const char *dir);

/*
 * Reads what is there: run.json must be, tables may be missing.
 *
 * Returns LTE_EINVAL for a folder without results, or with files that are not of this program's
 * making; LTE_EIO, LTE_ENOMEM. Whatever it returns, lte_result_free is due.
 */
lte_status lte_result_read(const char *dir, lte_result *result);
void lte_result_free(lte_result *result);

/* What an object of JSON has at a path, "carrier.bandwidth_mhz"; as a text or number "" and NAN for
 * none. */
const json_t *lte_json_at(const json_t *object, const char *path);
const char *lte_json_text(const json_t *object, const char *path);
double lte_json_number(const json_t *object, const char *path);

/* The verdict of a run's deadline; of older runs "met" or "missed"; "-" where there is none. */
const char *lte_json_verdict(const json_t *deadline);

#endif
