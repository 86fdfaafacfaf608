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
#include "kernels/coding/turbo_cuda.h"
#include "kernels/base/launcher.cuh"
#include "phy/coding/turbo.h"

enum {
    N = LTE_TURBO_STATES,
    LANES = LTE_TURBO_CUDA_WINDOWS,
    STEPS = LTE_TURBO_OVERLAP,
    WARP = 32,
    BIT_ROW = LTE_TURBO_BIT_ROW, /* bytes, as the next two */
    PARITY_ROW = 2 * (LANES + 1),
    EDGE_BYTES = (N - 1) * LANES * 4, /* of one encoder and direction */
    SUMS = 2 * LANES / WARP,
    BLOCKS_OF_PROCESSOR = 4,
};

typedef uint32_t pair; /* two int16_t */

/* ---- pairs ---- */

static __device__ __forceinline__ pair add(pair a, pair b)
{
    return __vadd2(a, b);
}
static __device__ __forceinline__ pair subtract(pair a, pair b)
{
    return __vsub2(a, b);
}
/* max(a + b, c) */
static __device__ __forceinline__ pair add_max(pair a, pair b, pair c)
{
    return __viaddmax_s16x2(a, b, c);
}
static __device__ __forceinline__ pair both(int x)
{
    return (uint32_t)x << 16 | ((uint32_t)x & 0xffffu);
}

/* Bytes of two words; one with 8 in the selector is the sign of that byte, eight times. */
template <uint32_t SELECTOR>
static __device__ __forceinline__ uint32_t bytes(uint32_t a, uint32_t b = 0)
{
    uint32_t x;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "n"(SELECTOR));
    return x;
}
static __device__ __forceinline__ pair low_bytes(uint32_t x)
{
    return bytes<0x9180>(x);
}
static __device__ __forceinline__ pair high_bytes(uint32_t x)
{
    return bytes<0xb3a2>(x);
}

/* r - floor(r / 4), cut to +-LTE_TURBO_MOST. */
static __device__ __forceinline__ pair extrinsic_of(pair r)
{
    const pair quarter = (r >> 2 & 0x3fff3fffu) ^ 0x20002000u; /* floor(r / 4) + 8192 */
    return __vmins2(add_max(subtract(r, quarter), both(8192), both(-LTE_TURBO_MOST)),
                    both(LTE_TURBO_MOST));
}

/* ---- a step; all that depends on the trellis is known when this is compiled ---- */

typedef struct {
    pair of[N];
} metrics;

static __device__ __forceinline__ metrics normal(metrics m)
{
#pragma unroll
    for (int s = N - 1; s >= 0; s--)
        m.of[s] = subtract(m.of[s], m.of[0]);
    return m;
}

/*
 * The better of two branches, one the other's complement: m0 takes bit 0 with a parity, m1 bit 1.
 */
static __device__ __forceinline__ pair better(pair m0, int parity, pair m1, pair a, pair p,
                                              pair a_p)
{
    return parity ? add_max(m0, a, add(m1, p)) : add_max(m0, a_p, m1);
}

static __device__ __forceinline__ metrics forward(metrics m, pair a, pair p)
{
    const pair a_p = add(a, p);
    metrics next;
#pragma unroll
    for (int s = 0; s < N; s++) { /* the states that come before differ in their oldest bit */
        const int one = s >> 1, other = one + N / 2;
        const int from0 = lte_turbo_step(one, 0).next == s ? one : other;
        next.of[s] = better(m.of[from0], lte_turbo_step(from0, 0).parity, m.of[one + other - from0],
                            a, p, a_p);
    }
    return next;
}

static __device__ __forceinline__ metrics backward(metrics m, pair a, pair p)
{
    const pair a_p = add(a, p);
    metrics before;
#pragma unroll
    for (int s = 0; s < N; s++) {
        const lte_turbo_branch b0 = lte_turbo_step(s, 0), b1 = lte_turbo_step(s, 1);
        before.of[s] = better(m.of[b0.next], b0.parity, m.of[b1.next], a, p, a_p);
    }
    return before;
}

static __device__ __forceinline__ pair told(metrics alpha, metrics beta, pair p)
{
    pair best[2][2]; /* by bit and parity */
#pragma unroll
    for (int bit = 0; bit < 2; bit++) {
        bool seen[2] = {false, false};
#pragma unroll
        for (int s = 0; s < N; s++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            pair *const at = &best[bit][b.parity];
            *at = seen[b.parity] ? add_max(alpha.of[s], beta.of[b.next], *at)
                                 : add(alpha.of[s], beta.of[b.next]);
            seen[b.parity] = true;
        }
    }
    return subtract(add_max(best[0][0], p, best[0][1]), add_max(best[1][0], p, best[1][1]));
}

