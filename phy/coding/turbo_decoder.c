/* The turbo decoder by its definition, one step after the other. */
#include "phy/coding/turbo_decoder.h"

#include <stdbool.h>
#include <string.h>

#include "phy/coding/crc.h"
#include "phy/coding/turbo.h"

enum { N = LTE_TURBO_STATES };

typedef struct {
    int16_t of[N];
} metrics;

/*
 * Work memory: of both encoders the metrics that windows begin with, as they are and as they come
 * to be.
 */
typedef struct {
    metrics *alpha[2], *beta[2], *next_alpha, *next_beta; /* [windows + 1] */
    metrics *steps;                                       /* [window length]: alpha before each */
    int8_t *extrinsic, *next_extrinsic;                   /* [k], by the place of the bit */
} memory;

lte_status lte_turbo_check(const lte_turbo_plan *plan)
{
    if (plan->windows < 1 || plan->block->k % plan->windows != 0)
        return LTE_FAIL(LTE_EINVAL, "%d windows of a code block of %d bits", plan->windows,
                        plan->block->k);
    if (plan->iterations < 1 || plan->iterations > LTE_MAX_TURBO_ITERATIONS)
        return LTE_FAIL(LTE_EINVAL, "iterations=%d (1 to %d)", plan->iterations,
                        LTE_MAX_TURBO_ITERATIONS);
    return LTE_OK;
}

static size_t edges_of(const lte_turbo_plan *plan)
{
    return (size_t)plan->windows + 1;
}

size_t lte_turbo_work(const lte_turbo_plan *plan)
{
    const size_t length = (size_t)lte_turbo_length(plan);
    return (6 * edges_of(plan) + length) * sizeof(metrics) + 2 * (size_t)plan->block->k;
}

