#ifndef LTE_KERNELS_IN_STEP_CUH
#define LTE_KERNELS_IN_STEP_CUH
/*
 * For kernels whose warps go in step through a text of phy, which then has no call: its arrays lie
 * in registers. It comes before that text.
 *
 *     #include "kernels/cuda/device/in_step.cuh"
 *     #include "phy/detection/ml.h"
 */

#define LTE_INLINE_ALL
#define LTE_TREE_HAS_SILENT 0 /* links with silent layers are wide: other kernels take them */
#define LTE_LOOKUP_PLACE(i) ((i)*32) /* lanes of a warp lie side by side: none waits */
#define lte_any_lane(mask) lte_any_of_warp(mask)

/* A thread's words to look up, so many of them, in its block's memory for those of all. */
static __host__ __device__ __forceinline__ void *lte_lookups_of(void *block, int lookups)
{
#if defined(__CUDA_ARCH__)
    const int lane = (int)threadIdx.x % 32;
    return (unsigned *)block + ((int)threadIdx.x - lane) * lookups + lane;
#else
    (void)lookups;
    return block;
#endif
}

/* Whether it holds in any thread of a whole warp; on a host, where nobody calls it, in the one. */
static __host__ __device__ __forceinline__ bool lte_any_of_warp(bool holds)
{
#if defined(__CUDA_ARCH__)
    return __any_sync(~0u, holds) != 0;
#else
    return holds;
#endif
}

#endif
