/* The throughput kernels of a slot for the other detectors. */
#include "kernels/other_detectors.cuh"
#include "kernels/slot_throughput_thread.cuh"

throughput_fn *lte_throughput_other(const lte_link *link, int detector)
{
#define OF(id)                                                                                     \
    if (lte_detector_id(detector) == LTE_DETECTOR_##id)                                            \
        return instance_for_order_or_any<throughput<NO_INVERTER, LTE_DETECTOR_##id>>(link);
    LTE_OTHER_DETECTORS(OF)
#undef OF
    return NULL;
}
