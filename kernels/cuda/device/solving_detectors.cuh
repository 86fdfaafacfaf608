#ifndef LTE_KERNELS_SOLVING_DETECTORS_CUH
#define LTE_KERNELS_SOLVING_DETECTORS_CUH
/* The detectors that solve, by their loading, as a template parameter: see detector<DET>. */

#include "kernels/cuda/device/device.cuh"
#include "phy/detection/solving.h"

/* The state of N layers, by the inverter INV or, with ANY_INVERTER, by the link's. */
template <int N, int INV, bool SINR>
static __device__ __forceinline__ lte_mask solve(float loading, int n_rx, int inverter,
                                                 const lte_cplx *h, float n0, lte_cplx *state)
{
    lte_cplx g[N * N];
    lte_mask flag;
    if constexpr (INV != ANY_INVERTER) {
        flag = lte_loaded_inverse(loading * n0, n_rx, N, h, inverse<N, INV>, g);
    } else {
        lte_gram(n_rx, N, h, g);
        lte_gram_load(N, g, loading * n0);
        flag = inverse_by<N>(inverter, g);
    }
    lte_solve_finish(loading * n0, n_rx, N, h, n0, SINR, g, state);
    return flag;
}

/* The same for kernels of any order. A call: matrices of one order at a time are in registers. */
template <int N, bool SINR>
static __device__ __noinline__ lte_mask solve_order(float loading, int n_rx, int inverter,
                                                    const lte_cplx *h, float n0, lte_cplx *state)
{
    return solve<N, ANY_INVERTER, SINR>(loading, n_rx, inverter, h, n0, state);
}

/*
 * lte_linear_estimate; of any order layer by layer, so that estimates stay in registers: the sums
 * are the same ones.
 */
template <int N>
static __device__ __forceinline__ void filter_apply(int n_rx, int n_tx, const lte_cplx *state,
                                                    const lte_cplx *y, lte_cplx *x, float *rho)
{
    if constexpr (N != ANY_ORDER) {
        lte_linear_estimate(n_rx, n_tx, state, y, x, rho);
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
    static __device__ __forceinline__ lte_mask prepare(float loading, int, int n_rx, int n_tx,
                                                       int inverter, const lte_cplx *h, float n0,
                                                       lte_cplx *state)
    {
        if constexpr (N != ANY_ORDER)
            return solve<N, INV, SINR>(loading, n_rx, inverter, h, n0, state);
        else if (n_tx == 3)
            return solve_order<3, SINR>(loading, n_rx, inverter, h, n0, state);
        else if (n_tx == 5)
            return solve_order<5, SINR>(loading, n_rx, inverter, h, n0, state);
        else if (n_tx == 6)
            return solve_order<6, SINR>(loading, n_rx, inverter, h, n0, state);
        else
            return solve_order<7, SINR>(loading, n_rx, inverter, h, n0, state);
    }
    template <int N>
    static __device__ __forceinline__ void apply(int n_rx, int n_tx, int, const lte_cplx *state,
                                                 const lte_cplx *y, lte_cplx *x, float *rho = NULL)
    {
        filter_apply<N>(n_rx, n_tx, state, y, x, rho);
    }
};

#endif
