#ifndef LTE_KERNELS_SLOT_MEMORY_H
#define LTE_KERNELS_SLOT_MEMORY_H
/*
 * Where the slots of a deadline run lie, for host and device: planes as a front-haul hands them
 * over, packed bits or LLRs as a decoder takes them, or the transport blocks that it gives.
 *
 *     const lte_slot_memory memory = lte_slot_buffer_memory(buffer);
 *     const lte_cf32 *y = lte_slot_memory_y(&link, &memory, i); // [n_rx][7][n_sc] of slot i
 *     uint8_t *bits = lte_slot_memory_bits(&memory, i);          // [7][row_bytes], to be written
 *
 * The slots that are numbered are more than those that lie here, and each array repeats for
 * itself: slot i reads y at i mod n_in and h at i mod n_h_in and writes bits at i mod n_out.
 * Whoever made a memory owns its arrays and writes h and y; a copy of the struct owns nothing.
 *
 * Slots that carry a code come in pairs, a subframe each: all first slots lie in part 0 and all
 * second ones in part 1, [2] in front of both inputs, for they arrive 500 us apart. Where a
 * receiver needs both to estimate, they stay neighbours, in one part.
 */

#include "kernels/link/layouts.h"

/* How a device scrambles: slot i is the link's number i mod distinct times step and part. */
typedef struct {
    const uint8_t
        *flips; /* [10][2] of labels of a slot, lte_code_flips; NULL: LLRs stay as they are */
    uint64_t distinct;
    int step, part;
} lte_scrambled;

typedef struct {
    lte_cf32 *h; /* [n_h_in][n_rx][n_tx][n_csi][n_sc], NULL while it is to be estimated */
    lte_cf32 *y; /* [n_in][n_rx][7][n_sc] */
    /* [n_out], each with out_bytes to the next  out; [7][row_bytes] of a slot, zeros in the row of
       a reference symbol; or a subframe's blocks (kernels/coding/blocks.h) */
    uint8_t *bits;
    uint64_t n_h_in, n_in, n_out;
    size_t row_bytes; /* of a symbol's decisions: lte_output_row */
    size_t out_bytes;
    int parts;               /* 1 or 2 */
    lte_scrambled scrambled; /* of LLRs on a device, which fills it in */
} lte_slot_memory;

/* What is to be done with the slots of each period. */
typedef struct {
    lte_slot_memory memory;
    lte_noise noise;
    lte_detector detector;
    int n_carriers; /* slots of a period; of two parts, periods take them in turn */
} lte_slot_job;

/* Elements of a slot's planes of y. */
LTE_INLINE size_t lte_slot_y_size(const lte_link *link)
{
    return (size_t)lte_plane_at(LTE_SLOT_SYMBOLS, link->carrier.n_sc, link->n_rx, 0);
}

/* The planes of slot i, and where its bits go. */
LTE_INLINE lte_cf32 *lte_slot_memory_h(const lte_link *link, const lte_slot_memory *memory,
                                       uint64_t i)
{
    return memory->h ? memory->h + i % memory->n_h_in * lte_planes_size(link, link->receiver.n_csi)
                     : NULL;
}
LTE_INLINE lte_cf32 *lte_slot_memory_y(const lte_link *link, const lte_slot_memory *memory,
                                       uint64_t i)
{
    return memory->y + i % memory->n_in * lte_slot_y_size(link);
}
/* Planes of y of the first of the slots that slot i is estimated from; the next one's follow. */
LTE_INLINE lte_cf32 *lte_slot_memory_pilots(const lte_link *link, const lte_slot_memory *memory,
                                            uint64_t i)
{
    return lte_slot_memory_y(link, memory, lte_pilot_slot(i, link->receiver.pilots, 0));
}
LTE_INLINE uint8_t *lte_slot_memory_bits(const lte_slot_memory *memory, uint64_t i)
{
    return memory->bits + i % memory->n_out * memory->out_bytes;
}

/* One part of a memory as a memory of its own. */
LTE_INLINE lte_slot_memory lte_slot_memory_part(const lte_link *link, const lte_slot_memory *memory,
                                                int part)
{
    const size_t p = (size_t)part;
    lte_slot_memory own = *memory;
    if (memory->h)
        own.h = memory->h + p * memory->n_h_in * lte_planes_size(link, link->receiver.n_csi);
    own.y = memory->y + p * memory->n_in * lte_slot_y_size(link);
    own.parts = 1;
    return own;
}

/* The part that the period takes which begins with slot first, and its first slot there. */
LTE_INLINE int lte_slot_job_part(const lte_slot_job *job, uint64_t *first)
{
    const uint64_t n = (uint64_t)job->n_carriers, parts = (uint64_t)job->memory.parts;
    const uint64_t period = *first / n;
    if (parts == 1)
        return 0;
    *first = period / parts * n;
    return (int)(period % parts);
}

/* Subframes that are decoded together. */
typedef struct {
    int n;
    uint64_t first;    /* the number of the first; there are */
    uint64_t distinct; /* so many: i is sent as subframe i mod distinct of the link */
    uint8_t *bits;     /* [n_out] of lte_block_bytes, of subframe i at i mod n_out  out */
    uint64_t n_out;
} lte_subframes;

/* Those of the period that begins with slot first, with which their second slots are there. */
LTE_INLINE lte_subframes lte_subframes_of(const lte_slot_job *job, uint64_t first)
{
    const lte_slot_memory *memory = &job->memory;
    const int neighbours = memory->parts == 1 ? 2 : 1;
    lte_subframes subframes;
    (void)lte_slot_job_part(job, &first);
    subframes.n = job->n_carriers / neighbours;
    subframes.first = first / (uint64_t)neighbours;
    subframes.distinct = memory->n_in / (uint64_t)neighbours;
    subframes.bits = memory->bits;
    subframes.n_out = memory->n_out;
    return subframes;
}

#endif
