#ifndef LTE_KERNELS_BACKENDS_SLOT_BUFFER_H
#define LTE_KERNELS_BACKENDS_SLOT_BUFFER_H
/*
 * Slots for the deadline run, made before the clock starts, as a front-haul would hand them over.
 *
 *     lte_slot_buffer *buffer = NULL;
 *     lte_status status = lte_slot_buffer_create(backend, engine, &link, noise, 64, &buffer);
 *     status = lte_slot_buffer_make(buffer, 0, 64);
 *     status = lte_slot_buffer_reserve(buffer, carriers);
 *     lte_slot_plan plan = {.job = {.memory = lte_slot_buffer_memory(buffer), ...}, ...};
 *     ...
 *     lte_slot_buffer_free(buffer);
 */

#include "kernels/backends/backend.h"

typedef struct lte_slot_buffer lte_slot_buffer;

/*
 * Room for slots 0 .. n_distinct - 1 of the link at one SNR: planes of H and y in the backend's
 * host memory. Those of a link that carries a code are subframes in their first transmissions. The
 * buffer must be freed before the engine.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE, and LTE_EINVAL for half a subframe where estimates are made from
 * both of its slots, or it carries blocks. The caller frees it.
 */
lte_status lte_slot_buffer_create(const lte_backend *backend, lte_engine *engine,
                                  const lte_link *link, lte_noise noise, int n_distinct,
                                  lte_slot_buffer **buffer);

void lte_slot_buffer_free(lte_slot_buffer *buffer);

/*
 * Makes slots first .. first + n - 1, shared by the processor's threads, whole subframes if they
 * carry a code. All must be made before one is used; in parts, so that a caller may look up in
 * between.
 *
 * Returns LTE_ENOMEM.
 */
lte_status lte_slot_buffer_make(lte_slot_buffer *buffer, int first, int n);

/*
 * Makes room for the outputs of a period of n_carriers carriers, slots or subframes, none sharing
 * one; what they hold is lost. Not within a run of periods: what lte_slot_buffer_memory gave before
 * is no longer valid.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_slot_buffer_reserve(lte_slot_buffer *buffer, int n_carriers);

/* Zeroes the outputs first .. first + n - 1, those of them that there are. */
void lte_slot_buffer_clear(lte_slot_buffer *buffer, uint64_t first, uint64_t n);

/* Where the slots lie, for a plan; outputs are a multiple of the distinct slots. */
lte_slot_memory lte_slot_buffer_memory(const lte_slot_buffer *buffer);

/* What is wrong in an output. */
typedef struct {
    uint64_t
        bit_errors; /* of a slot's decisions, those that LLRs are the signs of, or of payload */
    int blocks;     /* transport blocks: 0 without a code */
    int wrong;      /* of them, by their bits */
    int undetected; /* and with CRCs that hold */
} lte_output_errors;

/* Compares output i, of a slot or a subframe, with what was sent. Returns LTE_ENOMEM. */
lte_status lte_slot_buffer_errors(const lte_slot_buffer *buffer, uint64_t i,
                                  lte_output_errors *errors);

#endif
