/*
 * The decoder of phy/coding/turbo_decoder.h with a code block in each lane of 16 bits, for a
 * translation unit of one instruction set, which says LTE_I16_HEADER before. That has
 *
 *     LTE_I16_LANES, lte_i16     lanes, and so many int16_t, with + - >> of the compiler
 *     i_set(x)                   x in all lanes
 *     i_max(a, b), i_min(a, b)   of each lane
 *     i_load8(p), i_store8(p, a) LTE_I16_LANES int8_t, on a boundary of as many bytes; a is within
 *     them
 *
 * Metrics are kept as seen from state 0 after every 16 steps, so that they stay within 16 bits.
 */
#include "kernels/coding/turbo_batch.h"

#include <string.h>

#include "kernels/base/levels.h"
#include "phy/coding/crc.h"
#include "phy/coding/turbo.h"

#include LTE_I16_HEADER

enum { N = LTE_TURBO_STATES, LANES = LTE_I16_LANES, STEPS = 16 };

typedef struct {
    int8_t of[LANES];
} lanes8;
typedef struct {
    lte_i16 of[N];
} metrics;

/*
 * What a thread works in: what windows of both encoders begin with, as it was and as it comes to
 * be.
 */
typedef struct {
    metrics *alpha[2][2], *beta[2][2]; /* [new][encoder][windows + 1] */
    metrics *steps;                    /* [window length] */
    lanes8 *llr[3];                    /* [k]: bits, both parities */
    lanes8 *extrinsic[2], *sum;        /* [k], by the place of the bit; sum: its sign decides */
    uint16_t *from;                    /* [k]: the permutation */
} memory;

static size_t work_size(const lte_turbo_plan *plan)
{
    const size_t k = plan->block->k, edges = (size_t)plan->windows + 1;
    return (8 * edges + k / (size_t)plan->windows) * sizeof(metrics) + 6 * k * sizeof(lanes8) +
           k * sizeof(uint16_t);
}

static memory memory_in(const lte_turbo_plan *plan, void *work)
{
    const size_t k = plan->block->k, edges = (size_t)plan->windows + 1;
    memory m;
    metrics *at = work;
    for (int i = 0; i < 4; i++, at += 2 * edges) {
        m.alpha[i / 2][i % 2] = at;
        m.beta[i / 2][i % 2] = at + edges;
    }
    m.steps = at;
    lanes8 *row = (lanes8 *)(at + k / (size_t)plan->windows);
    for (int s = 0; s < 3; s++, row += k)
        m.llr[s] = row;
    m.extrinsic[0] = row;
    m.extrinsic[1] = row + k;
    m.sum = row + 2 * k;
    m.from = (uint16_t *)(void *)(row + 3 * k);
    return m;
}

static void begin(const lte_turbo_plan *plan, void *work)
{
    const memory m = memory_in(plan, work);
    for (int i = 0; i < plan->block->k; i++)
        m.from[i] = (uint16_t)lte_code_block_at(plan->block, i);
}

/* ---- a step; all that depends on the trellis is known when this is compiled ---- */

/* Weights of branches by bit and parity. */
typedef struct {
    lte_i16 of[2][2];
} weights;

static inline weights weigh(lte_i16 a, lte_i16 p)
{
    return (weights){{{a + p, a}, {p, i_set(0)}}};
}

static inline metrics normal(metrics m)
{
    for (int s = N - 1; s >= 0; s--)
        m.of[s] -= m.of[0];
    return m;
}

static inline __attribute__((always_inline)) metrics forward(metrics m, lte_i16 a, lte_i16 p)
{
    const weights w = weigh(a, p);
    metrics next;
#pragma GCC unroll 8
    for (int s = 0; s < N; s++) { /* the states that come before differ in their oldest bit */
        const int from0 = s >> 1, from1 = from0 + N / 2;
        const int bit0 = lte_turbo_step(from0, 1).next == s,
                  bit1 = lte_turbo_step(from1, 1).next == s;
        const int z0 = lte_turbo_step(from0, bit0).parity, z1 = lte_turbo_step(from1, bit1).parity;
        next.of[s] = i_max(m.of[from0] + w.of[bit0][z0], m.of[from1] + w.of[bit1][z1]);
    }
    return next;
}

static inline __attribute__((always_inline)) metrics backward(metrics m, lte_i16 a, lte_i16 p)
{
    const weights w = weigh(a, p);
    metrics before;
#pragma GCC unroll 8
    for (int s = 0; s < N; s++) {
        const lte_turbo_branch b0 = lte_turbo_step(s, 0), b1 = lte_turbo_step(s, 1);
        before.of[s] =
            i_max(m.of[b0.next] + w.of[0][b0.parity], m.of[b1.next] + w.of[1][b1.parity]);
    }
    return before;
}

