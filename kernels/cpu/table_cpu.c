/* The table of an instruction set: its stages and its fused paths. */
#include "kernels/cpu/lanes_cpu.h"

static void sweep_slot(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                       int n_detectors, uint64_t slot, void *work, lte_power *power,
                       uint32_t *errors)
{
    static lte_sweep_slot_fn *const sweeps[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = lte_set_sweep_bits,
        [LTE_COUNTED_LLRS] = lte_set_sweep_llrs,
        /* subframes are carried; what is drawn is counted without them */
        [LTE_COUNTED_BLOCKS] = lte_set_sweep_bits,
    };
    sweeps[link->output.counted](link, noise, detectors, n_detectors, slot, work, power, errors);
}

static void slot_of_planes(const lte_link *link, lte_detector detector, lte_noise noise,
                           lte_groups groups, const lte_cf32 *h_planes, const lte_cf32 *y_planes,
                           uint8_t *bits)
{
    static lte_slot_fn *const slots[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = lte_set_slot_bits,
        [LTE_COUNTED_LLRS] = lte_set_slot_llrs,
        [LTE_COUNTED_BLOCKS] = lte_set_slot_llrs,
    };
    slots[link->output.counted](link, detector, noise, groups, h_planes, y_planes, bits);
}

static void gram_stage(const lte_link *link, lte_detector detector, lte_noise noise, int g0, int g1,
                       const float *h, float *g, void *work)
{
    lte_set_detectors.gram(link, detector, noise, g0, g1, h, g, work);
}

static void invert_stage(const lte_link *link, int g0, int g1, float *a, uint8_t *flag, void *work)
{
    lte_set_detectors.invert(link, g0, g1, a, flag, work);
}

const lte_stages lte_set_stages = {.name = LTE_SET_NAME,
                                   .usable = LTE_SET_USABLE,
                                   .source = lte_set_source,
                                   .channel = lte_set_channel,
                                   .receive = lte_set_receive,
                                   .correlate = lte_set_correlate,
                                   .fit = lte_set_fit,
                                   .estimate = lte_set_estimate,
                                   .combine = lte_set_combine,
                                   .corner_turn = lte_set_corner_turn,
                                   .gram = gram_stage,
                                   .invert = invert_stage,
                                   .detect = lte_set_detect,
                                   .sinr = lte_set_sinr,
                                   .flag = lte_set_flag,
                                   .count = lte_set_count,
                                   .pack = lte_set_pack,
                                   .sweep_slot = sweep_slot,
                                   .carry_slot = lte_set_sweep_carry,
                                   .slot = slot_of_planes};
