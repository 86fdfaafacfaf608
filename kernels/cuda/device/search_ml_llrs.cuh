#ifndef LTE_KERNELS_SEARCH_ML_LLRS_CUH
#define LTE_KERNELS_SEARCH_ML_LLRS_CUH
/*
 * Max-log LLRs of maximum likelihood by the threads of a block, in the two phases of search_ml.cuh.
 *
 * First the L lanes of an element search it for some steps. What is left then stands in a list in
 * shared memory, from which each warp of the block takes the next element, so that none waits for
 * one that has more of them. Each of the L lanes ends with the least metrics of its own share of
 * the element's bits, and makes their LLRs alone.
 */

#include "kernels/cuda/device/search_ml.cuh"

namespace
{

/* A search that is left: what it begins with, and then the least metrics of what was left. */
template <int N, int NUMBERS> struct left_element {
    const lte_cplx *r;
    lte_cplx b[N];
    float inverse[N], best;
    float least[(NUMBERS + 31) / 32 * 32]; /* lte_ml_found zero and one */
};

/* Those of a block; next: the first that no warp has taken. */
template <int N, int NUMBERS, int ELEMENTS> struct left_elements {
    int n, next;
    left_element<N, NUMBERS> of[ELEMENTS];
};

/* The least of 2 AWAY lanes of COUNT numbers, of which each lane keeps its share in their order. */
template <int COUNT, int AWAY> __device__ __forceinline__ void share_least(int lane, float *numbers)
{
    constexpr int n = COUNT / 2;
    const bool upper = lane & AWAY;
#pragma unroll
    for (int e = 0; e < n; e++) {
        const float sent = upper ? numbers[e] : numbers[e + n];
        const float kept = upper ? numbers[e + n] : numbers[e];
        numbers[e] = fminf(kept, __shfl_xor_sync(~0u, sent, AWAY));
    }
    if constexpr (AWAY > 1)
        share_least<n, AWAY / 2>(lane, numbers);
}

/* One search that is left, by a warp. */
template <int N, int BITS, int NUMBERS>
__device__ __forceinline__ void finish_element(const lte_detector_plan *plan, float clip,
                                               left_element<N, NUMBERS> *left)
{
    const int lane = (int)threadIdx.x % 32;
    lte_cplx r[N * N], rest[N * N];
    float least[NUMBERS];
    lte_ml_ranks s;
    s.at.r = r;
    s.at.rest = rest;
#pragma unroll
    for (int i = 0; i < N; i++) {
#pragma unroll
        for (int row = 0; row <= i; row++)
            r[row * N + i] = left->r[row * N + i];
        rest[(N - 1) * N + i] = left->b[i];
        s.at.inverse[i] = left->inverse[i];
    }
    lte_ml_find_nothing(plan, clip, least, &s.found);
    s.at.above[N] = 0.0f;
    deal_ways<N, rows_dealt(BITS)>(plan, left->best, &s);
    const int n = BITS ? NUMBERS : 2 * N * plan->n_bits;
#pragma unroll
    for (int first = 0; first < NUMBERS; first += 32) {
        float own = LTE_ML_NONE;
        /* The loop ends after the last number that exists. With a condition in an unrolled loop
         * instead, ptxas 13.0 chooses a wrong predicate for the reduction (tests/reductions.sh). */
#pragma unroll(BITS ? 32 : 1)
        for (int e = first; e < first + 32 && e < n; e++) {
            const float of_all = lte_least_of_lanes(least[e], 32);
            own = lane == e - first ? of_all : own;
        }
        left->least[first + lane] = own;
    }
}

template <int L> struct search_ml_llrs {
    static constexpr bool shares = true;
    template <int N> static constexpr int state = LTE_TREE_STATE(N, N);
    template <int N, int BITS> static __host__ __device__ constexpr int numbers()
    {
        return 2 * N * (BITS ? BITS : LTE_MAX_BITS);
    }
    template <int N, int BITS, int T> using left_list = left_elements<N, numbers<N, BITS>(), T / L>;

    /* What a block of T threads shares, and before its threads search. */
    template <int N, int BITS, int T> static constexpr size_t shared_size()
    {
        return sizeof(left_list<N, BITS, T>);
    }
    template <int N, int BITS, int T> static __device__ __forceinline__ void begin(void *shared)
    {
        left_list<N, BITS, T> *const list = (left_list<N, BITS, T> *)shared;
        if (threadIdx.x == 0)
            list->n = list->next = 0;
    }

    /* A lane's share of the least metrics of its element's bits, from the bit `first` on. */
    template <int N, int BITS> struct lane_share {
        static constexpr int most = (numbers<N, BITS>() / 2 + L - 1) / L;
        int first, n;
        float zero[most], one[most];
    };

    /* What L lanes have found becomes the shares of each. */
    template <int N, int BITS>
    static __device__ __forceinline__ void share(const lte_detector_plan *plan, lte_ml_found *found,
                                                 lane_share<N, BITS> *own)
    {
        const int lane = (int)threadIdx.x % L, n_llrs = N * plan->n_bits;
        const int each = (n_llrs + L - 1) / L, left = n_llrs - lane * each;
        own->first = lane * each;
        own->n = left < each ? left : each;
        if constexpr (BITS && N * BITS % L == 0) {
            share_least<N * BITS, L / 2>(lane, found->zero);
            share_least<N * BITS, L / 2>(lane, found->one);
#pragma unroll
            for (int k = 0; k < own->most; k++) {
                own->zero[k] = found->zero[k];
                own->one[k] = found->one[k];
            }
        } else {
#pragma unroll
            for (int e = 0; e < n_llrs; e++) {
                found->zero[e] = lte_least_of_lanes(found->zero[e], L);
                found->one[e] = lte_least_of_lanes(found->one[e], L);
            }
            for (int k = 0; k < own->n; k++) {
                own->zero[k] = found->zero[own->first + k];
                own->one[k] = found->one[own->first + k];
            }
        }
    }

    /* What is left of the searches of a block, by all its warps; r: of the lane's own element. */
    template <int N, int BITS, int T>
    static __device__ __forceinline__ void finish(const lte_detector_plan *plan, const lte_cplx *r,
                                                  lte_ml_ranks *s, left_list<N, BITS, T> *list,
                                                  lane_share<N, BITS> *own)
    {
        const int lane = (int)threadIdx.x % 32;
        const float best = lte_least_of_lanes(s->found.best, L);
        int number = 0;
#pragma unroll
        for (int away = L / 2; away > 0; away /= 2)
            s->left |= __shfl_xor_sync(~0u, s->left, away);
        if (s->left && lane % L == 0) {
            number = atomicAdd(&list->n, 1);
            left_element<N, numbers<N, BITS>()> *const left = &list->of[number];
            left->r = r;
            left->best = best;
#pragma unroll
            for (int i = 0; i < N; i++) {
                left->b[i] = s->at.rest[(N - 1) * N + i];
                left->inverse[i] = s->at.inverse[i];
            }
        }
        number = __shfl_sync(~0u, number, lane / L * L);
        __syncthreads();
        for (const int n = list->n;;) {
            int next = lane == 0 ? atomicAdd(&list->next, 1) : 0;
            next = __shfl_sync(~0u, next, 0);
            if (next >= n)
                break;
            finish_element<N, BITS, numbers<N, BITS>()>(plan, s->found.clip, &list->of[next]);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < own->most; k++) {
            if (!s->left || k >= own->n)
                continue;
            const float *const least = &list->of[number].least[own->first + k];
            own->zero[k] = fminf(own->zero[k], least[0]);
            own->one[k] = fminf(own->one[k], least[N * plan->n_bits]);
        }
    }

    /*
     * Gives a lane's share of its element's LLRs, give(layer, bit, llr). state: the element's own;
     * of_block: the same, where all threads see it. All threads of a block call it together.
     */
    template <int N, int BITS, int T, class GIVE>
    static __device__ __forceinline__ void run(const lte_detector_plan *plan, lte_cplx *state,
                                               const lte_cplx *y, lte_cplx *of_block, void *shared,
                                               GIVE give)
    {
        constexpr int n_bits = BITS ? BITS : LTE_MAX_BITS;
        lte_cplx work[4 * N * N + N * LTE_MAX_BITS];
        lte_ml_ranks s;
        lane_share<N, BITS> own;
        lte_ml_begin(plan, state, y, true, work, &s.at, &s.found);
        start_steps<N, BITS, L>(&s);
        deal_last_row<N - 1, L, 1 << n_bits / 2>(plan, &s);
        share<N, BITS>(plan, &s.found, &own);
        if constexpr (are_finished(N, BITS))
            finish<N, BITS, T>(plan, lte_tree_r(plan, of_block), &s,
                               (left_list<N, BITS, T> *)shared, &own);
        const float clip = (float)plan->detector.value[LTE_ML_CLIP];
#pragma unroll
        for (int k = 0; k < own.most; k++) {
            const int e = own.first + k;
            if (k >= own.n)
                continue;
            give((int)lte_tree_layers(plan, of_block)[e / plan->n_bits], e % plan->n_bits,
                 s.at.told ? lte_tree_clip(own.one[k] - own.zero[k], clip) : 0.0f);
        }
    }
};

} // namespace

#endif
