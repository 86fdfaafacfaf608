#ifndef LTE_KERNELS_LLRS_CUH
#define LTE_KERNELS_LLRS_CUH
/* LLRs of a thread's subcarrier to where they are handed over. */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/device.cuh"
#include "phy/detection/demap.h"

namespace
{

/*
 * Dimensions of a symbol whose LLRs are made side by side: of a large one code for both takes long
 * to compile.
 */
__host__ __device__ constexpr int dimensions_together(int n_bits)
{
    return n_bits > 4 ? 1 : 2;
}

/*
 * The LLRs of one dimension, of bits first, first + 2, .. of a symbol, as integers n_sc apart: see
 * store_llrs_of.
 */
template <int BITS>
__device__ __forceinline__ void store_dimension(const lte_output &output, int n_sc, int first,
                                                const float *llr, uint32_t flips, int8_t *out)
{
#pragma unroll BITS> LTE_FEW_BITS ? 1 : BITS
    for (int bit = 0; bit < BITS; bit += 2)
        out[(bit + first) * n_sc] =
            (int8_t)lte_quantise(r_flip(llr[bit], flips << (31 - bit - first)), output.llr_scale);
}

/*
 * Writes the LLRs of a symbol as integers, those of bits in flips with the other sign; of a bit
 * they are n_sc apart. A call: in the loops of every order it would take the registers of all the
 * rest.
 */
template <int BITS>
__device__ __noinline__ void store_llrs_of(const lte_output &output, int n_sc, lte_cplx x,
                                           float rho, uint32_t flips, int8_t *out)
{
    const lte_told told = lte_tell(x, rho);
#pragma unroll dimensions_together(BITS)
    for (int first = 0; first < 2; first++) {
        float llr[BITS];
        lte_soft_dimension(BITS, 0, output.demapper, first ? told.x.im : told.x.re, told.rho, llr);
        store_dimension<BITS>(output, n_sc, first, llr, flips, out);
    }
}

/*
 * All layers of a symbol, of whose first layer and this subcarrier flips, if not NULL, are, and the
 * LLRs.
 */
template <int N>
__device__ __forceinline__ void store_llrs(const lte_link &link, const lte_cplx *x,
                                           const float *rho, const uint8_t *flips, int8_t *llrs)
{
    const int n_tx = layers_of<N>(link);
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= n_tx)
            continue;
#define STORE(bits, ...)                                                                           \
    if (link.n_bits == bits)                                                                       \
        store_llrs_of<bits>(link.output, link.carrier.n_sc, x[k], rho[k],                          \
                            flips ? lte_label_at(bits, flips, k * link.carrier.n_sc) : 0,          \
                            llrs + k * bits * link.carrier.n_sc);
        LTE_MODULATIONS(STORE)
#undef STORE
    }
}

} // namespace

#endif
