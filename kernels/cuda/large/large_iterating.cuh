#ifndef LTE_KERNELS_LARGE_ITERATING_CUH
#define LTE_KERNELS_LARGE_ITERATING_CUH
/*
 * What the recipes share that take products with the loaded Gram matrix: a thread has row k, the
 * block hands vectors around.
 */

#include "kernels/cuda/large/large_decide.cuh"
#include "phy/detection/iterating.h"

namespace
{

/* The end of an iteration: gains; returns whether the thread's row cannot be worked with. */
template <int S>
__device__ __forceinline__ bool finished(const decide_args &a, const place &at, int m,
                                         const lte_cplx *row, lte_cplx *x)
{
    const float n0 = symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
    const float gain = lte_iterating_layer(row[at.k].re, n0).im;
#pragma unroll
    for (int i = 0; i < S; i++)
        (void)lte_iterating_estimate(gain, &x[i]);
    return lte_iterating_refuses(a.link.n_tx, at.k, row);
}

} // namespace

#endif
