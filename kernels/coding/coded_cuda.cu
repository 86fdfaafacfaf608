/* The steps of a block around its slots, as kernels: what coded.c does, for all blocks of a start. */
#include "kernels/coding/coded_cuda.h"

#include "kernels/launch.cuh"
#include "phy/coding/crc.h"

namespace
{

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP, ENCODERS = 2 };

/* ---- what several share ---- */

/* The first slot of transmission i of a block, counted from the start's first. */
__device__ __forceinline__ int slot_of(const lte_coded_job &job, int block, int i)
{
    return (int)lte_code_slot(&job.plan, (uint64_t)block, i);
}

__device__ __forceinline__ uint32_t *row_of(const lte_coded_job &job, int block, int detector)
{
    const ptrdiff_t at = (ptrdiff_t)slot_of(job, block, 0) * job.n_detectors + detector;
    return job.errors + lte_counts_at(job.n_counts, at) + lte_coded_at(job.n_tx, 0);
}

/* Scrambling bits e to e + 31 of a codeword in a subframe, the first in bit 0. */
__device__ __forceinline__ uint32_t scrambling_from(const lte_coded_word &w, uint64_t slot, int e)
{
    const uint32_t *const word = w.scrambling + slot % 20 / 2 * (uint64_t)w.words + e / 32;
    return __funnelshift_r(word[0], word[1], (unsigned)e % 32);
}

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

/* ---- 1. payload, its CRC, the encoder ---- */

/* A thread for each 128 bits of a codeword. */
__global__ void draw_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    enum { DRAWN = LTE_CODE_DRAWN };
    const lte_coded_word &w = job.word[q];
    const int of_block = (w.bits + DRAWN - 1) / DRAWN;
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int block = (int)(at / of_block), i = (int)(at % of_block);
    if (block >= job.n_blocks)
        return;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, block, 0);
    const lte_words words =
        lte_draw(&job.draws, slot, LTE_DRAW_TRANSPORT, (uint32_t)(q * LTE_CODE_DRAWS + i));
    uint32_t *const out = (uint32_t *)(w.transport + (ptrdiff_t)block * w.pitch + i * DRAWN);
    for (int four = 0; four < DRAWN / 4; four++) /* bit b of four to byte b */
        out[four] = (words.v[four / 8] >> 4 * (four % 8) & 15) * 0x00204081u & 0x01010101u;
}

/* A thread block for each transport block. */
__global__ void attach_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    __shared__ uint32_t of_warp[WARPS];
    const lte_coded_word &w = job.word[q];
    uint8_t *const transport = w.transport + (ptrdiff_t)blockIdx.x * w.pitch;
    uint32_t sum = 0;
    for (int i = threadIdx.x; i < w.bits; i += blockDim.x)
        sum ^= transport[i] ? job.remainders[0][w.all_bits - 1 - i] : 0;
    const uint32_t parity = sum_of_block(sum, of_warp);
    if (threadIdx.x < LTE_CRC_BITS)
        transport[w.bits + threadIdx.x] = (uint8_t)(parity >> (LTE_CRC_BITS - 1 - threadIdx.x) & 1);
}

/* A code block: its size, its place among those of the size, and where its bits begin. */
struct segment {
    int c, at;
    int filler, first, n; /* bits of the transport block */
};

__device__ __forceinline__ segment segment_of(const lte_coded_word &w, int r)
{
    const int crc = w.n_blocks > 1 ? LTE_CRC_BITS : 0, n_smaller = w.size[0].n;
    const int c = r < n_smaller ? 0 : 1, smaller = r < n_smaller ? r : n_smaller;
    segment s;
    s.c = c;
    s.at = c ? r - n_smaller : r;
    s.filler = r ? 0 : w.filler;
    s.first =
        smaller * (w.size[0].k - crc) + (r - smaller) * (w.size[1].k - crc) - (r ? w.filler : 0);
    s.n = w.size[c].k - crc - s.filler;
    return s;
}

/* The state that n bits 0 lead to: the register has a period of 7. */
__device__ __forceinline__ int state_after(int state, int n)
{
    for (int i = 0; i < n % 7; i++)
        state = lte_turbo_step(state, 0).next;
    return state;
}

