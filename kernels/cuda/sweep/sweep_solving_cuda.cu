/* The kernels of the sweep for detectors that solve, of which two share the draws. */
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/sweep/sweep_thread.cuh"

sweep_kernel *lte_sweep_solving(const lte_link *link, lte_detector, int)
{
#define KERNEL(id)                                                                                 \
    if (link->receiver.inverter == LTE_INVERTER_##id)                                              \
        return instance_for_order<sweep1<LTE_INVERTER_##id, SOLVING>>(link);
    LTE_SMALL_INVERTERS(KERNEL)
#undef KERNEL
    return NULL;
}
