#ifndef LTE_KERNELS_SWEEP_SEARCHING_CUH
#define LTE_KERNELS_SWEEP_SEARCHING_CUH
/*
 * The kernels of the sweep for one of LTE_SEARCHING_DETECTORS, in an object of its own: a thread
 * takes one subcarrier of one slot from its draws to its error counts, as in sweep_thread.cuh, and
 * searches in registers. Of links of 2 or 4 antennas a side whose H is known.
 *
 *     #include "kernels/cuda/device/in_step.cuh"
 *     #include "phy/detection/ml.h"
 *     #include "kernels/cuda/sweep/sweep_searching.cuh"
 *     LTE_SWEEP_SEARCHING(ml, lte_ml_search, !(detector.value[LTE_ML_BUDGET] > 0.0))
 *
 * The text is that of phy for an order and a modulation that the compiler knows, without a call. A
 * warp goes in step where a search asks whether any lane needs something. H, and what of its state
 * a decision alone begins with, lie in shared memory.
 */

#include "kernels/cuda/sweep/sweep_thread.cuh"
#include "phy/detection/tree.h"

namespace
{

/* Elements of a state at most, the first N N of which a decision alone begins with, and of work. */
template <int N> struct searched_memory {
    lte_cplx state[LTE_TREE_STATE(N, N) + N], work[4 * N * N];
};

/* A thread's subcarrier: as sweep_subcarrier. */
template <int N, int BITS, lte_detector_prepare_fn *PREPARE, lte_detector_detect_fn *DETECT>
__device__ __forceinline__ void search_subcarrier(const sweep_args &a, const block_memory &shared,
                                                  int entry, int slot_index, int sc)
{
    registers<N, N, 1, bits_alone> own;
    subcarrier s =
        place_subcarrier<N, N, 1, false, bits_alone>(a, shared, entry, slot_index, sc, true, &own);
    const lte_cf32 *const tap = a.tap + s.slot_index * a.slot_taps;
    lte_cplx *const kept = shared.matrices + N * N; /* what of the state each symbol begins with */
    searched_memory<N> own_memory;
    lte_cplx *const state = own_memory.state;
    uint32_t wrong[N] = {}, flagged = 0;
    lte_detector_plan plan = {};
    plan.n_rx = plan.n_tx = N;
    plan.n_bits = BITS ? BITS : a.link.n_bits;
    plan.llrs = false;
    plan.detector.value[0] = a.parameter;
    s.h = shared.matrices;
#pragma unroll 1
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        uint32_t label[N], decided[N];
        if (symbol < a.link.channel.n_h) {
            draw_channel(a.link, tap, s.slot, symbol, (uint32_t)s.sc, s.h);
            const lte_mask flag =
                PREPARE(&plan, s.h, lte_white(a.noise.n0), NULL, state, own_memory.work);
            flagged += flag && s.counts;
#pragma unroll
            for (int e = 0; e < N * N; e++)
                kept[e] = state[e];
        }
        transmit<N, N, bits_alone>(a, shared.qam, &s, symbol, label);
#pragma unroll
        for (int e = 0; e < N * N; e++)
            state[e] = kept[e];
        lte_decision decision = {decided, NULL, NULL};
        (void)DETECT(&plan, state, s.y, &decision, own_memory.work);
        count_errors<N>(N, label, decided, wrong);
    }
    add_errors<N>(N, s.counts, wrong, flagged,
                  a.errors +
                      lte_counts_at(a.link.output.n_counts, (ptrdiff_t)slot_index * a.n_columns));
}

template <int N, int BITS, lte_detector_prepare_fn *PREPARE, lte_detector_detect_fn *DETECT>
__global__ __launch_bounds__(SWEEP_BLOCK) void sweep_kernel5(const __grid_constant__ sweep_args a)
{
    extern __shared__ lte_cplx shared[];
    uint32_t *const words = (uint32_t *)(shared + (1 << a.link.n_bits));
    const block_memory memory = {
        NULL, shared, words,
        (lte_cplx *)(words + 4 * a.link.channel.draws.payload_blocks * blockDim.x) +
            threadIdx.x * a.stride};
    const int slot_index = blockIdx.x / a.blocks_per_slot;
    const int sc = (blockIdx.x % a.blocks_per_slot) * blockDim.x + threadIdx.x;
    for (int label = threadIdx.x; label < 1 << a.link.n_bits; label += blockDim.x)
        memory.qam[label] = lte_qam_map(a.link.n_bits, (uint32_t)label);
    __syncthreads();
    if (sc - (int)(threadIdx.x % WARP) <
        a.link.carrier.n_sc) /* or the whole warp is beyond the carrier */
        search_subcarrier<N, BITS, PREPARE, DETECT>(a, memory, slot_index, slot_index, sc);
}

/* Of an order: modulations up to 64QAM, and any. */
template <int N, lte_detector_prepare_fn *PREPARE, lte_detector_detect_fn *DETECT>
sweep_kernel *searching_of_order(int n_bits)
{
    return n_bits == 2   ? sweep_kernel5<N, 2, PREPARE, DETECT>
           : n_bits == 4 ? sweep_kernel5<N, 4, PREPARE, DETECT>
           : n_bits == 6 ? sweep_kernel5<N, 6, PREPARE, DETECT>
                         : sweep_kernel5<N, 0, PREPARE, DETECT>;
}

template <lte_detector_prepare_fn *PREPARE, lte_detector_detect_fn *DETECT>
sweep_kernel *searching_of(const lte_link *link)
{
    return link->n_tx == 2   ? searching_of_order<2, PREPARE, DETECT>(link->n_bits)
           : link->n_tx == 4 ? searching_of_order<4, PREPARE, DETECT>(link->n_bits)
                             : NULL;
}

} // namespace

/* detect: in place of lte_<id>_detect, for detectors of which `takes` holds. */
#define LTE_SWEEP_SEARCHING(id, detect, takes)                                                     \
    extern "C" sweep_kernel *lte_sweep_##id(const lte_link *link, lte_detector detector)           \
    {                                                                                              \
        (void)detector;                                                                            \
        return small_square(link) && (takes) ? searching_of<lte_##id##_prepare, detect>(link)      \
                                             : NULL;                                               \
    }

#endif
