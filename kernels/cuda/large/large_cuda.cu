/*
 * Large arrays on a device: what is sent and received, planes to matrices, loaded Gram matrices.
 *
 *   kernel    a thread has                               a block
 *   source    a block of payload words                   -
 *   channel   two entries of a channel matrix            a matrix
 *   receive   two antennas, all symbols in registers     whole subcarriers, symbols in shared
 *             memory
 *   power     a subcarrier: sums over antennas in order  -
 *   combine   an entry of H in all symbols               -
 *   gram      a tile of 4 x 4 of the lower triangle      -
 */
#include "kernels/cuda/inversion/inversion_versions.h"
#include "kernels/cuda/large/large.cuh"

namespace
{

enum { BLOCK = 128 };

/*
 * The subcarriers at hand: all of slots, or some of one that is too large for the memory. Unit u is
 * subcarrier first + u mod n of slot u / n.
 */
struct subcarriers {
    int first, n;
};

/* A link of these subcarriers alone, for kernels that draw none and read no planes. */
lte_link narrowed(const lte_link *link, subcarriers sc)
{
    lte_link part = *link;
    part.n_sc = sc.n;
    part.estimator.estimation_error += part.estimator.estimation_error ? sc.first : 0;
    return part;
}

__global__ void source_kernel(lte_link link, subcarriers at, uint64_t first, int n_units,
                              uint8_t *label)
{
    const int n_blocks = (int)link.draws.payload_blocks, n = LTE_SLOT_SYMBOLS * link.n_tx;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int unit = i / n_blocks, b = i % n_blocks, per_word = link.draws.payload_per_word;
    if (unit >= n_units)
        return;
    const lte_words w =
        lte_draw(&link.draws, first + (uint64_t)(unit / at.n), LTE_DRAW_PAYLOAD,
                 (uint32_t)(at.first + unit % at.n) * link.draws.payload_blocks + (uint32_t)b);
    int q = b * 4 * per_word;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < per_word && q < n; j++, q++)
            label[(ptrdiff_t)unit * n + q] = (uint8_t)lte_payload_label(&link.draws, w.v[k], j);
    }
}

/* Two entries of a channel that is drawn. */
__device__ void drawn_pair(const lte_link &link, uint64_t slot, uint32_t sc, uint32_t b,
                           lte_cplx *z)
{
#define PAIR(id)                                                                                   \
    if (link.channel == LTE_CHANNEL_##id)                                                          \
        lte_channel_##id##_pair(&link.draws, lte_held_slot(&link, slot), sc, b, z);
    LTE_DRAWN_CHANNELS(PAIR)
#undef PAIR
}

/* Block (unit, m). tap: those of the first slot, then of the others. */
__global__ void channel_kernel(lte_link link, subcarriers at, uint64_t first, const lte_cf32 *tap,
                               lte_cplx *h)
{
    const int unit = (int)blockIdx.x, m = (int)blockIdx.y, n = link.n_rx * link.n_tx;
    const int n_taps = link.profile.n_taps, sc = at.first + unit % at.n;
    const uint64_t slot = first + (uint64_t)(unit / at.n);
    lte_cplx *const out = h + ((ptrdiff_t)unit * link.n_h + m) * n;
    lte_cplx turn[LTE_MAX_TAPS];
    const lte_fading fading = {&link.profile,
                               tap + ((ptrdiff_t)(unit / at.n) * link.n_h + m) * n_taps * n};
    if (n_taps > 0)
        lte_tap_turns(&link.profile, (uint32_t)sc, turn);
    for (int e = 2 * (int)threadIdx.x; e < n; e += 2 * (int)blockDim.x) {
        lte_cplx z[2] = {c_zero(), c_zero()};
        if (link.n_stored > 0) {
            const lte_cplx *const planes = (const lte_cplx *)lte_stored_planes(&link, slot);
            for (int i = 0; i < 2 && e + i < n; i++)
                z[i] = planes[((ptrdiff_t)(e + i) * link.n_h + m) * link.n_sc + sc];
        } else if (n_taps > 0) {
            for (int i = 0; i < 2 && e + i < n; i++)
                z[i] = lte_channel_entry(&fading, n, e + i, turn);
        } else {
            drawn_pair(link, slot, (uint32_t)sc, (uint32_t)e / 2, z);
        }
        for (int i = 0; i < 2 && e + i < n; i++)
            out[e + i] = z[i];
    }
}

/* One thread correlates the entries of one matrix. */
__global__ void correlate_kernel(lte_link link, int n_matrices, lte_cplx *h)
{
    const int n = link.n_rx * link.n_tx, i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n_matrices)
        lte_correlate(n, link.correlation_factor, h + (ptrdiff_t)i * n);
}