/*
 * Encodes with a warp: each lane takes a part of the bits, first from state 0, then from where all parts before
 * it lead to, for states add up as bits do. Its parity goes to z [k], its tail into d.
 */
__device__ void encode(const lte_coded_size &size, int encoder, const uint8_t *bits, uint8_t *z,
                       uint8_t *d)
{
    const int lane = threadIdx.x % WARP, part = (size.k + WARP - 1) / WARP;
    const int first = lane * part < size.k ? lane * part : size.k;
    const int end = first + part < size.k ? first + part : size.k;
    int state = 0, from = 0;
    for (int i = first; i < end; i++)
        state = lte_turbo_step(state, bits[encoder ? size.permutation[i] : i]).next;
    for (int l = 0; l < WARP; l++) {
        const int own = __shfl_sync(~0u, state, l), n = __shfl_sync(~0u, end - first, l);
        if (l < lane)
            from = state_after(from, n) ^ own;
    }
    state = from;
    for (int i = first; i < end; i++) {
        const lte_turbo_branch branch =
            lte_turbo_step(state, bits[encoder ? size.permutation[i] : i]);
        z[i] = branch.parity;
        state = branch.next;
    }
    for (int t = 0; lane == WARP - 1 && t < LTE_TURBO_MEMORY; t++) {
        const int bit = lte_turbo_closing(state);
        const lte_turbo_branch branch = lte_turbo_step(state, bit);
        d[size.tail[encoder][t][0]] = (uint8_t)bit;
        d[size.tail[encoder][t][1]] = branch.parity;
        state = branch.next;
    }
}

/* A thread block of a warp for each encoder, for each code block. */
__global__ void encode_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    __shared__ uint8_t bits[LTE_MAX_CODE_BLOCK];
    __shared__ uint32_t of_warp[ENCODERS];
    const lte_coded_word &w = job.word[q];
    const int block = blockIdx.x / w.n_blocks, r = blockIdx.x % w.n_blocks;
    const segment s = segment_of(w, r);
    const lte_coded_size &size = w.size[s.c];
    const int k = size.k, with_crc = s.filler + s.n;
    const uint8_t *const transport = w.transport + (ptrdiff_t)block * w.pitch + s.first;
    ptrdiff_t before = 3 * (ptrdiff_t)s.at * (k + LTE_TURBO_TAIL);
    if (s.c)
        before += 3 * (ptrdiff_t)w.size[0].n * (w.size[0].k + LTE_TURBO_TAIL);
    uint8_t *const d = w.d + (ptrdiff_t)block * w.encoded + before;
    uint32_t sum = 0;
    for (int i = threadIdx.x; i < with_crc; i += blockDim.x) {
        bits[i] = i < s.filler ? 0 : transport[i - s.filler];
        sum ^= bits[i] ? job.remainders[1][k - 1 - i] : 0;
    }
    const uint32_t parity = sum_of_block(sum, of_warp);
    for (int i = with_crc + threadIdx.x; i < k; i += blockDim.x)
        bits[i] = (uint8_t)(parity >> (k - 1 - i) & 1);
    __syncthreads();
    for (int i = threadIdx.x; i < k; i += blockDim.x)
        d[i] = bits[i];
    const int encoder = threadIdx.x / WARP;
    encode(size, encoder, bits, d + (1 + encoder) * (k + LTE_TURBO_TAIL), d);
}

/* ---- 2. who listens, and who is to be decoded ---- */

/* A thread for each block. */
__global__ void list_kernel(const __grid_constant__ lte_coded_job job)
{
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= job.n_blocks)
        return;
    bool sent = false;
    for (int k = 0; k < job.n_detectors; k++) {
        const int at = block * job.n_detectors + k;
        bool lacks = false;
        for (int q = 0; q < job.n_codewords; q++) {
            const lte_coded_word &w = job.word[q];
            if (w.right[at])
                continue;
            lacks = true;
            w.list[atomicAdd(w.n_listed, 1)] = (uint32_t)at;
        }
        job.listens[at] = lacks;
        if (lacks)
            row_of(job, block, k)[LTE_CODED_SUBFRAMES]++;
        sent = sent || lacks;
    }
    job.sent[block] = sent;
}

/* ---- 3. rate matching, scrambling, modulation ---- */

