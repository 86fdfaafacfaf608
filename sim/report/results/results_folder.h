#ifndef LTE_SIM_REPORT_RESULTS_FOLDER_H
#define LTE_SIM_REPORT_RESULTS_FOLDER_H
/*
 * The result folder before and between runs: it holds the files of one run or none.
 *
 *     lte_folder_lock lock = {0};
 *     lte_status status = lte_results_prepare(dir, &files, &lock);
 *     if (!status)
 *         status = lte_results_clear(dir, false, false);  // before the first file of this run
 *     ...
 *     lte_folder_leave(&lock);
 *
 * Files of this program are told by what is in them, and pictures by the table they were drawn from
 * beside them. All others are their owner's: never removed, and no run begins that would overwrite
 * one.
 */

#include <stddef.h>

#include "sim/files/folder.h"
#include "sim/files/journal.h"
#include "sim/report/results/block_log.h"

/* The page of a run (sim/report/page/html.h), and how it begins. */
#define LTE_HTML_NAME "report.html"
#define LTE_HTML_START "<!DOCTYPE html>\n<!-- a report of ltesim -->\n"

/* Of a list of MCS, whose runs are in mcs_0, mcs_1, ..., and of --verify 3gpp. */
#define LTE_ENVELOPE_NAME "envelope.csv"
#define LTE_CONFORMANCE_NAME "conformance.csv"
#define LTE_CONFORMANCE_START "bandwidth_mhz,tx,rx,channel,doppler_hz,frc,bits,"
#define LTE_HTML_CONFORMANCE "conformance.html"

#define LTE_RUN_NAME "run.json"

/* What is kept of an unfinished run that another one replaces. */
#define LTE_JOURNAL_OLD LTE_JOURNAL_NAME ".old"
#define LTE_BLOCKS_OLD LTE_BLOCKS_PART ".old"

/* What a run is going to write. */
typedef struct {
    bool ber, blocks, timing, channel, pictures, report, list, conformance;
} lte_results_files;

/* What a folder is of. */
typedef enum { LTE_RESULTS_RUN, LTE_RESULTS_LIST, LTE_RESULTS_CONFORMANCE } lte_results_kind;

/*
 * Makes the folder, takes it for this run and looks whether files can be written. What an earlier
 * run left stays as it is.
 *
 * Returns LTE_EIO with the reason, and what lte_results_check does. In every case lock is for
 * lte_folder_leave.
 */
lte_status lte_results_prepare(const char *dir, const lte_results_files *files,
                               lte_folder_lock *lock);

/* Returns LTE_EINVAL if a file that is to be written is there and not this program's. */
lte_status lte_results_check(const char *dir, const lte_results_files *files);

/* Returns LTE_EINVAL if the folder has results of another kind: beside them others would mix. */
lte_status lte_results_check_kind(const char *dir, lte_results_kind kind);

/* Whether a folder has runs of a list of MCS. */
bool lte_results_has_list(const char *dir);

/* Hands over the folders of a list's runs, by rising MCS; a status other than LTE_OK ends it. */
typedef lte_status lte_results_mcs(const char *path, int mcs, void *user);
lte_status lte_results_each_mcs(const char *dir, lte_results_mcs *take, void *user);

/*
 * The MCS of a list by rising number, whose folder has no run.json, but those below it have, for
 * the caller to free; *n = 0, NULL: none. LTE_ENOMEM.
 */
lte_status lte_mcs_list(const char *dir, int **mcs, int *n);

/*
 * Gives the journal of a run that did not come to its end the name LTE_JOURNAL_OLD, in the place of
 * one that has it, and its blocks LTE_BLOCKS_OLD; nothing where there is no such journal. Returns
 * LTE_EIO.
 */
lte_status lte_results_keep_unfinished(const char *dir);

/*
 * Removes the result files of earlier runs, or all but their journal or blocks.part. Returns
 * LTE_EIO, also if there is no room for others: then nothing is removed.
 */
lte_status lte_results_clear(const char *dir, bool keep_journal, bool keep_blocks);

/*
 * The folder of a run that names none: out/<scenario>, the overrides [n_sets] appended as in
 * out/quick_modulation=256qam. What a file name should not have goes; where that or its length
 * could make two runs alike a number tells them apart.
 */
void lte_results_default_folder(const char *scenario, const char *const *sets, int n_sets,
                                char *path, size_t size);

#endif
