#ifndef LTE_KERNELS_ESTIMATE_CARRIER_CUH
#define LTE_KERNELS_ESTIMATE_CARRIER_CUH
/*
 * Estimates over the whole carrier (phy/estimation/estimator.h) for
 * kernels/cuda/stages/estimate_cuda.cu: a block takes one or two antennas of one slot, with many
 * threads where there are few blocks.
 *
 * Threads are first unknowns of a layer on some groups at once, whose sums others add up group
 * after group; then unknowns of one layer, for the small matrix; then subcarriers. So every sum
 * has the order that a processor's has.
 *
 * Numbers of a layer are read by all threads out of shared memory, b and M out of the second cache,
 * and either would bind: so where there are many blocks a thread has TILE neighbouring unknowns or
 * subcarriers, which share what is read of layers, and antennas share what is read of b and M.
 * Then shared memory and registers have to be so few that four blocks are at work at a time: y,
 * which is wanted once more at the end, is read again into memory that the sums of groups had.
 *
 * Tried, us a slot of a 4x4 sweep with dmrs-ls at 20 MHz on an H200: this 1.81; an unknown a thread
 * 2.59; y kept, 256 threads 2.11, 320 2.15, 448 1.90 to 2.46; four antennas a block 2.13 to 2.5.
 */
#include "kernels/cuda/device/device.cuh"

