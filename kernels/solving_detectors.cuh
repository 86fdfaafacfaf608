#ifndef LTE_KERNELS_SOLVING_DETECTORS_CUH
#define LTE_KERNELS_SOLVING_DETECTORS_CUH
/* The detectors that solve, by their loading, as a template parameter: see detector<DET>. */

#include "kernels/device.cuh"
#include "phy/solving.h"

template <> struct detector<SOLVING> {
    template <int N, int INV, bool SINR = false>
    static __device__ __forceinline__ lte_mask prepare(float loading, int n_rx, const lte_cplx *h,
                                                       float n0, lte_cplx *state)
    {
        lte_cplx g[N * N];
        return lte_solve_prepare(loading * n0, n_rx, N, h, n0, inverse<N, INV>, SINR, g, state);
    }
    template <int N>
    static __device__ __forceinline__ void apply(int n_rx, int n_bits, int parameter,
                                                 const lte_cplx *state, const lte_cplx *y,
                                                 lte_cplx *x, float *rho = NULL)
    {
        (void)n_bits;
        (void)parameter;
        lte_linear_apply(n_rx, N, state, y, x, rho);
    }
};

#endif
