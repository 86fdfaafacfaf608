#ifndef LTE_KERNELS_CUDA_DEVICE_LOADS_CUDA_H
#define LTE_KERNELS_CUDA_DEVICE_LOADS_CUDA_H
/*
 * Whether this program's device code loads on a device.
 *
 *     if (lte_loads_cuda(0) == cudaSuccess)
 */

#include "kernels/base/cuda_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cudaSuccess if this program's code loads on a device, which is the current one then. */
cudaError_t lte_loads_cuda(int device);

#ifdef __cplusplus
}
#endif

#endif
