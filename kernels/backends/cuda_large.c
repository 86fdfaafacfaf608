/* Work memory of large arrays on a CUDA device. */
#include "kernels/backends/cuda_large.h"

/*
 * Slots at once: as many as stay in the cache of large devices, or as have threads enough, one for
 * each layer of a subcarrier, to fill such a device, if those are more; their memory is bounded.
 * Against the cache alone, sweeps of 64 x 8, 64 x 16 and 128 x 32 on an H200: 6.9, 7.1 and 4.0
 * 10^9 bits a second for 3.5, 4.0 and 1.9.
 */
enum { CACHED = 48 << 20, BOUND = 512 << 20 }; /* bytes */
enum { THREADS = 1 << 18, MOST_SLOTS = 4096 /* rows of a grid are fewer than 65536 */ };

size_t lte_cuda_large_slot(const lte_link *link, bool sweep)
{
    size_t bytes[LTE_LARGE_PARTS], sum = 0;
    lte_large_bytes(link, sweep, bytes);
    for (int i = 0; i < LTE_LARGE_PARTS; i++)
        sum += bytes[i];
    return sum;
}

static size_t slots_at_once(const lte_link *link, bool sweep)
{
    const size_t size = lte_cuda_large_slot(link, sweep);
    const size_t threads = (size_t)link->n_sc * (size_t)link->n_tx;
    const size_t cached = CACHED / size, filling = (THREADS + threads - 1) / threads;
    const size_t bound = BOUND / size < MOST_SLOTS ? BOUND / size : MOST_SLOTS;
    const size_t n = filling > cached ? filling : cached;
    return bound < 1 ? 1 : n < bound ? n : bound;
}

lte_status lte_cuda_large_grow(lte_cuda_large *large, const lte_link *link, bool sweep, int n_slots)
{
    size_t bytes[LTE_LARGE_PARTS];
    const size_t most = slots_at_once(link, sweep);
    const size_t n = (size_t)n_slots < most ? (size_t)n_slots : most;
    lte_status status = LTE_OK;
    lte_large_bytes(link, sweep, bytes);
    for (int i = 0; i < LTE_LARGE_PARTS && !status; i++) {
        if (bytes[i] > 0)
            status = lte_cuda_memory_grow(&large->part[i], n * bytes[i]);
        *lte_large_part(&large->memory, i) = large->part[i].at;
    }
    large->n_at_once = status ? 0 : (int)n;
    return status;
}

void lte_cuda_large_fini(lte_cuda_large *large)
{
    for (int i = 0; i < LTE_LARGE_PARTS; i++)
        lte_cuda_memory_fini(&large->part[i]);
}
