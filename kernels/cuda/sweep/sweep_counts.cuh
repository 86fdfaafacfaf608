#ifndef LTE_KERNELS_SWEEP_COUNTS_CUH
#define LTE_KERNELS_SWEEP_COUNTS_CUH
/*
 * What a sweep on the device counts: errors of decisions, and what LLRs are worth. A warp sums what
 * its threads have, and adds it to the counts of its slot or of its block.
 */

#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/device/llrs.cuh"
#include "kernels/cuda/sweep/sweep_kernels.cuh"

namespace
{

/*
 * Where counts of a slot stand in a word: a warp has at most 32 * 7 * 10 bits, 32 * 7 symbols and
 * as many vectors.
 */
enum { SYMBOLS_PLACE = 16, VECTORS_PLACE = 24 };

/* Adds the warp's counts of a detector: wrong [n_tx], as count_errors has them. */
template <int N>
__device__ __forceinline__ void add_errors(int n_tx, bool live, const uint32_t *wrong,
                                           uint32_t flagged, uint32_t *errors)
{
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= n_tx)
            continue;
        const uint32_t sum = __reduce_add_sync(~0u, live ? wrong[k] : 0u);
        if (threadIdx.x % WARP == 0 && sum) {
            atomicAdd(&errors[lte_bits_at(k)], sum & 0xffffu);
            atomicAdd(&errors[lte_symbols_at(n_tx, k)], (sum >> SYMBOLS_PLACE) & 0xffu);
            if (k == 0 && sum >> VECTORS_PLACE)
                atomicAdd(&errors[lte_vectors_at(n_tx)], sum >> VECTORS_PLACE);
        }
    }
    const uint32_t sum = __reduce_add_sync(~0u, flagged);
    if (threadIdx.x % WARP == 0 && sum)
        atomicAdd(&errors[lte_flagged_at(n_tx)], sum);
}

/*
 * Adds what the LLRs of a symbol are worth: to lost [BITS], of its layer, and to common, the counts
 * of all layers. A call: in the loops of every order it would take the registers of all the rest.
 */
template <int BITS>
__device__ __noinline__ void count_llrs_of(const lte_output &output, int symbol, lte_cplx x,
                                           float rho, uint32_t sent, bool live, uint32_t *lost,
                                           uint32_t *common)
{
    uint64_t of_re = 0, of_im = 0; /* the integers of a dimension, a byte each */
    uint32_t cut = 0;
    const lte_told told = lte_tell(x, rho);
#pragma unroll dimensions_together(BITS)
    for (int first = 0; first < 2; first++) {
        float llr[BITS];
        uint64_t integers = 0;
        lte_soft_dimension(BITS, 0, output.demapper, first ? told.x.im : told.x.re, told.rho, llr);
#pragma unroll BITS> LTE_FEW_BITS ? 1 : BITS
        for (int even = 0; even < BITS; even += 2) {
            const int bit = even + first;
            const float towards = r_flip(llr[even], sent << (31 - bit));
            const uint32_t value = lte_quantise(towards, output.llr_scale);
            warp_add(live ? lte_loss(towards) : 0, &lost[bit]);
            cut += lte_is_cut(value);
            integers = integers << 8 | (value & 0xffu);
        }
        of_re = first ? of_re : integers;
        of_im = integers;
    }
    warp_add(live ? cut : 0, &common[LTE_N_LLR_SCALES]);
#pragma unroll 1
    for (int s = 0; s < LTE_N_LLR_SCALES && symbol == 0; s++) {
        uint32_t sum = 0;
        for (int i = 0; i < BITS / 2; i++) {
            sum += output.scale_losses[lte_scale_loss_at(s, (int8_t)(of_re >> 8 * i))];
            sum += output.scale_losses[lte_scale_loss_at(s, (int8_t)(of_im >> 8 * i))];
        }
        warp_add(live ? sum : 0, &common[s]);
    }
}

/* All layers of a symbol are counted. */
template <int N>
__device__ __forceinline__ void count_llrs(const lte_link &link, int symbol, const lte_cplx *x,
                                           const float *rho, const uint32_t *sent, bool live,
                                           uint32_t *counts)
{
    const int n_tx = layers_of<N>(link);
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= n_tx)
            continue;
#define COUNT(bits, ...)                                                                           \
    if (link.n_bits == bits)                                                                       \
        count_llrs_of<bits>(link.output, symbol, x[k], rho[k], sent[k], live, counts + k * bits,   \
                            counts + n_tx * bits);
        LTE_MODULATIONS(COUNT)
#undef COUNT
    }
}

/* Adds a block's counts to its slot's, once all of its warps are here. */
__device__ __forceinline__ void flush_llr_counts(const sweep_args &a, int n_tx, int slot_index,
                                                 const uint32_t *counts)
{
    uint32_t *const out =
        a.errors + lte_counts_at(a.link.output.n_counts, (ptrdiff_t)slot_index * a.n_columns) +
        lte_lost_at(n_tx, a.link.n_bits, 0, 0);
    __syncthreads();
    for (int i = threadIdx.x; i < n_llr_counts(a.link); i += blockDim.x)
        if (counts[i])
            atomicAdd(&out[i], counts[i]);
}

} // namespace

#endif
