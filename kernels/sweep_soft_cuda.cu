/* The kernels of the sweep that count LLRs, for detectors that solve and for the others, one at a time. */
#include "kernels/other_detectors.cuh"
#include "kernels/solving_detectors.cuh"
#include "kernels/sweep_thread.cuh"

namespace
{

/*
 * Blocks on a multiprocessor: with orders 1 and 2 eight leave 64 registers to a thread and seven 72, with
 * order 4 five leave 96: so many blocks have the shared memory that they need. Left to itself the compiler
 * takes up to a third more for LLRs.
 */
constexpr int soft_blocks(int n)
{
    return sweep_blocks(n);
}

template <int N, int DET>
__global__
__launch_bounds__(SWEEP_BLOCK,
                  soft_blocks(N)) void sweep_kernel3(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, 0, any_inverter(DET), DET, 1, false, true>(a);
}

template <int DET> struct sweep3 {
    template <int N> static sweep_kernel *of(const lte_link *link)
    {
        (void)link;
        return sweep_kernel3<kernel_order(N, DET), DET>;
    }
};

} // namespace

sweep_kernel *lte_sweep_soft(const lte_link *link, int detector)
{
    if (solves(detector))
        return instance_for_order_or_any<sweep3<SOLVING>>(link);
    return instance_for_order_or_any<sweep3<OTHER>>(link);
}
