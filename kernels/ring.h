#ifndef LTE_KERNELS_RING_H
#define LTE_KERNELS_RING_H
/*
 * Slots for the deadline run, made before the clock starts, as a front-haul would hand them over.
 *
 *     lte_ring *ring = NULL;
 *     lte_status status = lte_ring_create(backend, engine, &link, noise, 64, &ring);
 *     status = lte_ring_reserve(ring, carriers);
 *     lte_tick_plan plan = {.slots = lte_ring_slots(ring), ...};
 *     ...
 *     lte_ring_free(ring);
 */

#include "kernels/backend.h"

typedef struct lte_ring lte_ring;

/*
 * Slots 0 .. n_distinct - 1 of the link at one SNR: planes of H and y in the backend's host memory.
 * The ring must be freed before the engine.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE. The caller frees it.
 */
lte_status lte_ring_create(const lte_backend *backend, lte_engine *engine, const lte_link *link,
                           lte_noise noise, int n_distinct, lte_ring **ring);

void lte_ring_free(lte_ring *ring);

/*
 * Makes room for the outputs of a tick of n_carriers carriers, none sharing one. Not within a run
 * of ticks: what lte_ring_slots gave before is no longer valid.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_ring_reserve(lte_ring *ring, int n_carriers);

/* Zeroes every output. */
void lte_ring_clear(lte_ring *ring);

/* The slots as a run of ticks wants them; outputs are a multiple of the distinct slots. */
lte_slots lte_ring_slots(const lte_ring *ring);

/* Bit errors in the output of slot i. Returns LTE_ENOMEM. */
lte_status lte_ring_errors(const lte_ring *ring, uint64_t i, uint64_t *errors);

#endif
