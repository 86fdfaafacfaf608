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

#endif
