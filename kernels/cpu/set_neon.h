#ifndef LTE_KERNELS_SET_NEON_H
#define LTE_KERNELS_SET_NEON_H
/* Names of the instruction set aarch64: 4 lanes of NEON (kernels/cpu/lanes_cpu.h). */

#define LTE_REAL_HEADER "kernels/base/real_neon.h"
#define LTE_SET_NAME "cpu:neon"
#define LTE_SET_TEXT LTE_LEVEL_NEON
#define LTE_SET_USABLE lte_has_neon
/* Names of functions and tables, written as such. */
/* NOLINTBEGIN(readability-identifier-naming) */
#define lte_set_backend lte_backend_cpu_neon
#define lte_set_stages lte_stages_neon
#define lte_set_draws lte_draws_neon
#define lte_set_source lte_source_neon
#define lte_set_channel lte_channel_neon
#define lte_set_receive lte_receive_neon
#define lte_set_correlate lte_correlate_neon
#define lte_set_fit lte_fit_neon
#define lte_set_estimate lte_estimate_neon
#define lte_set_combine lte_combine_neon
#define lte_set_corner_turn lte_corner_turn_neon
#define lte_set_count lte_count_neon
#define lte_set_pack lte_pack_neon
#define lte_set_detectors lte_detectors_neon
#define lte_set_prepare_scaled lte_prepare_scaled_neon
#define lte_set_detect lte_detect_neon
#define lte_set_sinr lte_sinr_neon
#define lte_set_flag lte_flag_neon
#define lte_set_sweep_bits lte_sweep_bits_neon
#define lte_set_sweep_llrs lte_sweep_llrs_neon
#define lte_set_sweep_carry lte_sweep_carry_neon
#define lte_set_slot_bits lte_slot_bits_neon
#define lte_set_slot_llrs lte_slot_llrs_neon
/* NOLINTEND(readability-identifier-naming) */

#endif
