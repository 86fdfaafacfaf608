/*
 * The steps of a turn around its slots, as kernels: what coded.c does, for all processes of a
 * start.
 */
#include "kernels/coding/coded_cuda.cuh"
#include "kernels/base/labels.h"

namespace
{

enum {
    ENCODERS = 2,
    ENCODER_THREADS = 128,
    SENT_PART = 8 * THREADS, /* symbols */
};

/* ---- what several share ---- */

/* The first slot of a process in a turn, counted from the start's first. */
__device__ __forceinline__ int slot_of(const lte_coded_job &job, int process, int turn)
{
    return (int)lte_code_slot(&job.plan, (uint64_t)process, turn);
}

/* The subframe of a group that a process has in the turn. */
__device__ __forceinline__ int subframe_of(const lte_coded_job &job, int process)
{
    return lte_code_subframe(process % lte_code_processes(&job.plan), job.turn);
}

__device__ __forceinline__ uint32_t *row_of(const lte_coded_job &job, int slot, int detector)
{
    return job.errors + lte_counts_at(job.n_counts, (ptrdiff_t)slot * job.n_detectors + detector);
}

/* Where an entry is among streams. */
__device__ __forceinline__ int stream_of(const lte_coded_job &job, int entry)
{
    return job.n_streams > 1 ? entry : entry % job.n_processes;
}

/* ---- 1. payload, its CRC, the encoder ---- */

/* A thread for each 128 bits of a codeword whose block begins. */
__global__ void draw_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    enum { DRAWN = LTE_CODE_DRAWN };
    const lte_coded_word &w = job.word[q];
    const int of_block = (w.bits + DRAWN - 1) / DRAWN;
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int m = (int)(at / of_block), i = (int)(at % of_block);
    if (m >= (int)*w.n_begun)
        return;
    const int entry = (int)w.begun[m], block = w.harq[entry].block;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, entry % job.n_processes, 0) +
                          (uint64_t)(2 * LTE_HARQ_SUBFRAMES * block);
    const lte_words words =
        lte_draw(&job.draws, slot, LTE_DRAW_TRANSPORT, (uint32_t)(q * LTE_CODE_DRAWS + i));
    uint4 *const out =
        (uint4 *)(w.transport + (ptrdiff_t)stream_of(job, entry) * w.pitch + i * DRAWN);
    for (int sixteen = 0; sixteen < DRAWN / 16; sixteen++) {
        const uint32_t bits = words.v[sixteen / 2] >> 16 * (sixteen % 2);
        out[sixteen] = {bytes_of(bits), bytes_of(bits >> 4), bytes_of(bits >> 8),
                        bytes_of(bits >> 12)};
    }
}

/* A thread block for each transport block that begins. */
__global__ void attach_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    __shared__ uint32_t of_warp[WARPS];
    const lte_coded_word &w = job.word[q];
    if (blockIdx.x >= *w.n_begun)
        return;
    const int stream = stream_of(job, (int)w.begun[blockIdx.x]);
    uint8_t *const transport = w.transport + (ptrdiff_t)stream * w.pitch;
    uint32_t sum = 0;
    for (int i = 4 * threadIdx.x; i < w.bits; i += 4 * blockDim.x)
        sum ^= remainder_of(*(const uint32_t *)(transport + i),
                            job.remainders[0] + (w.all_bits - 4 - i));
    const uint32_t parity = sum_of_block(sum, of_warp);
    if (threadIdx.x < LTE_CRC_BITS)
        transport[w.bits + threadIdx.x] = (uint8_t)(parity >> (LTE_CRC_BITS - 1 - threadIdx.x) & 1);
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
    const int m = blockIdx.x / w.n_blocks;
    if (m >= (int)*w.n_begun)
        return;
    const int stream_index = stream_of(job, (int)w.begun[m]);
    const segment s = segment_of(w, blockIdx.x % w.n_blocks);
    const lte_coded_size &size = w.size[s.c];
    const int k = size.k, with_crc = s.filler + s.n;
    const uint32_t *const transport =
        (const uint32_t *)(w.transport + (ptrdiff_t)stream_index * w.pitch + s.first - s.filler);
    uint32_t *const d = w.d + (ptrdiff_t)stream_index * w.words + s.word;
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

