#ifndef LTE_KERNELS_SLOT_MEMORY_H
#define LTE_KERNELS_SLOT_MEMORY_H
/*
 * Where the slots of a deadline run lie, for host and device: planes as a front-haul hands them
 * over, packed bits as a decoder takes them.
 *
 *     const lte_slot_memory memory = lte_slot_buffer_memory(buffer);
 *     const lte_cf32 *y = lte_slot_memory_y(&link, &memory, i); // [n_rx][7][n_sc] of slot i
 *     uint8_t *bits = lte_slot_memory_bits(&memory, i);          // [7][row_bytes], to be written
 *
 * The slots that are numbered are more than those that lie here, and each array repeats for
 * itself: slot i reads y at i mod n_in and h at i mod n_h_in and writes bits at i mod n_out.
 * Whoever made a memory owns its arrays and writes h and y; a copy of the struct owns nothing.
 */

#include "kernels/layouts.h"

typedef struct {
    lte_cf32 *h;   /* [n_h_in][n_rx][n_tx][n_csi][n_sc], NULL while it is to be estimated */
    lte_cf32 *y;   /* [n_in][n_rx][7][n_sc] */
    uint8_t *bits; /* [n_out][7][row_bytes]  out; zeros in the row of a reference symbol */
    uint64_t n_h_in, n_in, n_out;
    size_t row_bytes; /* of a symbol's decisions: lte_packed_row */
} lte_slot_memory;

/* What is to be done with the slots of each period. */
typedef struct {
    lte_slot_memory memory;
    lte_noise noise;
    int detector;   /* LTE_DETECTOR_* */
    int n_carriers; /* slots of a period */
} lte_slot_job;

/* Elements of a slot's planes of y; bytes of its bits. */
LTE_INLINE size_t lte_slot_y_size(const lte_link *link)
{
    return (size_t)lte_plane_at(LTE_SLOT_SYMBOLS, link->n_sc, link->n_rx, 0);
}
LTE_INLINE size_t lte_slot_bits_size(const lte_slot_memory *memory)
{
    return LTE_SLOT_SYMBOLS * memory->row_bytes;
}

/* The planes of slot i, and where its bits go. */
LTE_INLINE lte_cf32 *lte_slot_memory_h(const lte_link *link, const lte_slot_memory *memory,
                                       uint64_t i)
{
    return memory->h ? memory->h + i % memory->n_h_in * lte_planes_size(link, link->n_csi) : NULL;
}
LTE_INLINE lte_cf32 *lte_slot_memory_y(const lte_link *link, const lte_slot_memory *memory,
                                       uint64_t i)
{
    return memory->y + i % memory->n_in * lte_slot_y_size(link);
}
/* Planes of y of the first of the slots that slot i is estimated from; the next one's follow. */
LTE_INLINE lte_cf32 *lte_slot_memory_references(const lte_link *link, const lte_slot_memory *memory,
                                                uint64_t i)
{
    return lte_slot_memory_y(link, memory, lte_reference_slot(i, link->references, 0));
}
LTE_INLINE uint8_t *lte_slot_memory_bits(const lte_slot_memory *memory, uint64_t i)
{
    return memory->bits + i % memory->n_out * lte_slot_bits_size(memory);
}

#endif
