/*
 * The sweep with all stages fused: a thread takes one subcarrier of one slot from its draws to its
 * error counts; only the counts leave the multiprocessor.
 *
 *   version  what changed                                       10^9 symbols/s on one H200
 *   1        matrices H and W of a thread in shared memory,     8x8: 35
 *            any n_rx; draws, Gram and inverse in registers     4x5: 73
 *            (so, too, for receivers that estimate: their estimates come from device memory)
 *   2        n_rx = n_tx up to 4: H and W in registers          2x2: 122, 4x4: 99
 *
 * Ceiling: issue slots. A 4x4 subcarrier with 16QAM draws 23 Philox blocks and 44 normals.
 */
#include "kernels/device.cuh"

namespace
{

enum { MAX_TOGETHER = 2, MAX_LABELS = 1 << LTE_MAX_BITS };

struct sweep_args {
    lte_link link;
    lte_noise noise;
    int detectors[MAX_TOGETHER];
    int n_detectors;
    int n_columns; /* detectors in a row of errors, these from the first of errors on */
    int blocks_per_slot;
    ptrdiff_t slot_taps;
    const lte_cf32 *estimate; /* [n_slots][n_rx][n_tx][n_sc], if the receiver makes some */
    const int64_t *residual;  /* [n_slots] */
    int stride; /* complex elements of a thread in shared memory; odd: no bank twice */
    uint64_t first;
    const lte_cf32 *tap; /* [n_slots][lte_slot_taps] */
    lte_power *power;    /* [n_slots] */
    uint32_t *errors;    /* [n_slots][n_columns][LTE_N_COUNTS] */
};

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

/* y [n_rx] of one symbol: x [N] through h, and noise drawn in pairs; its powers. */
template <int N, int RX>
__device__ __forceinline__ void receive(const lte_draws *draws, uint64_t slot, int sc, int symbol,
                                        int n_rx, const lte_cplx *h, const lte_cplx *x, float sigma,
                                        lte_cplx *y, float *signal, float *disturbance)
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
                y[r] = lte_receive_antenna(N, h + r * N, x, z[i], sigma, signal, disturbance);
        }
    }
}

/* Adds the warp's counts of a detector: wrong [N], symbols in the high half, bits in the low. */
template <int N>
__device__ __forceinline__ void add_errors(bool live, const uint32_t *wrong, uint32_t flagged,
                                           uint32_t *errors)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t sum = __reduce_add_sync(~0u, live ? wrong[k] : 0u);
        if (threadIdx.x % WARP == 0 && sum) {
            atomicAdd(&errors[lte_bits_at(k)], sum & 0xffffu);
            atomicAdd(&errors[lte_symbols_at(N, k)], sum >> 16);
        }
    }
    const uint32_t sum = __reduce_add_sync(~0u, flagged);
    if (threadIdx.x % WARP == 0 && sum)
        atomicAdd(&errors[lte_flagged_at(N)], sum);
}

/*
 * One thread: N layers; RX antennas in registers, or any number in shared memory (RX = 0); up to D
 * detectors over the same draws, of a kind DET; ESTIMATES if the receiver does.
 */
