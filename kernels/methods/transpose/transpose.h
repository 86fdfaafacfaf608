#ifndef LTE_KERNELS_METHODS_TRANSPOSE_H
#define LTE_KERNELS_METHODS_TRANSPOSE_H
/*
 * Transposition of matrices of any shape, and any other order of dimensions.
 *
 *     lte_status status = lte_transpose(sizeof(float), 1, 4096, 4096, a, x);
 *
 * These are the plain loops; the device's kernels (transpose_cuda.h) move the same bits.
 * Source: Beijing Institute of Technology, CN101937425A, 2009.
 */

#include <stddef.h>
#include <stdint.h>

#include "phy/base/status.h"

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

enum { LTE_STEPS = 64 };

/* A dimension of two arrays: its size, and elements from one index to the next in each array. */
typedef struct {
    int64_t size, from, to;
} lte_step;

typedef struct lte_steps {
    int n;
    lte_step step[LTE_STEPS];
} lte_steps;

/* The steps of lte_transpose. */
lte_steps lte_transpose_steps(int n_batches, int n_rows, int n_columns);

/*
 * Elements by their indices, from one array to another where they lie in another order:
 *
 *     x[sum_k i_k to_k] = a[sum_k i_k from_k],   0 <= i_k < size_k
 *
 * Steps of 1 in a and others in x, and the other way round, are rows and columns of matrices that
 * are transposed, with whatever lies between rows.
 *
 *   element_size   1, 4, 8 or 16 bytes
 *   steps          in any order; no two elements go to the same place
 *
 * Returns LTE_EINVAL for arrays that overlap.
 */
lte_status lte_permute(int element_size, const lte_steps *steps, const void *a, void *x);

/*
 * The steps as loops want them: by `from`, the least one last, and before it the one of the least
 * `to`, if that is another: a matrix's columns and rows. Steps that are one in both arrays are made
 * one, those of one element left out. Returns LTE_EINVAL as lte_permute does.
 */
lte_status lte_steps_order(int element_size, const lte_steps *steps, const void *a, const void *x,
                           lte_steps *ordered);

/* LTE_EINVAL if arrays of so many bytes overlap. */
lte_status lte_overlap_check(const void *a, int64_t a_bytes, const void *x, int64_t x_bytes);

#ifdef __cplusplus
}
#endif

#endif