namespace
{

enum { MOST_GROUPS = 32 }; /* that a block correlates at once */

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

/* Neighbouring numbers, read at once. */
template <int TILE> struct __align__(sizeof(float) * TILE) neighbours
{
    float of[TILE];
};

/* Neighbouring complex numbers: real parts at re, imaginary ones behind at im. */
template <int TILE>
__device__ __forceinline__ void load_tile(const float *re, const float *im, lte_cplx *x)
{
    const neighbours<TILE> a = *(const neighbours<TILE> *)re, b = *(const neighbours<TILE> *)im;
#pragma unroll
    for (int e = 0; e < TILE; e++)
        x[e] = {a.of[e], b.of[e]};
}

/* A block of ANTENNAS with N layers, and its shared memory; KEEPS: y in some of its own. */
template <int N, int ANTENNAS, int TILE, int THREADS, bool KEEPS> struct carrier_block {
    enum { ALL = ANTENNAS * N };
    const lte_link &link;
    int pitch, n_groups;   /* unknowns of a layer, padded; groups at once */
    int n_staged;          /* subcarriers of these */
    of_layers<N> *matched; /* [n_staged][ANTENNAS] */
    of_layers<N> *unknown; /* [pitch][ANTENNAS]  g */
    lte_cplx *total;       /* [ANTENNAS][N][pitch]  c */
    lte_cplx *part;        /* [ANTENNAS][N][n_groups][pitch]  sums of each group at hand */
    lte_cplx *received;    /* [ANTENNAS][n_sc]; part, if y is read again */

    static __host__ __device__ int groups_at_once(const lte_link &link)
    {
        const int n = THREADS * TILE / lte_estimator_pitch(&link.receiver.estimator);
        return n < MOST_GROUPS ? n : MOST_GROUPS;
    }
    static __host__ __device__ size_t bytes(const lte_link &link)
    {
        const int padded = lte_estimator_pitch(&link.receiver.estimator),
                  groups = groups_at_once(link);
        const int sums = N * groups * padded, y = link.carrier.n_sc;
        const int last = KEEPS ? sums + y : sums > y ? sums : y;
        return ANTENNAS * (sizeof(of_layers<N>) * (size_t)(groups * LTE_LANES + padded) +
                           sizeof(lte_cplx) * (size_t)(N * padded + last));
    }

    __device__ __forceinline__ carrier_block(const lte_link &of, void *memory) : link(of)
    {
        pitch = lte_estimator_pitch(&link.receiver.estimator);
        n_groups = groups_at_once(link);
        n_staged = n_groups * LTE_LANES;
        matched = (of_layers<N> *)memory;
        unknown = matched + n_staged * ANTENNAS;
        total = (lte_cplx *)(unknown + pitch * ANTENNAS);
        part = total + ALL * pitch;
        received = KEEPS ? part + ALL * n_groups * pitch : part;
    }

    __device__ __forceinline__ const lte_cplx *reference() const
    {
        return (const lte_cplx *)link.receiver.estimator.reference;
    }

    /* Matched filters from subcarrier sc0 on; y: planes so far apart. */
    __device__ __forceinline__ void stage(const float2 *y, ptrdiff_t stride, int sc0) const
    {
        for (int j = (int)threadIdx.x; j < n_staged && sc0 + j < link.carrier.n_sc; j += THREADS) {
#pragma unroll
            for (int a = 0; a < ANTENNAS; a++) {
                /* past the caches: the host may have written it anew */
                const float2 pair = __ldcv(y + a * stride + sc0 + j);
                const lte_cplx here = {pair.x, pair.y};
                of_layers<N> z;
#pragma unroll
                for (int k = 0; k < N; k++)
                    z.layer[k] =
                        c_macc(c_zero(), here, reference()[k * link.carrier.n_sc + sc0 + j]);
                matched[j * ANTENNAS + a] = z;
                if (KEEPS)
                    received[a * link.carrier.n_sc + sc0 + j] = here;
            }
        }
    }

    /*
     * sum [e][t] <- sum [e][t] + x_t z_e, or conj(x_t) z_e: all layers of all antennas at a tile.
     */
    template <bool CONJUGATED>
    static __device__ __forceinline__ void accumulate(const lte_cplx *x, const of_layers<N> *z,
                                                      lte_cplx (*sum)[TILE])
    {
#pragma unroll
        for (int a = 0; a < ANTENNAS; a++) {
            const of_layers<N> here = z[a];
#pragma unroll
            for (int u = 0; u < N * TILE; u++) {
                lte_cplx *const to = &sum[a * N + u / TILE][u % TILE];
                *to = CONJUGATED ? c_cmac(*to, x[u % TILE], here.layer[u / TILE])
                                 : c_mac(*to, x[u % TILE], here.layer[u / TILE]);
            }
        }
    }

    static __device__ __forceinline__ void clear(lte_cplx (*sum)[TILE])
    {
#pragma unroll
        for (int u = 0; u < ALL * TILE; u++)
            sum[u / TILE][u % TILE] = c_zero();
    }

    /* sum_sc conj(b_i) z_k of the groups at hand, from g0 on: a thread has unknowns of a group. */
    __device__ __forceinline__ void correlate_groups(int g0) const
    {
        const int tiles = pitch / TILE, own = (int)threadIdx.x / tiles;
        const int i = (int)threadIdx.x % tiles * TILE, first = own * LTE_LANES;
        const int left = link.carrier.n_sc - g0 * LTE_LANES - first;
        const int n = left < LTE_LANES ? left : LTE_LANES;
        const float *b =
            link.receiver.estimator.row + (ptrdiff_t)2 * (g0 * LTE_LANES + first) * pitch + i;
        lte_cplx c[ALL][TILE];
        if (own >= n_groups || left <= 0)
            return;
        clear(c);
#pragma unroll 4
        for (int j = 0; j < n; j++, b += 2 * pitch) {
            lte_cplx vector[TILE];
            load_tile<TILE>(b, b + pitch, vector);
            accumulate<true>(vector, matched + (first + j) * ANTENNAS, c);
        }
#pragma unroll
        for (int u = 0; u < ALL * TILE; u++)
            part[(u / TILE * n_groups + own) * pitch + i + u % TILE] = c[u / TILE][u % TILE];
    }

    /* Adds them to c in their order. */
    __device__ __forceinline__ void add_groups(int g0) const
    {
        const int left = link.carrier.n_groups - g0, n = left < n_groups ? left : n_groups;
        for (int u = (int)threadIdx.x; u < ALL * pitch; u += THREADS) {
            const lte_cplx *const from = part + u / pitch * n_groups * pitch + u % pitch;
            lte_cplx sum = g0 == 0 ? from[0] : total[u];
            for (int g = g0 == 0; g < n; g++) {
                sum.re += from[g * pitch].re;
                sum.im += from[g * pitch].im;
            }
            total[u] = sum;
        }
    }

    __device__ __forceinline__ void correlate(const float2 *y, ptrdiff_t stride) const
    {
        for (int g0 = 0; g0 < link.carrier.n_groups; g0 += n_groups) {
            stage(y, stride, g0 * LTE_LANES);
            __syncthreads();
            correlate_groups(g0);
            __syncthreads();
            add_groups(g0);
        }
        __syncthreads();
    }

    /* What is received once more, unless it was kept; fit comes before it is used. */
    __device__ __forceinline__ void receive_again(const float2 *y, ptrdiff_t stride) const
    {
        for (int sc = (int)threadIdx.x; sc < link.carrier.n_sc && !KEEPS; sc += THREADS) {
#pragma unroll
            for (int a = 0; a < ANTENNAS; a++) {
                const float2 pair = y[a * stride + sc];
                received[a * link.carrier.n_sc + sc] = {pair.x, pair.y};
            }
        }
    }

    /* g = M c, sums over the columns of M. */
    __device__ __forceinline__ void fit(int set) const
    {
        const int n_basis = link.receiver.estimator.n_basis, width = N * pitch;
        const float *const m =
            link.receiver.estimator.matrix + (ptrdiff_t)set * N * n_basis * 2 * width;
        for (int u = (int)threadIdx.x * TILE; u < width; u += THREADS * TILE) {
            const float *column = m + u;
            lte_cplx sum[ANTENNAS][TILE];
#pragma unroll
            for (int e = 0; e < ANTENNAS * TILE; e++)
                sum[e / TILE][e % TILE] = c_zero();
            for (int k = 0; k < N; k++) {
#pragma unroll 8
                for (int i = 0; i < n_basis; i++, column += 2 * width) {
                    lte_cplx matrix[TILE];
                    load_tile<TILE>(column, column + width, matrix);
#pragma unroll
                    for (int e = 0; e < ANTENNAS * TILE; e++)
                        sum[e / TILE][e % TILE] = c_mac(sum[e / TILE][e % TILE], matrix[e % TILE],
                                                        total[(e / TILE * N + k) * pitch + i]);
                }
            }
#pragma unroll
            for (int e = 0; e < ANTENNAS * TILE; e++)
                unknown[(u % pitch + e % TILE) * ANTENNAS + e / TILE].layer[u / pitch] =
                    sum[e / TILE][e % TILE];
        }
        __syncthreads();
    }

    /*
     * H_k = sum_i b_i g_ki of all subcarriers, into h [ANTENNAS][N][n_sc] if there is one; returns
     * what is left of y, in units, if it is wanted.
     */
    __device__ __forceinline__ int64_t synthesise(lte_cplx *h, bool wanted) const
    {
        const ptrdiff_t width = (ptrdiff_t)link.carrier.n_groups * LTE_LANES;
        const int n_sc = link.carrier.n_sc;
        int64_t units = 0;
        for (int sc = (int)threadIdx.x * TILE; sc < n_sc; sc += THREADS * TILE) {
            const float *column = link.receiver.estimator.column + sc;
            lte_cplx sum[ALL][TILE];
            clear(sum);
#pragma unroll 4
            for (int i = 0; i < link.receiver.estimator.n_basis; i++, column += 2 * width) {
                lte_cplx vector[TILE];
                load_tile<TILE>(column, column + width, vector);
                accumulate<false>(vector, unknown + i * ANTENNAS, sum);
            }
#pragma unroll
            for (int u = 0; u < ALL * TILE; u++) {
                if (h)
                    h[(ptrdiff_t)(u / TILE) * n_sc + sc + u % TILE] = sum[u / TILE][u % TILE];
            }
#pragma unroll
            for (int e = 0; e < ANTENNAS * TILE && wanted; e++) {
                const int a = e / TILE, here = sc + e % TILE;
                lte_cplx left = received[a * n_sc + here];
#pragma unroll
                for (int k = 0; k < N; k++)
                    left = c_nmac(left, sum[a * N + k][e % TILE], reference()[k * n_sc + here]);
                units += lte_residual_units(c_abs2(left));
            }
        }
        return units;
    }
};

/*
 * ANTENNAS of one slot, so many BLOCKS on a multiprocessor; arguments as of estimate_kernel. Where
 * final estimates follow those of least squares, these leave c in h, for those to take: of each
 * antenna [N][n_basis] without padding, which its [N][n_sc] always hold.
 */
template <int N, int ANTENNAS, int TILE, int THREADS, int BLOCKS>
__global__ __launch_bounds__(THREADS, BLOCKS) void estimate_carrier_kernel(
    const __grid_constant__ lte_link link, lte_noise noise, bool least_squares, pilot_planes from,
    lte_cf32 *h, int64_t *residual, int64_t *next)
{
    extern __shared__ float4 of_block[];
    const carrier_block<N, ANTENNAS, TILE, THREADS, BLOCKS == 1> block(link, of_block);
    const int t = (int)threadIdx.x, rx = (int)blockIdx.y * ANTENNAS, n_slots = (int)gridDim.x;
    const int n_basis = link.receiver.estimator.n_basis,
              left = N * n_basis; /* of an antenna, in h */
    const uint64_t slot = from.first + (uint64_t)blockIdx.x;
    const int place = (int)(slot % (unsigned)n_slots);
    const float2 *const y = (const float2 *)from.y +
                            (ptrdiff_t)(slot % from.n_in) * from.slot_stride + rx * from.stride;
    const ptrdiff_t apart = (ptrdiff_t)N * link.carrier.n_sc; /* planes of antennas */
    lte_cplx *const planes = (lte_cplx *)h + ((ptrdiff_t)place * link.n_rx + rx) * apart;
    const bool is_final = !least_squares || !lte_estimator_has_levels(&link.receiver.estimator);
    const bool tells = least_squares && residual;
    if (next && rx == 0 && t == 0)
        next[place] = 0;
    if (least_squares || link.receiver.noise_known) {
        block.correlate(y, from.stride);
    } else {
        for (int u = t; u < ANTENNAS * left; u += THREADS)
            block.total[u / n_basis * block.pitch + u % n_basis] =
                planes[u / left * apart + u % left];
        __syncthreads();
    }
    if (tells)
        block.receive_again(y, from.stride);
    block.fit(least_squares ? LTE_LS_WEIGHTS : weights_of(link, noise, &residual[place]));
    const int64_t units = block.synthesise(is_final ? planes : (lte_cplx *)NULL, tells);
    if (tells)
        warp_add_wide(units, &residual[place]);
    for (int u = t; u < ANTENNAS * left && !is_final; u += THREADS)
        planes[u / left * apart + u % left] = block.total[u / n_basis * block.pitch + u % n_basis];
}

} // namespace

#endif