/* A thread for each symbol of a codeword. */
__global__ void send_kernel(const __grid_constant__ lte_coded_job job, int i, int q)
{
    const lte_coded_word &w = job.word[q];
    const int n_symbols = w.sent / w.n_bits;
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int block = (int)(at / n_symbols), s = (int)(at % n_symbols), e = s * w.n_bits;
    if (block >= job.n_blocks || !job.sent[block])
        return;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, block, i);
    const uint32_t *const place = w.place + (ptrdiff_t)i * w.sent + e;
    const uint8_t *const d = w.d + (ptrdiff_t)block * w.encoded;
    uint32_t label = scrambling_from(w, slot, e) & ((1u << w.n_bits) - 1u);
    for (int b = 0; b < w.n_bits; b++)
        label ^= (uint32_t)d[place[b]] << b;
    job.labels[(ptrdiff_t)block * 2 * job.labels_of_slot + w.symbol[s]] = (uint8_t)label;
}

/* ---- 5. what has been heard of each element ---- */

/* Where element p of listed block m goes. */
__device__ __forceinline__ int8_t *decoder_input(const lte_coded_word &w, int64_t m, int p)
{
    const int n_smaller = 3 * w.size[0].n * (w.size[0].k + LTE_TURBO_TAIL);
    return p < n_smaller ? w.size[0].llr + m * n_smaller + p
                         : w.size[1].llr + m * (w.encoded - n_smaller) + (p - n_smaller);
}

/* A thread for each element of a listed codeword. */
__global__ void combine_kernel(const __grid_constant__ lte_coded_job job, int i, int q)
{
    const lte_coded_word &w = job.word[q];
    const int of_block = (w.encoded + THREADS - 1) / THREADS;
    const int m = blockIdx.x / of_block, p = blockIdx.x % of_block * THREADS + (int)threadIdx.x;
    if (m >= (int)*w.n_listed || p >= w.encoded)
        return;
    const int entry = (int)w.list[m], block = entry / job.n_detectors;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, block, i);
    const int8_t *const llrs = job.llrs + (ptrdiff_t)entry * 2 * job.planes;
    const uint32_t *const begin = w.begin + (ptrdiff_t)i * (w.encoded + 1) + p;
    const uint2 *const source = w.source + (ptrdiff_t)i * w.sent;
    int sum = 0;
    for (uint32_t s = begin[0]; s < begin[1]; s++) {
        const int value = llrs[source[s].x];
        sum += scrambling_from(w, slot, (int)source[s].y) & 1 ? -value : value;
    }
    if (w.soft) {
        int32_t *const soft = w.soft + (ptrdiff_t)entry * w.encoded + p;
        sum += i > 0 ? *soft : 0;
        *soft = sum;
    }
    const int stream = w.size[w.size[0].n == 0].k + LTE_TURBO_TAIL, most = 127;
    const bool known = p < w.filler || (p >= stream && p < stream + w.filler);
    *decoder_input(w, m, p) = (int8_t)(known || sum > most ? most : sum < -most ? -most : sum);
}

/* ---- 7. CRCs and counts ---- */

