#ifndef LTE_KERNELS_LARGE_NEUMANN_CUH
#define LTE_KERNELS_LARGE_NEUMANN_CUH
/* The recipe of the Neumann series: phy/detection/neumann.h. */

#include "kernels/cuda/large/large_iterating.cuh"
#include "phy/detection/neumann.h"

namespace
{

struct neumann_recipe {
    static constexpr bool flags = true;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        const lte_cplx *const row = row_of(a, at, m);
        lte_cplx *const all = z + at.u * S * n_tx;
        const float d = 1.0f / row[at.k].re;
        lte_cplx s[S];
        matched_filter<S>(a, at, m, s);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_scale(s[i], d);
#pragma unroll 1
        for (int step = 0; step < a.parameter; step++) {
            hand_around<S>(n_tx, at.k, x, all);
#pragma unroll
            for (int i = 0; i < S; i++)
                x[i] = lte_neumann_step(n_tx, at.k, row, d, s[i], &all[i * n_tx]);
        }
        return finished<S>(a, at, m, row, x);
    }
};

} // namespace

LTE_LARGE_DETECTOR(neumann, neumann_recipe)

#endif