/* Antennas 2 b and 2 b + 1 of a subcarrier in all symbols that carry data. */
__global__ void __launch_bounds__(BLOCK)
    receive_kernel(lte_link link, subcarriers at, uint64_t first, lte_noise noise, int n_units,
                   int per_block, const lte_cplx *h, const uint8_t *label, lte_cplx *y,
                   lte_cplx *power)
{
    extern __shared__ lte_cplx sent[]; /* [per_block][7][n_tx] */
    const int n_tx = link.n_tx, n_rx = link.n_rx, n_sent = LTE_SLOT_SYMBOLS * n_tx;
    const int pairs = (int)link.draws.noise_blocks, unit0 = (int)blockIdx.x * per_block;
    for (int i = (int)threadIdx.x; i < per_block * n_sent; i += (int)blockDim.x) {
        if (unit0 + i / n_sent < n_units)
            sent[i] = lte_qam_map(link.n_bits, label[(ptrdiff_t)unit0 * n_sent + i]);
    }
    __syncthreads();
    for (int t = (int)threadIdx.x; t < per_block * pairs; t += (int)blockDim.x) {
        const int u = t / pairs, b = t % pairs, unit = unit0 + u, r = 2 * b;
        const bool two = r + 1 < n_rx;
        const lte_cplx *const x = sent + u * n_sent;
        lte_cplx s[2][LTE_SLOT_SYMBOLS];
        if (unit >= n_units)
            break;
        const uint64_t slot = first + (uint64_t)(unit / at.n);
        const uint32_t sc = (uint32_t)(at.first + unit % at.n);
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
            s[0][i] = s[1][i] = c_zero();
        for (int k = 0; k < n_tx; k++) {
            lte_cplx row[2];
#pragma unroll
            for (int i = 0; i < LTE_SLOT_SYMBOLS; i++) {
                if (i < link.n_h) {
                    const lte_cplx *const here =
                        h + (((ptrdiff_t)unit * link.n_h + i) * n_rx + r) * n_tx + k;
                    row[0] = here[0];
                    row[1] = here[two ? n_tx : 0];
                }
                s[0][i] = c_mac(s[0][i], row[0], x[i * n_tx + k]);
                s[1][i] = c_mac(s[1][i], row[1], x[i * n_tx + k]);
            }
        }
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++) {
            lte_cplx z[2];
            lte_draw_noise_pair(&link.draws, slot, sc, i, (uint32_t)b, z);
            for (int j = 0; j < (two ? 2 : 1); j++) {
                lte_cplx disturbance;
                y[((ptrdiff_t)unit * LTE_SLOT_SYMBOLS + i) * n_rx + r + j] =
                    lte_add_noise(s[j][i], z[j], noise.sigma, &disturbance);
                if (i == 0) {
                    lte_cplx *const of = power + ((ptrdiff_t)unit * n_rx + r + j) * 2;
                    of[0] = s[j][i];
                    of[1] = disturbance;
                }
            }
        }
    }
}

