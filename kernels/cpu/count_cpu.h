#ifndef LTE_KERNELS_COUNT_CPU_H
#define LTE_KERNELS_COUNT_CPU_H
/* Counts over lanes, for stage 8 and the fused sweep. */

#include "kernels/cpu/lanes_cpu.h"

/* Counts one symbol of a layer; live masks the lanes that count. Returns what is wrong of it. */
LTE_INLINE lte_word count_symbol(lte_word sent, lte_word decided, lte_word live, lte_word *bits,
                                 lte_word *symbols)
{
    const lte_word wrong = (sent ^ decided) & live;
    *bits = *bits + lte_bits_set(wrong);
    *symbols = *symbols + w_sel(w_eq(wrong, w_set(0)), w_set(0), w_set(1));
    return wrong;
}

/* Adds the lanes of `live` of a mask to a count. */
LTE_INLINE void count_mask(lte_mask of, lte_word live, lte_word *count)
{
    *count = *count + (w_sel(of, w_set(1), w_set(0)) & live);
}

/* Counts the symbols of a resource element, labels [n_tx], into a row of counts of lanes. */
LTE_INLINE void count_element(int n_tx, const lte_word *sent, const lte_word *decided,
                              lte_word live, lte_word *count)
{
    lte_word any = w_set(0);
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        any = any | count_symbol(sent[k], decided[k], live, &count[lte_bits_at(k)],
                                 &count[lte_symbols_at(n_tx, k)]);
    count_mask(m_not(w_eq(any, w_set(0))), live, &count[lte_vectors_at(n_tx)]);
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
