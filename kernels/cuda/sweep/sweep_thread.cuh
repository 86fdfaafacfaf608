#ifndef LTE_KERNELS_SWEEP_THREAD_CUH
#define LTE_KERNELS_SWEEP_THREAD_CUH
/*
 * The sweep with all stages fused, as kernels: a thread takes one subcarrier of one slot from its
 * draws to its error counts. Only counts and powers leave the multiprocessor, and LLRs that a
 * decoder is to have. Version 1 is below; 2: sweep_square_cuda.cu, 3 and 4: sweep_soft*.
 *
 *   version  what changed                                       10^9 symbols/s on one H200
 *   1        matrices H and W of a thread in shared memory,     8x8: 35
 *            any n_rx; Gram and inverse in registers            4x5: 73
 *            (so, too, for receivers that estimate: their estimates come from device memory)
 *   2        n_rx = n_tx up to 4: H and W in registers          2x2: 122, 4x4: 99
 *   3, 4     as 1, as 2: LLRs, which are counted or written
 *
 * Ceiling: issue slots. A 4x4 subcarrier with 16QAM draws 23 Philox blocks and 44 normals.
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/device/llrs.cuh"
#include "kernels/cuda/sweep/sweep_outputs.cuh"

namespace
{

/* The estimate of one subcarrier: h [n]. */
__device__ __forceinline__ void load_estimate(const sweep_args &a, int slot_index, int sc, int n,
                                              lte_cplx *h)
{
    const lte_cplx *const planes =
        (const lte_cplx *)a.estimate + (ptrdiff_t)slot_index * n * a.link.carrier.n_sc + sc;
#pragma unroll 4
    for (int e = 0; e < n; e++)
        h[e] = planes[(ptrdiff_t)e * a.link.carrier.n_sc];
}

/* The same for one symbol, out of the estimates of a subframe. */
__device__ __forceinline__ void load_combined(const sweep_args &a, int place, int symbol, int sc,
                                              int n, lte_cplx *h)
{
    const lte_combination c = a.noise.combination[place * LTE_SLOT_SYMBOLS + symbol];
    const int n_sc = a.link.carrier.n_sc, other_place = (int)lte_other_slot((uint64_t)place);
    const lte_cplx *const planes = (const lte_cplx *)a.estimate + sc;
    const lte_cplx *const own = planes + (ptrdiff_t)place * n * n_sc;
    const lte_cplx *const other = planes + (ptrdiff_t)other_place * n * n_sc;
#pragma unroll 4
    for (int e = 0; e < n; e++)
        h[e] = lte_combined_h(c, own[(ptrdiff_t)e * n_sc], other[(ptrdiff_t)e * n_sc]);
}

/*
 * An antenna of `receive`: lte_receive_antenna, of any order layer by layer, so that x stays in
 * registers.
 */
template <int N>
__device__ __forceinline__ lte_cplx receive_antenna(int n_tx, const lte_cplx *h, const lte_cplx *x,
                                                    lte_cplx z, float sigma, float *signal,
                                                    float *disturbance)
{
    if constexpr (N != ANY_ORDER) {
        return lte_receive_antenna(n_tx, h, x, z, sigma, signal, disturbance);
    } else {
        lte_cplx s = c_zero(), noise;
#pragma unroll
        for (int k = 0; k < LTE_MAX_ORDER; k++) {
            if (k < n_tx)
                s = c_mac(s, h[k], x[k]);
        }
        const lte_cplx y = lte_add_noise(s, z, sigma, &noise);
        lte_add_power(s, signal);
        lte_add_power(noise, disturbance);
        return y;
    }
}

/* s.y [n_rx] of one symbol: x [n_tx] through s.h, and noise drawn in pairs; its powers. */
template <int N, int RX>
__device__ __forceinline__ lte_received receive(const subcarrier &s, int symbol, const lte_cplx *x,
                                                float sigma)
{
    const int blocks = (s.n_rx + 1) / 2;
    lte_received power = {0.0f, 0.0f};
#pragma unroll(RX ? (RX + 1) / 2 : 1)
    for (int b = 0; b < blocks; b++) {
        lte_cplx z[2];
        lte_draw_noise_pair(&s.draws, s.slot, (uint32_t)s.sc, symbol, (uint32_t)b, z);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int r = 2 * b + i;
            if (r < s.n_rx)
                s.y[r] = receive_antenna<N>(s.n_tx, s.h + r * s.n_tx, x, z[i], sigma, &power.signal,
                                            &power.noise);
        }
    }
    return power;
}

/*
 * Elements of the state of a detector that solves. In registers, too, every detector has as many.
 */
