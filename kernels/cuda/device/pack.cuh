#ifndef LTE_KERNELS_PACK_CUH
#define LTE_KERNELS_PACK_CUH
/*
 * The device's packer: labels as they lie in memory to rows of hard bits.
 *
 *     write_labels(n_bits, {labels, n_labels, n_rows, n_tx, n_live, sc0}, bits, row_bytes, t, n);
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/device.cuh"

/*
 * n_out bits, 8 or 32, from bit position at on, of labels of BITS bits one after the other; at is a
 * multiple of n_out. Labels have bytes of their own: no two lanes write one word.
 */
template <int BITS>
static __device__ __forceinline__ uint32_t packed(const uint8_t *label, int at, int n_out)
{
    constexpr int most = (32 + BITS - 2) / BITS + 1; /* labels that 32 bits touch */
    const int first = at / BITS;
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < most; i++) {
        const int shift = (first + i) * BITS - at;
        if (shift < n_out)
            word |= shift < 0 ? lte_label_at(BITS, label, first + i) >> -shift
                              : lte_label_at(BITS, label, first + i) << shift;
    }
    return word;
}

/* The labels of a block's subcarriers. */
struct labels_of_block {
    const uint8_t *labels; /* [n_rows][n_labels]: those below, then zeros to fill 32 bits */
    int n_labels, n_rows;  /* symbols */
    int n_tx, n_live;      /* layers, subcarriers */
    int n_before;          /* subcarriers of the row before them; a block's bits start on a byte */
};

/* By threads t = 0 .. n_threads - 1. */
template <int BITS>
static __device__ __forceinline__ void write_labels_of(const labels_of_block &from, uint8_t *bits,
                                                       size_t row_bytes, int t, int n_threads)
{
    uint8_t *const out = bits + (size_t)(from.n_before * from.n_tx * BITS / 8);
    const int n_bytes = (from.n_live * from.n_tx * BITS + 7) / 8;
    const int row = from.n_labels * lte_label_bytes(BITS);
    if (((size_t)out | row_bytes | (size_t)n_bytes) % 4 == 0) {
        const int n_words = n_bytes / 4;
        for (int i = t; i < from.n_rows * n_words; i += n_threads) {
            const int symbol = i / n_words, word = i % n_words;
            ((uint32_t *)(out + (size_t)symbol * row_bytes))[word] =
                packed<BITS>(from.labels + symbol * row, 32 * word, 32);
        }
    } else {
        for (int i = t; i < from.n_rows * n_bytes; i += n_threads) {
            const int symbol = i / n_bytes, byte = i % n_bytes;
            out[(size_t)symbol * row_bytes + (size_t)byte] =
                (uint8_t)packed<BITS>(from.labels + symbol * row, 8 * byte, 8);
        }
    }
}

/* Writes a block's bits to bits [n_rows][row_bytes]; as demap, it asks for few modulations. */
static __device__ __forceinline__ void write_labels(int n_bits, const labels_of_block &from,
                                                    uint8_t *bits, size_t row_bytes, int t,
                                                    int n_threads)
{
#define WRITE(bits_each, ...)                                                                      \
    if (n_bits <= bits_each) {                                                                     \
        write_labels_of<bits_each>(from, bits, row_bytes, t, n_threads);                           \
        return;                                                                                    \
    }
    LTE_MODULATIONS(WRITE)
#undef WRITE
}

#endif
