#ifndef LTE_KERNELS_METHODS_THREADS_CUH
#define LTE_KERNELS_METHODS_THREADS_CUH
/*
 * Thread arrays on a device (threads.h): one kernel for every body.
 *
 *     struct doubled {
 *         float *d_x;
 *         __device__ void operator()(const lte_threads &threads, int64_t tid) const
 *         {
 *             d_x[tid] *= 2.0f;
 *         }
 *     };
 *     lte_status status = detour_cuda(&threads, doubled{d_x}, stream);
 */

#include "kernels/base/launcher.cuh"
#include "kernels/methods/product/threads.h"

template <class BODY>
static __global__ void __launch_bounds__(1024)
    detour_kernel(const __grid_constant__ lte_threads threads, const __grid_constant__ BODY body)
{
    body(threads, (int64_t)blockIdx.x * blockDim.x + threadIdx.x);
}

/* Starts body on every thread of the array; they have ended when the stream has. */
template <class BODY>
static lte_status detour_cuda(const lte_threads *threads, const BODY &body, cudaStream_t stream)
{
    lte_status status = lte_array_check(&threads->dims);
    if (status)
        return status;
    if (threads->kind != LTE_THREADS_CUDA)
        return LTE_FAIL(LTE_EINVAL, "a kernel cannot run on threads of the host");
    const lte_dim *const dim = threads->dims.dim;
    const unsigned n_blocks = (unsigned)dim[lte_dim_in(&threads->dims, 0, 0)].size;
    const unsigned block = (unsigned)dim[lte_dim_in(&threads->dims, 0, 1)].size;
    detour_kernel<<<n_blocks, block, 0, stream>>>(*threads, body);
    return LTE_LAUNCHED(detour_kernel);
}

#endif
