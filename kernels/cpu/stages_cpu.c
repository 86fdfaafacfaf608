/*
 * The stages of an instruction set that know no detector, in the order of their needs, and its table
 * of all stages.
 */
#include "kernels/cpu/lanes_cpu.h"

/* NOLINTBEGIN(bugprone-suspicious-include): texts, not objects */
#include "kernels/cpu/source_cpu.c"
#include "kernels/cpu/channel_cpu.c"
#include "kernels/cpu/receive_cpu.c"
#include "kernels/cpu/estimate_cpu.c"
#include "kernels/cpu/combine_cpu.c"
#include "kernels/cpu/corner_turn_cpu.c"
#include "kernels/cpu/pack_cpu.c"
#include "kernels/cpu/count_cpu.c"
/* NOLINTEND(bugprone-suspicious-include) */

const lte_lane_draws lte_set_draws = {.labels = draw_labels,
                                      .noise = draw_noise,
                                      .pilot = send_pilot,
                                      .receive = receive,
                                      .taps = draw_taps,
                                      .channel = draw_channel};

static void sweep_slot(const lte_link *link, lte_noise noise, const int *detectors, int n_detectors,
                       uint64_t slot, void *work, lte_power *power, uint32_t *errors)
{
    (link->output.soft ? lte_set_sweep_llrs : lte_set_sweep_bits)(
        link, noise, detectors, n_detectors, slot, work, power, errors);
}

static void slot_of_planes(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                           const lte_cf32 *h_planes, const lte_cf32 *y_planes, uint8_t *bits,
                           void *work)
{
    (lte_link_gives_llrs(link) ? lte_set_slot_llrs : lte_set_slot_bits)(
        link, detector, noise, g0, g1, h_planes, y_planes, bits, work);
}

static void gram_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
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
                                   .source = source_stage,
                                   .channel = channel_stage,
                                   .receive = receive_stage,
                                   .correlate = correlate_stage,
                                   .fit = fit_stage,
                                   .estimate = estimate_stage,
                                   .combine = combine_stage,
                                   .corner_turn = corner_turn_stage,
                                   .gram = gram_stage,
                                   .invert = invert_stage,
                                   .detect = lte_set_detect,
                                   .sinr = lte_set_sinr,
                                   .count = count_stage,
                                   .pack = pack_stage,
                                   .sweep_slot = sweep_slot,
                                   .carry_slot = lte_set_sweep_carry,
                                   .slot = slot_of_planes};
