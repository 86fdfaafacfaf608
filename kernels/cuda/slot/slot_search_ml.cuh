#ifndef LTE_KERNELS_SLOT_SEARCH_ML_CUH
#define LTE_KERNELS_SLOT_SEARCH_ML_CUH
/*
 * Maximum likelihood by L lanes: the symbols of the last row of R, which is decided first, are
 * dealt out to them by rising distance, first of the real part; each searches the rows before it as
 * phy/detection/ml/ml_ranks.h does.
 */

#include "kernels/cuda/slot/slot_searches.cuh"

namespace
{

/* The levels of a dimension by rising distance: the one of a rank of each lane. */
template <int N_LEVELS>
__device__ __forceinline__ lte_tree_level level_of_rank(lte_tree_levels levels, int n_levels,
                                                        int rank)
{
    lte_tree_level at = lte_tree_next_level(&levels);
#pragma unroll
    for (int r = 1; r < N_LEVELS; r++) {
        const lte_tree_level next = lte_tree_next_level(&levels);
        if (r == rank && r < n_levels)
            at = next;
    }
    return at;
}

/* The label of a vector, its rows' one after the other, the last row leading. */
template <int N> __device__ __forceinline__ uint32_t label_of_rows(int n_bits, const lte_word *row)
{
    uint32_t label = 0;
#pragma unroll
    for (int i = N - 1; i >= 0; i--)
        label = label << n_bits | row[i];
    return label;
}

/*
 * The symbols of row I of R, dealt out to L lanes, each of which then searches the rows before it.
 * N_LEVELS: of a dimension, at most.
 */
template <int I, int L, int N_LEVELS, void NEXT(const lte_detector_plan *, lte_ml_ranks *)>
__device__ __forceinline__ void deal_row(const lte_detector_plan *plan, lte_ml_ranks *s)
{
    const int n_levels = 1 << plan->n_bits / 2, n_symbols = 1 << plan->n_bits;
    const int lane = (int)threadIdx.x % L;
    const lte_cplx rest = lte_tree_left(plan, &s->at, I);
    const lte_real pivot = lte_tree_pivot(plan, &s->at, I), inverse = s->at.inverse[I];
    const lte_tree_levels re = lte_tree_levels_of(plan->n_bits, pivot, inverse, rest.re);
    const lte_tree_levels im = lte_tree_levels_of(plan->n_bits, pivot, inverse, rest.im);
#pragma unroll 1
    for (int first = 0; first < n_symbols; first += L) {
        const int way = first + lane;
        const lte_tree_level a = level_of_rank<N_LEVELS>(re, n_levels, way / n_levels);
        const lte_tree_level b = level_of_rank<N_LEVELS>(im, n_levels, way % n_levels);
        const lte_real metric =
            s->at.above[I + 1] + r_fma(b.distance, b.distance, a.distance * a.distance);
        const lte_mask taken = way < n_symbols && lte_ml_needs(&s->found, metric);
        const lte_cplx x = {a.x, b.x};
        if (!lte_any_lane(taken))
            continue;
        s->at.above[I] = r_sel(taken, metric, r_set(LTE_ML_PASSED));
        s->way[I] = lte_qam_slice(plan->n_bits, x);
        lte_tree_take_off(plan, &s->at, I, x);
        NEXT(plan, s);
    }
}

template <int L, int N_LEVELS> struct search_ml {
    static constexpr bool looks_up = false;

    template <int N>
    static __device__ __forceinline__ void deal(const lte_detector_plan *plan, lte_ml_ranks *s)
    {
        static_assert(N == 2 || N == 4, "these have kernels");
        if constexpr (N == 4)
            deal_row<3, L, N_LEVELS, lte_ml_ranks_row_2>(plan, s);
        else
            deal_row<1, L, N_LEVELS, lte_ml_ranks_end>(plan, s);
    }

    /* What each lane has found becomes what all have. */
    template <int N>
    static __device__ __forceinline__ void gather(const lte_detector_plan *plan,
                                                  lte_ml_found *found)
    {
        const uint32_t label = (1u << plan->n_bits) - 1u;
        better_vector best = {found->best, label_of_rows<N>(plan->n_bits, found->label)};
#pragma unroll
        for (int away = L / 2; away > 0; away /= 2)
            (void)best.take(away);
        found->best = best.metric;
#pragma unroll
        for (int i = 0; i < N; i++)
            found->label[i] = best.label >> (i * plan->n_bits) & label;
        if (!found->zero)
            return;
#pragma unroll
        for (int e = 0; e < N * plan->n_bits; e++) {
            found->zero[e] = lte_least_of_lanes(found->zero[e]);
            found->one[e] = lte_least_of_lanes(found->one[e]);
        }
    }

    template <int N>
    static __device__ __forceinline__ void run(const lte_detector_plan *plan, lte_cplx *state,
                                               const lte_cplx *y, const lte_decision *decision,
                                               lte_cplx *work, int)
    {
        lte_ml_ranks s;
        lte_ml_begin(plan, state, y, decision->llr, work, &s.at, &s.found);
        s.at.above[N] = r_sel(s.at.told, r_set(0.0f), r_set(LTE_ML_PASSED));
        deal<N>(plan, &s);
        gather<N>(plan, &s.found);
        lte_ml_end_search(plan, state, work, &s.at, &s.found, decision);
    }
};

typedef search_ml<LTE_SLOT_LANES, 4> search_ml_16qam;
typedef search_ml<LTE_SLOT_LANES, 1 << LTE_MAX_BITS / 2> search_ml_any;

} // namespace

#endif