static memory memory_in(const lte_turbo_plan *plan, void *work)
{
    const size_t edges = edges_of(plan);
    metrics *at = work;
    memory m;
    memset(work, 0, lte_turbo_work(plan));
    for (int e = 0; e < 2; e++, at += 2 * edges) {
        m.alpha[e] = at;
        m.beta[e] = at + edges;
    }
    m.next_alpha = at;
    m.next_beta = at + edges;
    m.steps = at + 2 * edges;
    m.extrinsic = (int8_t *)(m.steps + lte_turbo_length(plan));
    m.next_extrinsic = m.extrinsic + plan->block->k;
    return m;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int branch_of(int bit, int parity, int a, int p)
{
    return (bit ? 0 : a) + (parity ? 0 : p);
}

/* As seen from state 0. */
static metrics normal(const int m[N])
{
    metrics out;
    for (int s = 0; s < N; s++)
        out.of[s] = (int16_t)(m[s] - m[0]);
    return out;
}

static metrics forward(const metrics *alpha, int a, int p)
{
    int next[N];
    for (int s = 0; s < N; s++)
        next[s] = INT16_MIN;
    for (int s = 0; s < N; s++) {
        for (int bit = 0; bit < 2; bit++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            next[b.next] = larger(next[b.next], alpha->of[s] + branch_of(bit, b.parity, a, p));
        }
    }
    return normal(next);
}

static metrics backward(const metrics *beta, int a, int p)
{
    int before[N];
    for (int s = 0; s < N; s++) {
        const lte_turbo_branch b0 = lte_turbo_step(s, 0), b1 = lte_turbo_step(s, 1);
        before[s] = larger(beta->of[b0.next] + branch_of(0, b0.parity, a, p),
                           beta->of[b1.next] + branch_of(1, b1.parity, a, p));
    }
    return normal(before);
}

/* r: what the trellis says of the bit beside a. */
static int told(const metrics *alpha, const metrics *beta, int p)
{
    int best[2] = {INT16_MIN, INT16_MIN};
    for (int s = 0; s < N; s++) {
        for (int bit = 0; bit < 2; bit++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            const int path = alpha->of[s] + beta->of[b.next] + (b.parity ? 0 : p);
            best[bit] = larger(best[bit], path);
        }
    }
    return best[0] - best[1];
}

static int within(int x)
{
    return x > LTE_TURBO_MOST ? LTE_TURBO_MOST : x < -LTE_TURBO_MOST ? -LTE_TURBO_MOST : x;
}

/* The metrics of state 0 at both ends, of an encoder. */
static void set_ends(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m)
{
    metrics zero = {{0}};
    for (int s = 1; s < N; s++)
        zero.of[s] = LTE_TURBO_UNREACHED;
    m->alpha[encoder][0] = zero;
    for (int t = LTE_TURBO_MEMORY - 1; t >= 0; t--)
        zero = backward(&zero, within(llr[lte_turbo_tail(plan->block, encoder, t, 0)]),
                        within(llr[lte_turbo_tail(plan->block, encoder, t, 1)]));
    m->beta[encoder][plan->windows] = zero;
}

/* A trellis: which bits and parities its steps have. */
typedef struct {
    const lte_code_block *block;
    int encoder;
    const int8_t *llr, *parity, *extrinsic;
} trellis;

static int place_of(const trellis *x, int t)
{
    return x->encoder ? lte_code_block_at(x->block, t) : t;
}

static int a_of(const trellis *x, int t)
{
    const int i = place_of(x, t);
    return within(x->llr[i]) + x->extrinsic[i];
}

static int p_of(const trellis *x, int t)
{
    return within(x->parity[t]);
}

/*
 * One window of a trellis: new extrinsic values, what its neighbours begin with next time, and
 * bits.
 */
static void decode_window(const lte_turbo_plan *plan, const trellis *x, int w, memory *m,
                          uint8_t *bits)
{
    const int length = lte_turbo_length(plan), overlap = lte_turbo_overlap(plan);
    const int first = w * length, end = first + length;
    metrics alpha = m->alpha[x->encoder][w], beta = m->beta[x->encoder][w + 1];
    for (int t = first - overlap; w > 0 && t < first; t++)
        alpha = forward(&alpha, a_of(x, t), p_of(x, t));
    for (int t = end + overlap - 1; w < plan->windows - 1 && t >= end; t--)
        beta = backward(&beta, a_of(x, t), p_of(x, t));
    for (int t = first; t < end; t++) {
        if (t == end - overlap)
            m->next_alpha[w + 1] = alpha;
        m->steps[t - first] = alpha;
        alpha = forward(&alpha, a_of(x, t), p_of(x, t));
    }
    for (int t = end - 1; t >= first; t--) {
        const int a = a_of(x, t), p = p_of(x, t), r = told(&m->steps[t - first], &beta, p);
        if (t == first + overlap - 1)
            m->next_beta[w] = beta;
        beta = backward(&beta, a, p);
        m->next_extrinsic[place_of(x, t)] = (int8_t)within(r - (r >> 2));
        bits[place_of(x, t)] = a + r < 0;
    }
}

/* All windows of a trellis, none of which sees what the others come to. */
static void decode_half(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m,
                        uint8_t *bits)
{
    const size_t n = (size_t)plan->windows;
    const trellis x = {.block = plan->block,
                       .encoder = encoder,
                       .llr = llr,
                       .parity = llr + (encoder + 1) * lte_code_block_stream(plan->block),
                       .extrinsic = m->extrinsic};
    for (int w = 0; w < plan->windows; w++)
        decode_window(plan, &x, w, m, bits);
    memcpy(m->alpha[encoder] + 1, m->next_alpha + 1, (n - 1) * sizeof(metrics));
    memcpy(m->beta[encoder] + 1, m->next_beta + 1, (n - 1) * sizeof(metrics));
    memcpy(m->extrinsic, m->next_extrinsic, plan->block->k);
}

int lte_turbo_decode(const lte_turbo_plan *plan, const int8_t *llr, void *work, uint8_t *bits)
{
    memory m = memory_in(plan, work);
    int used = 0;
    for (int encoder = 0; encoder < 2; encoder++)
        set_ends(plan, llr, encoder, &m);
    for (bool done = false; !done && used < plan->iterations; used++) {
        decode_half(plan, llr, 0, &m, bits);
        decode_half(plan, llr, 1, &m, bits);
        done = plan->crc && lte_crc_holds(plan->crc, bits, plan->block->k);
    }
    return used;
}