template <int N, int RX, int INV, int DET, int D, bool ESTIMATES>
__device__ __forceinline__ void sweep_thread(const sweep_args &a)
{
    extern __shared__ lte_cplx shared[];
    lte_cplx *const qam = shared; /* [2^n_bits] */
    uint32_t *const words = (uint32_t *)(shared + MAX_LABELS);
    lte_cplx *const matrices =
        (lte_cplx *)(words + 4 * a.link.draws.payload_blocks * blockDim.x) + threadIdx.x * a.stride;

    const int n_rx = RX ? RX : a.link.n_rx, n_bits = a.link.n_bits;
    const int n_detectors = RX ? D : a.n_detectors;
    const int slot_index = blockIdx.x / a.blocks_per_slot;
    const uint64_t slot = a.first + (uint64_t)slot_index;
    const int sc = (blockIdx.x % a.blocks_per_slot) * blockDim.x + threadIdx.x;
    for (int label = threadIdx.x; label < 1 << n_bits; label += blockDim.x)
        qam[label] = lte_qam_map(n_bits, (uint32_t)label);
    __syncthreads();
    if (sc - (int)(threadIdx.x % WARP) >= a.link.n_sc)
        return; /* the whole warp is beyond the carrier */
    const bool live = sc < a.link.n_sc;
    const int place = live ? sc : a.link.n_sc - 1; /* some subcarrier that there is */

    lte_draws draws = a.link.draws;
    if (RX) { /* the same values, as constants */
        draws.n_rx = RX;
        draws.n_tx = N;
        draws.channel_blocks = (RX * N + 1) / 2;
        draws.noise_blocks = (RX + 1) / 2;
    }
    draw_payload(&draws, slot, sc, words);
    payload sent = {words + threadIdx.x, words[threadIdx.x], 0};

    /* H, received vector and the detectors' states */
    lte_cplx h_registers[RX ? RX * N : 1], w_registers[RX ? D * RX * N : 1];
    lte_cplx y_registers[RX ? RX : 1];
    lte_cplx *const h = RX ? h_registers : matrices;
    lte_cplx *const y = RX ? y_registers : h + n_rx * N;
    lte_cplx *const w = RX ? w_registers : y + n_rx;
    const lte_cf32 *const tap = a.tap + slot_index * a.slot_taps;

    uint32_t wrong[D][N] = {}, flagged = 0; /* of wrong: low half bits, high half symbols */
#pragma unroll 1
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        if (ESTIMATES && symbol == LTE_PILOT_SYMBOL) {
#pragma unroll
            for (int k = 0; k < N; k++)
                (void)next_label(&draws, &sent);
            continue;
        }
        /* first H as the receiver takes it to be, if that is another, then as it is */
#pragma unroll 1
        for (int pass = ESTIMATES && symbol == 0 ? 0 : 1; pass < 2; pass++) {
            if (pass == 0)
                load_estimate(a, slot_index, place, n_rx * N, matrices);
            else if (symbol < a.link.n_h)
                draw_channel(a.link, tap, slot, symbol, (uint32_t)sc, matrices);
            else
                break;
#pragma unroll
            for (int e = 0; e < RX * N; e++)
                h[e] = matrices[e];
            if (ESTIMATES && pass == 1)
                break;
            const float n0 = ESTIMATES
                                 ? effective_n0(a.link, a.noise, a.residual + slot_index, place)
                                 : a.noise.n0;
#pragma unroll(RX ? D : 1)
            for (int d = 0; d < n_detectors; d++) { /* Gram again for each: cheaper than kept */
                const lte_mask flag =
                    prepare<N, INV, DET>(a.detectors[d], n_rx, h, n0, w + d * n_rx * N);
                flagged += (flag && live ? 1u : 0u) << (16 * d);
            }
        }
        uint32_t label[N];
        lte_cplx x[N];
        float signal, disturbance;
#pragma unroll
        for (int k = 0; k < N; k++) {
            label[k] = next_label(&draws, &sent);
            x[k] = qam[label[k]];
        }
        receive<N, RX>(&draws, slot, sc, symbol, n_rx, h, x, a.noise.sigma, y, &signal,
                       &disturbance);
        if (symbol == 0 && a.power) {
            warp_add_wide(live ? lte_power_units(signal) : 0, &a.power[slot_index].signal);
            warp_add_wide(live ? lte_power_units(disturbance) : 0, &a.power[slot_index].noise);
        }
#pragma unroll
        for (int d = 0; d < D; d++) {
            lte_cplx estimate[N];
            uint32_t decided[N];
            if (d == n_detectors)
                break;
            lte_apply(a.detectors[d], n_rx, N, w + d * n_rx * N, y, estimate, NULL);
            demap(N, n_bits, estimate, decided);
#pragma unroll
            for (int k = 0; k < N; k++) {
                const uint32_t differ = decided[k] ^ label[k];
                wrong[d][k] += lte_bits_set(differ) + (differ ? 1u << 16 : 0u);
            }
        }
    }
