#ifndef LTE_KERNELS_LABELS_H
#define LTE_KERNELS_LABELS_H
/*
 * Labels of QAM symbols in memory, as wide as a link's modulation needs: a byte each up to 256QAM,
 * two beyond. Where they lie is a multiple of their width.
 *
 *     lte_label_put(n_bits, labels, i, label);
 *     uint32_t label = lte_label_at(n_bits, labels, i);
 *     const uint8_t *row = labels + i * lte_label_bytes(n_bits); // those from the i-th on
 *
 * Where code is compiled for lanes, the header of the lanes comes first.
 */

#include <stddef.h>
#include <stdint.h>

#include "phy/base/real.h"

LTE_INLINE int lte_label_bytes(int n_bits)
{
    return n_bits > 8 ? 2 : 1;
}

LTE_INLINE uint32_t lte_label_at(int n_bits, const uint8_t *labels, ptrdiff_t i)
{
    return n_bits > 8 ? ((const uint16_t *)labels)[i] : labels[i];
}

LTE_INLINE void lte_label_put(int n_bits, uint8_t *labels, ptrdiff_t i, uint32_t label)
{
    if (n_bits > 8)
        ((uint16_t *)labels)[i] = (uint16_t)label;
    else
        labels[i] = (uint8_t)label;
}

#endif
