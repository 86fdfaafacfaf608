#ifndef LTE_KERNELS_OTHER_DETECTORS_CUH
#define LTE_KERNELS_OTHER_DETECTORS_CUH
/* The detectors that do not solve, as a template parameter: see detector<DET>. */

#include "kernels/device.cuh"
#include "phy/other_detectors.h"

#define DETECTOR(id_)                                                                              \
    template <> struct detector<LTE_DETECTOR_##id_> {                                              \
        template <int N, int INV, bool SINR = false>                                               \
        static __device__ __forceinline__ lte_mask prepare(float, int n_rx, int n_tx,              \
                                                           const lte_cplx *h, float n0,            \
                                                           lte_cplx *state)                        \
        {                                                                                          \
            lte_cplx g[layer_room(N) * layer_room(N)];                                             \
            return lte_##id_##_prepare(n_rx, n_tx, h, n0, SINR, g, state);                         \
        }                                                                                          \
        template <int N>                                                                           \
        static __device__ __forceinline__ void                                                     \
        apply(int n_rx, int n_tx, int n_bits, int parameter, lte_cplx *state, const lte_cplx *y,   \
              lte_cplx *x, float *rho = NULL)                                                      \
        {                                                                                          \
            lte_##id_##_apply(n_rx, n_tx, n_bits, parameter, state, y, x, rho);                    \
        }                                                                                          \
    };
LTE_OTHER_DETECTORS(DETECTOR)
#undef DETECTOR

#endif
