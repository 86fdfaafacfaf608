/* The throughput kernels of a slot that gives LLRs, for detectors that solve and for the others. */
#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/slot/slot_throughput_thread.cuh"
#include "kernels/cuda/device/solving_detectors.cuh"

throughput_fn *lte_throughput_soft_other(const lte_link *link)
{
    return instance_for_order_or_any<throughput<NO_INVERTER, OTHER, true>>(link);
}

throughput_fn *lte_throughput_soft(const lte_link *link)
{
    return inverts_small(link->inverter)
               ? instance_for_order_or_any<throughput<ANY_INVERTER, SOLVING, true>>(link)
               : NULL;
}
