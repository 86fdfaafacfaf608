#ifndef LTE_TESTS_CODE_BLOCKS_H
#define LTE_TESTS_CODE_BLOCKS_H
/*
 * Code blocks as decoders meet them: noise from none to more than they can bear, LLRs that are cut,
 * -128.
 *
 *     draw_code_blocks(block, LTE_CRC_24B, n, &random_state, llr);       // llr [n][3][k + 4]
 */

#include <math.h>
#include <stdint.h>

#include "phy/coding/crc.h"
#include "phy/coding/turbo.h"
#include "tests/lib/random.h"

enum { MOST_K = LTE_MAX_CODE_BLOCK, MOST_D = 3 * (MOST_K + LTE_TURBO_TAIL) };

/* An LLR as the decoder takes it, from least on. */
static inline int8_t row_of(double llr, double least)
{
    return (int8_t)fmax(fmin(rint(llr), 127.0), least);
}

static inline void draw_bits(uint64_t *random_state, uint8_t *bits, int n)
{
    for (int i = 0; i < n; i++)
        bits[i] = (uint8_t)(random_word(random_state) >> 63);
}

static inline void draw_code_blocks(const lte_code_block *block, uint32_t crc, int n,
                                    uint64_t *random_state, int8_t *llr)
{
    static uint8_t bits[MOST_K], d[MOST_D];
    const int length = 3 * lte_code_block_stream(block);
    for (int i = 0; i < n; i++, llr += length) {
        const double strength = i % 4 == 3 ? 300.0 : 10.0 + i, noise = 0.2 * (i % 8);
        draw_bits(random_state, bits, block->k - LTE_CRC_BITS);
        lte_crc_attach(crc, bits, block->k - LTE_CRC_BITS);
        lte_turbo_encode(block, bits, d);
        for (int e = 0; e < length; e++)
            llr[e] = row_of(strength * ((d[e] ? -1.0 : 1.0) + noise * random_normal(random_state)),
                            -128.0);
    }
}

#endif
