#ifndef LTE_KERNELS_METHODS_REFERENCE_CUDA_H
#define LTE_KERNELS_METHODS_REFERENCE_CUDA_H
/*
 * Reference sequences on a device: launchers that only start their work on a stream, for device
 * memory (d_). Shapes and refusals are those of reference.h.
 *
 *     lte_status status = lte_reference_zc_cuda(2, &zc, d_rows, n_rows, 139, d_x, stream);
 *
 *   version   1: a thread per element, as published; 2: the faster one; both take any shape and
 *             give the same bits
 *
 * All return LTE_EDEVICE, too, if the launch failed.
 */

#include <cuda_runtime_api.h>

#include "kernels/methods/reference/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* d_rows [n_rows] in device memory. */
lte_status lte_reference_zc_cuda(int version, const lte_zc *zc, const lte_zc_row *d_rows,
                                 int n_rows, int n_columns, lte_cf32 *d_x, cudaStream_t stream);
lte_status lte_reference_sar_cuda(int version, const lte_sar *sar, int n_rows, int n_columns,
                                  float *d_re, float *d_im, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
