#ifndef LTE_SIM_JOBS_TALLY_H
#define LTE_SIM_JOBS_TALLY_H
/*
 * What slots come to, summed up where they were counted: whoever merges them, maybe on another
 * machine, gets a record for a round and not counts for each slot.
 *
 *     lte_tally tally = {.cut = lte_sweep_cut(scenario, csi)};
 *     lte_status status = lte_tally_begin(&tally, n_detectors, first, n_slots);
 *     status = lte_tally_add(&tally, n, power, errors);    // the next n of n_slots slots
 *     for (int i = 0; i < tally.n; i++)
 *         ... lte_tally_head_of(&tally, i)->slots ...
 *     lte_tally_free(&tally);
 *
 * A record is of slots of one round: of whole drops, or of a part of one drop, since a drop is one
 * sample. Its sums are integers: they do not depend on how slots are cut into records.
 */

#include <stddef.h>

#include "kernels/link/transport_code.h"
#include "phy/theory/interval.h"
#include "phy/base/status.h"
#include "sim/scenario/scenario.h"

/* What records are cut by. */
typedef struct {
    int n_tx, n_bits;
    int counted;  /* LTE_COUNTED_*; errors of blocks are those after the first transmission */
    int n_lost;   /* layers and bits whose LLRs lose information */
    bool harq;    /* with several transmissions: their clusters differ in size, and errors are in */
    int parts;    /* parts of a block; counts of a coded slot are, too */
    int n_counts; /* of a slot that are summed */
    int n_words;  /* of a slot behind them: records of transmissions, which are not summed */
    /* of a row: those, and of LLRs squares of what each layer and bit has lost (lte_squares_at) */
    int n_sums;
    int round_slots;
    int drop_slots; /* that share a channel realisation */
    /* [n_stored] silent layers of stored channels, which slot s has of number s mod n_stored; NULL:
       none are counted; not owned */
    const uint32_t *silent;
    uint64_t n_stored;
} lte_tally_cut;

/* What all detectors of a record share. */
typedef struct {
    lte_i128 signal, noise; /* measured powers, units of 2^-20 */
    uint64_t first, slots;
} lte_tally_head;

/*
 * Of transport blocks: sums over whole drops of products, each of blocks, errors, wrong ones after
 * the last transmission, payload that was delivered, transmissions, decoder iterations and code
 * blocks as often as they were decoded; and blocks by groups of drops.
 */
typedef struct {
    lte_u128 blocks2, error_blocks, wrong_blocks, delivered2;
    lte_u128 transmissions2, transmission_blocks, iterations2, iteration_decoded, decoded2;
    uint64_t group_blocks[LTE_N_GROUPS];
} lte_tally_harq;
void lte_tally_harq_join(lte_tally_harq *harq, const lte_tally_harq *other);

/* Adds a drop: coded [LTE_N_CODED_COUNTS] of all its slots. */
void lte_tally_harq_add(lte_tally_harq *harq, const uint64_t *coded, uint64_t drop);

/*
 * One detector in a record; d = errors of the tally's first detector minus its own. Squares and
 * magnitudes are sums over whole drops: a part of a drop has none.
 */
typedef struct {
    lte_u128 errors2;
    lte_difference d; /* but for its sum; of whole drops */
    /* of the information that LLRs have lost, or blocks wrong after the last transmission */
    lte_u128 lost2;
    uint64_t errors; /* bits */
    /* errors, and information that LLRs have lost, by groups of drops (phy/theory/interval.h) */
    uint64_t groups[LTE_N_GROUPS], lost_groups[LTE_N_GROUPS];
    lte_tally_harq harq;
    lte_paired_count pair; /* with the tally's first detector */
} lte_tally_row;

typedef struct {
    lte_tally_cut cut;
    int n_detectors;
    int n, most;           /* records: made, and that there is memory for */
    size_t size;           /* of the memory, in bytes */
    unsigned char *memory; /* what there is of transmissions (lte_tally_transmissions), then [n]
                              records, as they lie: head, rows, counts */
    uint64_t first;        /* slot */
    uint64_t next, end;    /* the slot that is added next, and the one after the last */
    uint64_t
        drop_errors[LTE_MAX_DETECTORS];    /* of the drop at hand, in slots that were added, and */
    uint64_t drop_lost[LTE_MAX_DETECTORS]; /* lost information, */
    uint64_t *bits_lost; /* [n_detectors][n_tx][n_bits], of LLRs; there is room for n_bits_lost */
    size_t n_bits_lost;
    uint64_t drop_coded[LTE_MAX_DETECTORS][LTE_N_CODED_COUNTS];
} lte_tally;

/* The most records that so many slots from one on make. */
int lte_tally_records(const lte_tally_cut *cut, uint64_t first, int n_slots);

/* Bytes of a record; of the memory of a tally that has begun with so many. */
size_t lte_tally_record_bytes(const lte_tally_cut *cut, int n_detectors);
size_t lte_tally_bytes(const lte_tally *tally, int n_records);

/*
 * Makes it the tally of n_slots slots from `first` on, of which none has been added. Of a tally
 * that is all zero but for its cut, or has been used before. Returns LTE_ENOMEM, LTE_EINVAL for
 * more than LTE_MAX_DETECTORS.
 */
lte_status lte_tally_begin(lte_tally *tally, int n_detectors, uint64_t first, int n_slots);
void lte_tally_free(lte_tally *tally);

/*
 * Adds the next n slots: power [n], errors [n][n_detectors] of lte_tally_row_size; and the silent
 * layers of the slots, which these do not have. Returns LTE_EINVAL for slots beyond those that the
 * tally has begun with.
 */
lte_status lte_tally_add(lte_tally *tally, int n, const lte_power *power, const uint32_t *errors);

/* Counts and words of a slot. */
LTE_INLINE int lte_tally_row_size(const lte_tally_cut *cut)
{
    return cut->n_counts + cut->n_words;
}

/* What errors are, in counts [n_counts]: bits, or blocks. */
uint64_t lte_errors_of_counts(const lte_tally_cut *cut, const uint64_t *counts);

/* What lost2 is of: lost information of all layers and bits, or blocks wrong in the end; else 0. */
uint64_t lte_lost_of_counts(const lte_tally_cut *cut, const uint64_t *counts);

/*
 * The squares of what a layer and bit has lost, summed over whole drops, stand behind a row's
 * counts: three words, each a sum of 32 bits of every square, which add up like counts. Where those
 * of number i = layer n_bits + bit begin; their sum; and one drop's, which has lost `lost`, added.
 */
enum { LTE_SQUARE_WORDS = 3 };
LTE_INLINE int lte_squares_at(const lte_tally_cut *cut, int i)
{
    return cut->n_counts + LTE_SQUARE_WORDS * i;
}
lte_u128 lte_lost_squares(const lte_tally_cut *cut, const uint64_t *sums, int i);
void lte_add_lost_square(const lte_tally_cut *cut, int i, uint64_t lost, uint64_t *sums);

/* The records of detector k's transmissions in the subframe of a slot: [n_words] of a row. */
uint32_t *lte_tally_transmissions(const lte_tally *tally, uint64_t slot, int k);

/* Record i: what its detectors share, what detector k has, and its sums [n_sums]. */
lte_tally_head *lte_tally_head_of(const lte_tally *tally, int i);
lte_tally_row *lte_tally_row_of(const lte_tally *tally, int i, int k);
uint64_t *lte_tally_counts_of(const lte_tally *tally, int i, int k);

#endif
