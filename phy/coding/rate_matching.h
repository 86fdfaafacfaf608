#ifndef LTE_PHY_CODING_RATE_MATCHING_H
#define LTE_PHY_CODING_RATE_MATCHING_H
/*
 * Which elements of an encoded block are sent, and in which order.
 *
 *     lte_rate_matching m = {.block = block, .filler = f, .buffer = 0, .version = 2};
 *     lte_rate_matching_order(&m, n, order);                 // order [n]: places in d [3][k + 4]
 *     for (int e = 0; e < n; e++)
 *         sent[e] = d[order[e]];                             // and back: soft[order[e]] += llr[e]
 *
 * Each stream goes through an interleaver of 32 columns; systematic elements first, then both
 * parities in turn, they make a circular buffer, which is read from a place that the redundancy
 * version says, without dummies and filler bits, round and round. Source: TS 36.212, 5.1.4.1.
 */

#include "phy/coding/code_block.h"
#include "phy/base/status.h"

enum { LTE_N_REDUNDANCY_VERSIONS = 4 };

typedef struct {
    const lte_code_block *block;
    int filler;  /* at the head of the block, which are known to the receiver */
    int buffer;  /* N_cb, elements that the receiver keeps; 0: all */
    int version; /* of redundancy, 0 to 3 */
} lte_rate_matching;

/* Elements of the whole circular buffer with its dummies, K_w. */
int lte_rate_matching_buffer(const lte_code_block *block);

/* The n elements that are sent. Returns LTE_EINVAL for what is out of range. */
lte_status lte_rate_matching_order(const lte_rate_matching *m, int n, uint32_t *order);

/*
 * Elements E of code block r of c, where g bits are sent of all of them, over so many layers of so
 * many bits a symbol: the last blocks get a symbol more.
 */
int lte_rate_matching_share(int g, int c, int r, int n_layers, int n_bits);

#endif
