#ifndef LTE_KERNELS_CODING_COUNTED_H
#define LTE_KERNELS_CODING_COUNTED_H
/*
 * What differs in a link by what is counted of it, a row for each of LTE_COUNTED_*: bits and LLRs
 * are of slots, transport blocks of subframes.
 *
 *     const lte_counted_row *counted = lte_counted_of(&link);
 *     const size_t size = counted->due_bytes(&link);
 *
 * To count something else of detectors: a number in kernels/link/link.h, and a row in each of the
 * tables that are named there.
 */

#include "kernels/coding/coded.h"

typedef struct {
    int due_slots;                             /* slots of an output: 1, or 2 of a subframe */
    size_t (*due_bytes)(const lte_link *link); /* of an output, as it is delivered */
    int (*together)(const lte_link *link);     /* slots that are sent and counted together */
    int (*processes)(const lte_link *link);    /* HARQ processes that share these */
} lte_counted_row;

extern const lte_counted_row lte_counted_rows[LTE_N_COUNTED];
const lte_counted_row *lte_counted_of(const lte_link *link);

/* Periods that the slots of an output come in: as many, or one if they share reference symbols. */
int lte_due_parts(const lte_link *link);

/* Slots that a link sends and counts together; HARQ processes that share them, 0 without a code. */
int lte_slots_together(const lte_link *link);
int lte_processes_together(const lte_link *link);

/* Bytes of an output: decisions or LLRs of a slot, or the blocks of a subframe (blocks.h). */
size_t lte_due_bytes(const lte_link *link);

#endif
