/* Work memory of large arrays on a CUDA device. */
#include "kernels/backends/cuda/cuda_large.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/link/layouts.h"

/*
 * Slots at once: as many as stay in the cache of large devices, or as have threads enough, one for
 * each layer of a subcarrier, to fill such a device, if those are more; their memory is bounded.
 * Against the cache alone, sweeps of 64 x 8, 64 x 16 and 128 x 32 on an H200: 6.9, 7.1 and 4.0
 * 10^9 bits a second for 3.5, 4.0 and 1.9.
 */
enum { CACHED = 48 << 20, BOUND = 512 << 20 }; /* bytes */
enum { SCRATCH = 256 << 20, SCRATCH_SHARE = 8 /* of the memory that is allowed */ };
enum { THREADS = 1 << 18, MOST_SLOTS = 4096 /* rows of a grid are fewer than 65536 */ };

/* Who needs a part of lte_large_memory. */
static bool all(const lte_link *link, bool sweep)
{
    (void)link;
    (void)sweep;
    return true;
}

static bool sweeps(const lte_link *link, bool sweep)
{
    (void)link;
    return sweep;
}

static bool estimating_sweeps(const lte_link *link, bool sweep)
{
    return sweep && lte_link_estimates(link);
}

static bool keeping_states(const lte_link *link, bool sweep)
{
    (void)sweep;
    return lte_link_keeps_states(link);
}

static bool keeping_llrs(const lte_link *link, bool sweep)
{
    return keeping_states(link, sweep) && link->output.asked == LTE_GIVES_LLRS;
}

/* What lies where in it. */
static const struct {
    size_t at;
    lte_layout_id layout;
    bool (*needs)(const lte_link *link, bool sweep);
} parts[LTE_CUDA_LARGE_PARTS] = {
    {offsetof(lte_large_memory, h), LTE_UNITS_CSI, all},
    {offsetof(lte_large_memory, x), LTE_UNITS_GRAM, all},
    {offsetof(lte_large_memory, y), LTE_UNITS_Y, all},
    {offsetof(lte_large_memory, flag), LTE_UNITS_FLAG, all},
    {offsetof(lte_large_memory, sent_h), LTE_UNITS_H, estimating_sweeps},
    {offsetof(lte_large_memory, power), LTE_UNITS_POWER, sweeps},
    {offsetof(lte_large_memory, label), LTE_UNITS_LABEL, sweeps},
    {offsetof(lte_large_memory, decided), LTE_UNITS_LABEL, keeping_states},
    {offsetof(lte_large_memory, llr), LTE_UNITS_LLR, keeping_llrs},
};

static size_t part_bytes(const lte_link *link, bool sweep, int part)
{
    return parts[part].needs(link, sweep) ? lte_layout_bytes(link, parts[part].layout) : 0;
}

size_t lte_cuda_large_slot(const lte_link *link, int n_sc, bool sweep)
{
    lte_link part = *link;
    size_t sum = 0;
    part.carrier.n_sc = n_sc;
    for (int i = 0; i < LTE_CUDA_LARGE_PARTS; i++)
        sum += part_bytes(&part, sweep, i);
    return sum;
}

size_t lte_cuda_large_scratch(const lte_link *link, size_t limit)
{
    const size_t bytes = limit / SCRATCH_SHARE < SCRATCH ? limit / SCRATCH_SHARE : SCRATCH;
    return lte_link_keeps_states(link) ? (size_t)lte_scratch_threads(link, SIZE_MAX, bytes) *
                                             lte_thread_scratch(link) * sizeof(lte_cf32)
                                       : 0;
}

static size_t slots_at_once(const lte_link *link, bool sweep)
{
    const size_t size = lte_cuda_large_slot(link, link->carrier.n_sc, sweep);
    const size_t threads = (size_t)link->carrier.n_sc * (size_t)link->n_tx;
    const size_t cached = CACHED / size, filling = (THREADS + threads - 1) / threads;
    const size_t bound = BOUND / size < MOST_SLOTS ? BOUND / size : MOST_SLOTS;
    const size_t n = filling > cached ? filling : cached;
    return bound < 1 ? 1 : n < bound ? n : bound;
}

lte_status lte_cuda_large_grow(lte_cuda_large *large, const lte_link *link, int n_sc, bool sweep,
                               int n_slots, size_t scratch)
{
    const size_t most = slots_at_once(link, sweep);
    lte_link part = *link;
    part.carrier.n_sc = n_sc;
    const size_t n = (size_t)n_slots < most ? (size_t)n_slots : most;
    lte_status status = LTE_OK;
    for (int i = 0; i < LTE_CUDA_LARGE_PARTS && !status; i++) {
        const size_t bytes = part_bytes(&part, sweep, i);
        if (bytes > 0)
            status = lte_cuda_memory_grow(&large->part[i], n * bytes);
        memcpy((char *)&large->memory + parts[i].at, &large->part[i].at, sizeof(void *));
    }
    const size_t element = lte_thread_scratch(link) * sizeof(lte_cf32);
    const int n_threads = lte_scratch_threads(link, n * (size_t)n_sc, scratch);
    if (!status && scratch > 0)
        status = lte_cuda_memory_grow(&large->scratch, (size_t)n_threads * element);
    large->memory.scratch = large->scratch.at;
    large->memory.n_threads = n_threads;
    large->n_at_once = status ? 0 : (int)n;
    large->n_sc = n_sc;
    return status;
}

void lte_cuda_large_fini(lte_cuda_large *large)
{
    for (int i = 0; i < LTE_CUDA_LARGE_PARTS; i++)
        lte_cuda_memory_fini(&large->part[i]);
    lte_cuda_memory_fini(&large->scratch);
}
