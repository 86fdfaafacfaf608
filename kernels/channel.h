#ifndef LTE_KERNELS_CHANNEL_H
#define LTE_KERNELS_CHANNEL_H
/* Stage 2: channel matrices. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * Draws the channel of groups g0 .. g1 - 1 of a slot, by the link's channel model.
 *
 *   h   [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]  out
 */
typedef void lte_channel_fn(const lte_link *link, uint64_t slot, int g0, int g1, float *h);

#endif