#pragma unroll
    for (int d = 0; d < D; d++) {
        if (d < n_detectors)
            add_errors<N>(live, wrong[d], (flagged >> (16 * d)) & 0xffffu,
                          a.errors + lte_counts_at(N, (ptrdiff_t)slot_index * a.n_columns + d));
    }
}

enum { BLOCK = 128 }; /* four warps: a carrier's last block wastes little */

template <int N, int INV, int DET, bool ESTIMATES>
__global__ __launch_bounds__(BLOCK) void sweep_kernel1(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, 0, INV, DET, DET == SOLVING ? MAX_TOGETHER : 1, ESTIMATES>(a);
}

/* Eight blocks on a multiprocessor leave 64 registers to a thread, six 80, four 128. */
constexpr int blocks_together(int n, int n_detectors)
{
    return n_detectors == 1 ? (n <= 2 ? 8 : 4) : (n <= 2 ? 6 : 3);
}

template <int N, int INV, int D>
__global__
__launch_bounds__(BLOCK,
                  blocks_together(N, D)) void sweep_kernel2(const __grid_constant__ sweep_args a)
{
    sweep_thread<N, N, INV, SOLVING, D, false>(a);
}

typedef void sweep_kernel(sweep_args a);

/* Up to four antennas a side, as many on each, and H known: matrices fit the registers, */
bool small_square(const lte_link *link)
{
    return link->n_rx == link->n_tx && !lte_link_estimates(link) &&
           (link->n_tx == 1 || link->n_tx == 2 || link->n_tx == 4);
}

/* and are there for detectors that solve. */
bool in_registers(const lte_link *link, int detector)
{
    return small_square(link) && !is_filter(detector);
}

/* Version 1 for a link's order. */
template <int INV, int DET> sweep_kernel *kernel1_of(const lte_link *link)
{
    sweep_kernel *kernel = NULL;
    if (lte_link_estimates(link)) { /* up to LTE_PILOT_LAYERS */
#define KERNEL(n) kernel = sweep_kernel1<n, INV, DET, (n <= LTE_PILOT_LAYERS)>
        LTE_FOR_ORDER(link->n_tx, KERNEL)
#undef KERNEL
    } else {
#define KERNEL(n) kernel = sweep_kernel1<n, INV, DET, false>
        LTE_FOR_ORDER(link->n_tx, KERNEL)
#undef KERNEL
    }
    return kernel;
}

template <int INV, int D> sweep_kernel *kernel2_of(const lte_link *link)
{
    return link->n_tx == 1   ? sweep_kernel2<1, INV, D>
           : link->n_tx == 2 ? sweep_kernel2<2, INV, D>
                             : sweep_kernel2<4, INV, D>;
}

/* The kernel for n detectors of one kind, of which `detector` is one. */
sweep_kernel *kernel_for(const lte_link *link, int detector, int n)
{
    const bool registers = in_registers(link, detector);
#define KERNEL(id)                                                                                 \
    if (detector == LTE_DETECTOR_##id)                                                             \
        return kernel1_of<NO_INVERTER, LTE_DETECTOR_##id>(link);
    LTE_FILTER_DETECTORS(KERNEL)
#undef KERNEL
#define KERNEL(id)                                                                                 \
    if (link->inverter == LTE_INVERTER_##id)                                                       \
        return !registers ? kernel1_of<LTE_INVERTER_##id, SOLVING>(link)                           \
               : n == 1   ? kernel2_of<LTE_INVERTER_##id, 1>(link)                                 \
                          : kernel2_of<LTE_INVERTER_##id, 2>(link);
    LTE_INVERTERS(KERNEL)
#undef KERNEL
    return NULL;
}

/* Bytes of shared memory of a block. */
size_t shared_size(const sweep_args *args, int block)
{
    return MAX_LABELS * sizeof(lte_cplx) +
           (size_t)block * (4 * args->link.draws.payload_blocks * sizeof(uint32_t) +
                            (size_t)args->stride * sizeof(lte_cplx));
}

/* The block that puts most threads on a multiprocessor, the largest of those that do. */
lte_status choose_block(const sweep_args *args, sweep_kernel *kernel, int *block)
{
    int device = 0, limit = 0, most = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status)
        status = LTE_CUDA(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
    for (int n = WARP; n <= BLOCK && !status; n += WARP) {
        int blocks = 0;
        if (shared_size(args, n) > (size_t)limit)
            break;
        status = LTE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, n,
                                                                        shared_size(args, n)));
        if (blocks * n >= most) {
            most = blocks * n;
            *block = n;
        }
    }
    if (!status && most == 0)
        status = LTE_FAIL(LTE_EDEVICE, "a sweep needs %zu bytes of shared memory, %d are there",
                          shared_size(args, WARP), limit);
    return status;
}

