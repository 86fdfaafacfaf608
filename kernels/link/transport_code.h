#ifndef LTE_KERNELS_LINK_TRANSPORT_CODE_H
#define LTE_KERNELS_LINK_TRANSPORT_CODE_H
/*
 * What a link knows of the transport code that its slots carry (kernels/coding/coded.h): its plan,
 * the turns of its HARQ processes, and what is counted of it.
 *
 *     const uint64_t slot = lte_code_slot(&plan, process, turn);
 */

#include "kernels/link/link.h"
#include "phy/coding/transport.h"

/* Of the scrambling, which a frame's subframes have in turn: all receivers are this one. */
enum { LTE_CODE_RNTI = 1, LTE_CODE_CELL = 0, LTE_CODE_FRAME = 10 /* subframes */ };

/* What a scenario says of it. */
typedef struct {
    int bits[LTE_MOST_CODEWORDS]; /* of the transport block of each codeword */
    int transmissions;            /* 1 to LTE_MAX_TRANSMISSIONS */
    int drop_slots;               /* of several transmissions: the slots of a drop */
    bool stands_still;            /* nothing changes in a drop: one process stands for all */
    lte_versions versions;        /* of redundancy, by transmissions */
    int soft_bits;                /* N_IR, of a transport block; 0: the receiver keeps all */
    bool interleaved;             /* by the channel interleaver of PUSCH */
    int iterations;               /* of the decoder, at most */
    bool early;                   /* it ends when the CRC holds */
} lte_code_plan;

/*
 * Of a row of counts, behind those of hard decisions: of all codewords together. A block of L
 * transmissions of which c lie before the point (lte_code_counted) counts 12 c / L twelfths; all
 * that is marked * is summed with these.
 */
enum { LTE_TWELFTHS = 12 };
enum {
    LTE_CODED_BLOCKS,        /* * transport blocks */
    LTE_CODED_WRONG_FIRST,   /* * wrong after the first transmission */
    LTE_CODED_WRONG,         /* * and after the last */
    LTE_CODED_TRANSMISSIONS, /* * of blocks */
    LTE_CODED_DECODED,       /* * code blocks, as often as they were decoded, */
    LTE_CODED_ITERATIONS,    /* * and what that took */
    LTE_CODED_BIT_ERRORS,    /* * of payload after the last */
    LTE_CODED_UNDETECTED,    /* * blocks whose CRCs hold and whose bits are wrong */
    LTE_CODED_BITS,          /* * payload bits, */
    LTE_CODED_DELIVERED,     /* * and those of blocks that are right */
    LTE_CODED_SUBFRAMES,     /* before the point */
    LTE_CODED_SIGNAL,        /* power of the symbols that the row's detector was sent, before the */
    LTE_CODED_SIGNAL_HIGH,   /* point: units of 2^-20, and of 2^12 */
    LTE_N_CODED_COUNTS
};
LTE_INLINE int lte_coded_at(int n_tx, int i)
{
    return LTE_N_HARD_COUNTS(n_tx) + i;
}

/*
 * With records a row goes on, for the first slot of a subframe: what its transmission of each
 * codeword came to, as lte_record_of has it, 0 for none [LTE_MOST_CODEWORDS]; and the information
 * that the LLRs of each layer have lost, as lte_record_loss has it [n_tx].
 */
#define LTE_N_RECORD_WORDS(n_tx) (LTE_MOST_CODEWORDS + (n_tx))
LTE_INLINE int lte_record_at(int n_tx, int q)
{
    return lte_coded_at(n_tx, LTE_N_CODED_COUNTS) + q;
}
LTE_INLINE int lte_record_loss_at(int n_tx, int layer)
{
    return lte_record_at(n_tx, LTE_MOST_CODEWORDS) + layer;
}

/* Counts of a row. */
LTE_INLINE int lte_n_coded_counts(int n_tx, bool records)
{
    return lte_coded_at(n_tx, LTE_N_CODED_COUNTS) + (records ? LTE_N_RECORD_WORDS(n_tx) : 0);
}

/*
 * Slots of a group, which are sent and counted together: a subframe, or of several transmissions a
 * drop, whose subframes its processes have in turn.
 */
LTE_INLINE int lte_code_group_slots(const lte_code_plan *plan)
{
    return plan->transmissions > 1 ? plan->drop_slots : 2;
}
LTE_INLINE int lte_code_processes(const lte_code_plan *plan)
{
    return plan->transmissions > 1 && !plan->stands_still ? LTE_HARQ_SUBFRAMES : 1;
}

/* Subframes of a group; those before the point, in which blocks begin: the others only finish what
 * was begun. And the turns that a process has at most. */
LTE_INLINE int lte_code_subframes(const lte_code_plan *plan)
{
    return lte_code_group_slots(plan) / 2;
}
LTE_INLINE int lte_code_counted(const lte_code_plan *plan)
{
    return lte_code_subframes(plan) - LTE_HARQ_SUBFRAMES * (plan->transmissions - 1);
}
LTE_INLINE int lte_code_turns(const lte_code_plan *plan)
{
    const int apart = plan->transmissions > 1 ? LTE_HARQ_SUBFRAMES : 1;
    return (lte_code_subframes(plan) + apart - 1) / apart;
}

