/* The kernels of the sweep for matrices that fit registers, and detectors that solve. */
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/sweep/sweep_thread.cuh"

namespace
{

/* Eight blocks on a multiprocessor leave 64 registers to a thread, six 80, four 128. */
constexpr int blocks_together(int n, int n_detectors)
{
    return n_detectors == 1 ? (n <= 2 ? 8 : 4) : (n <= 2 ? 6 : 3);
}

template <int N, int INV, int D>
__global__
__launch_bounds__(SWEEP_BLOCK,
                  blocks_together(N, D)) void sweep_kernel2(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, N, INV, SOLVING, D>(a);
}

template <int INV, int D> sweep_kernel *kernel_of(const lte_link *link)
{
    return link->n_tx == 1   ? sweep_kernel2<1, ANY_INVERTER, D>
           : link->n_tx == 2 ? sweep_kernel2<2, INV, D>
                             : sweep_kernel2<4, INV, D>;
}

} // namespace

sweep_kernel *lte_sweep_square(const lte_link *link, lte_detector, int n)
{
#define KERNEL(id)                                                                                 \
    if (link->receiver.inverter == LTE_INVERTER_##id)                                              \
        return n == 1 ? kernel_of<LTE_INVERTER_##id, 1>(link)                                      \
                      : kernel_of<LTE_INVERTER_##id, MAX_TOGETHER>(link);
    LTE_SMALL_INVERTERS(KERNEL)
#undef KERNEL
    return NULL;
}
