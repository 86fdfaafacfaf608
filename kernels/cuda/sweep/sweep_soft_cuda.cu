/* The kernels of the sweep with LLRs for detectors that solve. */
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/sweep/sweep_soft.cuh"

sweep_kernel *lte_sweep_soft(const lte_link *link, lte_detector, int)
{
    return inverts_small(link->receiver.inverter) ? instance_for_order_or_any<sweep3<SOLVING>>(link)
                                                  : NULL;
}