/* A subcarrier's powers over its antennas, in their order. Grid row: a slot. */
__global__ void power_kernel(lte_link link, const lte_cplx *of, lte_power *power)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), slot = (int)blockIdx.y;
    float signal = 0.0f, disturbance = 0.0f;
    if (sc < link.n_sc) {
        const lte_cplx *const here = of + ((ptrdiff_t)slot * link.n_sc + sc) * link.n_rx * 2;
        for (int r = 0; r < link.n_rx; r++) {
            lte_add_power(here[2 * r], &signal);
            lte_add_power(here[2 * r + 1], &disturbance);
        }
    }
    warp_add_wide(sc < link.n_sc ? lte_power_units(signal) : 0, &power[slot].signal);
    warp_add_wide(sc < link.n_sc ? lte_power_units(disturbance) : 0, &power[slot].noise);
}

/*
 * Slots from first on of a ring of n_in, up to its end and from its beginning, one after the other.
 */
lte_status turn(const lte_link *link, lte_layout_id from, const lte_cf32 *ring, uint64_t n_in,
                uint64_t first, int n_slots, lte_layout_id to, lte_cf32 *out, cudaStream_t stream)
{
    const size_t size = lte_layout_bytes(link, from) / sizeof *ring;
    lte_status status = LTE_OK;
    for (int i = 0, n; i < n_slots && !status; i += n) {
        const uint64_t at = (first + (uint64_t)i) % n_in, left = n_in - at;
        n = left < (uint64_t)(n_slots - i) ? (int)left : n_slots - i;
        status = lte_layout_copy_cuda(link, n, from, ring + at * size, to, out + (size_t)i * size,
                                      stream);
    }
    return status;
}

/*
 * H of every symbol out of the estimates of a subframe, [n_in][n_rx][n_tx][n_sc], for slots from
 * first on; slot i is at i mod n_in, as its combination [n_in][7]. Grid row: a slot. Of one
 * estimate a slot, without combinations, that is H.
 */
__global__ void combine_kernel(lte_link link, subcarriers at, const lte_combination *combination,
                               uint64_t first, uint64_t n_in, const lte_cplx *estimate, lte_cplx *h)
{
    const int n = link.n_rx * link.n_tx, i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int u = i / n, e = i % n;
    const uint64_t place = (first + (uint64_t)blockIdx.y) % n_in;
    const ptrdiff_t size = (ptrdiff_t)n * link.n_sc;
    const ptrdiff_t from = (ptrdiff_t)e * link.n_sc + at.first + u;
    const ptrdiff_t unit = (ptrdiff_t)blockIdx.y * at.n + u;
    if (u >= at.n)
        return;
    const lte_cplx own = estimate[(ptrdiff_t)place * size + from];
    if (!combination) {
        h[unit * n + e] = own;
        return;
    }
    const lte_cplx other = estimate[(ptrdiff_t)lte_other_slot(place) * size + from];
    lte_cplx *const out = h + unit * LTE_SLOT_SYMBOLS * n + e;
#pragma unroll
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++)
        out[l * n] =
            lte_combined_h(combination[place * LTE_SLOT_SYMBOLS + (uint64_t)l], own, other);
}

lte_status combine(const lte_link *link, subcarriers at, const lte_combination *combination,
                   uint64_t first, uint64_t n_in, int n_slots, const lte_cf32 *estimate,
                   lte_cf32 *h, cudaStream_t stream)
{
    const int64_t n_threads = (int64_t)at.n * link->n_rx * link->n_tx;
    combine_kernel<<<dim3((unsigned)blocks_of(n_threads, BLOCK), (unsigned)n_slots), BLOCK, 0,
                     stream>>>(*link, at, combination, first, n_in, (const lte_cplx *)estimate,
                               (lte_cplx *)h);
    return LTE_LAUNCHED(combine_kernel);
}

enum { GRAM_TILE = 4 };

