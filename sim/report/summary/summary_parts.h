#ifndef LTE_SIM_REPORT_SUMMARY_PARTS_H
#define LTE_SIM_REPORT_SUMMARY_PARTS_H
/* The parts of a summary. */

#include "sim/report/summary/summary.h"
#include "sim/report/summary/summary_text.h"

/*
 * What was simulated, in how many slots, and what is left out; info->backend NULL: not by whom;
 * sweeps NULL: not in how many.
 */
void lte_summary_head(lte_lines *text, const lte_run_info *info, const lte_sweeps *sweeps);

/* Rates by SNR, what detectors gain and estimates cost, and how sure that is. */
void lte_summary_sweeps(lte_lines *text, const lte_sweeps *sweeps, bool interrupted);

/* The verdict, the work, its stages, the carriers that are held; threads: of the whole run. */
void lte_summary_deadline(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run,
                          int threads);

#endif
