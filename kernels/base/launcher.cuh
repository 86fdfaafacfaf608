#ifndef LTE_KERNELS_LAUNCH_CUH
#define LTE_KERNELS_LAUNCH_CUH
/* What every launcher needs, those of kernels/methods included: status, blocks, alignment. */

#include <stdint.h>

#include "kernels/base/cuda_status.h"
#include "phy/base/real.h"

/* Blocks of `block` threads or elements that n of them take. */
static inline int blocks_of(int64_t n, int block)
{
    return (int)((n + block - 1) / block);
}

/* True where memory may be read and written 16 bytes at a time. */
static inline bool on_16_bytes(const void *p)
{
    return (uintptr_t)p % 16 == 0;
}

/* Lets a kernel have that much shared memory. */
static inline lte_status allow_shared(const void *kernel, size_t bytes)
{
    return LTE_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

#endif