/* ---- 2. who listens, what begins, and who is to be decoded ---- */

/* A thread for each entry. */
__global__ void list_kernel(const __grid_constant__ lte_coded_job job)
{
    const int entry = blockIdx.x * blockDim.x + threadIdx.x;
    if (entry >= job.n_processes * job.n_detectors)
        return;
    const int process = entry % job.n_processes, k = entry / job.n_processes;
    const int subframe = subframe_of(job, process);
    bool open = false;
    for (int q = 0; q < job.n_codewords; q++) {
        lte_harq_word *const word = &job.word[q].harq[entry];
        if (word->fills) /* its subframe is over */
            lte_harq_end(word);
        open = open || word->sent > 0;
    }
    const bool sends = lte_harq_sends(&job.plan, subframe, open);
    job.listens[entry] = sends;
    if (!sends)
        return;
    for (int q = 0; q < job.n_codewords; q++) {
        const lte_coded_word &w = job.word[q];
        lte_harq_begin(&job.plan, subframe, &w.harq[entry]);
        if (w.harq[entry].begins && k < job.n_streams)
            w.begun[atomicAdd(w.n_begun, 1)] = (uint32_t)entry;
        if (!w.harq[entry].fills)
            w.list[atomicAdd(w.n_listed, 1)] = (uint32_t)entry;
    }
    if (subframe < lte_code_counted(&job.plan))
        row_of(job, slot_of(job, process, job.turn),
               k)[lte_coded_at(job.n_tx, 0) + LTE_CODED_SUBFRAMES]++;
}

/* ---- 3. rate matching, scrambling, modulation ---- */

/*
 * A thread block for some symbols of a codeword of a stream, so many that what it reads of d, which
 * lies apart, is still in its cache when its neighbours are read.
 */
__global__ void send_kernel(const __grid_constant__ lte_coded_job job, int q)
{
    const lte_coded_word &w = job.word[q];
    const int n_symbols = w.sent / w.n_bits, parts = (n_symbols + SENT_PART - 1) / SENT_PART;
    const int entry = blockIdx.x / parts, first = blockIdx.x % parts * SENT_PART;
    const int end = first + SENT_PART < n_symbols ? first + SENT_PART : n_symbols;
    if (!job.listens[entry])
        return;
    const int process = entry % job.n_processes;
    const uint64_t slot = job.first + (uint64_t)slot_of(job, process, job.turn);
    const uint32_t *const place = w.place + (ptrdiff_t)w.harq[entry].sent * w.sent;
    const uint32_t *const d = w.d + (ptrdiff_t)entry * w.words;
    const uint8_t *const flips = job.flips + slot % 20 * (uint64_t)job.slot_label_bytes;
    uint8_t *const labels = job.labels + (ptrdiff_t)entry * 2 * job.slot_label_bytes;
    for (int s = first + (int)threadIdx.x; s < end; s += THREADS) {
        const uint32_t at = w.symbol[s];
        uint32_t label = lte_label_at(w.n_bits, flips, at);
        for (int b = 0; b < w.n_bits; b++) {
            const uint32_t from = place[s * w.n_bits + b];
            label ^= (d[from / 32] >> from % 32 & 1) << b;
        }
        lte_label_put(w.n_bits, labels, at, label);
    }
}

/* ---- 5. what single transmissions are worth, and what has been heard of each element ---- */

