/* Labels to rows of hard bits, the one packer of the processor. */
#include "kernels/lanes_cpu.h"

/* Writes the lowest n_bits (a multiple of 2, to 64) of value at bit position *at of row. */
LTE_INLINE void put_bits(uint8_t *row, size_t *at, uint64_t value, int n_bits)
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
 * Hard bits of group g: label [7][n_tx][LTE_LANES] to its bytes of each symbol's row. A group
 * starts on a byte, since LTE_LANES resource elements are at least 32 bits.
 */
LTE_INLINE void pack_group(const lte_link *link, int g, const uint32_t *label, uint8_t *bits)
{
    const int n_tx = link->n_tx, n_bits = link->n_bits, re_bits = n_tx * n_bits;
    const int left = link->n_sc - g * LTE_LANES;
    const int n_live = left < LTE_LANES ? left : LTE_LANES;
    const size_t row_bytes = lte_packed_row(link);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        uint64_t value[LTE_LANES] = {0};
        for (int k = 0; k < n_tx; k++) {
            const uint32_t *layer = &label[(symbol * n_tx + k) * LTE_LANES];
            for (int i = 0; i < LTE_LANES; i++)
                value[i] |= (uint64_t)layer[i] << (n_bits * k);
        }
        uint8_t *row = &bits[(size_t)symbol * row_bytes];
        size_t at = (size_t)g * LTE_LANES * (size_t)re_bits;
        if (re_bits % 8 == 0) {
            const size_t bytes = (size_t)re_bits / 8;
            for (int i = 0; i < n_live; i++) {
                for (size_t b = 0; b < bytes; b++)
                    row[at / 8 + (size_t)i * bytes + b] = (uint8_t)(value[i] >> (8 * b));
            }
        } else {
            for (int i = 0; i < n_live; i++)
                put_bits(row, &at, value[i], re_bits);
        }
    }
}

static void pack_stage(const lte_link *link, int g0, int g1, const uint32_t *label, uint8_t *bits)
{
    for (int g = g0; g < g1; g++)
        pack_group(link, g, &label[(ptrdiff_t)g * LTE_SLOT_SYMBOLS * link->n_tx * LTE_LANES], bits);
}
