#ifndef LTE_KERNELS_SEARCH_ML_CUH
#define LTE_KERNELS_SEARCH_ML_CUH
/*
 * Maximum likelihood in kernels whose warps go in step, with the text of phy, in two phases.
 *
 * First each L lanes of a warp search their own element as phy/detection/ml/ml_ranks.h does. With
 * L > 1 the symbols of the last row of R, which is decided first, are dealt out to them by rising
 * distance, first of the real part, and the best metric of the L lanes is the bound of each. Most
 * searches are short; a few are some thousand times as long, and a warp would go the long way of
 * one of its elements with its other lanes idle. So it stops after a number of steps. Then all its
 * lanes search one element after the other that is left: the ways through the last rows, as far as
 * something below may be needed, are dealt out to them, 32 at a time. What was found by then is
 * kept, and its metric is the first bound.
 *
 * What they find is what one lane finds: vectors are taken in another order, of which nothing
 * depends.
 */

#include "kernels/cuda/device/searches.cuh"

/* The least number, none below +0, of a group of lanes. */
static __host__ __device__ __forceinline__ float lte_least_of_lanes(float x, int lanes)
{
#if defined(__CUDA_ARCH__)
    if (lanes == 32)
        return __uint_as_float(__reduce_min_sync(~0u, __float_as_uint(x)));
#pragma unroll
    for (int away = lanes / 2; away > 0; away /= 2)
        x = fminf(x, __shfl_xor_sync(~0u, x, away));
#else
    (void)lanes;
#endif
    return x;
}

/* Whether a warp takes a step that some of its lanes need; else those have something left. */
static __host__ __device__ __forceinline__ bool lte_takes_step(lte_mask needed, int *steps,
                                                               lte_mask *left)
{
    if (!lte_any_of_warp(needed))
        return false;
    if (--*steps > 0)
        return true;
    *left |= needed;
    return false;
}

#define LTE_ML_RANKS_BOUND(s)                                                                      \
    fminf((s)->found.bound, lte_least_of_lanes((s)->found.best, (s)->lanes))
#define LTE_ML_RANKS_GOES_ON(s, needed) lte_takes_step(needed, &(s)->steps, &(s)->left)
#include "phy/detection/ml.h"

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
template <int N> __device__ __forceinline__ uint64_t label_of_rows(int n_bits, const lte_word *row)
{
    uint64_t label = 0;
#pragma unroll
    for (int i = N - 1; i >= 0; i--)
        label = label << n_bits | row[i];
    return label;
}
template <int N>
__device__ __forceinline__ void rows_of_label(int n_bits, uint64_t label, lte_word *row)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        row[i] = (uint32_t)(label >> (i * n_bits)) & ((1u << n_bits) - 1u);
}

/*
 * The symbols of the last row, I, dealt out to L lanes, each of which then searches the rows before
 * it. N_LEVELS: of a dimension, at most.
 */
template <int I, int L, int N_LEVELS>
__device__ __forceinline__ void deal_last_row(const lte_detector_plan *plan, lte_ml_ranks *s)
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
        if (!LTE_ML_RANKS_GOES_ON(s, taken))
            continue;
        s->at.above[I] = r_sel(taken, metric, r_set(LTE_ML_PASSED));
        s->way[I] = lte_qam_slice(plan->n_bits, x);
        lte_tree_take_off(plan, &s->at, I, x);
        const float least = lte_ml_ranks_from(plan, s, I - 1);
        if (s->found.zero)
            lte_ml_lower_row(plan, &s->found, I, s->way[I], least);
    }
}

/* What is left of an element's search, and what it has found; of those that share it, the same. */
template <int N> struct left_search {
    lte_cplx r[N * N], b[N];
    float above, best;
    uint64_t label;
};

/* The place of a word's n-th bit that is set, n from 0. */
static __device__ __forceinline__ int place_of_bit(uint32_t word, int n)
{
    int place = 0;
#pragma unroll
    for (int width = 16; width > 0; width /= 2) {
        const int below = __popc(word >> place & ((1u << width) - 1u));
        if (n >= below) {
            n -= below;
            place += width;
        }
    }
    return place;
}

