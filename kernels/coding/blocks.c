/*
 * Transport blocks of many subframes at once: a code block in each lane of a decoder, from all
 * codewords of a size.
 */
#include "kernels/coding/blocks.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/labels.h"
#include "phy/base/pool.h"

size_t lte_block_at(const lte_code *code, int q)
{
    size_t at = 0;
    for (int i = 0; i < q; i++)
        at += (size_t)(code->transport[i].bits + 7) / 8 + 1;
    return at;
}

size_t lte_block_bytes(const lte_code *code)
{
    return lte_block_at(code, code->n_codewords);
}

/* Code blocks of one size, of all codewords that are alike. */
typedef struct {
    const lte_code_block *block;
    int n_each, n_words; /* of a codeword; codewords */
    lte_pool pool;
    int8_t *llr;                   /* [n_subframes][n_words][n_each][3][k + 4] */
    uint8_t *decoded, *iterations; /* [n_subframes][n_words][n_each][k]; the same of one each */
    lte_turbo_batch **batch;       /* [n_threads], of a thread each */
} size_group;

struct lte_block_decoder {
    const lte_link *link;
    const lte_code *code;
    const lte_turbo_version *version;
    int n_threads;
    size_group group[LTE_MOST_CODEWORDS]
                    [LTE_CODE_SIZES]; /* of codewords alike those of the first */
    lte_pool pool;
    uint8_t *flips;                       /* [LTE_CODE_FRAME] of lte_code_flips */
    uint32_t *source[LTE_MOST_CODEWORDS]; /* as lte_code_sources gives them */
    uint32_t *many[LTE_MOST_CODEWORDS];
    uint8_t *joined; /* [n_threads][most_bits] */
    uint8_t *blocks; /* [n_threads][most_decoded] */
    size_t most_encoded, most_bits, most_decoded;
};

/* The group of a size of codeword q, and which of its codewords that is. */
static size_group *group_of(lte_block_decoder *d, int q, int size, int *word)
{
    const bool alike = lte_code_is_alike(d->code);
    *word = alike ? q : 0;
    return &d->group[alike ? 0 : q][size];
}

static void group_free(size_group *g, int n_threads)
{
    for (int t = 0; g->batch && t < n_threads; t++)
        lte_turbo_batch_free(g->batch[t]);
    free(g->batch);
    lte_pool_free(&g->pool);
}

static lte_status group_init(lte_block_decoder *d, int q, int size, size_t n_subframes)
{
    size_group *g = &d->group[q][size];
    g->n_each = lte_code_of_size(d->code, q, size, &g->block);
    g->n_words = lte_code_is_alike(d->code) ? d->code->n_codewords : 1;
    if (g->n_each == 0)
        return LTE_OK;
    const size_t n = n_subframes * (size_t)(g->n_words * g->n_each);
    const size_t stream = (size_t)lte_code_block_stream(g->block);
    g->llr = lte_pool_take(&g->pool, n * 3 * stream);
    g->decoded = lte_pool_take(&g->pool, n * g->block->k);
    g->iterations = lte_pool_take(&g->pool, n);
    lte_status status = lte_pool_check(&g->pool, "the code blocks of a period");
    g->batch = calloc((size_t)d->n_threads, sizeof(lte_turbo_batch *));
    if (!status && !g->batch)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for decoders of %d threads", d->n_threads);
    const lte_turbo_plan plan = lte_code_decoding(d->code, q, g->block);
    for (int t = 0; t < d->n_threads && !status; t++)
        status = lte_turbo_batch_create(d->version, &plan, 1, &g->batch[t]);
    return status;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What threads need for the largest codeword. */
static void measure(lte_block_decoder *d)
{
    for (int q = 0; q < d->code->n_codewords; q++) {
        const lte_transport *t = &d->code->transport[q];
        size_t decoded = 0;
        for (int r = 0; r < t->s.n; r++)
            decoded += lte_segment_block(&t->s, r)->k;
        d->most_encoded = larger(d->most_encoded, (size_t)lte_transport_encoded(t));
        d->most_bits = larger(d->most_bits, (size_t)t->s.n_bits);
        d->most_decoded = larger(d->most_decoded, decoded);
    }
}

double lte_block_decoder_bytes(const lte_code *code, int n_threads, int n_subframes)
{
    double sum = 0.0, most = 0.0;
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        const double encoded = lte_transport_encoded(t), bits = t->s.n_bits;
        sum += n_subframes * (encoded + bits) + encoded * 2.0 * sizeof(uint32_t) +
               lte_transport_sent(t) * (2.0 * sizeof(uint32_t) + LTE_CODE_FRAME);
        most = 2.0 * bits > most ? 2.0 * bits : most;
    }
    return sum + n_threads * most;
}

