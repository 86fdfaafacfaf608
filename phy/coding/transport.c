/* Transport blocks as codewords, and back. */
#include "phy/coding/transport.h"

#include <string.h>

#include "phy/coding/crc.h"
#include "phy/coding/rate_matching.h"
#include "phy/coding/turbo.h"

lte_status lte_transport_of(int bits, int n_layers, int n_bits, int n_elements,
                            lte_transport *transport)
{
    lte_transport t = {
        .bits = bits, .n_layers = n_layers, .n_bits = n_bits, .n_elements = n_elements};
    if (n_layers < 1 || n_layers > LTE_MOST_CODEWORD_LAYERS || n_elements < 1)
        return LTE_FAIL(LTE_EINVAL, "a codeword of %d layers of %d resource elements", n_layers,
                        n_elements);
    const lte_status status = lte_segmentation_of(bits, &t.s);
    if (status)
        return status;
    if (t.s.n_bits > lte_transport_sent(&t))
        return LTE_FAIL(LTE_EINVAL, "a transport block of %d bits and its CRC in %d", bits,
                        lte_transport_sent(&t));
    *transport = t;
    return LTE_OK;
}

lte_versions lte_versions_of(bool uplink, int n_bits)
{
    static const lte_versions up = {{0, 2, 3, 1}}, down = {{0, 1, 2, 3}}, dense = {{0, 0, 1, 2}};
    return uplink ? up : n_bits < 6 ? down : dense;
}

int lte_transport_buffer(const lte_transport *t, const lte_code_block *block)
{
    const int whole = lte_rate_matching_buffer(block), share = t->soft_bits / t->s.n;
    return t->soft_bits == 0 || share > whole ? whole : share;
}

/* A third of the buffer of a code block. */
static int least_of(const lte_transport *t)
{
    return lte_rate_matching_buffer(t->s.size) / 3;
}

bool lte_transport_holds(const lte_transport *t, int soft_bits)
{
    return soft_bits / t->s.n >= least_of(t);
}

lte_status lte_transport_limit(lte_transport *t, int soft_bits)
{
    if (!lte_transport_holds(t, soft_bits))
        return LTE_FAIL(LTE_EINVAL, "%d soft bits for %d code blocks (%d or more)", soft_bits,
                        t->s.n, t->s.n * least_of(t));
    t->soft_bits = soft_bits;
    return LTE_OK;
}

int lte_transport_sent(const lte_transport *t)
{
    return t->n_elements * t->n_layers * t->n_bits;
}

int lte_transport_block(const lte_transport *t, int r)
{
    int first = 0;
    for (int i = 0; i < r; i++)
        first += 3 * lte_code_block_stream(lte_segment_block(&t->s, i));
    return first;
}

int lte_transport_encoded(const lte_transport *t)
{
    return lte_transport_block(t, t->s.n);
}

double lte_transport_rate(const lte_transport *t)
{
    return (double)t->s.n_bits / lte_transport_sent(t);
}

int lte_transport_bits(double rate, int n_layers, int n_bits, int n_elements)
{
    const double all = rate * n_elements * n_layers * n_bits - LTE_CRC_BITS;
    return all < 8.0 ? 0 : (int)(all / 8.0) * 8;
}

lte_status lte_transport_places(const lte_transport *t, int version, uint32_t *place)
{
    const int g = lte_transport_sent(t);
    lte_status status = LTE_OK;
    uint32_t *at = place;
    for (int r = 0; r < t->s.n && !status; r++) {
        const int n = lte_rate_matching_share(g, t->s.n, r, t->n_layers, t->n_bits);
        const lte_code_block *block = lte_segment_block(&t->s, r);
        const lte_rate_matching m = {.block = block,
                                     .filler = lte_segment_filler(&t->s, r),
                                     .buffer = lte_transport_buffer(t, block),
                                     .version = version};
        const uint32_t first = (uint32_t)lte_transport_block(t, r);
        status = lte_rate_matching_order(&m, n, at);
        for (int e = 0; e < n && !status; e++)
            at[e] += first;
        at += n;
    }
    return status;
}

void lte_transport_interleave(const lte_transport *t, int columns, uint32_t *place, uint32_t *work)
{
    const int rows = t->n_elements / columns, n_each = t->n_layers * t->n_bits;
    memcpy(work, place, (size_t)lte_transport_sent(t) * sizeof *work);
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rows; r++)
            memcpy(&place[(c * rows + r) * n_each], &work[(r * columns + c) * n_each],
                   (size_t)n_each * sizeof *place);
    }
}

void lte_transport_encode(const lte_transport *t, const uint8_t *payload, uint8_t *work, uint8_t *d)
{
    uint8_t *const transport = work, *const block = work + t->s.n_bits;
    memcpy(transport, payload, (size_t)t->bits);
    lte_crc_attach(LTE_CRC_24A, transport, t->bits);
    for (int r = 0; r < t->s.n; r++) {
        lte_segment(&t->s, transport, r, block);
        lte_turbo_encode(lte_segment_block(&t->s, r), block, d + lte_transport_block(t, r));
    }
}

void lte_transport_soft(const lte_transport *t, const int32_t *soft, int8_t *llr)
{
    const int n = lte_transport_encoded(t), most = 127;
    const int stream = lte_code_block_stream(lte_segment_block(&t->s, 0));
    for (int i = 0; i < n; i++)
        llr[i] = (int8_t)(soft[i] > most ? most : soft[i] < -most ? -most : soft[i]);
    for (int i = 0; i < t->s.filler; i++)
        llr[i] = llr[stream + i] = (int8_t)most; /* of both streams that have filler bits */
}

bool lte_transport_join(const lte_transport *t, const uint8_t *decoded, uint8_t *payload)
{
    bool right = true;
    for (int r = 0; r < t->s.n; r++) {
        right = lte_segment_holds(&t->s, r, decoded) && right;
        lte_segment_join(&t->s, decoded, r, payload);
        decoded += lte_segment_block(&t->s, r)->k;
    }
    return lte_crc_holds(LTE_CRC_24A, payload, t->s.n_bits) && right;
}