/* A way through the last D rows, whether something below it may be needed. */
template <int N, int D>
__device__ __forceinline__ bool go_way(const lte_detector_plan *plan, lte_ml_ranks *s, uint32_t way)
{
#pragma unroll
    for (int i = N - 1; i >= N - D; i--) {
        const uint32_t label = way >> ((i - N + D) * plan->n_bits) & ((1u << plan->n_bits) - 1u);
        const lte_cplx x = lte_qam_map(plan->n_bits, label);
        s->at.above[i] =
            s->at.above[i + 1] + lte_tree_step(plan, &s->at, i, lte_tree_left(plan, &s->at, i), x);
        s->way[i] = label;
        lte_tree_take_off(plan, &s->at, i, x);
    }
    return lte_ml_needs(&s->found, s->at.above[N - D]);
}

/* All ways through the last D rows, dealt out to a warp; bound: the best metric that is known. */
template <int N, int D>
__device__ __forceinline__ void deal_ways(const lte_detector_plan *plan, float bound,
                                          lte_ml_ranks *s)
{
    s->found.bound = bound;
    s->lanes = 32;
    s->steps = INT_MAX;
    constexpr int WORDS = 8; /* of ways that are looked at before those that are needed are gone */
    const uint32_t lane = threadIdx.x % 32, n_ways = 1u << D * plan->n_bits;
#pragma unroll 1
    for (uint32_t first = 0; first < n_ways; first += 32 * WORDS) {
        uint32_t needed[WORDS];
        int n_needed = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const uint32_t way = first + 32 * (uint32_t)w + lane;
            needed[w] = __ballot_sync(~0u, go_way<N, D>(plan, s, way) && way < n_ways);
            n_needed += __popc(needed[w]);
        }
#pragma unroll 1
        for (int done = 0; done < n_needed; done += 32) {
            const int wanted = done + (int)lane;
            uint32_t way = first;
            int before = 0;
#pragma unroll
            for (int w = 0; w < WORDS; w++) {
                const int n = __popc(needed[w]);
                if (wanted >= before && wanted < before + n)
                    way = first + 32 * (uint32_t)w +
                          (uint32_t)place_of_bit(needed[w], wanted - before);
                before += n;
            }
            const bool taken = go_way<N, D>(plan, s, way) && wanted < n_needed;
            if (!lte_any_lane(taken))
                continue;
            s->at.above[N - D] = r_sel(taken, s->at.above[N - D], r_set(LTE_ML_PASSED));
            const float least = lte_ml_ranks_from(plan, s, N - D - 1);
#pragma unroll
            for (int i = N - D; s->found.zero && i < N; i++)
                lte_ml_lower_row(plan, &s->found, i, s->way[i], least);
        }
    }
}

/* Whether some searches are long enough to be finished by a warp: of 8x8 QPSK they are not. */
__host__ __device__ constexpr bool are_finished(int n, int bits)
{
    return n > 2 && bits != 2;
}

/* Rows whose ways are dealt out then: those of 16QAM are 256, of others 64 and more. */
__host__ __device__ constexpr int rows_dealt(int bits)
{
    return bits == 4 ? 2 : 1;
}

/*
 * Steps of a warp before its searches are finished so. Sweeps, of which a launch has some million:
 * 4x4 16QAM at 20 dB 9.8, 11.7, 11.1 and 10.8 * 10^9 symbols/s with 32, 128, 512 and any number,
 * 4x4 64QAM at 30 dB 6.8, 5.9 and 5.0 with 128, 256 and 512, 8x8 16QAM at 25 dB 1.3, 1.55, 1.5, 1.2
 * and 0.13 with 32, 128, 512, 2048 and any. A slot waits for its longest search, with L lanes each.
 */
__host__ __device__ constexpr int steps_before(int lanes)
{
    return lanes == 1 ? 128 : 8;
}

/* Before the first of them; L lanes share an element. */
template <int N, int BITS, int L> __device__ __forceinline__ void start_steps(lte_ml_ranks *s)
{
    s->lanes = L;
    s->steps = are_finished(N, BITS) ? steps_before(L) : INT_MAX;
    s->left = 0;
    s->at.above[N] = r_sel(s->at.told, r_set(0.0f), r_set(LTE_ML_PASSED));
}

/*
 * What is left of the searches of some lanes, one after the other by the whole warp. A call: what
 * its caller has in registers waits.
 */
