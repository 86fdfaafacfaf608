/*
 * The steps of a block around its slots, as kernels: what coded.c does, for all blocks of a start.
 */
#include "kernels/coding/coded_cuda.h"

#include "kernels/base/launcher.cuh"
#include "phy/coding/crc.h"

namespace
{

enum {
    THREADS = 256,
    WARP = 32,
    WARPS = THREADS / WARP,
    ENCODERS = 2,
    ENCODER_THREADS = 128,
    SENT_PART = 8 * THREADS, /* symbols */
    DELIVERY_THREADS = 1024,
    MOST_CODE_BLOCKS =
        (LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS) / (LTE_MAX_CODE_BLOCK - LTE_CRC_BITS) + 1
};

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

/* Each of the lowest four bits as a byte. */
__device__ __forceinline__ uint32_t bytes_of(uint32_t bits)
{
    return (bits & 15) * 0x00204081u & 0x01010101u;
}

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
    uint4 *const out = (uint4 *)(w.transport + (ptrdiff_t)block * w.pitch + i * DRAWN);
    for (int sixteen = 0; sixteen < DRAWN / 16; sixteen++) {
        const uint32_t bits = words.v[sixteen / 2] >> 16 * (sixteen % 2);
        out[sixteen] = {bytes_of(bits), bytes_of(bits >> 4), bytes_of(bits >> 8),
                        bytes_of(bits >> 12)};
    }
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

/* A thread block for each transport block. */
__global__ void attach_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    __shared__ uint32_t of_warp[WARPS];
    const lte_coded_word &w = job.word[q];
    uint8_t *const transport = w.transport + (ptrdiff_t)blockIdx.x * w.pitch;
    uint32_t sum = 0;
    for (int i = 4 * threadIdx.x; i < w.bits; i += 4 * blockDim.x)
        sum ^= remainder_of(*(const uint32_t *)(transport + i),
                            job.remainders[0] + (w.all_bits - 4 - i));
    const uint32_t parity = sum_of_block(sum, of_warp);
    if (threadIdx.x < LTE_CRC_BITS)
        transport[w.bits + threadIdx.x] = (uint8_t)(parity >> (LTE_CRC_BITS - 1 - threadIdx.x) & 1);
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

/* Encodes four bits, a byte each, from a state, which goes on; their parity. */
__device__ __forceinline__ uint32_t encode_four(uint32_t bits, int *state)
{
    uint32_t parity = 0;
#pragma unroll
    for (int b = 0; b < 4; b++) {
        const lte_turbo_branch branch = lte_turbo_step(*state, (int)(bits >> 8 * b & 1));
        parity |= (uint32_t)branch.parity << 8 * b;
        *state = branch.next;
    }
    return parity;
}

/* The state that n bits 0 lead to: the register has a period of 7. */
__device__ __forceinline__ int state_after(int state, int n)
{
    for (int i = 0; i < n % 7; i++)
        state = lte_turbo_step(state, 0).next;
    return state;
}

/*
 * Encodes n words of four bits with a warp; the last state. Each lane takes a part of them, first
 * from state 0, then from where all parts before it lead to, for states add up as bits do. Parts
 * are odd: no bank twice.
 */
__device__ int encode(int n, const uint32_t *bits, uint32_t *parity)
{
    const int lane = threadIdx.x % WARP, part = (n + WARP - 1) / WARP | 1;
    const int first = lane * part < n ? lane * part : n;
    const int end = first + part < n ? first + part : n;
    int own = 0, state = 0;
    for (int i = first; i < end; i++)
        (void)encode_four(bits[i], &own);
    for (int l = 0; l < WARP; l++) {
        const int of_lane = __shfl_sync(~0u, own, l), steps = __shfl_sync(~0u, end - first, l);
        if (l < lane)
            state = state_after(state, 4 * steps) ^ of_lane;
    }
    for (int i = first; i < end; i++)
        parity[i] = encode_four(bits[i], &state);
    return __shfl_sync(~0u, state, WARP - 1);
}

/* The byte of an element of the tail, by its place in d as lte_turbo_encode has it. */
template <int WORDS>
__device__ __forceinline__ uint8_t *tail_of(uint32_t (*stream)[WORDS], int k, int at)
{
    const int length = k + LTE_TURBO_TAIL;
    return (uint8_t *)stream[at / length] + at % length;
}

/*
 * A thread block for each code block; its first warps have an encoder each. All parts are multiples
 * of 8 bits, so that words of four bits have no part of something else.
 */
__global__ void encode_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    enum { WORDS = LTE_MAX_CODE_BLOCK / 4 + 1 }; /* and the tail */
    __shared__ uint32_t of_warp[ENCODER_THREADS / WARP];
    __shared__ uint32_t stream[3][WORDS], permuted[WORDS];
    const lte_coded_word &w = job.word[q];
    const int block = blockIdx.x / w.n_blocks;
    const segment s = segment_of(w, blockIdx.x % w.n_blocks);
    const lte_coded_size &size = w.size[s.c];
    const int k = size.k, with_crc = s.filler + s.n;
    const uint32_t *const transport =
        (const uint32_t *)(w.transport + (ptrdiff_t)block * w.pitch + s.first - s.filler);
    uint32_t *const d = w.d + (ptrdiff_t)block * w.words + s.word;
    const uint8_t *const plain = (const uint8_t *)stream[0];
    uint32_t sum = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < with_crc / 4; i += ENCODER_THREADS) {
        const uint32_t four = 4 * i < s.filler ? 0 : __ldg(&transport[i]);
        stream[0][i] = four;
        sum ^= remainder_of(four, job.remainders[1] + (k - 4 - 4 * i));
    }
    const uint32_t crc = sum_of_block(sum, of_warp);
    for (int i = with_crc + threadIdx.x; i < k; i += blockDim.x)
        ((uint8_t *)stream[0])[i] = (uint8_t)(crc >> (k - 1 - i) & 1);
    __syncthreads();
