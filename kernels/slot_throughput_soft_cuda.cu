/* The throughput kernels of a slot that gives LLRs, for detectors that solve and for the others. */
#include "kernels/other_detectors.cuh"
#include "kernels/slot_throughput_thread.cuh"
#include "kernels/solving_detectors.cuh"

throughput_fn *lte_throughput_soft(const lte_link *link, int detector)
{
#define OF(id)                                                                                     \
    if (solves(detector) && link->inverter == LTE_INVERTER_##id)                                   \
        return instance_for_order_or_any<throughput<LTE_INVERTER_##id, SOLVING, true>>(link);
    LTE_SMALL_INVERTERS(OF)
#undef OF
    return solves(detector) ? NULL
                            : instance_for_order_or_any<throughput<NO_INVERTER, OTHER, true>>(link);
}
