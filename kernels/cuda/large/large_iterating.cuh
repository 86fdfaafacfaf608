#ifndef LTE_KERNELS_LARGE_ITERATING_CUH
#define LTE_KERNELS_LARGE_ITERATING_CUH
/*
 * What the recipes share that take products with the loaded Gram matrix: a thread has row k, the
 * block hands vectors around. A recipe has the iterations of its detector,
 *
 *     struct steps;  // step lengths and weights that all unit vectors share; empty for a series
 *     static void learn(a, at, n0, row, all, &steps);
 *     // x [S] out of z [S], with all [S][n_tx] of the subcarrier to share; d: 1 / a_kk
 *     template <int S> static void iterate(a, at, row, d, z, all, x);
 *     template <int S> static void follow(a, at, row, d, steps, z, all, x);  // from unit vectors
 */

#include "kernels/cuda/large/large_decide.cuh"
#include "phy/detection/iterating.h"

namespace
{

/*
 * The factor that makes the estimates of the thread's layer unbiased, from the iterations on unit
 * vectors: the block takes LTE_SLOT_SYMBOLS unit vectors at a time.
 */
template <class ITERATIONS>
__device__ __forceinline__ float unbiased(const decide_args &a, const place &at, int m,
                                          const lte_cplx *row, float d, lte_cplx *all)
{
    constexpr int TOGETHER = LTE_SLOT_SYMBOLS;
    const int n_tx = a.link.n_tx;
    const float n0 = symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
    float gain = 0.0f;
    typename ITERATIONS::steps steps;
    ITERATIONS::learn(a, at, n0, row, all, &steps);
#pragma unroll 1
    for (int first = 0; first < n_tx; first += TOGETHER) {
        lte_cplx unit[TOGETHER], p[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            unit[i] = {first + i == at.k ? 1.0f : 0.0f, 0.0f};
        ITERATIONS::template follow<TOGETHER>(a, at, row, d, steps, unit, all, p);
        hand_around<TOGETHER>(n_tx, at.k, p, all);
        if (at.k >= first && at.k < first + TOGETHER)
            gain =
                lte_iterating_inverse(lte_iterating_share(n_tx, at.k, row - (ptrdiff_t)at.k * n_tx,
                                                          n0, &all[(at.k - first) * n_tx])
                                          .re);
        __syncthreads();
    }
    return gain;
}

/* The recipe: a block has room for LTE_SLOT_SYMBOLS vectors of each subcarrier to share. */
template <class ITERATIONS> struct iterating_recipe {
    static constexpr bool flags = true;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        const lte_cplx *const row = row_of(a, at, m);
        lte_cplx *const all = z + at.u * LTE_SLOT_SYMBOLS * n_tx;
        const float d = 1.0f / row[at.k].re;
        lte_cplx s[S];
        matched_filter<S>(a, at, m, s);
        ITERATIONS::template iterate<S>(a, at, row, d, s, all, x);
        const float gain = unbiased<ITERATIONS>(a, at, m, row, d, all);
#pragma unroll
        for (int i = 0; i < S; i++)
            (void)lte_iterating_estimate(gain, &x[i]);
        return lte_iterating_refuses(n_tx, at.k, row);
    }
};

} // namespace

#endif
