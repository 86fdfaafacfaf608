/* The stages of an instruction set that know no detector, in the order of their needs. */
#include "kernels/cpu/lanes_cpu.h"

/* NOLINTBEGIN(bugprone-suspicious-include): texts, not objects */
#include "kernels/cpu/source_cpu.inc"
#include "kernels/cpu/channel_cpu.inc"
#include "kernels/cpu/receive_cpu.inc"
#include "kernels/cpu/estimate_cpu.inc"
#include "kernels/cpu/combine_cpu.inc"
#include "kernels/cpu/corner_turn_cpu.inc"
#include "kernels/cpu/pack_cpu.inc"
#include "kernels/cpu/count_cpu.inc"
/* NOLINTEND(bugprone-suspicious-include) */

const lte_lane_draws lte_set_draws = {.labels = draw_labels,
                                      .noise = draw_noise,
                                      .pilot = send_pilot,
                                      .receive = receive,
                                      .taps = draw_taps,
                                      .channel = draw_channel};
