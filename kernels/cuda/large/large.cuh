#ifndef LTE_KERNELS_LARGE_CUH
#define LTE_KERNELS_LARGE_CUH
/* What the kernels of large arrays share: where slots and their noise lie, and who decides. */

#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/large/large_cuda.h"

/* The residuals of slots: that of slot i, from first on, at (first + i) mod n; at may be NULL. */
struct residuals {
    const int64_t *at;
    uint64_t first, n;
};

static inline residuals residuals_of(const int64_t *d_residual, uint64_t first, uint64_t n)
{
    return {d_residual, first, n > 0 ? n : 1};
}

/* What the detector of unit `unit` goes by. */
static __device__ __forceinline__ float unit_n0(const lte_link &link, lte_noise noise,
                                                const residuals &r, int unit)
{
    const uint64_t slot = (uint64_t)(unit / link.n_sc);
    return effective_n0(link, noise, r.at ? r.at + (r.first + slot) % r.n : NULL, unit % link.n_sc);
}

/* The same in symbol l of slots whose H may be made of two estimates. */
static __device__ __forceinline__ float symbol_n0(const lte_link &link, lte_noise noise,
                                                  const residuals &r, int unit, int l)
{
    if (!noise.combination)
        return unit_n0(link, noise, r, unit);
    return combined_n0(link, noise, r.at, (r.first + (uint64_t)(unit / link.n_sc)) % r.n, l,
                       unit % link.n_sc);
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
