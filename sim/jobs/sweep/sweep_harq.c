/* Sums of HARQ processes: what a row's errors are counted of, and as text. */
#include "sim/jobs/sweep/sweep_parts.h"

void lte_sweep_count_blocks(const lte_sweep *sweep, lte_row *row)
{
    lte_error_count *count = &row->error_count;
    count->parts = (uint64_t)sweep->cut.parts;
    count->least = sweep->cut.harq ? count->parts / LTE_MAX_TRANSMISSIONS : 1;
    if (!sweep->cut.harq)
        return;
    count->bits = row->counts[lte_coded_at(sweep->cut.n_tx, LTE_CODED_BLOCKS)];
    count->bits2 = row->harq.blocks2;
    count->cross = row->harq.error_blocks;
}

void lte_walk_harq(lte_walk *w, lte_tally_harq *harq)
{
    lte_u128 *const all[] = {
        &harq->blocks2,     &harq->error_blocks,      &harq->wrong_blocks,
        &harq->delivered2,  &harq->transmissions2,    &harq->transmission_blocks,
        &harq->iterations2, &harq->iteration_decoded, &harq->decoded2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lte_walk_wide(w, all[i]);
    for (int k = 0; k < LTE_N_GROUPS; k++)
        lte_walk_word(w, &harq->group_blocks[k]);
}

void lte_walk_paired(lte_walk *w, lte_paired_count *count)
{
    lte_u128 *const both[] = {&count->e0e1, &count->e0b1, &count->b0e1, &count->b0b1};
    lte_walk_word(w, &count->clusters);
    for (int i = 0; i < 2; i++) {
        lte_walk_word(w, &count->errors[i]);
        lte_walk_word(w, &count->bits[i]);
        lte_walk_wide(w, &count->ee[i]);
        lte_walk_wide(w, &count->eb[i]);
        lte_walk_wide(w, &count->bb[i]);
    }
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        lte_walk_wide(w, both[i]);
}
