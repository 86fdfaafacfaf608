#ifndef LTE_KERNELS_SLOT_THROUGHPUT_THREAD_CUH
#define LTE_KERNELS_SLOT_THROUGHPUT_THREAD_CUH
/*
 * One slot of the deadline run with its stages fused, for many carriers or LLRs: fewest bytes and
 * instructions. A thread per subcarrier; where the channel moves, or there are too few subcarriers
 * for the device and LLRs take long, a thread per subcarrier and symbol. Which links and
 * detectors take it: kernels/backends/cuda/cuda_paths.c.
 *
 *   version   H and the detector's state
 *   registers n_rx = n_tx = 2 or 4: all in registers, planes asked for before they are needed
 *   shared    any other: in the thread's part of shared memory, the state in place of H. (For 8x8
 *             with the number of antennas known to the compiler it keeps H in registers, too, and
 *             spills 3.7 KB a thread.)
 */
#include "kernels/base/labels.h"
#include "kernels/cuda/device/llrs.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/slot/slot_throughput.cuh"

namespace
{

enum { IN_FLIGHT = 8 }; /* planes that a thread asks for at a time */

/* Where the planes of a thread's subcarrier begin, and what becomes of it. */
struct thread_slot {
    const float2 *h; /* element e of H: plane e n_csi on; of two, all estimates */
    const float2 *y; /* antenna r of symbol s: plane 7 r + s on */
    uint8_t *bits;   /* row of the first symbol */
    const int64_t *residual;
    int sc0, n_live; /* of the block */
    int n_symbols;   /* of the thread, from symbol0 on */
    int symbol0;
};

/* both: H is estimated from two reference symbols. */
__device__ __forceinline__ thread_slot place_thread(const slot_args &a, uint64_t slot, bool both)
{
    const lte_slot_memory &memory = a.job.memory;
    const int n_sc = a.link.carrier.n_sc, n_csi = a.link.receiver.n_csi, block = (int)blockDim.x;
    thread_slot s;
    s.sc0 = (int)(blockIdx.x % (unsigned)a.units) * block;
    s.n_live = n_sc - s.sc0 < block ? n_sc - s.sc0 : block;
    s.symbol0 = (int)blockIdx.y; /* of 7 blocks */
    s.n_symbols = a.apart ? 1 : LTE_SLOT_SYMBOLS;
    const int sc = s.sc0 + (int)threadIdx.x;
    const ptrdiff_t at = (ptrdiff_t)s.symbol0 * n_sc + sc;
    s.h = (const float2 *)(both ? memory.h
                                : lte_slot_memory_h(&a.link, &memory, slot) +
                                      (n_csi > 1 ? at : (ptrdiff_t)sc));
    s.y = (const float2 *)lte_slot_memory_y(&a.link, &memory, slot) + at;
    s.bits = lte_slot_memory_bits(&memory, slot) + (size_t)s.symbol0 * memory.row_bytes;
    s.residual = a.residual + slot % memory.n_h_in;
    return s;
}

/* H [n] of the thread's symbol out of the estimates of a subframe; returns what it goes by. */
__device__ __forceinline__ float load_combined(const slot_args &a, const thread_slot &s,
                                               uint64_t slot, int n, lte_cplx *h)
{
    const uint64_t place = slot % a.job.memory.n_h_in;
    const int n_sc = a.link.carrier.n_sc, sc = s.sc0 + (int)threadIdx.x;
    const lte_combination c =
        a.job.noise.combination[place * LTE_SLOT_SYMBOLS + (uint64_t)s.symbol0];
    const lte_cplx *const planes = (const lte_cplx *)s.h + sc;
    const lte_cplx *const own = planes + (ptrdiff_t)place * n * n_sc;
    const lte_cplx *const other = planes + (ptrdiff_t)lte_other_slot(place) * n * n_sc;
#pragma unroll 4
    for (int e = 0; e < n; e++)
        h[e] = lte_combined_h(c, own[(ptrdiff_t)e * n_sc], other[(ptrdiff_t)e * n_sc]);
    return combined_n0(a.link, a.job.noise, a.residual, place, s.symbol0, sc);
}

/* y [n_rx] of a symbol; zeros if it is none that carries data. */
template <int RX>
__device__ __forceinline__ void load_y(const slot_args &a, const thread_slot &s, int symbol,
                                       int n_rx, lte_cplx *y)
{
    const bool data = symbol < s.n_symbols && symbol != a.link.receiver.pilot;
#pragma unroll(RX ? RX : IN_FLIGHT)
    for (int r = 0; r < n_rx; r++) {
        const float2 z = data
                             ? s.y[(ptrdiff_t)(r * LTE_SLOT_SYMBOLS + symbol) * a.link.carrier.n_sc]
                             : make_float2(0.0f, 0.0f);
        y[r].re = z.x;
        y[r].im = z.y;
    }
}

/*
 * Hard bits of a resource element, label [n_tx], to its symbol's row: straight if they are whole
 * words of 8, 16 or 32 bits, else by way of the block's labels [7][n_labels].
 */
template <int N>
__device__ __forceinline__ void store_labels(const slot_args &a, const thread_slot &s, int symbol,
                                             int n_tx, const lte_word *label, uint8_t *labels,
                                             int n_labels)
{
    const int n_bits = a.link.n_bits, re_bits = n_tx * n_bits, t = (int)threadIdx.x;
    uint8_t *const row = s.bits + (size_t)symbol * a.job.memory.row_bytes;
    if (!is_straight(n_tx, n_bits)) {
#pragma unroll
        for (int k = 0; k < layer_room(N); k++) {
            if (k < n_tx)
                lte_label_put(n_bits, labels, symbol * n_labels + t * n_tx + k, label[k]);
        }
        return;
    }
    lte_word value = 0;
#pragma unroll
    for (int k = 0; k < layer_room(N); k++)
        value |= k < n_tx && k * n_bits < 32 ? label[k] << (k * n_bits) : 0;
    if (re_bits == 8)
        row[s.sc0 + t] = (uint8_t)value;
    else if (re_bits == 16)
        ((uint16_t *)row)[s.sc0 + t] = (uint16_t)value;
    else
        ((uint32_t *)row)[s.sc0 + t] = value;
}

/* LLRs of a resource element, estimate [n_tx] at SINR rho [n_tx], to the planes of its symbol. */
template <int N>
__device__ __forceinline__ void store_llrs(const slot_args &a, const thread_slot &s, uint64_t slot,
                                           int symbol, int n_tx, const lte_cplx *estimate,
                                           const float *rho)
{
    const lte_scrambled &scrambled = a.job.memory.scrambled;
    const int n_sc = a.link.carrier.n_sc, sc = s.sc0 + (int)threadIdx.x, at = s.symbol0 + symbol;
    const uint8_t *flips = NULL;
    if (scrambled.flips) {
        const int number =
            (int)(slot % scrambled.distinct) * scrambled.step + scrambled.part; /* of the link */
        flips = scrambled.flips +
                lte_label_bytes(a.link.n_bits) *
                    ((ptrdiff_t)((number % (2 * LTE_CODE_FRAME) * LTE_SLOT_SYMBOLS + at) * n_tx) *
                         n_sc +
                     sc);
    }
    int8_t *const llrs = (int8_t *)s.bits + (ptrdiff_t)symbol * n_tx * a.link.n_bits * n_sc + sc;
    store_llrs<N>(a.link, estimate, rho, flips, llrs);
}

/*
 * Blocks on a multiprocessor: with order 8 three leave 168 registers to a thread, which its
 * triangle, a row of sums and the estimates need; with order 4 five leave 96, which is enough: left
 * to itself the compiler takes 112 and there is room for four; with any order four leave 128;
 * below, its choice is as good.
 */
constexpr int blocks_wanted(int n)
{
    return n == 8 ? 3 : n == 4 ? 5 : n == ANY_ORDER ? 4 : 1;
}

/* With LLRs: as good, but for small orders in shared memory, to which eight leave 64. */
constexpr int soft_wanted(int n, int n_rx, int detector)
{
    return detector == SOLVING && n_rx == 0 && (n == 1 || n == 2) ? 8 : 1;
}

/*
 * SOFT: LLRs come out. BOTH: H is estimated from two reference symbols, which kernels with LLRs and
 * those of any order ask at run time.
 */
template <int N, int RX, int INV, int DET, bool BOTH = false, bool SOFT = false>
__global__ __launch_bounds__(
    THROUGHPUT_BLOCK,
    SOFT ? soft_wanted(N, RX, DET)
         : blocks_wanted(N)) void throughput_kernel(const __grid_constant__ slot_args a,
                                                    uint64_t first, int stride)
{
    enum { OF_STATE = RX * N + (SOFT ? N : 0) };
    extern __shared__ __align__(16) unsigned char memory[];
    constexpr bool registers = RX > 0;
    constexpr bool asks = !registers && (SOFT || N == ANY_ORDER) && N <= LTE_PILOT_LAYERS;
    const bool both = BOTH || (asks && a.link.receiver.pilots > 1);
    const int n_rx = RX ? RX : a.link.n_rx, n_tx = layers_of<N>(a.link), n_sc = a.link.carrier.n_sc;
    const int n = n_rx * n_tx;
    const int t = (int)threadIdx.x, n_labels = block_labels(n_tx, (int)blockDim.x);
    uint8_t *const labels = memory + sizeof(lte_cplx) * (size_t)((int)blockDim.x * stride);
    const uint64_t slot = first + blockIdx.x / (unsigned)a.units;
    const thread_slot s = place_thread(a, slot, both);
    if (t < s.n_live) {
        lte_cplx h_registers[registers ? OF_STATE : 1];
        lte_cplx y_registers[RX ? LTE_SLOT_SYMBOLS * RX : 1];
        lte_cplx *const state = registers ? h_registers : (lte_cplx *)memory + t * stride;
        lte_cplx *const y = RX ? y_registers : state + (stride - n_rx);
        float n0 = 0.0f;
        if (both)
            n0 = load_combined(a, s, slot, n, state);
#pragma unroll(RX ? RX *N : 2 * IN_FLIGHT)
        for (int e = 0; e < n && !both; e++) {
            const float2 z = s.h[(ptrdiff_t)(e * a.link.receiver.n_csi) * n_sc];
            state[e].re = z.x;
            state[e].im = z.y;
        }
        if constexpr (registers) { /* asked for before they are needed */
#pragma unroll
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
                load_y<RX>(a, s, symbol, RX, &y[symbol * RX]);
        }
        if (!both)
            n0 = effective_n0(a.link, a.job.noise, s.residual, s.sc0 + t);
        detector<DET>::template prepare<N, INV, SOFT>(a.loading, a.parameter, n_rx, n_tx,
                                                      a.link.receiver.inverter, state, n0, state);
#pragma unroll(RX ? LTE_SLOT_SYMBOLS : 1)
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            lte_cplx estimate[layer_room(N)];
            lte_word label[layer_room(N)];
            if (symbol >= s.n_symbols)
                break;
            const lte_cplx *here = registers ? &y[symbol * RX] : y;
            if constexpr (!registers)
                load_y<RX>(a, s, symbol, n_rx, y);
            if constexpr (SOFT) {
                float rho[layer_room(N)];
                detector<DET>::template apply<N>(n_rx, n_tx, a.parameter, state, here, estimate,
                                                 rho);
                if (s.symbol0 + symbol != a.link.receiver.pilot)
                    store_llrs<N>(a, s, slot, symbol, n_tx, estimate, rho);
                continue;
            }
            detector<DET>::template apply<N>(n_rx, n_tx, a.parameter, state, here, estimate);
            demap_layers<N>(n_tx, a.link.n_bits, estimate, label);
#pragma unroll
            for (int k = 0; k < layer_room(N); k++) {
                if (k < n_tx)
                    label[k] = (both ? s.symbol0 : symbol) == a.link.receiver.pilot ? 0 : label[k];
            }
            store_labels<N>(a, s, symbol, n_tx, label, labels, n_labels);
        }
    }
    if constexpr (!SOFT) {
        if (is_straight(n_tx, a.link.n_bits))
            return;
        for (int i = t >= s.n_live ? 0 : s.n_symbols * n_tx; i < s.n_symbols * n_tx; i++)
            lte_label_put(a.link.n_bits, labels, i / n_tx * n_labels + t * n_tx + i % n_tx,
                          0); /* behind the last subcarrier */
        __syncthreads();
        write_labels(a.link.n_bits, {labels, n_labels, s.n_symbols, n_tx, s.n_live, s.sc0}, s.bits,
                     a.job.memory.row_bytes, t, (int)blockDim.x);
    }
}

template <int INV, int DET, bool SOFT = false> struct throughput {
    template <int N> static throughput_fn *of(const lte_link *link)
    {
        if constexpr (DET == SOLVING && !SOFT && N != ANY_ORDER && N <= LTE_PILOT_LAYERS) {
            if (link->receiver.pilots > 1)
                return throughput_kernel<N, 0, ANY_INVERTER, DET, true>;
        }
        if constexpr (DET == SOLVING && in_registers(N, N)) {
            if (link->n_rx == N && link->receiver.pilots == 1)
                return throughput_kernel < N, N, SOFT ? ANY_INVERTER : INV, DET, false, SOFT > ;
        }
        constexpr int inverter = N == ANY_ORDER || N == 1 ? any_inverter(DET) : INV;
        return throughput_kernel<N, 0, inverter, DET, false, SOFT>;
    }
};

} // namespace

#endif
