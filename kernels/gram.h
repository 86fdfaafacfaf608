#ifndef LTE_KERNELS_GRAM_H
#define LTE_KERNELS_GRAM_H
/* Stage 5: loaded Gram matrices. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * G = H'H + loading I for groups g0 .. g1 - 1, the loading being that of the detector.
 *
 *   h   [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]
 *   g   [n_groups][n_h][n_tx][n_tx][2][LTE_LANES]  out
 */
typedef void lte_gram_fn(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                         const float *h, float *g);

#endif
