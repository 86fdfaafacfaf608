#ifndef LTE_KERNELS_OTHER_DETECTORS_CUH
#define LTE_KERNELS_OTHER_DETECTORS_CUH
/* The detectors that do not solve, as a template parameter: see detector<DET>. */

#include "kernels/device.cuh"
#include "phy/other_detectors.h"

/* Which one is known at run time: `which` is its id. */
template <> struct detector<OTHER> {
    template <int N, int INV, bool SINR = false>
    static __device__ __forceinline__ lte_mask prepare(float, int n_rx, int n_tx, int which,
                                                       const lte_cplx *h, float n0, lte_cplx *state)
    {
#define PREPARE(id)                                                                                \
    if (which == LTE_DETECTOR_##id) {                                                              \
        lte_cplx g[layer_room(N) * layer_room(N)];                                                 \
        return lte_##id##_prepare(n_rx, n_tx, h, n0, SINR, g, state);                              \
    }
        LTE_OTHER_DETECTORS(PREPARE)
#undef PREPARE
        return 1;
    }
    /* Each with arrays of its own: those that are handed to a call lie in memory. */
    template <int N>
    static __device__ __forceinline__ void apply(int n_rx, int n_tx, int which, int n_bits,
                                                 int parameter, lte_cplx *state, const lte_cplx *y,
                                                 lte_cplx *x, float *rho = NULL)
    {
#define APPLY(id)                                                                                  \
    if (which == LTE_DETECTOR_##id) {                                                              \
        lte_cplx estimate[layer_room(N)];                                                          \
        float sinr[layer_room(N)];                                                                 \
        lte_##id##_apply(n_rx, n_tx, n_bits, parameter, state, y, estimate, rho ? sinr : NULL);    \
        copy_layers<N>(n_tx, estimate, x);                                                         \
        if (rho)                                                                                   \
            copy_layers<N>(n_tx, sinr, rho);                                                       \
    }
        LTE_OTHER_DETECTORS(APPLY)
#undef APPLY
    }

  private:
    template <int N, class T>
    static __device__ __forceinline__ void copy_layers(int n_tx, const T *from, T *to)
    {
#pragma unroll
        for (int k = 0; k < layer_room(N); k++) {
            if (k < n_tx)
                to[k] = from[k];
        }
    }
};

#endif
