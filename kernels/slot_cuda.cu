/*
 * One slot of the deadline run with its stages fused: planes in, packed bits out.
 *
 *   kernel     who holds what
 *   few        block (L, K): L lanes share one of K neighbouring subcarriers, as M1 lets N threads
 *              share a matrix; planes come into shared memory first, all loads at once
 *   resident   the same work in a kernel that stays on the device and waits for a bell; it alone
 *              estimates H, too, its blocks waiting for the noise of them all
 *   many       a thread per subcarrier, planes straight into registers; where the channel moves, a
 *              thread per subcarrier and symbol
 *
 * One carrier is a matter of latency: loads, one chain of eliminations, stores; many carriers are
 * a matter of bytes. What helped a 4x4 slot from host memory (p50 on one H200): 16-byte
 * asynchronous copies to shared memory 25 us, loads through registers 18.6, y on its way while
 * matrices are inverted 17.8; acquire and release in place of fences, and an answer from every
 * block in place of a count of them, 15.3.
 */
#include "kernels/lanes.cuh"

namespace
{

struct slot_args {
    lte_link link;
    lte_slots_cuda slots;
    int n_carriers;
    int units;       /* blocks of a carrier */
    uint64_t *gates; /* [n_carriers][GATES][2], of a resident kernel that estimates */
};

/*
 * Where the blocks of a carrier add up their residuals, one word for the lower bits, one for the
 * others: each word counts in its top bits the warps that have added to it, so that whoever finds
 * all of them there needs no order among the two. A fence would wait for y, which is on its way.
 * Ticks take them in turn.
 */
enum { GATES = LTE_GATE_WORDS / 2, GATE_LOW = 40, GATE_COUNT = 48 };

/*
 * Words that host and other blocks write while this kernel runs: whoever acquires one sees all that
 * was written, by whomever, before it was released. A fence instead (fence.acq_rel.sys) waits for
 * the bus.
 */
__device__ __forceinline__ uint64_t acquire_of_host(const volatile uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ uint64_t relaxed(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ uint64_t acquire(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void release(uint64_t *p, uint64_t x)
{
    asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}
__device__ __forceinline__ void release_to_host(volatile uint32_t *p, uint32_t x)
{
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}

/* ORs a label into rows of bits in shared memory at bit position at. */
__device__ __forceinline__ void put_label(uint32_t *row, int at, uint32_t label, int n_bits)
{
    const int shift = at % 32;
    atomicOr(&row[at / 32], label << shift);
    if (shift + n_bits > 32)
        atomicOr(&row[at / 32 + 1], label >> (32 - shift));
}

/*
 * Writes the block's bits, rows [n_rows][words] in shared memory, behind n_before subcarriers of
 * as many of the slot's rows: n_live subcarriers of re_bits bits. A block's bits start on a byte.
 */
__device__ __forceinline__ void write_rows(int n_rows, const uint32_t *rows, int words,
                                           int n_before, int n_live, int re_bits, uint8_t *bits,
                                           size_t row_bytes, int t, int n_threads)
{
    uint8_t *const out = bits + (size_t)n_before * (size_t)re_bits / 8;
    const int n_bytes = (n_live * re_bits + 7) / 8;
    if (((size_t)out | row_bytes | (size_t)n_bytes) % 4 == 0) {
        const int n_words = n_bytes / 4;
        for (int i = t; i < n_rows * n_words; i += n_threads)
            ((uint32_t *)(out + (size_t)(i / n_words) * row_bytes))[i % n_words] =
                rows[i / n_words * words + i % n_words];
    } else {
        for (int i = t; i < n_rows * n_bytes; i += n_threads)
            out[(size_t)(i / n_bytes) * row_bytes + (size_t)(i % n_bytes)] =
                ((const uint8_t *)(rows + i / n_bytes * words))[i % n_bytes];
    }
}

/*
 * K of M1: as many subcarriers as make four warps with L lanes each. At least 16 of them, so that
 * a block reads 128 bytes of each plane and writes whole words of bits; at most 64, so that 16
 * antennas fit every device's shared memory.
 */
__host__ __device__ constexpr int few_subcarriers(int n)
{
    return n == 1 ? 64 : 4 * WARP / lanes_of(n);
}

/* Elements from plane to plane: lanes of a subcarrier fall on different banks. */
__host__ __device__ constexpr int plane_stride(int k)
{
    return k + 2;
}

enum { BATCH = 8 }; /* planes that a thread asks for before it waits: 8x8 needs 8 and 7 */

/*
 * Subcarriers whose reference symbol a block reads to estimate k of them, a multiple of 16: half a
 * window on each side, in whole lines of 128 bytes. Parts of lines cost the bus as much as lines:
 * without them a 4x4 slot from host memory took 10 us longer.
 */
enum { PILOT_LINE = 16 };
__host__ __device__ constexpr int pilot_span(int k)
{
    return k + 2 * ((LTE_PILOT_WINDOW / 2 + PILOT_LINE - 1) / PILOT_LINE * PILOT_LINE);
}

/* Shared memory of a block of `few`: planes, matrices, the reference symbol's, bits. */
template <int N> struct few_shared {
    static size_t bytes(int n_rx, int n_bits, bool estimates)
    {
        constexpr int k = few_subcarriers(N);
        const int pilots = estimates ? n_rx * (1 + N) * pilot_span(k) : 0;
        return sizeof(lte_cplx) * (size_t)(n_rx * (N + LTE_SLOT_SYMBOLS) * plane_stride(k) +
                                           k * lane_tile<N>::size + pilots) +
               sizeof(uint32_t) * LTE_SLOT_SYMBOLS * (size_t)(k * N * n_bits / 32);
    }
};

/*
 * Estimates of a block's subcarriers sc0 .. sc0 + n_live - 1, of one layer each lane: from the
 * reference symbol received and its matched filters, both in shared memory, to planes of H there.
 */
template <int N> struct estimator {
    static constexpr int K = few_subcarriers(N), L = lanes_of(N), SPAN = pilot_span(K);
    static constexpr int STRIDE = plane_stride(K), TOGETHER = 4; /* antennas */
    const slot_args &a;
    int sc0, n_live, first; /* first: subcarrier of the reference symbol in shared memory */
    lte_cplx *received;     /* [n_rx][SPAN] */
    lte_cplx *matched;      /* [n_rx][N][SPAN] */
    lte_cplx *planes;       /* [n_rx][N][STRIDE] */

    __device__ __forceinline__ void match(int i, int span, float2 pair) const
    {
        const int r = i / span, j = i % span;
        const lte_cplx here = {pair.x, pair.y};
        received[r * SPAN + j] = here;
#pragma unroll
        for (int k = 0; k < N; k++)
            matched[(r * N + k) * SPAN + j] =
                c_macc(c_zero(), here,
                       ((const lte_cplx *)a.link.pilots.reference)[k * a.link.n_sc + first + j]);
    }

    __device__ __forceinline__ void weigh(int set) const
    {
        const int lane = (int)threadIdx.x % L, place = (int)threadIdx.x / L;
        const int own = lane < N ? lane : 0, sc = sc0 + (place < n_live ? place : 0);
        const int window = a.link.pilots.window, n_rx = a.link.n_rx;
        const int start = lte_pilot_start(a.link.n_sc, window, sc);
        const lte_cplx *const w = (const lte_cplx *)a.link.pilots.weight +
                                  (((ptrdiff_t)set * N + own) * window + sc - start) * window;
        for (int r0 = 0; r0 < n_rx; r0 += TOGETHER) {
            lte_cplx sum[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
                sum[i] = c_zero();
#pragma unroll 6
            for (int j = 0; j < window; j++) {
                const lte_cplx weight = w[j];
#pragma unroll
                for (int i = 0; i < TOGETHER; i++) {
                    const int r = r0 + i < n_rx ? r0 + i : r0;
                    sum[i] =
                        c_mac(sum[i], weight, matched[(r * N + own) * SPAN + start - first + j]);
                }
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                if (r0 + i < n_rx && lane < N)
                    planes[((r0 + i) * N + own) * STRIDE + place] =
                        place < n_live ? sum[i] : c_zero();
            }
        }
    }

    /* What this thread's antennas hold besides the estimate, in units of lte_residual_units. */
    __device__ __forceinline__ int64_t residual() const
    {
        const int lane = (int)threadIdx.x % L, place = (int)threadIdx.x / L, sc = sc0 + place;
        int64_t units = 0;
        for (int r = lane; r < a.link.n_rx && place < n_live; r += L) {
            lte_cplx left = received[r * SPAN + sc - first];
#pragma unroll
            for (int k = 0; k < N; k++)
                left = c_nmac(left, planes[(r * N + k) * STRIDE + place],
                              ((const lte_cplx *)a.link.pilots.reference)[k * a.link.n_sc + sc]);
            units += lte_residual_units(c_abs2(left));
        }
        return units;
    }

    /* The sum of all blocks' residuals of a carrier in a tick: waits for them. */
    __device__ __forceinline__ int64_t total(int carrier, uint64_t round) const
    {
        __shared__ uint64_t sum;
        constexpr uint64_t one = (uint64_t)1 << GATE_COUNT, low = ((uint64_t)1 << GATE_LOW) - 1;
        uint64_t *const gates = a.gates + (ptrdiff_t)carrier * GATES * 2;
        uint64_t *const gate = gates + round % GATES * 2;
        const uint64_t all = (uint64_t)a.units * (blockDim.x / WARP);
        const uint64_t mine = (uint64_t)warp_sum_wide(residual());
        if (threadIdx.x % WARP == 0) {
            atomicAdd((unsigned long long *)&gate[0], one | (mine & low));
            atomicAdd((unsigned long long *)&gate[1], one | (mine >> GATE_LOW));
        }
        if (threadIdx.x == 0) {
            uint64_t lower, upper;
            while ((lower = relaxed(&gate[0])) >> GATE_COUNT != all)
                continue;
            while ((upper = relaxed(&gate[1])) >> GATE_COUNT != all)
                continue;
            sum = (lower & (one - 1)) + ((upper & (one - 1)) << GATE_LOW);
            if (sc0 == 0) /* for the tick after the next; nobody is there now */
                gates[(round + 2) % GATES * 2] = gates[(round + 2) % GATES * 2 + 1] = 0;
        }
        __syncthreads();
        return (int64_t)sum;
    }
};

/*
 * Subcarriers K unit .. K unit + K - 1 of a carrier's slot; L threads each. With ESTIMATES, of a
 * resident kernel alone, H is estimated here.
 */
template <int N, int INV, bool ESTIMATES>
__device__ __forceinline__ void few_unit(const slot_args &a, uint64_t first_slot, int carrier,
                                         int unit, uint64_t round)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const uint64_t slot = first_slot + (uint64_t)carrier;
    constexpr int L = lanes_of(N), pitch = lane_tile<N>::pitch;
    const int n_rx = a.link.n_rx, n_sc = a.link.n_sc, n_bits = a.link.n_bits;
    constexpr int K = few_subcarriers(N), stride = plane_stride(K);
    const int n = n_rx * N, n_y = n_rx * LTE_SLOT_SYMBOLS;
    const int words = K * N * n_bits / 32;
    lte_cplx *const planes = (lte_cplx *)memory; /* [n + n_y][stride] */
    lte_cplx *const matrices = planes + (n + n_y) * stride;
    uint32_t *const rows = (uint32_t *)(matrices + K * lane_tile<N>::size +
                                        (ESTIMATES ? n_rx * (1 + N) * pilot_span(K) : 0));
    const int t = (int)threadIdx.x, n_threads = K * L;
    const int lane = t % L, place = t / L, sc0 = unit * K;
    const int n_live = n_sc - sc0 < K ? n_sc - sc0 : K;

    const float2 *const h_planes =
        (const float2 *)a.slots.h + (slot % a.slots.n_h_in) * (uint64_t)(n * n_sc) + sc0;
    const float2 *const y_planes =
        (const float2 *)a.slots.y +
        (slot % a.slots.n_in) * (uint64_t)(n_rx * LTE_SLOT_SYMBOLS * n_sc) + sc0;
    uint8_t *const bits =
        a.slots.bits + (slot % a.slots.n_out) * (uint64_t)LTE_SLOT_SYMBOLS * a.slots.row_bytes;

    /*
     * Planes go through registers, past the caches (the host writes while a resident kernel runs):
     * those of H, and without waiting for them the first of y, which are still on their way while
     * the matrices are inverted.
     */
    const int sc = t % K, plane0 = t / K;
    const auto load = [=](const float2 *from, int plane, int n_planes) {
        return plane < n_planes && sc < n_live ? __ldcv(from + (ptrdiff_t)plane * n_sc + sc)
                                               : make_float2(0.0f, 0.0f);
    };
    const auto store = [=](int plane, int end, float2 z) {
        const lte_cplx x = {z.x, z.y};
        if (plane < end)
            planes[plane * stride + sc] = x;
    };
    float2 y_batch[BATCH];
    float n0 = 0.0f;
    const auto load_y = [=](int plane) { /* all but the reference symbol, which is there already */
                                         const bool pilot = ESTIMATES && plane % LTE_SLOT_SYMBOLS ==
                                                                             LTE_PILOT_SYMBOL;
                                         return load(y_planes, pilot ? n_y : plane, n_y);
    };
    const auto ask_for_y = [&] {
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            y_batch[i] = load_y(plane0 + i * L);
    };
    if constexpr (ESTIMATES) {
        constexpr int SPAN = pilot_span(K), PILOTS = 3; /* asked for at once: 4x4 needs them */
        const lte_link &link = a.link;
        lte_cplx *const received = matrices + K * lane_tile<N>::size;
        const int window = link.pilots.window;
        const int needed = lte_pilot_start(n_sc, window, sc0);
        const int beyond = lte_pilot_start(n_sc, window, sc0 + n_live - 1) + window;
        const int first = needed / PILOT_LINE * PILOT_LINE;
        const int lines_end = (beyond + PILOT_LINE - 1) / PILOT_LINE * PILOT_LINE;
        const int span = (lines_end < n_sc ? lines_end : n_sc) - first;
        const estimator<N> estimate = {a,     sc0, n_live, first, received, received + n_rx * SPAN,
                                       planes};
        const auto load_pilot = [=](int i) {
            return i < n_rx * span
                       ? __ldcv(y_planes +
                                (ptrdiff_t)(i / span * LTE_SLOT_SYMBOLS + LTE_PILOT_SYMBOL) * n_sc +
                                first - sc0 + i % span)
                       : make_float2(0.0f, 0.0f);
        };
        float2 pilot[PILOTS];
#pragma unroll
        for (int i = 0; i < PILOTS; i++)
            pilot[i] = load_pilot(t + i * n_threads);
        ask_for_y();
        for (int i0 = t; i0 < n_rx * span; i0 += PILOTS * n_threads) {
#pragma unroll
            for (int i = 0; i < PILOTS; i++) {
                const int sc_pilot = first + (i0 + i * n_threads) % span;
                if (i0 + i * n_threads < n_rx * span && sc_pilot >= needed && sc_pilot < beyond)
                    estimate.match(i0 + i * n_threads, span, pilot[i]);
            }
#pragma unroll
            for (int i = 0; i < PILOTS; i++)
                pilot[i] = load_pilot(i0 + (PILOTS + i) * n_threads);
        }
        __syncthreads();
        const bool wiener = link.knowledge == LTE_KNOWLEDGE_dmrs_mmse;
        int64_t residual = 0;
        if (!wiener || !link.noise_known)
            estimate.weigh(LTE_LS_WEIGHTS);
        __syncthreads();
        if (!link.noise_known)
            residual = estimate.total(carrier, round);
        if (wiener)
            estimate.weigh(weights_of(link, a.slots.noise, &residual));
        n0 = known_noise(link, a.slots.noise, &residual, sc0 + (t / L < n_live ? t / L : 0));
    } else {
        float2 h_batch[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            h_batch[i] = load(h_planes, plane0 + i * L, n);
        ask_for_y();
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            store(plane0 + i * L, n, h_batch[i]);
        for (int first = BATCH * L; first < n; first += BATCH * L) {
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                h_batch[i] = load(h_planes, first + plane0 + i * L, n);
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                store(first + plane0 + i * L, n, h_batch[i]);
        }
        n0 = known_noise(a.link, a.slots.noise, a.slots.residual + slot % a.slots.n_h_in,
                         t / L < n_live ? sc0 + t / L : sc0);
    }
    for (int i = t; i < LTE_SLOT_SYMBOLS * words; i += n_threads)
        rows[i] = 0;
    __syncthreads();

    const lte_cplx *const h = planes + place; /* a plane on: + stride */
    const lte_cplx *const y = planes + (ptrdiff_t)n * stride + place;
    lte_cplx *const tile = matrices + place * lane_tile<N>::size;
    const int own = lane < N ? lane : 0;

    /* row `lane` of the Gram matrix: g_ij = sum_r conj(h_ri) h_rj for j <= i */
    lte_cplx x[N], diagonal = c_zero(); /* then row `layer` of the inverse */
    int layer;
#pragma unroll
    for (int j = 0; j < N; j++)
        x[j] = c_zero();
#pragma unroll 4
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx mine = h[(r * N + own) * stride];
#pragma unroll
        for (int j = 0; j < N; j++)
            x[j] = c_cmac(x[j], mine, h[(r * N + j) * stride]);
    }
    const float loading = loading_of(a.slots.detector, n0);
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j == lane) {
            x[j].re += loading;
            x[j].im = 0.0f;
        }
    }
    if constexpr (INV != LTE_INVERTER_ldl) { /* right of the diagonal: other lanes' conjugates */
#pragma unroll
        for (int j = 0; j < N; j++) {
            if (j < lane && lane < N)
                tile[j * pitch + lane] = c_conj(x[j]);
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < N; j++) {
            if (j > lane)
                x[j] = tile[lane * pitch + j];
        }
    }
    invert_lanes<N, INV>(tile, x, &layer);
#pragma unroll
    for (int j = 0; j < N; j++)
        diagonal = c_sel(j == layer, x[j], diagonal);
    float gain = 0.0f;
    gains_of(a.slots.detector, 1, &diagonal, n0, &gain);

#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        if (plane0 + i * L < n_y)
            store(n + plane0 + i * L, n + n_y, y_batch[i]);
    }
    for (int plane = plane0 + BATCH * L; plane < n_y; plane += L)
        store(n + plane, n + n_y, load_y(plane));
    __syncthreads();
    lte_cplx estimate[LTE_SLOT_SYMBOLS];
#pragma unroll
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        estimate[symbol] = c_zero();
#pragma unroll 4
    for (int r = 0; r < n_rx; r++) {
        lte_cplx row[N];
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = h[(r * N + j) * stride];
        const lte_cplx w = lte_filter_element(N, row, x, gain);
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            lte_equalise_antenna(1, &w, y[(r * LTE_SLOT_SYMBOLS + symbol) * stride],
                                 &estimate[symbol]);
    }
    uint32_t label[LTE_SLOT_SYMBOLS];
    decide(LTE_SLOT_SYMBOLS, n_bits, estimate, label);
    if (lane < N && place < n_live) {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            if (symbol == a.link.pilot)
                continue;
            put_label(rows + symbol * words, (place * N + layer) * n_bits, label[symbol], n_bits);
        }
    }
    __syncthreads();
    write_rows(LTE_SLOT_SYMBOLS, rows, words, sc0, n_live, N * n_bits, bits, a.slots.row_bytes, t,
               n_threads);
}