/* A thread block for each layer of an entry. */
__global__ void record_kernel(const __grid_constant__ lte_coded_job job)
{
    __shared__ unsigned long long lost;
    const int entry = blockIdx.x / job.n_tx, k = blockIdx.x % job.n_tx, n_sc = job.n_sc;
    const int process = entry % job.n_processes, slot = slot_of(job, process, job.turn);
    if (!job.listens[entry])
        return;
    if (threadIdx.x == 0)
        lost = 0;
    __syncthreads();
    const uint8_t *const flips = job.flips + (job.first + slot) % 20 * job.slot_label_bytes;
    const uint8_t *const labels =
        job.labels + (ptrdiff_t)stream_of(job, entry) * 2 * job.slot_label_bytes;
    const int8_t *const llrs = job.llrs + (ptrdiff_t)entry * 2 * job.planes;
    unsigned long long own = 0;
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        const int row = m * job.n_tx + k; /* slots follow each other in planes as in labels */
        const int of_slot = m / LTE_SLOT_SYMBOLS, symbol = m % LTE_SLOT_SYMBOLS;
        for (int sc = threadIdx.x; sc < n_sc && symbol != job.pilot; sc += THREADS) {
            if (!lte_grid_carries(&job.grid, (uint64_t)of_slot, symbol, sc))
                continue;
            const uint32_t label = lte_label_at(job.n_bits, labels, row * n_sc + sc) ^
                                   lte_label_at(job.n_bits, flips, row * n_sc + sc);
            for (int b = 0; b < job.n_bits; b++) {
                const int llr = llrs[((ptrdiff_t)row * job.n_bits + b) * n_sc + sc];
                own += job.losses[lte_integer_loss_at(label >> b & 1 ? -llr : llr)];
            }
        }
    }
    atomicAdd(&lost, own);
    __syncthreads();
    if (threadIdx.x == 0)
        row_of(job, slot, entry / job.n_processes)[lte_record_loss_at(job.n_tx, k)] =
            lte_record_loss(lost, (uint32_t)job.n_elements);
}

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
__global__ void combine_kernel(const __grid_constant__ lte_coded_job job, int first)
{
    const int q = first + (int)blockIdx.y;
    const lte_coded_word &w = job.word[q];
    const int m = blockIdx.x / (3 * w.n_blocks), of_word = blockIdx.x % (3 * w.n_blocks);
    if (m >= job.n_processes * job.n_detectors || m >= (int)*w.n_listed)
        return;
    const segment s = segment_of(w, of_word / 3);
    const lte_coded_size &size = w.size[s.c];
    const int entry = (int)w.list[m], stream = size.k + LTE_TURBO_TAIL, most = 127;
    const int i = w.harq ? w.harq[entry].sent : 0; /* transmissions before this one */
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
__global__ void judge_kernel(const __grid_constant__ lte_coded_job job, int q)
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
    const int entry = (int)w.list[m], process = entry % job.n_processes;
    const uint32_t *const d = w.d + (ptrdiff_t)stream_of(job, entry) * w.words;
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
    lte_harq_word *const word = &w.harq[entry];
    const uint32_t weight =
        lte_harq_judge(&job.plan, subframe_of(job, process), holds, iterations, word);
    uint32_t *const row = row_of(job, slot_of(job, process, job.turn), entry / job.n_processes);
    if (job.losses)
        row[lte_record_at(job.n_tx, q)] = lte_record_of(word, holds, iterations);
    if (weight == 0)
        return;
    lte_harq_count(word, weight, w.bits, w.n_blocks, holds, wrong, row + lte_coded_at(job.n_tx, 0));
    lte_harq_end(word);
}

/* ---- 8. what the point leaves ---- */

/* A thread for each slot and detector: powers of what it was sent; nothing behind the point. */
__global__ void end_kernel(const __grid_constant__ lte_coded_job job)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const int slot = at / job.n_detectors, k = at % job.n_detectors;
    if (slot >= job.n_slots)
        return;
    uint32_t *const row = row_of(job, slot, k), *const coded = row + lte_coded_at(job.n_tx, 0);
    if (slot % lte_code_group_slots(&job.plan) / 2 < lte_code_counted(&job.plan)) {
        const int stream = k < job.n_streams ? k : 0;
        const lte_power power = job.stream_power[(ptrdiff_t)stream * job.n_slots + slot];
        coded[LTE_CODED_SIGNAL] = (uint32_t)power.signal;
        coded[LTE_CODED_SIGNAL_HIGH] = (uint32_t)((uint64_t)power.signal >> 32);
        if (k == 0)
            job.power[slot] = power;
    } else {
        for (int i = 0; i < LTE_N_HARD_COUNTS(job.n_tx); i++)
            row[i] = 0;
    }
}