/* The subframe of a group that a process has in a turn. */
LTE_INLINE int lte_code_subframe(int process, int turn)
{
    return LTE_HARQ_SUBFRAMES * turn + process;
}

/* The first slot of that subframe of process p, processes counted on from group to group. */
LTE_INLINE uint64_t lte_code_slot(const lte_code_plan *plan, uint64_t p, int turn)
{
    const uint64_t n = (uint64_t)lte_code_processes(plan);
    return p / n * (uint64_t)lte_code_group_slots(plan) +
           2 * (uint64_t)lte_code_subframe((int)(p % n), turn);
}

/* A codeword of a process of a detector: its block at hand. */
typedef struct {
    uint32_t iterations;
    uint16_t block;  /* its number in the process */
    uint8_t sent;    /* its transmissions; 0: the next one begins */
    uint8_t counted; /* those before the point */
    uint8_t begins;  /* the subframe at hand is its first */
    uint8_t fills;   /* it only keeps its layers from falling silent, and is not decoded */
    uint8_t wrong_first;
} lte_harq_word;

/* True if a subframe is sent; open: a block of one of its codewords has not ended. */
LTE_INLINE bool lte_harq_sends(const lte_code_plan *plan, int subframe, bool open)
{
    return subframe < lte_code_subframes(plan) && (open || subframe < lte_code_counted(plan));
}

/* What a codeword has in a subframe that is sent: a new block if its last one has ended. */
LTE_INLINE void lte_harq_begin(const lte_code_plan *plan, int subframe, lte_harq_word *word)
{
    word->begins = word->sent == 0;
    if (!word->begins)
        return;
    word->fills = subframe >= lte_code_counted(plan);
    word->iterations = 0;
    word->counted = 0;
    word->wrong_first = 0;
}

/* After that subframe: its block is decoded; the twelfths that it counts if it has ended, or 0. */
LTE_INLINE uint32_t lte_harq_judge(const lte_code_plan *plan, int subframe, bool holds,
                                   uint32_t iterations, lte_harq_word *word)
{
    word->sent++;
    word->counted = (uint8_t)(word->counted + (subframe < lte_code_counted(plan)));
    word->iterations += iterations;
    if (word->sent == 1)
        word->wrong_first = !holds;
    const bool ends = holds || word->sent == plan->transmissions;
    return ends ? (uint32_t)(LTE_TWELFTHS * word->counted / word->sent) : 0;
}

/*
 * The record of a transmission that has been judged: iterations of all code blocks in the lowest 16
 * bits, which of its block's transmissions it was (1 to 4) in the next 8, then whether the CRCs
 * hold.
 */
LTE_INLINE uint32_t lte_record_of(const lte_harq_word *word, bool holds, uint32_t iterations)
{
    return iterations | (uint32_t)word->sent << 16 | (uint32_t)holds << 24;
}
LTE_INLINE uint32_t lte_record_iterations(uint32_t record)
{
    return record & 0xffff;
}
LTE_INLINE int lte_record_number(uint32_t record)
{
    return (int)(record >> 16 & 0xff);
}
LTE_INLINE bool lte_record_holds(uint32_t record)
{
    return record >> 24 != 0;
}

/* Lost of a symbol, the mean over n of them, in units of 1 / LTE_INTEGER_LOSS_UNITS of a bit. */
LTE_INLINE uint32_t lte_record_loss(uint64_t lost, uint32_t n)
{
    return (uint32_t)((lost + n / 2) / n);
}

/* The next block is another. */
LTE_INLINE void lte_harq_end(lte_harq_word *word)
{
    word->block++;
    word->sent = 0;
}

/*
 * Counts a block that has ended: wrong of its bits are, its CRCs hold or do not; it has n_blocks
 * code blocks.
 */
LTE_INLINE void lte_harq_count(const lte_harq_word *word, uint32_t weight, int bits, int n_blocks,
                               bool holds, uint32_t wrong, uint32_t *coded)
{
    coded[LTE_CODED_BLOCKS] += weight;
    coded[LTE_CODED_WRONG_FIRST] += word->wrong_first ? weight : 0;
    coded[LTE_CODED_WRONG] += wrong > 0 ? weight : 0;
    coded[LTE_CODED_TRANSMISSIONS] += weight * word->sent;
    coded[LTE_CODED_DECODED] += weight * word->sent * (uint32_t)n_blocks;
    coded[LTE_CODED_ITERATIONS] += weight * word->iterations;
    coded[LTE_CODED_BIT_ERRORS] += weight * wrong;
    coded[LTE_CODED_UNDETECTED] += holds && wrong > 0 ? weight : 0;
    coded[LTE_CODED_BITS] += weight * (uint32_t)bits;
    coded[LTE_CODED_DELIVERED] += wrong > 0 ? 0 : weight * (uint32_t)bits;
}

#endif