template <int N, int INV>
__global__ void few_kernel(const __grid_constant__ slot_args a, uint64_t first)
{
    few_unit<N, INV, false>(a, first, (int)(blockIdx.x / (unsigned)a.units),
                            (int)(blockIdx.x % (unsigned)a.units), 0);
}

template <int N, int INV, bool ESTIMATES>
__global__ void resident_kernel(const __grid_constant__ slot_args a, lte_bell *bell,
                                uint64_t *relay)
{
    __shared__ uint64_t word;
    const int n_units = a.n_carriers * a.units;
    for (uint64_t last = 0, round = 1;; round++) {
        if (threadIdx.x == 0) {
            /* one block asks the host and tells the others: if all did, the bus would be full */
            uint64_t heard;
            if (blockIdx.x == 0) {
                while ((heard = acquire_of_host(&bell->word)) == last)
                    continue;
                release(relay, heard);
            } else {
                while ((heard = acquire(relay)) == last)
                    continue;
            }
            word = heard;
        }
        __syncthreads();
        last = word;
        if (last == LTE_BELL_QUIT)
            return;
        const uint64_t first = last & LTE_BELL_SLOT;
        for (int unit = (int)blockIdx.x; unit < n_units; unit += (int)gridDim.x) {
            few_unit<N, INV, ESTIMATES>(a, first, unit / a.units, unit % a.units, round);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            release_to_host(&bell->done[blockIdx.x], LTE_BELL_NUMBER(last));
    }
}

/*
 * A thread per subcarrier, and per symbol where the channel moves: blockIdx.y then. RX antennas in
 * registers, or (RX = 0) any number with H and W in shared memory.
 */
enum { MANY_BLOCK = 128 };

struct many_shared {
    static int stride(int n_rx, int n_tx)
    {
        return 2 * n_rx * n_tx | 1;
    }
    static size_t bits(int n_tx, int n_bits, int block)
    {
        return sizeof(uint32_t) * LTE_SLOT_SYMBOLS * (size_t)(block * n_tx * n_bits / 32);
    }
};

template <int N, int RX, int INV>
__global__ __launch_bounds__(MANY_BLOCK) void many_kernel(const __grid_constant__ slot_args a,
                                                          uint64_t first, int stride)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int n_rx = RX ? RX : a.link.n_rx, n_sc = a.link.n_sc, n_bits = a.link.n_bits;
    const int n = n_rx * N, n_known = a.link.n_known, t = (int)threadIdx.x, block = (int)blockDim.x;
    const int symbol0 = (int)blockIdx.y, n_symbols = n_known > 1 ? 1 : LTE_SLOT_SYMBOLS;
    const int words = block * N * n_bits / 32;
    uint32_t *const rows = (uint32_t *)memory;
    lte_cplx *const matrices = (lte_cplx *)(memory + 8 * ((LTE_SLOT_SYMBOLS * words + 1) / 2));
    const uint64_t slot = first + blockIdx.x / (unsigned)a.units;
    const int sc0 = (int)(blockIdx.x % (unsigned)a.units) * block, sc = sc0 + t;
    const int n_live = n_sc - sc0 < block ? n_sc - sc0 : block;
    const float2 *const h_planes =
        (const float2 *)a.slots.h +
        ((slot % a.slots.n_h_in) * (uint64_t)(n * n_known) + (uint64_t)symbol0) * (uint64_t)n_sc +
        sc;
    const float2 *const y_planes =
        (const float2 *)a.slots.y +
        ((slot % a.slots.n_in) * (uint64_t)(n_rx * LTE_SLOT_SYMBOLS) + (uint64_t)symbol0) *
            (uint64_t)n_sc +
        sc;
    uint8_t *const bits =
        a.slots.bits + (slot % a.slots.n_out) * (uint64_t)LTE_SLOT_SYMBOLS * a.slots.row_bytes;

    for (int i = t; i < LTE_SLOT_SYMBOLS * words; i += block)
        rows[i] = 0;
    __syncthreads();
    if (t < n_live) {
        lte_cplx h_registers[RX ? RX * N : 1], w_registers[RX ? RX * N : 1];
        lte_cplx y_registers[RX ? RX * LTE_SLOT_SYMBOLS : 1];
        lte_cplx *const h = RX ? h_registers : matrices + t * stride;
        lte_cplx *const w = RX ? w_registers : h + n;
#pragma unroll(RX ? RX *N : 4)
        for (int e = 0; e < n; e++) {
            const float2 z = h_planes[(ptrdiff_t)(e * n_known) * n_sc];
            h[e].re = z.x;
            h[e].im = z.y;
        }
        if (RX) { /* asked for before they are needed */
#pragma unroll
            for (int e = 0; e < RX * LTE_SLOT_SYMBOLS; e++) {
                if (e % LTE_SLOT_SYMBOLS >= n_symbols)
                    continue;
                const float2 z = y_planes[(ptrdiff_t)e * n_sc];
                y_registers[RX ? e : 0].re = z.x;
                y_registers[RX ? e : 0].im = z.y;
            }
        }
        {
            lte_cplx g[N * N];
            float gain[N];
            lte_gram(n_rx, N, h, g);
            const float n0 =
                known_noise(a.link, a.slots.noise, a.slots.residual + slot % a.slots.n_h_in, sc);
            lte_gram_load(N, g, loading_of(a.slots.detector, n0));
            invert<N, INV>(g);
            gains_of(a.slots.detector, N, g, n0, gain);
            if (RX) {
                lte_filter(RX, N, h, g, gain, w);
            } else {
#pragma unroll 1
                for (int r = 0; r < n_rx; r++)
                    lte_filter_antenna(N, h + r * N, g, gain, w + r * N);
            }
        }
#pragma unroll(RX ? LTE_SLOT_SYMBOLS : 1)
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            lte_cplx estimate[N];
            uint32_t label[N];
            if (symbol >= n_symbols)
                break;
            if (symbol == a.link.pilot)
                continue;
#pragma unroll
            for (int k = 0; k < N; k++)
                estimate[k] = c_zero();
#pragma unroll(RX ? RX : 1)
            for (int r = 0; r < n_rx; r++) {
                const int e = r * LTE_SLOT_SYMBOLS + symbol;
                lte_cplx y;
                if (RX) {
                    y = y_registers[RX ? e : 0];
                } else {
                    const float2 z = y_planes[(ptrdiff_t)e * n_sc];
                    y.re = z.x;
                    y.im = z.y;
                }
                lte_equalise_antenna(N, w + r * N, y, estimate);
            }
            decide(N, n_bits, estimate, label);
            uint64_t value = 0;
#pragma unroll
            for (int k = 0; k < N; k++)
                value |= (uint64_t)label[k] << (n_bits * k);
            uint32_t *const row = rows + symbol * words;
            if (N * n_bits == 16) {
                ((uint16_t *)row)[t] = (uint16_t)value;
            } else if (N * n_bits == 32) {
                row[t] = (uint32_t)value;
            } else {
                for (int k = 0; k < N; k++)
                    put_label(row, (t * N + k) * n_bits, label[k], n_bits);
            }
        }
    }
    __syncthreads();
    write_rows(n_symbols, rows, words, sc0, n_live, N * n_bits,
               bits + (size_t)symbol0 * a.slots.row_bytes, a.slots.row_bytes, t, block);
}