template <class OUT> __host__ __device__ constexpr int state_size(int n, int n_rx)
{
    return n_rx * n + OUT::SINRS * n;
}

/* H, the states of the detectors, and y of a thread that has them in registers. */
template <int N, int RX, int D, class OUT> struct registers {
    lte_cplx h[RX ? RX * N : 1], w[RX ? D * state_size<OUT>(N, RX) : 1], y[RX ? RX : 1];
};

/* Finds the subcarrier and draws its payload; the arguments are those of sweep_subcarrier. */
template <int N, int RX, int D, bool BOTH, class OUT>
__device__ __forceinline__ subcarrier place_subcarrier(const sweep_args &a,
                                                       const block_memory &shared, int entry,
                                                       int slot_index, int sc, bool listens,
                                                       registers<N, RX, D, OUT> *own)
{
    const lte_link &link = a.link;
    subcarrier s;
    s.slot_index = slot_index;
    s.sc = sc;
    s.slot = a.first + (uint64_t)slot_index;
    s.live = sc < link.carrier.n_sc;
    s.counts = s.live && listens;
    s.place = s.live ? sc : link.carrier.n_sc - 1;
    s.n_rx = RX ? RX : link.n_rx;
    s.n_tx = layers_of<N>(link);
    s.n_detectors = RX ? D : a.n_detectors;
    s.n_state = RX ? state_size<OUT>(N, RX) : a.n_state;
    s.estimates = RX == 0 && N <= LTE_PILOT_LAYERS && lte_link_estimates(&link);
    s.both = BOTH || (OUT::asks_references(N) && s.estimates && link.receiver.pilots > 1);
    s.carries = OUT::carries(a);

    s.draws = link.channel.draws;
    if (RX) { /* the same values, as constants */
        s.draws.n_rx = RX;
        s.draws.n_tx = N;
        s.draws.channel_blocks = (RX * N + 1) / 2;
        s.draws.noise_blocks = (RX + 1) / 2;
    }
    OUT::draw(s, shared.words);
    /*
     * No label is taken yet. The compiler is not to see the zero: a count that all threads have
     * alike goes to the uniform registers, and each label takes an instruction more. Behind the
     * carrier, where it is below zero, labels do not count.
     */
    s.sent = {shared.words + threadIdx.x, shared.words[threadIdx.x], s.place - sc};

    s.h = RX ? own->h : shared.matrices;
    s.y = RX ? own->y : s.h + s.n_rx * s.n_tx;
    s.w = RX ? own->w : s.y + s.n_rx;

    const ptrdiff_t slot_labels = (ptrdiff_t)LTE_SLOT_SYMBOLS * s.n_tx * link.carrier.n_sc;
    const int stream = a.carried.n_streams > 1 ? a.column : 0, bytes = lte_label_bytes(link.n_bits);
    s.labels =
        a.carried.labels +
        (((ptrdiff_t)stream * a.carried.n_processes * 2 + entry) * slot_labels + s.place) * bytes;
    s.flips = a.carried.flips + ((s.slot % 20) * slot_labels + s.place) * bytes;
    s.llrs = a.carried.llrs +
             ((ptrdiff_t)a.column * a.carried.n_processes * 2 + entry) * lte_llr_planes(&link) + sc;
    return s;
}

/*
 * Prepares the detectors for a symbol, where its H is not that of the symbol before: first H as the
 * receiver takes it to be, if that is another, then as it is, which stays in s.h. Two pilots
 * give both anew for each symbol: n_h is 7 then. Returns what the detectors flag, 16 bits each.
 */
template <int N, int RX, int INV, int DET, int D, class OUT>
__device__ __forceinline__ uint32_t estimate_channel(const sweep_args &a, const subcarrier &s,
                                                     int symbol, lte_cplx *matrices)
{
    const lte_cf32 *const tap = a.tap + s.slot_index * a.slot_taps;
    uint32_t flagged = 0;
#pragma unroll 1
    for (int pass = s.estimates && (s.both || symbol == 0) ? 0 : 1; pass < 2; pass++) {
        if (s.both && pass == 0)
            load_combined(a, a.before + s.slot_index, symbol, s.place, s.n_rx * s.n_tx, matrices);
        else if (pass == 0)
            load_estimate(a, s.slot_index, s.place, s.n_rx * s.n_tx, matrices);
        else if (symbol < a.link.channel.n_h)
            draw_channel(a.link, tap, s.slot, symbol, (uint32_t)s.sc, matrices);
        else
            break;
#pragma unroll
        for (int e = 0; e < RX * N; e++)
            s.h[e] = matrices[e];
        if (s.estimates && pass == 1)
            break;
        const float n0 = s.both ? combined_n0(a.link, a.noise, a.residual,
                                              (uint64_t)(a.before + s.slot_index), symbol, s.place)
                         : s.estimates
                             ? effective_n0(a.link, a.noise, a.residual + s.slot_index, s.place)
                             : a.noise.n0;
#pragma unroll(RX ? D : 1)
        for (int d = 0; d < s.n_detectors; d++) { /* Gram again for each: cheaper than kept */
            const lte_mask flag = detector<DET>::template prepare<N, INV, OUT::SINRS != 0>(
                a.loading[d], a.parameter, s.n_rx, s.n_tx, a.link.receiver.inverter, s.h, n0,
                s.w + d * s.n_state);
            flagged += (flag && s.counts ? 1u : 0u) << (16 * d);
        }
    }
    return flagged;
}

