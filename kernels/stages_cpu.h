#ifndef LTE_KERNELS_STAGES_CPU_H
#define LTE_KERNELS_STAGES_CPU_H
/*
 * All stages of a processor in one text, for the file of one instruction set:
 *
 *     #define LTE_REAL_HEADER "kernels/real_v3.h"
 *     #include "kernels/stages_cpu.h"
 *     const lte_stages lte_stages_v3 = LTE_STAGES("cpu:v3", lte_has_v3);
 *
 * Everything in it is static, so every instruction set has its own; only the table is seen outside.
 */

#include "kernels/lanes_cpu.h"

/* NOLINTBEGIN(bugprone-suspicious-include): texts, not objects; in the order of their needs */
#include "kernels/source_cpu.c"
#include "kernels/channel_cpu.c"
#include "kernels/receive_cpu.c"
#include "kernels/estimate_cpu.c"
#include "kernels/combine_cpu.c"
#include "kernels/corner_turn_cpu.c"
#include "kernels/inverters_cpu.c"
#include "kernels/detectors_cpu.c"
#include "kernels/gram_cpu.c"
#include "kernels/invert_cpu.c"
#include "kernels/detect_cpu.c"
#include "kernels/pack_cpu.c"
#include "kernels/count_cpu.c"
#include "kernels/slot_cpu.c"
#include "kernels/sweep_cpu.c"
/* NOLINTEND(bugprone-suspicious-include) */

/* The table of an instruction set. */
#define LTE_STAGES(table_name, has)                                                                \
    {                                                                                              \
        .name = (table_name), .usable = (has), .source = source_stage, .channel = channel_stage,   \
        .receive = receive_stage, .correlate = correlate_stage, .fit = fit_stage,                  \
        .estimate = estimate_stage, .combine = combine_stage, .corner_turn = corner_turn_stage,    \
        .gram = gram_stage, .invert = invert_stage, .detect = detect_stage, .sinr = sinr_stage,    \
        .count = count_stage, .pack = pack_stage, .sweep_slot = sweep_slot_stages,                 \
        .carry_slot = carry_slot_stages, .slot = slot_stages                                       \
    }

#endif
