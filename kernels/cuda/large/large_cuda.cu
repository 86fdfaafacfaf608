/*
 * Large arrays on a device: what is sent and received, planes to matrices, loaded Gram matrices.
 *
 *   kernel    a thread has                               a block
 *   source    a block of payload words                   -
 *   carry     or a subcarrier of a symbol, of given labels
 *   channel   two entries of a channel matrix            a matrix
 *   correlate a matrix                                   -
 *   receive   two antennas, all symbols in registers     whole subcarriers, symbols in shared
 *             memory
 *   power     a subcarrier: sums over antennas in order  -
 *   combine   an entry of H in all symbols               -
 *   gram      a tile of 4 x 4 of the lower triangle      -
 */
#include "kernels/base/labels.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "kernels/cuda/large/large.cuh"

namespace
{

enum { BLOCK = 128 };

/* The slot of a unit. */
__device__ __forceinline__ uint64_t slot_of(const lte_units &units, int unit)
{
    return units.first + (uint64_t)lte_units_place(&units, unit / units.n_sc);
}

__global__ void source_kernel(lte_link link, lte_units units, uint8_t *label)
{
    const int n_blocks = (int)link.channel.draws.payload_blocks, n = LTE_SLOT_SYMBOLS * link.n_tx;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int unit = i / n_blocks, b = i % n_blocks, per_word = link.channel.draws.payload_per_word;
    if (unit >= units.n_slots * units.n_sc)
        return;
    const lte_words w = lte_draw(
        &link.channel.draws, slot_of(units, unit), LTE_DRAW_PAYLOAD,
        (uint32_t)(units.sc + unit % units.n_sc) * link.channel.draws.payload_blocks + (uint32_t)b);
    int q = b * 4 * per_word;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < per_word && q < n; j++, q++)
            lte_label_put(link.n_bits, label, (ptrdiff_t)unit * n + q,
                          lte_payload_label(&link.channel.draws, w.v[k], j));
    }
}

/* What is sent in place of payload: a thread has a subcarrier of a symbol. Grid: .., 7, slots. */
__global__ void carry_kernel(lte_link link, lte_units units, const uint8_t *labels, uint8_t *label)
{
    const int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), n_tx = link.n_tx;
    const ptrdiff_t row =
        (ptrdiff_t)(units.entry + (int)blockIdx.z) * LTE_SLOT_SYMBOLS + blockIdx.y;
    const ptrdiff_t unit = (ptrdiff_t)blockIdx.z * units.n_sc + u;
    if (u >= units.n_sc)
        return;
    for (int k = 0; k < n_tx; k++)
        lte_label_put(
            link.n_bits, label, (unit * LTE_SLOT_SYMBOLS + blockIdx.y) * n_tx + k,
            lte_label_at(link.n_bits, labels, (row * n_tx + k) * link.carrier.n_sc + units.sc + u));
}