#pragma unroll 4
    for (int i = threadIdx.x; i < k / 4; i += ENCODER_THREADS) {
        const ushort4 from = __ldg((const ushort4 *)size.permutation + i);
        permuted[i] = (uint32_t)plain[from.x] | (uint32_t)plain[from.y] << 8 |
                      (uint32_t)plain[from.z] << 16 | (uint32_t)plain[from.w] << 24;
    }
    __syncthreads();
    const int encoder = threadIdx.x / WARP;
    if (encoder < ENCODERS) {
        int state = encode(k / 4, encoder ? permuted : stream[0], stream[1 + encoder]);
        for (int t = 0; threadIdx.x % WARP == 0 && t < LTE_TURBO_MEMORY; t++) {
            const int bit = lte_turbo_closing(state);
            const lte_turbo_branch branch = lte_turbo_step(state, bit);
            *tail_of(stream, k, size.tail[encoder][t][0]) = (uint8_t)bit;
            *tail_of(stream, k, size.tail[encoder][t][1]) = branch.parity;
            state = branch.next;
        }
    }
    __syncthreads();
    const int words = lte_coded_stream_words(k);
    for (int i = threadIdx.x; i < 3 * words; i += ENCODER_THREADS) {
        const uint32_t *const from = stream[i / words] + 8 * (i % words);
        const int n = k / 4 + 1 - 8 * (i % words); /* words of four that are left */
        uint32_t word = 0;
#pragma unroll
        for (int four = 0; four < 8; four++)
            word |= four < n ? bits_of(from[four]) << 4 * four : 0;
        d[i] = word;
    }
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

/*
 * A thread block for some symbols of a codeword, so many that what it reads of d, which lies apart,
 * is still in its cache when its neighbours are read.
 */
__global__ void send_kernel(const __grid_constant__ lte_coded_job job, int i, int q)
{
    const lte_coded_word &w = job.word[q];
    const int n_symbols = w.sent / w.n_bits, parts = (n_symbols + SENT_PART - 1) / SENT_PART;
    const int block = blockIdx.x / parts, first = blockIdx.x % parts * SENT_PART;
    const int end = first + SENT_PART < n_symbols ? first + SENT_PART : n_symbols;
    if (!job.sent[block])
        return;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, block, i);
    const uint32_t *const place = w.place + (ptrdiff_t)i * w.sent;
    const uint32_t *const d = w.d + (ptrdiff_t)block * w.words;
    const uint8_t *const flips = job.flips + slot % 20 * (uint64_t)job.labels_of_slot;
    uint8_t *const labels = job.labels + (ptrdiff_t)block * 2 * job.labels_of_slot;
    for (int s = first + (int)threadIdx.x; s < end; s += THREADS) {
        const uint32_t at = w.symbol[s];
        uint32_t label = flips[at];
        for (int b = 0; b < w.n_bits; b++) {
            const uint32_t from = place[s * w.n_bits + b];
            label ^= (d[from / 32] >> from % 32 & 1) << b;
        }
        labels[at] = (uint8_t)label;
    }
}

/* ---- 5. what has been heard of each element ---- */

/*
 * Sum of the LLRs of an element in a subframe; many: how many there are of those that have several.
 */
__device__ __forceinline__ int heard_of(uint32_t source, const uint32_t *many, const int8_t *llrs)
{
    if (source < LTE_CODE_MANY)
        return llrs[source];
    if (source == LTE_CODE_NOWHERE)
        return 0;
    const uint32_t *const own = many + (source - LTE_CODE_MANY);
    int sum = 0;
    for (uint32_t n = 1; n <= own[0]; n++)
        sum += llrs[own[n]];
    return sum;
}

/*
 * A thread block for each of the streams of the code blocks of a listed codeword, four elements a
 * thread; grids of codewords from the first on.
 */
