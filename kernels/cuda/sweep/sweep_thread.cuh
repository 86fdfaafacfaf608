#ifndef LTE_KERNELS_SWEEP_THREAD_CUH
#define LTE_KERNELS_SWEEP_THREAD_CUH
/*
 * The sweep with all stages fused, as kernels: a thread takes one subcarrier of one slot from its
 * draws to its error counts; only the counts leave the multiprocessor.
 *
 *   version  what changed                                       10^9 symbols/s on one H200
 *   1        matrices H and W of a thread in shared memory,     8x8: 35
 *            any n_rx; draws, Gram and inverse in registers     4x5: 73
 *            (so, too, for receivers that estimate: their estimates come from device memory)
 *   2        n_rx = n_tx up to 4: H and W in registers          2x2: 122, 4x4: 99
 *   3, 4     as 1, as 2: LLRs, which are counted or written
 *
 * Ceiling: issue slots. A 4x4 subcarrier with 16QAM draws 23 Philox blocks and 44 normals.
 */

#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/device/llrs.cuh"
#include "kernels/cuda/sweep/sweep_kernels.cuh"

namespace
{

/* Labels of one subcarrier in their order, from payload words of this thread. */
struct payload {
    const uint32_t *word; /* the next lies blockDim.x on */
    uint32_t current;
    int i; /* labels taken from it */
};

__device__ __forceinline__ uint32_t next_label(const lte_draws *draws, payload *p)
{
    if (p->i == draws->payload_per_word) {
        p->word += blockDim.x;
        p->current = *p->word;
        p->i = 0;
    }
    const uint32_t label = p->current & ((1u << draws->n_bits) - 1u);
    p->current >>= draws->n_bits;
    p->i++;
    return label;
}

/* The estimate of one subcarrier: h [n]. */
__device__ __forceinline__ void load_estimate(const sweep_args &a, int slot_index, int sc, int n,
                                              lte_cplx *h)
{
    const lte_cplx *const planes =
        (const lte_cplx *)a.estimate + (ptrdiff_t)slot_index * n * a.link.n_sc + sc;
#pragma unroll 4
    for (int e = 0; e < n; e++)
        h[e] = planes[(ptrdiff_t)e * a.link.n_sc];
}

/* The same for one symbol, out of the estimates of a subframe. */
__device__ __forceinline__ void load_combined(const sweep_args &a, int place, int symbol, int sc,
                                              int n, lte_cplx *h)
{
    const lte_combination c = a.noise.combination[place * LTE_SLOT_SYMBOLS + symbol];
    const int n_sc = a.link.n_sc, other_place = (int)lte_other_slot((uint64_t)place);
    const lte_cplx *const planes = (const lte_cplx *)a.estimate + sc;
    const lte_cplx *const own = planes + (ptrdiff_t)place * n * n_sc;
    const lte_cplx *const other = planes + (ptrdiff_t)other_place * n * n_sc;
#pragma unroll 4
    for (int e = 0; e < n; e++)
        h[e] = lte_combined_h(c, own[(ptrdiff_t)e * n_sc], other[(ptrdiff_t)e * n_sc]);
}

/* Payload words of one subcarrier to shared memory: [4 payload_blocks][blockDim.x]. */
__device__ __forceinline__ void draw_payload(const lte_draws *draws, uint64_t slot, int sc,
                                             uint32_t *words)
{
    for (uint32_t b = 0; b < draws->payload_blocks; b++) {
        const lte_words w =
            lte_draw(draws, slot, LTE_DRAW_PAYLOAD, (uint32_t)sc * draws->payload_blocks + b);
        for (int k = 0; k < 4; k++)
            words[(4 * b + k) * blockDim.x + threadIdx.x] = w.v[k];
    }
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

/* y [n_rx] of one symbol: x [n_tx] through h, and noise drawn in pairs; its powers. */
template <int N, int RX>
__device__ __forceinline__ void receive(const lte_draws *draws, uint64_t slot, int sc, int symbol,
                                        int n_rx, int n_tx, const lte_cplx *h, const lte_cplx *x,
                                        float sigma, lte_cplx *y, float *signal, float *disturbance)
{
    const int blocks = (n_rx + 1) / 2;
    *signal = *disturbance = 0.0f;
#pragma unroll(RX ? (RX + 1) / 2 : 1)
    for (int b = 0; b < blocks; b++) {
        lte_cplx z[2];
        lte_draw_noise_pair(draws, slot, (uint32_t)sc, symbol, (uint32_t)b, z);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int r = 2 * b + i;
            if (r < n_rx)
                y[r] = receive_antenna<N>(n_tx, h + r * n_tx, x, z[i], sigma, signal, disturbance);
        }
    }
}

/* Adds the warp's counts of a detector: wrong [n_tx], symbols in the high half, bits in the low. */
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
            atomicAdd(&errors[lte_symbols_at(n_tx, k)], sum >> 16);
        }
    }
    const uint32_t sum = __reduce_add_sync(~0u, flagged);
    if (threadIdx.x % WARP == 0 && sum)
        atomicAdd(&errors[lte_flagged_at(n_tx)], sum);
}