unsigned grid_of(int64_t n)
{
    return (unsigned)blocks_of(n, THREADS);
}

} // namespace

lte_status lte_coded_begin_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    const size_t n_entries = (size_t)job->n_processes * (size_t)job->n_detectors;
    lte_status status = LTE_CUDA(cudaMemsetAsync(
        job->stream_power, 0,
        (size_t)job->n_streams * (size_t)job->n_slots * sizeof *job->stream_power, stream));
    for (int q = 0; q < job->n_codewords && !status; q++)
        status = LTE_CUDA(
            cudaMemsetAsync(job->word[q].harq, 0, n_entries * sizeof *job->word[q].harq, stream));
    return status;
}

lte_status lte_coded_list_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++) {
        const lte_coded_word *w = &job->word[q];
        status = LTE_CUDA(cudaMemsetAsync(w->n_listed, 0, sizeof *w->n_listed, stream));
        if (!status)
            status = LTE_CUDA(cudaMemsetAsync(w->n_begun, 0, sizeof *w->n_begun, stream));
    }
    if (status)
        return status;
    list_kernel<<<grid_of((int64_t)job->n_processes * job->n_detectors), THREADS, 0, stream>>>(
        *job);
    return LTE_LAUNCHED(list_kernel);
}

lte_status lte_coded_draw_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    const int n_streams = job->n_processes * job->n_streams;
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++) {
        const lte_coded_word *w = &job->word[q];
        draw_kernel<<<grid_of((int64_t)n_streams * blocks_of(w->bits, LTE_CODE_DRAWN)), THREADS, 0,
                      stream>>>(*job, q);
        status = LTE_LAUNCHED(draw_kernel);
        if (!status) {
            attach_kernel<<<(unsigned)n_streams, THREADS, 0, stream>>>(*job, q);
            status = LTE_LAUNCHED(attach_kernel);
        }
        if (!status) {
            encode_kernel<<<(unsigned)(n_streams * w->n_blocks), ENCODER_THREADS, 0, stream>>>(*job,
                                                                                               q);
            status = LTE_LAUNCHED(encode_kernel);
        }
    }
    return status;
}

lte_status lte_coded_send_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    const int n_streams = job->n_processes * job->n_streams;
    lte_status status = LTE_OK;
    for (int q = 0; q < job->n_codewords && !status; q++) {
        const lte_coded_word *w = &job->word[q];
        send_kernel<<<(unsigned)(n_streams * blocks_of(w->sent / w->n_bits, SENT_PART)), THREADS, 0,
                      stream>>>(*job, q);
        status = LTE_LAUNCHED(send_kernel);
    }
    return status;
}

lte_status lte_coded_record_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    const int64_t n_entries = (int64_t)job->n_processes * job->n_detectors;
    record_kernel<<<(unsigned)(n_entries * job->n_tx), THREADS, 0, stream>>>(*job);
    return LTE_LAUNCHED(record_kernel);
}

lte_status lte_coded_combine_cuda(const lte_coded_job *job, int q, int n_words, cudaStream_t stream)
{
    const int64_t most = (int64_t)job->n_processes * job->n_detectors;
    int n = 0; /* code blocks of a codeword, at most */
    for (int k = q; k < q + n_words; k++)
        n = job->word[k].n_blocks > n ? job->word[k].n_blocks : n;
    const dim3 grid((unsigned)(most * 3 * n), (unsigned)n_words);
    combine_kernel<<<grid, THREADS, 0, stream>>>(*job, q);
    return LTE_LAUNCHED(combine_kernel);
}

lte_status lte_coded_judge_cuda(const lte_coded_job *job, int q, cudaStream_t stream)
{
    judge_kernel<<<(unsigned)(job->n_processes * job->n_detectors), THREADS, 0, stream>>>(*job, q);
    return LTE_LAUNCHED(judge_kernel);
}

lte_status lte_coded_end_cuda(const lte_coded_job *job, cudaStream_t stream)
{
    end_kernel<<<grid_of((int64_t)job->n_slots * job->n_detectors), THREADS, 0, stream>>>(*job);
    return LTE_LAUNCHED(end_kernel);
}
