#ifndef LTE_KERNELS_BACKENDS_CUDA_MEMORY_H
#define LTE_KERNELS_BACKENDS_CUDA_MEMORY_H
/* Device memory that a run of slot periods, or a batch, may need more of than the last one. */

#include <stdbool.h>
#include <stddef.h>

#include "phy/base/status.h"

/* Zeros hold nothing. */
typedef struct {
    void *at;
    size_t size;
} lte_cuda_memory;

/*
 * Room for size bytes; where it grows, what was there is lost. Returns LTE_ENOMEM with what the
 * device has left.
 */
lte_status lte_cuda_memory_grow(lte_cuda_memory *memory, size_t size);

void lte_cuda_memory_fini(lte_cuda_memory *memory);

/* True if an array is in the memory of a device. */
bool lte_cuda_memory_holds(int device, const void *array);

/* True if the host reads and writes an array where it is. */
bool lte_cuda_memory_on_host(const void *array);

/* What is to be allocated, for lists of it. */
typedef struct {
    void **at;
    size_t size; /* 0: nothing is */
} lte_cuda_wish;

/*
 * Fills all n wishes. Returns LTE_ENOMEM at the first that fails: the caller frees what is there.
 */
lte_status lte_cuda_alloc(const lte_cuda_wish *wishes, size_t n);

#endif
