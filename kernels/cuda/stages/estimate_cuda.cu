/*
 * Stage 3b on a device. In windows: a block takes one antenna over some subcarriers, a thread each.
 * Over the carrier: kernels/cuda/stages/estimate_carrier.cuh.
 */
#include "kernels/cuda/stages/estimate_carrier.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

namespace
{

enum {
    BLOCK = 64,     /* so small that one slot occupies many multiprocessors */
    MANY_SLOTS = 64 /* that occupy them with small blocks, too */
};

/*
 * One antenna over the subcarriers of a block: matched filters of N layers in shared memory, one
 * subcarrier a thread. least_squares: with LTE_LS_WEIGHTS, else with those of the noise.
 *
 * What comes out lies at slot mod n_slots:
 *   h          [n_slots][n_rx][N][n_sc]  out, if no other estimates follow
 *   residual   [n_slots]  added to with least squares, else read; NULL if the noise is known
 *   next       NULL, or [n_slots]  out: zero, for the slots that come after these
 */
template <int N>
__global__ __launch_bounds__(BLOCK) void estimate_kernel(const __grid_constant__ lte_link link,
                                                         lte_noise noise, bool least_squares,
                                                         pilot_planes from, lte_cf32 *h,
                                                         int64_t *residual, int64_t *next)
{
    __shared__ lte_cplx received[BLOCK + LTE_ESTIMATOR_WINDOW], z[N][BLOCK + LTE_ESTIMATOR_WINDOW];
    const lte_estimator &estimator = link.receiver.estimator;
    const int n_sc = link.carrier.n_sc, window = estimator.window, t = (int)threadIdx.x;
    const int units = (n_sc + BLOCK - 1) / BLOCK, n_slots = (int)gridDim.x / units;
    const uint64_t slot = from.first + (uint64_t)blockIdx.x / (unsigned)units;
    const int place = (int)(slot % (unsigned)n_slots);
    const int rx = (int)blockIdx.y, sc0 = (int)blockIdx.x % units * BLOCK, sc = sc0 + t;
    const int beyond = sc0 + BLOCK < n_sc ? sc0 + BLOCK : n_sc;
    const int first = lte_estimator_start(n_sc, window, sc0);
    const int end = lte_estimator_start(n_sc, window, beyond - 1) + window;
    const float2 *const y = (const float2 *)from.y +
                            (ptrdiff_t)(slot % from.n_in) * from.slot_stride + rx * from.stride;
    const lte_cplx *const reference = (const lte_cplx *)estimator.reference;
    const bool is_final = !least_squares || !lte_estimator_has_levels(&estimator);
    if (next && rx == 0 && sc == 0)
        next[place] = 0;
    for (int i = first + t; i < end; i += BLOCK) {
        const float2 pair = __ldcv(y + i); /* past the caches: the host may have written it anew */
        const lte_cplx here = {pair.x, pair.y};
        received[i - first] = here;
#pragma unroll
        for (int k = 0; k < N; k++)
            z[k][i - first] = c_macc(c_zero(), here, reference[k * n_sc + i]);
    }
    __syncthreads();

    float power = 0.0f;
    if (sc < n_sc) {
        const int start = lte_estimator_start(n_sc, window, sc);
        const int set = least_squares ? LTE_LS_WEIGHTS : weights_of(link, noise, &residual[place]);
        const lte_cplx *const w = (const lte_cplx *)estimator.weight +
                                  ((ptrdiff_t)set * N * window + sc - start) * window;
        lte_cplx sum[N], left = received[sc - first];
#pragma unroll
        for (int k = 0; k < N; k++)
            sum[k] = c_zero();
#pragma unroll 4
        for (int j = 0; j < window; j++) {
#pragma unroll
            for (int k = 0; k < N; k++)
                sum[k] = c_mac(sum[k], w[k * window * window + j], z[k][start - first + j]);
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            left = c_nmac(left, sum[k], reference[k * n_sc + sc]);
            if (is_final)
                ((lte_cplx *)h)[(((ptrdiff_t)place * link.n_rx + rx) * N + k) * n_sc + sc] = sum[k];
        }
        power = c_abs2(left);
    }
    if (least_squares && residual)
        warp_add_wide(sc < n_sc ? lte_residual_units(power) : 0, &residual[place]);
}

/* One thread sends and receives the reference symbol on one subcarrier of one slot. */
template <int N>
__global__ void pilot_kernel(const __grid_constant__ lte_link link, lte_noise noise, uint64_t first,
                             const lte_cf32 *tap, lte_cf32 *y)
{
    const int units = (link.carrier.n_sc + BLOCK - 1) / BLOCK, index = (int)blockIdx.x / units;
    const int sc = (int)blockIdx.x % units * BLOCK + (int)threadIdx.x, n_rx = link.n_rx;
    const uint64_t slot = first + (uint64_t)index;
    if (sc >= link.carrier.n_sc)
        return;
    lte_cplx *const h = thread_memory(n_rx * N);
    lte_cplx x[N], z[2];
    const ptrdiff_t n_taps = (ptrdiff_t)link.channel.n_h * link.channel.profile.n_taps * n_rx * N;
    float signal = 0.0f, disturbance = 0.0f;
    draw_channel(link, tap + index * n_taps, slot, matrix_of(link, LTE_PILOT_SYMBOL), (uint32_t)sc,
                 h);
#pragma unroll
    for (int k = 0; k < N; k++)
        x[k] = ((const lte_cplx *)link.receiver.estimator.reference)[k * link.carrier.n_sc + sc];
    for (int r = 0; r < n_rx; r++) {
        if (r % 2 == 0)
            lte_draw_pilot_pair(&link.channel.draws, slot, (uint32_t)sc, (uint32_t)r / 2, z);
        ((lte_cplx *)y)[((ptrdiff_t)index * n_rx + r) * link.carrier.n_sc + sc] =
            lte_receive_antenna(N, h + r * N, x, r % 2 == 0 ? z[0] : z[1], noise.sigma, &signal,
                                &disturbance);
    }
}

/* Layers of an order that may be estimated; lte_estimator_create refuses the others. */
constexpr int layers_of(int n)
{
    return n <= LTE_PILOT_LAYERS ? n : 1;
}

typedef void estimate_fn(lte_link link, lte_noise noise, bool least_squares, pilot_planes from,
                         lte_cf32 *h, int64_t *residual, int64_t *next);

struct launch {
    estimate_fn *kernel;
    dim3 grid;
    int threads;
    size_t bytes; /* of shared memory */
};

template <int N, int ANTENNAS, int TILE, int THREADS, int BLOCKS>
launch over_the_carrier(const lte_link *link, int n_slots)
{
    return {estimate_carrier_kernel<N, ANTENNAS, TILE, THREADS, BLOCKS>,
            dim3((unsigned)n_slots, (unsigned)(link->n_rx / ANTENNAS)), THREADS,
            carrier_block<N, ANTENNAS, TILE, THREADS, BLOCKS == 1>::bytes(*link)};
}

template <int N> launch launch_of(const lte_link *link, int n_slots)
{
    if (!lte_estimator_spans_carrier(&link->receiver.estimator))
        return {
            estimate_kernel<N>,
            dim3((unsigned)(n_slots * blocks_of(link->carrier.n_sc, BLOCK)), (unsigned)link->n_rx),
            BLOCK, 0};
    return n_slots < MANY_SLOTS  ? over_the_carrier<N, 1, 1, 1024, 1>(link, n_slots)
           : link->n_rx % 2 == 0 ? over_the_carrier<N, 2, 2, 224, 4>(link, n_slots)
                                 : over_the_carrier<N, 1, 2, 224, 4>(link, n_slots);
}

/* Estimates with least squares add up residuals, where the noise is estimated. */
lte_status start(const lte_link *link, lte_noise noise, bool least_squares,
                 const pilot_planes &from, const lte_estimated *to, cudaStream_t stream)
{
    launch l = {};
    int64_t *const residual = link->receiver.noise_known ? NULL : to->residual;
    int64_t *const next = least_squares ? to->next : NULL;
#define ESTIMATE(n) l = launch_of<layers_of(n)>(link, to->n_slots)
    LTE_FOR_ORDER(link->n_tx, ESTIMATE)
#undef ESTIMATE
    const lte_status status = allow_shared((const void *)l.kernel, l.bytes);
    if (status)
        return status;
    l.kernel<<<l.grid, (unsigned)l.threads, l.bytes, stream>>>(*link, noise, least_squares, from,
                                                               to->h, residual, next);
    return LTE_LAUNCHED(estimate_kernel);
}

/*
 * What receivers with two reference symbols go by: the mean of both residuals for each slot, and
 * their combinations. A block takes a subframe; n_slots is even.
 */
__global__ void share_kernel(const __grid_constant__ lte_link link, lte_noise noise, uint64_t first,
                             int n_slots, int64_t *residual, lte_combination *combination)
{
    enum { OF_BOTH = LTE_SUBFRAME_PILOTS * LTE_SLOT_SYMBOLS };
    const uint64_t place = (first + LTE_SUBFRAME_PILOTS * (uint64_t)blockIdx.x) % (unsigned)n_slots;
    const int t = (int)threadIdx.x;
    const int64_t mean = residual ? residual[place] / 2 + residual[place + 1] / 2 : 0;
    __syncwarp();
    if (residual && t < LTE_SUBFRAME_PILOTS)
        residual[place + (uint64_t)t] = mean;
    if (t < OF_BOTH)
        combination[place * LTE_SLOT_SYMBOLS + (uint64_t)t] =
            lte_link_combination(&link, noise_of(link, noise, &mean),
                                 (uint64_t)(t / LTE_SLOT_SYMBOLS), t % LTE_SLOT_SYMBOLS);
}

/*
 * Least squares if they are wanted, then the set of the level of noise if there are any, of noise
 * that slots of a subframe may share.
 */
lte_status estimate(const lte_link *link, lte_noise noise, const pilot_planes &from,
                    const lte_estimated *to, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    if (lte_needs_least_squares(link))
        status = start(link, noise, true, from, to, stream);
    if (!status && link->receiver.pilots > 1) {
        share_kernel<<<(unsigned)to->n_slots / LTE_SUBFRAME_PILOTS, WARP, 0, stream>>>(
            *link, noise, from.first, to->n_slots, link->receiver.noise_known ? NULL : to->residual,
            to->combination);
        status = LTE_LAUNCHED(share_kernel);
    }
    if (!status && lte_estimator_has_levels(&link->receiver.estimator))
        status = start(link, noise, false, from, to, stream);
    return status;
}

} // namespace

