/* Transport blocks over the slots of a link, on a processor. */
#include "kernels/coding/coded.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/base/labels.h"
#include "kernels/coding/records.h"
#include "kernels/coding/turbo_batch.h"
#include "kernels/cpu/stages.h"
#include "phy/coding/crc.h"
#include "phy/base/gold.h"
#include "phy/base/pool.h"

/* ---- a worker ---- */

/* A codeword of the process at hand: what each detector is sent, and what came of it. */
typedef struct {
    lte_harq_word *harq;  /* [n_detectors] */
    uint8_t *payload, *d; /* [n_detectors] of the block at hand, and as encoded */
    size_t payload_size, encoded;
    uint8_t *scrambling; /* of the subframe */
    int32_t *soft;       /* [n_detectors][encoded] sums of LLRs */
    lte_turbo_batch
        *batch[LTE_CODE_SIZES]; /* NULL: no code blocks of the size; of codewords alike the same */
} codeword;

struct lte_code_worker {
    const lte_code *code;
    const lte_link *link;
    lte_pool pool;
    codeword word[LTE_MOST_CODEWORDS];
    uint8_t *labels;         /* [2][7][n_tx][n_sc] */
    int8_t *llrs;            /* [2][n_detectors] of lte_llr_planes */
    uint8_t *encoding;       /* work of lte_transport_encode */
    int8_t *llr;             /* of a codeword as encoded */
    uint8_t *decoded, *back; /* its code blocks; its transport block with its CRC */
    uint8_t *iterations;     /* of each code block */
    uint32_t *errors;        /* [n_detectors][n_counts] of a slot */
    bool *listens;           /* [n_detectors] to the subframe, and has not been sent it yet */
    int *active;             /* [n_detectors] those who are sent the same: places, */
    lte_detector *heard;     /* and detectors */
};

static lte_status make_batches(const lte_code *code, int q, codeword *w)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < LTE_CODE_SIZES && !status; i++) {
        const lte_code_block *block;
        if (lte_code_of_size(code, q, i, &block) == 0)
            continue;
        const lte_turbo_plan plan = lte_code_decoding(code, q, block);
        status = lte_turbo_batch_create(lte_turbo_best(), &plan, 1, &w->batch[i]);
    }
    return status;
}

/* Of all codewords the most. */
typedef struct {
    size_t bits, encoded, blocks, decoded;
} sizes;

static sizes sizes_of(const lte_code *code)
{
    sizes most = {0};
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        const size_t bits = (size_t)t->s.n_bits, encoded = (size_t)lte_transport_encoded(t);
        most.bits = bits > most.bits ? bits : most.bits;
        most.encoded = encoded > most.encoded ? encoded : most.encoded;
        most.blocks = (size_t)t->s.n > most.blocks ? (size_t)t->s.n : most.blocks;
    }
    most.decoded = most.blocks * LTE_MAX_CODE_BLOCK;
    return most;
}

double lte_code_worker_bytes(const lte_code *code, const lte_link *link, int n_detectors)
{
    const sizes most = sizes_of(code);
    const double n = n_detectors, slots = 2.0;
    double sum = slots * n * (double)lte_llr_planes(link) + (double)(most.decoded + 2 * most.bits);
    for (int q = 0; q < code->n_codewords; q++)
        sum += (double)lte_transport_encoded(&code->transport[q]) * n * (1.0 + sizeof(int32_t)) +
               (double)lte_transport_sent(&code->transport[q]) + n * code->transport[q].bits;
    return sum;
}

