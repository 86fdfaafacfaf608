#ifndef LTE_KERNELS_CUDA_STATUS_H
#define LTE_KERNELS_CUDA_STATUS_H
/*
 * The status of a call into the CUDA runtime, and of a launch.
 *
 *     lte_status status = LTE_CUDA(cudaMalloc((void **)&d_h, size));
 *     my_kernel<<<n_blocks, n_threads, 0, stream>>>(d_h);
 *     return LTE_LAUNCHED(my_kernel);
 */

#include <cuda_runtime_api.h>

#include "phy/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* LTE_ENOMEM if memory ran out, else LTE_EDEVICE with the call's text. */
#define LTE_CUDA(call) lte_cuda_status((call), #call, __FILE__, __LINE__)
lte_status lte_cuda_status(cudaError_t error, const char *call, const char *file, int line);

/* The status of the kernel launched just before. */
#define LTE_LAUNCHED(kernel) lte_cuda_status(cudaGetLastError(), #kernel, __FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif
