#ifndef LTE_KERNELS_METHODS_TRANSPOSE_CUDA_H
#define LTE_KERNELS_METHODS_TRANSPOSE_CUDA_H
/*
 * Transposition on a device: launchers that only start their work on a stream, for device memory
 * (d_). Shapes and refusals are those of transpose.h.
 *
 *     lte_status status = lte_transpose_cuda(2, sizeof(float), 1, 4096, 4096, d_a, d_x, stream);
 *
 *   version   1: a thread per element, as published; 2: the faster one; both take any shape and
 *             give the same bits
 *
 * All return LTE_EDEVICE, too, if the launch failed.
 */

#include <cuda_runtime_api.h>

#include "kernels/methods/transpose/transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

lte_status lte_transpose_cuda(int version, int element_size, int n_batches, int n_rows,
                              int n_columns, const void *d_a, void *d_x, cudaStream_t stream);

/* A matrix's transposition by tiles, as version 2; anything else by a thread an element. */
lte_status lte_permute_cuda(int element_size, const lte_steps *steps, const void *d_a, void *d_x,
                            cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
