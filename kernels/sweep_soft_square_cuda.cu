/* The kernels of the sweep with LLRs for matrices that fit registers, and detectors that solve. */
#include "kernels/solving_detectors.cuh"
#include "kernels/sweep_thread.cuh"

namespace
{

template <int N, int INV>
__global__ __launch_bounds__(SWEEP_BLOCK,
                             N <= 2 ? 6
                                    : 4) void sweep_kernel4(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, N, INV, SOLVING, 1, false, true>(a);
}

template <int INV> sweep_kernel *kernel4_of(const lte_link *link)
{
    return link->n_tx == 1   ? sweep_kernel4<1, INV>
           : link->n_tx == 2 ? sweep_kernel4<2, INV>
                             : sweep_kernel4<4, INV>;
}

} // namespace

sweep_kernel *lte_sweep_soft_square(const lte_link *link)
{
#define KERNEL(id)                                                                                 \
    if (link->inverter == LTE_INVERTER_##id)                                                       \
        return kernel4_of<LTE_INVERTER_##id>(link);
    LTE_SMALL_INVERTERS(KERNEL)
#undef KERNEL
    return NULL;
}
