#ifndef LTE_KERNELS_BACKENDS_CUDA_BATCH_H
#define LTE_KERNELS_BACKENDS_CUDA_BATCH_H
/* Batches that a program hands over: their device, its stream, and where their arrays are. */

#include <stddef.h>

#include <cuda_runtime_api.h>

#include "kernels/backends/cuda/cuda_memory.h"
#include "phy/base/status.h"

typedef struct {
    int device;
    size_t boundary;     /* of arrays that the device works on where they are */
    cudaStream_t stream; /* waits for the default one; NULL: none yet */
} lte_cuda_batch;

/* Makes the batch's device current; *before: the caller's. */
lte_status lte_cuda_batch_enter(const lte_cuda_batch *batch, int *before);

/* Makes the caller's device current again. Returns status, or what fails after LTE_OK. */
lte_status lte_cuda_batch_leave(int before, lte_status status);

/*
 * Where the device finds an array of size bytes: *there is the array if the device can work on it
 * where it is, else memory, grown to it. Returns LTE_ENOMEM as lte_cuda_memory_grow does.
 */
lte_status lte_cuda_batch_place(const lte_cuda_batch *batch, lte_cuda_memory *memory,
                                const void *array, size_t size, void **there);

/* Copies size bytes in the batch's stream, unless they are there. */
lte_status lte_cuda_batch_copy(const lte_cuda_batch *batch, void *to, const void *from,
                               size_t size);

#endif
