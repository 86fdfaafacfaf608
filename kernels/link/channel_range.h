#ifndef LTE_KERNELS_CHANNEL_RANGE_H
#define LTE_KERNELS_CHANNEL_RANGE_H
/*
 * The range of the numbers in a slot's channel matrices, in host memory.
 *
 *     const bool fast = lte_planes_moderate(&link, link.receiver.n_csi, planes, row->range);
 *     const int silent = lte_planes_silent(&link, link.receiver.n_csi, planes, NULL);
 *
 * Of the link only n_rx, n_tx and carrier.n_sc are read.
 */

#include "kernels/link/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a matrix, in the byte that has LTE_FLAG_NO_STATE, too. */
enum {
    LTE_MATRIX_SILENT = 2,    /* a layer is silent */
    LTE_MATRIX_NOT_FINITE = 4 /* an element is not finite */
};

/*
 * True where the largest |re| or |im| of every column of every matrix lies within 1 / range to
 * range; false for a column of zeros, NaN and infinities.
 *
 *   n_h      matrices of the slot on a subcarrier
 *   planes   [n_rx][n_tx][n_h][n_sc]
 *   range    a power of two: that of a detector's row, or LTE_LEAST_RANGE for any detector
 */
bool lte_planes_moderate(const lte_link *link, int n_h, const lte_cf32 *planes, float range);

/*
 * The number of silent layers of a slot, summed over its matrices. A layer is silent where every
 * element of its column is 0 after a division by
 *
 *     s = 2^floor(log2 m),  m the largest finite |re| or |im| of the matrix;  s = 1 where m = 0
 *
 * so a column of zeros is silent, and so is one whose quotients all underflow to 0. A column with
 * an element that is not finite is not silent.
 *
 *   n_h      matrices of the slot on a subcarrier
 *   planes   [n_rx][n_tx][n_h][n_sc]
 *   flags    [n_h][n_sc]  out: LTE_MATRIX_* of each matrix; NULL: not asked for
 */
int lte_planes_silent(const lte_link *link, int n_h, const lte_cf32 *planes, uint8_t *flags);

#ifdef __cplusplus
}
#endif

#endif
