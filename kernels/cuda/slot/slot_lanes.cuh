#ifndef LTE_KERNELS_SLOT_LANES_CUH
#define LTE_KERNELS_SLOT_LANES_CUH
/*
 * How L neighbouring lanes of a warp search for a vector together, in step; each of them returns
 * with all that was found. A detector's object includes it before its text:
 *
 *     #include "kernels/cuda/slot/slot_lanes.cuh"
 *     #include "phy/detection/ml.h"
 *     #include "kernels/cuda/slot/slot_searching.cuh"
 *
 * What they find is what one lane finds: vectors are taken in another order, of which nothing
 * depends. The best metric of the L lanes is the bound of each, from vector to vector: told at the
 * end of a row alone, slots of 4x4 16QAM took half as long again.
 */

#include "kernels/cuda/device/in_step.cuh"

#ifndef LTE_SLOT_LANES
#define LTE_SLOT_LANES 1
#endif
#define LTE_ML_SHARED(best) lte_least_of_lanes(best)

/* The least number of a group of lanes. */
static __host__ __device__ __forceinline__ float lte_least_of_lanes(float x)
{
#if defined(__CUDA_ARCH__)
#pragma unroll
    for (int away = LTE_SLOT_LANES / 2; away > 0; away /= 2)
        x = fminf(x, __shfl_xor_sync(~0u, x, away));
#endif
    return x;
}

#endif
