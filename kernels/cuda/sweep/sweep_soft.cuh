#ifndef LTE_KERNELS_SWEEP_SOFT_CUH
#define LTE_KERNELS_SWEEP_SOFT_CUH
/* The kernels of the sweep that count or store LLRs, of one detector: version 3. */

#include "kernels/cuda/sweep/sweep_thread.cuh"

namespace
{

/*
 * Blocks on a multiprocessor, as many as the shared memory that they take lets in: eight leave 64
 * registers to a thread, seven 72, six 80, five 96, four 128. Left to itself, as for order 8, the
 * compiler takes up to half as many more.
 */
constexpr int soft_blocks(int n, int detector)
{
    const bool solving = detector == SOLVING;
    return n == 1           ? 8
           : n == 2         ? (solving ? 7 : 6)
           : n == 4         ? 5
           : n == ANY_ORDER ? (solving ? 3 : 6)
                            : 0;
}

template <int N, int DET, int BLOCKS = soft_blocks(N, DET)>
__global__ __launch_bounds__(SWEEP_BLOCK,
                             BLOCKS) void sweep_kernel3(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, 0, any_inverter(DET), DET, 1, false, with_llrs>(a);
}

template <int DET> struct sweep3 {
    template <int N> static sweep_kernel *of(const lte_link *link)
    {
        (void)link;
        /* matrices of 6 and 7 layers need the registers more than other warps: 1.3 and 1.4 times */
        if constexpr (N == ANY_ORDER && DET == SOLVING) {
            if (link->n_tx > 5)
                return sweep_kernel3<N, DET, 2>;
        }
        return sweep_kernel3<N, DET>;
    }
};

} // namespace

#endif
