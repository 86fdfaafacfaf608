#ifndef LTE_SIM_REPORT_SUMMARY_H
#define LTE_SIM_REPORT_SUMMARY_H
/*
 * What a run has come to, the answer first: at most 80 columns, about twenty lines.
 *
 *     const lte_summary_of of = {.info = &info, .sweeps = &sweeps, .deadline = deadline,
 *                                .dir = dir, .files = "ber.png, timing.png, run.json"};
 *     lte_summary(stdout, &of);
 *
 * It reads rows, not tables, and its numbers are those of the result files, rounded.
 */

#include <stdio.h>

#include "sim/jobs/deadline/deadline.h"
#include "sim/report/results/results.h"

typedef struct {
    const lte_run_info *info;
    const lte_sweeps *sweeps;     /* n = 0: that job did not run */
    const lte_deadline *deadline; /* NULL: that job did not run */
    const lte_pareto *pareto;     /* the same */
    const char *dir, *files;      /* where results are, and some of their names */
    bool interrupted;             /* by a signal */
} lte_summary_of;

void lte_summary(FILE *out, const lte_summary_of *of);

#endif
