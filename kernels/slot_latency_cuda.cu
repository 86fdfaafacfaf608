/*
 * One slot of the deadline run with its stages fused, for few carriers, which are a matter of
 * latency: loads, one chain of eliminations, stores. Planes in, packed bits out.
 *
 *   kernel     who holds what
 *   few        block (L, K): L lanes share one of K neighbouring subcarriers, as M1 lets N threads
 *              share a matrix; planes come into shared memory first, all loads at once
 *   resident   the same work in a kernel that stays on the device and waits for a doorbell; it
 * alone estimates H, too, its blocks waiting for the noise of them all
 *
 * What helped a 4x4 slot from host memory (p50 on one H200): 16-byte asynchronous copies to shared
 * memory 25 us, loads through registers 18.6, y on its way while matrices are inverted 17.8;
 * acquire and release in place of fences, and an answer from every block in place of a count of
 * them, 15.3.
 */
#include "kernels/slot_estimator.cuh"

namespace
{

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

enum {
    BATCH = 8,  /* planes that a thread asks for before it waits: 8x8 needs 8 and 7 */
    WAITING = 4 /* antennas whose filter is made before y is there */
};

/* Shared memory of a block: planes, matrices, bits, what the estimator holds. */
template <int N> struct latency_shared {
    static constexpr int K = latency_subcarriers(N);
    static __host__ __device__ int matrices_at(int n_rx)
    {
        return n_rx * (N + LTE_SLOT_SYMBOLS) * plane_stride(K);
    }
    static __host__ __device__ int estimator_at(int n_rx)
    {
        return matrices_at(n_rx) + K * lane_tile<N>::size;
    }
    static __host__ __device__ int labels_at(int n_rx, bool estimates)
    {
        return estimator_at(n_rx) + (estimates ? estimator<N>::elements(n_rx) : 0);
    }
    static size_t bytes(int n_rx, bool estimates)
    {
        return sizeof(lte_cplx) * (size_t)labels_at(n_rx, estimates) +
               LTE_SLOT_SYMBOLS * (size_t)(K * N);
    }
};

/*
 * n_out bits, 8 or 32, from bit position at on, of labels of BITS bits one after the other; at is a
 * multiple of n_out. Labels stand in bytes of their own: no two lanes write one word.
 */
template <int BITS>
__device__ __forceinline__ uint32_t packed(const uint8_t *label, int at, int n_out)
{
    constexpr int most = (32 + BITS - 2) / BITS + 1; /* labels that 32 bits touch */
    const int first = at / BITS;
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < most; i++) {
        const int shift = (first + i) * BITS - at;
        if (shift < n_out)
            word |= shift < 0 ? (uint32_t)label[first + i] >> -shift
                              : (uint32_t)label[first + i] << shift;
    }
    return word;
}

/*
 * Writes the block's bits behind n_before subcarriers of each symbol's row: labels [7][n_labels] of
 * n_live subcarriers of n_tx layers, zero behind. A block's bits start on a byte.
 */
template <int BITS>
__device__ __forceinline__ void write_labels(const uint8_t *labels, int n_labels, int n_tx,
                                             int n_before, int n_live, uint8_t *bits,
                                             size_t row_bytes, int t, int n_threads)
{
    uint8_t *const out = bits + (size_t)(n_before * n_tx * BITS / 8);
    const int n_bytes = (n_live * n_tx * BITS + 7) / 8;
    if (((size_t)out | row_bytes | (size_t)n_bytes) % 4 == 0) {
        const int n_words = n_bytes / 4;
        for (int i = t; i < LTE_SLOT_SYMBOLS * n_words; i += n_threads) {
            const int symbol = i / n_words, word = i % n_words;
            ((uint32_t *)(out + (size_t)symbol * row_bytes))[word] =
                packed<BITS>(labels + symbol * n_labels, 32 * word, 32);
        }
    } else {
        for (int i = t; i < LTE_SLOT_SYMBOLS * n_bytes; i += n_threads) {
            const int symbol = i / n_bytes, byte = i % n_bytes;
            out[(size_t)symbol * row_bytes + (size_t)byte] =
                (uint8_t)packed<BITS>(labels + symbol * n_labels, 8 * byte, 8);
        }
    }
}