/* Tiles of the lower triangle of order n. */
__host__ __device__ int gram_tiles(int n)
{
    const int side = (n + GRAM_TILE - 1) / GRAM_TILE;
    return side * (side + 1) / 2;
}

/* Columns k0 .. k0 + 3 of a row [n] of H: 16 bytes at a time, or those that there are. */
template <bool WHOLE>
__device__ __forceinline__ void row_part(const lte_cplx *row, int n, int k0, lte_cplx *part)
{
#pragma unroll
    for (int i = 0; i < GRAM_TILE; i += 2) {
        if (WHOLE) {
            const float4 two = *(const float4 *)(row + k0 + i);
            part[i] = {two.x, two.y};
            part[i + 1] = {two.z, two.w};
        } else {
            part[i] = row[k0 + i < n ? k0 + i : n - 1];
            part[i + 1] = row[k0 + i + 1 < n ? k0 + i + 1 : n - 1];
        }
    }
}

/*
 * g = h'h + loading I; the upper part is the exact conjugate. A thread has a tile of a matrix and
 * reads its columns through the cache. WHOLE: n is a multiple of the tile.
 */
template <bool WHOLE>
__global__ void __launch_bounds__(BLOCK)
    gram_kernel(lte_link link, float loading, lte_noise noise, residuals residual, int n_matrices,
                const lte_cplx *h, lte_cplx *g)
{
    const int n = link.n_tx, n_rx = link.n_rx, tiles = gram_tiles(n);
    const int64_t t = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    const int matrix = (int)(t / tiles), tile = (int)(t % tiles);
    if (matrix >= n_matrices)
        return;
    int i0 = 0;
    while ((i0 + 1) * (i0 + 2) / 2 <= tile)
        i0++;
    const int j0 = (tile - i0 * (i0 + 1) / 2) * GRAM_TILE;
    i0 *= GRAM_TILE;
    const lte_cplx *const channel = h + (ptrdiff_t)matrix * n_rx * n;
    lte_cplx s[GRAM_TILE][GRAM_TILE];
#pragma unroll
    for (int i = 0; i < GRAM_TILE * GRAM_TILE; i++)
        s[i / GRAM_TILE][i % GRAM_TILE] = c_zero();
#pragma unroll 4
    for (int r = 0; r < n_rx; r++) {
        lte_cplx a[GRAM_TILE], b[GRAM_TILE];
        row_part<WHOLE>(channel + r * n, n, i0, a);
        row_part<WHOLE>(channel + r * n, n, j0, b);
#pragma unroll
        for (int i = 0; i < GRAM_TILE; i++) {
#pragma unroll
            for (int j = 0; j < GRAM_TILE; j++)
                s[i][j] = c_cmac(s[i][j], a[i], b[j]);
        }
    }
    const float load =
        loading * symbol_n0(link, noise, residual, matrix / link.n_csi, matrix % link.n_csi);
    lte_cplx *const out = g + (ptrdiff_t)matrix * n * n;
#pragma unroll
    for (int i = 0; i < GRAM_TILE; i++) {
#pragma unroll
        for (int j = 0; j < GRAM_TILE; j++) {
            const int row = i0 + i, column = j0 + j;
            if (row >= n || column > row)
                continue;
            if (row == column) {
                s[i][j].re = s[i][j].re + load;
                s[i][j].im = 0.0f;
            }
            out[row * n + column] = s[i][j];
            if (row > column)
                out[column * n + row] = c_conj(s[i][j]);
        }
    }
}

lte_status gram(const lte_link *link, lte_detector detector, lte_noise noise, residuals residual,
                int n_slots, const lte_large_memory *memory, cudaStream_t stream)
{
    const int n_matrices = n_slots * link->n_sc * link->n_csi;
    const int64_t n_threads = (int64_t)n_matrices * gram_tiles(link->n_tx);
    const auto kernel = link->n_tx % GRAM_TILE == 0 ? gram_kernel<true> : gram_kernel<false>;
    kernel<<<blocks_of(n_threads, BLOCK), BLOCK, 0, stream>>>(
        *link, lte_detector_row_of(detector)->loading, noise, residual, n_matrices,
        (const lte_cplx *)memory->h, (lte_cplx *)memory->x);
    return LTE_LAUNCHED(gram_kernel);
}

