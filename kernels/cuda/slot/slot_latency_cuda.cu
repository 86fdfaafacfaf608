/*
 * One slot of the deadline run with its stages fused, for few carriers: least latency, which is
 * that of loads, one chain of eliminations, and stores. Planes in, packed bits out. For detectors
 * that solve, an inverter whose matrices lanes can share, and orders 1, 2, 4 and 8; any other slot
 * goes by kernels/cuda/slot/slot_throughput_thread.cuh.
 *
 *   version        who holds what
 *   1 latency      L lanes share one of a block's K neighbouring subcarriers, as in version 1 of
 *                  gauss-jordan N threads share a matrix; planes come into shared memory first, all
 *                  loads at once
 *   2 persistent   the same work in a kernel that stays on the device and waits for a doorbell
 *   3 estimating   version 2 with a second team of warps that estimates H meanwhile: see
 *                  kernels/cuda/slot/slot_estimator.cuh, slot_carrier_estimator.cuh, which readers
 *                  of versions 1 and 2 may skip
 *
 * What helped a 4x4 slot from host memory (p50 on one H200): 16-byte asynchronous copies to shared
 * memory 25 us, loads through registers 18.6, y on its way while matrices are inverted 17.8;
 * acquire and release in place of fences, and an answer from every block in place of a count of
 * them, 15.3. A division between asking for planes and taking them costs 0.7.
 */
#include "kernels/base/labels.h"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/slot/slot_carrier_estimator.cuh"
#include "kernels/cuda/slot/slot_doorbell.cuh"
#include "kernels/cuda/slot/slot_estimator.cuh"
#include "phy/detection/solving.h"

namespace
{

enum {
    BATCH = 8,  /* planes that a thread asks for before it waits: 8x8 needs 8 and 7 */
    WAITING = 4 /* antennas whose filter is made before y is there */
};

/* Shared memory of a block: planes, matrices, what the estimator holds, labels. */
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
    static __host__ __device__ int estimator_size(const lte_link &link)
    {
        return lte_estimator_spans_carrier(&link.receiver.estimator)
                   ? carrier_estimator<N>::elements(link)
                   : window_estimator<N>::elements(link);
    }
    static __host__ __device__ int labels_at(const lte_link &link, bool estimates)
    {
        return estimator_at(link.n_rx) + (estimates ? estimator_size(link) : 0);
    }
    static size_t bytes(const lte_link &link, bool estimates)
    {
        return sizeof(lte_cplx) * (size_t)labels_at(link, estimates) +
               LTE_SLOT_SYMBOLS * (size_t)(K * N * lte_label_bytes(link.n_bits));
    }
};

/*
 * Planes of subcarriers sc0 .. sc0 + n_live - 1 into shared memory, by the threads t of a team of
 * K L: subcarrier t % K, planes t / K, t / K + L, ...
 */
template <int N> struct plane_loader {
    static constexpr int L = lanes_of(N), K = latency_subcarriers(N), STRIDE = plane_stride(K);
    lte_cplx *planes; /* [..][STRIDE] */
    int n_sc, n_live;
    int sc, plane0; /* of the thread */

    __device__ __forceinline__ plane_loader(lte_cplx *to, const lte_link &link, int live, int t)
        : planes(to), n_sc(link.carrier.n_sc), n_live(live), sc(t % K), plane0(t / K)
    {
    }

    /*
     * Asks for BATCH planes from `first` of n_planes on, past the caches (the host writes while a
     * persistent kernel runs); `skipped` of every 7 stays where it is, -1: none.
     */
    __device__ __forceinline__ void ask(const float2 *from, int first, int n_planes, int skipped,
                                        float2 *batch) const
    {
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int plane = first + plane0 + i * L;
            const bool wanted = plane < n_planes && sc < n_live &&
                                (skipped < 0 || plane % LTE_SLOT_SYMBOLS != skipped);
            batch[i] =
                wanted ? __ldcv(from + (ptrdiff_t)plane * n_sc + sc) : make_float2(0.0f, 0.0f);
        }
    }

    /* Puts them where plane `first` is the at-th in shared memory. */
    __device__ __forceinline__ void put(int first, int n_planes, int at, const float2 *batch) const
    {
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int plane = first + plane0 + i * L;
            const lte_cplx x = {batch[i].x, batch[i].y};
            if (plane < n_planes)
                planes[(at + plane) * STRIDE + sc] = x;
        }
    }

    /* Both, for planes from `first` on. */
    __device__ __forceinline__ void load(const float2 *from, int first, int n_planes, int skipped,
                                         int at) const
    {
        float2 batch[BATCH];
        for (; first < n_planes; first += BATCH * L) {
            ask(from, first, n_planes, skipped, batch);
            put(first, n_planes, at, batch);
        }
    }
};