lte_status lte_code_worker_create(const lte_code *code, const lte_link *link, int n_detectors,
                                  lte_code_worker **worker)
{
    const size_t n = (size_t)n_detectors;
    const sizes most = sizes_of(code);
    *worker = NULL;
    lte_code_worker *w = calloc(1, sizeof *w);
    if (!w)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a code");
    w->code = code;
    w->link = link;
    w->labels = lte_pool_zeros(&w->pool, 2 * (size_t)lte_label_planes(link));
    w->llrs = lte_pool_zeros(&w->pool, 2 * n * (size_t)lte_llr_planes(link));
    w->encoding = lte_pool_take(&w->pool, most.bits + LTE_MAX_CODE_BLOCK);
    w->llr = lte_pool_take(&w->pool, most.encoded);
    w->decoded = lte_pool_take(&w->pool, most.decoded);
    w->back = lte_pool_take(&w->pool, most.bits);
    w->iterations = lte_pool_take(&w->pool, most.blocks);
    w->errors = lte_pool_take(&w->pool, n * (size_t)link->output.n_counts * sizeof *w->errors);
    w->listens = lte_pool_take(&w->pool, n * sizeof *w->listens);
    w->active = lte_pool_take(&w->pool, n * sizeof *w->active);
    w->heard = lte_pool_take(&w->pool, n * sizeof *w->heard);
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        codeword *c = &w->word[q];
        c->encoded = (size_t)lte_transport_encoded(t);
        c->payload_size = (size_t)t->bits + LTE_CODE_DRAWN;
        c->harq = lte_pool_take(&w->pool, n * sizeof *c->harq);
        c->payload = lte_pool_take(&w->pool, n * c->payload_size);
        c->d = lte_pool_take(&w->pool, n * c->encoded);
        c->scrambling = lte_pool_take(&w->pool, (size_t)lte_transport_sent(t) + 32);
        c->soft = lte_pool_take(&w->pool, n * c->encoded * sizeof *c->soft);
    }
    lte_status status = lte_pool_check(&w->pool, "the codewords of a subframe");
    if (!status)
        lte_code_idle(link, w->labels);
    for (int q = 0; q < code->n_codewords && !status; q++) {
        if (q > 0 && lte_code_is_alike(code))
            memcpy(w->word[q].batch, w->word[0].batch, sizeof w->word[q].batch);
        else
            status = make_batches(code, q, &w->word[q]);
    }
    if (status) {
        lte_code_worker_free(w);
        return status;
    }
    *worker = w;
    return LTE_OK;
}

void lte_code_worker_free(lte_code_worker *worker)
{
    if (!worker)
        return;
    for (int q = 0; q < LTE_MOST_CODEWORDS; q++) {
        for (int i = 0; i < LTE_CODE_SIZES; i++) {
            if (q == 0 || worker->word[q].batch[i] != worker->word[0].batch[i])
                lte_turbo_batch_free(worker->word[q].batch[i]);
        }
    }
    lte_pool_free(&worker->pool);
    free(worker);
}

/* ---- a transmission ---- */

static uint8_t *payload_of(const codeword *c, int k)
{
    return c->payload + (size_t)k * c->payload_size;
}

static uint8_t *encoded_of(const codeword *c, int k)
{
    return c->d + (size_t)k * c->encoded;
}

/* The payload of codeword q by the draws of a slot, encoded, for detector k. */
static void draw_codeword(const lte_code_worker *w, uint64_t slot, int q, int k)
{
    const lte_transport *t = &w->code->transport[q];
    const codeword *c = &w->word[q];
    uint8_t *const payload = payload_of(c, k);
    for (int i = 0; i < t->bits; i += LTE_CODE_DRAWN) {
        const lte_words words = lte_draw(&w->link->channel.draws, slot, LTE_DRAW_TRANSPORT,
                                         (uint32_t)(q * LTE_CODE_DRAWS + i / LTE_CODE_DRAWN));
        for (int b = 0; b < LTE_CODE_DRAWN; b++)
            payload[i + b] = (uint8_t)(words.v[b / 32] >> b % 32 & 1);
    }
    lte_transport_encode(t, payload, w->encoding, encoded_of(c, k));
}

/* The new block of detector k's codeword q, whose process began the drop in a slot; of the block of
 * a detector before it, where that is the same. */
