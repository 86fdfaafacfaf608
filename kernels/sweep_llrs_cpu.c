/* The fused slot of a sweep that counts what LLRs are worth, too. */
#include "kernels/sweep_cpu.h"

void lte_set_sweep_llrs(const lte_link *link, lte_noise noise, const int *detectors,
                        int n_detectors, uint64_t slot, void *work, lte_power *power,
                        uint32_t *errors)
{
    *power = (lte_power){0, 0};
#define BODY(n)                                                                                    \
    sweep_slot(n, true, false, link, noise, detectors, n_detectors, slot, NULL, work, power,       \
               errors, NULL)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
