/* The table of what sweeps count. */
#include "sim/jobs/sweep/counting.h"

#include "kernels/coding/counted.h"
#include "phy/theory/information.h"
#include "sim/jobs/sweep/sweep_parts.h"

/* ---- counts of a slot ---- */

static int hard_counts(int n_tx, int n_bits)
{
    (void)n_bits;
    return LTE_N_HARD_COUNTS(n_tx);
}

static int llr_counts(int n_tx, int n_bits)
{
    return LTE_N_LLR_COUNTS(n_tx, n_bits);
}

static int block_counts(int n_tx, int n_bits)
{
    (void)n_bits;
    return lte_coded_at(n_tx, LTE_N_CODED_COUNTS);
}

static int none_lost(int n_tx, int n_bits)
{
    (void)n_tx;
    (void)n_bits;
    return 0;
}

static int each_lost(int n_tx, int n_bits)
{
    return n_tx * n_bits;
}

/* ---- drops ---- */

static uint64_t bits_of_drop(const lte_tally_cut *cut, const lte_link *link)
{
    return (uint64_t)cut->drop_slots * lte_slot_bits(link);
}

/* Where one process stands for eight, a drop has an eighth of its blocks. */
static uint64_t blocks_of_drop(const lte_tally_cut *cut, const lte_link *link)
{
    const lte_code_plan *plan = &link->output.code->plan;
    const uint64_t groups = (uint64_t)(cut->drop_slots / lte_slots_together(link));
    const uint64_t apart = plan->transmissions > 1 ? LTE_HARQ_SUBFRAMES : 1;
    return groups * (uint64_t)lte_code_counted(plan) * (uint64_t)lte_processes_together(link) /
           apart * (uint64_t)cut->parts * (uint64_t)link->output.code->n_codewords;
}

static double common_signal(const lte_tally_cut *cut, const lte_row *row)
{
    (void)cut;
    return (double)row->signal;
}

/* With blocks each detector is sent symbols of its own. */
static double own_signal(const lte_tally_cut *cut, const lte_row *row)
{
    const uint64_t *coded = row->counts + lte_coded_at(cut->n_tx, 0);
    return (double)coded[LTE_CODED_SIGNAL] + 0x1p32 * (double)coded[LTE_CODED_SIGNAL_HIGH];
}

static void count_nothing(const lte_sweep *sweep, lte_row *row)
{
    (void)sweep;
    (void)row;
}

static void end_bits(const lte_sweep *sweep, uint64_t number, uint64_t lost, lte_row *whole)
{
    (void)sweep;
    (void)number;
    (void)lost;
    (void)whole;
}

static void end_llrs(const lte_sweep *sweep, uint64_t number, uint64_t lost, lte_row *whole)
{
    const lte_tally_cut *cut = &sweep->cut;
    for (int i = 0; i < cut->n_lost; i++)
        lte_add_lost_square(cut, i, whole->counts[lte_lost_at(cut->n_tx, cut->n_bits, 0, i)],
                            whole->counts);
    whole->lost_groups[number % LTE_N_GROUPS] = lost;
}

static void end_blocks(const lte_sweep *sweep, uint64_t number, uint64_t lost, lte_row *whole)
{
    (void)lost;
    lte_tally_harq_add(&whole->harq, whole->counts + lte_coded_at(sweep->cut.n_tx, 0), number);
    lte_sweep_count_blocks(sweep, whole);
}

/* ---- lines ---- */

static void walk_nothing(lte_walk *w, lte_row *row)
{
    (void)w;
    (void)row;
}

static void walk_square(lte_walk *w, lte_row *row)
{
    lte_walk_wide(w, &row->lost2);
}

static void walk_blocks(lte_walk *w, lte_row *row)
{
    lte_walk_wide(w, &row->lost2);
    lte_walk_harq(w, &row->harq);
}

static void walk_none_lost(lte_walk *w, const lte_sweep *sweep, lte_row *row)
{
    (void)w;
    (void)sweep;
    (void)row;
}

static void walk_lost(lte_walk *w, const lte_sweep *sweep, lte_row *row)
{
    lte_walk_groups(w, row->lost_groups, lte_lost_of_counts(&sweep->cut, row->counts));
}

/* What bits have alike, whether they are decided or told by LLRs. */
#define OF_BITS                                                                                    \
    .rate = "BER", .counts = "bits", .by_symbol = true, .drop = bits_of_drop,                      \
    .signal = common_signal, .count = count_nothing, .most = 1, .n_rates = 4,                      \
    .rates = {1e-2, 1e-3, 1e-1, 1e-4}

const lte_counting lte_counting_rows[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {OF_BITS, .n_counts = hard_counts, .n_lost = none_lost, .end = end_bits,
                          .walk_products = walk_nothing, .walk_lost = walk_none_lost,
                          .most_behind = 1, .n_group_sets = 1},
    [LTE_COUNTED_LLRS] = {OF_BITS, .n_counts = llr_counts, .n_lost = each_lost, .end = end_llrs,
                          .walk_products = walk_square, .walk_lost = walk_lost,
                          .most_behind = LTE_MOST_LOSS, .n_group_sets = 2},
    [LTE_COUNTED_BLOCKS] = {.rate = "BLER",
                            .counts = "blocks",
                            .n_counts = block_counts,
                            .n_lost = none_lost,
                            .drop = blocks_of_drop,
                            .signal = own_signal,
                            .count = lte_sweep_count_blocks,
                            .end = end_blocks,
                            .walk_products = walk_blocks,
                            .walk_lost = walk_none_lost,
                            .most = (uint64_t)1 << 40,
                            .most_behind = (uint64_t)1 << 40,
                            .n_group_sets = 1,
                            .n_products = 2 * LTE_N_GROUPS,
                            .n_rates = 1,
                            .rates = {1e-1}},
};
