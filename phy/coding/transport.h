#ifndef LTE_PHY_CODING_TRANSPORT_H
#define LTE_PHY_CODING_TRANSPORT_H
/*
 * A transport block in the resource elements of a subframe, time and again: what is sent of it in
 * each transmission, where, and what a receiver makes of all of them.
 *
 *     lte_transport t;
 *     lte_status status = lte_transport_of(bits, n_layers, n_bits, n_elements, &t);
 *     status = lte_transport_places(&t, version, place);         // [lte_transport_sent(&t)]
 *     lte_transport_encode(&t, payload, work, d);                // [lte_transport_encoded(&t)]
 *     sent[e] = d[place[e]];                                     // and back:
 *     soft[place[e]] += llr[e];
 *
 * A codeword is its code blocks one after the other, each with its share of what is sent. Its bits
 * are those of QAM symbols, n_bits each, the first in bit 0 of a label; symbol i goes to layer i
 * mod n_layers of the codeword's and resource element i / n_layers. Before they become symbols bits
 * are scrambled.
 *
 * Sources: TS 36.212, 5.3.2; TS 36.211, 6.3.1 to 6.3.3.2.
 */

#include "phy/coding/segmentation.h"
#include "phy/base/real.h"

enum {
    LTE_MAX_TRANSMISSIONS = 4,
    LTE_MOST_CODEWORDS = 2,
    LTE_MOST_CODEWORD_LAYERS = 4,
    LTE_HARQ_SUBFRAMES = 8 /* from a transmission to the next */
};

/* The redundancy version of each transmission of a block. */
typedef struct {
    int of[LTE_MAX_TRANSMISSIONS];
} lte_versions;

/*
 * Their order by default. Uplink: 0, 2, 3, 1 (TS 36.321, 5.4.2.2). Downlink, where the scheduler
 * chooses: that of the tests of TS 36.101, 0, 1, 2, 3, and 0, 0, 1, 2 from 64QAM on.
 */
lte_versions lte_versions_of(bool uplink, int n_bits);

/* Codewords of so many layers, and which layers are those of codeword q: from first on. */
LTE_INLINE int lte_codewords(int n_layers)
{
    return n_layers > 1 ? 2 : 1;
}
LTE_INLINE int lte_codeword_layers(int n_layers, int q)
{
    return n_layers == 1 ? 1 : (n_layers + q) / 2;
}
LTE_INLINE int lte_codeword_first(int n_layers, int q)
{
    return q == 0 ? 0 : n_layers / 2;
}

/* The c_init of a codeword's scrambling in a slot (0 to 19) to a receiver in a cell. */
LTE_INLINE uint32_t lte_scrambling_init(uint32_t rnti, int q, int slot, uint32_t cell)
{
    return (rnti << 14) + ((uint32_t)q << 13) + ((uint32_t)(slot / 2) << 9) + cell;
}

typedef struct {
    int bits;       /* of the transport block */
    int n_layers;   /* of its codeword */
    int n_bits;     /* of a QAM symbol */
    int n_elements; /* resource elements of a subframe that carry data */
    int soft_bits;  /* N_IR, of which each code block's buffer has a share; 0: all */
    lte_segmentation s;
} lte_transport;

/*
 * Returns LTE_EINVAL for sizes out of range, and for a block of which not even the bits themselves
 * could be sent: a code rate, with the CRC, above 1.
 */
lte_status lte_transport_of(int bits, int n_layers, int n_bits, int n_elements,
                            lte_transport *transport);

/*
 * Limits what the receiver keeps of it to N_IR soft bits: N_cb = min(floor(N_IR / C), K_w) of each
 * code block. Returns LTE_EINVAL if that is less than a third of K_w, and then changes nothing.
 * Source: TS 36.212, 5.1.4.1.2.
 */
lte_status lte_transport_limit(lte_transport *t, int soft_bits);

/* Whether N_IR soft bits are so many. */
bool lte_transport_holds(const lte_transport *t, int soft_bits);

/* What is kept of a code block of it: N_cb. */
int lte_transport_buffer(const lte_transport *t, const lte_code_block *block);

/* Bits of the codeword that a subframe carries, G. */
int lte_transport_sent(const lte_transport *t);

/* Elements of all code blocks as encoded, [3][k + 4] each; where those of code block r begin. */
int lte_transport_encoded(const lte_transport *t);
int lte_transport_block(const lte_transport *t, int r);

/* The code rate of a transmission: (bits + 24) / G. */
double lte_transport_rate(const lte_transport *t);

/*
 * The most bits, a multiple of 8, of a transport block at a code rate of at most that; 0: there are
 * none.
 */
int lte_transport_bits(double rate, int n_layers, int n_bits, int n_elements);

/*
 * Where each bit that is sent with a redundancy version stands in what is encoded: place [G]  out.
 */
lte_status lte_transport_places(const lte_transport *t, int version, uint32_t *place);

/*
 * The channel interleaver of PUSCH: what is sent is written row by row, the bits of a resource
 * element together, into as many columns as symbols carry data, and read column by column, so that
 * every code block is spread over all symbols. columns divides n_elements.
 *
 *   place   [G]  in and out
 *   work    [G]
 *
 * Source: TS 36.212, 5.2.2.8, without control information.
 */
void lte_transport_interleave(const lte_transport *t, int columns, uint32_t *place, uint32_t *work);

/*
 * Encodes a transport block.
 *
 *   payload   [bits]
 *   work      [bits + 24 + LTE_MAX_CODE_BLOCK]
 *   d         [lte_transport_encoded]  out
 */
void lte_transport_encode(const lte_transport *t, const uint8_t *payload, uint8_t *work,
                          uint8_t *d);

/*
 * The LLRs of what was encoded, sums over all transmissions, as a decoder takes them: cut to +-127,
 * filler bits known to be 0.
 *
 *   soft   [lte_transport_encoded]  sums
 *   llr    [lte_transport_encoded]  out: of code block r as lte_turbo_decode wants it, from
 *          lte_transport_block on
 */
void lte_transport_soft(const lte_transport *t, const int32_t *soft, int8_t *llr);

/*
 * Joins decoded code blocks. True if all CRCs hold, those of blocks and that of the whole.
 *
 *   decoded   [sum of k]        the blocks' bits, one block after the other
 *   payload   [bits + 24]       out: the transport block, and its CRC
 */
bool lte_transport_join(const lte_transport *t, const uint8_t *decoded, uint8_t *payload);

#endif
