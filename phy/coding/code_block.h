#ifndef LTE_PHY_CODING_CODE_BLOCK_H
#define LTE_PHY_CODING_CODE_BLOCK_H
/*
 * The sizes that a code block may have, each with its quadratic permutation polynomial.
 *
 *     const lte_code_block *block = lte_code_block_of(1000);      // 1008: the smallest that holds
 *     them
 *     int from = lte_code_block_at(block, i);                     // Pi(i)
 *
 *     Pi(i) = (f1 i + f2 i^2) mod K
 *
 * Source: TS 36.212, table 5.1.3-3.
 */

#include <stdint.h>

enum {
    LTE_N_CODE_BLOCKS = 188,
    LTE_MAX_CODE_BLOCK = 6144, /* bits; table 5.1.3-3 and Z of 5.1.2 */
    LTE_TURBO_TAIL = 4         /* more elements of each of three streams than bits in a block */
};

typedef struct {
    uint16_t k; /* bits */
    uint16_t f1, f2;
} lte_code_block;

/* By rising size: 40 to 512 by 8, to 1024 by 16, to 2048 by 32, to 6144 by 64. */
extern const lte_code_block lte_code_blocks[LTE_N_CODE_BLOCKS];

/* The smallest that holds so many bits; NULL for more than any does. */
const lte_code_block *lte_code_block_of(int bits);

/* Where element i of the permuted block comes from. */
static inline int lte_code_block_at(const lte_code_block *block, int i)
{
    const uint64_t at = (uint64_t)i, k = block->k;
    return (int)((block->f1 + block->f2 * at % k) * at % k);
}

/*
 * Windows that its decoder takes it in unless told otherwise, a power of two: as many as leave 64
 * steps or more to each, at most 64.
 */
int lte_code_block_windows(const lte_code_block *block);

/* Elements of each stream of an encoded block. */
static inline int lte_code_block_stream(const lte_code_block *block)
{
    return block->k + LTE_TURBO_TAIL;
}

#endif