/* Adds the warp's sum to a block's count. */
__device__ __forceinline__ void add_soft(uint32_t value, uint32_t *count)
{
    const uint32_t sum = __reduce_add_sync(~0u, value);
    if (threadIdx.x % WARP == 0 && sum)
        atomicAdd(count, sum);
}

/*
 * Adds what the LLRs of a symbol of layer k are worth to a block's counts, soft [n_counts - those
 * of hard decisions]. A call: in the loops of every order it would take the registers of all the
 * rest.
 */
template <int BITS>
__device__ __noinline__ void count_llrs_of(const lte_output &output, int n_tx, int symbol, int k,
                                           lte_cplx x, float rho, uint32_t sent, bool live,
                                           uint32_t *soft)
{
    const int hard = lte_lost_at(n_tx, BITS, 0, 0);
    uint32_t scaled[LTE_N_LLR_SCALES] = {}, cut = 0;
    const lte_told told = lte_tell(x, rho);
#pragma unroll dimensions_together(BITS)
    for (int first = 0; first < 2; first++) {
        float llr[BITS];
        lte_soft_dimension(BITS, 0, output.demapper, first ? told.x.im : told.x.re, told.rho, llr);
#pragma unroll
        for (int even = 0; even < BITS; even += 2) {
            const int bit = even + first;
            const float towards = r_flip(llr[even], sent << (31 - bit));
            const uint32_t value = lte_quantise(towards, output.llr_scale);
            add_soft(live ? lte_loss(towards) : 0, &soft[lte_lost_at(n_tx, BITS, k, bit) - hard]);
            cut += lte_is_cut(value);
            for (int s = 0; s < LTE_N_LLR_SCALES && symbol == 0; s++)
                scaled[s] += output.scale_losses[lte_scale_loss_at(s, (int)value)];
        }
    }
    add_soft(live ? cut : 0, &soft[lte_cut_at(n_tx, BITS) - hard]);
    for (int s = 0; s < LTE_N_LLR_SCALES && symbol == 0; s++)
        add_soft(live ? scaled[s] : 0, &soft[lte_scaled_at(n_tx, BITS, s) - hard]);
}

/* All layers of a symbol are counted. */
template <int N>
__device__ __forceinline__ void count_llrs(const lte_link &link, int symbol, const lte_cplx *x,
                                           const float *rho, const uint32_t *sent, bool live,
                                           uint32_t *soft)
{
    const int n_tx = layers_of<N>(link);
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k >= n_tx)
            continue;
#define COUNT(bits)                                                                                \
    if (link.n_bits == bits)                                                                       \
        count_llrs_of<bits>(link.output, n_tx, symbol, k, x[k], rho[k], sent[k], live, soft);
        LTE_FOR_BITS(COUNT)
