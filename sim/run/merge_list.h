#ifndef LTE_SIM_MERGE_LIST_H
#define LTE_SIM_MERGE_LIST_H
/*
 * Parts of a run of several MCS: those of each MCS are joined, then what they come to.
 *
 *     int code = EXIT_SUCCESS;
 *     lte_status status = lte_merge_list(&options, mcs, n, merge_one, &code);
 */

#include "sim/run/merge.h"

/* Joins the parts of one MCS, options.folders into options.out; returns the exit code. */
typedef int lte_merge_job(const lte_options *options, lte_merge *merge);

/*
 * Joins options->folders, of which the first has the runs mcs [n], until one ends with another exit
 * code than 0.
 *
 *   code   out: that of the last one
 *
 * Returns LTE_EINVAL for folders of other lists; otherwise as the job, and lte_adaptation_join.
 */
lte_status lte_merge_list(const lte_options *options, const int *mcs, int n, lte_merge_job *job,
                          int *code);

#endif
