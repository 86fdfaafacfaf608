/* The fused slot of a sweep that carries a code: the caller's labels, and LLRs for its decoder. */
#include "kernels/sweep_cpu.h"

void lte_set_sweep_carry(const lte_link *link, lte_noise noise, const int *detectors,
                         int n_detectors, uint64_t slot, const uint8_t *labels, void *work,
                         lte_power *power, uint32_t *errors, int8_t *llrs)
{
    *power = (lte_power){0, 0};
#define BODY(n)                                                                                    \
    sweep_slot(n, false, true, link, noise, detectors, n_detectors, slot, labels, work, power,     \
               errors, llrs)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