static inline __attribute__((always_inline)) lte_i16 told(metrics alpha, metrics beta, lte_i16 p)
{
    lte_i16 best[2][2]; /* by bit and parity */
#pragma GCC unroll 2
    for (int bit = 0; bit < 2; bit++) {
        int seen[2] = {0, 0};
#pragma GCC unroll 8
        for (int s = 0; s < N; s++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            const lte_i16 path = alpha.of[s] + beta.of[b.next];
            best[bit][b.parity] = seen[b.parity] ? i_max(best[bit][b.parity], path) : path;
            seen[b.parity] = 1;
        }
    }
    return i_max(best[0][0] + p, best[0][1]) - i_max(best[1][0] + p, best[1][1]);
}

static inline lte_i16 within(lte_i16 x)
{
    return i_max(i_min(x, i_set(LTE_TURBO_MOST)), i_set(-LTE_TURBO_MOST));
}

/* ---- windows ---- */

/*
 * Where the bit of step t of a trellis is, and what is known of it; whoever calls says which
 * trellis.
 */
static inline __attribute__((always_inline)) int place_of(const memory *m, int encoder, int t)
{
    return encoder ? m->from[t] : t;
}
static inline __attribute__((always_inline)) lte_i16 a_of(const memory *m, int encoder, int t)
{
    const int i = place_of(m, encoder, t);
    return i_load8(m->llr[0][i].of) + i_load8(m->extrinsic[encoder][i].of);
}
static inline __attribute__((always_inline)) lte_i16 p_of(const memory *m, int encoder, int t)
{
    return i_load8(m->llr[1 + encoder][t].of);
}

/*
 * The first encoder's trellis takes extrinsic[0] and makes extrinsic[1], the second's the other
 * way.
 */
static inline __attribute__((always_inline)) void
decode_window(const lte_turbo_plan *plan, const memory *m, int encoder, bool decide, int old, int w)
{
    const int length = lte_turbo_length(plan), overlap = lte_turbo_overlap(plan);
    const int first = w * length, end = first + length;
    metrics alpha = m->alpha[old][encoder][w], beta = m->beta[old][encoder][w + 1];
    for (int t = first - overlap; w > 0 && t < first; t++)
        alpha = forward(alpha, a_of(m, encoder, t), p_of(m, encoder, t));
    for (int t = end + overlap - 1; w < plan->windows - 1 && t >= end; t--)
        beta = backward(beta, a_of(m, encoder, t), p_of(m, encoder, t));
    for (int t = 0; t < length; t++) {
        if (t % STEPS == 0)
            alpha = normal(alpha);
        if (t == length - overlap && w < plan->windows - 1)
            m->alpha[!old][encoder][w + 1] = normal(alpha);
        m->steps[t] = alpha;
        alpha = forward(alpha, a_of(m, encoder, first + t), p_of(m, encoder, first + t));
    }
    beta = normal(beta);
    for (int t = length - 1; t >= 0; t--) {
        const lte_i16 a = a_of(m, encoder, first + t), p = p_of(m, encoder, first + t);
        const lte_i16 r = told(m->steps[t], beta, p);
        const int i = place_of(m, encoder, first + t);
        if (t == overlap - 1 && w > 0)
            m->beta[!old][encoder][w] = normal(beta);
        beta = backward(beta, a, p);
        if (t % STEPS == 0)
            beta = normal(beta);
        i_store8(m->extrinsic[!encoder][i].of, within(r - (r >> 2)));
        if (decide)
            i_store8(m->sum[i].of, within(a + r));
    }
}

/* All windows of a trellis; decide: their sums are asked for. */
static void decode_half(const lte_turbo_plan *plan, const memory *m, int encoder, bool decide,
                        int old)
{
    for (int w = 0; w < plan->windows; w++) {
        if (encoder == 0)
            decode_window(plan, m, 0, false, old, w);
        else if (decide)
            decode_window(plan, m, 1, true, old, w);
        else
            decode_window(plan, m, 1, false, old, w);
    }
}

/* ---- in and out ---- */

enum { SIDE = 8 }; /* of a square of bytes; sizes of code blocks and lanes are multiples */

