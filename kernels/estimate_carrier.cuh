#ifndef LTE_KERNELS_ESTIMATE_CARRIER_CUH
#define LTE_KERNELS_ESTIMATE_CARRIER_CUH
/*
 * Estimates over the whole carrier (phy/pilots.h) for kernels/estimate_cuda.cu: a block takes one
 * antenna of one slot, with many threads where there are few blocks.
 *
 * Threads are first unknowns of a layer on some groups at once, whose sums others add up group
 * after group; then unknowns of one layer, for the small matrix; then subcarriers. So every sum
 * has the order that a processor's has.
 *
 * Tried, and slower by a seventh: four antennas a block, so that what is read of b and M serves
 * them all.
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

/* What there is of each layer, read at once. */
template <int N> struct __align__(16) of_layers
{
    lte_cplx layer[N];
};

/* A block of one antenna of N layers, and its shared memory. */
template <int N, int THREADS> struct carrier_block {
    const lte_link &link;
    int pitch, n_groups;   /* unknowns of a layer, padded; groups at once */
    int n_staged;          /* subcarriers of these */
    of_layers<N> *matched; /* [n_staged] */
    of_layers<N> *unknown; /* [pitch]  g */
    lte_cplx *part;        /* [N][THREADS]  sums of each group at hand */
    lte_cplx *total;       /* [N][pitch]  c */
    lte_cplx *received;    /* [n_sc] */

    static __host__ __device__ int groups_at_once(const lte_link &link)
    {
        return THREADS / lte_pilot_pitch(&link.pilots);
    }
    static __host__ __device__ size_t bytes(const lte_link &link)
    {
        const int padded = lte_pilot_pitch(&link.pilots);
        return sizeof(of_layers<N>) * (size_t)(groups_at_once(link) * LTE_LANES + padded) +
               sizeof(lte_cplx) * (size_t)(N * (THREADS + padded) + link.n_sc);
    }

    __device__ __forceinline__ carrier_block(const lte_link &of, void *memory) : link(of)
    {
        pitch = lte_pilot_pitch(&link.pilots);
        n_groups = groups_at_once(link);
        n_staged = n_groups * LTE_LANES;
        matched = (of_layers<N> *)memory;
        unknown = matched + n_staged;
        part = (lte_cplx *)(unknown + pitch);
        total = part + N * THREADS;
        received = total + N * pitch;
    }

    __device__ __forceinline__ const lte_cplx *reference() const
    {
        return (const lte_cplx *)link.pilots.reference;
    }

    /* Matched filters from subcarrier sc0 on; y: a plane. */
    __device__ __forceinline__ void stage(const float2 *y, int sc0) const
    {
        for (int j = (int)threadIdx.x; j < n_staged && sc0 + j < link.n_sc; j += THREADS) {
            /* past the caches: the host may have written it anew */
            const float2 pair = __ldcv(y + sc0 + j);
            const lte_cplx here = {pair.x, pair.y};
            of_layers<N> z;
#pragma unroll
            for (int k = 0; k < N; k++)
                z.layer[k] = c_macc(c_zero(), here, reference()[k * link.n_sc + sc0 + j]);
            matched[j] = z;
            received[sc0 + j] = here;
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
        lte_cplx c[N];
        if (own >= n_groups || left <= 0)
            return;
#pragma unroll
        for (int k = 0; k < N; k++)
            c[k] = c_zero();
#pragma unroll 4
        for (int j = 0; j < n; j++) {
            const lte_cplx vector = {b[2 * j * pitch], b[(2 * j + 1) * pitch]};
            const of_layers<N> z = matched[first + j];
#pragma unroll
            for (int k = 0; k < N; k++)
                c[k] = c_cmac(c[k], vector, z.layer[k]);
        }
#pragma unroll
        for (int k = 0; k < N; k++)
            part[k * THREADS + t] = c[k];
    }

    /* Adds them to c in their order. */
    __device__ __forceinline__ void add_groups(int g0) const
    {
        const int left = link.n_groups - g0, n = left < n_groups ? left : n_groups;
        for (int u = (int)threadIdx.x; u < N * pitch; u += THREADS) {
            const lte_cplx *const from = part + u / pitch * THREADS + u % pitch;
            lte_cplx sum = g0 == 0 ? from[0] : total[u];
            for (int g = g0 == 0; g < n; g++) {
                sum.re += from[g * pitch].re;
                sum.im += from[g * pitch].im;
            }
            total[u] = sum;
        }
    }

    __device__ __forceinline__ void correlate(const float2 *y) const
    {
        for (int g0 = 0; g0 < link.n_groups; g0 += n_groups) {
            stage(y, g0 * LTE_LANES);
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
            lte_cplx sum = c_zero();
            for (int k = 0; k < N; k++) {
#pragma unroll 8
                for (int i = 0; i < n_basis; i++, column += 2 * width) {
                    const lte_cplx matrix = {column[0], column[width]};
                    sum = c_mac(sum, matrix, total[k * pitch + i]);
                }
            }
            unknown[u % pitch].layer[u / pitch] = sum;
        }
        __syncthreads();
    }

    /*
     * H_k = sum_i b_i g_ki of all subcarriers, into h [N][n_sc] if there is one; returns what is
     * left of y, in units, if it is wanted.
     */
    __device__ __forceinline__ int64_t synthesise(lte_cplx *h, bool wanted) const
    {
        const ptrdiff_t width = (ptrdiff_t)link.n_groups * LTE_LANES;
        const int n_sc = link.n_sc;
        int64_t units = 0;
        for (int sc = (int)threadIdx.x; sc < n_sc; sc += THREADS) {
            const float *column = link.pilots.column + sc;
            lte_cplx sum[N];
#pragma unroll
            for (int k = 0; k < N; k++)
                sum[k] = c_zero();
#pragma unroll 4
            for (int i = 0; i < link.pilots.n_basis; i++, column += 2 * width) {
                const lte_cplx vector = {column[0], column[width]};
                const of_layers<N> g = unknown[i];
#pragma unroll
                for (int k = 0; k < N; k++)
                    sum[k] = c_mac(sum[k], vector, g.layer[k]);
            }
#pragma unroll
            for (int k = 0; k < N; k++) {
                if (h)
                    h[(ptrdiff_t)k * n_sc + sc] = sum[k];
            }
            if (!wanted)
                continue;
            lte_cplx left = received[sc];
#pragma unroll
            for (int k = 0; k < N; k++)
                left = c_nmac(left, sum[k], reference()[k * n_sc + sc]);
            units += lte_residual_units(c_abs2(left));
        }
        return units;
    }
};

/*
 * One antenna of one slot; arguments as of estimate_kernel. Where final estimates follow those of
 * least squares, these leave c in h, whose [N][n_sc] are never fewer, for those to take.
 */
template <int N, int THREADS>
__global__ __launch_bounds__(THREADS) void estimate_carrier_kernel(
    const __grid_constant__ lte_link link, lte_noise noise, bool least_squares, pilot_planes from,
    lte_cf32 *h, int64_t *residual, int64_t *next)
{
    extern __shared__ float4 of_block[];
    const carrier_block<N, THREADS> block(link, of_block);
    const int t = (int)threadIdx.x, rx = (int)blockIdx.y, n_slots = (int)gridDim.x;
    const int width = N * block.pitch;
    const uint64_t slot = from.first + (uint64_t)blockIdx.x;
    const int place = (int)(slot % (unsigned)n_slots);
    const float2 *const y = (const float2 *)from.y +
                            (ptrdiff_t)(slot % from.n_in) * from.slot_stride + rx * from.stride;
    lte_cplx *const planes = (lte_cplx *)h + ((ptrdiff_t)place * link.n_rx + rx) * N * link.n_sc;
    const bool is_final = !least_squares || !lte_pilots_have_levels(&link.pilots);
    const bool tells = least_squares && residual;
    if (next && rx == 0 && t == 0)
        next[place] = 0;
    if (least_squares || link.noise_known) {
        block.correlate(y);
    } else {
        for (int u = t; u < width; u += THREADS)
            block.total[u] = planes[u];
        __syncthreads();
    }
    block.fit(least_squares ? LTE_LS_WEIGHTS : weights_of(link, noise, &residual[place]));
    const int64_t units = block.synthesise(is_final ? planes : (lte_cplx *)NULL, tells);
    if (tells)
        warp_add_wide(units, &residual[place]);
    for (int u = t; u < width && !is_final; u += THREADS)
        planes[u] = block.total[u];
}

} // namespace

#endif
