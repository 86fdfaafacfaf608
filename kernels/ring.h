#ifndef LTE_KERNELS_RING_H
#define LTE_KERNELS_RING_H
/*
 * Slots for the deadline run, made before the clock starts, as a front-haul would hand them over.
 *
 *     lte_ring *ring = NULL;
 *     lte_status status = lte_ring_create(&link, noise, 64, &ring);
 *     status = lte_ring_reserve(ring, carriers);
 *     lte_slot_io io = lte_ring_slot(ring, tick * carriers + c);
 *     ...
 *     lte_ring_free(ring);
 */

#include "kernels/backend.h"

typedef struct lte_ring lte_ring;

/*
 * Slots 0 .. n_distinct - 1 of the link at one SNR: planes of H and y in host memory.
 *
 * Returns LTE_ENOMEM. The caller frees it.
 */
lte_status lte_ring_create(const lte_link *link, lte_noise noise, int n_distinct, lte_ring **ring);

void lte_ring_free(lte_ring *ring);

/* Makes room for the outputs of a tick of n_carriers carriers, none sharing one. */
lte_status lte_ring_reserve(lte_ring *ring, int n_carriers);

/* Inputs of slot i mod n_distinct, and an output of its own among those in use. */
lte_slot_io lte_ring_slot(const lte_ring *ring, uint64_t i);

/* Bit errors in the output that lte_ring_slot(ring, i) names. Returns LTE_ENOMEM. */
lte_status lte_ring_errors(const lte_ring *ring, uint64_t i, uint64_t *errors);

/* The distinct slots' channels as batches (kernels/link.h), for a look at their condition. */
void lte_ring_channel(const lte_ring *ring, int distinct, float *h);

#endif
