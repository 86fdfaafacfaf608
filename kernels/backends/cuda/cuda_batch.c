/* Batches that a program hands over, on a CUDA device. */
#include "kernels/backends/cuda/cuda_batch.h"

#include <stdint.h>

#include "kernels/base/cuda_status.h"

lte_status lte_cuda_batch_enter(const lte_cuda_batch *batch, int *before)
{
    const lte_status status = LTE_CUDA(cudaGetDevice(before));
    return status ? status : LTE_CUDA(cudaSetDevice(batch->device));
}

lte_status lte_cuda_batch_leave(int before, lte_status status)
{
    const lte_status left = LTE_CUDA(cudaSetDevice(before));
    return status ? status : left;
}

lte_status lte_cuda_batch_place(const lte_cuda_batch *batch, lte_cuda_memory *memory,
                                const void *array, size_t size, void **there)
{
    if (lte_cuda_memory_holds(batch->device, array) && (uintptr_t)array % batch->boundary == 0) {
        *there = (void *)array;
        return LTE_OK;
    }
    const lte_status status = lte_cuda_memory_grow(memory, size);
    *there = memory->at;
    return status;
}

lte_status lte_cuda_batch_copy(const lte_cuda_batch *batch, void *to, const void *from, size_t size)
{
    if (to == from)
        return LTE_OK;
    return LTE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, batch->stream));
}
