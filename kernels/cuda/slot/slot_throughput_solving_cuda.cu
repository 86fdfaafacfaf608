/* The throughput kernels of a slot for detectors that solve. */
#include "kernels/cuda/slot/slot_throughput_thread.cuh"
#include "kernels/cuda/device/solving_detectors.cuh"

throughput_fn *lte_throughput_solving(const lte_link *link, lte_detector)
{
#define OF(id)                                                                                     \
    if (link->receiver.inverter == LTE_INVERTER_##id)                                              \
        return instance_for_order_or_any<throughput<LTE_INVERTER_##id, SOLVING>>(link);
    LTE_SMALL_INVERTERS(OF)
#undef OF
    return NULL;
}
