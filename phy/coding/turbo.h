#ifndef LTE_PHY_CODING_TURBO_H
#define LTE_PHY_CODING_TURBO_H
/*
 * The turbo code of rate 1/3: its encoder, and its trellis for who decodes.
 *
 *     lte_turbo_encode(block, bits, d);       // bits [k], d [3][k + 4]
 *
 * Two recursive encoders of eight states, G(D) = [1, (1 + D + D^3) / (1 + D^2 + D^3)], the second
 * over the permuted bits; both are driven back to state 0 by three more bits each, the tail, which
 * stands behind the k elements of each stream. Source: TS 36.212, 5.1.3.2.
 */

#include "phy/coding/code_block.h"
#include "phy/base/real.h"

enum { LTE_TURBO_STATES = 8, LTE_TURBO_MEMORY = 3 };

/* Systematic bits, parity of the first encoder, of the second; a byte is a bit. */
void lte_turbo_encode(const lte_code_block *block, const uint8_t *bits, uint8_t *d);

/* Where d [3][k + 4] has step t of the tail of an encoder (0 or 1): its bit, or its parity. */
int lte_turbo_tail(const lte_code_block *block, int encoder, int t, int parity);

/*
 * One step of a trellis: from a state with a bit to the next one and its parity. A state is
 * s1 + 2 s2 + 4 s3, s1 the newest.
 */
typedef struct {
    uint8_t next, parity;
} lte_turbo_branch;
LTE_INLINE lte_turbo_branch lte_turbo_step(int state, int bit)
{
    const int s1 = state & 1, s2 = state >> 1 & 1, s3 = state >> 2 & 1, a = bit ^ s2 ^ s3;
    return (lte_turbo_branch){.next = (uint8_t)(a | s1 << 1 | s2 << 2),
                              .parity = (uint8_t)(a ^ s1 ^ s3)};
}

/* The bit that a step to state 0 takes in the end: what comes back. */
LTE_INLINE int lte_turbo_closing(int state)
{
    return (state >> 1 ^ state >> 2) & 1;
}

#endif
