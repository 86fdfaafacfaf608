#ifndef LTE_KERNELS_LINK_TRANSPORT_CODE_H
#define LTE_KERNELS_LINK_TRANSPORT_CODE_H
/*
 * What a link knows of the transport code that its slots carry (kernels/coding/coded.h): its plan,
 * the slots of its transmissions, and what is counted of it.
 *
 *     const uint64_t slot = lte_code_slot(&plan, block, transmission);
 */

#include "kernels/link/link.h"
#include "phy/coding/transport.h"

/* Of the scrambling, which a frame's subframes have in turn: all receivers are this one. */
enum { LTE_CODE_RNTI = 1, LTE_CODE_CELL = 0, LTE_CODE_FRAME = 10 /* subframes */ };

/* What a scenario says of it. */
typedef struct {
    int bits[LTE_MOST_CODEWORDS]; /* of the transport block of each codeword */
    int transmissions;            /* 1 to LTE_MAX_TRANSMISSIONS */
    bool chase;                   /* the same bits again, not others */
    int iterations;               /* of the decoder, at most */
    bool early;                   /* it ends when the CRC holds */
} lte_code_plan;

/* Of a row of counts, behind those of hard decisions: of all codewords together. */
enum {
    LTE_CODED_BLOCKS,        /* transport blocks, of one first transmission each */
    LTE_CODED_WRONG_FIRST,   /* wrong after it */
    LTE_CODED_WRONG,         /* and after the last */
    LTE_CODED_TRANSMISSIONS, /* that were decoded */
    LTE_CODED_DECODED,       /* code blocks, as often as they were, */
    LTE_CODED_ITERATIONS,    /* and what that took */
    LTE_CODED_BIT_ERRORS,    /* of payload after the last */
    LTE_CODED_UNDETECTED,    /* blocks whose CRCs hold and whose bits are wrong */
    LTE_CODED_DELIVERED,     /* payload bits of blocks that are right */
    LTE_CODED_SUBFRAMES,     /* that were sent */
    LTE_N_CODED_COUNTS
};
LTE_INLINE int lte_coded_at(int n_tx, int i)
{
    return LTE_N_HARD_COUNTS(n_tx) + i;
}

/* Slots of a group, and blocks that share them. */
LTE_INLINE int lte_code_slots(int transmissions)
{
    return transmissions > 1 ? 2 * LTE_HARQ_SUBFRAMES * transmissions : 2;
}
LTE_INLINE int lte_code_group_slots(const lte_code_plan *plan)
{
    return lte_code_slots(plan->transmissions);
}
LTE_INLINE int lte_code_group_blocks(const lte_code_plan *plan)
{
    return plan->transmissions > 1 ? LTE_HARQ_SUBFRAMES : 1;
}

/* The first slot of transmission i of block b. */
LTE_INLINE uint64_t lte_code_slot(const lte_code_plan *plan, uint64_t b, int i)
{
    const uint64_t blocks = (uint64_t)lte_code_group_blocks(plan);
    return b / blocks * (uint64_t)lte_code_group_slots(plan) +
           2 * (b % blocks + (uint64_t)(LTE_HARQ_SUBFRAMES * i));
}

#endif
