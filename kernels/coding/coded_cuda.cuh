#ifndef LTE_KERNELS_CODING_CODED_CUH
#define LTE_KERNELS_CODING_CODED_CUH
/* What the kernels of transport blocks share: their CRCs, and where the code blocks of one lie. */
#include "kernels/coding/coded_cuda.h"

#include "kernels/base/launcher.cuh"
#include "phy/coding/crc.h"

namespace
{

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP };

/* The sum modulo 2 over all threads of a block; all of them must be here, and get it. */
__device__ __forceinline__ uint32_t sum_of_block(uint32_t value, uint32_t *of_warp)
{
    const uint32_t sum = __reduce_xor_sync(~0u, value);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    uint32_t all = 0;
    for (unsigned i = 0; i < blockDim.x / WARP; i++)
        all ^= of_warp[i];
    __syncthreads();
    return all;
}

/* Each of the lowest four bits as a byte. */
__device__ __forceinline__ uint32_t bytes_of(uint32_t bits)
{
    return (bits & 15) * 0x00204081u & 0x01010101u;
}

/* And back. */
__device__ __forceinline__ uint32_t bits_of(uint32_t bytes)
{
    return bytes * 0x10204080u >> 28;
}

/*
 * What four bits, a byte each, add to a remainder; power: those of x of the last of them and the
 * three before.
 */
__device__ __forceinline__ uint32_t remainder_of(uint32_t bits, const uint32_t *power)
{
    const uint4 of = *(const uint4 *)power;
    return (bits & 1 ? of.w : 0) ^ (bits >> 8 & 1 ? of.z : 0) ^ (bits >> 16 & 1 ? of.y : 0) ^
           (bits >> 24 & 1 ? of.x : 0);
}

/*
 * A code block: its size, its place among those of the size, where its bits begin, and its
 * elements.
 */
struct segment {
    int c, at;
    int filler, first, n; /* bits of the transport block */
    int element;          /* of all as encoded */
    int word;             /* of d */
};

__device__ __forceinline__ segment segment_of(const lte_coded_word &w, int r)
{
    const int crc = w.n_blocks > 1 ? LTE_CRC_BITS : 0, n_smaller = w.size[0].n;
    const int smaller = r < n_smaller ? r : n_smaller, larger = r - smaller;
    segment s;
    s.c = r < n_smaller ? 0 : 1;
    s.at = s.c ? larger : r;
    s.filler = r ? 0 : w.filler;
    s.first = smaller * (w.size[0].k - crc) + larger * (w.size[1].k - crc) - (r ? w.filler : 0);
    s.n = w.size[s.c].k - crc - s.filler;
    s.element =
        3 * (smaller * (w.size[0].k + LTE_TURBO_TAIL) + larger * (w.size[1].k + LTE_TURBO_TAIL));
    s.word = 3 * (smaller * lte_coded_stream_words(w.size[0].k) +
                  larger * lte_coded_stream_words(w.size[1].k));
    return s;
}

} // namespace

#endif
