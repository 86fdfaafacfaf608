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
        const lte_detector_plan plan = plan_of(n_rx, n_tx, SINR, 0);
#define PREPARE(name)                                                                              \
    if (which == LTE_DETECTOR_##name) {                                                            \
        lte_cplx own[layer_room(N) * layer_room(N)];                                               \
        lte_cplx *const work = N == ANY_ORDER ? of_all : own;                                      \
        return lte_##name##_prepare(&plan, h, lte_white(n0), NULL, state, work);                   \
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
        const lte_detector_plan plan = plan_of(n_rx, n_tx, rho, parameter);
        (void)n_bits;
#define APPLY(name)                                                                                \
    if (which == LTE_DETECTOR_##name) {                                                            \
        lte_cplx own[layer_room(N)];                                                               \
        float sinr[layer_room(N)];                                                                 \
        lte_cplx *const estimate = N == ANY_ORDER ? x : own;                                       \
        float *const at = !rho ? NULL : N == ANY_ORDER ? rho : sinr;                               \
        lte_##name##_estimate(&plan, state, y, estimate, at);                                      \
        copy_layers<N>(estimate, x);                                                               \
        if (rho)                                                                                   \
            copy_layers<N>(at, rho);                                                               \
    }
        LTE_OTHER_DETECTORS(APPLY)
#undef APPLY
    }

  private:
    /* What these detectors read of a plan. */
    static __device__ __forceinline__ lte_detector_plan plan_of(int n_rx, int n_tx, bool llrs,
                                                                int parameter)
    {
        lte_detector_plan plan;
        plan.n_rx = n_rx;
        plan.n_tx = n_tx;
        plan.llrs = llrs;
        plan.detector.value[0] = parameter;
        return plan;
    }
    template <int N, class T>
    static __device__ __forceinline__ void copy_layers(const T *from, T *to)
    {
#pragma unroll
        for (int k = 0; k < N; k++)
            to[k] = from[k];
    }
};

#endif
