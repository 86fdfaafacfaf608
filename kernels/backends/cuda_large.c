/* Work memory of large arrays on a CUDA device. */
#include "kernels/backends/cuda_large.h"

enum { CACHED = 48 << 20 }; /* bytes of the slots at once: less than the cache of large devices */

size_t lte_cuda_large_slot(const lte_link *link, bool sweep)
{
    size_t bytes[LTE_LARGE_PARTS], sum = 0;
    lte_large_bytes(link, sweep, bytes);
    for (int i = 0; i < LTE_LARGE_PARTS; i++)
        sum += bytes[i] * (size_t)link->n_sc;
    return sum;
}

lte_status lte_cuda_large_grow(lte_cuda_large *large, const lte_link *link, bool sweep, int n_slots)
{
    size_t bytes[LTE_LARGE_PARTS];
    const size_t cached = CACHED / lte_cuda_large_slot(link, sweep);
    const size_t most = cached > 1 ? cached : 1;
    const size_t n = (size_t)n_slots < most ? (size_t)n_slots : most;
    lte_status status = LTE_OK;
    lte_large_bytes(link, sweep, bytes);
    for (int i = 0; i < LTE_LARGE_PARTS && !status; i++) {
        if (bytes[i] > 0)
            status = lte_cuda_memory_grow(&large->part[i], n * (size_t)link->n_sc * bytes[i]);
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
