/* The turbo decoder by its definition, one step after the other. */
#include "phy/coding/turbo_decoder.h"

#include <stdbool.h>
#include <string.h>

#include "phy/coding/crc.h"
#include "phy/coding/turbo.h"

enum { N = LTE_TURBO_STATES, MOST = 127, UNREACHED = -4096 };

typedef struct {
    int16_t of[N];
} metrics;

/* Work memory: of both encoders the metrics at the edges of windows, as they are and as they come to be. */
typedef struct {
    metrics *alpha[2], *beta[2], *next_alpha, *next_beta; /* [windows + 1] */
    metrics *steps;                                       /* [window length]: alpha before each */
    int8_t *extrinsic;                                    /* [k], by the place of the bit */
} memory;

static size_t edges_of(const lte_turbo_plan *plan)
{
    return (size_t)plan->windows + 1;
}

size_t lte_turbo_work(const lte_turbo_plan *plan)
{
    const size_t k = plan->block->k, length = k / (size_t)plan->windows;
    return (6 * edges_of(plan) + length) * sizeof(metrics) + k;
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
    m.extrinsic = (int8_t *)(m.steps + plan->block->k / plan->windows);
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
    return x > MOST ? MOST : x < -MOST ? -MOST : x;
}

/* The metrics of state 0 at both ends, of an encoder. */
static void set_ends(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m)
{
    const int stream = lte_code_block_stream(plan->block), k = plan->block->k;
    metrics zero = {{0}};
    for (int s = 1; s < N; s++)
        zero.of[s] = UNREACHED;
    m->alpha[encoder][0] = zero;
    for (int t = LTE_TURBO_MEMORY - 1; t >= 0; t--) {
        const lte_turbo_tail_place x = lte_turbo_tail(encoder, t, 0),
                                   z = lte_turbo_tail(encoder, t, 1);
        zero = backward(&zero, within(llr[x.stream * stream + k + x.place]),
                        within(llr[z.stream * stream + k + z.place]));
    }
    m->beta[encoder][plan->windows] = zero;
}

/* One window of an encoder: new extrinsic values, its edges for the next iteration, and bits. */
static void decode_window(const lte_turbo_plan *plan, const int8_t *llr, int encoder, int w,
                          memory *m, uint8_t *bits)
{
    const int length = plan->block->k / plan->windows, first = w * length;
    const int8_t *parity = llr + (encoder + 1) * lte_code_block_stream(plan->block) + first;
    metrics alpha = m->alpha[encoder][w], beta = m->beta[encoder][w + 1];
    for (int t = 0; t < length; t++) {
        const int i = encoder ? lte_code_block_at(plan->block, first + t) : first + t;
        m->steps[t] = alpha;
        alpha = forward(&alpha, within(llr[i]) + m->extrinsic[i], within(parity[t]));
    }
    m->next_alpha[w + 1] = alpha;
    for (int t = length - 1; t >= 0; t--) {
        const int i = encoder ? lte_code_block_at(plan->block, first + t) : first + t;
        const int a = within(llr[i]) + m->extrinsic[i], p = within(parity[t]);
        const int r = told(&m->steps[t], &beta, p);
        beta = backward(&beta, a, p);
        m->extrinsic[i] = (int8_t)within(r - (r >> 2));
        bits[i] = a + r < 0;
    }
    m->next_beta[w] = beta;
}

/* All windows of an encoder; the edges of each as they were before, whatever the others come to. */
static void decode_half(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m,
                        uint8_t *bits)
{
    const size_t n = (size_t)plan->windows;
    for (int w = 0; w < plan->windows; w++)
        decode_window(plan, llr, encoder, w, m, bits);
    memcpy(m->alpha[encoder] + 1, m->next_alpha + 1, n * sizeof(metrics));
    memcpy(m->beta[encoder], m->next_beta, n * sizeof(metrics));
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
