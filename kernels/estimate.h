#ifndef LTE_KERNELS_ESTIMATE_H
#define LTE_KERNELS_ESTIMATE_H
/*
 * Stage 3b, only where the receiver estimates its channel: channel matrices out of the reference
 * symbol. Formulas and weights: phy/pilots.h.
 */

#include "kernels/link.h"

/*
 * Estimates groups g0 .. g1 - 1 of a slot with a set of weights.
 *
 *   set        LTE_LS_WEIGHTS, or that of a noise level
 *   y          [n_rx] planes [n_sc] of the reference symbol, stride elements from one to the next
 *   h          [n_rx][n_tx][n_sc]  out
 *   residual   NULL, or += the sum of lte_residual_units over antennas and subcarriers: with
 *              LTE_LS_WEIGHTS it tells the noise
 */
typedef void lte_estimate_fn(const lte_link *link, int set, int g0, int g1, const lte_cf32 *y,
                             ptrdiff_t stride, lte_cf32 *h, int64_t *residual);

#endif
