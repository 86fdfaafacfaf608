#ifndef LTE_PHY_DRAWS_H
#define LTE_PHY_DRAWS_H
/*
 * Which random words serve which quantity: the one place that fixes the draw addresses.
 *
 *     lte_draws draws = lte_draws_of(seed, n_rx, n_tx, n_bits);
 *     lte_words w = lte_draw(&draws, slot, LTE_DRAW_NOISE, block);
 *
 * A draw depends on the seed, the slot, its purpose and its element, of a link of such sizes, and
 * on nothing else: no thread, no chunk, no SNR. The subsequence is 8 slot + purpose. Within it,
 * with subcarrier sc, symbol (0 to 6), antennas rx and tx, and all divisions rounded down:
 *
 *   payload   the QAM symbol q = symbol n_tx + tx of a subcarrier takes n_bits bits, b0 lowest,
 *             from bit n_bits (q mod p) of word q / p, p = 32 / n_bits; word k of a subcarrier is
 *             word k mod 4 of block sc B + k / 4, B = ceil(ceil(7 n_tx / p) / 4)
 *   channel   entry e = rx n_tx + tx is normal e mod 2 of block sc B + e / 2,
 *             B = ceil(n_rx n_tx / 2); in channels made of taps, sc is the tap
 *   fading    sinusoid m of entry e of tap l has block (l n_rx n_tx + e) M + m of M: normal
 *             0 is its amplitude, word 2 its angle; the slot is the first of the drop
 *   noise     antenna rx is normal rx mod 2 of block (7 sc + symbol) B + rx / 2, B = ceil(n_rx / 2)
 *   pilot     noise of a reference symbol: antenna rx is normal rx mod 2 of block sc B + rx / 2,
 *             B as above
 *   transport   payload of a transport block, in its first slot (kernels/coding/coded.h)
 *
 * Normal 0 of a block comes from its words 0 and 1, normal 1 from words 2 and 3.
 */

#include "phy/base/limits.h"
#include "phy/base/normal.h"
#include "phy/base/philox.h"

enum {
    LTE_DRAW_PAYLOAD = 0,
    LTE_DRAW_CHANNEL = 1,
    LTE_DRAW_NOISE = 2,
    LTE_DRAW_FADING = 3,
    LTE_DRAW_PILOT = 4,
    LTE_DRAW_TRANSPORT = 5,
};

typedef struct {
    lte_philox_key key;
    int n_rx, n_tx, n_bits;
    int payload_per_word;    /* QAM symbols in a word */
    uint32_t payload_blocks; /* blocks of a subcarrier */
    uint32_t channel_blocks; /* blocks of a subcarrier */
    uint32_t noise_blocks;   /* blocks of a resource element */
} lte_draws;

LTE_INLINE lte_draws lte_draws_of(uint64_t seed, int n_rx, int n_tx, int n_bits)
{
    lte_draws draws;
    draws.key = lte_philox_key_of(seed);
    draws.n_rx = n_rx;
    draws.n_tx = n_tx;
    draws.n_bits = n_bits;
    draws.payload_per_word = 32 / n_bits;
    int words = (LTE_SLOT_SYMBOLS * n_tx + draws.payload_per_word - 1) / draws.payload_per_word;
    draws.payload_blocks = (uint32_t)(words + 3) / 4;
    draws.channel_blocks = (uint32_t)(n_rx * n_tx + 1) / 2;
    draws.noise_blocks = (uint32_t)(n_rx + 1) / 2;
    return draws;
}

LTE_INLINE lte_words lte_draw(const lte_draws *draws, uint64_t slot, int purpose, lte_word block)
{
    return lte_philox(&draws->key, 8 * slot + (uint64_t)purpose, block);
}

/* Label i of a payload word, i < payload_per_word. */
LTE_INLINE lte_word lte_payload_label(const lte_draws *draws, lte_word word, int i)
{
    return (word >> (draws->n_bits * i)) & w_set((1u << draws->n_bits) - 1u);
}

/*
 * Payload labels of a slot's subcarriers, bit i of a label being b_i.
 *
 *   sc      subcarrier per lane
 *   label   [7][n_tx]  out
 */
LTE_INLINE void lte_draw_labels(const lte_draws *draws, uint64_t slot, lte_word sc, lte_word *label)
{
    const int n = LTE_SLOT_SYMBOLS * draws->n_tx, per_word = draws->payload_per_word;
    for (uint32_t b = 0, q = 0; b < draws->payload_blocks; b++) {
        lte_words w =
            lte_draw(draws, slot, LTE_DRAW_PAYLOAD, sc * w_set(draws->payload_blocks) + w_set(b));
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < per_word && q < (uint32_t)n; i++, q++)
                label[q] = lte_payload_label(draws, w.v[k], i);
        }
    }
}

/* Noise of antennas 2 b and 2 b + 1 of one resource element per lane: z [2], each CN(0, 1). */
LTE_INLINE void lte_draw_noise_pair(const lte_draws *draws, uint64_t slot, lte_word sc, int symbol,
                                    uint32_t b, lte_cplx *z)
{
    const lte_word re = sc * w_set(LTE_SLOT_SYMBOLS) + w_set((uint32_t)symbol);
    lte_words w = lte_draw(draws, slot, LTE_DRAW_NOISE, re * w_set(draws->noise_blocks) + w_set(b));
    z[0] = lte_normal(w.v[0], w.v[1]);
    if (2 * b + 1 < (uint32_t)draws->n_rx)
        z[1] = lte_normal(w.v[2], w.v[3]);
}

/* Noise of one resource element per lane: z [n_rx], each CN(0, 1). */
LTE_INLINE void lte_draw_noise(const lte_draws *draws, uint64_t slot, lte_word sc, int symbol,
                               lte_cplx *z)
{
    for (uint32_t b = 0; b < draws->noise_blocks; b++)
        lte_draw_noise_pair(draws, slot, sc, symbol, b, &z[2 * b]);
}

/* Noise of the reference symbol in place of that: antennas 2 b and 2 b + 1, then all of them. */
LTE_INLINE void lte_draw_pilot_pair(const lte_draws *draws, uint64_t slot, lte_word sc, uint32_t b,
                                    lte_cplx *z)
{
    lte_words w = lte_draw(draws, slot, LTE_DRAW_PILOT, sc * w_set(draws->noise_blocks) + w_set(b));
    z[0] = lte_normal(w.v[0], w.v[1]);
    if (2 * b + 1 < (uint32_t)draws->n_rx)
        z[1] = lte_normal(w.v[2], w.v[3]);
}

LTE_INLINE void lte_draw_pilot(const lte_draws *draws, uint64_t slot, lte_word sc, lte_cplx *z)
{
    for (uint32_t b = 0; b < draws->noise_blocks; b++)
        lte_draw_pilot_pair(draws, slot, sc, b, &z[2 * b]);
}

#endif