/* Choice of the instance: few and resident by order, many by order and shape. */
typedef void few_fn(slot_args a, uint64_t first);
typedef void resident_fn(slot_args a, lte_bell *bell, uint64_t *relay);
typedef void many_fn(slot_args a, uint64_t first, int stride);

struct instance {
    few_fn *few;
    resident_fn *resident;
    many_fn *many;
    size_t few_bytes, resident_bytes;
    int few_k, few_threads;
    bool square; /* many keeps matrices in registers */
};

template <int N, int INV> instance instance_of(const lte_link *link)
{
    instance i = {few_kernel<N, INV>,
                  resident_kernel<N, INV, false>,
                  many_kernel<N, 0, INV>,
                  few_shared<N>::bytes(link->n_rx, link->n_bits, false),
                  few_shared<N>::bytes(link->n_rx, link->n_bits, link->pilot >= 0),
                  few_subcarriers(N),
                  few_subcarriers(N) * lanes_of(N),
                  false};
    if constexpr (N <= LTE_PILOT_LAYERS) {
        if (link->pilot >= 0)
            i.resident = resident_kernel<N, INV, true>;
    }
    if constexpr (N == 2 || N == 4) {
        if (link->n_rx == N) {
            i.many = many_kernel<N, N, INV>;
            i.square = true;
        }
    }
    return i;
}