static void begin_block(const lte_code_worker *w, uint64_t begin, int q, int k)
{
    const codeword *c = &w->word[q];
    const int block = c->harq[k].block;
    memset(c->soft + (size_t)k * c->encoded, 0, c->encoded * sizeof *c->soft);
    for (int j = 0; j < k; j++) {
        if (w->listens[j] && c->harq[j].block == block) {
            memcpy(payload_of(c, k), payload_of(c, j), c->payload_size);
            memcpy(encoded_of(c, k), encoded_of(c, j), c->encoded);
            return;
        }
    }
    draw_codeword(w, begin + (uint64_t)(2 * LTE_HARQ_SUBFRAMES * block), q, k);
}

/* The next transmission of detector k's block in a subframe, to the labels of both slots. */
static void send_codeword(const lte_code_worker *w, uint64_t slot, int q, int k)
{
    const lte_transport *t = &w->code->transport[q];
    const codeword *c = &w->word[q];
    const int g = lte_transport_sent(t);
    const uint32_t *place = w->code->place[q] + (ptrdiff_t)c->harq[k].sent * g;
    const uint32_t *symbol = w->code->symbol[q];
    const uint8_t *const d = encoded_of(c, k);
    lte_gold gold = lte_code_scrambling(q, slot);
    for (int e = 0; e < g; e += 32) {
        const uint32_t bits = lte_gold_word(&gold);
        for (int b = 0; b < 32; b++)
            c->scrambling[e + b] = (uint8_t)(bits >> b & 1);
    }
    for (int e = 0; e < g; e += t->n_bits) {
        unsigned label = 0;
        for (int b = 0; b < t->n_bits; b++)
            label |= (unsigned)(d[place[e + b]] ^ c->scrambling[e + b]) << b;
        lte_label_put(t->n_bits, w->labels, symbol[e / t->n_bits], label);
    }
}

/* Adds what detector k, the a-th of n who were sent the same, has heard of it to its sums. */
static void combine_codeword(const lte_code_worker *w, int q, int a, int n, int k)
{
    const lte_link *link = w->link;
    const lte_transport *t = &w->code->transport[q];
    const codeword *c = &w->word[q];
    const int g = lte_transport_sent(t), n_sc = link->carrier.n_sc, n_bits = t->n_bits;
    const uint32_t *place = w->code->place[q] + (ptrdiff_t)c->harq[k].sent * g;
    const uint32_t *symbol = w->code->symbol[q];
    const uint32_t of_slot = (uint32_t)(LTE_SLOT_SYMBOLS * link->n_tx * n_sc);
    const ptrdiff_t planes = lte_llr_planes(link);
    int32_t *const soft = c->soft + (size_t)k * c->encoded;
    for (int e = 0; e < g; e += n_bits) {
        const uint32_t at = symbol[e / n_bits], slot = at / of_slot, in_slot = at % of_slot;
        const uint32_t row = in_slot / (uint32_t)n_sc, sc = in_slot % (uint32_t)n_sc;
        const int8_t *const llr =
            w->llrs + ((ptrdiff_t)slot * n + a) * planes + (ptrdiff_t)row * n_bits * n_sc + sc;
        for (int b = 0; b < n_bits; b++) {
            const int8_t *const value = &llr[b * n_sc];
            soft[place[e + b]] += c->scrambling[e + b] ? -*value : *value;
        }
    }
}

/* Decodes it from the sums of detector k, into back; true if its CRCs hold. */
static bool decode_codeword(const lte_code_worker *w, int q, int k, uint32_t *iterations)
{
    const lte_transport *t = &w->code->transport[q];
    const codeword *c = &w->word[q];
    uint8_t *bits = w->decoded;
    lte_transport_soft(t, c->soft + (size_t)k * c->encoded, w->llr);
    for (int i = 0, r = 0; i < LTE_CODE_SIZES; i++) {
        const lte_code_block *block;
        const int n = lte_code_of_size(w->code, q, i, &block);
        if (n == 0)
            continue;
        lte_turbo_batch_run(c->batch[i], n, w->llr + lte_transport_block(t, r), bits,
                            w->iterations + r);
        bits += (ptrdiff_t)n * block->k;
        r += n;
    }
    *iterations = 0;
    for (int r = 0; r < t->s.n; r++)
        *iterations += w->iterations[r];
    return lte_transport_join(t, w->decoded, w->back);
}