/* Rows and columns of such a square change places; byte j of x[i] is element (i, j). */
static inline __attribute__((always_inline)) void transpose(uint64_t x[SIDE])
{
    static const uint64_t low[] = {0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
#pragma GCC unroll 3
    for (int step = 0; step < 3; step++) { /* squares of 2, of 4, of 8 by their quarters */
        const int j = 1 << step;
#pragma GCC unroll 8
        for (int i = 0; i < SIDE; i++) {
            if (i & j)
                continue;
            const uint64_t swapped = (x[i] >> 8 * j ^ x[i + j]) & low[step];
            x[i] ^= swapped << 8 * j;
            x[i + j] ^= swapped;
        }
    }
}

/* Eight values, -128 as -127. */
static inline uint64_t take8(const int8_t *from)
{
    static const uint64_t ones = 0x0101010101010101;
    uint64_t x;
    memcpy(&x, from, sizeof x);
    const uint64_t other = ((x & 0x7f * ones) + 0x7f * ones) & 0x80 * ones; /* not +-128 or 0 */
    return x | (x & ~other & 0x80 * ones) >> 7;
}

/* The n code blocks to lanes; spare lanes have the first. */
static void spread(const lte_turbo_plan *plan, int n, const int8_t *llr, const memory *m)
{
    const int k = plan->block->k, stream = lte_code_block_stream(plan->block);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < k; i += SIDE) {
            for (int first = 0; first < LANES; first += SIDE) {
                uint64_t x[SIDE];
#pragma GCC unroll 8
                for (int l = 0; l < SIDE; l++) {
                    const ptrdiff_t block = first + l < n ? first + l : 0;
                    x[l] = take8(llr + (block * 3 + s) * stream + i);
                }
                transpose(x);
#pragma GCC unroll 8
                for (int j = 0; j < SIDE; j++)
                    memcpy(m->llr[s][i + j].of + first, &x[j], sizeof x[j]);
            }
        }
    }
}

/* Element of the tail in all lanes. */
static lte_i16 tail_of(const lte_turbo_plan *plan, int n, const int8_t *llr, int encoder, int t,
                       int parity)
{
    const ptrdiff_t size = 3 * lte_code_block_stream(plan->block);
    const int8_t *from = llr + lte_turbo_tail(plan->block, encoder, t, parity);
    _Alignas(64) int8_t x[LANES] = {0};
    for (int l = 0; l < n; l++)
        x[l] = from[l * size];
    return within(i_load8(x));
}

/* What every edge is at the beginning; the ends of the block are that always. */
static void set_edges(const lte_turbo_plan *plan, int n, const int8_t *llr, const memory *m)
{
    const size_t edges = (size_t)plan->windows + 1;
    for (int e = 0; e < 2; e++) {
        metrics zero = {{i_set(0)}};
        for (int s = 1; s < N; s++)
            zero.of[s] = i_set(LTE_TURBO_UNREACHED);
        memset(m->alpha[0][e], 0, edges * sizeof(metrics));
        memset(m->beta[0][e], 0, edges * sizeof(metrics));
        m->alpha[0][e][0] = m->alpha[1][e][0] = zero;
        for (int t = LTE_TURBO_MEMORY - 1; t >= 0; t--)
            zero = backward(zero, tail_of(plan, n, llr, e, t, 0), tail_of(plan, n, llr, e, t, 1));
        m->beta[0][e][plan->windows] = m->beta[1][e][plan->windows] = normal(zero);
    }
}

/* Decisions of the lanes that are still at work. */
static void take_bits(const lte_turbo_plan *plan, const memory *m, int n, const uint8_t *iterations,
                      uint8_t *bits)
{
    const int k = plan->block->k;
    for (int i = 0; i < k; i += SIDE) {
        for (int first = 0; first < n; first += SIDE) {
            uint64_t x[SIDE];
#pragma GCC unroll 8
            for (int j = 0; j < SIDE; j++)
                memcpy(&x[j], m->sum[i + j].of + first, sizeof x[j]);
            transpose(x);
            for (int l = 0; l < SIDE && first + l < n; l++) {
                const uint64_t negative = x[l] >> 7 & 0x0101010101010101;
                if (iterations[first + l] == 0)
                    memcpy(bits + (ptrdiff_t)(first + l) * k + i, &negative, sizeof negative);
            }
        }
    }
}

static void decode(const lte_turbo_plan *plan, int n, const int8_t *llr, void *work, uint8_t *bits,
                   uint8_t *iterations)
{
    const memory m = memory_in(plan, work);
    const size_t k = plan->block->k;
    int left = n;
    spread(plan, n, llr, &m);
    memset(m.extrinsic[0], 0, k * sizeof *m.extrinsic[0]);
    set_edges(plan, n, llr, &m);
    memset(iterations, 0, (size_t)n);
    for (int i = 1; i <= plan->iterations && left > 0; i++) {
        const bool decide = plan->crc || i == plan->iterations;
        decode_half(plan, &m, 0, false, (i - 1) & 1);
        decode_half(plan, &m, 1, decide, (i - 1) & 1);
        if (!decide)
            continue;
        take_bits(plan, &m, n, iterations, bits);
        for (int l = 0; l < n; l++) {
            if (iterations[l] > 0 ||
                (i < plan->iterations && !lte_crc_holds(plan->crc, bits + (size_t)l * k, (int)k)))
                continue;
            iterations[l] = (uint8_t)i;
            left--;
        }
    }
}

#define LTE_TURBO_VERSION(set, has)                                                                \
    {                                                                                              \
        .name = set, .usable = has, .lanes = LANES, .work = work_size, .begin = begin,             \
        .decode = decode                                                                           \
    }
