#ifndef LTE_KERNELS_SWEEP_SEARCHING_CUH
#define LTE_KERNELS_SWEEP_SEARCHING_CUH
/*
 * The kernels of the sweep for one of LTE_SEARCHING_DETECTORS, in an object of its own: a thread
 * takes one subcarrier of one slot from its draws to its error counts, as in sweep_thread.cuh, and
 * searches in registers. Of links of 2, 4 or 8 antennas a side whose H is known.
 *
 *     #include "kernels/cuda/device/search_ml.cuh"
 *     #include "phy/detection/ml.h"
 *     #include "kernels/cuda/sweep/sweep_searching.cuh"
 *     LTE_SWEEP_SEARCHING(ml, lte_sweep_, bits_alone, true, search_ml<1>,
 *                         !(detector.value[LTE_ML_BUDGET] > 0.0))
 *
 * The text is that of phy for an order and a modulation that the compiler knows, without a call. A
 * warp goes in step where a search asks whether any lane needs something. H, and what of its state
 * a decision alone begins with, lie in shared memory.
 */

#include "kernels/cuda/device/searches.cuh"
#include "kernels/cuda/sweep/sweep_thread.cuh"
#include "phy/detection/tree.h"

namespace
{

/* Elements of work, of a search by ranks. */
template <int N> __host__ __device__ constexpr int searched_work()
{
    return 4 * N * N + N * LTE_MAX_BITS;
}

/* What a thread looks up: behind what all threads of the block have. */
__device__ __forceinline__ lte_cplx *lookups_of(const sweep_args &a, const block_memory &shared)
{
    lte_cplx *const all = shared.matrices - (int)threadIdx.x * a.stride;
    return (lte_cplx *)lte_lookups_of(all + (int)blockDim.x * a.stride, a.lookups);
}

/*
 * Adds what an LLR towards the bit that was sent is worth, to lost, of its bit, and to common, the
 * counts of all of them. A call, of values alone.
 */
static __device__ __noinline__ void count_llr(const lte_output &output, int symbol, float towards,
                                              bool live, uint32_t *lost, uint32_t *common)
{
    const uint32_t value = lte_quantise(towards, output.llr_scale);
    warp_add(live ? lte_loss(towards) : 0, lost);
    warp_add(live ? lte_is_cut(value) : 0, &common[LTE_N_LLR_SCALES]);
    for (int s = 0; s < LTE_N_LLR_SCALES && symbol == 0; s++)
        warp_add(live ? output.scale_losses[lte_scale_loss_at(s, (int)value)] : 0, &common[s]);
}

/* The LLRs of a symbol, llr [N][n_bits], are counted, or stored: as with_llrs::take. */
template <int N, int BITS>
__device__ __forceinline__ void take_llrs(const sweep_args &a, const subcarrier &s, int symbol,
                                          int n_bits, const float *llr, const uint32_t *sent,
                                          uint32_t *counts)
{
    const int n_sc = a.link.carrier.n_sc;
    int8_t *const out = s.llrs + symbol * N * n_bits * n_sc;
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t flips =
            s.carries ? lte_label_at(n_bits, s.flips, (symbol * N + k) * n_sc) : sent[k];
#pragma unroll
        for (int bit = 0; bit < (BITS ? BITS : LTE_MAX_BITS); bit++) {
            if (bit >= n_bits)
                continue;
            const int e = k * n_bits + bit;
            const float turned = r_flip(llr[e], flips << (31 - bit));
            if (!s.carries)
                count_llr(a.link.output, symbol, turned, s.live, &counts[e], &counts[N * n_bits]);
            else if (s.counts)
                out[e * n_sc] = (int8_t)lte_quantise(turned, a.link.output.llr_scale);
        }
    }
}