template <int INV> instance instance_by_order(const lte_link *link)
{
    const int n_tx = link->n_tx;
#define INSTANCE(n) return instance_of<n, INV>(link)
    LTE_FOR_ORDER(n_tx, INSTANCE)
#undef INSTANCE
}

instance instance_for(const lte_link *link)
{
#define INSTANCE(id, name, text)                                                                   \
    if (link->inverter == LTE_INVERTER_##id)                                                       \
        return instance_by_order<LTE_INVERTER_##id>(link);
    LTE_INVERTERS(INSTANCE)
#undef INSTANCE
    return instance_by_order<LTE_INVERTER_ldl>(link);
}

lte_status allow_shared(const void *kernel, size_t bytes)
{
    return LTE_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

} // namespace

lte_status lte_slot_few_cuda(const lte_link *link, const lte_slots_cuda *slots, uint64_t first,
                             int n_carriers, cudaStream_t stream)
{
    const instance i = instance_for(link);
    const slot_args args = {*link, *slots, n_carriers, blocks_of(link->n_sc, i.few_k), NULL};
    lte_status status = allow_shared((const void *)i.few, i.few_bytes);
    if (status)
        return status;
    i.few<<<(unsigned)(n_carriers * args.units), (unsigned)i.few_threads, i.few_bytes, stream>>>(
        args, first);
    return LTE_LAUNCHED(few_kernel);
}

lte_status lte_slot_resident_blocks(const lte_link *link, int n_carriers, int *n_blocks)
{
    const instance i = instance_for(link);
    int device = 0, n_processors = 0, per_processor = 0;
    lte_status status = allow_shared((const void *)i.resident, i.resident_bytes);
    if (!status)
        status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status =
            LTE_CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));
    if (!status)
        status = LTE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &per_processor, i.resident, i.few_threads, i.resident_bytes));
    if (status)
        return status;
    const int wanted = n_carriers * blocks_of(link->n_sc, i.few_k);
    const int fit = n_processors * per_processor;
    const int most = fit < LTE_BELL_BLOCKS ? fit : LTE_BELL_BLOCKS;
    *n_blocks = wanted < most ? wanted : most;
    if (link->pilot >= 0 && wanted > most)
        *n_blocks = 0; /* those that estimate wait for each other: all must be there */
    else if (*n_blocks == 0)
        status = LTE_FAIL(LTE_EDEVICE, "a slot needs %zu bytes of shared memory", i.resident_bytes);
    return status;
}