/* A thread block for each listed codeword, a warp for a code block at a time. */
__global__ void judge_kernel(const __grid_constant__ lte_coded_job job, int i, int q)
{
    __shared__ uint32_t of_warp[WARPS];
    __shared__ uint32_t wrong, broken, iterations;
    const lte_coded_word &w = job.word[q];
    const int m = blockIdx.x, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (m >= (int)*w.n_listed)
        return;
    if (threadIdx.x == 0)
        wrong = broken = iterations = 0;
    __syncthreads();
    const int entry = (int)w.list[m], block = entry / job.n_detectors;
    const uint8_t *const transport = w.transport + (ptrdiff_t)block * w.pitch;
    const uint32_t *const of_code_block = job.remainders[w.n_blocks > 1];
    uint32_t sum = 0, differ = 0;
    for (int r = warp; r < w.n_blocks; r += WARPS) {
        const segment s = segment_of(w, r);
        const lte_coded_size &size = w.size[s.c];
        const int64_t at = (int64_t)m * size.n + s.at;
        const uint8_t *const bits = size.decoded + at * size.k;
        uint32_t remainder = 0;
        for (int b = lane; b < size.k; b += WARP) {
            const int t = s.first + b - s.filler;
            const bool one = bits[b];
            remainder ^= one ? of_code_block[size.k - 1 - b] : 0;
            if (b < s.filler || b >= s.filler + s.n)
                continue;
            sum ^= one ? job.remainders[0][w.all_bits - 1 - t] : 0;
            differ += t < w.bits && one != (transport[t] != 0);
        }
        remainder = __reduce_xor_sync(~0u, remainder);
        if (lane == 0) {
            atomicAdd(&broken, remainder ? 1 : 0);
            atomicAdd(&iterations, size.iterations[at]);
        }
    }
    atomicAdd(&wrong, differ);
    const bool holds = sum_of_block(sum, of_warp) == 0 && broken == 0;
    if (threadIdx.x > 0)
        return;
    const bool last = i == job.plan.transmissions - 1;
    uint32_t *const row = row_of(job, block, entry % job.n_detectors);
    w.right[entry] = holds;
    row[LTE_CODED_TRANSMISSIONS]++;
    row[LTE_CODED_DECODED] += (uint32_t)w.n_blocks;
    row[LTE_CODED_ITERATIONS] += iterations;
    row[LTE_CODED_BLOCKS] += i == 0;
    row[LTE_CODED_WRONG_FIRST] += i == 0 && !holds;
    if (!holds && !last)
        return;
    row[LTE_CODED_BIT_ERRORS] += wrong;
    row[LTE_CODED_WRONG] += wrong > 0;
    row[LTE_CODED_UNDETECTED] += holds && wrong > 0;
    row[LTE_CODED_DELIVERED] += wrong > 0 ? 0 : (uint32_t)w.bits;
}

unsigned grid_of(int64_t n)
{
    return (unsigned)blocks_of(n, THREADS);
}

} // namespace

lte_status lte_coded_draw_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++) {
        const lte_coded_word *w = &job->word[q];
        draw_kernel<<<grid_of((int64_t)job->n_blocks * blocks_of(w->bits, LTE_CODE_DRAWN)), THREADS,
                      0, stream>>>(*job, q);
        status = LTE_LAUNCHED(draw_kernel);
        if (!status) {
            attach_kernel<<<(unsigned)job->n_blocks, THREADS, 0, stream>>>(*job, q);
            status = LTE_LAUNCHED(attach_kernel);
        }
        if (!status) {
            encode_kernel<<<(unsigned)(job->n_blocks * w->n_blocks), ENCODERS * WARP, 0, stream>>>(
                *job, q);
            status = LTE_LAUNCHED(encode_kernel);
        }
        if (!status)
            status = LTE_CUDA(cudaMemsetAsync(
                w->right, 0, (size_t)job->n_blocks * (size_t)job->n_detectors, stream));
    }
    return status;
}

lte_status lte_coded_list_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++)
        status = LTE_CUDA(
            cudaMemsetAsync(job->word[q].n_listed, 0, sizeof *job->word[q].n_listed, stream));
    if (status)
        return status;
    list_kernel<<<grid_of(job->n_blocks), THREADS, 0, stream>>>(*job);
    return LTE_LAUNCHED(list_kernel);
}

lte_status lte_coded_send_cuda(const lte_coded_job *job, int i, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++) {
        const lte_coded_word *w = &job->word[q];
        send_kernel<<<grid_of((int64_t)job->n_blocks * (w->sent / w->n_bits)), THREADS, 0,
                      stream>>>(*job, i, q);
        status = LTE_LAUNCHED(send_kernel);
    }
    return status;
}

lte_status lte_coded_combine_cuda(const lte_coded_job *job, int i, int q, cudaStream_t stream)
{
    const int64_t most = (int64_t)job->n_blocks * job->n_detectors;
    combine_kernel<<<(unsigned)(most * blocks_of(job->word[q].encoded, THREADS)), THREADS, 0,
                     stream>>>(*job, i, q);
    return LTE_LAUNCHED(combine_kernel);
}

lte_status lte_coded_judge_cuda(const lte_coded_job *job, int i, int q, cudaStream_t stream)
{
    judge_kernel<<<(unsigned)(job->n_blocks * job->n_detectors), THREADS, 0, stream>>>(*job, i, q);
    return LTE_LAUNCHED(judge_kernel);
}
