#include "tests/cuda_probe.h"

#include <curand_kernel.h>

#include "phy/philox.h"

static __global__ void words_kernel(uint64_t seed, uint64_t subsequence, int n, uint32_t *curand,
                                    uint32_t *ours)
{
    const int block = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (block >= n)
        return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, subsequence, 4 * (uint64_t)block, &state);
    ((uint4 *)curand)[block] = curand4(&state);
    const lte_philox_key key = lte_philox_key_of(seed);
    const lte_words w = lte_philox(&key, subsequence, (uint32_t)block);
    ((uint4 *)ours)[block] = make_uint4(w.v[0], w.v[1], w.v[2], w.v[3]);
}

int probe_words(uint64_t seed, uint64_t subsequence, int n, uint32_t *curand, uint32_t *ours)
{
    const size_t size = (size_t)n * 4 * sizeof(uint32_t);
    uint32_t *d = NULL;
    cudaError_t error = cudaMalloc((void **)&d, 2 * size);
    if (error == cudaSuccess) {
        words_kernel<<<(n + 127) / 128, 128>>>(seed, subsequence, n, d, d + 4 * (size_t)n);
        error = cudaMemcpy(curand, d, size, cudaMemcpyDeviceToHost);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(ours, d + 4 * (size_t)n, size, cudaMemcpyDeviceToHost);
    (void)cudaFree(d);
    return error;
}

/* Compares two functions of every float of a range. */
struct root {
    static __device__ float ours(float x)
    {
        return r_sqrt_moderate(x);
    }
    static __device__ float exact(float x)
    {
        return sqrtf(x);
    }
};
struct reciprocal {
    static __device__ float ours(float x)
    {
        return r_reciprocal_moderate(x);
    }
    static __device__ float exact(float x)
    {
        return 1.0f / x;
    }
};

template <class F>
static __global__ void compare_kernel(uint32_t first, uint64_t n, unsigned long long *different)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float x = r_from_bits(first + (uint32_t)i);
    if (r_bits(F::ours(x)) != r_bits(F::exact(x)))
        atomicAdd(different, 1ull);
}

template <class F> static int compare(uint32_t first, uint32_t last, uint64_t *different)
{
    const uint64_t n = (uint64_t)last - first + 1;
    unsigned long long *d = NULL, seen = 0;
    cudaError_t error = cudaMalloc((void **)&d, sizeof *d);
    if (error == cudaSuccess)
        error = cudaMemset(d, 0, sizeof *d);
    if (error == cudaSuccess) {
        compare_kernel<F><<<(unsigned)((n + 255) / 256), 256>>>(first, n, d);
        error = cudaMemcpy(&seen, d, sizeof seen, cudaMemcpyDeviceToHost);
    }
    (void)cudaFree(d);
    *different = seen;
    return error;
}

int probe_roots(uint32_t first, uint32_t last, uint64_t *different)
{
    return compare<root>(first, last, different);
}

int probe_reciprocals(uint32_t first, uint32_t last, uint64_t *different)
{
    return compare<reciprocal>(first, last, different);
}

static __global__ void trap_kernel(void)
{
    asm("trap;");
}

void probe_trap(void *stream)
{
    trap_kernel<<<1, 1, 0, (cudaStream_t)stream>>>();
}
