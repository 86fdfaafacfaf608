#ifndef LTE_KERNELS_SOLVING_DETECTORS_CUH
#define LTE_KERNELS_SOLVING_DETECTORS_CUH
/* The detectors that solve, by their loading, as a template parameter: see detector<DET>. */

#include "kernels/device.cuh"
#include "phy/solving.h"

/*
 * The state of N layers, for kernels of any order. A call: matrices of one order at a time are in
 * registers.
 */
template <int N, int INV, bool SINR>
static __device__ __noinline__ lte_mask solve_order(float loading, int n_rx, const lte_cplx *h,
                                                    float n0, lte_cplx *state)
{
    lte_cplx g[N * N];
    return lte_solve_prepare(loading * n0, n_rx, N, h, n0, inverse<N, INV>, SINR, g, state);
}

/*
 * lte_linear_apply; of any order layer by layer, so that estimates stay in registers: the sums are the
 * same ones.
 */
template <int N>
static __device__ __forceinline__ void filter_apply(int n_rx, int n_tx, const lte_cplx *state,
                                                    const lte_cplx *y, lte_cplx *x, float *rho)
{
    if constexpr (N != ANY_ORDER) {
        lte_linear_apply(n_rx, n_tx, state, y, x, rho);
    } else {
#pragma unroll
        for (int k = 0; k < LTE_MAX_ORDER; k++)
            x[k] = c_zero();
#pragma unroll 1
        for (int r = 0; r < n_rx; r++) {
#pragma unroll
            for (int k = 0; k < LTE_MAX_ORDER; k++) {
                if (k < n_tx)
                    lte_equalise_antenna(1, &state[r * n_tx + k], y[r], &x[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < LTE_MAX_ORDER; k++) {
            if (rho && k < n_tx)
                rho[k] = state[n_rx * n_tx + k].re;
        }
    }
}

template <> struct detector<SOLVING> {
    template <int N, int INV, bool SINR = false>
    static __device__ __forceinline__ lte_mask prepare(float loading, int n_rx, int n_tx,
                                                       const lte_cplx *h, float n0, lte_cplx *state)
    {
        if constexpr (N == ANY_ORDER) {
            switch (n_tx) {
            case 3:
                return solve_order<3, INV, SINR>(loading, n_rx, h, n0, state);
            case 5:
                return solve_order<5, INV, SINR>(loading, n_rx, h, n0, state);
            case 6:
                return solve_order<6, INV, SINR>(loading, n_rx, h, n0, state);
            default:
                return solve_order<7, INV, SINR>(loading, n_rx, h, n0, state);
            }
        } else {
            lte_cplx g[N * N];
            return lte_solve_prepare(loading * n0, n_rx, N, h, n0, inverse<N, INV>, SINR, g, state);
        }
    }
    template <int N>
    static __device__ __forceinline__ void apply(int n_rx, int n_tx, int n_bits, int parameter,
                                                 const lte_cplx *state, const lte_cplx *y,
                                                 lte_cplx *x, float *rho = NULL)
    {
        (void)n_bits;
        (void)parameter;
        filter_apply<N>(n_rx, n_tx, state, y, x, rho);
    }
};

#endif
