#ifndef LTE_SIM_MERGE_H
#define LTE_SIM_MERGE_H
/*
 * Runs that have split the slots of a scenario between them, joined into the one that had all of
 * them: the rounds of their journals are added up from slot 0 on, with the stop rule at the end of
 * each.
 *
 *     lte_merge merge;
 *     lte_status status = lte_merge_init(&merge, &options);    // options.folders
 *     if (!status)
 *         status = lte_merge_run(&merge);
 *     lte_merge_fini(&merge);
 */

#include <jansson.h>

#include "sim/run/run.h"

/* One of these runs. */
typedef struct {
    const char *dir;  /* not owned */
    json_t *identity; /* of its journal (sim/jobs/sweep/identity.h) */
    lte_part part;    /* from that */
} lte_merge_part;

typedef struct {
    lte_run run; /* that it makes */
    lte_scenario *scenario;
    lte_merge_part *parts; /* [n_parts] by their slots */
    int n_parts;
    char *choices;  /* who has counted what */
    char dir[4096]; /* of the result, if no option names it */
} lte_merge;

/* Refuses a result folder that is one of the parts', by whatever name. */
lte_status lte_merge_check_out(const lte_options *options, const char *dir);

/*
 * Reads what the runs are of. options must outlive the merge; whatever it returns, fini is due.
 *
 * Returns LTE_EINVAL for folders without the journal of a part, for parts of different runs or of
 * slots that do not follow each other from 0 on, and for a result folder that is one of them;
 * LTE_EIO for a part that a run still writes.
 */
lte_status lte_merge_init(lte_merge *merge, const lte_options *options);

/* The same without a folder for the result: only what the parts are. */
lte_status lte_merge_look(lte_merge *merge, const lte_options *options);
void lte_merge_fini(lte_merge *merge);

/*
 * Joins them, with the tables on stdout and the files in the result folder. Rows that the parts do
 * not bring to their end are named and remain interrupted: the folder is then that of a run that
 * --resume goes on with. A signal ends it without a file.
 */
lte_status lte_merge_run(lte_merge *merge);

/* ---- parts of runs of several MCS: those of each are joined, then what they come to ---- */

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
