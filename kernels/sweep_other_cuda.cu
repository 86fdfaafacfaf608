/* The kernels of the sweep for the other detectors, one at a time. */
#include "kernels/other_detectors.cuh"
#include "kernels/sweep_thread.cuh"

sweep_kernel *lte_sweep_other(const lte_link *link, int detector)
{
#define KERNEL(id)                                                                                 \
    if (lte_detector_id(detector) == LTE_DETECTOR_##id)                                            \
        return instance_for_order_or_any<sweep1<NO_INVERTER, LTE_DETECTOR_##id>>(link);
    LTE_OTHER_DETECTORS(KERNEL)
#undef KERNEL
    return NULL;
}