/* What n_slots slots of a sweep send and receive. */
lte_status send(const lte_link *link, subcarriers at, lte_noise noise, uint64_t first, int n_slots,
                const lte_cf32 *tap, const lte_large_memory *memory, lte_power *d_power,
                cudaStream_t stream)
{
    const int n_units = n_slots * at.n, pairs = (int)link->draws.noise_blocks;
    const int per_block = pairs < BLOCK ? BLOCK / pairs : 1, n_matrices = n_units * link->n_h;
    const size_t bytes = (size_t)(per_block * LTE_SLOT_SYMBOLS * link->n_tx) * sizeof(lte_cplx);
    lte_cplx *const h = (lte_cplx *)(lte_link_estimates(link) ? memory->sent_h : memory->h);
    source_kernel<<<blocks_of((int64_t)n_units * link->draws.payload_blocks, BLOCK), BLOCK, 0,
                    stream>>>(*link, at, first, n_units, memory->label);
    lte_status status = LTE_LAUNCHED(source_kernel);
    if (status)
        return status;
    channel_kernel<<<dim3((unsigned)n_units, (unsigned)link->n_h), BLOCK, 0, stream>>>(
        *link, at, first, tap, h);
    status = LTE_LAUNCHED(channel_kernel);
    if (!status && link->correlation_factor && link->profile.n_taps == 0) {
        correlate_kernel<<<blocks_of(n_matrices, BLOCK), BLOCK, 0, stream>>>(*link, n_matrices, h);
        status = LTE_LAUNCHED(correlate_kernel);
    }
    if (!status)
        status = allow_shared((const void *)receive_kernel, bytes);
    if (status)
        return status;
    receive_kernel<<<blocks_of(n_units, per_block), BLOCK, bytes, stream>>>(
        *link, at, first, noise, n_units, per_block, h, memory->label, (lte_cplx *)memory->y,
        (lte_cplx *)memory->power);
    status = LTE_LAUNCHED(receive_kernel);
    if (status || !d_power)
        return status;
    power_kernel<<<dim3((unsigned)blocks_of(at.n, BLOCK), (unsigned)n_slots), BLOCK, 0, stream>>>(
        narrowed(link, at), (const lte_cplx *)memory->power, d_power);
    status = LTE_LAUNCHED(power_kernel);
    return status;
}

/*
 * The H that the receivers of n_slots slots go by, out of estimates place, place + 1, .. of n_in.
 */
lte_status know(const lte_link *link, subcarriers at, lte_noise noise, uint64_t place,
                uint64_t n_in, int n_slots, const lte_cf32 *estimate,
                const lte_large_memory *memory, cudaStream_t stream)
{
    return link->pilots > 1 || at.n < link->n_sc ? combine(link, at, noise.combination, place, n_in,
                                                           n_slots, estimate, memory->h, stream)
                                                 : turn(link, LTE_PLANES_CSI, estimate, n_in, place,
                                                        n_slots, LTE_UNITS_CSI, memory->h, stream);
}

} // namespace

lte_status lte_large_turn_cuda(const lte_link *link, lte_noise noise, const lte_slot_memory *slots,
                               uint64_t first, int n_slots, const lte_large_memory *memory,
                               cudaStream_t stream)
{
    const lte_status status =
        know(link, {0, link->n_sc}, noise, first, slots->n_h_in, n_slots, slots->h, memory, stream);
    return status ? status
                  : turn(link, LTE_PLANES_Y, slots->y, slots->n_in, first, n_slots, LTE_UNITS_Y,
                         memory->y, stream);
}