/* ---- a thread and what it has ---- */

extern __shared__ char shared[];

typedef struct {
    int lane, w; /* of the block's threads; its window */
    int bits;    /* where the bits of its pair of code blocks begin; those of window w at + 4 w */
    int parity;  /* the same of the first encoder's parity; + 2 w */
    int edges;   /* of its own edges */
    uint4 *checkpoints; /* [LTE_TURBO_PARTS][2][LANES], its own */
    uint32_t *decided;  /* [LTE_TURBO_PARTS][LANES], its own: 16 bits of each code block */
} thread;

/* Bytes of shared memory before each part of it. */
static __host__ __device__ __forceinline__ int parity_begin(int length)
{
    return length * BIT_ROW;
}
static __host__ __device__ __forceinline__ int edges_begin(int length)
{
    return parity_begin(length) + 2 * length * PARITY_ROW;
}
static __host__ __device__ __forceinline__ int sums_begin(int length)
{
    return edges_begin(length) + 4 * EDGE_BYTES;
}
static __host__ __device__ __forceinline__ int shared_size(int length)
{
    return sums_begin(length) + SUMS * (int)sizeof(uint32_t);
}

/* Parts of a window: 16 steps each, but what is left over has the place before the last. */
static __device__ __forceinline__ int parts_of(int length)
{
    return (length + STEPS - 1) / STEPS;
}
static __device__ __forceinline__ int first_of(int length, int part)
{
    return part == parts_of(length) - 1 ? length - STEPS : part * STEPS;
}
static __device__ __forceinline__ int steps_of(int length, int part)
{
    return part == parts_of(length) - 2 && length % STEPS ? length % STEPS : STEPS;
}

/* The trellis of an encoder, as a thread sees it. */
typedef struct {
    int encoder;
    const uint16_t *places; /* [length][LANES], its own: where the bits of its steps are */
    int parity;             /* where its own parity begins */
} trellis;

static __device__ __forceinline__ trellis trellis_of(const lte_turbo_job &job, const thread &t,
                                                     int encoder)
{
    const trellis out = {encoder, job.places + encoder * LTE_TURBO_TABLE + t.lane,
                         t.parity + encoder * job.length * PARITY_ROW + 2 * t.w};
    return out;
}

typedef struct {
    int place; /* in shared memory, of the bit */
    pair a, p;
} step;

/* The same from step first of its window on, or of one so many further. */
static __device__ __forceinline__ trellis from(const trellis &x, int first, int further = 0)
{
    const trellis out = {x.encoder, x.places + (first * LANES + further),
                         x.parity + first * PARITY_ROW + 2 * further};
    return out;
}

static __device__ __forceinline__ step step_of(const thread &t, const trellis &x, int i)
{
    const int place = __ldg(x.places + i * LANES);
    const uint32_t bit = *(const uint32_t *)(shared + place);
    const uint32_t p = *(const uint16_t *)(shared + x.parity + i * PARITY_ROW);
    const step out = {place, add(low_bytes(bit), high_bytes(bit)), low_bytes(p)};
    return out;
}

/* ---- edges ---- */

enum { ALPHA, BETA };

static __device__ __forceinline__ pair *edge_of(const thread &t, int encoder, int side)
{
    return (pair *)(shared + t.edges + (2 * encoder + side) * EDGE_BYTES);
}
static __device__ __forceinline__ metrics edge(const thread &t, int encoder, int side)
{
    const pair *const from = edge_of(t, encoder, side);
    metrics m;
    m.of[0] = 0;
#pragma unroll
    for (int s = 1; s < N; s++)
        m.of[s] = from[(s - 1) * LANES];
    return m;
}
/* m is normal; neighbour: windows on. */
static __device__ __forceinline__ void set_edge(const thread &t, int encoder, int side,
                                                int neighbour, const metrics &m)
{
    pair *const to = edge_of(t, encoder, side) + neighbour;
#pragma unroll
    for (int s = 1; s < N; s++)
        to[(s - 1) * LANES] = m.of[s];
}

static __device__ __forceinline__ void leave(const thread &t, int part, const metrics &m)
{
    uint4 *const to = t.checkpoints + 2 * part * LANES;
    to[0] = make_uint4(m.of[0], m.of[1], m.of[2], m.of[3]);
    to[LANES] = make_uint4(m.of[4], m.of[5], m.of[6], m.of[7]);
}
static __device__ __forceinline__ metrics left_at(const thread &t, int part)
{
    const uint4 *const from = t.checkpoints + 2 * part * LANES;
    const uint4 low = from[0], high = from[LANES];
    return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}

/* ---- windows ---- */

