#ifndef LTE_KERNELS_SET_REF_H
#define LTE_KERNELS_SET_REF_H
/* Names of the plain loops for any processor: one lane (kernels/cpu/lanes_cpu.h). */

#define LTE_SET_NAME "cpu:ref"
#define LTE_SET_TEXT LTE_LEVEL_REF
#define LTE_SET_USABLE lte_has_ref
/* Names of functions and tables, written as such. */
/* NOLINTBEGIN(readability-identifier-naming) */
#define lte_set_backend lte_backend_cpu_ref
#define lte_set_stages lte_stages_ref
#define lte_set_draws lte_draws_ref
#define lte_set_source lte_source_ref
#define lte_set_channel lte_channel_ref
#define lte_set_receive lte_receive_ref
#define lte_set_correlate lte_correlate_ref
#define lte_set_fit lte_fit_ref
#define lte_set_estimate lte_estimate_ref
#define lte_set_combine lte_combine_ref
#define lte_set_corner_turn lte_corner_turn_ref
#define lte_set_count lte_count_ref
#define lte_set_pack lte_pack_ref
#define lte_set_detectors lte_detectors_ref
#define lte_set_prepare_scaled lte_prepare_scaled_ref
#define lte_set_detect lte_detect_ref
#define lte_set_sinr lte_sinr_ref
#define lte_set_flag lte_flag_ref
#define lte_set_sweep_bits lte_sweep_bits_ref
#define lte_set_sweep_llrs lte_sweep_llrs_ref
#define lte_set_sweep_carry lte_sweep_carry_ref
#define lte_set_slot_bits lte_slot_bits_ref
#define lte_set_slot_llrs lte_slot_llrs_ref
/* NOLINTEND(readability-identifier-naming) */

#endif
