/* Blocks of subframes that were decoded against the clock: their CRCs, and their bits packed. */
#include "kernels/coding/coded_cuda.cuh"

namespace
{

enum {
    DELIVERY_THREADS = 1024,
    MOST_CODE_BLOCKS =
        (LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS) / (LTE_MAX_CODE_BLOCK - LTE_CRC_BITS) + 1
};

/*
 * A thread block for each codeword of a subframe, whose CRCs it looks at and whose bits it packs; a
 * warp for a part of a code block at a time, a thread for eight bits of it.
 */
__global__ __launch_bounds__(DELIVERY_THREADS) void deliver_kernel(
    const __grid_constant__ lte_coded_job job, const __grid_constant__ lte_coded_delivery delivery)
{
    __shared__ uint32_t of_warp[DELIVERY_THREADS / WARP];
    __shared__ uint32_t remainder[MOST_CODE_BLOCKS];
    const int m = blockIdx.x, q = blockIdx.y, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const lte_coded_word &w = job.word[q];
    const uint32_t *const of_code_block = job.remainders[w.n_blocks > 1];
    const uint64_t place = (delivery.subframes.first + (uint64_t)m) % delivery.subframes.n_out;
    uint8_t *const out = delivery.subframes.bits + place * delivery.pitch + delivery.at[q];
    const int longest = w.size[1].n > 0 ? w.size[1].k : w.size[0].k;
    const int parts = (longest / 8 + WARP - 1) / WARP;
    uint32_t sum = 0;
    for (int r = threadIdx.x; r < w.n_blocks; r += DELIVERY_THREADS)
        remainder[r] = 0;
    __syncthreads();
#pragma unroll 2
    for (int i = warp; i < parts * w.n_blocks; i += DELIVERY_THREADS / WARP) {
        const segment s = segment_of(w, i / parts);
        const lte_coded_size &size = w.size[s.c];
        const int eight = i % parts * WARP + lane, b = 8 * eight; /* of the code block, */
        const int t = s.first + b - s.filler;                     /* of the transport block */
        uint32_t own = 0;
        if (b < size.k) {
            const uint2 bits =
                ((const uint2 *)(size.decoded + ((int64_t)m * size.pitch + s.at) * size.k))[eight];
            own = remainder_of(bits.x, of_code_block + (size.k - 4 - b)) ^
                  remainder_of(bits.y, of_code_block + (size.k - 8 - b));
            if (b >= s.filler && b < s.filler + s.n) {
                sum ^= remainder_of(bits.x, job.remainders[0] + (w.all_bits - 4 - t)) ^
                       remainder_of(bits.y, job.remainders[0] + (w.all_bits - 8 - t));
                if (t < w.bits)
                    out[t / 8] = (uint8_t)(bits_of(bits.x) | bits_of(bits.y) << 4);
            }
        }
        own = __reduce_xor_sync(~0u, own);
        if (lane == 0)
            atomicXor(&remainder[i / parts], own);
    }
    __syncthreads();
    uint32_t broken = 0;
    for (int r = threadIdx.x; r < w.n_blocks; r += DELIVERY_THREADS)
        broken |= remainder[r];
    const bool right = __syncthreads_or(broken != 0) == 0;
    const bool holds = sum_of_block(sum, of_warp) == 0 && right;
    if (threadIdx.x == 0)
        out[w.bits / 8] = holds;
}

} // namespace

lte_status lte_coded_deliver_cuda(const lte_coded_job *job, const lte_coded_delivery *delivery,
                                  cudaStream_t stream)
{
    const dim3 grid((unsigned)delivery->subframes.n, (unsigned)job->n_codewords);
    deliver_kernel<<<grid, DELIVERY_THREADS, 0, stream>>>(*job, *delivery);
    return LTE_LAUNCHED(deliver_kernel);
}
