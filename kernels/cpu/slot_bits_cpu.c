/* The fused slot of a deadline run, to packed bits. */
#include "kernels/cpu/slot_cpu.h"

void lte_set_slot_bits(const lte_link *link, lte_detector detector, lte_noise noise, int g0, int g1,
                       const lte_cf32 *h_planes, const lte_cf32 *y_planes, uint8_t *bits,
                       void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
#define BODY(n)                                                                                    \
    slot_groups(n, false, link, detector, noise, g0, g1, h_planes, y_planes, bits, &lanes)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
