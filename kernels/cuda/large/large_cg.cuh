#ifndef LTE_KERNELS_LARGE_CG_CUH
#define LTE_KERNELS_LARGE_CG_CUH
/* The recipe of conjugate gradients: phy/detection/cg.h. */

#include "kernels/cuda/large/large_iterating.cuh"
#include "phy/detection/cg.h"

namespace
{

struct cg_iterations {
    using steps = lte_cg_steps;

    /* The sum over probes, in their order, of products of layers. */
    static __device__ __forceinline__ float probes_product(int n_tx, int k, const lte_cplx *a,
                                                           const lte_cplx *b, float *shared)
    {
        float each[LTE_CG_PROBES], sum = 0.0f;
        layer_product<LTE_CG_PROBES>(n_tx, k, a, b, shared, each);
#pragma unroll
        for (int v = 0; v < LTE_CG_PROBES; v++)
            sum = sum + each[v];
        return sum;
    }

    static __device__ __forceinline__ void learn(const decide_args &a, const place &at, float n0,
                                                 const lte_cplx *row, lte_cplx *all, steps *learned)
    {
        const int n_tx = a.link.n_tx;
        lte_cplx rest[LTE_CG_PROBES], direction[LTE_CG_PROBES];
#pragma unroll
        for (int v = 0; v < LTE_CG_PROBES; v++)
            rest[v] = direction[v] = lte_cg_probed(n_tx, v, at.k, row, n0);
        const float first = probes_product(n_tx, at.k, rest, rest, (float *)all);
        float left = first;
#pragma unroll 1
        for (int step = 0; step < a.parameter; step++) {
            lte_cplx image[LTE_CG_PROBES];
            hand_around<LTE_CG_PROBES>(n_tx, at.k, direction, all);
            row_product<LTE_CG_PROBES>(n_tx, row, all, image);
            const float along = probes_product(n_tx, at.k, direction, image, (float *)all);
            const float length = lte_cg_length(first, left, along);
#pragma unroll
            for (int v = 0; v < LTE_CG_PROBES; v++)
                rest[v] = c_add_scaled(rest[v], image[v], -length);
            const float next = probes_product(n_tx, at.k, rest, rest, (float *)all);
            const float weight = lte_cg_ratio(next, left);
#pragma unroll
            for (int v = 0; v < LTE_CG_PROBES; v++)
                direction[v] = c_add_scaled(rest[v], direction[v], weight);
            left = next;
            learned->length[step] = length;
            learned->weight[step] = weight;
        }
    }

    template <int S>
    static __device__ __forceinline__ void iterate(const decide_args &a, const place &at,
                                                   const lte_cplx *row, float, const lte_cplx *z,
                                                   lte_cplx *all, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        lte_cplx rest[S], direction[S];
        float left[S], next[S];
#pragma unroll
        for (int i = 0; i < S; i++) {
            x[i] = c_zero();
            rest[i] = direction[i] = z[i];
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
    }

    template <int S>
    static __device__ __forceinline__ void follow(const decide_args &a, const place &at,
                                                  const lte_cplx *row, float, const steps &learned,
                                                  const lte_cplx *z, lte_cplx *all, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        lte_cplx rest[S], direction[S];
#pragma unroll
        for (int i = 0; i < S; i++) {
            x[i] = c_zero();
            rest[i] = direction[i] = z[i];
        }
#pragma unroll 1
        for (int step = 0; step < a.parameter; step++) {
            lte_cplx image[S];
            hand_around<S>(n_tx, at.k, direction, all);
            row_product<S>(n_tx, row, all, image);
#pragma unroll
            for (int i = 0; i < S; i++) {
                x[i] = c_add_scaled(x[i], direction[i], learned.length[step]);
                rest[i] = c_add_scaled(rest[i], image[i], -learned.length[step]);
                direction[i] = c_add_scaled(rest[i], direction[i], learned.weight[step]);
            }
        }
    }
};

} // namespace

LTE_LARGE_DETECTOR(cg, iterating_recipe<cg_iterations>)

#endif
