/* Whether this program's device code loads on a device: asked of a kernel that does nothing. */
#include "kernels/cuda/device/loads_cuda.h"

static __global__ void empty_kernel()
{
}

cudaError_t lte_loads_cuda(int device)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&attributes, empty_kernel);
    if (error != cudaSuccess)
        (void)cudaGetLastError(); /* said, and done with */
    return error;
}
