#ifndef LTE_KERNELS_BACKENDS_DOORBELL_H
#define LTE_KERNELS_BACKENDS_DOORBELL_H
/*
 * The host's side of a persistent kernel's doorbell: the kernel is notified at a given time, and
 * its answer awaited.
 *
 *     lte_doorbell_client *client = NULL;
 *     lte_status status = lte_doorbell_client_create(doorbell, n_blocks, 2, &client);
 *     ... start the kernel ...
 *     status = lte_doorbell_client_notify(client, first, release_s, alive, user, &completed_s,
 *                                         &gap_s);
 *     lte_doorbell_client_quit(client);     // the kernel ends
 *
 * Systems and hypervisors take a processor away for 5 to 1000 us, some hundred times a second on
 * a virtual machine, and a slot of 10 us would be charged with it. So two threads may wait for the
 * same release and the same answer; what either does first counts.
 */

#include "kernels/cuda/slot/doorbell_words.h"
#include "phy/base/status.h"

typedef struct lte_doorbell_client lte_doorbell_client;

/*
 * Silences the doorbell, before its kernel starts.
 *
 *   n_blocks    of the kernel, 1 to LTE_DOORBELL_BLOCKS
 *   n_threads   that notify, 1 or 2
 *
 * Returns LTE_ENOMEM.
 */
lte_status lte_doorbell_client_create(lte_doorbell *doorbell, int n_blocks, int n_threads,
                                      lte_doorbell_client **client);

/*
 * Notifies the kernel of slot `first`, below 2^48, at release_s of lte_seconds, at once if that is
 * past; waits for the answer.
 *
 *   alive         asked now and then, with user: an error ends the waiting
 *   completed_s   out: when the answer was seen
 *   gap_s         grows to the longest time between two looks at the clock before the release
 *
 * Returns what alive returned.
 */
lte_status lte_doorbell_client_notify(lte_doorbell_client *client, uint64_t first, double release_s,
                                      lte_status (*alive)(void *user), void *user,
                                      double *completed_s, double *gap_s);

/* Tells the kernel to end and frees; NULL is fine. */
void lte_doorbell_client_quit(lte_doorbell_client *client);

#endif