/* What a symbol carries, label [n_tx], and what the antennas receive of it, s.y; its powers. */
template <int N, int RX, class OUT>
__device__ __forceinline__ void transmit(const sweep_args &a, const lte_cplx *qam, subcarrier *s,
                                         int symbol, uint32_t *label)
{
    lte_cplx x[layer_room(N)];
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= s->n_tx)
            continue;
        label[k] = OUT::label(a, s, symbol, k);
        x[k] = qam[label[k]];
    }
    const lte_received received = receive<N, RX>(*s, symbol, x, a.noise.sigma);
    if (symbol == 0 && a.power) {
        lte_power *const power = &a.power[s->slot_index];
        warp_add_wide(s->live ? lte_power_units(received.signal) : 0, &power->signal);
        warp_add_wide(s->live ? lte_power_units(received.noise) : 0, &power->noise);
    }
}

/* What detector d decides, decided [n_tx]. */
template <int N, int DET, class OUT>
__device__ __forceinline__ void detect(const sweep_args &a, const subcarrier &s, int d, int symbol,
                                       const uint32_t *label, uint32_t *counts, uint32_t *decided)
{
    lte_cplx estimate[layer_room(N)];
    float rho[layer_room(N)];
    detector<DET>::template apply<N>(s.n_rx, s.n_tx, a.parameter, s.w + d * s.n_state, s.y,
                                     estimate, OUT::SINRS ? rho : NULL);
    OUT::template take<N>(a, s, symbol, estimate, rho, label, counts);
    demap_layers<N>(s.n_tx, a.link.n_bits, estimate, decided);
}

/* Adds what differs, wrong [n_tx]: bits, symbols, and in that of layer 0 vectors, in their places.
 */
template <int N>
__device__ __forceinline__ void count_errors(int n_tx, const uint32_t *label,
                                             const uint32_t *decided, uint32_t *wrong)
{
    uint32_t any = 0;
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= n_tx)
            continue;
        const uint32_t differ = decided[k] ^ label[k];
        const uint32_t bits = lte_bits_set(differ); /* with 15 more, bit 4 is set but for none */
        wrong[k] += bits + ((bits + 15u) << (SYMBOLS_PLACE - 4) & 1u << SYMBOLS_PLACE);
        any |= differ;
    }
    wrong[0] += any ? 1u << VECTORS_PLACE : 0u;
}

/*
 * One subcarrier, all symbols of its slot; the parameters are those of sweep_thread. Only whole
 * warps come here: a thread beyond the carrier takes the last subcarrier and counts nothing. entry:
 * of the launch, whose slot it is; listens: the decoder of the slot still needs its LLRs.
 */
template <int N, int RX, int INV, int DET, int D, bool BOTH, class OUT>
__device__ __forceinline__ void sweep_subcarrier(const sweep_args &a, const block_memory &shared,
                                                 int entry, int slot_index, int sc, bool listens)
{
    registers<N, RX, D, OUT> own;
    subcarrier s =
        place_subcarrier<N, RX, D, BOTH, OUT>(a, shared, entry, slot_index, sc, listens, &own);
    uint32_t wrong[D][layer_room(N)] = {}, flagged = 0;
#pragma unroll 1
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        uint32_t label[layer_room(N)], decided[layer_room(N)];
        if (s.estimates && symbol == LTE_PILOT_SYMBOL) { /* carries no payload: it is passed over */
#pragma unroll
            for (int k = 0; k < layer_room(N); k++) {
                if (k < s.n_tx)
                    (void)next_label(&s.draws, &s.sent);
            }
            continue;
        }
        flagged += estimate_channel<N, RX, INV, DET, D, OUT>(a, s, symbol, shared.matrices);
        transmit<N, RX, OUT>(a, shared.qam, &s, symbol, label);
        const bool idle =
            s.carries && !lte_grid_carries(&a.link.carrier.grid, s.slot, symbol, s.place);
#pragma unroll
        for (int d = 0; d < D; d++) {
            if (d == s.n_detectors)
                break;
            detect<N, DET, OUT>(a, s, d, symbol, label, shared.counts, decided);
            if (idle) /* it carries no data */
                continue;
            count_errors<N>(s.n_tx, label, decided, wrong[d]);
        }
    }
