#ifndef LTE_KERNELS_SET_V4_H
#define LTE_KERNELS_SET_V4_H
/* Names of the instruction set x86-64-v4: 16 lanes of AVX-512 (kernels/cpu/lanes_cpu.h). */

#define LTE_REAL_HEADER "kernels/base/real_v4.h"
#define LTE_SET_NAME "cpu:v4"
#define LTE_SET_TEXT LTE_LEVEL_V4
#define LTE_SET_USABLE lte_has_v4
/* Names of functions and tables, written as such. */
/* NOLINTBEGIN(readability-identifier-naming) */
#define lte_set_backend lte_backend_cpu_v4
#define lte_set_stages lte_stages_v4
#define lte_set_draws lte_draws_v4
#define lte_set_source lte_source_v4
#define lte_set_channel lte_channel_v4
#define lte_set_receive lte_receive_v4
#define lte_set_correlate lte_correlate_v4
#define lte_set_fit lte_fit_v4
#define lte_set_estimate lte_estimate_v4
#define lte_set_combine lte_combine_v4
#define lte_set_corner_turn lte_corner_turn_v4
#define lte_set_count lte_count_v4
#define lte_set_pack lte_pack_v4
#define lte_set_detectors lte_detectors_v4
#define lte_set_prepare_scaled lte_prepare_scaled_v4
#define lte_set_detect lte_detect_v4
#define lte_set_sinr lte_sinr_v4
#define lte_set_flag lte_flag_v4
#define lte_set_sweep_bits lte_sweep_bits_v4
#define lte_set_sweep_llrs lte_sweep_llrs_v4
#define lte_set_sweep_carry lte_sweep_carry_v4
#define lte_set_slot_bits lte_slot_bits_v4
#define lte_set_slot_llrs lte_slot_llrs_v4
/* NOLINTEND(readability-identifier-naming) */

#endif