lte_status lte_block_decoder_create(const lte_link *link, const lte_turbo_version *version,
                                    int n_threads, int n_subframes, lte_block_decoder **decoder)
{
    const lte_code *code = link->output.code;
    const size_t threads = (size_t)n_threads;
    *decoder = NULL;
    lte_block_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the blocks of a code");
    d->link = link;
    d->code = code;
    d->version = version;
    d->n_threads = n_threads;
    measure(d);
    const size_t labels = 2 * (size_t)lte_label_planes(link);
    uint32_t *const count = lte_pool_take(&d->pool, d->most_encoded * sizeof *count);
    d->joined = lte_pool_take(&d->pool, threads * d->most_bits);
    d->blocks = lte_pool_take(&d->pool, threads * d->most_decoded);
    d->flips = lte_pool_take(&d->pool, LTE_CODE_FRAME * labels);
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        d->source[q] = lte_pool_take(&d->pool, (size_t)lte_transport_encoded(t) * sizeof(uint32_t));
        d->many[q] = lte_pool_take(&d->pool, 2 * (size_t)lte_transport_sent(t) * sizeof(uint32_t));
    }
    lte_status status = lte_pool_check(&d->pool, "the blocks of a code");
    const int n_groups = lte_code_is_alike(code) ? 1 : code->n_codewords;
    for (int i = 0; i < n_groups * LTE_CODE_SIZES && !status; i++)
        status = group_init(d, i / LTE_CODE_SIZES, i % LTE_CODE_SIZES, (size_t)n_subframes);
    if (status) {
        lte_block_decoder_free(d);
        return status;
    }
    for (int i = 0; i < LTE_CODE_FRAME; i++)
        lte_code_flips(code, link, i, d->flips + (size_t)i * labels);
    for (int q = 0; q < code->n_codewords; q++)
        lte_code_sources(code, link, q, 0, count, d->source[q], d->many[q]);
    *decoder = d;
    return LTE_OK;
}

void lte_block_decoder_free(lte_block_decoder *d)
{
    if (!d)
        return;
    for (int i = 0; i < LTE_MOST_CODEWORDS * LTE_CODE_SIZES; i++)
        group_free(&d->group[i / LTE_CODE_SIZES][i % LTE_CODE_SIZES], d->n_threads);
    lte_pool_free(&d->pool);
    free(d);
}

/* ---- the steps ---- */

/* The LLRs of symbol m of 14 of a subframe with the signs of bits that are not scrambled. */
static void descramble(const lte_block_decoder *d, const lte_subframes *s, int i, int m,
                       int8_t *llrs)
{
    const int n_tx = d->link->n_tx, n_sc = d->link->carrier.n_sc, n_bits = d->link->n_bits;
    const uint64_t subframe = (s->first + (uint64_t)i) % s->distinct % LTE_CODE_FRAME;
    const ptrdiff_t of_symbols = 2 * LTE_SLOT_SYMBOLS;
    for (int k = 0; k < n_tx; k++) {
        const uint8_t *const flips =
            d->flips +
            (((ptrdiff_t)subframe * of_symbols + m) * n_tx + k) * n_sc * lte_label_bytes(n_bits);
        for (int bit = 0; bit < n_bits; bit++) {
            int8_t *const row = llrs + (((i * of_symbols + m) * n_tx + k) * n_bits + bit) * n_sc;
            for (int sc = 0; sc < n_sc; sc++) {
                const int flip = -(int)(lte_label_at(n_bits, flips, sc) >> bit & 1);
                row[sc] = (int8_t)((row[sc] ^ flip) - flip);
            }
        }
    }
}

/* What a subframe says of an element. */
static int8_t heard_of(uint32_t source, const uint32_t *many, const int8_t *llrs)
{
    const int most = INT8_MAX;
    int sum = 0;
    if (source < LTE_CODE_MANY)
        return llrs[source];
    if (source == LTE_CODE_NOWHERE)
        return 0;
    const uint32_t *const own = many + (source - LTE_CODE_MANY);
    for (uint32_t n = 1; n <= own[0]; n++)
        sum += llrs[own[n]];
    return (int8_t)(sum > most ? most : sum < -most ? -most : sum);
}