lte_status lte_estimate_cuda(const lte_link *link, lte_noise noise, const lte_cf32 *d_y,
                             uint64_t first, uint64_t n_in, const lte_estimated *to,
                             cudaStream_t stream)
{
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc;
    const pilot_planes from = {d_y + (ptrdiff_t)LTE_PILOT_SYMBOL * link->carrier.n_sc,
                               link->n_rx * stride, stride, first, n_in};
    return estimate(link, noise, from, to, stream);
}

lte_status lte_estimate_drawn_cuda(const lte_link *link, lte_noise noise, uint64_t first,
                                   const lte_cf32 *d_tap, lte_cf32 *d_y, const lte_estimated *to,
                                   cudaStream_t stream)
{
    const unsigned n_blocks = (unsigned)(to->n_slots * blocks_of(link->carrier.n_sc, BLOCK));
    const pilot_planes from = {d_y, (ptrdiff_t)link->n_rx * link->carrier.n_sc, link->carrier.n_sc,
                               0, (uint64_t)to->n_slots};
    void (*send)(lte_link, lte_noise, uint64_t, const lte_cf32 *, lte_cf32 *) = NULL;
    size_t bytes;
#define SEND(n) send = pilot_kernel<layers_of(n)>
    LTE_FOR_ORDER(link->n_tx, SEND)
#undef SEND
    lte_status status = memory_of_block((const void *)send, BLOCK, link->n_rx * link->n_tx, &bytes);
    if (status)
        return status;
    send<<<n_blocks, BLOCK, bytes, stream>>>(*link, noise, first, d_tap, d_y);
    status = LTE_LAUNCHED(pilot_kernel);
    if (!status)
        status = LTE_CUDA(
            cudaMemsetAsync(to->residual, 0, (size_t)to->n_slots * sizeof *to->residual, stream));
    if (!status)
        status = estimate(link, noise, from, to, stream);
    return status;
}
