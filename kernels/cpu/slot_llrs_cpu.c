/* The fused slot of a deadline run, to LLRs. */
#include "kernels/cpu/slot_cpu.h"

void lte_set_slot_llrs(const lte_link *link, lte_detector detector, lte_noise noise,
                       lte_groups groups, const lte_cf32 *h_planes, const lte_cf32 *y_planes,
                       uint8_t *bits)
{
    const stage_lanes lanes = lanes_in(link, groups.work);
    const slot_job slot = {link, detector, noise, groups.first, groups.end, &lanes};
    slot_groups(link->n_tx, true, &slot, h_planes, y_planes, bits);
}
