#ifndef LTE_KERNELS_GENERAL_DETECTORS_CUH
#define LTE_KERNELS_GENERAL_DETECTORS_CUH
/*
 * One of LTE_OTHER_DETECTORS, whose file comes first, as a template parameter: see detector<DET>.
 *
 *     #include "phy/detection/cg.h"
 *     LTE_GENERAL_DETECTOR(cg)
 */

#include "kernels/cuda/device/device.cuh"
#include "phy/detection/detector.h"

namespace
{

/* What these detectors read of a plan. */
__device__ __forceinline__ lte_detector_plan general_plan(int n_rx, int n_tx, bool llrs,
                                                          int parameter)
{
    lte_detector_plan plan;
    plan.n_rx = n_rx;
    plan.n_tx = n_tx;
    plan.llrs = llrs;
    plan.detector.value[0] = parameter;
    return plan;
}

template <int N, class T> __device__ __forceinline__ void copy_layers(const T *from, T *to)
{
#pragma unroll
    for (int k = 0; k < N; k++)
        to[k] = from[k];
}

/*
 * Arrays that are handed to a call lie in memory, so the detector has some of its own; those of any
 * order lie there all.
 */
template <int N, lte_detector_prepare_fn *PREPARE>
__device__ __forceinline__ lte_mask general_prepare(int n_rx, int n_tx, bool llrs, int parameter,
                                                    const lte_cplx *h, float n0, lte_cplx *state)
{
    lte_cplx work[layer_room(N) * layer_room(N)];
    const lte_detector_plan plan = general_plan(n_rx, n_tx, llrs, parameter);
    return PREPARE(&plan, h, lte_white(n0), NULL, state, work);
}

template <int N, lte_detector_estimate_fn *ESTIMATE>
__device__ __forceinline__ void general_apply(int n_rx, int n_tx, int parameter, lte_cplx *state,
                                              const lte_cplx *y, lte_cplx *x, float *rho)
{
    const lte_detector_plan plan = general_plan(n_rx, n_tx, rho, parameter);
    lte_cplx own[layer_room(N)];
    float sinr[layer_room(N)];
    lte_cplx *const estimate = N == ANY_ORDER ? x : own;
    float *const at = !rho ? NULL : N == ANY_ORDER ? rho : sinr;
    ESTIMATE(&plan, state, y, estimate, at);
    copy_layers<N>(estimate, x);
    if (rho)
        copy_layers<N>(at, rho);
}

} // namespace

#define LTE_GENERAL_DETECTOR(id)                                                                   \
    template <> struct detector<LTE_DETECTOR_##id> {                                               \
        template <int N, int INV, bool SINR = false>                                               \
        static __device__ __forceinline__ lte_mask prepare(float, int parameter, int n_rx,         \
                                                           int n_tx, int, const lte_cplx *h,       \
                                                           float n0, lte_cplx *state)              \
        {                                                                                          \
            return general_prepare<N, lte_##id##_prepare>(n_rx, n_tx, SINR, parameter, h, n0,      \
                                                          state);                                  \
        }                                                                                          \
        template <int N>                                                                           \
        static __device__ __forceinline__ void apply(int n_rx, int n_tx, int parameter,            \
                                                     lte_cplx *state, const lte_cplx *y,           \
                                                     lte_cplx *x, float *rho = NULL)               \
        {                                                                                          \
            general_apply<N, lte_##id##_estimate>(n_rx, n_tx, parameter, state, y, x, rho);        \
        }                                                                                          \
    };

#endif
