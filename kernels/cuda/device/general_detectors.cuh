#ifndef LTE_KERNELS_OTHER_DETECTORS_CUH
#define LTE_KERNELS_OTHER_DETECTORS_CUH
/* The detectors that do not solve, as a template parameter: see detector<DET>. */

#include "kernels/cuda/device/device.cuh"
#include "phy/detection/other_detectors.h"

/*
 * Which one is known at run time: `which` is its id. Each has arrays of its own, because one that
 * is handed to a call lies in memory; those of any order lie there all, and share them.
 */
template <> struct detector<OTHER> {
    template <int N, int INV, bool SINR = false>
    static __device__ __forceinline__ lte_mask prepare(float, int n_rx, int n_tx, int which,
                                                       const lte_cplx *h, float n0, lte_cplx *state)
    {
        lte_cplx of_all[N == ANY_ORDER ? LTE_MAX_ORDER * LTE_MAX_ORDER : 1];
#define PREPARE(id)                                                                                \
    if (which == LTE_DETECTOR_##id) {                                                              \
        lte_cplx own[layer_room(N) * layer_room(N)];                                               \
        lte_cplx *const g = N == ANY_ORDER ? of_all : own;                                         \
        return lte_##id##_prepare(n_rx, n_tx, h, n0, SINR, g, state);                              \
    }
        LTE_OTHER_DETECTORS(PREPARE)
#undef PREPARE
        return 1;
    }
    template <int N>
    static __device__ __forceinline__ void apply(int n_rx, int n_tx, int which, int n_bits,
                                                 int parameter, lte_cplx *state, const lte_cplx *y,
                                                 lte_cplx *x, float *rho = NULL)
    {
#define APPLY(id)                                                                                  \
    if (which == LTE_DETECTOR_##id) {                                                              \
        lte_cplx own[layer_room(N)];                                                               \
        float sinr[layer_room(N)];                                                                 \
        lte_cplx *const estimate = N == ANY_ORDER ? x : own;                                       \
        float *const at = !rho ? NULL : N == ANY_ORDER ? rho : sinr;                               \
        lte_##id##_apply(n_rx, n_tx, n_bits, parameter, state, y, estimate, at);                   \
        copy_layers<N>(estimate, x);                                                               \
        if (rho)                                                                                   \
            copy_layers<N>(at, rho);                                                               \
    }
        LTE_OTHER_DETECTORS(APPLY)
#undef APPLY
    }

  private:
    template <int N, class T>
    static __device__ __forceinline__ void copy_layers(const T *from, T *to)
    {
#pragma unroll
        for (int k = 0; k < N; k++)
            to[k] = from[k];
    }
};

#endif
