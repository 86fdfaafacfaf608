#ifndef LTE_TESTS_BENCH_SCALAR_LINK_H
#define LTE_TESTS_BENCH_SCALAR_LINK_H
/*
 * The baseline of the sweep: 4x4, 16QAM, Rayleigh, unbiased MMSE by ldl, as plain C, one resource
 * element after the other.
 *
 *     bench_scalar_link_v4(1, 1200, noise, slot, &power, errors);
 */

#include "kernels/link/link.h"

/* One slot; what lte_stages.sweep_slot counts, to the last bit: errors [LTE_N_HARD_COUNTS(4)]. */
typedef void bench_scalar_link_fn(uint64_t seed, int n_sc, lte_noise noise, uint64_t slot,
                                  lte_power *power, uint32_t *errors);

/* The same source, by instruction set. */
bench_scalar_link_fn bench_scalar_link_ref, bench_scalar_link_v3, bench_scalar_link_v4;

#endif
