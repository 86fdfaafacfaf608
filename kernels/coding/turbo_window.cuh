#ifndef LTE_KERNELS_TURBO_WINDOW_CUH
#define LTE_KERNELS_TURBO_WINDOW_CUH
/*
 * A window of the turbo decoder on a device: what a thread does in half an iteration. What lies
 * where, and what bounds it: turbo_cuda.cu.
 */

#include "kernels/coding/turbo_cuda.h"
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

#endif