#undef COUNT
    }
}

/*
 * The slot of an entry of a launch, counted from the first; two of them are a block's if they carry
 * one.
 */
__device__ __forceinline__ int slot_of_entry(const lte_carried &c, int entry)
{
    return c.labels ? (int)lte_code_slot(&c.plan, (uint64_t)(entry / 2), c.transmission) + entry % 2
                    : entry;
}

/* Counts of LLRs that a row has. */
__device__ __forceinline__ int n_soft_counts(const lte_link &link)
{
    return link.n_counts - lte_lost_at(link.n_tx, link.n_bits, 0, 0);
}

/* Adds a block's counts to its slot's, once all of its warps are here. */
__device__ __forceinline__ void flush_soft(const sweep_args &a, int n_tx, int slot_index,
                                           const uint32_t *soft)
{
    uint32_t *const out = a.errors +
                          lte_counts_at(a.link.n_counts, (ptrdiff_t)slot_index * a.n_columns) +
                          lte_lost_at(n_tx, a.link.n_bits, 0, 0);
    __syncthreads();
    for (int i = threadIdx.x; i < n_soft_counts(a.link); i += blockDim.x)
        if (soft[i])
            atomicAdd(&out[i], soft[i]);
}

/* Shared memory: what a block has, and the thread's own part of it. */
struct block_memory {
    lte_cplx *qam;      /* [2^n_bits], the points of the constellation */
    uint32_t *soft;     /* [MOST_SOFT_COUNTS], with LLRs: what they are worth, of the block */
    uint32_t *words;    /* [4 payload_blocks][blockDim.x], drawn payload */
    lte_cplx *matrices; /* [stride], of the thread */
};

/*
 * One subcarrier, all symbols of its slot; the parameters are those of sweep_thread. Only whole
 * warps come here: a thread beyond the carrier takes the last subcarrier and counts nothing. entry:
 * of the launch, whose slot it is; listens: the decoder of the slot still needs its LLRs.
 */
