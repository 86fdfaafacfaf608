/* The kernels of the sweep with LLRs for matrices that fit registers, and detectors that solve. */
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/sweep/sweep_thread.cuh"

namespace
{

template <int N>
__global__ __launch_bounds__(SWEEP_BLOCK,
                             N <= 2 ? 6
                                    : 4) void sweep_kernel4(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, N, ANY_INVERTER, SOLVING, 1, false, with_llrs>(a);
}

} // namespace

sweep_kernel *lte_sweep_soft_square(const lte_link *link, lte_detector, int)
{
    return !inverts_small(link->receiver.inverter) ? NULL
           : link->n_tx == 1                       ? sweep_kernel4<1>
           : link->n_tx == 2                       ? sweep_kernel4<2>
                                                   : sweep_kernel4<4>;
}
