#ifndef LTE_SIM_JOBS_EFFORT_H
#define LTE_SIM_JOBS_EFFORT_H
/*
 * Points of a sweep at which the search of a detector would not end in a time that can be waited
 * for.
 *
 *     status = lte_sweep_judge(sweep, &link, 0);  // before it runs: ends their rows, and says so
 *
 * Points that a search adds are judged as they are added (search.h).
 *
 * A search without a bound may enter any number of nodes where noise is strong. What it would do is
 * seen from the first lte_judged_elements of the sweep, slot 0 and from subcarrier 0 of the first
 * data symbol on: their nodes are counted, on a processor whatever the backend. If these are more
 * than LTE_MOST_NODES in the mean, the row ends with LTE_ROW_NODES, without a slot. So do rows of
 * lower SNR that are judged after it, uncounted: a search enters the more nodes the more noise.
 */

#include "sim/jobs/sweep/sweep.h"

enum { LTE_JUDGED = 256, LTE_MOST_NODES = 1000000 };

/*
 * The points from number `first` on. Returns LTE_ENOMEM. A stop signal ends it; then rows that were
 * not judged go on.
 */
lte_status lte_sweep_judge(lte_sweep *sweep, const lte_link *link, int first);

/* Those elements: LTE_JUDGED, or all with data that a slot has if these are fewer. */
int lte_judged_elements(const lte_link *link);

/*
 * The nodes that the search of an element enters at an SNR, linear, in the mean over those
 * elements, each at most `most`; 0 of a detector whose row has none. Returns LTE_ENOMEM.
 */
lte_status lte_search_nodes(const lte_link *link, lte_detector detector, double snr, double most,
                            double *nodes);

#endif