template <int N, int RX, int INV, int DET, int D, bool BOTH, bool SOFT>
__device__ __forceinline__ void sweep_subcarrier(const sweep_args &a, const block_memory &shared,
                                                 int entry, int slot_index, int sc, bool listens)
{
    enum { OF_STATE = RX * N + (SOFT ? N : 0) }; /* of a detector that solves */
    lte_cplx *const qam = shared.qam, *const matrices = shared.matrices;
    uint32_t *const words = shared.words;
    const int n_rx = RX ? RX : a.link.n_rx, n_tx = layers_of<N>(a.link), n_bits = a.link.n_bits;
    const int n_detectors = RX ? D : a.n_detectors;
    const bool estimates = RX == 0 && N <= LTE_PILOT_LAYERS && lte_link_estimates(&a.link);
    const bool both = BOTH || ((SOFT || is_rare(N)) && estimates && a.link.references > 1);
    const bool carries = SOFT && a.carried.labels;
    const uint64_t slot = a.first + (uint64_t)slot_index;
    const bool live = sc < a.link.n_sc, counts = live && listens;
    const int place = live ? sc : a.link.n_sc - 1; /* some subcarrier that there is */

    lte_draws draws = a.link.draws;
    if (RX) { /* the same values, as constants */
        draws.n_rx = RX;
        draws.n_tx = N;
        draws.channel_blocks = (RX * N + 1) / 2;
        draws.noise_blocks = (RX + 1) / 2;
    }
    if (!carries)
        draw_payload(&draws, slot, sc, words);
    payload sent = {words + threadIdx.x, words[threadIdx.x], 0};

    /* H, received vector and the detectors' states */
    const int n_state = RX ? OF_STATE : a.n_state;
    lte_cplx h_registers[RX ? RX * N : 1], w_registers[RX ? D * OF_STATE : 1];
    lte_cplx y_registers[RX ? RX : 1];
    lte_cplx *const h = RX ? h_registers : matrices;
    lte_cplx *const y = RX ? y_registers : h + n_rx * n_tx;
    lte_cplx *const w = RX ? w_registers : y + n_rx;
    const lte_cf32 *const tap = a.tap + slot_index * a.slot_taps;

    /* what the slot carries: labels, and where LLRs go */
    const ptrdiff_t carried_labels = (ptrdiff_t)entry * LTE_SLOT_SYMBOLS * n_tx * a.link.n_sc;
    const uint8_t *const flips =
        a.carried.flips + (slot % 20) * (LTE_SLOT_SYMBOLS * n_tx * a.link.n_sc);
    int8_t *const llrs = a.carried.llrs +
                         ((ptrdiff_t)(entry / 2 * a.n_columns + a.column) * 2 + entry % 2) *
                             lte_llr_planes(&a.link) +
                         sc;

    uint32_t wrong[D][layer_room(N)] = {},
             flagged = 0; /* of wrong: low half bits, high half symbols */
#pragma unroll 1
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        if (estimates && symbol == LTE_PILOT_SYMBOL) {
#pragma unroll
            for (int k = 0; k < layer_room(N); k++) {
                if (k < n_tx)
                    (void)next_label(&draws, &sent);
            }
            continue;
        }
        /* first H as the receiver takes it to be, if that is another, then as it is, which two
           references have anew for each symbol: n_h is 7 then */
#pragma unroll 1
        for (int pass = estimates && (both || symbol == 0) ? 0 : 1; pass < 2; pass++) {
            if (both && pass == 0)
                load_combined(a, a.before + slot_index, symbol, place, n_rx * n_tx, matrices);
            else if (pass == 0)
                load_estimate(a, slot_index, place, n_rx * n_tx, matrices);
            else if (symbol < a.link.n_h)
                draw_channel(a.link, tap, slot, symbol, (uint32_t)sc, matrices);
            else
                break;
#pragma unroll
            for (int e = 0; e < RX * N; e++)
                h[e] = matrices[e];
            if (estimates && pass == 1)
                break;
            const float n0 = both ? combined_n0(a.link, a.noise, a.residual,
                                                (uint64_t)(a.before + slot_index), symbol, place)
                             : estimates
                                 ? effective_n0(a.link, a.noise, a.residual + slot_index, place)
                                 : a.noise.n0;
#pragma unroll(RX ? D : 1)
            for (int d = 0; d < n_detectors; d++) { /* Gram again for each: cheaper than kept */
                const lte_mask flag = detector<DET>::template prepare<N, INV, SOFT>(
                    a.loading[d], n_rx, n_tx, a.which, h, n0, w + d * n_state);
                flagged += (flag && counts ? 1u : 0u) << (16 * d);
            }
        }
        const int symbol_labels = symbol * n_tx * a.link.n_sc + place;
        uint32_t label[layer_room(N)];
        lte_cplx x[layer_room(N)];
        float signal, disturbance;
#pragma unroll
        for (int k = 0; k < layer_room(N); k++) {
            if (k >= n_tx)
                continue;
            label[k] = carries ? a.carried.labels[carried_labels + symbol_labels + k * a.link.n_sc]
                               : next_label(&draws, &sent);
            x[k] = qam[label[k]];
        }
        receive<N, RX>(&draws, slot, sc, symbol, n_rx, n_tx, h, x, a.noise.sigma, y, &signal,
                       &disturbance);
        if (symbol == 0 && a.power) {
            warp_add_wide(live ? lte_power_units(signal) : 0, &a.power[slot_index].signal);
            warp_add_wide(live ? lte_power_units(disturbance) : 0, &a.power[slot_index].noise);
        }
#pragma unroll
        for (int d = 0; d < D; d++) {
            lte_cplx estimate[layer_room(N)];
            uint32_t decided[layer_room(N)];
            float rho[layer_room(N)];
            if (d == n_detectors)
                break;
            detector<DET>::template apply<N>(n_rx, n_tx, a.which, n_bits, a.parameter,
                                             w + d * n_state, y, estimate, SOFT ? rho : NULL);
            if (carries && counts)
                store_llrs<N>(a.link, estimate, rho, flips + symbol_labels,
                              llrs + symbol * n_tx * n_bits * a.link.n_sc);
            else if (SOFT && !carries)
                count_llrs<N>(a.link, symbol, estimate, rho, label, live, shared.soft);
            demap_layers<N>(n_tx, n_bits, estimate, decided);
#pragma unroll
            for (int k = 0; k < layer_room(N); k++) {
                if (k >= n_tx)
                    continue;
                const uint32_t differ = decided[k] ^ label[k];
                wrong[d][k] += lte_bits_set(differ) + (differ ? 1u << 16 : 0u);
            }
        }
    }