/* Bits of back that differ from detector k's payload. */
static uint32_t wrong_bits(const lte_code_worker *w, int q, int k)
{
    const uint8_t *const payload = payload_of(&w->word[q], k);
    uint32_t wrong = 0;
    for (int i = 0; i < w->code->transport[q].bits; i++)
        wrong += w->back[i] != payload[i];
    return wrong;
}

/* ---- a process ---- */

static uint32_t *row_of(const lte_code_worker *w, const lte_code_rows *to, uint64_t slot, int k)
{
    const ptrdiff_t at = (ptrdiff_t)(slot - to->first) * to->n_detectors + k;
    return to->errors + lte_counts_at(w->link->output.n_counts, at);
}

/* How a run sends, and who receives. */
typedef struct {
    const lte_stages *stages;
    lte_noise noise;
    const lte_detector *detectors;
    void *work; /* of the stages */
} receivers;

/* Sends a subframe to n active detectors; counts: it lies before the point. */
static void send_subframe(const lte_code_worker *w, const receivers *r, int n, uint64_t slot,
                          bool counts, const lte_code_rows *to)
{
    const lte_link *link = w->link;
    for (int a = 0; a < n; a++)
        w->heard[a] = r->detectors[w->active[a]];
    for (int j = 0; j < 2; j++) {
        const uint64_t at = slot + (uint64_t)j;
        lte_power power = {0, 0};
        const lte_carried_slot carried = {.slot = at,
                                          .labels = w->labels + j * lte_label_planes(link),
                                          .power = &power,
                                          .errors = w->errors,
                                          .llrs = w->llrs + j * n * lte_llr_planes(link)};
        r->stages->carry_slot(link, r->noise, w->heard, n, &carried, r->work);
        if (!counts)
            continue;
        if (w->active[0] == 0)
            to->power[at - to->first] = power;
        for (int a = 0; a < n; a++) {
            uint32_t *const row = row_of(w, to, at, w->active[a]);
            uint32_t *const coded = row + lte_coded_at(link->n_tx, 0);
            for (int i = 0; i < LTE_N_HARD_COUNTS(link->n_tx); i++)
                row[i] += w->errors[lte_counts_at(link->output.n_counts, a) + i];
            coded[LTE_CODED_SIGNAL] = (uint32_t)power.signal;
            coded[LTE_CODED_SIGNAL_HIGH] = (uint32_t)((uint64_t)power.signal >> 32);
            coded[LTE_CODED_SUBFRAMES] += j == 0;
        }
    }
}

/* Records what the LLRs of n active detectors have lost in a subframe. */
static void record_losses(const lte_code_worker *w, int n, uint64_t slot, const lte_code_rows *to)
{
    const ptrdiff_t planes = lte_llr_planes(w->link);
    for (int a = 0; a < n; a++)
        lte_record_losses(w->link, w->labels, w->llrs + a * planes, w->llrs + (n + a) * planes,
                          row_of(w, to, slot, w->active[a]) + lte_record_loss_at(w->link->n_tx, 0));
}

/* True if detectors are sent the same: blocks and transmissions of all codewords. */
static bool is_sent_alike(const lte_code_worker *w, int j, int k)
{
    bool alike = true;
    for (int q = 0; q < w->code->n_codewords; q++) {
        const lte_harq_word *a = &w->word[q].harq[j], *b = &w->word[q].harq[k];
        alike = alike && a->block == b->block && a->sent == b->sent;
    }
    return alike;
}

