#ifndef LTE_TESTS_CUDA_PROBE_H
#define LTE_TESTS_CUDA_PROBE_H
/* Small kernels of the gpu tests; host memory in and out. */

#include <stdint.h>

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

/* A kernel that traps, on a stream (cudaStream_t). */
void probe_trap(void *stream);

#ifdef __cplusplus
}
#endif

#endif
