#ifndef LTE_KERNELS_BACKENDS_CUDA_LARGE_H
#define LTE_KERNELS_BACKENDS_CUDA_LARGE_H
/*
 * Work memory of large arrays (kernels/cuda/large/large_cuda.h): for as many slots at once as stay
 * in the device's cache or as fill it with threads, and at least one.
 *
 *     lte_status status = lte_cuda_large_grow(&large, &link, n_sc, true, n_slots, bytes);
 *     ... launchers over up to large.n_at_once slots, with &large.memory ...
 */

#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/cuda/detectors/detectors_cuda.h"

enum { LTE_CUDA_LARGE_PARTS = 9 };

typedef struct {
    lte_large_memory memory;
    lte_cuda_memory part[LTE_CUDA_LARGE_PARTS], scratch;
    int n_at_once; /* slots that there is memory for, */
    int n_sc;      /* of so many subcarriers */
} lte_cuda_large;

/* Bytes of n_sc subcarriers of one slot; and of what threads keep where `limit` are allowed. */
size_t lte_cuda_large_slot(const lte_link *link, int n_sc, bool sweep);
size_t lte_cuda_large_scratch(const lte_link *link, size_t limit);

/*
 * Memory for up to n_slots slots, of a sweep or of slot periods; of n_sc subcarriers, all unless
 * n_slots is 1; for what threads keep up to `scratch` bytes. Returns LTE_ENOMEM.
 */
lte_status lte_cuda_large_grow(lte_cuda_large *large, const lte_link *link, int n_sc, bool sweep,
                               int n_slots, size_t scratch);

void lte_cuda_large_fini(lte_cuda_large *large);

#endif
