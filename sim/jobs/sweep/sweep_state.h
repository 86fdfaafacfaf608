#ifndef LTE_SIM_JOBS_SWEEP_STATE_H
#define LTE_SIM_JOBS_SWEEP_STATE_H
/*
 * Where a point of a sweep stands, as a line of text: all that has been merged, the drop at hand
 * included. A sweep that takes the lines of its points goes on as if it had never stopped.
 *
 *     lte_sweep_put_point(sweep, s, file);
 *     status = lte_sweep_take_point(other, line);      // of the same scenario
 */

#include <stdio.h>

#include "sim/jobs/sweep/sweep.h"

/* Writes the line of point s, without a line feed. */
void lte_sweep_put_point(lte_sweep *sweep, int s, FILE *out);

/*
 * Sets the point that a line is of; rows that a signal, a failure or max_seconds had ended run
 * again.
 *
 * Returns LTE_EINVAL for a line that no sweep of this scenario and csi can have written.
 */
lte_status lte_sweep_take_point(lte_sweep *sweep, const char *line);

/* True if every point has been begun, and no row runs or was ended before its goal. */
bool lte_sweep_complete(const lte_sweep *sweep);

#endif
