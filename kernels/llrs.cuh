#ifndef LTE_KERNELS_LLRS_CUH
#define LTE_KERNELS_LLRS_CUH
/* LLRs of a thread's subcarrier to where they are handed over. */

#include "kernels/device.cuh"
#include "phy/demap.h"

namespace
{

/*
 * Writes the LLRs of a symbol as integers, those of bits in flips with the other sign; of a bit they are n_sc
 * apart. A call: in the loops of every order it would take the registers of all the rest.
 */
template <int BITS>
__device__ __noinline__ void store_llrs_of(const lte_output &output, int n_sc, lte_cplx x,
                                           float rho, uint32_t flips, int8_t *out)
{
    float llr[BITS];
    lte_demap_soft(BITS, output.demapper, x, rho, llr);
#pragma unroll
    for (int bit = 0; bit < BITS; bit++)
        out[bit * n_sc] =
            (int8_t)lte_quantise(r_flip(llr[bit], flips << (31 - bit)), output.llr_scale);
}

/* All layers of a symbol, of whose first layer and this subcarrier flips, if not NULL, are, and the LLRs. */
template <int N>
__device__ __forceinline__ void store_llrs(const lte_link &link, const lte_cplx *x,
                                           const float *rho, const uint8_t *flips, int8_t *llrs)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
#define STORE(bits)                                                                                \
    if (link.n_bits == bits)                                                                       \
        store_llrs_of<bits>(link.output, link.n_sc, x[k], rho[k],                                  \
                            flips ? flips[k * link.n_sc] : 0, llrs + k * bits * link.n_sc);
        LTE_FOR_BITS(STORE)
#undef STORE
    }
}

} // namespace

#endif