__global__ void combine_kernel(const __grid_constant__ lte_coded_job job, int i, int first)
{
    const int q = first + (int)blockIdx.y;
    const lte_coded_word &w = job.word[q];
    const int m = blockIdx.x / (3 * w.n_blocks), of_word = blockIdx.x % (3 * w.n_blocks);
    if (m >= job.n_blocks * job.n_detectors || m >= (int)*w.n_listed)
        return;
    const segment s = segment_of(w, of_word / 3);
    const lte_coded_size &size = w.size[s.c];
    const int entry = (int)w.list[m], stream = size.k + LTE_TURBO_TAIL, most = 127;
    const int before = of_word % 3 * stream, filler = before < 2 * stream ? s.filler : 0;
    const int8_t *const llrs = job.llrs + (ptrdiff_t)entry * 2 * job.planes;
    const uint32_t *const source = w.source + (ptrdiff_t)i * w.encoded + s.element + before;
    const uint32_t *const many = w.many + 2 * (ptrdiff_t)i * w.sent;
    int32_t *const soft = w.soft + (ptrdiff_t)entry * w.encoded + s.element + before;
    int8_t *const out = size.llr + ((ptrdiff_t)m * size.pitch + s.at) * 3 * stream + before;
    for (int p = 4 * threadIdx.x; p < stream; p += 4 * THREADS) {
        const uint4 from = *(const uint4 *)(source + p);
        int4 sum = {heard_of(from.x, many, llrs), heard_of(from.y, many, llrs),
                    heard_of(from.z, many, llrs), heard_of(from.w, many, llrs)};
        if (w.soft) {
            const int4 old = i > 0 ? *(const int4 *)(soft + p) : int4{0, 0, 0, 0};
            sum = {sum.x + old.x, sum.y + old.y, sum.z + old.z, sum.w + old.w};
            *(int4 *)(soft + p) = sum;
        }
        const int of[4] = {sum.x, sum.y, sum.z, sum.w};
        uint32_t four = 0;
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int cut = of[e] > most ? most : of[e] < -most ? -most : of[e];
            four |= (uint32_t)(uint8_t)(p + e < filler ? most : cut) << 8 * e;
        }
        *(uint32_t *)(out + p) = four;
    }
}

/* ---- 7. CRCs and counts ---- */

/*
 * A thread block for each listed codeword, a warp for a code block at a time. The remainder of what
 * was sent is 0, so what was decoded has that of its difference from it, which is mostly nothing.
 */
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
    const uint32_t *const d = w.d + (ptrdiff_t)block * w.words;
    const uint32_t *const of_code_block = job.remainders[w.n_blocks > 1];
    uint32_t sum = 0, differ = 0;
    for (int r = warp; r < w.n_blocks; r += WARPS) {
        const segment s = segment_of(w, r);
        const lte_coded_size &size = w.size[s.c];
        const int64_t at = (int64_t)m * size.pitch + s.at;
        const uint32_t *const bits = (const uint32_t *)(size.decoded + at * size.k);
        const uint32_t *const right = d + s.word;
        uint32_t remainder = 0;
        for (int four = lane; four < size.k / 4; four += WARP) {
            const uint32_t off = bits[four] ^ bytes_of(right[four / 8] >> 4 * (four % 8));
            for (int b = 4 * four; off && b < 4 * four + 4; b++) {
                const int t = s.first + b - s.filler;
                if (!(off >> 8 * (b % 4) & 1))
                    continue;
                remainder ^= of_code_block[size.k - 1 - b];
                if (b < s.filler || b >= s.filler + s.n)
                    continue;
                sum ^= job.remainders[0][w.all_bits - 1 - t];
                differ += t < w.bits;
            }
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
            encode_kernel<<<(unsigned)(job->n_blocks * w->n_blocks), ENCODER_THREADS, 0, stream>>>(
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
        send_kernel<<<(unsigned)(job->n_blocks * blocks_of(w->sent / w->n_bits, SENT_PART)),
                      THREADS, 0, stream>>>(*job, i, q);
        status = LTE_LAUNCHED(send_kernel);
    }
    return status;
}

lte_status lte_coded_combine_cuda(const lte_coded_job *job, int i, int q, int n_words,
                                  cudaStream_t stream)
{
    const int64_t most = (int64_t)job->n_blocks * job->n_detectors;
    int n = 0; /* code blocks of a codeword, at most */
    for (int k = q; k < q + n_words; k++)
        n = job->word[k].n_blocks > n ? job->word[k].n_blocks : n;
    const dim3 grid((unsigned)(most * 3 * n), (unsigned)n_words);
    combine_kernel<<<grid, THREADS, 0, stream>>>(*job, i, q);
    return LTE_LAUNCHED(combine_kernel);
}

lte_status lte_coded_judge_cuda(const lte_coded_job *job, int i, int q, cudaStream_t stream)
{
    judge_kernel<<<(unsigned)(job->n_blocks * job->n_detectors), THREADS, 0, stream>>>(*job, i, q);
    return LTE_LAUNCHED(judge_kernel);
}

lte_status lte_coded_deliver_cuda(const lte_coded_job *job, const lte_coded_delivery *delivery,
                                  cudaStream_t stream)
{
    const dim3 grid((unsigned)delivery->subframes.n, (unsigned)job->n_codewords);
    deliver_kernel<<<grid, DELIVERY_THREADS, 0, stream>>>(*job, *delivery);
    return LTE_LAUNCHED(deliver_kernel);
}