/* Code block r of a codeword, of llrs of its subframe, as a decoder takes it. */
static void match_block(const lte_block_decoder *d, int q, int r, const int8_t *llrs, int8_t *to)
{
    const lte_transport *t = &d->code->transport[q];
    const int stream = lte_code_block_stream(lte_segment_block(&t->s, r));
    const int filler = lte_segment_filler(&t->s, r);
    const uint32_t *const source = d->source[q] + lte_transport_block(t, r);
    for (int p = 0; p < 3 * stream; p++)
        to[p] = heard_of(source[p], d->many[q], llrs);
    for (int p = 0; p < filler; p++)
        to[p] = to[stream + p] = INT8_MAX; /* of both streams that have filler bits */
}

/* Code block r of all codewords of subframe i of a period. */
static void match_number(lte_block_decoder *d, int i, int r, const int8_t *llrs)
{
    int q = 0, word;
    for (; r >= d->code->transport[q].s.n; q++)
        r -= d->code->transport[q].s.n;
    const lte_segmentation *s = &d->code->transport[q].s;
    const int size = r >= s->n_smaller;
    const size_group *g = group_of(d, q, size, &word);
    const int own = (i * g->n_words + word) * g->n_each + (size ? r - s->n_smaller : r);
    const ptrdiff_t length = 3 * (ptrdiff_t)lte_code_block_stream(g->block);
    match_block(d, q, r, llrs + 2 * i * lte_llr_planes(d->link), g->llr + own * length);
}

void lte_block_match(lte_block_decoder *d, const lte_subframes *s, int8_t *llrs)
{
    const int symbols = 2 * LTE_SLOT_SYMBOLS;
    int n_blocks = 0;
    for (int q = 0; q < d->code->n_codewords; q++)
        n_blocks += d->code->transport[q].s.n;
#pragma omp for schedule(static)
    for (int at = 0; at < s->n * symbols; at++)
        descramble(d, s, at / symbols, at % symbols, llrs);
#pragma omp for schedule(dynamic)
    for (int at = 0; at < s->n * n_blocks; at++)
        match_number(d, at / n_blocks, at % n_blocks, llrs);
}

void lte_block_decode(lte_block_decoder *d, const lte_subframes *s)
{
    const int lanes = d->version->lanes;
    for (int i = 0; i < LTE_MOST_CODEWORDS * LTE_CODE_SIZES; i++) {
        const size_group *g = &d->group[i / LTE_CODE_SIZES][i % LTE_CODE_SIZES];
        const int n = s->n * g->n_words * g->n_each;
        if (n == 0)
            continue;
        const size_t k = g->block->k, length = 3 * (size_t)lte_code_block_stream(g->block);
#pragma omp for schedule(dynamic) nowait
        for (int first = 0; first < n; first += lanes)
            lte_turbo_batch_run(g->batch[omp_get_thread_num()],
                                n - first < lanes ? n - first : lanes,
                                g->llr + (size_t)first * length, g->decoded + (size_t)first * k,
                                g->iterations + first);
    }
#pragma omp barrier
}

static void pack(int n, const uint8_t *bits, uint8_t *bytes)
{
    for (int i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (int b = 0; b < 8 && i + b < n; b++)
            byte |= (unsigned)bits[i + b] << b;
        bytes[i / 8] = (uint8_t)byte;
    }
}

static void check_codeword(lte_block_decoder *d, const lte_subframes *s, int i, int q)
{
    const lte_transport *t = &d->code->transport[q];
    const size_t thread = (size_t)omp_get_thread_num();
    const uint64_t out = (s->first + (uint64_t)i) % s->n_out;
    uint8_t *const to = s->bits + out * lte_block_bytes(d->code) + lte_block_at(d->code, q);
    uint8_t *const joined = d->joined + thread * d->most_bits;
    uint8_t *const blocks = d->blocks + thread * d->most_decoded, *at = blocks;
    for (int size = 0; size < LTE_CODE_SIZES; size++) {
        int word;
        const size_group *g = group_of(d, q, size, &word);
        if (g->n_each == 0)
            continue;
        const size_t n = (size_t)g->n_each * g->block->k;
        memcpy(at, g->decoded + (size_t)(i * g->n_words + word) * n, n);
        at += n;
    }
    to[(t->bits + 7) / 8] = lte_transport_join(t, blocks, joined);
    pack(t->bits, joined, to);
}

void lte_block_check(lte_block_decoder *d, const lte_subframes *s)
{
    const int n_codewords = d->code->n_codewords;
#pragma omp for schedule(dynamic)
    for (int at = 0; at < s->n * n_codewords; at++)
        check_codeword(d, s, at / n_codewords, at % n_codewords);
}