/* Two entries of a channel that is drawn. */
__device__ void drawn_pair(const lte_link &link, uint64_t slot, uint32_t sc, uint32_t b,
                           lte_cplx *z)
{
#define PAIR(id)                                                                                   \
    if (link.channel.model == LTE_CHANNEL_##id)                                                    \
        lte_channel_##id##_pair(&link.channel.draws, lte_held_slot(&link, slot), sc, b, z);
    LTE_DRAWN_CHANNELS(PAIR)
#undef PAIR
}

/* Block (unit, m). tap: those of the slots of the start. */
__global__ void channel_kernel(lte_link link, lte_units units, const lte_cf32 *tap, lte_cplx *h)
{
    const int unit = (int)blockIdx.x, m = (int)blockIdx.y, n = link.n_rx * link.n_tx;
    const int n_taps = link.channel.profile.n_taps, sc = units.sc + unit % units.n_sc;
    const uint64_t slot = slot_of(units, unit);
    lte_cplx *const out = h + ((ptrdiff_t)unit * link.channel.n_h + m) * n;
    lte_cplx turn[LTE_MAX_TAPS];
    const lte_fading fading = {&link.channel.profile,
                               tap + ((ptrdiff_t)(slot - units.first) * link.channel.n_h + m) *
                                         n_taps * n};
    if (n_taps > 0)
        lte_tap_turns(&link.channel.profile, (uint32_t)sc, turn);
    for (int e = 2 * (int)threadIdx.x; e < n; e += 2 * (int)blockDim.x) {
        lte_cplx z[2] = {c_zero(), c_zero()};
        if (link.channel.n_stored > 0) {
            const lte_cplx *const planes = (const lte_cplx *)lte_stored_planes(&link, slot);
            for (int i = 0; i < 2 && e + i < n; i++)
                z[i] = planes[((ptrdiff_t)(e + i) * link.channel.n_h + m) * link.carrier.n_sc + sc];
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
        lte_correlate(n, link.channel.correlation_factor, h + (ptrdiff_t)i * n);
}

/* Antennas 2 b and 2 b + 1 of a subcarrier in all symbols that carry data. */
__global__ void __launch_bounds__(BLOCK)
    receive_kernel(lte_link link, lte_units units, lte_noise noise, int per_block,
                   const lte_cplx *h, const uint8_t *label, lte_cplx *y, lte_cplx *power)
{
    extern __shared__ lte_cplx sent[]; /* [per_block][7][n_tx] */
    const int n_tx = link.n_tx, n_rx = link.n_rx, n_sent = LTE_SLOT_SYMBOLS * n_tx;
    const int n_units = units.n_slots * units.n_sc;
    const int pairs = (int)link.channel.draws.noise_blocks, unit0 = (int)blockIdx.x * per_block;
    for (int i = (int)threadIdx.x; i < per_block * n_sent; i += (int)blockDim.x) {
        if (unit0 + i / n_sent < n_units)
            sent[i] = lte_qam_map(link.n_bits,
                                  lte_label_at(link.n_bits, label, (ptrdiff_t)unit0 * n_sent + i));
    }
    __syncthreads();
    for (int t = (int)threadIdx.x; t < per_block * pairs; t += (int)blockDim.x) {
        const int u = t / pairs, b = t % pairs, unit = unit0 + u, r = 2 * b;
        const bool two = r + 1 < n_rx;
        const lte_cplx *const x = sent + u * n_sent;
        lte_cplx s[2][LTE_SLOT_SYMBOLS];
        if (unit >= n_units)
            break;
        const uint64_t slot = slot_of(units, unit);
        const uint32_t sc = (uint32_t)(units.sc + unit % units.n_sc);
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
            s[0][i] = s[1][i] = c_zero();
        for (int k = 0; k < n_tx; k++) {
            lte_cplx row[2];
#pragma unroll
            for (int i = 0; i < LTE_SLOT_SYMBOLS; i++) {
                if (i < link.channel.n_h) {
                    const lte_cplx *const here =
                        h + (((ptrdiff_t)unit * link.channel.n_h + i) * n_rx + r) * n_tx + k;
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
            lte_draw_noise_pair(&link.channel.draws, slot, sc, i, (uint32_t)b, z);
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

/*
 * A subcarrier's powers over its antennas, in their order; power: of the start. Grid row: a slot.
 */
__global__ void power_kernel(lte_link link, lte_units units, const lte_cplx *of, lte_power *power)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), slot = (int)blockIdx.y;
    const int place = lte_units_place(&units, slot);
    float signal = 0.0f, disturbance = 0.0f;
    if (!lte_units_listen(&units, slot))
        return;
    if (sc < units.n_sc) {
        const lte_cplx *const here = of + ((ptrdiff_t)slot * units.n_sc + sc) * link.n_rx * 2;
        for (int r = 0; r < link.n_rx; r++) {
            lte_add_power(here[2 * r], &signal);
            lte_add_power(here[2 * r + 1], &disturbance);
        }
    }
    warp_add_wide(sc < units.n_sc ? lte_power_units(signal) : 0, &power[place].signal);
    warp_add_wide(sc < units.n_sc ? lte_power_units(disturbance) : 0, &power[place].noise);
}

/* A ring of n_in slots in a layout, and the slots of it that are at hand: those from first on. */
struct ring_of {
    lte_layout_id layout;
    const lte_cf32 *at;
    uint64_t n_in, first;
    int n_slots;
};

/* Slots of a ring, up to its end and from its beginning, one after the other. */
lte_status turn(const lte_link *link, const ring_of &ring, lte_layout_id to, lte_cf32 *out,
                cudaStream_t stream)
{
    const size_t size = lte_layout_bytes(link, ring.layout) / sizeof *ring.at;
    lte_status status = LTE_OK;
    for (int i = 0, n; i < ring.n_slots && !status; i += n) {
        const uint64_t at = (ring.first + (uint64_t)i) % ring.n_in, left = ring.n_in - at;
        n = left < (uint64_t)(ring.n_slots - i) ? (int)left : ring.n_slots - i;
        status = lte_layout_copy_cuda(link, n, ring.layout, ring.at + at * size, to,
                                      out + (size_t)i * size, stream);
    }
    return status;
}

/*
 * H of every symbol out of the estimates of a subframe, [r.n][n_rx][n_tx][n_sc]; a slot's is where
 * its residual would be, as its combination [r.n][7]. Grid row: a slot. Of one estimate a slot,
 * without combinations, that is H.
 */
__global__ void combine_kernel(lte_link link, lte_units units, const lte_combination *combination,
                               lte_residuals r, const lte_cplx *estimate, lte_cplx *h)
{
    const int n = link.n_rx * link.n_tx, i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int u = i / n, e = i % n;
    const uint64_t place = residual_at(units, r, (int)blockIdx.y * units.n_sc);
    const ptrdiff_t size = (ptrdiff_t)n * link.carrier.n_sc;
    const ptrdiff_t from = (ptrdiff_t)e * link.carrier.n_sc + units.sc + u;
    const ptrdiff_t unit = (ptrdiff_t)blockIdx.y * units.n_sc + u;
    if (u >= units.n_sc)
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

lte_status combine(const lte_link *link, const lte_units *units, const lte_combination *combination,
                   const lte_residuals *r, const lte_cf32 *estimate, lte_cf32 *h,
                   cudaStream_t stream)
{
    const int64_t n_threads = (int64_t)units->n_sc * link->n_rx * link->n_tx;
    const dim3 grid((unsigned)blocks_of(n_threads, BLOCK), (unsigned)units->n_slots);
    combine_kernel<<<grid, BLOCK, 0, stream>>>(*link, *units, combination, *r,
                                               (const lte_cplx *)estimate, (lte_cplx *)h);
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
    gram_kernel(lte_link link, lte_units units, float loading, lte_noise noise,
                lte_residuals residual, int n_matrices, const lte_cplx *h, lte_cplx *g)
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
        loading * symbol_n0(link, units, noise, residual, matrix / link.receiver.n_csi,
                            matrix % link.receiver.n_csi);
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

/*
 * H of the slots at hand where neither subcarriers are left out nor two estimates make one: planes
 * turned.
 */
bool is_turned(const lte_link *link, const lte_units *units)
{
    return link->receiver.pilots == 1 && units->n_sc == link->carrier.n_sc && !units->turns;
}

lte_status draw(const lte_link *link, const lte_units *units, const uint8_t *d_labels,
                uint8_t *label, cudaStream_t stream)
{
    const int64_t n_units = (int64_t)units->n_slots * units->n_sc;
    if (!d_labels) {
        source_kernel<<<blocks_of(n_units * link->channel.draws.payload_blocks, BLOCK), BLOCK, 0,
                        stream>>>(*link, *units, label);
        return LTE_LAUNCHED(source_kernel);
    }
    const dim3 grid((unsigned)blocks_of(units->n_sc, BLOCK), LTE_SLOT_SYMBOLS,
                    (unsigned)units->n_slots);
    carry_kernel<<<grid, BLOCK, 0, stream>>>(*link, *units, d_labels, label);
    return LTE_LAUNCHED(carry_kernel);
}

lte_status draw_channel(const lte_link *link, const lte_units *units, const lte_cf32 *d_tap,
                        lte_cplx *h, cudaStream_t stream)
{
    const int n_units = units->n_slots * units->n_sc, n_matrices = n_units * link->channel.n_h;
    channel_kernel<<<dim3((unsigned)n_units, (unsigned)link->channel.n_h), BLOCK, 0, stream>>>(
        *link, *units, d_tap, h);
    const lte_status status = LTE_LAUNCHED(channel_kernel);
    if (status || !link->channel.correlation_factor || link->channel.profile.n_taps > 0)
        return status;
    correlate_kernel<<<blocks_of(n_matrices, BLOCK), BLOCK, 0, stream>>>(*link, n_matrices, h);
    return LTE_LAUNCHED(correlate_kernel);
}

lte_status receive(const lte_link *link, const lte_units *units, lte_noise noise, const lte_cplx *h,
                   const lte_large_memory *memory, cudaStream_t stream)
{
    const int pairs = (int)link->channel.draws.noise_blocks,
              per_block = pairs < BLOCK ? BLOCK / pairs : 1;
    const size_t bytes = (size_t)(per_block * LTE_SLOT_SYMBOLS * link->n_tx) * sizeof(lte_cplx);
    const lte_status status = allow_shared((const void *)receive_kernel, bytes);
    if (status)
        return status;
    receive_kernel<<<blocks_of(units->n_slots * units->n_sc, per_block), BLOCK, bytes, stream>>>(
        *link, *units, noise, per_block, h, memory->label, (lte_cplx *)memory->y,
        (lte_cplx *)memory->power);
    return LTE_LAUNCHED(receive_kernel);
}

} // namespace

lte_status lte_large_send_cuda(const lte_link *link, const lte_units *units, lte_noise noise,
                               const lte_cf32 *d_tap, const uint8_t *d_labels,
                               const lte_large_memory *memory, lte_power *d_power,
                               cudaStream_t stream)
{
    lte_cplx *const h = (lte_cplx *)(lte_link_estimates(link) ? memory->sent_h : memory->h);
    lte_status status = draw(link, units, d_labels, memory->label, stream);
    if (!status)
        status = draw_channel(link, units, d_tap, h, stream);
    if (!status)
        status = receive(link, units, noise, h, memory, stream);
    if (status || !d_power)
        return status;
    const dim3 grid((unsigned)blocks_of(units->n_sc, BLOCK), (unsigned)units->n_slots);
    power_kernel<<<grid, BLOCK, 0, stream>>>(*link, *units, (const lte_cplx *)memory->power,
                                             d_power);
    return LTE_LAUNCHED(power_kernel);
}

lte_status lte_large_know_cuda(const lte_link *link, const lte_units *units, lte_noise noise,
                               const lte_residuals *residual, const lte_cf32 *d_estimate,
                               const lte_large_memory *memory, cudaStream_t stream)
{
    const ring_of estimates = {LTE_PLANES_CSI, d_estimate, residual->n,
                               residual->first + (uint64_t)units->entry, units->n_slots};
    return is_turned(link, units)
               ? turn(link, estimates, LTE_UNITS_CSI, memory->h, stream)
               : combine(link, units, noise.combination, residual, d_estimate, memory->h, stream);
}

lte_status lte_large_turn_cuda(const lte_link *link, lte_noise noise, const lte_slot_memory *slots,
                               uint64_t first, int n_slots, const lte_large_memory *memory,
                               cudaStream_t stream)
{
    const lte_units units = lte_units_of(link, first, n_slots);
    const lte_residuals residual = residuals_of(NULL, first, slots->n_h_in);
    const lte_status status =
        lte_large_know_cuda(link, &units, noise, &residual, slots->h, memory, stream);
    const ring_of received = {LTE_PLANES_Y, slots->y, slots->n_in, first, n_slots};
    return status ? status : turn(link, received, LTE_UNITS_Y, memory->y, stream);
}

lte_status lte_large_gram_cuda(const lte_link *link, const lte_units *units, lte_detector detector,
                               lte_noise noise, const lte_residuals *residual,
                               const lte_large_memory *memory, cudaStream_t stream)
{
    const int n_matrices = units->n_slots * link->carrier.n_sc * link->receiver.n_csi;
    const int64_t n_threads = (int64_t)n_matrices * gram_tiles(link->n_tx);
    const auto kernel = link->n_tx % GRAM_TILE == 0 ? gram_kernel<true> : gram_kernel<false>;
    kernel<<<blocks_of(n_threads, BLOCK), BLOCK, 0, stream>>>(
        *link, *units, lte_detector_row_of(detector)->loading, noise, *residual, n_matrices,
        (const lte_cplx *)memory->h, (lte_cplx *)memory->x);
    return LTE_LAUNCHED(gram_kernel);
}

lte_status lte_large_invert_cuda(const lte_link *link, int n_slots, const lte_large_memory *memory,
                                 cudaStream_t stream)
{
    const int n = n_slots * link->carrier.n_sc * link->receiver.n_csi;
    const lte_inversion_version *version = lte_inversion_of(link, n);
    const lte_inverse_batch batch = {LTE_CFLOAT, link->n_tx,   n,   memory->x,
                                     memory->x,  memory->flag, NULL};
    return lte_inversion_cuda(version, &batch, stream);
}

lte_status lte_large_slots_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream)
{
    const lte_detector_row *row = lte_detector_row_of(job->detector);
    const lte_residuals residual = residuals_of(d_residual, first, job->memory.n_h_in);
    const lte_units units = lte_units_of(link, first, n_slots);
    lte_status status =
        lte_large_turn_cuda(link, job->noise, &job->memory, first, n_slots, memory, stream);
    if (!status && (row->needs & LTE_NEEDS_GRAM))
        status =
            lte_large_gram_cuda(link, &units, job->detector, job->noise, &residual, memory, stream);
    if (!status && (row->needs & LTE_NEEDS_INVERSE))
        status = lte_large_invert_cuda(link, n_slots, memory, stream);
    return status ? status
                  : lte_large_detect_cuda(link, job, d_residual, first, n_slots, memory, stream);
}