#pragma unroll
    for (int d = 0; d < D; d++) {
        if (d < n_detectors)
            add_errors<N>(
                n_tx, counts, wrong[d], (flagged >> (16 * d)) & 0xffffu,
                a.errors + lte_counts_at(a.link.n_counts, (ptrdiff_t)slot_index * a.n_columns + d));
    }
}

/*
 * One thread: N layers, or ANY_ORDER; RX antennas in registers, or any number in shared memory (RX
 * = 0); up to D detectors over the same draws, of a kind DET. SOFT: LLRs are counted, too, of one
 * detector. BOTH: H is estimated from two reference symbols, which those with LLRs and those of
 * rare orders ask at run time. All warps of a block meet at the same barriers.
 */
template <int N, int RX, int INV, int DET, int D, bool BOTH = false, bool SOFT = false>
__device__ __forceinline__ void sweep_thread(const sweep_args &a)
{
    extern __shared__ lte_cplx shared[];
    uint32_t *const soft = (uint32_t *)(shared + MAX_LABELS);
    uint32_t *const words = soft + (SOFT ? MOST_SOFT_COUNTS : 0);
    const block_memory memory = {
        shared, soft, words,
        (lte_cplx *)(words + 4 * a.link.draws.payload_blocks * blockDim.x) +
            threadIdx.x * a.stride};

    const int entry = blockIdx.x / a.blocks_per_slot;
    const int slot_index = SOFT ? slot_of_entry(a.carried, entry) : entry;
    const bool carries = SOFT && a.carried.labels;
    const bool listens =
        !carries || a.carried.listens[entry / 2 * a.n_columns + a.column]; /* or it has all */
    if (carries && !listens && !(a.power && a.carried.sent[entry / 2]))
        return; /* the whole block */
    const int sc = (blockIdx.x % a.blocks_per_slot) * blockDim.x + threadIdx.x;
    for (int label = threadIdx.x; label < 1 << a.link.n_bits; label += blockDim.x)
        memory.qam[label] = lte_qam_map(a.link.n_bits, (uint32_t)label);
    for (int i = threadIdx.x; SOFT && !carries && i < n_soft_counts(a.link); i += blockDim.x)
        soft[i] = 0;
    __syncthreads();
    if (sc - (int)(threadIdx.x % WARP) < a.link.n_sc) /* or the whole warp is beyond the carrier */
        sweep_subcarrier<N, RX, INV, DET, D, BOTH, SOFT>(a, memory, entry, slot_index, sc, listens);
    if (SOFT && !carries)
        flush_soft(a, layers_of<N>(a.link), slot_index, soft);
}

/* Blocks on a multiprocessor, 0 as the compiler likes: eight leave 64 registers to a thread. */
constexpr int sweep_blocks(int n, int detector)
{
    return detector != SOLVING && (n == 2 || n == 4) ? 8 : 0;
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
            if (link->references > 1)
                return sweep_kernel1<N, ANY_INVERTER, DET, true>;
        }
        constexpr int inverter = is_rare(N) || N == 1 ? any_inverter(DET) : INV;
        return sweep_kernel1<N, inverter, DET>;
    }
};

} // namespace

#endif
