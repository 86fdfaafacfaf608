#ifndef LTE_KERNELS_METHODS_PRODUCT_CUDA_H
#define LTE_KERNELS_METHODS_PRODUCT_CUDA_H
/*
 * Products of matrices on a device: launchers that only start their work on a stream, for device
 * memory (d_). Shapes and refusals are those of product.h.
 *
 *     lte_status status = lte_product_cuda(2, &product, d_a, d_b, d_c, stream);
 *
 *   version   1: a thread per element, as published; 2: the faster one; both take any shape and
 *             give the same bits
 *
 * All return LTE_EDEVICE, too, if the launch failed.
 */

#include <cuda_runtime_api.h>

#include "kernels/methods/product/product.h"

#ifdef __cplusplus
extern "C" {
#endif

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