/* Detectors [n] that one launch takes together: neighbours that solve, or a filter alone. */
int together(const int *detectors, int n)
{
    int k = 1;
    while (k < n && k < MAX_TOGETHER && !is_filter(detectors[0]) && !is_filter(detectors[k]))
        k++;
    return k;
}

/* Starts the sweep for detectors of one launch. */
lte_status start(sweep_args *args, int n_slots, cudaStream_t stream)
{
    const lte_link *link = &args->link;
    sweep_kernel *kernel = kernel_for(link, args->detectors[0], args->n_detectors);
    const int n = link->n_rx * link->n_tx;
    int block = BLOCK;
    args->stride =
        (in_registers(link, args->detectors[0]) ? n : n * (1 + args->n_detectors) + link->n_rx) | 1;
    lte_status status = choose_block(args, kernel, &block);
    if (status)
        return status;
    const size_t size = shared_size(args, block);
    args->blocks_per_slot = blocks_of(link->n_sc, block);
    const unsigned n_blocks = (unsigned)(args->blocks_per_slot * n_slots);
    kernel<<<n_blocks, (unsigned)block, size, stream>>>(*args);
    return LTE_LAUNCHED(sweep_kernel);
}

} // namespace

lte_status lte_sweep_cuda(const lte_link *link, lte_noise noise, const int *detectors,
                          int n_detectors, uint64_t first, int n_slots,
                          const lte_sweep_memory *memory, lte_power *d_power, uint32_t *d_errors,
                          cudaStream_t stream)
{
    const size_t n_errors = (size_t)lte_counts_at(link->n_tx, (ptrdiff_t)n_slots * n_detectors);
    lte_status status =
        LTE_CUDA(cudaMemsetAsync(d_power, 0, (size_t)n_slots * sizeof *d_power, stream));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(d_errors, 0, n_errors * sizeof *d_errors, stream));
    if (!status)
        status = lte_taps_cuda(link, first, n_slots, memory->tap, stream);
    if (!status && lte_link_estimates(link))
        status = lte_pilots_cuda(link, noise, first, n_slots, memory->tap, memory->pilots,
                                 memory->h, memory->residual, stream);
    for (int d = 0, n; d < n_detectors && !status; d += n) {
        sweep_args args = {};
        n = together(&detectors[d], n_detectors - d);
        args.link = *link;
        args.noise = noise;
        args.n_detectors = n;
        for (int i = 0; i < n; i++)
            args.detectors[i] = detectors[d + i];
        args.n_columns = n_detectors;
        args.first = first;
        args.tap = memory->tap;
        args.estimate = memory->h;
        args.residual = memory->residual;
        args.slot_taps = (ptrdiff_t)lte_slot_taps(link);
        args.power = d == 0 ? d_power : NULL; /* the same draws have the same power */
        args.errors = d_errors + lte_counts_at(link->n_tx, d);
        status = start(&args, n_slots, stream);
    }
    return status;
}

const char *lte_sweep_cuda_choice(const lte_link *link)
{
    return small_square(link) ? "sweep 2: thread per subcarrier, matrices in registers"
                              : "sweep 1: thread per subcarrier, matrices in shared memory";
}
