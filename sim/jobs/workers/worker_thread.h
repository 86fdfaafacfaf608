#ifndef LTE_SIM_JOBS_WORKER_THREAD_H
#define LTE_SIM_JOBS_WORKER_THREAD_H
/*
 * A worker on a thread of its own: devices of one machine count side by side, each with its next
 * chunk at hand when one is done.
 *
 *     lte_worker thread;
 *     lte_status status = lte_worker_thread_create(lte_worker_of(backend, engine), n_counts,
 *                                                  n_detectors, &thread);
 *     ... as any worker ...
 *     lte_worker_thread_free(&thread);
 */

#include "sim/jobs/workers/workers.h"

/*
 * A worker that has another one count, on a thread that it begins, and sums what that has counted,
 * of n_detectors at most. Returns LTE_ENOMEM; then there is nothing to free.
 */
lte_status lte_worker_thread_create(lte_worker inner, int n_counts, int n_detectors,
                                    lte_worker *worker);

/* Ends the thread of a worker that is idle; does nothing for one that was never created. */
void lte_worker_thread_free(lte_worker *worker);

#endif