lte_status lte_large_invert_cuda(const lte_link *link, int n_slots, const lte_large_memory *memory,
                                 cudaStream_t stream)
{
    const int n = n_slots * link->n_sc * link->n_csi;
    const lte_inversion_version *version = lte_inversion_of(link, n);
    return lte_inversion_cuda(version, LTE_CFLOAT, link->n_tx, n, memory->x, memory->x,
                              memory->flag, NULL, stream);
}

lte_status lte_large_gram_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                               const int64_t *d_residual, int n_slots,
                               const lte_large_memory *memory, cudaStream_t stream)
{
    return gram(link, detector, noise, residuals_of(d_residual, 0, (uint64_t)n_slots), n_slots,
                memory, stream);
}

lte_status lte_large_slots_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream)
{
    const lte_detector_row *row = lte_detector_row_of(job->detector);
    const residuals residual = residuals_of(d_residual, first, job->memory.n_h_in);
    lte_status status =
        lte_large_turn_cuda(link, job->noise, &job->memory, first, n_slots, memory, stream);
    if (!status && (row->needs & LTE_NEEDS_GRAM))
        status = gram(link, job->detector, job->noise, residual, n_slots, memory, stream);
    if (!status && (row->needs & LTE_NEEDS_INVERSE))
        status = lte_large_invert_cuda(link, n_slots, memory, stream);
    return status ? status
                  : lte_large_detect_cuda(link, job, d_residual, first, n_slots, memory, stream);
}

lte_status lte_large_sweep_cuda(const lte_link *link, lte_noise noise,
                                const lte_detector *detectors, int n_detectors, int n_columns,
                                uint64_t first, int n_slots, int n_at_once, int sc_at_once,
                                const lte_cf32 *d_tap, const lte_cf32 *d_estimate,
                                const int64_t *d_residual, const lte_large_memory *memory,
                                lte_power *d_power, uint32_t *d_errors, cudaStream_t stream)
{
    const uint64_t before = first - lte_pilot_slot(first, link->pilots, 0);
    subcarriers at = {0, link->n_sc};
    lte_status status = LTE_OK;
    for (int i = 0, n; i < n_slots && !status; i += at.first == 0 ? n : 0) {
        const uint64_t place = before + (uint64_t)i; /* of estimates */
        const int64_t *const residual = d_residual ? d_residual + place : NULL;
        lte_noise known = noise;
        if (noise.combination)
            known.combination += place * LTE_SLOT_SYMBOLS;
        n = n_slots - i < n_at_once ? n_slots - i : n_at_once;
        at.n = link->n_sc - at.first < sc_at_once ? link->n_sc - at.first : sc_at_once;
        const lte_link part = narrowed(link, at);
        status =
            send(link, at, noise, first + (uint64_t)i, n, d_tap + (size_t)i * lte_slot_taps(link),
                 memory, d_power ? d_power + i : NULL, stream);
        if (!status && lte_link_estimates(link))
            status = know(link, at, noise, place, before + (uint64_t)n_slots + 1, n, d_estimate,
                          memory, stream);
        for (int d = 0; d < n_detectors && !status; d++) {
            const lte_detector_row *row = lte_detector_row_of(detectors[d]);
            if (row->needs & LTE_NEEDS_GRAM)
                status =
                    lte_large_gram_cuda(&part, detectors[d], known, residual, n, memory, stream);
            if ((row->needs & LTE_NEEDS_INVERSE) && !status)
                status = lte_large_invert_cuda(&part, n, memory, stream);
            if (!status)
                status = lte_large_count_cuda(
                    &part, detectors[d], known, residual, n, memory, n_columns,
                    d_errors + lte_counts_at(link->n_counts, (ptrdiff_t)i * n_columns + d), stream);
        }
        at.first = (at.first + at.n) % link->n_sc;
    }
    return status;
}
