#ifndef LTE_TESTS_CUDA_PROBE_H
#define LTE_TESTS_CUDA_PROBE_H
/* Small kernels of the gpu tests; host memory in and out. */

#include <stdint.h>

#include "kernels/link/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Words of curand_init(seed, subsequence, 4 block) and curand4, and of lte_draw's generator: both
 * [n][4], block 0 to n - 1. Returns a cudaError_t.
 */
int probe_words(uint64_t seed, uint64_t subsequence, int n, uint32_t *curand, uint32_t *ours);

/* Floats in [first, last] (as words) where the moderate root is not the IEEE one. */
int probe_roots(uint32_t first, uint32_t last, uint64_t *different);

/* The same for the moderate reciprocal. */
int probe_reciprocals(uint32_t first, uint32_t last, uint64_t *different);

/*
 * What the kernel of large arrays makes of a slot on its way: inverses of H'H + loading I and H'y.
 *
 *   h, y   [n_rx][n_tx][n_sc], [n_rx][7][n_sc]
 *   x, z   [n_sc][n_tx][n_tx], [n_sc][7][n_tx]  out
 *   bad    [n_sc]  out: 1 where there is no inverse
 */
int probe_fused(const lte_link *link, float loading, const lte_cf32 *h, const lte_cf32 *y,
                lte_cf32 *x, lte_cf32 *z, uint32_t *bad);

/* A kernel that traps, on a stream (cudaStream_t). */
void probe_trap(void *stream);

/* One that never ends. */
void probe_hang(void *stream);

#ifdef __cplusplus
}
#endif

#endif
