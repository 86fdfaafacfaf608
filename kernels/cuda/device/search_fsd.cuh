#ifndef LTE_KERNELS_SEARCH_FSD_CUH
#define LTE_KERNELS_SEARCH_FSD_CUH
/* The fixed-complexity sphere decoder by L lanes, which share the labels of the full rows. */

#include "kernels/cuda/device/searches.cuh"
#include "phy/detection/fsd.h"

namespace
{

template <int L> struct search_fsd {
    static constexpr bool shares = false;
    static constexpr bool looks_up = false;
    template <int N> static constexpr int state = LTE_TREE_STATE(N, N);

    template <int N, int BITS>
    static __device__ __forceinline__ void run(const lte_detector_plan *plan, lte_cplx *state,
                                               const lte_cplx *y, const lte_decision *decision,
                                               lte_cplx *work, int lane)
    {
        const int full = lte_fsd_full(plan);
        const uint32_t n_ways = 1u << full * plan->n_bits;
        lte_word best[LTE_TREE_MOST_TX] = {}, label[LTE_TREE_MOST_TX];
        lte_tree_walk walk;
        better_vector found = {INFINITY, ~0u}; /* its label: the way */
        lte_tree_start(plan, state, y, work, &walk);
#pragma unroll 1
        for (uint32_t way = (uint32_t)lane; way < n_ways; way += L) {
            const lte_real metric = lte_fsd_try(plan, &walk, full, way, label);
            const bool better =
                metric < found.metric || way == 0; /* as good as all that overflow */
            found.metric = better ? metric : found.metric;
            found.label = better ? way : found.label;
#pragma unroll
            for (int i = 0; i < N; i++)
                best[i] = better ? label[i] : best[i];
        }
#pragma unroll
        for (int away = L / 2; away > 0; away /= 2) {
            const bool other = found.take(away);
#pragma unroll
            for (int i = 0; i < N; i++) {
                const uint32_t its = __shfl_xor_sync(~0u, best[i], away);
                best[i] = other ? its : best[i];
            }
        }
        lte_tree_give_nothing(plan, decision);
#pragma unroll
        for (int i = 0; i < N; i++)
            lte_tree_give_label(plan, lte_tree_layers(plan, state)[i], walk.told, best[i],
                                decision);
    }
};

} // namespace

#endif
