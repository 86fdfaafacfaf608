#ifndef LTE_KERNELS_PACK_CPU_H
#define LTE_KERNELS_PACK_CPU_H
/* Labels of a group to rows of hard bits, the one packer of the processor. */

#include "kernels/cpu/lanes_cpu.h"

/* Writes the lowest n_bits of value at bit position *at of row. */
LTE_INLINE void put_bits(uint8_t *row, size_t *at, uint32_t value, int n_bits)
{
    while (n_bits > 0) {
        const int used = (int)(*at & 7);
        const int room = 8 - used, put = n_bits < room ? n_bits : room;
        const uint8_t part = (uint8_t)((value & ((1u << put) - 1u)) << used);
        row[*at >> 3] = used == 0 ? part : (uint8_t)(row[*at >> 3] | part);
        value >>= put;
        n_bits -= put;
        *at += (size_t)put;
    }
}

/*
 * Bytes of layers k0 .. k0 + m - 1, up to 64 bits of whole bytes, of n_live resource elements,
 * those of one re_bytes behind those of the one before.
 *
 *   layer   [m][LTE_LANES]
 */
LTE_INLINE void put_bytes(int n_bits, int m, const uint32_t *layer, int n_live, size_t re_bytes,
                          uint8_t *row)
{
    uint64_t value[LTE_LANES] = {0};
    const size_t bytes = (size_t)(m * n_bits) / 8;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < LTE_LANES; i++)
            value[i] |= (uint64_t)layer[k * LTE_LANES + i] << (n_bits * k);
    }
    for (int i = 0; i < n_live; i++) {
        for (size_t b = 0; b < bytes; b++)
            row[(size_t)i * re_bytes + b] = (uint8_t)(value[i] >> (8 * b));
    }
}

/*
 * Hard bits of group g: label [7][n_tx][LTE_LANES] to its bytes of each symbol's row. A group
 * starts on a byte, since LTE_LANES resource elements are at least 32 bits.
 */
LTE_INLINE void pack_group(const lte_link *link, int g, const uint32_t *label, uint8_t *bits)
{
    const int n_tx = link->n_tx, n_bits = link->n_bits, re_bits = n_tx * n_bits;
    const int left = link->carrier.n_sc - g * LTE_LANES;
    const int n_live = left < LTE_LANES ? left : LTE_LANES;
    const size_t row_bytes = lte_packed_row(link);
    const int most = n_bits > 8 ? 4 : 8; /* layers: whole bytes whatever the bits, up to 64 bits */
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        const uint32_t *layers = &label[symbol * n_tx * LTE_LANES];
        uint8_t *row = &bits[(size_t)symbol * row_bytes];
        size_t at = (size_t)g * LTE_LANES * (size_t)re_bits;
        if (re_bits % 8 == 0) {
            for (int k = 0; k < n_tx; k += most)
                put_bytes(n_bits, n_tx - k < most ? n_tx - k : most, &layers[k * LTE_LANES], n_live,
                          (size_t)re_bits / 8, &row[at / 8 + (size_t)(k * n_bits) / 8]);
        } else {
            for (int i = 0; i < n_live; i++) {
                for (int k = 0; k < n_tx; k++)
                    put_bits(row, &at, layers[k * LTE_LANES + i], n_bits);
            }
        }
    }
}

#endif
