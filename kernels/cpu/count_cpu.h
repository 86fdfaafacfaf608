#ifndef LTE_KERNELS_COUNT_CPU_H
#define LTE_KERNELS_COUNT_CPU_H
/* Counts over lanes, for stage 8 and the fused sweep. */

#include "kernels/cpu/lanes_cpu.h"

/* Counts one symbol of a layer; live masks the lanes that count. */
LTE_INLINE void count_symbol(lte_word sent, lte_word decided, lte_word live, lte_word *bits,
                             lte_word *symbols)
{
    const lte_word wrong = (sent ^ decided) & live;
    *bits = *bits + lte_bits_set(wrong);
    *symbols = *symbols + w_sel(w_eq(wrong, w_set(0)), w_set(0), w_set(1));
}

LTE_INLINE uint32_t lane_sum(lte_word x)
{
    uint32_t lane[LTE_WIDTH], sum = 0;
    w_store(lane, x);
    for (int i = 0; i < LTE_WIDTH; i++)
        sum += lane[i];
    return sum;
}

#endif
