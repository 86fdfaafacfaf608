#ifndef LTE_KERNELS_DETECT_H
#define LTE_KERNELS_DETECT_H
/* Stage 7: hard decisions. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * Labels decided for groups g0 .. g1 - 1 of a slot from the inverse of the loaded Gram matrix.
 *
 *   h       [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]
 *   x       [n_groups][n_h][n_tx][n_tx][2][LTE_LANES]  inverses
 *   y       [n_groups][7][n_rx][2][LTE_LANES]
 *   label   [n_groups][7][n_tx][LTE_LANES]             out
 */
typedef void lte_detect_fn(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                           const float *h, const float *x, const float *y, uint32_t *label);

/*
 * Packs labels as hard bits, lowest first: [7][n_sc][n_tx][n_bits] bits, each symbol's row of
 * lte_packed_row(link) bytes. Groups g0 .. g1 - 1 write their own bytes alone.
 */
typedef void lte_pack_fn(const lte_link *link, int g0, int g1, const uint32_t *label,
                         uint8_t *bits);

#endif
