#ifndef LTE_KERNELS_ESTIMATE_CARRIER_CUH
#define LTE_KERNELS_ESTIMATE_CARRIER_CUH
/*
 * Estimates over the whole carrier (phy/pilots.h) for kernels/estimate_cuda.cu: a block takes R
 * antennas of one slot.
 *
 * Threads are first unknowns of a layer on some groups at once, whose sums others add up group
 * after group; then unknowns of one layer, for the small matrix; then subcarriers. So every sum
 * has the order that a processor's has.
 *
 *   version       what it is for
 *   1 antenna     R = 1, more threads: few slots, the most blocks
 *   2 antennas    R = 4: what is read of b and M serves four antennas. Many slots; sweeps of 4x4
 *                 with a hundred unknowns a layer were bound by it
 */
#include "kernels/device.cuh"

namespace
{

/* Where the reference symbol of slots first, first + 1, .. lies: planes of antennas. */
struct pilot_planes {
    const lte_cf32 *y;
    ptrdiff_t slot_stride, stride; /* elements from slot to slot, from antenna to antenna */
    uint64_t first, n_in;          /* slot i lies at i mod n_in */
};

/* A block of R antennas of N layers, and its shared memory. */
template <int N, int R> struct carrier_block {
    static constexpr int THREADS = 1024 / R;

    const lte_link &link;
    int pitch, n_groups; /* unknowns of a layer, padded; groups at once */
    int n_staged;        /* subcarriers of these */
    lte_cplx *received;  /* [R][n_sc] */
    lte_cplx *matched;   /* [R][N][n_staged] */
    lte_cplx *part;      /* [R][N][THREADS]  sums of each group at hand */
    lte_cplx *total;     /* [R][N][pitch]  c */
    lte_cplx *unknown;   /* [R][N][pitch]  g */

    static __host__ __device__ int groups_at_once(const lte_link &link)
    {
        return THREADS / lte_pilot_pitch(&link.pilots);
    }
    static __host__ __device__ int elements(const lte_link &link)
    {
        return R * (link.n_sc + N * (groups_at_once(link) * LTE_LANES + THREADS +
                                     2 * lte_pilot_pitch(&link.pilots)));
    }

    __device__ __forceinline__ carrier_block(const lte_link &of, lte_cplx *memory)
        : link(of), received(memory)
    {
        pitch = lte_pilot_pitch(&link.pilots);
        n_groups = groups_at_once(link);
        n_staged = n_groups * LTE_LANES;
        matched = received + R * link.n_sc;
        part = matched + R * N * n_staged;
        total = part + R * N * THREADS;
        unknown = total + R * N * pitch;
    }

    /* Matched filters from subcarrier sc0 on; y: n_live planes, stride elements from one to the
     * next. */
    __device__ __forceinline__ void stage(const float2 *y, ptrdiff_t stride, int n_live,
                                          int sc0) const
    {
        const lte_cplx *const reference = (const lte_cplx *)link.pilots.reference;
        for (int j = (int)threadIdx.x; j < n_staged && sc0 + j < link.n_sc; j += THREADS) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                /* past the caches: the host may have written it anew */
                const float2 pair =
                    r < n_live ? __ldcv(y + r * stride + sc0 + j) : make_float2(0.0f, 0.0f);
                const lte_cplx here = {pair.x, pair.y};
                received[r * link.n_sc + sc0 + j] = here;
#pragma unroll
                for (int k = 0; k < N; k++)
                    matched[(r * N + k) * n_staged + j] =
                        c_macc(c_zero(), here, reference[k * link.n_sc + sc0 + j]);
            }
        }
    }

    /* sum_sc conj(b_i) z_k of the groups at hand, from g0 on: a thread has an unknown of a group. */
    __device__ __forceinline__ void correlate_groups(int g0) const
    {
        const int t = (int)threadIdx.x, own = t / pitch, i = t % pitch;
        const int first = own * LTE_LANES, left = link.n_sc - g0 * LTE_LANES - first;
        const int n = left < LTE_LANES ? left : LTE_LANES;
        const float *const b =
            link.pilots.row + (ptrdiff_t)2 * (g0 * LTE_LANES + first) * pitch + i;
        lte_cplx c[R * N];
        if (own >= n_groups || left <= 0)
            return;
#pragma unroll
        for (int k = 0; k < R * N; k++)
            c[k] = c_zero();
#pragma unroll 2
        for (int j = 0; j < n; j++) {
            const lte_cplx vector = {b[2 * j * pitch], b[(2 * j + 1) * pitch]};
#pragma unroll
            for (int k = 0; k < R * N; k++)
                c[k] = c_cmac(c[k], vector, matched[k * n_staged + first + j]);
        }
#pragma unroll
        for (int k = 0; k < R * N; k++)
            part[k * THREADS + t] = c[k];
    }

    /* Adds them to c in their order. */
    __device__ __forceinline__ void add_groups(int g0) const
    {
        const int left = link.n_groups - g0, n = left < n_groups ? left : n_groups;
        for (int u = (int)threadIdx.x; u < R * N * pitch; u += THREADS) {
            const lte_cplx *const from = part + u / pitch * THREADS + u % pitch;
            lte_cplx sum = g0 == 0 ? from[0] : total[u];
            for (int g = g0 == 0; g < n; g++) {
                sum.re += from[g * pitch].re;
                sum.im += from[g * pitch].im;
            }
            total[u] = sum;
        }
    }

    __device__ __forceinline__ void correlate(const float2 *y, ptrdiff_t stride, int n_live) const
    {
        for (int g0 = 0; g0 < link.n_groups; g0 += n_groups) {
            stage(y, stride, n_live, g0 * LTE_LANES);
            __syncthreads();
            correlate_groups(g0);
            __syncthreads();
            add_groups(g0);
        }
        __syncthreads();
    }

    /* g = M c, sums over the columns of M. */
    __device__ __forceinline__ void fit(int set) const
    {
        const int n_basis = link.pilots.n_basis, width = N * pitch;
        const float *const m = link.pilots.matrix + (ptrdiff_t)set * N * n_basis * 2 * width;
        for (int u = (int)threadIdx.x; u < width; u += THREADS) {
            const float *column = m + u;
            lte_cplx sum[R];
#pragma unroll
            for (int r = 0; r < R; r++)
                sum[r] = c_zero();
            for (int k = 0; k < N; k++) {
#pragma unroll 8
                for (int i = 0; i < n_basis; i++, column += 2 * width) {
                    const lte_cplx matrix = {column[0], column[width]};
#pragma unroll
                    for (int r = 0; r < R; r++)
                        sum[r] = c_mac(sum[r], matrix, total[(r * N + k) * pitch + i]);
                }
            }
#pragma unroll
            for (int r = 0; r < R; r++)
                unknown[r * width + u] = sum[r];
        }
        __syncthreads();
    }

    /*
     * H_k = sum_i b_i g_ki of all subcarriers, into h [R][N][n_sc] of n_live antennas if there is
     * one; returns what is left of y, in units, if it is wanted.
     */
    __device__ __forceinline__ int64_t synthesise(int n_live, lte_cplx *h, bool wanted) const
    {
        const lte_cplx *const reference = (const lte_cplx *)link.pilots.reference;
        const ptrdiff_t width = (ptrdiff_t)link.n_groups * LTE_LANES;
        const int n_sc = link.n_sc;
        int64_t units = 0;
        for (int sc = (int)threadIdx.x; sc < n_sc; sc += THREADS) {
            const float *column = link.pilots.column + sc;
            lte_cplx sum[R * N];
#pragma unroll
            for (int k = 0; k < R * N; k++)
                sum[k] = c_zero();
#pragma unroll 4
            for (int i = 0; i < link.pilots.n_basis; i++, column += 2 * width) {
                const lte_cplx vector = {column[0], column[width]};
#pragma unroll
                for (int k = 0; k < R * N; k++)
                    sum[k] = c_mac(sum[k], vector, unknown[k * pitch + i]);
            }
#pragma unroll
            for (int k = 0; k < R * N; k++) {
                if (h && k / N < n_live)
                    h[(ptrdiff_t)k * n_sc + sc] = sum[k];
            }
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (!wanted || r >= n_live)
                    continue;
                lte_cplx left = received[r * n_sc + sc];
#pragma unroll
                for (int k = 0; k < N; k++)
                    left = c_nmac(left, sum[r * N + k], reference[k * n_sc + sc]);
                units += lte_residual_units(c_abs2(left));
            }
        }
        return units;
    }
};

