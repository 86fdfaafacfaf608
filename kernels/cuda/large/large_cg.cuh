#ifndef LTE_KERNELS_LARGE_CG_CUH
#define LTE_KERNELS_LARGE_CG_CUH
/* The recipe of conjugate gradients: phy/detection/cg.h. */

#include "kernels/cuda/large/large_iterating.cuh"
#include "phy/detection/cg.h"

namespace
{

struct cg_recipe {
    static constexpr bool flags = true;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        const lte_cplx *const row = row_of(a, at, m);
        lte_cplx *const all = z + at.u * S * n_tx;
        lte_cplx rest[S], direction[S];
        float left[S], next[S];
        matched_filter<S>(a, at, m, rest);
#pragma unroll
        for (int i = 0; i < S; i++) {
            x[i] = c_zero();
            direction[i] = rest[i];
        }
        layer_product<S>(n_tx, at.k, rest, rest, (float *)all, left);
#pragma unroll 1
        for (int step = 0; step < a.parameter; step++) {
            lte_cplx image[S];
            float along[S];
            hand_around<S>(n_tx, at.k, direction, all);
            row_product<S>(n_tx, row, all, image);
            layer_product<S>(n_tx, at.k, direction, image, (float *)all, along);
#pragma unroll
            for (int i = 0; i < S; i++) {
                const float length = lte_cg_ratio(left[i], along[i]);
                x[i] = c_add_scaled(x[i], direction[i], length);
                rest[i] = c_add_scaled(rest[i], image[i], -length);
            }
            layer_product<S>(n_tx, at.k, rest, rest, (float *)all, next);
#pragma unroll
            for (int i = 0; i < S; i++) {
                direction[i] = c_add_scaled(rest[i], direction[i], lte_cg_ratio(next[i], left[i]));
                left[i] = next[i];
            }
        }
        return finished<S>(a, at, m, row, x);
    }
};

} // namespace

LTE_LARGE_DETECTOR(cg, cg_recipe)

#endif
