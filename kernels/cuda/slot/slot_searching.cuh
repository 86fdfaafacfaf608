#ifndef LTE_KERNELS_SLOT_SEARCHING_CUH
#define LTE_KERNELS_SLOT_SEARCHING_CUH
/*
 * The kernels of a slot for one of LTE_SEARCHING_DETECTORS, in an object of its own: from planes to
 * packed bits or LLRs in one launch, L lanes a resource element, with the search in registers. Of
 * links of 2 or 4 antennas a side with one H a slot.
 *
 *     #include "kernels/cuda/device/search_ml.cuh"
 *     #include "phy/detection/ml.h"
 *     #include "kernels/cuda/slot/slot_searching.cuh"
 *     LTE_SLOT_SEARCHING(ml, lte_slot_, slot_bits_alone, 8, 10, search_ml<8>, takes)
 *
 * A block has K neighbouring subcarriers and their 7 symbols. Planes come into shared memory
 * first; a thread a subcarrier prepares, its state lies in shared memory and goes to the registers
 * of the lanes; labels or LLRs leave by way of shared memory. A search that `shares` is of all
 * threads of a block and gives each LLR by itself (search_ml_llrs.cuh).
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/searches.cuh"
#include "kernels/cuda/slot/slot.cuh"
#include "kernels/cuda/slot/slot_doorbell.cuh"
#include "kernels/cuda/slot/slot_searching_launch.h"
#include "phy/detection/demap.h"
#include "phy/detection/tree.h"

namespace
{

/* What a block has in shared memory. */
template <int N, int K> struct searched_block {
    lte_cplx h[N * N][K], y[N * LTE_SLOT_SYMBOLS][K];
    static constexpr int n_labels = K * N + 32; /* labels of a symbol, then zeros */
    union {
        uint8_t labels[2 * LTE_SLOT_SYMBOLS * n_labels];
        int8_t llrs[LTE_SLOT_SYMBOLS * N * LTE_MAX_BITS][K];
    };
};

/* A block's memory with the detector's states: STATE elements for each of K subcarriers. */
template <int N, int K, int STATE> struct searched_states : searched_block<N, K> {
    lte_cplx state[K][STATE | 1]; /* an odd stride: no bank conflicts */
};

/* A block's place in its slot. */
struct searched_place {
    uint64_t slot;
    int carrier, unit; /* the unit of its carrier */
    int sc0, n_live;
};

/* A thread's element in its block. */
struct searched_element {
    int lane, symbol, sc;
    bool live;
};

/*
 * N_PLANES planes of a block by T threads: asked for, then put into its memory; what lies behind
 * the carrier, and of every 7 planes the `skipped` one, is zero. -1: none.
 */
template <int N_PLANES, int K, int T> struct searched_planes {
    static constexpr int EACH = (N_PLANES * K + T - 1) / T;
    float2 part[EACH];

    __device__ __forceinline__ void ask(const lte_cf32 *planes, int n_sc, int n_live, int skipped)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int e = i * T + (int)threadIdx.x, plane = e / K, sc = e % K;
            const bool wanted = plane < N_PLANES && sc < n_live &&
                                (skipped < 0 || plane % LTE_SLOT_SYMBOLS != skipped);
            part[i] = wanted ? __ldcv((const float2 *)planes + (ptrdiff_t)plane * n_sc + sc)
                             : make_float2(0.0f, 0.0f);
        }
    }
    __device__ __forceinline__ void put(lte_cplx *to) const
    {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int e = i * T + (int)threadIdx.x;
            const lte_cplx x = {part[i].x, part[i].y};
            if (e < N_PLANES * K)
                to[e] = x;
        }
    }
};

