/* The throughput kernels of a slot that gives LLRs, for detectors that solve. */
#include "kernels/cuda/slot/slot_throughput_thread.cuh"
#include "kernels/cuda/device/solving_detectors.cuh"

throughput_fn *lte_throughput_soft(const lte_link *link, lte_detector)
{
    return inverts_small(link->receiver.inverter)
               ? instance_for_order_or_any<throughput<ANY_INVERTER, SOLVING, true>>(link)
               : NULL;
}
