#ifndef LTE_KERNELS_BACKENDS_DOORBELL_H
#define LTE_KERNELS_BACKENDS_DOORBELL_H
/*
 * The doorbell of a persistent kernel: rung at a given time, and answered when the kernel's work is
 * done.
 *
 *     lte_doorbell_client *client = NULL;
 *     lte_status status = lte_doorbell_client_create(doorbell, n_blocks, 2, &client);
 *     ... start the kernel ...
 *     status = lte_doorbell_notify(client, first, release_s, alive, stream, &completed_s);
 *     lte_doorbell_client_quit(client);     // the kernel ends
 *
 * Systems and hypervisors take a processor away for 5 to 1000 us, some hundred times a second on
 * a virtual machine, and a slot of 10 us would be charged with it. So two threads may wait for the
 * same release and the same answer; what either does first counts.
 */

#include <stdint.h>

#include "phy/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LTE_DOORBELL_BLOCKS = 512 }; /* of a kernel, at most */

/* What host and kernel tell each other, in host memory that the device can follow. */
typedef struct {
    volatile uint64_t word; /* host: a number that differs from ring to ring, over the first slot */
    uint64_t apart[15];     /* each side writes lines of its own */
    volatile uint32_t done[LTE_DOORBELL_BLOCKS]; /* blocks: the number for which all is written */
} lte_doorbell;
#define LTE_DOORBELL_SLOT (((uint64_t)1 << 48) - 1) /* the slot's bits of the word */
#define LTE_DOORBELL_NUMBER(word) ((uint32_t)((word) >> 48))
#define LTE_DOORBELL_QUIT UINT64_MAX /* the word that ends the kernel */

typedef struct lte_doorbell_client lte_doorbell_client;

/*
 * Silences the doorbell, before its kernel starts.
 *
 *   n_blocks    of the kernel, 1 to LTE_DOORBELL_BLOCKS
 *   n_threads   that ring, 1 or 2
 *
 * Returns LTE_ENOMEM.
 */
lte_status lte_doorbell_client_create(lte_doorbell *doorbell, int n_blocks, int n_threads,
                                      lte_doorbell_client **client);

/*
 * Rings for slot `first`, below 2^48, at release_s of lte_seconds, at once if that is past; waits
 * for the answer.
 *
 *   alive         asked now and then, with user: an error ends the waiting
 *   completed_s   out: when the answer was seen
 *
 * Returns what alive returned.
 */
lte_status lte_doorbell_notify(lte_doorbell_client *client, uint64_t first, double release_s,
                               lte_status (*alive)(void *user), void *user, double *completed_s);

/* Tells the kernel to end and frees; NULL is fine. */
void lte_doorbell_client_quit(lte_doorbell_client *client);

#ifdef __cplusplus
}
#endif

#endif
