#ifndef LTE_KERNELS_ESTIMATE_CARRIER_CUH
#define LTE_KERNELS_ESTIMATE_CARRIER_CUH
/*
 * Estimates over the whole carrier (phy/pilots.h) for kernels/estimate_cuda.cu: a block takes one
 * antenna of one slot.
 *
 * Threads are first unknowns of all layers on some groups at once, whose sums others add up group
 * after group; then unknowns of one layer, for the small matrix; then subcarriers. So every sum
 * has the order that a processor's has.
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

enum { CARRIER_BLOCK = 256, MOST_UNKNOWNS = 128 /* of a layer, padded */ };

/* What a block shares. */
template <int N> struct carrier_shared {
    lte_cplx received[LTE_MAX_SC];
    lte_cplx matched[N][CARRIER_BLOCK]; /* of the groups at hand */
    lte_cplx part[N][CARRIER_BLOCK];    /* sums of each */
    lte_cplx total[N * MOST_UNKNOWNS];  /* c */
    lte_cplx unknown[N * MOST_UNKNOWNS];
};

/* c_ki = sum_sc conj(b_i) z_k, the sums of groups of LTE_LANES added in their order; y: a plane. */
template <int N>
__device__ __forceinline__ void correlate_carrier(const lte_link &link, const float2 *y,
                                                  carrier_shared<N> &s)
{
    const lte_pilots &pilots = link.pilots;
    const int t = (int)threadIdx.x, n_sc = link.n_sc, pitch = lte_pilot_pitch(&pilots);
    const int at_once = CARRIER_BLOCK / pitch, n_staged = at_once * LTE_LANES;
    const int own = t / pitch, i = t % pitch;
    for (int g0 = 0; g0 < link.n_groups; g0 += at_once) {
        const int sc0 = g0 * LTE_LANES;
        for (int j = t; j < n_staged && sc0 + j < n_sc; j += CARRIER_BLOCK) {
            /* past the caches: the host may have written it anew */
            const float2 pair = __ldcv(y + sc0 + j);
            const lte_cplx here = {pair.x, pair.y};
            s.received[sc0 + j] = here;
#pragma unroll
            for (int k = 0; k < N; k++)
                s.matched[k][j] = c_macc(c_zero(), here,
                                         ((const lte_cplx *)pilots.reference)[k * n_sc + sc0 + j]);
        }
        __syncthreads();
        if (own < at_once && g0 + own < link.n_groups) {
            const int first = own * LTE_LANES, left = n_sc - sc0 - first;
            const int n = left < LTE_LANES ? left : LTE_LANES;
            const float *b = &pilots.row[(ptrdiff_t)2 * (sc0 + first) * pitch + i];
            lte_cplx c[N];
#pragma unroll
            for (int k = 0; k < N; k++)
                c[k] = c_zero();
#pragma unroll 4
            for (int j = 0; j < n; j++) {
                const lte_cplx vector = {b[2 * j * pitch], b[(2 * j + 1) * pitch]};
#pragma unroll
                for (int k = 0; k < N; k++)
                    c[k] = c_cmac(c[k], vector, s.matched[k][first + j]);
            }
#pragma unroll
            for (int k = 0; k < N; k++)
                s.part[k][t] = c[k];
        }
        __syncthreads();
        for (int u = t; u < N * pitch; u += CARRIER_BLOCK) {
            lte_cplx sum = g0 == 0 ? c_zero() : s.total[u];
            for (int g = 0; g < at_once && g0 + g < link.n_groups; g++) {
                const lte_cplx part = s.part[u / pitch][g * pitch + u % pitch];
                sum.re = g0 + g == 0 ? part.re : sum.re + part.re;
                sum.im = g0 + g == 0 ? part.im : sum.im + part.im;
            }
            s.total[u] = sum;
        }
    }
    __syncthreads();
}