/* The state of a thread's subcarrier. */
template <int N, int K, int STATE, lte_detector_prepare_fn *PREPARE>
__device__ __forceinline__ void prepare_block(const searching_args &a, const searched_place &at,
                                              const lte_detector_plan *plan,
                                              searched_states<N, K, STATE> *block)
{
    const int sc = (int)threadIdx.x;
    lte_cplx h[N * N], state[STATE], work[4 * N * N];
    if (sc >= K)
        return;
#pragma unroll
    for (int e = 0; e < N * N; e++)
        h[e] = block->h[e][sc];
    const int64_t *const residual = a.residual + at.slot % a.job.memory.n_h_in;
    const float n0 =
        effective_n0(a.link, a.job.noise, residual, sc < at.n_live ? at.sc0 + sc : at.sc0);
    (void)PREPARE(plan, h, lte_white(n0), NULL, state, work);
#pragma unroll
    for (int e = 0; e < STATE; e++)
        block->state[sc][e] = state[e];
}

/* The number of a slot's flips; -1: LLRs stay as they are. */
__device__ __forceinline__ int number_of_flips(const searching_args &a, const searched_place &at)
{
    const lte_scrambled &scrambled = a.job.memory.scrambled;
    return scrambled.flips ? (int)(at.slot % scrambled.distinct) * scrambled.step + scrambled.part
                           : -1;
}

/* The LLR of a layer's bit to the block's, as an integer and scrambled as it was sent. */
template <int N, int K>
__device__ __forceinline__ void keep_llr(const searching_args &a, const searched_place &at,
                                         const searched_element &of, int number, int layer, int bit,
                                         float llr, searched_block<N, K> *block)
{
    const int n_bits = a.link.n_bits, n_sc = a.link.carrier.n_sc;
    const ptrdiff_t labels =
        (ptrdiff_t)(number % (2 * LTE_CODE_FRAME) * LTE_SLOT_SYMBOLS + of.symbol) * N * n_sc;
    const uint32_t flip = number < 0
                              ? 0
                              : lte_label_at(n_bits, a.job.memory.scrambled.flips,
                                             labels + (ptrdiff_t)layer * n_sc + at.sc0 + of.sc);
    block->llrs[(of.symbol * N + layer) * n_bits + bit][of.sc] =
        (int8_t)lte_quantise(r_flip(llr, flip << (31 - bit)), a.link.output.llr_scale);
}

/* Rows of the LLRs of a slot, and whether one is of the reference symbol, which has none. */
template <int N> __device__ __forceinline__ int llr_rows(const searching_args &a)
{
    return LTE_SLOT_SYMBOLS * N * a.link.n_bits;
}
template <int N> __device__ __forceinline__ bool is_reference_row(const searching_args &a, int row)
{
    return row / (N * a.link.n_bits) == a.link.receiver.pilot;
}

/* The block's LLRs to their planes, four subcarriers at a time where they lie so. */
template <int N, int K>
__device__ __forceinline__ void write_llrs(const searching_args &a, const searched_place &at,
                                           int8_t *planes, const searched_block<N, K> *block)
{
    const int n_sc = a.link.carrier.n_sc, n_rows = llr_rows<N>(a);
    int8_t *const out = planes + at.sc0;
    const bool words = (((size_t)out | (size_t)n_sc | (size_t)at.n_live) & 3) == 0 && K % 4 == 0;
    const int each = words ? 4 : 1, n_each = at.n_live / each;
    for (int i = (int)threadIdx.x; i < n_rows * n_each; i += (int)blockDim.x) {
        const int row = i / n_each, sc = i % n_each * each;
        if (is_reference_row<N>(a, row))
            continue;
        int8_t *const to = out + (ptrdiff_t)row * n_sc + sc;
        if (words)
            *(uint32_t *)to = *(const uint32_t *)&block->llrs[row][sc];
        else
            *to = block->llrs[row][sc];
    }
}

/*
 * LLRs on their way to the host. A block's rows are 8 or 16 bytes, of which each would be a message
 * on the bus. So blocks put them into device memory, and the last one of some neighbours, whose
 * rows are 128 bytes together, writes those of all.
 */
