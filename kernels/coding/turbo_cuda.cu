/*
 * The turbo decoder of phy/coding/turbo_decoder.h on a device.
 *
 * A thread is a window, for two code blocks at once, which are the halves of its words of 32 bits.
 * A block of 64 threads has one pair of long code blocks or several of short ones; all that an
 * iteration reads and writes is in its shared memory:
 *
 *     bits      [length][LANES + 1] words   of both code blocks the LLR and the extrinsic value, a
 *               byte each
 *     parity    [2][length][LANES + 1]      of both a byte
 *     edges     [2][2][7][LANES]            alpha and beta that windows begin with; that of state 0
 *               is 0
 *
 * Row i, column w is step i of window w. The permutation takes step i of all windows to one row and
 * the columns among themselves: Pi(i + w L) = Pi(i) mod L, with L the length. So neither its reads
 * nor its writes meet in a bank, and an extrinsic value is written where its a priori value was
 * read. Where that is comes from a table: both encoders go through the same instructions, which
 * matters, since all thread blocks of a multiprocessor are elsewhere in them.
 *
 * Of a window beta comes first, which leaves its metrics every 16 steps (in the L2), then alpha: 16
 * steps forward in registers and beta back over them. What a window takes of its neighbours it
 * reads before all threads meet, and writes after.
 *
 * Bounds: of some 86 instructions of a step, half-iteration and pair 51 go through the pipe of
 * maxima and permutations, half a warp a clock (additions go through another). Shared memory has
 * room for two warps on each scheduler, which keep that pipe busy for two thirds of the time.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/coding/turbo_window.cuh"

/* ---- in ---- */

/* Which code blocks a thread's pair are; spare threads have the last, and nothing to write. */
typedef struct {
    int block[2];
    unsigned spare; /* bit i: nobody waits for block[i] */
} blocks;

static __device__ blocks blocks_of_pair(int at, int n)
{
    const int last = n - 1;
    const blocks out = {{min(2 * at, last), min(2 * at + 1, last)},
                        (unsigned)(2 * at > last) | (unsigned)(2 * at + 1 > last) << 1};
    return out;
}

/* Four values, -128 as -127. */
static __device__ __forceinline__ uint32_t take(uint32_t x)
{
    const uint32_t ones = 0x01010101;
    const uint32_t other = ((x & 0x7f * ones) + 0x7f * ones) & 0x80 * ones; /* not +-128 or 0 */
    return x | (x & ~other & 0x80 * ones) >> 7;
}

/* Rows and columns of elements that follow each other in a stream. */
typedef struct {
    int row, column;
} cell;

static __device__ __forceinline__ cell cell_of(const lte_turbo_job &job, int i)
{
    const int column = (int)__umulhi((unsigned)i, job.per_length); /* i / length */
    const cell out = {i - column * job.length, column};
    return out;
}
static __device__ __forceinline__ void next_cell(const lte_turbo_job &job, cell *at)
{
    const bool wraps = ++at->row == job.length;
    at->row = wraps ? 0 : at->row;
    at->column += wraps;
}

/* Four elements of a stream of both code blocks, from element i on. */
static __device__ __forceinline__ void spread_four(const lte_turbo_job &job, const thread &t, int s,
                                                   int i, uint32_t x0, uint32_t x1)
{
    const uint32_t x[2] = {bytes<0x5140>(x0, x1), bytes<0x7362>(x0, x1)};
    cell at = cell_of(job, i);
#pragma unroll
    for (int e = 0; e < 4; e++, next_cell(job, &at)) {
        const uint32_t two = x[e / 2] >> (e & 1) * 16 & 0xffff;
        if (s == 0)
            *(uint32_t *)(shared + t.bits + at.row * BIT_ROW + 4 * at.column) = two;
        else
            *(uint16_t *)(shared + t.parity + ((s - 1) * job.length + at.row) * PARITY_ROW +
                          2 * at.column) = (uint16_t)two;
    }
}

/* The LLRs of a code block, four to a word. */
static __device__ __forceinline__ const uint32_t *llr_of(const lte_turbo_job &job, int block)
{
    return (const uint32_t *)(job.llr + (int64_t)block * 3 * (job.k + LTE_TURBO_TAIL));
}

/*
 * The LLRs of a pair to shared memory, four of each stream at a time, so many times with all reads
 * at once: nothing else goes on meanwhile.
 */