/* g = M c, sums over the columns of M. */
template <int N>
__device__ __forceinline__ void fit_carrier(const lte_pilots &pilots, int set, carrier_shared<N> &s)
{
    const int n_basis = pilots.n_basis, pitch = lte_pilot_pitch(&pilots), width = N * pitch;
    const float *const m = pilots.matrix + (ptrdiff_t)set * N * n_basis * 2 * width;
    for (int u = (int)threadIdx.x; u < width; u += CARRIER_BLOCK) {
        lte_cplx sum = c_zero();
#pragma unroll
        for (int k = 0; k < N; k++) {
            const float *column = m + (ptrdiff_t)2 * k * n_basis * width + u;
#pragma unroll 8
            for (int i = 0; i < n_basis; i++, column += 2 * width) {
                const lte_cplx matrix = {column[0], column[width]};
                sum = c_mac(sum, matrix, s.total[k * pitch + i]);
            }
        }
        s.unknown[u] = sum;
    }
    __syncthreads();
}

/* H_k = sum_i b_i g_ki of all subcarriers into h [N][n_sc]; what is left of y, in units. */
template <int N, bool RESIDUAL>
__device__ __forceinline__ int64_t synthesise_carrier(const lte_link &link,
                                                      const carrier_shared<N> &s, lte_cplx *h)
{
    const lte_pilots &pilots = link.pilots;
    const int n_sc = link.n_sc, pitch = lte_pilot_pitch(&pilots);
    const ptrdiff_t width = (ptrdiff_t)link.n_groups * LTE_LANES;
    int64_t units = 0;
    for (int sc = (int)threadIdx.x; sc < n_sc; sc += CARRIER_BLOCK) {
        const float *column = pilots.column + sc;
        lte_cplx sum[N];
#pragma unroll
        for (int k = 0; k < N; k++)
            sum[k] = c_zero();
#pragma unroll 4
        for (int i = 0; i < pilots.n_basis; i++, column += 2 * width) {
            const lte_cplx vector = {column[0], column[width]};
#pragma unroll
            for (int k = 0; k < N; k++)
                sum[k] = c_mac(sum[k], vector, s.unknown[k * pitch + i]);
        }
        if (h) {
#pragma unroll
            for (int k = 0; k < N; k++)
                h[(ptrdiff_t)k * n_sc + sc] = sum[k];
        }
        if constexpr (RESIDUAL) {
            lte_cplx left = s.received[sc];
#pragma unroll
            for (int k = 0; k < N; k++)
                left = c_nmac(left, sum[k], ((const lte_cplx *)pilots.reference)[k * n_sc + sc]);
            units += lte_residual_units(c_abs2(left));
        }
    }
    return units;
}

/*
 * One antenna of one slot; arguments as of estimate_kernel. Where final estimates follow those of
 * least squares, these leave c in h, whose [N][n_sc] are never fewer, for those to take.
 */
template <int N>
__global__ __launch_bounds__(CARRIER_BLOCK) void estimate_carrier_kernel(
    const __grid_constant__ lte_link link, lte_noise noise, bool least_squares, pilot_planes from,
    lte_cf32 *h, int64_t *residual, int64_t *next)
{
    __shared__ carrier_shared<N> s;
    const int t = (int)threadIdx.x, rx = (int)blockIdx.y, n_slots = (int)gridDim.x;
    const int width = N * lte_pilot_pitch(&link.pilots);
    const uint64_t slot = from.first + (uint64_t)blockIdx.x;
    const int place = (int)(slot % (unsigned)n_slots);
    const float2 *const y = (const float2 *)from.y +
                            (ptrdiff_t)(slot % from.n_in) * from.slot_stride + rx * from.stride;
    lte_cplx *const planes = (lte_cplx *)h + ((ptrdiff_t)place * link.n_rx + rx) * N * link.n_sc;
    const bool is_final = !least_squares || !lte_pilots_have_levels(&link.pilots);
    if (next && rx == 0 && t == 0)
        next[place] = 0;
    if (least_squares || link.noise_known) {
        correlate_carrier<N>(link, y, s);
    } else {
        for (int u = t; u < width; u += CARRIER_BLOCK)
            s.total[u] = planes[u];
        __syncthreads();
    }
    fit_carrier<N>(link.pilots,
                   least_squares ? LTE_LS_WEIGHTS : weights_of(link, noise, &residual[place]), s);
    if (least_squares && residual) {
        const int64_t units =
            synthesise_carrier<N, true>(link, s, is_final ? planes : (lte_cplx *)NULL);
        warp_add_wide(units, &residual[place]);
    } else {
        synthesise_carrier<N, false>(link, s, planes);
    }
    for (int u = t; u < width && !is_final; u += CARRIER_BLOCK)
        planes[u] = s.total[u];
}

} // namespace

#endif
