#ifndef LTE_PHY_CODING_TURBO_DECODER_H
#define LTE_PHY_CODING_TURBO_DECODER_H
/*
 * A decoder of the turbo code: max-log-MAP in integers, windows, extrinsic values scaled by 3/4.
 * What it decides is a definition: another one that goes faster has the same bits.
 *
 *     const lte_turbo_plan plan = {.block = block, .windows = 64, .iterations = 6, .crc =
 *     LTE_CRC_24A}; void *work = malloc(lte_turbo_work(&plan));
 *     int used = lte_turbo_decode(&plan, llr, work, bits);       // llr [3][k + 4], bits [k]
 *
 * llr is ln P(0) / P(1) of the elements of lte_turbo_encode times any scale, -127 to 127 (-128 is
 * taken for that), 0 where nothing was received. With a = llr + extrinsic value of a bit and p =
 * llr of its parity, a branch weighs a (if its bit is 0) + p (if its parity is 0), and
 *
 *     alpha_{t+1}(s') = max alpha_t(s) + branch,   beta_t(s) = max beta_{t+1}(s') + branch
 *     r = max_{bit 0} (alpha + branch + beta) - max_{bit 1} (...) - a,   extrinsic value = r -
 *     floor(r / 4)
 *
 * cut to +-127. An iteration goes through the first encoder's trellis, then the second's; all of a
 * trellis is gone through with the extrinsic values that there were before. A block is cut into
 * windows of equal length, which do not wait for each other: each begins LTE_TURBO_OVERLAP steps
 * outside itself at either end, with the metrics that its neighbour had there in the last iteration
 * (none in the first: zeros). At the ends of the block they are those of state 0, of which beta
 * goes through the tail. A bit is 1 if a + r < 0 at the second encoder. After 16 steps metrics that
 * were at most 0 and at least -4096 are within 16 bits: each decoder may subtract that of state 0
 * as often.
 *
 * Sources: Robertson, Villebrun, Hoeher, ICC 1995 (max-log-MAP); Vogt, Finger, Electronics Letters
 * 36, 2000 (the scale); Abbasfar, Yao, Globecom 2003 (windows that begin with the last iteration's
 * metrics). The overlap is worth 0.08 dB at K = 6144 and 64 windows, block error rate 1e-2.
 */

#include <stddef.h>

#include "phy/coding/code_block.h"
#include "phy/base/status.h"

enum {
    LTE_MAX_TURBO_ITERATIONS = 32,
    LTE_TURBO_OVERLAP = 16,
    LTE_TURBO_MOST = 127,       /* of an LLR and of an extrinsic value */
    LTE_TURBO_UNREACHED = -4096 /* metric of the states that a block does not begin or end in */
};

typedef struct {
    const lte_code_block *block;
    int windows;    /* dividing the size of the block: lte_code_block_windows */
    int iterations; /* at most */
    uint32_t crc;   /* LTE_CRC_24A or B: ends when it holds, after a whole iteration; 0: none */
} lte_turbo_plan;

/* Steps of a window, and those that it begins outside itself: no more than it has. */
static inline int lte_turbo_length(const lte_turbo_plan *plan)
{
    return plan->block->k / plan->windows;
}
static inline int lte_turbo_overlap(const lte_turbo_plan *plan)
{
    const int length = lte_turbo_length(plan);
    return length < LTE_TURBO_OVERLAP ? length : LTE_TURBO_OVERLAP;
}

/* Returns LTE_EINVAL for windows that do not divide the block and iterations out of range. */
lte_status lte_turbo_check(const lte_turbo_plan *plan);

/* Bytes of work memory. */
size_t lte_turbo_work(const lte_turbo_plan *plan);

/* Decodes a block; returns the iterations that it took. work is on a boundary of malloc's. */
int lte_turbo_decode(const lte_turbo_plan *plan, const int8_t *llr, void *work, uint8_t *bits);

#endif
