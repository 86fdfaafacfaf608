/* Small kernels around what is timed on the device. */
#include "tests/bench/topics/gpu_kernels.h"

#include <cuda_runtime.h>

/* 256 threads keep an SM full at eight blocks; four accesses a thread are in flight at once. */
enum { THREADS = 256 };

static unsigned blocks_for(size_t work, size_t per_block)
{
    return (unsigned)((work + per_block - 1) / per_block);
}

static __global__ void copy_kernel(size_t n, const uint4 *from, uint4 *to)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

void bench_gpu_copy(size_t bytes, const void *d_from, void *d_to, cudaStream_t stream)
{
    const size_t n = bytes / sizeof(uint4);
    copy_kernel<<<blocks_for(n, THREADS), THREADS, 0, stream>>>(n, (const uint4 *)d_from,
                                                                (uint4 *)d_to);
}

static __global__ void fill_kernel(size_t n, uint4 *to)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        to[i] = make_uint4(1, 1, 1, 1);
}

void bench_gpu_fill(size_t bytes, void *d_to, cudaStream_t stream)
{
    const size_t n = bytes / sizeof(uint4);
    fill_kernel<<<blocks_for(n, THREADS), THREADS, 0, stream>>>(n, (uint4 *)d_to);
}

static __global__ void list_kernel(int count, char *first, size_t bytes, void **list)
{
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i < count)
        list[i] = first + (size_t)i * bytes;
}

void bench_gpu_list(int count, void *d_first, size_t bytes, void **d_list, cudaStream_t stream)
{
    list_kernel<<<blocks_for((size_t)count, THREADS), THREADS, 0, stream>>>(count, (char *)d_first,
                                                                            bytes, d_list);
}

static __global__ void identity_kernel(int n, size_t elements, float2 *x)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= elements)
        return;
    const int e = (int)(i % (size_t)(n * n));
    x[i] = make_float2(e / n == e % n ? 1.0f : 0.0f, 0.0f);
}

void bench_gpu_identity(int n, int count, void *d_x, cudaStream_t stream)
{
    const size_t elements = (size_t)count * (size_t)n * (size_t)n;
    identity_kernel<<<blocks_for(elements, THREADS), THREADS, 0, stream>>>(n, elements,
                                                                           (float2 *)d_x);
}

static __global__ void nothing_kernel(void)
{
}

void bench_gpu_nothing(cudaStream_t stream)
{
    nothing_kernel<<<1, 1, 0, stream>>>();
}

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

static __global__ void delay_kernel(unsigned long long ns)
{
    const unsigned long long start = nanoseconds();
    while (nanoseconds() - start < ns)
        ;
}

void bench_gpu_delay(int us, cudaStream_t stream)
{
    delay_kernel<<<1, 1, 0, stream>>>(1000ull * (unsigned long long)us);
}
