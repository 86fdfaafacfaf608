/*
 * The fused slot of a deadline run, to LLRs: an order known at run time costs nothing beside them.
 */
#include "kernels/cpu/slot_cpu.h"

/* LLRs of the layers go to bits. */
LTE_INLINE void decide(int n_tx, const slot_job *job, const lte_detector_plan *plan, int symbol,
                       int sc, int n_live, uint8_t *bits)
{
    const stage_lanes *const lanes = job->lanes;
    const lte_decision decision = {.llr = lanes->llr};
    (void)lte_set_detectors.detect(plan, lanes->state, lanes->y, &decision, lanes->work);
    for (int k = 0; k < n_tx; k++)
        store_llrs(job->link, &lanes->llr[k * job->link->n_bits], sc, n_live,
                   (int8_t *)bits + llr_row(job->link, symbol, k));
}

void lte_set_slot_llrs(const lte_link *link, lte_detector detector, lte_noise noise,
                       lte_groups groups, const lte_cf32 *h_planes, const lte_cf32 *y_planes,
                       uint8_t *bits)
{
    const stage_lanes lanes = lanes_in(link, groups.work);
    const slot_job slot = {link, detector, noise, groups.first, groups.end, &lanes};
    const slot_output llrs = {LTE_GIVES_LLRS, decide, NULL};
    slot_groups(link->n_tx, llrs, &slot, h_planes, y_planes, bits);
}
