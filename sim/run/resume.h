#ifndef LTE_SIM_RESUME_H
#define LTE_SIM_RESUME_H
/*
 * The journal of a run: where its sweeps stand, for a run that goes on with them.
 *
 *     status = lte_resume_read(run);          // --resume: rows stand where they stood
 *     status = lte_resume_begin(run);         // then, or in a fresh run
 *     status = lte_resume_save(run, sweep, s);    // now and then
 *     status = lte_resume_end(run);           // all jobs are done
 *
 * A journal belongs to a scenario; who counts (threads, backend, device) and how long may change
 * from run to run, since counts do not depend on it. That of a part (sim/jobs/sweep/part.h) has its
 * rounds, which are all that its points are made of: it goes on from the last whole one.
 */

#include "sim/run/run.h"

/*
 * Takes the points of the journal in the run's folder.
 *
 * Returns LTE_EINVAL if there is none, or if it is of another scenario or version, naming the first
 * difference.
 */
lte_status lte_resume_read(lte_run *run);

/*
 * Takes a line of a journal: that of a point, or of a round where these are in it, behind the name
 * of its csi; that of blocks.part; or the last one of a run that came to its end.
 *
 * Returns LTE_EINVAL for a line that no such sweeps can have written.
 */
lte_status lte_resume_take_line(const lte_sweeps *sweeps, const char *line, bool rounds,
                                lte_block_mark *mark, bool *ended);

/*
 * Says, also where little else is said, that the journal in dir is of a run that did not come to
 * its end, if it is so, and that lte_results_keep_unfinished is going to keep it.
 */
void lte_resume_tell_unfinished(const char *dir);

/* Begins the journal with what the sweeps hold. */
lte_status lte_resume_begin(lte_run *run);

/* Adds the points of a sweep that may have changed since it was last saved, up to s. */
lte_status lte_resume_save(lte_run *run, lte_sweep *sweep, int s);

/* Says that nothing is left to do, if so. */
lte_status lte_resume_end(lte_run *run);

#endif
