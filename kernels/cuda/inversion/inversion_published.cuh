#ifndef LTE_KERNELS_INVERSION_PUBLISHED_CUH
#define LTE_KERNELS_INVERSION_PUBLISHED_CUH
/*
 * Gauss-Jordan as published, and its two counter-examples: versions 1 to 3 of inversion_cuda.cu.
 *
 * Source: Tsinghua University, CN102567283A, 2011.
 */

#include "kernels/base/launcher.cuh"
#include "kernels/cuda/device/device.cuh"
#include "phy/inversion/gauss_jordan.h"

namespace
{

/*
 * Version 1. Thread (x, y) works on row or column x of matrix y of the block; every step of the
 * method ends at a barrier.
 */
__host__ __device__ size_t block_bytes(int n, int k)
{
    return (size_t)k * ((size_t)(n * n) * sizeof(lte_cplx) +
                        (size_t)n * (3 * sizeof(int) + sizeof(float)) + sizeof(int));
}

__device__ void swap_elements(lte_cplx *a, lte_cplx *b)
{
    const lte_cplx old = *a;
    *a = *b;
    *b = old;
}

__global__ void gauss_jordan_kernel1(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                                     uint8_t *d_flag)
{
    extern __shared__ lte_cplx shared[];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, k_block = (int)blockDim.y;
    lte_cplx *const sm_a = shared + y * n * n;
    int *const sm_is = (int *)(shared + k_block * n * n) + y * n;
    int *const sm_js = sm_is + k_block * n;
    int *const place = sm_js + k_block * n;
    float *const size = (float *)(place + k_block * n);
    int *const flag = (int *)(size - y * n + k_block * n) + y;

    const int first = (int)blockIdx.x * k_block, matrix = first + y;
    const bool exists = matrix < n_matrices;
    const int left = n_matrices - first;
    const int n_here = (left < k_block ? left : k_block) * n * n;
    for (int e = y * n + x; e < n_here; e += n * k_block) {
        const lte_cf32 z = d_a[(ptrdiff_t)first * n * n + e];
        shared[e].re = z.re;
        shared[e].im = z.im;
    }
    for (int j = 0; j < n && !exists; j++)
        sm_a[x * n + j] = c_zero();
    if (x == 0)
        *flag = 0;
    __syncthreads();

    for (int k = 0; k < n; k++) {
        lte_pivot best = {0.0f, (uint32_t)(k * n + k)};
        if (x >= k)
            lte_pivot_search(n, k, x, &sm_a[x * n], &best);
        size[x] = best.size;
        place[x] = (int)best.place;
        __syncthreads();
        best.size = 0.0f;
        best.place = (uint32_t)(k * n + k);
        for (int i = k; i < n; i++) {
            if (best.size < size[i]) {
                best.size = size[i];
                best.place = (uint32_t)place[i];
            }
        }
        const int row = (int)best.place / n, column = (int)best.place % n;
        if (x == 0) {
            sm_is[k] = row;
            sm_js[k] = column;
            if (!lte_divides(best.size))
                *flag = 1;
        }
        if (row != k)
            swap_elements(&sm_a[k * n + x], &sm_a[row * n + x]);
        __syncthreads();
        if (column != k)
            swap_elements(&sm_a[x * n + k], &sm_a[x * n + column]);
        __syncthreads();
        const lte_cplx pivot = sm_a[k * n + k];
        const float inverse_size = 1.0f / best.size;
        const lte_cplx p = {pivot.re * inverse_size, -(pivot.im * inverse_size)};
        const lte_cplx factor = sm_a[x * n + k];
        __syncthreads();
        sm_a[k * n + x] = x == k ? p : c_mul(sm_a[k * n + x], p);
        __syncthreads();
        if (x != k) {
            for (int j = 0; j < n; j++) {
                if (j != k)
                    sm_a[x * n + j] = c_nmac(sm_a[x * n + j], factor, sm_a[k * n + j]);
            }
            sm_a[x * n + k] = c_neg(c_mul(factor, p));
        }
        __syncthreads();
    }
    for (int k = n - 1; k >= 0; k--) {
        if (sm_js[k] != k)
            swap_elements(&sm_a[k * n + x], &sm_a[sm_js[k] * n + x]);
        __syncthreads();
        if (sm_is[k] != k)
            swap_elements(&sm_a[x * n + k], &sm_a[x * n + sm_is[k]]);
        __syncthreads();
    }
    bool finite = true;
    for (int j = 0; j < n; j++)
        finite = finite && r_finite(sm_a[x * n + j].re) && r_finite(sm_a[x * n + j].im);
    if (!finite)
        atomicOr(flag, 1);
    __syncthreads();
    for (int e = y * n + x; e < n_here; e += n * k_block) {
        const bool zero = *((int *)(size - y * n + k_block * n) + e / (n * n)) != 0;
        lte_cf32 z = {zero ? 0.0f : shared[e].re, zero ? 0.0f : shared[e].im};
        d_x[(ptrdiff_t)first * n * n + e] = z;
    }
    if (x == 0 && exists)
        d_flag[matrix] = (uint8_t)*flag;
}

lte_status run_blocks(int n, int k, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                      uint8_t *d_flag, cudaStream_t stream)
{
    gauss_jordan_kernel1<<<blocks_of(n_matrices, k), dim3((unsigned)n, (unsigned)k),
                           block_bytes(n, k), stream>>>(n, n_matrices, d_a, d_x, d_flag);
    return LTE_LAUNCHED(gauss_jordan_kernel1);
}

/*
 * K of version 1: as many matrices as make four warps. Fewer leave multiprocessors, which hold at
 * most 32 blocks, with too few threads; more make every barrier wait for more.
 */
lte_status gauss_jordan_1(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                          uint8_t *d_flag, cudaStream_t stream)
{
    return run_blocks(n, 128 / n, n_matrices, d_a, d_x, d_flag, stream);
}

lte_status gauss_jordan_3(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                          uint8_t *d_flag, cudaStream_t stream)
{
    return run_blocks(n, 1, n_matrices, d_a, d_x, d_flag, stream);
}

/* Version 2. */
template <int N>
__global__ __launch_bounds__(128) void thread_kernel(int n_matrices, const lte_cf32 *d_a,
                                                     lte_cf32 *d_x, uint8_t *d_flag)
{
    const int matrix = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (matrix >= n_matrices)
        return;
    lte_cplx a[N * N];
#pragma unroll
    for (int e = 0; e < N * N; e++) {
        const float2 z = ((const float2 *)d_a)[(ptrdiff_t)matrix * N * N + e];
        a[e].re = z.x;
        a[e].im = z.y;
    }
    d_flag[matrix] = (uint8_t)lte_gauss_jordan(N, a);
#pragma unroll
    for (int e = 0; e < N * N; e++)
        ((float2 *)d_x)[(ptrdiff_t)matrix * N * N + e] = make_float2(a[e].re, a[e].im);
}

lte_status gauss_jordan_2(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                          uint8_t *d_flag, cudaStream_t stream)
{
#define RUN(order)                                                                                 \
    thread_kernel<order>                                                                           \
        <<<blocks_of(n_matrices, 128), 128, 0, stream>>>(n_matrices, d_a, d_x, d_flag)
    LTE_FOR_ORDER(n, RUN)
#undef RUN
    return LTE_LAUNCHED(thread_kernel);
}

} // namespace

#endif
