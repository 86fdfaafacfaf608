/* The throughput kernels of a slot for the other detectors. */
#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/slot/slot_throughput_thread.cuh"

throughput_fn *lte_throughput_other(const lte_link *link)
{
    return instance_for_order_or_any<throughput<NO_INVERTER, OTHER>>(link);
}
