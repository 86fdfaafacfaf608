#ifndef LTE_KERNELS_SET_V3_H
#define LTE_KERNELS_SET_V3_H
/* Names of the instruction set x86-64-v3: 8 lanes of AVX2 (kernels/cpu/lanes_cpu.h). */

#define LTE_REAL_HEADER "kernels/base/real_v3.h"
#define LTE_SET_NAME "cpu:v3"
#define LTE_SET_TEXT LTE_LEVEL_V3
#define LTE_SET_USABLE lte_has_v3
/* Names of functions and tables, written as such. */
/* NOLINTBEGIN(readability-identifier-naming) */
#define lte_set_backend lte_backend_cpu_v3
#define lte_set_stages lte_stages_v3
#define lte_set_draws lte_draws_v3
#define lte_set_source lte_source_v3
#define lte_set_channel lte_channel_v3
#define lte_set_receive lte_receive_v3
#define lte_set_correlate lte_correlate_v3
#define lte_set_fit lte_fit_v3
#define lte_set_estimate lte_estimate_v3
#define lte_set_combine lte_combine_v3
#define lte_set_corner_turn lte_corner_turn_v3
#define lte_set_count lte_count_v3
#define lte_set_pack lte_pack_v3
#define lte_set_detectors lte_detectors_v3
#define lte_set_prepare_scaled lte_prepare_scaled_v3
#define lte_set_detect lte_detect_v3
#define lte_set_sinr lte_sinr_v3
#define lte_set_flag lte_flag_v3
#define lte_set_sweep_bits lte_sweep_bits_v3
#define lte_set_sweep_llrs lte_sweep_llrs_v3
#define lte_set_sweep_carry lte_sweep_carry_v3
#define lte_set_slot_bits lte_slot_bits_v3
#define lte_set_slot_llrs lte_slot_llrs_v3
/* NOLINTEND(readability-identifier-naming) */

#endif
