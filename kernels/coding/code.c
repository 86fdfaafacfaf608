/* A code: what of its blocks is sent where, and what brings each of their elements. */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/labels.h"
#include "kernels/coding/coded.h"
#include "phy/base/gold.h"
#include "phy/coding/crc.h"

lte_gold lte_code_scrambling(int q, uint64_t slot)
{
    return lte_gold_at(lte_scrambling_init(LTE_CODE_RNTI, q, (int)(slot % 20), LTE_CODE_CELL), 0);
}

/*
 * Where symbol s of codeword q is in the labels of two slots: resource elements by rising
 * subcarrier, then symbol.
 */
static void place_symbols(const lte_link *link, const lte_code *code, int q)
{
    const int n_tx = link->n_tx, n_sc = link->carrier.n_sc, n_layers = lte_codeword_layers(n_tx, q);
    uint32_t *at = code->symbol[q];
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        for (int sc = 0; sc < n_sc; sc++) {
            if (!lte_link_carries(link, (uint64_t)(m / LTE_SLOT_SYMBOLS), m % LTE_SLOT_SYMBOLS, sc))
                continue;
            for (int l = 0; l < n_layers; l++)
                *at++ = (uint32_t)((m * n_tx + lte_codeword_first(n_tx, q) + l) * n_sc + sc);
        }
    }
}

/* The symbols of a subframe that carry data, if all do on every subcarrier or on none; else 0. */
static int data_columns(const lte_link *link)
{
    int columns = 0;
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        const int slot = m / LTE_SLOT_SYMBOLS, symbol = m % LTE_SLOT_SYMBOLS;
        const int carried =
            symbol == link->receiver.pilot ? 0 : link->carrier.grid.data[slot][symbol];
        if (carried != 0 && carried != (1 << LTE_RB_SC) - 1)
            return 0;
        columns += carried != 0;
    }
    return columns;
}

/* Spreads each transmission of a codeword over all symbols; place [T][G]. */
static lte_status interleave(const lte_link *link, const lte_transport *t, int transmissions,
                             uint32_t *place)
{
    const int columns = data_columns(link);
    const size_t g = (size_t)lte_transport_sent(t);
    if (columns == 0)
        return LTE_FAIL(LTE_EINVAL, "a channel interleaver over symbols that are not alike");
    uint32_t *work = malloc(g * sizeof *work);
    if (!work)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a code");
    for (int i = 0; i < transmissions; i++)
        lte_transport_interleave(t, columns, place + (size_t)i * g, work);
    free(work);
    return LTE_OK;
}

static lte_status make_codeword(const lte_link *link, const lte_code_plan *plan, int q,
                                lte_code *code)
{
    lte_transport *t = &code->transport[q];
    lte_status status = lte_transport_of(plan->bits[q], lte_codeword_layers(link->n_tx, q),
                                         link->n_bits, lte_data_elements(link), t);
    if (!status && plan->soft_bits > 0)
        status = lte_transport_limit(t, plan->soft_bits);
    if (status)
        return status;
    const size_t g = (size_t)lte_transport_sent(t);
    code->place[q] = malloc((size_t)plan->transmissions * g * sizeof(uint32_t));
    code->symbol[q] = malloc(g / (size_t)link->n_bits * sizeof(uint32_t));
    if (!code->place[q] || !code->symbol[q])
        return LTE_FAIL(LTE_ENOMEM, "no memory for a code");
    for (int i = 0; i < plan->transmissions && !status; i++)
        status = lte_transport_places(t, plan->versions.of[i], code->place[q] + (size_t)i * g);
    if (!status && plan->interleaved)
        status = interleave(link, t, plan->transmissions, code->place[q]);
    place_symbols(link, code, q);
    return status;
}

lte_status lte_code_create(const lte_link *link, const lte_code_plan *plan, lte_code **code)
{
    *code = NULL;
    if (plan->transmissions < 1 || plan->transmissions > LTE_MAX_TRANSMISSIONS)
        return LTE_FAIL(LTE_EINVAL, "transmissions=%d (1 to %d)", plan->transmissions,
                        LTE_MAX_TRANSMISSIONS);
    if (link->n_tx > LTE_MAX_ORDER)
        return LTE_FAIL(LTE_EINVAL, "codewords of %d layers (1 to %d)", link->n_tx, LTE_MAX_ORDER);
    lte_code *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a code");
    made->plan = *plan;
    made->n_codewords = lte_codewords(link->n_tx);
    lte_status status = LTE_OK;
    for (int q = 0; q < made->n_codewords && !status; q++)
        status = make_codeword(link, plan, q, made);
    if (status) {
        lte_code_free(made);
        return status;
    }
    *code = made;
    return LTE_OK;
}

