/* Stage 2 on a device: taps of slots, then a thread per subcarrier and matrix. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

#include <limits.h>

enum { TAPS_BLOCK = 128 };

/* One thread draws two entries of a tap at rest, or one that moves in all symbols. */
static __global__ void taps_kernel(lte_link link, uint64_t first, int n_slots, lte_cf32 *taps)
{
    const int n = link.n_rx * link.n_tx, n_taps = link.channel.profile.n_taps;
    const int per_tap = link.channel.n_h > 1 ? n : (n + 1) / 2, per_slot = n_taps * per_tap;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int l = i % per_slot / per_tap, part = i % per_tap;
    const uint64_t slot = first + (uint64_t)(i / per_slot);
    if (i / per_slot >= n_slots)
        return;
    lte_cplx *const tap =
        (lte_cplx *)taps + (ptrdiff_t)(i / per_slot) * link.channel.n_h * n_taps * n;
    if (link.channel.n_h > 1) {
        lte_cplx z[LTE_SLOT_SYMBOLS];
        lte_draw_moving_tap(&link.channel.draws, &link.channel.profile, &link.channel.doppler, slot,
                            l, (uint32_t)part, z);
#pragma unroll
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            tap[(symbol * n_taps + l) * n + part] = z[symbol];
    } else {
        lte_cplx z[2];
        lte_draw_tap_pair(&link.channel.draws, &link.channel.profile, lte_held_slot(&link, slot), l,
                          (uint32_t)part, z);
        tap[l * n + 2 * part] = z[0];
        if (2 * part + 1 < n)
            tap[l * n + 2 * part + 1] = z[1];
    }
}

/* One thread correlates the entries of one tap [n_rx][n_tx]. */
static __global__ void correlate_kernel(lte_link link, int n_taps, lte_cf32 *taps)
{
    const int n = link.n_rx * link.n_tx;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n_taps)
        lte_correlate(n, link.channel.correlation_factor, (lte_cplx *)taps + (ptrdiff_t)i * n);
}

/* The taps of slots whose threads are counted by an int. */
static lte_status taps_of_slots(const lte_link *link, uint64_t first, int n_slots, lte_cf32 *d_tap,
                                cudaStream_t stream)
{
    const int n = link->n_rx * link->n_tx,
              n_taps = n_slots * link->channel.n_h * link->channel.profile.n_taps;
    const int per_tap = link->channel.n_h > 1 ? n : (n + 1) / 2;
    const int n_threads = n_slots * link->channel.profile.n_taps * per_tap;
    taps_kernel<<<blocks_of(n_threads, TAPS_BLOCK), TAPS_BLOCK, 0, stream>>>(*link, first, n_slots,
                                                                             d_tap);
    lte_status status = LTE_LAUNCHED(taps_kernel);
    if (status || !link->channel.correlation_factor)
        return status;
    correlate_kernel<<<blocks_of(n_taps, TAPS_BLOCK), TAPS_BLOCK, 0, stream>>>(*link, n_taps,
                                                                               d_tap);
    return LTE_LAUNCHED(correlate_kernel);
}

lte_status lte_taps_cuda(const lte_link *link, uint64_t first, int n_slots, lte_cf32 *d_tap,
                         cudaStream_t stream)
{
    const int per_slot = link->channel.n_h * link->channel.profile.n_taps * link->n_rx * link->n_tx;
    lte_status status = LTE_OK;
    if (per_slot == 0)
        return LTE_OK;
    const int most = (INT_MAX - TAPS_BLOCK) / per_slot;
    for (int done = 0, n; !status && done < n_slots; done += n) {
        n = n_slots - done < most ? n_slots - done : most;
        status = taps_of_slots(link, first + (uint64_t)done, n, d_tap + (ptrdiff_t)done * per_slot,
                               stream);
    }
    return status;
}

/* One thread takes one subcarrier of channel matrix blockIdx.y. */
static __global__ void channel_kernel(lte_link link, uint64_t slot, const lte_cf32 *tap, float *h)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), m = (int)blockIdx.y;
    const int n = link.n_rx * link.n_tx;
    if (sc >= link.carrier.n_groups * LTE_LANES)
        return;
    lte_cplx *const drawn = thread_memory(n);
    draw_channel(link, tap, slot, m, (uint32_t)sc, drawn);
    for (int e = 0; e < n; e++)
        batch_store(batch_at(h, n, matrix_lane(link.channel.n_h, sc, m)), e, drawn[e]);
}

lte_status lte_channel_cuda(const lte_link *link, uint64_t slot, const lte_cf32 *d_tap, float *d_h,
                            cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), (unsigned)link->channel.n_h);
    size_t bytes;
    const lte_status status =
        memory_of_block((const void *)channel_kernel, STAGE_BLOCK, link->n_rx * link->n_tx, &bytes);
    if (status)
        return status;
    channel_kernel<<<grid, STAGE_BLOCK, bytes, stream>>>(*link, slot, d_tap, d_h);
    return LTE_LAUNCHED(channel_kernel);
}