/*
 * Steps that are unrolled in a loop that keeps only one state. Before 9.0 the maximum of a pair is
 * a dozen instructions, and sixteen steps would take a third more of the compiler's time.
 */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
enum { STEPS_TOGETHER = 4 };
#else
enum { STEPS_TOGETHER = STEPS };
#endif

/* Beta through the n steps of a part; n is 16 unless FEWER. */
template <bool FEWER>
static __device__ __forceinline__ void back_over(const thread &t, const trellis &x, int n,
                                                 metrics *beta)
{
#pragma unroll STEPS_TOGETHER
    for (int k = STEPS - 1; k >= 0; k--) {
        if (FEWER && k >= n)
            continue;
        const step s = step_of(t, x, k);
        *beta = backward(*beta, s.a, s.p);
    }
    *beta = normal(*beta);
}

/* Alpha through the n steps of a part, extrinsic values and bits on the way back. */
template <bool DECIDE, bool FEWER>
static __device__ __forceinline__ void decode_part(const thread &t, const trellis &x, int part,
                                                   int n, metrics *alpha)
{
    metrics before[STEPS], beta = left_at(t, part);
    step s[STEPS];
    uint32_t decided = 0;
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
        if (FEWER && k >= n)
            continue;
        s[k] = step_of(t, x, k);
        before[k] = *alpha;
        *alpha = forward(*alpha, s[k].a, s[k].p);
    }
    *alpha = normal(*alpha);
#pragma unroll
    for (int k = STEPS - 1; k >= 0; k--) {
        if (FEWER && k >= n)
            continue;
        const pair r = told(before[k], beta, s[k].p);
        if (DECIDE)
            decided |= (add(s[k].a, r) & 0x80008000u) >> (STEPS - 1 - k);
        *(uint16_t *)(shared + s[k].place + 2) = (uint16_t)bytes<0x0020>(extrinsic_of(r));
        beta = backward(beta, s[k].a, s[k].p);
    }
    if (DECIDE)
        t.decided[part * LANES] = decided;
}

/* What the neighbours' last steps tell of where a window begins. */
static __device__ __forceinline__ metrics alpha_before(const lte_turbo_job &job, const thread &t,
                                                       const trellis &x)
{
    metrics alpha = edge(t, x.encoder, ALPHA);
    if (t.w == 0)
        return alpha;
    const trellis theirs = from(x, job.length - STEPS, -1);
#pragma unroll STEPS_TOGETHER
    for (int k = 0; k < STEPS; k++) {
        const step s = step_of(t, theirs, k);
        alpha = forward(alpha, s.a, s.p);
    }
    return normal(alpha);
}
static __device__ __forceinline__ metrics beta_behind(const lte_turbo_job &job, const thread &t,
                                                      const trellis &x)
{
    metrics beta = edge(t, x.encoder, BETA);
    if (t.w == job.windows - 1)
        return beta;
    const trellis theirs = from(x, 0, 1);
#pragma unroll STEPS_TOGETHER
    for (int k = STEPS - 1; k >= 0; k--) {
        const step s = step_of(t, theirs, k);
        beta = backward(beta, s.a, s.p);
    }
    return normal(beta);
}

/* A window's half of an iteration. Whole: it has no part of fewer steps. */
template <bool DECIDE, bool WHOLE>
static __device__ __forceinline__ void decode_half(const lte_turbo_job &job, const thread &t,
                                                   int encoder)
{
    const int last = parts_of(job.length) - 1;
    const trellis x = trellis_of(job, t, encoder);
    metrics beta = beta_behind(job, t, x);
#pragma unroll 1
    for (int part = last; part > 0; part--) {
        const trellis here = from(x, first_of(job.length, part));
        const int n = steps_of(job.length, part);
        leave(t, part, beta);
        if (WHOLE || n == STEPS)
            back_over<false>(t, here, STEPS, &beta);
        else
            back_over<true>(t, here, n, &beta);
    }
    leave(t, 0, beta);
    metrics alpha = alpha_before(job, t, x);
    __syncthreads();
    if (t.w > 0)
        set_edge(t, encoder, BETA, -1, beta);
#pragma unroll 1
    for (int part = 0; part <= last; part++) {
        const trellis here = from(x, first_of(job.length, part));
        const int n = steps_of(job.length, part);
        if (part == last && t.w < job.windows - 1)
            set_edge(t, encoder, ALPHA, 1, alpha);
        if (WHOLE || n == STEPS)
            decode_part<DECIDE, false>(t, here, part, STEPS, &alpha);
        else
            decode_part<DECIDE, true>(t, here, part, n, &alpha);
    }
    __syncthreads();
}

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
        status = LTE_FAIL(LTE_EDEVICE, "the decoder takes %zu bytes of shared memory", size);
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
