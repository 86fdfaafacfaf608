#ifndef LTE_KERNELS_LARGE_MRC_CUH
#define LTE_KERNELS_LARGE_MRC_CUH
/* The recipe of maximum-ratio combining, whose filter is made on the way: phy/detection/mrc.h. */

#include "kernels/cuda/large/large_decide.cuh"
#include "phy/detection/mrc.h"

namespace
{

struct mrc_recipe {
    static constexpr bool flags = true;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        (void)z;
        const int n_tx = a.link.n_tx, n_rx = a.link.n_rx;
        const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.receiver.n_csi + m;
        const lte_cplx *const h = a.h + matrix * n_rx * n_tx + at.k;
        const lte_cplx *const y = a.y + ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + m * S) * n_rx;
        float power = 0.0f;
        for (int r = 0; r < n_rx; r++)
            lte_add_power(h[r * n_tx], &power);
        const float inverse = 1.0f / power;
        bool none = !lte_divides(power * power);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_zero();
        for (int r = 0; r < n_rx; r++) {
            const lte_cplx w = lte_mrc_element(h[r * n_tx], inverse);
            none = none || !r_finite(w.re) || !r_finite(w.im);
#pragma unroll
            for (int i = 0; i < S; i++)
                x[i] = c_mac(x[i], w, y[i * n_rx + r]);
        }
        return none;
    }
};

} // namespace

LTE_LARGE_DETECTOR(mrc, mrc_recipe)

#endif