/*
 * Subcarriers K unit .. K unit + K - 1 of a carrier's slot; L threads each. With ESTIMATES, of a
 * persistent kernel alone, H is estimated here.
 */
template <int N, int INV, bool ESTIMATES>
__device__ __forceinline__ void latency_unit(const slot_args &a, uint64_t first_slot, int carrier,
                                             int unit, uint64_t round)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const uint64_t slot = first_slot + (uint64_t)carrier;
    constexpr int L = lanes_of(N), pitch = lane_tile<N>::pitch;
    constexpr int K = latency_subcarriers(N), stride = plane_stride(K), team = K * L;
    const int n_rx = a.link.n_rx, n_sc = a.link.n_sc, n_bits = a.link.n_bits;
    const int n = n_rx * N, n_y = n_rx * LTE_SLOT_SYMBOLS;
    lte_cplx *const planes = (lte_cplx *)memory; /* [n + n_y][stride] */
    lte_cplx *const matrices = planes + latency_shared<N>::matrices_at(n_rx);
    uint8_t *const labels = (uint8_t *)(planes + latency_shared<N>::labels_at(n_rx, ESTIMATES));
    const int t = (int)threadIdx.x % team;
    const int lane = t % L, place = t / L, sc0 = unit * K;
    const int n_live = n_sc - sc0 < K ? n_sc - sc0 : K;

    const float2 *const h_planes =
        (const float2 *)a.job.memory.h + (slot % a.job.memory.n_h_in) * (uint64_t)(n * n_sc) + sc0;
    const float2 *const y_planes =
        (const float2 *)a.job.memory.y +
        (slot % a.job.memory.n_in) * (uint64_t)(n_rx * LTE_SLOT_SYMBOLS * n_sc) + sc0;
    uint8_t *const bits = a.job.memory.bits + (slot % a.job.memory.n_out) *
                                                  (uint64_t)LTE_SLOT_SYMBOLS *
                                                  a.job.memory.row_bytes;

    /*
     * Planes go through registers, past the caches (the host writes while a persistent kernel
     * runs): those of H, and without waiting for them the first of y, which are still on their way
     * while the matrices are inverted.
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
    /* all but a reference symbol, which the estimator reads */
    const auto ask_for_y = [&](int first) {
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int plane = first + plane0 + i * L;
            const bool pilot = ESTIMATES && plane % LTE_SLOT_SYMBOLS == LTE_PILOT_SYMBOL;
            y_batch[i] = load(y_planes, pilot ? n_y : plane, n_y);
        }
    };
    const auto store_y = [&](int first) {
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            store(n + first + plane0 + i * L, n + n_y, y_batch[i]);
    };
    float n0;
    if constexpr (ESTIMATES) {
        if (threadIdx.x >= team) { /* the team that reads y */
            barrier_wait(ASKED_BARRIER, 2 * team);
            for (int first = 0; first < n_y; first += BATCH * L) {
                ask_for_y(first);
                store_y(first);
            }
            barrier_pass(Y_BARRIER, 2 * team);
            return;
        }
        n0 = estimator<N>(a, unit, planes, planes + latency_shared<N>::estimator_at(n_rx))
                 .run(y_planes - sc0, carrier, round);
    } else {
        float2 h_batch[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            h_batch[i] = load(h_planes, plane0 + i * L, n);
        ask_for_y(0);
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
        n0 = effective_n0(a.link, a.job.noise, a.residual + slot % a.job.memory.n_h_in,
                          place < n_live ? sc0 + place : sc0);
        __syncthreads();
    }

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
    const float loading = loading_of(a.job.detector, n0);
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
    gains_of(a.job.detector, 1, &diagonal, n0, &gain);
    const auto filter = [&](int r) {
        lte_cplx row[N];
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = h[(r * N + j) * stride];
        return lte_filter_element(N, row, x, gain);
    };
    lte_cplx w[WAITING]; /* made while y is still on its way */
#pragma unroll
    for (int r = 0; r < WAITING; r++)
        w[r] = filter(r < n_rx ? r : 0);

    if constexpr (ESTIMATES) {
        barrier_wait(Y_BARRIER, 2 * team);
    } else {
        store_y(0);
        for (int first = BATCH * L; first < n_y; first += BATCH * L) {
            ask_for_y(first);
            store_y(first);
        }
        __syncthreads();
    }
    lte_cplx estimate[LTE_SLOT_SYMBOLS];
#pragma unroll
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        estimate[symbol] = c_zero();
    const auto equalise = [&](int r, lte_cplx w_r) {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            lte_equalise_antenna(1, &w_r, y[(r * LTE_SLOT_SYMBOLS + symbol) * stride],
                                 &estimate[symbol]);
    };
#pragma unroll
    for (int r = 0; r < WAITING; r++) {
        if (r < n_rx)
            equalise(r, w[r]);
    }
    for (int r = WAITING; r < n_rx; r++)
        equalise(r, filter(r));
    uint32_t label[LTE_SLOT_SYMBOLS];
    decide(LTE_SLOT_SYMBOLS, n_bits, estimate, label);
    if (lane < N) {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            labels[symbol * K * N + place * N + layer] =
                place < n_live && symbol != a.link.pilot ? (uint8_t)label[symbol] : 0;
    }
    if constexpr (ESTIMATES)
        barrier_wait(TEAM_BARRIER, team);
    else
        __syncthreads();
    switch (n_bits) {
#define WRITE(n)                                                                                   \
    case n:                                                                                        \
        write_labels<n>(labels, K * N, N, sc0, n_live, bits, a.job.memory.row_bytes, t, team);     \
        break;
        WRITE(2)
        WRITE(4)
        WRITE(6)
        WRITE(8)
#undef WRITE
    default:
        break;
    }
}

