/* The kernels of the sweep for the other detectors, one at a time. */
#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/sweep/sweep_thread.cuh"

sweep_kernel *lte_sweep_other(const lte_link *link, int)
{
    return instance_for_order<sweep1<NO_INVERTER, OTHER>>(link);
}
