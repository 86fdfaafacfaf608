#include "tests/cuda/cuda_probe.h"

#include <curand_kernel.h>

#include "kernels/cuda/large/large_fused.cuh"
#include "phy/base/philox.h"

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

static __global__ void hang_kernel(const volatile uint32_t *never)
{
    while (*never == 0)
        __nanosleep(1000);
}

void probe_hang(void *stream)
{
    uint32_t *never = nullptr;
    (void)cudaMalloc(&never, sizeof *never);
    (void)cudaMemsetAsync(never, 0, sizeof *never, (cudaStream_t)stream);
    hang_kernel<<<1, 1, 0, (cudaStream_t)stream>>>(never);
}

static __global__ void __launch_bounds__(fused::MOST_THREADS)
    fused_kernel(lte_link link, float loading, const lte_cplx *h, const lte_cplx *y, lte_cplx *x,
                 lte_cplx *z, uint32_t *bad)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int n = link.n_tx, sc0 = (int)blockIdx.x * fused::SUBS;
    const fused::made of = fused::made_in(memory, n);
    const fused::share s = fused::share_of(n, (int)threadIdx.x);
    fused::invert_planes<1>(link, h + sc0, y + sc0, link.carrier.n_sc - sc0, loading, s, of);
    for (int u = 0; u < fused::SUBS && sc0 + u < link.carrier.n_sc; u++) {
        const ptrdiff_t sc = sc0 + u;
        for (int e = (int)threadIdx.x; e < n * n; e += (int)blockDim.x)
            x[sc * n * n + e] = of.x[e * fused::SUBS + u];
        for (int e = (int)threadIdx.x; e < LTE_SLOT_SYMBOLS * n; e += (int)blockDim.x)
            z[sc * LTE_SLOT_SYMBOLS * n + e] = of.z[e * fused::SUBS + u];
        bad[sc] = of.bad[u];
    }
}

int probe_fused(const lte_link *link, float loading, const lte_cf32 *h, const lte_cf32 *y,
                lte_cf32 *x, lte_cf32 *z, uint32_t *bad)
{
    const size_t n_sc = (size_t)link->carrier.n_sc, n = (size_t)link->n_tx,
                 n_rx = (size_t)link->n_rx;
    const size_t sizes[] = {n_rx * n * n_sc * sizeof *h, n_rx * LTE_SLOT_SYMBOLS * n_sc * sizeof *y,
                            n_sc * n * n * sizeof *x, n_sc * LTE_SLOT_SYMBOLS * n * sizeof *z,
                            n_sc * sizeof *bad};
    const int shared = (int)fused::parts_of(link->n_tx).all;
    void *d[5] = {};
    cudaError_t error = cudaFuncSetAttribute((const void *)fused_kernel,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    for (int i = 0; i < 5 && error == cudaSuccess; i++)
        error = cudaMalloc(&d[i], sizes[i]);
    if (error == cudaSuccess)
        error = cudaMemcpy(d[0], h, sizes[0], cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d[1], y, sizes[1], cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        fused_kernel<<<blocks_of(link->carrier.n_sc, fused::SUBS), fused::block_of(link->n_tx),
                       shared>>>(*link, loading, (lte_cplx *)d[0], (lte_cplx *)d[1],
                                 (lte_cplx *)d[2], (lte_cplx *)d[3], (uint32_t *)d[4]);
        error = cudaGetLastError();
    }
    void *const out[] = {x, z, bad};
    for (int i = 0; i < 3 && error == cudaSuccess; i++)
        error = cudaMemcpy(out[i], d[2 + i], sizes[2 + i], cudaMemcpyDeviceToHost);
    for (void *memory : d)
        (void)cudaFree(memory);
    return error;
}
