#ifndef LTE_KERNELS_METHODS_TRANSPOSE_H
#define LTE_KERNELS_METHODS_TRANSPOSE_H
/*
 * Transposition of matrices of any shape, and with it the corner turn of a slot: from planes, one
 * per antenna or pair of antennas, to one small matrix per resource element.
 *
 *     lte_status status = lte_transpose(sizeof(float), 1, 4096, 4096, a, x);
 *     status = lte_corner_turn_matrices(&link, h_planes, y_planes, h, y);
 *
 * These are the plain loops; the device's kernels (kernels/cuda.h) move the same bits.
 * Source: Beijing Institute of Technology, CN101937425A, 2009.
 */

#include "kernels/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Matrices, transposed one by one:
 *
 *     x[b][j][i] = a[b][i][j]
 *
 *   element_size   4, 8 or 16 bytes; what they mean does not matter
 *   a              [n_batches][n_rows][n_columns]
 *   x              [n_batches][n_columns][n_rows]  out; not in place
 *
 * Returns LTE_EINVAL as lte_transpose_check does.
 */
lte_status lte_transpose(int element_size, int n_batches, int n_rows, int n_columns, const void *a,
                         void *x);

/*
 * LTE_EINVAL for another element size, a count below 1, more elements than memory can have, an
 * address that is no multiple of the element size, and for a and x that overlap.
 */
lte_status lte_transpose_check(int element_size, int n_batches, int n_rows, int n_columns,
                               const void *a, const void *x);

/*
 * The planes of a slot (kernels/link.h) as matrices, row major: two transpositions.
 *
 *   h_planes   [n_rx][n_tx][n_h][n_sc]
 *   y_planes   [n_rx][7][n_sc]
 *   h          [n_h][n_sc][n_rx][n_tx]  out
 *   y          [7][n_sc][n_rx]          out
 *
 * Returns LTE_EINVAL if planes and matrices overlap.
 */
lte_status lte_corner_turn_matrices(const lte_link *link, const lte_cf32 *h_planes,
                                    const lte_cf32 *y_planes, lte_cf32 *h, lte_cf32 *y);

#ifdef __cplusplus
}
#endif

#endif