/*
 * R antennas of one slot; arguments as of estimate_kernel. Where final estimates follow those of
 * least squares, these leave c in h, whose [N][n_sc] are never fewer, for those to take.
 */
template <int N, int R>
__global__ __launch_bounds__(carrier_block<N, R>::THREADS) void estimate_carrier_kernel(
    const __grid_constant__ lte_link link, lte_noise noise, bool least_squares, pilot_planes from,
    lte_cf32 *h, int64_t *residual, int64_t *next)
{
    extern __shared__ lte_cplx of_block[];
    constexpr int THREADS = carrier_block<N, R>::THREADS;
    const carrier_block<N, R> block(link, of_block);
    const int t = (int)threadIdx.x, rx = (int)blockIdx.y * R, n_slots = (int)gridDim.x;
    const int n_live = link.n_rx - rx < R ? link.n_rx - rx : R, width = N * block.pitch;
    const uint64_t slot = from.first + (uint64_t)blockIdx.x;
    const int place = (int)(slot % (unsigned)n_slots);
    const float2 *const y = (const float2 *)from.y +
                            (ptrdiff_t)(slot % from.n_in) * from.slot_stride + rx * from.stride;
    lte_cplx *const planes = (lte_cplx *)h + ((ptrdiff_t)place * link.n_rx + rx) * N * link.n_sc;
    const ptrdiff_t antenna = (ptrdiff_t)N * link.n_sc;
    const bool is_final = !least_squares || !lte_pilots_have_levels(&link.pilots);
    if (next && rx == 0 && t == 0)
        next[place] = 0;
    if (least_squares || link.noise_known) {
        block.correlate(y, from.stride, n_live);
    } else {
        for (int u = t; u < R * width; u += THREADS)
            block.total[u] =
                u / width < n_live ? planes[u / width * antenna + u % width] : c_zero();
        __syncthreads();
    }
    block.fit(least_squares ? LTE_LS_WEIGHTS : weights_of(link, noise, &residual[place]));
    const bool tells = least_squares && residual;
    const int64_t units = block.synthesise(n_live, is_final ? planes : (lte_cplx *)NULL, tells);
    if (tells)
        warp_add_wide(units, &residual[place]);
    for (int u = t; u < n_live * width && !is_final; u += THREADS)
        planes[u / width * antenna + u % width] = block.total[u];
}

} // namespace

#endif