template <int N, int K>
__device__ __forceinline__ void send_llrs(const searching_args &a, const searched_place &at,
                                          int8_t *planes, const searched_block<N, K> *block)
{
    constexpr int NEIGHBOURS = LTE_SENT_SUBCARRIERS / K, GROUP = NEIGHBOURS * K;
    static_assert(GROUP % 4 == 0 && 2 * GROUP > LTE_SENT_SUBCARRIERS, "rows are words");
    __shared__ bool is_last;
    const int n_sc = a.link.carrier.n_sc, n_rows = llr_rows<N>(a);
    const int group = at.unit / NEIGHBOURS, sc0 = group * GROUP;
    const int n_words = (n_sc - sc0 < GROUP ? n_sc - sc0 : GROUP) / 4;
    uint64_t *const own = a.shared + at.carrier * lte_sent_words(&a.link);
    uint32_t *const arrived = (uint32_t *)own + group;
    int8_t *const kept = (int8_t *)(own + lte_sent_counter_words(&a.link));
    write_llrs<N, K>(a, at, kept, block);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int left = a.units - group * NEIGHBOURS, n = left < NEIGHBOURS ? left : NEIGHBOURS;
        is_last = arrive(arrived) == (uint32_t)n - 1;
        if (is_last)
            *arrived = 0; /* for the next period, which begins when all have answered */
    }
    __syncthreads();
    if (!is_last)
        return;
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < n_rows * GROUP / 4; i += (int)blockDim.x) {
        const int row = i / (GROUP / 4), word = i % (GROUP / 4);
        const ptrdiff_t from = (ptrdiff_t)row * n_sc + sc0 + 4 * word;
        if (word < n_words && !is_reference_row<N>(a, row))
            *(uint32_t *)(planes + from) = __ldcg((const uint32_t *)(kept + from));
    }
}

/* The same, on the way that they take. */
template <int N, int K>
__device__ __forceinline__ void write_kept(const searching_args &a, const searched_place &at,
                                           const searched_block<N, K> *block)
{
    int8_t *const planes = (int8_t *)lte_slot_memory_bits(&a.job.memory, at.slot);
    if (a.shared)
        send_llrs<N, K>(a, at, planes, block);
    else
        write_llrs<N, K>(a, at, planes, block);
}

/* Labels of an element, zeros where it is not live, and the block's to their rows. */
template <int N, int K>
__device__ __forceinline__ void write_decisions(const searching_args &a, const searched_place &at,
                                                int symbol, int sc, bool live,
                                                const lte_word *label, searched_block<N, K> *block)
{
    constexpr int n_labels = searched_block<N, K>::n_labels;
    const int n_bits = a.link.n_bits;
    for (int i = (int)threadIdx.x; i < LTE_SLOT_SYMBOLS * 32; i += (int)blockDim.x)
        lte_label_put(n_bits, block->labels, i / 32 * n_labels + K * N + i % 32, 0);
    if (symbol < LTE_SLOT_SYMBOLS) {
#pragma unroll
        for (int k = 0; k < N; k++)
            lte_label_put(n_bits, block->labels, symbol * n_labels + sc * N + k,
                          live ? label[k] : 0);
    }
    __syncthreads();
    write_labels(n_bits, {block->labels, n_labels, LTE_SLOT_SYMBOLS, N, at.n_live, at.sc0},
                 lte_slot_memory_bits(&a.job.memory, at.slot), a.job.memory.row_bytes,
                 (int)threadIdx.x, (int)blockDim.x);
}

/*
 * What a slot gives: bits. blocks: of a multiprocessor; those of 8 subcarriers are more than a
 * large device has of these.
 */
struct slot_bits_alone {
    static constexpr bool wants_llrs = false;
    static constexpr int blocks(int subcarriers, int lanes)
    {
        return subcarriers <= 8 && LTE_SEARCHED_THREADS(subcarriers, lanes) <= 512 ? 2 : 1;
    }
    template <int N> static constexpr int room = 1; /* for N LLRs */
    static __device__ __forceinline__ float *llrs(float *)
    {
        return NULL;
    }
    template <int N, int K>
    static __device__ __forceinline__ void write(const searching_args &a, const searched_place &at,
                                                 const searched_element &of, const lte_word *label,
                                                 const float *, searched_block<N, K> *block)
    {
        write_decisions<N, K>(a, at, of.lane == 0 ? of.symbol : LTE_SLOT_SYMBOLS, of.sc, of.live,
                              label, block);
    }
};

