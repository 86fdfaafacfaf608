#ifndef LTE_PHY_COUNT_H
#define LTE_PHY_COUNT_H
/* Bits set in a label of up to 10 bits: the bit errors of decided xor sent. */

#include "phy/base/real.h"

LTE_INLINE lte_word lte_bits_set(lte_word label)
{
#if defined(__CUDA_ARCH__)
    return (lte_word)__popc(label);
#endif
    lte_word v = label - ((label >> 1) & w_set(0x555u));
    v = (v & w_set(0x333u)) + ((v >> 2) & w_set(0x333u));
    return (v + (v >> 4) + (v >> 8)) & w_set(0x0fu);
}

#endif