/*
 * Row `lane` of the loaded Gram matrix: g_ij = sum_r conj(h_ri) h_rj, of a Hermitian inverter's for
 * j <= i alone.
 *
 *   h      a plane on: + STRIDE
 *   tile   the matrix's memory
 */
template <int N, int INV>
__device__ __forceinline__ void gram_row(int n_rx, const lte_cplx *h, float loading, lte_cplx *tile,
                                         lte_cplx *x)
{
    constexpr int STRIDE = plane_loader<N>::STRIDE, pitch = lane_tile<N>::pitch;
    const int lane = (int)threadIdx.x % lanes_of(N), own = lane < N ? lane : 0;
#pragma unroll
    for (int j = 0; j < N; j++)
        x[j] = c_zero();
#pragma unroll 4
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx mine = h[(r * N + own) * STRIDE];
#pragma unroll
        for (int j = 0; j < N; j++)
            x[j] = c_cmac(x[j], mine, h[(r * N + j) * STRIDE]);
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j == lane) {
            x[j].re += loading;
            x[j].im = 0.0f;
        }
    }
    if constexpr (!overrides<INV>::hermitian) { /* right of the diagonal: others' conjugates */
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
}

/* Row `lane` of its inverse, which is that of a layer. */
template <int N, int INV>
__device__ __forceinline__ void inverse_row(int inverter, int n_rx, const lte_cplx *h,
                                            float loading, lte_cplx *tile, lte_cplx *x, int *layer)
{
    if constexpr (INV == ANY_INVERTER) {
#define ROW(id)                                                                                    \
    if (inverter == LTE_INVERTER_##id)                                                             \
        inverse_row<N, LTE_INVERTER_##id>(inverter, n_rx, h, loading, tile, x, layer);
        LTE_SMALL_INVERTERS(ROW)
#undef ROW
    } else if constexpr (overrides<INV>::lanes) {
        gram_row<N, INV>(n_rx, h, loading, tile, x);
        overrides<INV>::template run<N>(tile, x, layer);
    }
}

/* The filter of one layer, w_r = gain sum_j x_j conj(h_rj), and its estimates in all symbols. */
template <int N> struct layer_filter {
    static constexpr int STRIDE = plane_loader<N>::STRIDE;
    const lte_cplx *h, *y; /* of the subcarrier: a plane on: + STRIDE */
    const lte_cplx *x;     /* row of the inverse */
    float gain;

    __device__ __forceinline__ lte_cplx element(int r) const
    {
        lte_cplx row[N];
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = h[(r * N + j) * STRIDE];
        return lte_filter_element(N, row, x, gain);
    }
    __device__ __forceinline__ void equalise(int r, lte_cplx w_r, lte_cplx *estimate) const
    {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            lte_equalise_antenna(1, &w_r, y[(r * LTE_SLOT_SYMBOLS + symbol) * STRIDE],
                                 &estimate[symbol]);
    }
};

/*
 * The labels of all symbols to labels [7][ROW], the at-th of each row. The width is asked once: of
 * stores under two opposite conditions each takes its turn.
 */
template <int ROW>
__device__ __forceinline__ void put_labels(int n_bits, uint8_t *labels, int at,
                                           const uint32_t *label)
{
    if (n_bits > 8) {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            lte_label_put(LTE_MAX_BITS, labels, symbol * ROW + at, label[symbol]);
    } else {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            lte_label_put(8, labels, symbol * ROW + at, label[symbol]);
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
    constexpr int L = lanes_of(N), K = latency_subcarriers(N), STRIDE = plane_stride(K);
    constexpr int team = K * L;
    const lte_slot_memory &slots = a.job.memory;
    const uint64_t slot = first_slot + (uint64_t)carrier;
    const int n_rx = a.link.n_rx, n = n_rx * N, n_y = n_rx * LTE_SLOT_SYMBOLS;
    const int n_sc = a.link.carrier.n_sc;
    lte_cplx *const planes = (lte_cplx *)memory; /* [n + n_y][STRIDE] */
    lte_cplx *const matrices = planes + latency_shared<N>::matrices_at(n_rx);
    uint8_t *const labels = (uint8_t *)(planes + latency_shared<N>::labels_at(a.link, ESTIMATES));
    const int t = (int)threadIdx.x % team, lane = t % L, place = t / L, sc0 = unit * K;
    const int n_live = n_sc - sc0 < K ? n_sc - sc0 : K;
    const uint64_t at_y = slot % slots.n_in; /* as a rule the planes of H repeat alike */
    const uint64_t at_h = slots.n_h_in == slots.n_in ? at_y : slot % slots.n_h_in;
    const float2 *const h_planes = (const float2 *)slots.h + at_h * (uint64_t)(n * n_sc) + sc0;
    const float2 *const y_planes = (const float2 *)slots.y + at_y * (uint64_t)(n_y * n_sc) + sc0;
    const plane_loader<N> loader(planes, a.link, n_live, t);

    /* H, and without waiting for it the first of y, on its way while the matrices are inverted */
    float2 y_batch[BATCH];
    float n0;
    if constexpr (ESTIMATES) {
        if (threadIdx.x >= team) { /* the team that reads y but for the reference symbol */
            barrier_wait(REQUESTED_BARRIER, 2 * team);
            loader.load(y_planes, 0, n_y, LTE_PILOT_SYMBOL, n);
            barrier_pass(Y_BARRIER, 2 * team);
            return;
        }
        lte_cplx *const own = planes + latency_shared<N>::estimator_at(n_rx);
        if (lte_estimator_spans_carrier(&a.link.receiver.estimator))
            n0 = carrier_estimator<N>(a, unit, planes, own).run(y_planes - sc0, carrier, round);
        else
            n0 = window_estimator<N>(a, unit, planes, own).run(y_planes - sc0, carrier, round);
    } else {
        float2 h_batch[BATCH];
        loader.ask(h_planes, 0, n, -1, h_batch);
        loader.ask(y_planes, 0, n_y, -1, y_batch);
        loader.put(0, n, 0, h_batch);
        loader.load(h_planes, BATCH * L, n, -1, 0);
        n0 = effective_n0(a.link, a.job.noise, a.residual + at_h,
                          place < n_live ? sc0 + place : sc0);
        __syncthreads();
    }

    /* row `layer` of the inverse, and the layer's filter */
    const lte_cplx *const h = planes + place;
    lte_cplx *const tile = matrices + place * lane_tile<N>::size;
    const float loading = a.loading * n0;
    lte_cplx x[N], diagonal = c_zero();
    int layer;
    inverse_row<N, INV>(a.link.receiver.inverter, n_rx, h, loading, tile, x, &layer);
#pragma unroll
    for (int j = 0; j < N; j++)
        diagonal = c_sel(j == layer, x[j], diagonal);
    const layer_filter<N> filter = {h, h + (ptrdiff_t)n * STRIDE, x,
                                    lte_solving_gain(loading, diagonal.re)};
    lte_cplx w[WAITING]; /* made while y is still on its way */
#pragma unroll
    for (int r = 0; r < WAITING; r++)
        w[r] = filter.element(r < n_rx ? r : 0);

    if constexpr (ESTIMATES) {
        barrier_wait(Y_BARRIER, 2 * team);
    } else {
        loader.put(0, n_y, n, y_batch);
        loader.load(y_planes, BATCH * L, n_y, -1, n);
        __syncthreads();
    }
    lte_cplx estimate[LTE_SLOT_SYMBOLS];
#pragma unroll
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        estimate[symbol] = c_zero();
#pragma unroll
    for (int r = 0; r < WAITING; r++) {
        if (r < n_rx)
            filter.equalise(r, w[r], estimate);
    }
    for (int r = WAITING; r < n_rx; r++)
        filter.equalise(r, filter.element(r), estimate);

    uint32_t label[LTE_SLOT_SYMBOLS];
    demap(LTE_SLOT_SYMBOLS, a.link.n_bits, estimate, label);
    if (lane < N) {
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            label[symbol] = place < n_live && symbol != a.link.receiver.pilot ? label[symbol] : 0;
        put_labels<K * N>(a.link.n_bits, labels, place * N + layer, label);
    }
    if constexpr (ESTIMATES)
        barrier_wait(TEAM_BARRIER, team);
    else
        __syncthreads();
    write_labels(a.link.n_bits, {labels, K * N, LTE_SLOT_SYMBOLS, N, n_live, sc0},
                 lte_slot_memory_bits(&slots, slot), slots.row_bytes, t, team);
}

/* What a block that estimates keeps as long as it lives: it has one unit then. */
template <int N> __device__ __forceinline__ void latency_cache(const slot_args &a)
{
    extern __shared__ __align__(16) unsigned char memory[];
    lte_cplx *const planes = (lte_cplx *)memory;
    lte_cplx *const own = planes + latency_shared<N>::estimator_at(a.link.n_rx);
    const int unit = (int)blockIdx.x % a.units;
    if (lte_estimator_spans_carrier(&a.link.receiver.estimator))
        carrier_estimator<N>(a, unit, planes, own).cache();
    else
        window_estimator<N>(a, unit, planes, own).cache();
}

/*
 * Version 1 without a doorbell: slots from `first` on, a block a unit. With one version 2, or 3:
 * blocks that stay, which take the slots that it names.
 */
template <int N, int INV, bool ESTIMATES>
__global__ void latency_kernel(const __grid_constant__ slot_args a, uint64_t first,
                               lte_doorbell *doorbell, uint64_t *relay)
{
    __shared__ uint64_t word;
    const int first_unit = (int)blockIdx.x % a.units, first_carrier = (int)blockIdx.x / a.units;
    if constexpr (ESTIMATES)
        latency_cache<N>(a);
    for (uint64_t last = 0, round = 1;; round++) {
        if (doorbell) {
            last = next_period(doorbell, relay, last, &word);
            if (last == LTE_DOORBELL_QUIT)
                return;
            first = last & LTE_DOORBELL_SLOT;
        }
        for (int unit = first_unit, carrier = first_carrier; carrier < a.job.n_carriers;) {
            latency_unit<N, INV, ESTIMATES>(a, first, carrier, unit, round);
            __syncthreads();
            for (unit += (int)gridDim.x; unit >= a.units; carrier++)
                unit -= a.units;
        }
        if (!doorbell)
            return;
        answer_period(doorbell, last);
    }
}

typedef void latency_fn(slot_args a, uint64_t first, lte_doorbell *doorbell, uint64_t *relay);

struct instance {
    latency_fn *latency, *persistent;
    size_t latency_bytes, persistent_bytes;
    int k, latency_threads, persistent_threads;
};

/* Of an inverter for an order; none where there are no kernels. */
template <int INV> struct latency {
    template <int N> static instance of(const lte_link *link)
    {
        constexpr int k = latency_subcarriers(N), team = k * lanes_of(N);
        const bool estimates = lte_link_estimates(link);
        instance i = {};
        if constexpr (overrides<INV>::lanes && (N & (N - 1)) == 0) {
            i = {latency_kernel<N, INV, false>,
                 latency_kernel<N, INV, false>,
                 latency_shared<N>::bytes(*link, false),
                 latency_shared<N>::bytes(*link, estimates),
                 k,
                 team,
                 estimates ? 2 * team : team};
            if constexpr (N <= LTE_PILOT_LAYERS) {
                if (estimates)
                    i.persistent = latency_kernel<N, ANY_INVERTER, true>;
            }
        }
        return i;
    }
};

instance instance_of(const lte_link *link)
{
#define OF(id)                                                                                     \
    if (link->receiver.inverter == LTE_INVERTER_##id)                                              \
        return instance_for_order<latency<LTE_INVERTER_##id>>(link);
    LTE_SMALL_INVERTERS(OF)
#undef OF
    return {};
}

} // namespace

bool lte_slot_latency_takes(const lte_link *link, lte_detector detector)
{
    return link->receiver.n_csi == 1 && lte_detector_solves(detector.id) &&
           !lte_link_in_batches(link) && instance_of(link).latency;
}

lte_status lte_slot_latency_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    const instance i = instance_of(link);
    const slot_args args = {*link,
                            *job,
                            lte_detector_row_of(job->detector)->loading,
                            d_residual,
                            blocks_of(link->carrier.n_sc, i.k),
                            NULL,
                            0,
                            false};
    lte_status status = allow_shared((const void *)i.latency, i.latency_bytes);
    if (status)
        return status;
    i.latency<<<(unsigned)(job->n_carriers * args.units), (unsigned)i.latency_threads,
                i.latency_bytes, stream>>>(args, first, NULL, NULL);
    return LTE_LAUNCHED(latency_kernel);
}

lte_status lte_slot_persistent_blocks(const lte_link *link, lte_detector, int n_carriers,
                                      int *n_blocks)
{
    const instance i = instance_of(link);
    const bool estimates = lte_link_estimates(link);
    *n_blocks = 0;
    if (estimates && !lte_persistent_estimates(link))
        return LTE_OK; /* by launches, too */
    int device = 0, limit = 0, most = 0;
    cudaFuncAttributes attributes;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status)
        status = LTE_CUDA(cudaFuncGetAttributes(&attributes, i.persistent));
    if (!status && estimates && attributes.sharedSizeBytes + i.persistent_bytes > (size_t)limit)
        return LTE_OK; /* launches need less */
    if (!status)
        status = staying_blocks((const void *)i.persistent, i.persistent_threads,
                                i.persistent_bytes, &most);
    if (status)
        return status;
    const int wanted = n_carriers * blocks_of(link->carrier.n_sc, i.k);
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
    const instance i = instance_of(link);
    const slot_args args = {*link,
                            *job,
                            lte_detector_row_of(job->detector)->loading,
                            NULL,
                            blocks_of(link->carrier.n_sc, i.k),
                            d_shared,
                            0,
                            false};
    i.persistent<<<(unsigned)n_blocks, (unsigned)i.persistent_threads, i.persistent_bytes,
                   stream>>>(args, 0, doorbell, d_relay);
    return LTE_LAUNCHED(latency_kernel);
}
