#ifndef LTE_KERNELS_CORNER_TURN_MATRICES_H
#define LTE_KERNELS_CORNER_TURN_MATRICES_H
/*
 * The corner turn for what takes matrices in place of batches: the planes of a slot as one small
 * matrix per resource element, row major, by two transpositions (kernels/methods/transpose.h).
 *
 *     lte_status status = lte_corner_turn_matrices(&link, h_planes, y_planes, h, y);
 */

#include "kernels/link.h"

struct CUstream_st; /* a cudaStream_t points to it */

/*
 *   h_planes   [n_rx][n_tx][n_h][n_sc]
 *   y_planes   [n_rx][7][n_sc]
 *   h          [n_h][n_sc][n_rx][n_tx]  out
 *   y          [7][n_sc][n_rx]          out
 *
 * Returns LTE_EINVAL if planes and matrices overlap.
 */
lte_status lte_corner_turn_matrices(const lte_link *link, const lte_cf32 *h_planes,
                                    const lte_cf32 *y_planes, lte_cf32 *h, lte_cf32 *y);

/* The same in device memory; only starts the work on the stream. Returns LTE_EDEVICE, too. */
lte_status lte_corner_turn_matrices_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                                         const lte_cf32 *d_y_planes, lte_cf32 *d_h, lte_cf32 *d_y,
                                         struct CUstream_st *stream);

#endif
