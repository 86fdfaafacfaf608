/* The one function behind LTE_CUDA and LTE_LAUNCHED. */
#include "kernels/base/cuda_status.h"

lte_status lte_cuda_status(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return LTE_OK;
    return lte_fail(error == cudaErrorMemoryAllocation ? LTE_ENOMEM : LTE_EDEVICE, file, line,
                    "CUDA: %s (%s) in %s", cudaGetErrorString(error), cudaGetErrorName(error),
                    call);
}
