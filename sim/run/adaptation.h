#ifndef LTE_SIM_ADAPTATION_H
#define LTE_SIM_ADAPTATION_H
/*
 * Several MCS over common draws, each a run of its own, and the best of them at each SNR: what link
 * adaptation that knows the SNR would deliver.
 *
 *     int code = lte_adaptation_run(&options, scenario, &ranks, dir, run_one);
 *
 * The runs are in the folders mcs_0, mcs_1, ... of dir; beside them envelope.csv and the picture
 * adaptation.
 */

#include "sim/files/folder.h"
#include "sim/run/run_options.h"
#include "sim/ranks/ranks.h"
#include "sim/scenario/scenario.h"

/* Runs a scenario into a folder; returns the exit code of the program. */
typedef int lte_adaptation_job(const lte_options *options, const lte_scenario *scenario,
                               lte_ranks *ranks, const char *dir);

/*
 * Runs a scenario that lists several MCS, one after the other, until one ends with another exit
 * code than 0, and writes and prints what they come to.
 *
 *   code   out: that of the last run
 *
 * Returns LTE_EINVAL for what does not go with several runs and for an MCS that the scenario does
 * not take, before anything runs; LTE_EIO, LTE_ENOMEM.
 */
lte_status lte_adaptation_run(const lte_options *options, const lte_scenario *scenario,
                              lte_ranks *ranks, const char *dir, lte_adaptation_job *job,
                              int *code);

/*
 * Takes the folder of a list of mcs [n] and looks, before the first runs, whether all can be
 * written; without --resume what an earlier list has left goes, with it that of other MCS is
 * refused. LTE_EINVAL, LTE_EIO.
 */
lte_status lte_adaptation_take(const lte_options *options, const int *mcs, int n, const char *dir,
                               lte_folder_lock *lock);

/* Writes and prints what the runs in the folders of a scenario's MCS come to. */
lte_status lte_adaptation_join(const lte_options *options, const lte_scenario *scenario,
                               const char *dir);

#endif
