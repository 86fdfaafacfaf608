#ifndef LTE_TESTS_ARRAY_PROBE_H
#define LTE_TESTS_ARRAY_PROBE_H
/*
 * Kernels over constant array types, for tests: figures 5, 7 and 14 of
 * kernels/methods/array/array.h's paper.
 */

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "kernels/methods/product/threads.h"
#include "phy/base/cplx.h"

#ifdef __cplusplus
extern "C" {
#endif

/* d_x [128][128] transposed to d_y by 8 x 8 blocks of 16 x 16 threads. */
lte_status lte_probe_turn(const lte_cf32 *d_x, lte_cf32 *d_y, cudaStream_t stream);

/*
 * c = a b of order width, a multiple of 16, by the kernel of the CUDA programming guide that figure
 * 14 prints: a thread an element, blocks of 16 x 16; its sum by fused multiply-adds, as ours.
 */
lte_status lte_probe_guide(int width, const float *d_a, const float *d_b, float *d_c,
                           cudaStream_t stream);

/* d_seen [threads][4]: blockIdx.x, threadIdx.x, tid_0, tid_1 of each. */
lte_status lte_probe_places(const lte_threads *threads, int64_t *d_seen, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