/* What a slot gives: LLRs. */
struct slot_with_llrs {
    static constexpr bool wants_llrs = true;
    static constexpr int blocks(int subcarriers, int lanes)
    {
        return LTE_SEARCHED_THREADS(subcarriers, lanes) <= 256 ? 2 : 1;
    }
    template <int N> static constexpr int room = N;
    static __device__ __forceinline__ float *llrs(float *llr)
    {
        return llr;
    }
    template <int N, int K>
    static __device__ __forceinline__ void write(const searching_args &a, const searched_place &at,
                                                 const searched_element &of, const lte_word *,
                                                 const float *llr, searched_block<N, K> *block)
    {
        const int number = number_of_flips(a, at);
#pragma unroll
        for (int k = 0; k < N; k++) {
#pragma unroll
            for (int bit = 0; bit < LTE_MAX_BITS; bit++) {
                if (of.lane == 0 && of.live && bit < a.link.n_bits)
                    keep_llr<N, K>(a, at, of, number, k, bit, llr[k * a.link.n_bits + bit], block);
            }
        }
        __syncthreads();
        write_kept<N, K>(a, at, block);
    }
};

/* A block's part of a slot. */
template <int N, int BITS, int K, int L, class OUT, lte_detector_prepare_fn *PREPARE, class SEARCH>
__device__ __forceinline__ void search_unit(const searching_args &a, const searched_place &at,
                                            searched_states<N, K, SEARCH::template state<N>> *block)
{
    lte_detector_plan plan = {};
    plan.n_rx = plan.n_tx = N;
    plan.n_bits = BITS ? BITS : a.link.n_bits;
    plan.llrs = OUT::wants_llrs;
    plan.demapper = a.link.output.demapper;
    plan.detector = a.job.detector;
    constexpr int n_state = SEARCH::template state<N>;
    constexpr int T = LTE_SEARCHED_THREADS(K, L);
    const lte_slot_memory &slots = a.job.memory;
    searched_planes<N * N, K, T> h;
    searched_planes<N * LTE_SLOT_SYMBOLS, K, T> y_planes; /* on its way while some prepare */
    h.ask(lte_slot_memory_h(&a.link, &slots, at.slot) + at.sc0, a.link.carrier.n_sc, at.n_live, -1);
    y_planes.ask(lte_slot_memory_y(&a.link, &slots, at.slot) + at.sc0, a.link.carrier.n_sc,
                 at.n_live, a.link.receiver.pilot);
    h.put(&block->h[0][0]);
    if constexpr (SEARCH::shares)
        SEARCH::template begin<N, BITS, T>(block + 1);
    __syncthreads();
    prepare_block<N, K, n_state, PREPARE>(a, at, &plan, block);
    y_planes.put(&block->y[0][0]);
    __syncthreads();

    const int lane = (int)threadIdx.x % L, element = (int)threadIdx.x / L;
    const int sc = element % K, symbol = element / K;
    const bool live = symbol < LTE_SLOT_SYMBOLS && sc < at.n_live &&
                      symbol != a.link.receiver.pilot; /* others have nothing to search */
    lte_cplx state[n_state], y[N];
#pragma unroll
    for (int e = 0; e < n_state; e++)
        state[e] = live ? block->state[sc][e] : c_zero();
#pragma unroll
    for (int r = 0; r < N; r++)
        y[r] = live ? block->y[r * LTE_SLOT_SYMBOLS + symbol][sc] : c_zero();
    const searched_element of = {lane, symbol, sc, live};
    if constexpr (SEARCH::shares) {
        static_assert(OUT::wants_llrs, "it gives no labels");
        const int number = number_of_flips(a, at);
        SEARCH::template run<N, BITS, T>(
            &plan, state, y, block->state[sc], block + 1, [&](int layer, int bit, float llr) {
                if (live)
                    keep_llr<N, K>(a, at, of, number, layer, bit, llr, block);
            });
        __syncthreads();
        write_kept<N, K>(a, at, block);
    } else {
        lte_cplx work[4 * N * N + N * LTE_MAX_BITS];
        lte_word label[N];
        float llr[OUT::template room<N *(BITS ? BITS : LTE_MAX_BITS)>];
        const lte_decision decision = {label, OUT::llrs(llr), NULL};
        lte_cplx *const looked_up = (lte_cplx *)lte_lookups_of(block + 1, a.lookups);
        SEARCH::template run<N, BITS>(&plan, state, y, &decision,
                                      SEARCH::looks_up ? looked_up : work, lane);
        OUT::template write<N, K>(a, at, of, label, llr, block);
    }
}

