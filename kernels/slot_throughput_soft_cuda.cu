/* The throughput kernels of a slot that gives LLRs, for detectors that solve and for the others. */
#include "kernels/other_detectors.cuh"
#include "kernels/slot_throughput_thread.cuh"
#include "kernels/solving_detectors.cuh"

throughput_fn *lte_throughput_soft(const lte_link *link, int detector)
{
    if (!lte_detector_solves(detector))
        return instance_for_order_or_any<throughput<NO_INVERTER, OTHER, true>>(link);
    return inverts_small(link->inverter)
               ? instance_for_order_or_any<throughput<ANY_INVERTER, SOLVING, true>>(link)
               : NULL;
}