template <int N, int BITS>
static __device__ __noinline__ void finish_searches(int n_bits, uint32_t lanes,
                                                    left_search<N> *left)
{
    lte_detector_plan plan = {};
    plan.n_rx = plan.n_tx = N;
    plan.n_bits = BITS ? BITS : n_bits;
    for (; lanes; lanes &= lanes - 1) {
        const int owner = __ffs((int)lanes) - 1;
        lte_cplx r[N * N], rest[N * N];
        lte_ml_ranks s;
        s.at.r = r;
        s.at.rest = rest;
#pragma unroll
        for (int i = 0; i < N; i++) {
#pragma unroll
            for (int row = 0; row <= i; row++) {
                const int e = row * N + i;
                r[e].re = __shfl_sync(~0u, left->r[e].re, owner);
                r[e].im = __shfl_sync(~0u, left->r[e].im, owner);
            }
            rest[(N - 1) * N + i].re = __shfl_sync(~0u, left->b[i].re, owner);
            rest[(N - 1) * N + i].im = __shfl_sync(~0u, left->b[i].im, owner);
            s.at.inverse[i] = lte_tree_inverse(r[i * N + i].re);
        }
        lte_ml_find_nothing(&plan, 0.0f, NULL, &s.found);
        s.at.above[N] = __shfl_sync(~0u, left->above, owner);
        deal_ways<N, rows_dealt(BITS)>(&plan, __shfl_sync(~0u, left->best, owner), &s);

        better_vector best = {s.found.best, label_of_rows<N>(plan.n_bits, s.found.label)};
#pragma unroll
        for (int away = 16; away > 0; away /= 2)
            (void)best.take(away);
        const bool is_owner = (int)threadIdx.x % 32 == owner;
        const better_vector its = {left->best, left->label};
        if (is_owner &&
            (best.metric < its.metric || (best.metric == its.metric && best.label < its.label))) {
            left->best = best.metric;
            left->label = best.label;
        }
    }
}

/* Vectors, without LLRs: those by search_ml_llrs.cuh. */
template <int L> struct search_ml {
    static constexpr bool shares = false;
    static constexpr bool looks_up = false;
    template <int N> static constexpr int state = LTE_TREE_STATE(N, N);

    /* The best of what L lanes have found becomes what each has. */
    template <int N>
    static __device__ __forceinline__ void gather(const lte_detector_plan *plan, lte_ml_ranks *s)
    {
        lte_ml_found *const found = &s->found;
        better_vector best = {found->best, label_of_rows<N>(plan->n_bits, found->label)};
#pragma unroll
        for (int away = L / 2; away > 0; away /= 2) {
            (void)best.take(away);
            s->left |= __shfl_xor_sync(~0u, s->left, away);
        }
        found->best = best.metric;
        rows_of_label<N>(plan->n_bits, best.label, found->label);
    }

    /* What is left of the searches of these lanes; work, s: as run has them. */
    template <int N, int BITS>
    static __device__ __forceinline__ void
    finish(const lte_detector_plan *plan, const lte_cplx *work, uint32_t lanes, lte_ml_ranks *s)
    {
        left_search<N> left;
#pragma unroll
        for (int e = 0; e < N * N; e++)
            left.r[e] = s->at.r[e];
#pragma unroll
        for (int i = 0; i < N; i++)
            left.b[i] = work[(N - 1) * N + i];
        left.above = s->at.above[N];
        left.best = s->found.best;
        left.label = label_of_rows<N>(plan->n_bits, s->found.label);
        finish_searches<N, BITS>(plan->n_bits, lanes, &left);
        s->found.best = left.best;
        rows_of_label<N>(plan->n_bits, left.label, s->found.label);
    }

    template <int N, int BITS>
    static __device__ __forceinline__ void run(const lte_detector_plan *plan, lte_cplx *state,
                                               const lte_cplx *y, const lte_decision *decision,
                                               lte_cplx *work, int)
    {
        constexpr int n_bits = BITS ? BITS : LTE_MAX_BITS;
        lte_ml_ranks s;
        lte_ml_begin(plan, state, y, false, work, &s.at, &s.found);
        start_steps<N, BITS, L>(&s);
        if constexpr (L > 1)
            deal_last_row<N - 1, L, 1 << n_bits / 2>(plan, &s);
        else
            (void)lte_ml_ranks_from(plan, &s, N - 1);
        gather<N>(plan, &s);
        if constexpr (are_finished(N, BITS)) {
            const uint32_t lanes = __ballot_sync(~0u, s.left && threadIdx.x % L == 0);
            if (lanes)
                finish<N, BITS>(plan, work, lanes, &s);
        }
        lte_ml_end_search(plan, state, work, &s.at, &s.found, decision);
    }
};

} // namespace

#endif
