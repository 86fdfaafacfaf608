/* The encoder of the turbo code. */
#include "phy/coding/turbo.h"

#include <string.h>

int lte_turbo_tail(const lte_code_block *block, int encoder, int t, int parity)
{
    const int i = 2 * t + parity; /* x0 z0 x1 z1 x2 z2, column by column of three streams */
    return i % 3 * lte_code_block_stream(block) + block->k + 2 * encoder + i / 3;
}

/* One encoder, over the block as it is or permuted; its parity into z [k], its tail into d. */
static void encode(const lte_code_block *block, int encoder, const uint8_t *bits, uint8_t *z,
                   uint8_t *d)
{
    int state = 0;
    for (int i = 0; i < block->k; i++) {
        const int bit = bits[encoder ? lte_code_block_at(block, i) : i];
        const lte_turbo_branch branch = lte_turbo_step(state, bit);
        z[i] = branch.parity;
        state = branch.next;
    }
    for (int t = 0; t < LTE_TURBO_MEMORY; t++) {
        const int bit = lte_turbo_closing(state);
        const lte_turbo_branch branch = lte_turbo_step(state, bit);
        d[lte_turbo_tail(block, encoder, t, 0)] = (uint8_t)bit;
        d[lte_turbo_tail(block, encoder, t, 1)] = branch.parity;
        state = branch.next;
    }
}

void lte_turbo_encode(const lte_code_block *block, const uint8_t *bits, uint8_t *d)
{
    const int stream = lte_code_block_stream(block);
    memcpy(d, bits, block->k);
    encode(block, 0, bits, d + stream, d);
    encode(block, 1, bits, d + 2 * stream, d);
}
