/* Device memory that grows. */
#include "kernels/backends/cuda/cuda_memory.h"

#include "kernels/base/cuda_status.h"

lte_status lte_cuda_memory_grow(lte_cuda_memory *memory, size_t size)
{
    if (size <= memory->size)
        return LTE_OK;
    lte_cuda_memory_fini(memory);
    if (cudaMalloc(&memory->at, size) != cudaSuccess) {
        size_t left = 0, total = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&left, &total);
        memory->at = NULL;
        return LTE_FAIL(LTE_ENOMEM,
                        "%zu bytes of device memory are needed, but only %zu of %zu are free", size,
                        left, total);
    }
    memory->size = size;
    return LTE_OK;
}

void lte_cuda_memory_fini(lte_cuda_memory *memory)
{
    (void)cudaFree(memory->at);
    *memory = (lte_cuda_memory){0};
}

bool lte_cuda_memory_holds(int device, const void *array)
{
    struct cudaPointerAttributes at;
    if (cudaPointerGetAttributes(&at, array) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return at.type == cudaMemoryTypeDevice && at.device == device;
}

bool lte_cuda_memory_on_host(const void *array)
{
    struct cudaPointerAttributes at;
    if (cudaPointerGetAttributes(&at, array) != cudaSuccess) {
        (void)cudaGetLastError();
        return true;
    }
    return at.type != cudaMemoryTypeDevice;
}

lte_status lte_cuda_alloc(const lte_cuda_wish *wishes, size_t n)
{
    lte_status status = LTE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        if (wishes[i].size > 0)
            status = LTE_CUDA(cudaMalloc(wishes[i].at, wishes[i].size));
    }
    return status;
}
