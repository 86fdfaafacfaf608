#ifndef LTE_TESTS_BENCH_GPU_KERNELS_H
#define LTE_TESTS_BENCH_GPU_KERNELS_H
/*
 * Small kernels around what is timed: copies, fills, lists of addresses, a delay. Each is only
 * started on the stream; cudaGetLastError shows whether it was.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* a cudaStream_t points to it */

/* Copies bytes, a multiple of 16, between addresses that are multiples of 16. */
void bench_gpu_copy(size_t bytes, const void *d_from, void *d_to, struct CUstream_st *stream);

/* Writes bytes, a multiple of 16, from an address on that is a multiple of 16. */
void bench_gpu_fill(size_t bytes, void *d_to, struct CUstream_st *stream);

/* list [count]: the addresses of count matrices of bytes each, one after the other. */
void bench_gpu_list(int count, void *d_first, size_t bytes, void **d_list,
                    struct CUstream_st *stream);

/* x [count][n][n] of complex float: identity matrices. */
void bench_gpu_identity(int n, int count, void *d_x, struct CUstream_st *stream);

/* An empty kernel. */
void bench_gpu_nothing(struct CUstream_st *stream);

/* Keeps the stream busy for us microseconds, so that what is queued meanwhile runs gapless. */
void bench_gpu_delay(int us, struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