#pragma unroll
    for (int d = 0; d < D; d++) {
        if (d < s.n_detectors)
            add_errors<N>(s.n_tx, s.counts, wrong[d], (flagged >> (16 * d)) & 0xffffu,
                          a.errors + lte_counts_at(a.link.output.n_counts,
                                                   (ptrdiff_t)slot_index * a.n_columns + d));
    }
}

/* A thread's subcarrier, as sweep_subcarrier. */
typedef void subcarrier_fn(const sweep_args &a, const block_memory &shared, int entry,
                           int slot_index, int sc, bool listens);

/* One thread, N layers or ANY_ORDER. All warps of a block meet at the same barriers. */
template <int N, class OUT, subcarrier_fn *SUBCARRIER>
__device__ __forceinline__ void sweep_block(const sweep_args &a)
{
    extern __shared__ lte_cplx shared[];
    /*
     * What has a constant place is first. Not the points: their address, if it were as simple,
     * would be made anew for each symbol, from a register that takes long to read.
     */
    uint32_t *const counts = (uint32_t *)shared;
    uint32_t *const words = counts + OUT::COUNTS;
    lte_cplx *const qam =
        (lte_cplx *)(words + 4 * a.link.channel.draws.payload_blocks * blockDim.x);
    const block_memory memory = {counts, qam, words,
                                 qam + (1 << a.link.n_bits) + threadIdx.x * a.stride};

    const int entry = blockIdx.x / a.blocks_per_slot;
    const int slot_index = OUT::slot_of(a, entry);
    const bool listens = OUT::listens(a, entry);
    if (!listens)
        return; /* the whole block */
    const int sc = (blockIdx.x % a.blocks_per_slot) * blockDim.x + threadIdx.x;
    for (int label = threadIdx.x; label < 1 << a.link.n_bits; label += blockDim.x)
        memory.qam[label] = lte_qam_map(a.link.n_bits, (uint32_t)label);
    OUT::begin(a, counts);
    __syncthreads();
    if (sc - (int)(threadIdx.x % WARP) <
        a.link.carrier.n_sc) /* or the whole warp is beyond the carrier */
        SUBCARRIER(a, memory, entry, slot_index, sc, listens);
    OUT::template end<N>(a, slot_index, counts);
}

/*
 * One thread: N layers, or ANY_ORDER; RX antennas in registers, or any number in shared memory (RX
 * = 0); up to D detectors over the same draws, of a kind DET; OUT: sweep_outputs.cuh, with LLRs of
 * one detector. BOTH: H is estimated from two reference symbols, which those with LLRs and those of
 * rare orders ask at run time.
 */
template <int N, int RX, int INV, int DET, int D, bool BOTH = false, class OUT = bits_alone>
__device__ __forceinline__ void sweep_thread(const sweep_args &a)
{
    sweep_block<N, OUT, sweep_subcarrier<N, RX, INV, DET, D, BOTH, OUT>>(a);
}

/*
 * Blocks on a multiprocessor, 0 as the compiler likes: eight leave 64 registers to a thread. Of
 * eight layers that are solved the shared memory has room for two, so that a thread may have 255.
 */
constexpr int sweep_blocks(int n, int detector)
{
    return detector == SOLVING ? (n == 8 ? 2 : 0) : (n == 2 || n == 4 ? 8 : 0);
}

template <int N, int INV, int DET, bool BOTH = false>
__global__
__launch_bounds__(SWEEP_BLOCK,
                  sweep_blocks(N, DET)) void sweep_kernel1(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, 0, INV, DET, DET == SOLVING ? MAX_TOGETHER : 1, BOTH>(a);
}

template <int INV, int DET> struct sweep1 {
    template <int N> static sweep_kernel *of(const lte_link *link)
    {
        (void)link;
        if constexpr (DET == SOLVING && !is_rare(N) && N <= LTE_PILOT_LAYERS) {
            if (link->receiver.pilots > 1)
                return sweep_kernel1<N, ANY_INVERTER, DET, true>;
        }
        constexpr int inverter = is_rare(N) || N == 1 ? any_inverter(DET) : INV;
        return sweep_kernel1<N, inverter, DET>;
    }
};

} // namespace

#endif
