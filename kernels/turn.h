#ifndef LTE_KERNELS_TURN_H
#define LTE_KERNELS_TURN_H
/*
 * Stage 4, the corner turn: planes, one subcarrier after the other, to batches, one matrix per
 * subcarrier. Shapes: kernels/link.h. methods.md M3 describes the same step on a grid of threads.
 * Matrices one after the other are the plain transposition of the planes (kernels/transpose.h);
 * batches, for lanes that work side by side, are the transposed of 16 such matrices each, so the
 * planes' subcarriers stay neighbours and this stage moves them without one.
 */

#include "kernels/link.h"

/*
 * Turns groups g0 .. g1 - 1 of the planes of H and y; spare lanes become zero.
 *
 *   h_planes   [n_rx][n_tx][n_h][n_sc]
 *   y_planes   [n_rx][7][n_sc]
 *   h          [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]  out
 *   y          [n_groups][7][n_rx][2][LTE_LANES]          out
 */
typedef void lte_turn_fn(const lte_link *link, int g0, int g1, const lte_cf32 *h_planes,
                         const lte_cf32 *y_planes, float *h, float *y);

#endif