void lte_code_free(lte_code *code)
{
    if (!code)
        return;
    for (int q = 0; q < LTE_MOST_CODEWORDS; q++) {
        free(code->place[q]);
        free(code->symbol[q]);
    }
    free(code);
}

lte_turbo_plan lte_code_decoding(const lte_code *code, int q, const lte_code_block *block)
{
    const uint32_t crc = code->transport[q].s.n > 1 ? LTE_CRC_24B : LTE_CRC_24A;
    return (lte_turbo_plan){.block = block,
                            .windows = lte_code_block_windows(block),
                            .iterations = code->plan.iterations,
                            .crc = code->plan.early ? crc : 0};
}

bool lte_code_is_alike(const lte_code *code)
{
    return code->transport[0].bits == code->transport[code->n_codewords - 1].bits;
}

int lte_code_of_size(const lte_code *code, int q, int size, const lte_code_block **block)
{
    const lte_segmentation *s = &code->transport[q].s;
    *block = size ? s->size : s->smaller;
    return size ? s->n - s->n_smaller : s->n_smaller;
}

void lte_code_flips(const lte_code *code, const lte_link *link, int subframe, uint8_t *flips)
{
    memset(flips, 0, 2 * (size_t)lte_label_planes(link));
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        const int sent = lte_transport_sent(t), n_bits = t->n_bits;
        lte_gold gold = lte_code_scrambling(q, 2 * (uint64_t)subframe);
        uint32_t bits = 0;
        for (int e = 0; e < sent; e++, bits >>= 1) {
            if (e % 32 == 0)
                bits = lte_gold_word(&gold);
            const ptrdiff_t at = code->symbol[q][e / n_bits];
            lte_label_put(n_bits, flips, at,
                          lte_label_at(n_bits, flips, at) | (bits & 1) << e % n_bits);
        }
    }
}

void lte_code_idle(const lte_link *link, uint8_t *labels)
{
    lte_gold gold = lte_gold_at(1, 0);
    const int n_tx = link->n_tx, n_sc = link->carrier.n_sc;
    for (int row = 0; row < 2 * LTE_SLOT_SYMBOLS * n_tx; row++) {
        const int m = row / n_tx, slot = m / LTE_SLOT_SYMBOLS, symbol = m % LTE_SLOT_SYMBOLS;
        uint32_t bits = 0;
        for (int sc = 0; sc < n_sc; sc++, bits >>= 2) {
            if (sc % 16 == 0)
                bits = lte_gold_word(&gold);
            if (!lte_grid_carries(&link->carrier.grid, (uint64_t)slot, symbol, sc))
                lte_label_put(link->n_bits, labels, row * n_sc + sc,
                              lte_grid_idle_label(link->n_bits, sc, bits));
        }
    }
}

/* Where the LLR of bit e of a codeword lies: [2] slots of lte_llr_planes. */
static uint32_t plane_of(const lte_code *code, const lte_link *link, int q, int e)
{
    const uint32_t n_sc = (uint32_t)link->carrier.n_sc, n_bits = (uint32_t)link->n_bits;
    const uint32_t at = code->symbol[q][(uint32_t)e / n_bits];
    return (at / n_sc * n_bits + (uint32_t)e % n_bits) * n_sc + at % n_sc;
}

void lte_code_sources(const lte_code *code, const lte_link *link, int q, int i, uint32_t *count,
                      uint32_t *source, uint32_t *many)
{
    const int sent = lte_transport_sent(&code->transport[q]);
    const int encoded = lte_transport_encoded(&code->transport[q]);
    const uint32_t *const place = code->place[q] + (ptrdiff_t)i * sent;
    uint32_t end = 0;
    memset(count, 0, (size_t)encoded * sizeof *count);
    memset(many, 0, 2 * (size_t)sent * sizeof *many);
    for (int e = 0; e < sent; e++)
        count[place[e]]++;
    for (int p = 0; p < encoded; p++) {
        source[p] = count[p] > 1 ? LTE_CODE_MANY + end : LTE_CODE_NOWHERE;
        end += count[p] > 1 ? 1 + count[p] : 0;
    }
    for (int e = 0; e < sent; e++) {
        uint32_t *const at = &source[place[e]];
        if (count[place[e]] == 1) {
            *at = plane_of(code, link, q, e);
        } else {
            uint32_t *const own = &many[*at - LTE_CODE_MANY];
            own[++own[0]] = plane_of(code, link, q, e);
        }
    }
}
