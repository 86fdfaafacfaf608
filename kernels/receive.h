#ifndef LTE_KERNELS_RECEIVE_H
#define LTE_KERNELS_RECEIVE_H
/* Stage 3: what the antennas receive. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * y = H x + sqrt(n0) z for groups g0 .. g1 - 1 of a slot; symbol 0's power is added to *power.
 *
 *   h       [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]
 *   label   [n_groups][7][n_tx][LTE_LANES]
 *   y       [n_groups][7][n_rx][2][LTE_LANES]  out
 */
typedef void lte_receive_fn(const lte_link *link, uint64_t slot, lte_noise noise, int g0, int g1,
                            const float *h, const uint32_t *label, float *y, lte_power *power);

#endif