static __device__ void spread(const lte_turbo_job &job, const thread &t, const blocks &own)
{
    enum { AT_ONCE = 6 };
    const uint32_t *const from[2] = {llr_of(job, own.block[0]), llr_of(job, own.block[1])};
    const int stream = (job.k + LTE_TURBO_TAIL) / 4, n = job.k / 4;
    for (int first = t.w; first < n; first += AT_ONCE * job.windows) {
        uint32_t x[AT_ONCE][3][2];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++)
#pragma unroll
            for (int s = 0; s < 3; s++)
#pragma unroll
                for (int b = 0; b < 2; b++)
                    x[j][s][b] = from[b][s * stream + min(first + j * job.windows, n - 1)];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            const int i = first + j * job.windows;
            if (i >= n)
                break;
#pragma unroll
            for (int s = 0; s < 3; s++)
                spread_four(job, t, s, 4 * i, take(x[j][s][0]), take(x[j][s][1]));
        }
    }
}

/* What the next pair of this thread reads comes nearer. */
static __device__ void prefetch(const lte_turbo_job &job, const thread &t, const blocks &next)
{
    enum { LINE = 128 };
    const int size = 3 * (job.k + LTE_TURBO_TAIL);
    for (int b = 0; b < 2; b++)
        for (int i = t.w * LINE; i < size; i += job.windows * LINE)
            asm volatile(
                "prefetch.global.L2 [%0];" ::"l"((const char *)llr_of(job, next.block[b]) + i));
}

/* An element of the tail of both code blocks. */
static __device__ pair tail_of(const lte_turbo_job &job, const blocks &own, int encoder, int at,
                               int parity)
{
    const int64_t size = 3 * (job.k + LTE_TURBO_TAIL);
    const int place = job.tail[encoder][at][parity];
    const int x0 = job.llr[own.block[0] * size + place], x1 = job.llr[own.block[1] * size + place];
    return both(max(x0, -LTE_TURBO_MOST)) & 0xffffu | both(max(x1, -LTE_TURBO_MOST)) << 16;
}

/* What every edge is at the beginning; the ends of a block are that always. */
static __device__ void set_edges(const lte_turbo_job &job, const thread &t, const blocks &own)
{
    metrics ended = {{0}}, open = {{0}};
#pragma unroll
    for (int s = 1; s < N; s++)
        ended.of[s] = both(LTE_TURBO_UNREACHED);
    for (int encoder = 0; encoder < 2; encoder++) {
        set_edge(t, encoder, ALPHA, 0, t.w == 0 ? ended : open);
        metrics beta = open;
        if (t.w == job.windows - 1) {
            beta = ended;
            for (int at = LTE_TURBO_MEMORY - 1; at >= 0; at--)
                beta = backward(beta, tail_of(job, own, encoder, at, 0),
                                tail_of(job, own, encoder, at, 1));
            beta = normal(beta);
        }
        set_edge(t, encoder, BETA, 0, beta);
    }
}

/* ---- out ---- */

/* Bit i: the CRC of code block i holds. All threads must be here. */
static __device__ unsigned holds(const lte_turbo_job &job, const thread &t)
{
    uint32_t sum[2] = {0, 0};
    for (int part = 0; part < parts_of(job.length); part++) {
        const int first = first_of(job.length, part), n = steps_of(job.length, part);
        const uint32_t decided = t.decided[part * LANES];
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            if (k >= n)
                continue;
            const uint32_t remainder = job.remainders[(first + k) * LANES + t.lane];
            sum[0] ^= (decided >> k & 1) * remainder;
            sum[1] ^= (decided >> (16 + k) & 1) * remainder;
        }
    }
    for (int far = 1; far < min(job.windows, WARP); far <<= 1)
        for (int b = 0; b < 2; b++)
            sum[b] ^= __shfl_xor_sync(~0u, sum[b], far);
    if (job.windows > WARP) { /* two warps */
        uint32_t *const sums = (uint32_t *)(shared + sums_begin(job.length));
        if (t.w % WARP == 0)
            for (int b = 0; b < 2; b++)
                sums[t.w / WARP * 2 + b] = sum[b];
        __syncthreads();
        for (int b = 0; b < 2; b++)
            sum[b] = sums[b] ^ sums[2 + b];
    }
    return (unsigned)(sum[0] == 0) | (unsigned)(sum[1] == 0) << 1;
}

/*
 * Writes the bits of those code blocks whose bit is set in ready, by the places of their extrinsic
 * values, which nobody needs any more. All threads must be here.
 */
