#ifndef LTE_KERNELS_LARGE_NEUMANN_CUH
#define LTE_KERNELS_LARGE_NEUMANN_CUH
/* The recipe of the Neumann series: phy/detection/neumann.h. */

#include "kernels/cuda/large/large_iterating.cuh"
#include "phy/detection/neumann.h"

namespace
{

struct neumann_iterations {
    struct steps {
    };

    static __device__ __forceinline__ void learn(const decide_args &, const place &, float,
                                                 const lte_cplx *, lte_cplx *, steps *)
    {
    }

    template <int S>
    static __device__ __forceinline__ void iterate(const decide_args &a, const place &at,
                                                   const lte_cplx *row, float d, const lte_cplx *z,
                                                   lte_cplx *all, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_scale(z[i], d);
#pragma unroll 1
        for (int step = 0; step < a.parameter; step++) {
            hand_around<S>(n_tx, at.k, x, all);
#pragma unroll
            for (int i = 0; i < S; i++)
                x[i] = lte_neumann_step(n_tx, at.k, row, d, z[i], &all[i * n_tx]);
        }
    }

    template <int S>
    static __device__ __forceinline__ void follow(const decide_args &a, const place &at,
                                                  const lte_cplx *row, float d, const steps &,
                                                  const lte_cplx *z, lte_cplx *all, lte_cplx *x)
    {
        iterate<S>(a, at, row, d, z, all, x);
    }
};

} // namespace

LTE_LARGE_DETECTOR(neumann, iterating_recipe<neumann_iterations>)

#endif