/* A thread's subcarrier: as sweep_subcarrier. */
template <int N, int BITS, lte_detector_prepare_fn *PREPARE, class SEARCH, class OUT>
__device__ __forceinline__ void search_subcarrier(const sweep_args &a, const block_memory &shared,
                                                  int entry, int slot_index, int sc, bool listens)
{
    registers<N, N, 1, OUT> own;
    subcarrier s =
        place_subcarrier<N, N, 1, false, OUT>(a, shared, entry, slot_index, sc, listens, &own);
    const lte_cf32 *const tap = a.tap + s.slot_index * a.slot_taps;
    lte_cplx *const kept = shared.matrices + N * N; /* what of the state each symbol begins with */
    /* the first N N of which a decision alone begins with; apart: each may lie in registers */
    lte_cplx state[SEARCH::template state<N> + N];
    lte_cplx work[searched_work<N>()];
    uint32_t wrong[N] = {}, flagged = 0;
    lte_detector_plan plan = {};
    plan.n_rx = plan.n_tx = N;
    plan.n_bits = BITS ? BITS : a.link.n_bits;
    plan.llrs = OUT::SINRS != 0;
    plan.demapper = a.link.output.demapper;
    plan.detector.value[0] = a.searching.value[0]; /* others, with LLRs alone: */
    plan.detector.value[1] = a.searching.value[1];
    s.h = shared.matrices;
#pragma unroll 1
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        uint32_t label[N], decided[N];
        float llr[OUT::SINRS ? N * (BITS ? BITS : LTE_MAX_BITS) : 1];
        if (symbol < a.link.channel.n_h) {
            draw_channel(a.link, tap, s.slot, symbol, (uint32_t)s.sc, s.h);
            const lte_mask flag = PREPARE(&plan, s.h, lte_white(a.noise.n0), NULL, state, work);
            flagged += flag && s.counts;
#pragma unroll
            for (int e = 0; e < N * N; e++)
                kept[e] = state[e];
        }
        transmit<N, N, OUT>(a, shared.qam, &s, symbol, label);
#pragma unroll
        for (int e = 0; e < N * N; e++)
            state[e] = kept[e];
        const lte_decision decision = {decided, OUT::SINRS ? llr : NULL, NULL};
        SEARCH::template run<N, BITS>(&plan, state, s.y, &decision,
                                      SEARCH::looks_up ? lookups_of(a, shared) : work, 0);
        if (OUT::SINRS)
            take_llrs<N, BITS>(a, s, symbol, plan.n_bits, llr, label, shared.counts);
        if (!s.carries || lte_grid_carries(&a.link.carrier.grid, s.slot, symbol, s.place))
            count_errors<N>(N, label, decided, wrong);
    }
    add_errors<N>(N, s.counts, wrong, flagged,
                  a.errors +
                      lte_counts_at(a.link.output.n_counts, (ptrdiff_t)slot_index * a.n_columns));
}

/* Blocks of a multiprocessor: what they leave of its registers is enough for a search. */
template <int N, class OUT> __host__ __device__ constexpr int searching_blocks()
{
    return N == 8 ? 2 : N == 4 ? (OUT::SINRS ? 3 : 4) : OUT::SINRS ? 5 : 7;
}

/*
 * Of an order, modulations up to 64QAM, and of 8 layers up to 16QAM; each has a text of its own, 2
 * to 5 times as fast as one that takes any.
 */
template <int N, lte_detector_prepare_fn *PREPARE, class SEARCH, class OUT>
__global__ __launch_bounds__(SWEEP_BLOCK, searching_blocks<N, OUT>()) void sweep_kernel5(
    const __grid_constant__ sweep_args a)
{
    if (a.link.n_bits == 2)
        sweep_block<N, OUT, search_subcarrier<N, 2, PREPARE, SEARCH, OUT>>(a);
    else if (N == 8 || a.link.n_bits == 4)
        sweep_block<N, OUT, search_subcarrier<N, 4, PREPARE, SEARCH, OUT>>(a);
    else if constexpr (N < 8)
        sweep_block<N, OUT, search_subcarrier<N, 6, PREPARE, SEARCH, OUT>>(a);
}

/* Of an order, and any modulation. */
template <int N, lte_detector_prepare_fn *PREPARE, class SEARCH, class OUT>
__global__
__launch_bounds__(SWEEP_BLOCK) void sweep_kernel5_any(const __grid_constant__ sweep_args a)
{
    sweep_block<N, OUT, search_subcarrier<N, 0, PREPARE, SEARCH, OUT>>(a);
}

/* Of 2 and 4 antennas a side, and of 8 if LARGE; H known. */
template <lte_detector_prepare_fn *PREPARE, class SEARCH, class OUT, bool LARGE>
sweep_kernel *searching_of(const lte_link *link, lte_detector detector)
{
    const int n = link->n_tx;
    const lte_detector_plan plan = lte_detector_plan_of(detector, n, n, link->n_bits, true);
    const int room = n == 2 ? searched_work<2>() : n == 4 ? searched_work<4>() : searched_work<8>();
    if (!SEARCH::looks_up && lte_detector_row_of(detector)->work(&plan) > room)
        return NULL;
    if (link->n_rx != n || lte_link_estimates(link))
        return NULL;
    if constexpr (LARGE) {
        if (n == 8 && link->n_bits <= 4)
            return sweep_kernel5<8, PREPARE, SEARCH, OUT>;
    }
    if (n == 2)
        return link->n_bits <= 6 ? sweep_kernel5<2, PREPARE, SEARCH, OUT>
                                 : sweep_kernel5_any<2, PREPARE, SEARCH, OUT>;
    if (n == 4)
        return link->n_bits <= 6 ? sweep_kernel5<4, PREPARE, SEARCH, OUT>
                                 : sweep_kernel5_any<4, PREPARE, SEARCH, OUT>;
    return NULL;
}

} // namespace

/*
 * To bits, OUT bits_alone, or with LLRs, with_llrs; large: of 8 layers, too; for detectors of which
 * `takes` holds.
 */
#define LTE_SWEEP_SEARCHING(id, name, OUT, large, search, takes)                                   \
    extern "C" sweep_kernel *name##id(const lte_link *link, lte_detector detector)                 \
    {                                                                                              \
        return (takes) ? searching_of<lte_##id##_prepare, search, OUT, large>(link, detector)      \
                       : NULL;                                                                     \
    }

#endif
