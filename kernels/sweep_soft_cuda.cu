/* The kernels of the sweep that count LLRs, for detectors that solve and for the others, one at a time. */
#include "kernels/other_detectors.cuh"
#include "kernels/solving_detectors.cuh"
#include "kernels/sweep_thread.cuh"

namespace
{

template <int N, int INV, int DET, bool BOTH>
__global__ __launch_bounds__(SWEEP_BLOCK) void sweep_kernel3(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, 0, INV, DET, 1, BOTH, true>(a);
}

template <int INV, int DET> struct sweep3 {
    template <int N> static sweep_kernel *of(const lte_link *link)
    {
        if constexpr (N <= LTE_PILOT_LAYERS) {
            if (link->references > 1)
                return sweep_kernel3<N, INV, DET, true>;
        }
        return sweep_kernel3<N, INV, DET, false>;
    }
};

} // namespace

sweep_kernel *lte_sweep_soft(const lte_link *link, int detector)
{
#define KERNEL(id)                                                                                 \
    if (solves(detector) && link->inverter == LTE_INVERTER_##id)                                   \
        return instance_for_order<sweep3<LTE_INVERTER_##id, SOLVING>>(link);
    LTE_SMALL_INVERTERS(KERNEL)
#undef KERNEL
#define KERNEL(id)                                                                                 \
    if (lte_detector_id(detector) == LTE_DETECTOR_##id)                                            \
        return instance_for_order<sweep3<NO_INVERTER, LTE_DETECTOR_##id>>(link);
    LTE_OTHER_DETECTORS(KERNEL)
#undef KERNEL
    return NULL;
}
