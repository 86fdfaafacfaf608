/* The fused slot of a deadline run, to packed bits. */
#include "kernels/cpu/slot_cpu.h"

/* Labels of the layers go to the group, */
LTE_INLINE void decide(int n_tx, const slot_job *job, const lte_detector_plan *plan, int symbol,
                       int sc, int n_live, uint8_t *bits)
{
    const stage_lanes *const lanes = job->lanes;
    const int lane = sc % LTE_LANES;
    lte_word few[LTE_MAX_ORDER];
    lte_word *const decided = FEW_OR_MANY(n_tx, few, lanes->decided);
    (void)n_live;
    (void)bits;
    (void)decide_lanes(n_tx, plan, lanes->y, lanes, decided);
    for (int k = 0; k < n_tx; k++)
        w_store(&lanes->group[(symbol * n_tx + k) * LTE_LANES + lane], decided[k]);
}

/* and from there to packed bits. */
LTE_INLINE void pack(const slot_job *job, int g, uint8_t *bits)
{
    pack_group(job->link, g, job->lanes->group, bits);
}

void lte_set_slot_bits(const lte_link *link, lte_detector detector, lte_noise noise,
                       lte_groups groups, const lte_cf32 *h_planes, const lte_cf32 *y_planes,
                       uint8_t *bits)
{
    const stage_lanes lanes = lanes_in(link, groups.work);
    const slot_job slot = {link, detector, noise, groups.first, groups.end, &lanes};
    const slot_output packed = {LTE_GIVES_LABELS, decide, pack};
#define BODY(n) slot_groups(n, packed, &slot, h_planes, y_planes, bits)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
