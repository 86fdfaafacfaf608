#ifndef LTE_SIM_REPORT_RESULTS_FOLDER_H
#define LTE_SIM_REPORT_RESULTS_FOLDER_H
/*
 * The result folder before and between runs: it holds the files of one run or none.
 *
 *     lte_folder_lock lock = {0};
 *     lte_status status = lte_results_prepare(dir, &files, &lock);
 *     if (!status)
 *         status = lte_results_clear(dir, false);     // just before the first file of this run
 *     ...
 *     lte_folder_leave(&lock);
 *
 * Files of this program are told by what is in them, and pictures by the table they were drawn from
 * beside them. All others are their owner's: never removed, and no run begins that would overwrite
 * one.
 */

#include <stddef.h>

#include "sim/files/folder.h"

/* The page of a run (sim/report/page/html.h), and how it begins. */
#define LTE_HTML_NAME "report.html"
#define LTE_HTML_START "<!DOCTYPE html>\n<!-- a report of ltesim -->\n"

/* What a run is going to write. */
typedef struct {
    bool ber, timing, channel, pictures, report;
} lte_results_files;

/*
 * Makes the folder, takes it for this run and looks whether files can be written. What an earlier
 * run left stays as it is.
 *
 * Returns LTE_EIO with the reason, also if a file of this run's is there that is not this
 * program's. In every case lock is for lte_folder_leave.
 */
lte_status lte_results_prepare(const char *dir, const lte_results_files *files,
                               lte_folder_lock *lock);

/* Returns LTE_EIO if the folder's report.html, or its run.json, is not of this program's making. */
lte_status lte_results_check_report(const char *dir);

/*
 * Removes the result files of earlier runs, or all but their journal. Returns LTE_EIO, also if
 * there is no room for others: then nothing is removed.
 */
lte_status lte_results_clear(const char *dir, bool keep_journal);

/*
 * The folder of a run that names none: out/<scenario>, the overrides [n_sets] appended as in
 * out/quick_modulation=256qam. What a file name should not have goes; where that or its length
 * could make two runs alike a number tells them apart.
 */
void lte_results_default_folder(const char *scenario, const char *const *sets, int n_sets,
                                char *path, size_t size);

#endif