/* What a block that estimates keeps from tick to tick: it has one unit then. */
template <int N> __device__ __forceinline__ void latency_cache(const slot_args &a)
{
    extern __shared__ __align__(16) unsigned char memory[];
    lte_cplx *const planes = (lte_cplx *)memory;
    estimator<N>(a, (int)blockIdx.x % a.units, planes,
                 planes + latency_shared<N>::estimator_at(a.link.n_rx))
        .keep();
}

template <int N, int INV>
__global__ void latency_kernel(const __grid_constant__ slot_args a, uint64_t first)
{
    latency_unit<N, INV, false>(a, first, (int)(blockIdx.x / (unsigned)a.units),
                                (int)(blockIdx.x % (unsigned)a.units), 0);
}

template <int N, int INV, bool ESTIMATES>
__global__ void persistent_kernel(const __grid_constant__ slot_args a, lte_doorbell *doorbell,
                                  uint64_t *relay)
{
    __shared__ uint64_t word;
    const int n_units = a.job.n_carriers * a.units;
    if constexpr (ESTIMATES)
        latency_cache<N>(a);
    for (uint64_t last = 0, round = 1;; round++) {
        if (threadIdx.x == 0) {
            /* one block asks the host and tells the others: if all did, the bus would be full */
            uint64_t heard;
            if (blockIdx.x == 0) {
                while ((heard = acquire_of_host(&doorbell->word)) == last)
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
        if (last == LTE_DOORBELL_QUIT)
            return;
        const uint64_t first = last & LTE_DOORBELL_SLOT;
        for (int unit = (int)blockIdx.x; unit < n_units; unit += (int)gridDim.x) {
            latency_unit<N, INV, ESTIMATES>(a, first, unit / a.units, unit % a.units, round);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            release_to_host(&doorbell->done[blockIdx.x], LTE_DOORBELL_NUMBER(last));
    }
}

typedef void latency_fn(slot_args a, uint64_t first);
typedef void persistent_fn(slot_args a, lte_doorbell *doorbell, uint64_t *relay);

struct instance {
    latency_fn *few;
    persistent_fn *resident;
    size_t latency_bytes, persistent_bytes;
    int k, latency_threads, persistent_threads;
};

template <int N, int INV> struct latency_instance {
    static instance of(const lte_link *link)
    {
        constexpr int k = latency_subcarriers(N), team = k * lanes_of(N);
        const bool estimates = link->pilot >= 0;
        instance i = {latency_kernel<N, INV>,
                      persistent_kernel<N, INV, false>,
                      latency_shared<N>::bytes(link->n_rx, false),
                      latency_shared<N>::bytes(link->n_rx, estimates),
                      k,
                      team,
                      estimates ? 2 * team : team};
        if constexpr (N <= LTE_PILOT_LAYERS) {
            if (estimates)
                i.resident = persistent_kernel<N, INV, true>;
        }
        return i;
    }
};

} // namespace

lte_status lte_slot_latency_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    const instance i = instance_for<latency_instance>(link);
    const slot_args args = {*link, *job, d_residual, blocks_of(link->n_sc, i.k), NULL};
    lte_status status = allow_shared((const void *)i.few, i.latency_bytes);
    if (status)
        return status;
    i.few<<<(unsigned)(job->n_carriers * args.units), (unsigned)i.latency_threads, i.latency_bytes,
            stream>>>(args, first);
    return LTE_LAUNCHED(latency_kernel);
}

lte_status lte_slot_persistent_blocks(const lte_link *link, int n_carriers, int *n_blocks)
{
    const instance i = instance_for<latency_instance>(link);
    const bool estimates = link->pilot >= 0;
    *n_blocks = 0;
    int device = 0, n_processors = 0, per_processor = 0, limit = 0;
    cudaFuncAttributes attributes;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status =
            LTE_CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status)
        status = LTE_CUDA(cudaFuncGetAttributes(&attributes, i.resident));
    if (!status && estimates && attributes.sharedSizeBytes + i.persistent_bytes > (size_t)limit)
        return LTE_OK; /* launches need less */
    if (!status)
        status = allow_shared((const void *)i.resident, i.persistent_bytes);
    if (!status)
        status = LTE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &per_processor, i.resident, i.persistent_threads, i.persistent_bytes));
    if (status)
        return status;
    const int wanted = n_carriers * blocks_of(link->n_sc, i.k);
    const int fit = n_processors * per_processor;
    const int most = fit < LTE_DOORBELL_BLOCKS ? fit : LTE_DOORBELL_BLOCKS;
    *n_blocks = wanted < most ? wanted : most;
    if (estimates && wanted > most)
        *n_blocks = 0; /* those that estimate wait for each other: all must be there */
    else if (*n_blocks == 0)
        status =
            LTE_FAIL(LTE_EDEVICE, "a slot needs %zu bytes of shared memory", i.persistent_bytes);
    return status;
}

lte_status lte_slot_persistent_cuda(const lte_link *link, const lte_slot_job *job, int n_blocks,
                                    lte_doorbell *doorbell, uint64_t *d_relay, uint64_t *d_shared,
                                    cudaStream_t stream)
{
    const instance i = instance_for<latency_instance>(link);
    const slot_args args = {*link, *job, NULL, blocks_of(link->n_sc, i.k), d_shared};
    i.resident<<<(unsigned)n_blocks, (unsigned)i.persistent_threads, i.persistent_bytes, stream>>>(
        args, doorbell, d_relay);
    return LTE_LAUNCHED(persistent_kernel);
}