lte_status lte_slot_resident_cuda(const lte_link *link, const lte_slots_cuda *slots, int n_carriers,
                                  int n_blocks, lte_bell *bell, uint64_t *d_relay,
                                  uint64_t *d_gates, cudaStream_t stream)
{
    const instance i = instance_for(link);
    const slot_args args = {*link, *slots, n_carriers, blocks_of(link->n_sc, i.few_k), d_gates};
    i.resident<<<(unsigned)n_blocks, (unsigned)i.few_threads, i.resident_bytes, stream>>>(
        args, bell, d_relay);
    return LTE_LAUNCHED(resident_kernel);
}

lte_status lte_slot_many_cuda(const lte_link *link, const lte_slots_cuda *slots, uint64_t first,
                              int n_carriers, cudaStream_t stream)
{
    int device = 0, limit = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (status)
        return status;
    const instance i = instance_for(link);
    const int stride = i.square ? 0 : many_shared::stride(link->n_rx, link->n_tx);
    int block = MANY_BLOCK;
    size_t bytes;
    for (;; block -= WARP) {
        bytes = many_shared::bits(link->n_tx, link->n_bits, block) + 8 +
                sizeof(lte_cplx) * (size_t)block * (size_t)stride;
        if (bytes <= (size_t)limit || block == WARP)
            break;
    }
    const slot_args args = {*link, *slots, n_carriers, blocks_of(link->n_sc, block), NULL};
    status = allow_shared((const void *)i.many, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)(n_carriers * args.units), (unsigned)link->n_known);
    i.many<<<grid, (unsigned)block, bytes, stream>>>(args, first, stride);
    return LTE_LAUNCHED(many_kernel);
}
