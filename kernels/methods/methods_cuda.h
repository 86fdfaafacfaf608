#ifndef LTE_KERNELS_METHODS_METHODS_CUDA_H
#define LTE_KERNELS_METHODS_METHODS_CUDA_H
/*
 * The device's side of kernels/methods: launchers that only start their work on a stream, for
 * device memory (d_). Shapes and refusals are those of array.h, product.h,
 * reference.h and transpose.h.
 *
 *     lte_status status = lte_transpose_cuda(2, sizeof(float), 1, 4096, 4096, d_a, d_x, stream);
 *
 *   version   1: a thread per element, as published; 2: the faster one; both take any shape and
 *             give the same bits
 *
 * All return LTE_EDEVICE, too, if the launch failed.
 */

#include <cuda_runtime_api.h>

#include "kernels/methods/product/product.h"
#include "kernels/methods/reference/reference.h"
#include "kernels/methods/transpose/transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* d_rows [n_rows] in device memory. */
lte_status lte_reference_zc_cuda(int version, const lte_zc *zc, const lte_zc_row *d_rows,
                                 int n_rows, int n_columns, lte_cf32 *d_x, cudaStream_t stream);
lte_status lte_reference_sar_cuda(int version, const lte_sar *sar, int n_rows, int n_columns,
                                  float *d_re, float *d_im, cudaStream_t stream);

lte_status lte_transpose_cuda(int version, int element_size, int n_batches, int n_rows,
                              int n_columns, const void *d_a, void *d_x, cudaStream_t stream);

/* A matrix's transposition by tiles, as version 2; anything else by a thread an element. */
lte_status lte_permute_cuda(int element_size, const lte_steps *steps, const void *d_a, void *d_x,
                            cudaStream_t stream);

/* All matrices in device or pinned memory. */
lte_status lte_product_cuda(int version, const lte_product *p, const void *d_a, const void *d_b,
                            void *d_c, cudaStream_t stream);

/* The plain product by a thread array of CUDA threads; lte_product_on waits for it. */
lte_status lte_product_on_cuda(const lte_threads *threads, const lte_product *p, const void *d_a,
                               const void *d_b, void *d_c, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
