#ifndef LTE_KERNELS_SOURCE_H
#define LTE_KERNELS_SOURCE_H
/* Stage 1: payload labels. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * Draws the labels of groups g0 .. g1 - 1 of a slot.
 *
 *   label   [n_groups][7][n_tx][LTE_LANES]  out
 */
typedef void lte_source_fn(const lte_link *link, uint64_t slot, int g0, int g1, uint32_t *label);

#endif
