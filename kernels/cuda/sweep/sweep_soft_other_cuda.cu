/* The kernels of the sweep with LLRs for the other detectors. */
#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/sweep/sweep_soft.cuh"

sweep_kernel *lte_sweep_soft_other(const lte_link *link, int)
{
    return instance_for_order_or_any<sweep3<OTHER>>(link);
}