static __device__ void write(const lte_turbo_job &job, const thread &t, const blocks &own,
                             unsigned ready, int iterations)
{
    const trellis x = trellis_of(job, t, 1);
    for (int part = 0; ready && part < parts_of(job.length); part++) {
        const int first = first_of(job.length, part), n = steps_of(job.length, part);
        const uint32_t decided = t.decided[part * LANES];
        for (int k = 0; k < n; k++) {
            char *const at = shared + x.places[(first + k) * LANES] + 2;
            for (int b = 0; b < 2; b++)
                if (ready >> b & 1)
                    at[b] = (char)(decided >> (16 * b + k) & 1);
        }
    }
    __syncthreads();
    for (int i = t.w; ready && i < job.k / 4; i += job.windows) {
        uint32_t four[4];
        cell at = cell_of(job, 4 * i);
#pragma unroll
        for (int e = 0; e < 4; e++, next_cell(job, &at))
            four[e] = *(const uint32_t *)(shared + t.bits + at.row * BIT_ROW + 4 * at.column);
        const uint32_t low = bytes<0x7362>(four[0], four[1]),
                       high = bytes<0x7362>(four[2], four[3]);
        const uint32_t out[2] = {bytes<0x5410>(low, high), bytes<0x7632>(low, high)};
        for (int b = 0; b < 2; b++)
            if (ready >> b & 1)
                ((uint32_t *)(job.bits + (int64_t)own.block[b] * job.k))[i] = out[b];
    }
    for (int b = 0; b < 2; b++)
        if (t.w == 0 && ready >> b & 1)
            job.iterations[own.block[b]] = (uint8_t)iterations;
}

/* ---- all of it ---- */

template <bool WHOLE>
static __device__ void decode(const lte_turbo_job &job, const thread &t, const blocks &own,
                              const blocks &next)
{
    unsigned finished = own.spare;
    spread(job, t, own);
    prefetch(job, t, next);
    set_edges(job, t, own);
    __syncthreads();
    for (int i = 1; i <= job.n_iterations; i++) {
        const bool last = i == job.n_iterations;
        const bool decide = last || job.remainders;
#pragma unroll 1
        for (int encoder = 0; encoder < 2 - decide; encoder++)
            decode_half<false, WHOLE>(job, t, encoder);
        if (!decide)
            continue;
        decode_half<true, WHOLE>(job, t, 1);
        const unsigned ready = (last ? 3u : holds(job, t)) & ~finished;
        finished |= ready;
        if (__syncthreads_or((int)ready))
            write(job, t, own, ready, i);
        if (!__syncthreads_or(finished != 3u))
            break;
    }
}

/* Code blocks that there are. Read for every pair: kept, it would take a register all the while. */
static __device__ __forceinline__ int n_of(const lte_turbo_job &job)
{
    return job.listed ? (int)*job.listed * job.n_each : job.n;
}

template <bool WHOLE>
static __global__ void __launch_bounds__(LANES, BLOCKS_OF_PROCESSOR)
    turbo(const __grid_constant__ lte_turbo_job job)
{
    const int lane = (int)threadIdx.x, w = lane & (job.windows - 1);
    uint32_t *const work = job.work + blockIdx.x * (size_t)LTE_TURBO_CUDA_WORK;
    const thread t = {.lane = lane,
                      .w = w,
                      .bits = 4 * (lane - w),
                      .parity = parity_begin(job.length) + 2 * (lane - w),
                      .edges = edges_begin(job.length) + 4 * lane,
                      .checkpoints = (uint4 *)work + lane,
                      .decided = work + LTE_TURBO_CHECKPOINTS + lane};
    const int pairs = LANES / job.windows; /* of a block */
    const int all = gridDim.x * pairs;
    for (int first = blockIdx.x * pairs; 2 * first < n_of(job); first += all) {
        const int at = first + lane / job.windows, n = n_of(job);
        decode<WHOLE>(job, t, blocks_of_pair(at, n), blocks_of_pair(at + all, n));
    }
}

static const void *kernel_of(const lte_turbo_job *job)
{
    return job->length % STEPS ? (const void *)turbo<false> : (const void *)turbo<true>;
}

lte_status lte_turbo_cuda_blocks(const lte_turbo_job *job, int *n_blocks)
{
    const void *kernel = kernel_of(job);
    const size_t size = (size_t)shared_size(job->length);
    int device = 0, limit = 0, n_processors = 0, of_processor = 0;
    *n_blocks = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status) /* all there is: decoders of other lengths share the kernel, and its limit */
        status = allow_shared(kernel, (size_t)limit);
    if (!status)
        status =
            LTE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                          cudaSharedmemCarveoutMaxShared));
    if (!status)
        status = LTE_CUDA(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, kernel, LANES, size));
    if (!status)
        status =
            LTE_CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));
    if (!status && of_processor == 0)
        status = LTE_FAIL(LTE_EDEVICE,
                          "the decoder needs %zu bytes of shared memory, which is too much", size);
    *n_blocks = n_processors * of_processor;
    return status;
}

lte_status lte_turbo_cuda_launch(const lte_turbo_job *job, int n_blocks, cudaStream_t stream)
{
    const int pairs = LANES / job->windows, wanted = blocks_of(job->n, 2 * pairs);
    const int grid = wanted < n_blocks ? wanted : n_blocks;
    const size_t size = (size_t)shared_size(job->length);
    if (job->length % STEPS)
        turbo<false><<<grid, LANES, size, stream>>>(*job);
    else
        turbo<true><<<grid, LANES, size, stream>>>(*job);
    return LTE_LAUNCHED(turbo);
}