/* Slots from `first` on, a block a unit; with a doorbell blocks that stay, and those it names. */
template <int N, int BITS, int K, int L, class OUT, lte_detector_prepare_fn *PREPARE, class SEARCH>
__global__
__launch_bounds__(LTE_SEARCHED_THREADS(K, L), OUT::blocks(K, L)) void slot_searching_kernel(
    const __grid_constant__ searching_args a, uint64_t first, lte_doorbell *doorbell,
    uint64_t *relay)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ uint64_t word;
    auto *const block = (searched_states<N, K, SEARCH::template state<N>> *)memory;
    const int n_units = a.job.n_carriers * a.units;
    for (uint64_t last = 0;;) {
        if (doorbell) {
            last = next_period(doorbell, relay, last, &word);
            if (last == LTE_DOORBELL_QUIT)
                return;
            first = last & LTE_DOORBELL_SLOT;
        }
        for (int unit = (int)blockIdx.x; unit < n_units; unit += (int)gridDim.x) {
            searched_place at;
            at.carrier = unit / a.units;
            at.unit = unit % a.units;
            at.slot = first + (uint64_t)at.carrier;
            at.sc0 = at.unit * K;
            at.n_live = a.link.carrier.n_sc - at.sc0 < K ? a.link.carrier.n_sc - at.sc0 : K;
            search_unit<N, BITS, K, L, OUT, PREPARE, SEARCH>(a, at, block);
            __syncthreads();
        }
        if (!doorbell)
            return;
        answer_period(doorbell, last);
    }
}

template <int N, int BITS, int K, int L, class OUT, lte_detector_prepare_fn *PREPARE, class SEARCH>
searching_kernel searching_kernel_of()
{
    constexpr int T = LTE_SEARCHED_THREADS(K, L);
    size_t shared = sizeof(searched_states<N, K, SEARCH::template state<N>>);
    if constexpr (SEARCH::shares)
        shared += SEARCH::template shared_size<N, BITS, T>();
    return {slot_searching_kernel<N, BITS, K, L, OUT, PREPARE, SEARCH>, K, T, shared};
}

/* 4x4 16QAM with its own, other modulations and 2x2 with one each. */
template <int K, int L, class OUT, lte_detector_prepare_fn *PREPARE, class SEARCH>
searching_kernel searching_slot(const lte_link *link)
{
    if (link->n_tx == 4 && link->n_bits == 4)
        return searching_kernel_of<4, 4, K, L, OUT, PREPARE, SEARCH>();
    if (link->n_tx == 4)
        return searching_kernel_of<4, 0, K, L, OUT, PREPARE, SEARCH>();
    return searching_kernel_of<2, 0, K, L, OUT, PREPARE, SEARCH>();
}

} // namespace

#define LTE_SLOT_SEARCHING(id, name, out, lanes, subcarriers, search, takes)                       \
    extern "C" searching_kernel name##id(const lte_link *link, lte_detector detector)              \
    {                                                                                              \
        (void)detector;                                                                            \
        return (takes) ? searching_slot<subcarriers, lanes, out, lte_##id##_prepare, search>(link) \
                       : searching_kernel{};                                                       \
    }

#endif
