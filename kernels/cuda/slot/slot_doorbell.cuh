#ifndef LTE_KERNELS_SLOT_DOORBELL_CUH
#define LTE_KERNELS_SLOT_DOORBELL_CUH
/*
 * A persistent kernel's side of the doorbell (doorbell_words.h).
 *
 *     while ((last = next_period(doorbell, relay, last, &word)) != LTE_DOORBELL_QUIT) {
 *         ...                                  // slots from last & LTE_DOORBELL_SLOT on
 *         __syncthreads();
 *         answer_period(doorbell, last);
 *     }
 */

#include <stdint.h>

#include "kernels/cuda/slot/doorbell_words.h"

namespace
{

/*
 * Words that the host and other blocks write while this kernel runs. A thread that acquires one
 * sees everything that was written before it was released. A fence in their place
 * (fence.acq_rel.sys) waits for the bus.
 */
__device__ __forceinline__ uint64_t acquire_of_host(const volatile uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ uint64_t acquire(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void release(uint64_t *p, uint64_t x)
{
    asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}
/* Adds one: what was written before is there for whoever finds it added. Returns what was. */
__device__ __forceinline__ uint32_t arrive(uint32_t *p)
{
    uint32_t x;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void release_to_host(volatile uint32_t *p, uint32_t x)
{
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}

/*
 * Waits for a word that is not the last one; word: a block's shared memory. One block asks the host
 * and tells the others: if all did, the bus would be full.
 */
__device__ __forceinline__ uint64_t next_period(const lte_doorbell *doorbell, uint64_t *relay,
                                                uint64_t last, uint64_t *word)
{
    if (threadIdx.x == 0) {
        uint64_t heard;
        if (blockIdx.x == 0) {
            while ((heard = acquire_of_host(&doorbell->word)) == last)
                continue;
            release(relay, heard);
        } else {
            while ((heard = acquire(relay)) == last)
                continue;
        }
        *word = heard;
    }
    __syncthreads();
    return *word;
}

/* Says that all of the block's threads, which have met at a barrier, have written what they had. */
__device__ __forceinline__ void answer_period(lte_doorbell *doorbell, uint64_t word)
{
    if (threadIdx.x == 0)
        release_to_host(&doorbell->done[blockIdx.x], LTE_DOORBELL_NUMBER(word));
}

} // namespace

#endif