/* Who listens to a subframe, and what is new to them. */
static void begin_subframe(const lte_code_worker *w, uint64_t begin, int subframe, int n_detectors)
{
    const lte_code *code = w->code;
    for (int k = 0; k < n_detectors; k++) {
        bool open = false;
        for (int q = 0; q < code->n_codewords; q++)
            open = open || w->word[q].harq[k].sent > 0;
        w->listens[k] = lte_harq_sends(&code->plan, subframe, open);
        for (int q = 0; q < code->n_codewords && w->listens[k]; q++) {
            lte_harq_begin(&code->plan, subframe, &w->word[q].harq[k]);
            if (w->word[q].harq[k].begins)
                begin_block(w, begin, q, k);
        }
    }
}

/* What becomes of codeword q with detector k, the a-th of n, after a subframe: in its row. */
static void end_subframe(const lte_code_worker *w, int subframe, int q, int a, int n, int k,
                         uint32_t *row)
{
    const lte_transport *t = &w->code->transport[q];
    lte_harq_word *const harq = &w->word[q].harq[k];
    uint32_t iterations;
    if (harq->fills) {
        lte_harq_end(harq);
        return;
    }
    combine_codeword(w, q, a, n, k);
    const bool holds = decode_codeword(w, q, k, &iterations);
    const uint32_t weight = lte_harq_judge(&w->code->plan, subframe, holds, iterations, harq);
    if (w->link->output.integer_losses)
        row[lte_record_at(w->link->n_tx, q)] = lte_record_of(harq, holds, iterations);
    if (weight == 0)
        return;
    lte_harq_count(harq, weight, t->bits, t->s.n, holds, wrong_bits(w, q, k),
                   row + lte_coded_at(w->link->n_tx, 0));
    lte_harq_end(harq);
}

/* The next of those who listen, and all who are sent the same; how many. */
static int take_active(const lte_code_worker *w, int n_detectors)
{
    int n = 0;
    for (int k = 0; k < n_detectors; k++) {
        if (!w->listens[k] || (n > 0 && !is_sent_alike(w, w->active[0], k)))
            continue;
        w->active[n++] = k;
        w->listens[k] = false;
    }
    return n;
}

void lte_code_run(lte_code_worker *w, const lte_stages *stages, lte_noise noise,
                  const lte_detector *detectors, uint64_t process, void *work,
                  const lte_code_rows *to)
{
    const lte_code_plan *plan = &w->code->plan;
    const receivers all = {stages, noise, detectors, work};
    const int p = (int)(process % (uint64_t)lte_code_processes(plan));
    const uint64_t begin = lte_code_slot(plan, process, 0);
    for (int q = 0; q < w->code->n_codewords; q++)
        memset(w->word[q].harq, 0, (size_t)to->n_detectors * sizeof *w->word[q].harq);
    for (int turn = 0; turn < lte_code_turns(plan); turn++) {
        const int subframe = lte_code_subframe(p, turn);
        const uint64_t slot = lte_code_slot(plan, process, turn);
        int n;
        begin_subframe(w, begin, subframe, to->n_detectors);
        while ((n = take_active(w, to->n_detectors)) > 0) {
            for (int q = 0; q < w->code->n_codewords; q++)
                send_codeword(w, slot, q, w->active[0]);
            send_subframe(w, &all, n, slot, subframe < lte_code_counted(plan), to);
            if (w->link->output.integer_losses)
                record_losses(w, n, slot, to);
            for (int a = 0; a < n; a++) {
                const int k = w->active[a];
                for (int q = 0; q < w->code->n_codewords; q++)
                    end_subframe(w, subframe, q, a, n, k, row_of(w, to, slot, k));
            }
        }
    }
}

/* ---- what is sent of a block, alone ---- */

const uint8_t *lte_code_send(lte_code_worker *w, uint64_t slot)
{
    for (int q = 0; q < w->code->n_codewords; q++) {
        w->word[q].harq[0].sent = 0;
        draw_codeword(w, slot, q, 0);
        send_codeword(w, slot, q, 0);
    }
    return w->labels;
}

const uint8_t *lte_code_payload(const lte_code_worker *w, int q)
{
    return w->word[q].payload;
}
