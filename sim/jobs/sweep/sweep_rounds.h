#ifndef LTE_SIM_JOBS_SWEEP_ROUNDS_H
#define LTE_SIM_JOBS_SWEEP_ROUNDS_H
/*
 * The rounds of a sweep that is a part, as lines of text: the sums of each are all that its points
 * are made of. It goes on from its rounds, and a sweep of all slots that takes those of all parts
 * comes to what it would have counted itself.
 *
 *     status = lte_sweep_put_rounds(part, put, user);
 *     status = lte_sweep_take_round(whole, line);      // of any part, ascending in each point
 */

#include "sim/jobs/sweep/sweep.h"

/*
 * Hands over the lines of the rounds that have ended since it was last asked, the name of the csi
 * before what take_round takes. Returns LTE_ENOMEM if there was no memory to keep them, and what
 * put returns.
 */
lte_status lte_sweep_put_rounds(lte_sweep *sweep, lte_status (*put)(const char *line, void *user),
                                void *user);

/*
 * Adds a round to its point, with the stop rule at its end. One that does not begin where its point
 * stands, or lacks one of the rows that run, adds nothing.
 *
 * Returns LTE_EINVAL for a line that no sweep of this scenario and csi can have written.
 */
lte_status lte_sweep_take_round(lte_sweep *sweep, const char *line);

/* Bytes that a round takes in a journal at most. */
double lte_sweep_round_bytes(const lte_sweep *sweep);

#endif
