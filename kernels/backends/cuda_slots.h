#ifndef LTE_KERNELS_BACKENDS_CUDA_SLOTS_H
#define LTE_KERNELS_BACKENDS_CUDA_SLOTS_H
/*
 * The deadline run on a CUDA device: where its slots lie, and the kernel that stays between ticks.
 *
 *     lte_cuda_ticks *ticks = NULL;
 *     lte_status status = lte_cuda_ticks_create(&link, stream, &ticks);
 *     status = lte_cuda_ticks_begin(ticks, &plan, &cached);
 *     status = lte_cuda_ticks_run(ticks, first, release_s, &completed_s);    // tick after tick
 *     status = lte_cuda_ticks_end(ticks);
 *     lte_cuda_ticks_free(ticks);
 *
 * The functions are those of the same name in kernels/backends/backend.h.
 */

#include <cuda_runtime_api.h>

#include "kernels/backends/backend.h"

typedef struct lte_cuda_ticks lte_cuda_ticks;

lte_status lte_cuda_ticks_create(const lte_link *link, cudaStream_t stream, lte_cuda_ticks **ticks);
void lte_cuda_ticks_free(lte_cuda_ticks *ticks);
lte_status lte_cuda_ticks_begin(lte_cuda_ticks *ticks, const lte_tick_plan *plan, bool *cached);
lte_status lte_cuda_ticks_run(lte_cuda_ticks *ticks, uint64_t first, double release_s,
                              double *completed_s);
lte_status lte_cuda_ticks_end(lte_cuda_ticks *ticks);
lte_status lte_cuda_ticks_stages(lte_cuda_ticks *ticks, uint64_t i, double *us);
lte_status lte_cuda_ticks_inversion(lte_cuda_ticks *ticks, int n, double *us);

/* The versions and mappings, in words. */
const char *lte_cuda_ticks_choice(const lte_cuda_ticks *ticks);

#endif
