#ifndef LTE_KERNELS_LARGE_CUH
#define LTE_KERNELS_LARGE_CUH
/* What the kernels of large arrays share: the noise of a unit, and the shape of a block. */

#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/large/large_cuda.h"

/* Those of a deadline run, of slot i at i mod n, where slot `first` is the first at hand. */
static inline lte_residuals residuals_of(const int64_t *d_residual, uint64_t first, uint64_t n)
{
    return {d_residual, first, n > 0 ? n : 1};
}

/* The residual's number of the slot of unit `unit`. */
static __device__ __forceinline__ uint64_t residual_at(const lte_units &units,
                                                       const lte_residuals &r, int unit)
{
    return (r.first + (uint64_t)lte_units_place(&units, unit / units.n_sc)) % r.n;
}

/* What the detector of unit `unit` of a link goes by. */
static __device__ __forceinline__ float unit_n0(const lte_link &link, const lte_units &units,
                                                lte_noise noise, const lte_residuals &r, int unit)
{
    return effective_n0(link, noise, r.at ? r.at + residual_at(units, r, unit) : NULL,
                        unit % units.n_sc);
}

/* The same in symbol l of slots whose H may be made of two estimates. */
static __device__ __forceinline__ float symbol_n0(const lte_link &link, const lte_units &units,
                                                  lte_noise noise, const lte_residuals &r, int unit,
                                                  int l)
{
    if (!noise.combination)
        return unit_n0(link, units, noise, r, unit);
    return combined_n0(link, noise, r.at, residual_at(units, r, unit), l, unit % units.n_sc);
}

/*
 * Subcarriers of a block that detects: a thread for each layer of each, a multiple of 4 so that a
 * block's bits begin on a byte.
 */
enum { DETECT_STEP = 4, DETECT_THREADS = 128, DETECT_MOST_THREADS = DETECT_STEP * LTE_MAX_TX };
static inline int detect_subcarriers(int n_tx)
{
    const int n = DETECT_THREADS / n_tx / DETECT_STEP * DETECT_STEP;
    return n < DETECT_STEP ? DETECT_STEP : n;
}

#endif
