#ifndef LTE_KERNELS_METHODS_TRANSPOSE_H
#define LTE_KERNELS_METHODS_TRANSPOSE_H
/*
 * Transposition of matrices of any shape.
 *
 *     lte_status status = lte_transpose(sizeof(float), 1, 4096, 4096, a, x);
 *
 * These are the plain loops; the device's kernels (methods_cuda.h) move the same bits.
 * Source: Beijing Institute of Technology, CN101937425A, 2009.
 */

#include "phy/status.h"

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

#ifdef __cplusplus
}
#endif

#endif
