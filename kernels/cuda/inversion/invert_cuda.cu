/*
 * Batched inverses on the device. On one H200, time over that of a copy for 1e6 matrices of order
 * 2, 4, 8, and microseconds for 1200 of order 4, 8 in a graph:
 *
 *   version          who holds what                              1e6: 2    4    8  1200: 4     8
 *   gauss-jordan 1   as published:    block (N, K), matrices       3.6  7.1 16.0     6.7  15.4
 *                    and swaps in shared memory
 *   gauss-jordan 2   its first counter-example: a thread per      1.4  4.2  4.9     4.9  22.2
 *                    matrix, straight from memory
 *   gauss-jordan 3   its second: a block per matrix                  52   27   22     6.2  12.7
 *   gauss-jordan 4   a thread per matrix in registers, swaps by   1.06 1.09 2.09     2.8  14.0
 *                    selection and undone by address, a warp's
 *                    matrices staged through shared memory (order
 *                    2: through the neighbour lane) so that
 *                    neighbours meet neighbouring addresses
 *   gauss-jordan 5   a row per lane, pivots and rows by shuffles   1.4  1.6  2.2     1.9   3.3
 *   ldl 1            as gauss-jordan 4                            1.04 1.04 1.08     2.1   6.9
 *   ldl 2            a row per lane, stored as columns, no branch  1.2  1.1  1.4     1.5   2.2
 *
 * An inverter that has no version here is run by a thread per matrix with its formula.
 *
 * Source: Tsinghua University, CN102567283A, 2011, for gauss-jordan 1 and its counter-examples.
 */
#include <cuda_pipeline_primitives.h>
#include <string.h>

#include "kernels/cuda/inversion/invert_versions.h"
#include "kernels/cuda/device/lanes.cuh"
#include "kernels/methods/inverse/inverse_versions.h"

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

/*
 * A thread per matrix, staged: a warp's 32 matrices lie in shared memory, `stride` elements apart,
 * so that neither threads at their matrices nor the warp at neighbouring addresses meet in a bank.
 * A warp waits for no other.
 */
template <int N> struct staged {
    static constexpr bool even = N % 2 == 0; /* then two elements, 16 bytes, move at a time */
    static constexpr int stride = even ? N * N + 2 : N * N;
    static constexpr size_t bytes = (size_t)WARP * stride * sizeof(lte_cplx);
    /* warps on a multiprocessor: registers enough for the matrix, threads enough for the memory */
    static constexpr int warps = N <= 4 ? 24 : N <= 6 ? 12 : 8;
};

/* Place of element e of the warp's matrices in shared memory. */
template <int N> __device__ __forceinline__ int staged_at(int e)
{
    return e / (N * N) * staged<N>::stride + e % (N * N);
}

/* Inverts the thread's matrix in shared memory; the swaps of Gauss-Jordan are undone by address. */
template <int N, int INV> __device__ __forceinline__ lte_mask invert_staged(lte_cplx *matrix)
{
    constexpr int n2 = N * N;
    lte_cplx a[n2];
    if constexpr (staged<N>::even) {
#pragma unroll
        for (int e = 0; e < n2; e += 2) {
            const float4 z = *(const float4 *)(matrix + e);
            a[e].re = z.x;
            a[e].im = z.y;
            a[e + 1].re = z.z;
            a[e + 1].im = z.w;
        }
    } else {
#pragma unroll
        for (int e = 0; e < n2; e++)
            a[e] = matrix[e];
    }
    if constexpr (overrides<INV>::by_address) {
        lte_swaps swaps;
        lte_mask flag = lte_eliminate(N, a, &swaps);
        flag = flag | lte_any_not_finite(N, a);
        uint32_t rows = LTE_PLACES, columns = LTE_PLACES;
#pragma unroll
        for (int k = 0; k < N; k++) {
            rows = places_swapped(rows, k, (int)swaps.column[k]);
            columns = places_swapped(columns, k, (int)swaps.row[k]);
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            lte_cplx *const row = matrix + place_of(rows, i) * N;
#pragma unroll
            for (int j = 0; j < N; j++)
                row[place_of(columns, j)] = c_sel(flag, c_zero(), a[i * N + j]);
        }
        return flag;
    } else {
        const lte_mask flag = inverse<N, INV>(N, a);
        if constexpr (staged<N>::even) {
#pragma unroll
            for (int e = 0; e < n2; e += 2)
                *(float4 *)(matrix + e) = make_float4(a[e].re, a[e].im, a[e + 1].re, a[e + 1].im);
        } else {
#pragma unroll
            for (int e = 0; e < n2; e++)
                matrix[e] = a[e];
        }
        return flag;
    }
}

template <int N, int INV>
__global__
__launch_bounds__(WARP, staged<N>::warps) void staged_kernel(int n_matrices, const lte_cf32 *d_a,
                                                             lte_cf32 *d_x, uint8_t *d_flag)
{
    extern __shared__ __align__(16) unsigned char memory[];
    constexpr int n2 = N * N, stride = staged<N>::stride, step = staged<N>::even ? 2 : 1;
    const int lane = (int)threadIdx.x, first = (int)blockIdx.x * WARP;
    lte_cplx *const tile = (lte_cplx *)memory;
    const int left = n_matrices - first, n_here = (left < WARP ? left : WARP) * n2;
    const float2 *const in = (const float2 *)d_a + (ptrdiff_t)first * n2;
    float2 *const out = (float2 *)d_x + (ptrdiff_t)first * n2;
#pragma unroll
    for (int i = 0; i < n2; i += step) {
        const int e = i * WARP + step * lane;
        if (e < n_here)
            __pipeline_memcpy_async(tile + staged_at<N>(e), in + e, step * sizeof(lte_cplx));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    if (lane < left)
        d_flag[first + lane] = (uint8_t)invert_staged<N, INV>(tile + lane * stride);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < n2; i += step) {
        const int e = i * WARP + step * lane;
        if (e < n_here) {
            if constexpr (staged<N>::even)
                *(float4 *)(out + e) = *(const float4 *)(tile + staged_at<N>(e));
            else
                out[e] = *(const float2 *)(tile + staged_at<N>(e));
        }
    }
}

/* Orders 1 and 2, whose matrices are one or two accesses wide, need no memory in between. */
enum { DIRECT_BLOCK = 256 };

template <int INV>
__global__ __launch_bounds__(DIRECT_BLOCK) void scalar_kernel(int n_matrices, const lte_cf32 *d_a,
                                                              lte_cf32 *d_x, uint8_t *d_flag)
{
    const int matrix = (int)(blockIdx.x * DIRECT_BLOCK + threadIdx.x);
    if (matrix >= n_matrices)
        return;
    const float2 z = ((const float2 *)d_a)[matrix];
    lte_cplx a = {z.x, z.y};
    d_flag[matrix] = (uint8_t)inverse<1, INV>(1, &a);
    ((float2 *)d_x)[matrix] = make_float2(a.re, a.im);
}

/* The row, two elements, that the neighbour in a pair of lanes holds. */
__device__ __forceinline__ float4 row_of_neighbour(float4 row)
{
    return make_float4(__shfl_xor_sync(~0u, row.x, 1), __shfl_xor_sync(~0u, row.y, 1),
                       __shfl_xor_sync(~0u, row.z, 1), __shfl_xor_sync(~0u, row.w, 1));
}

/*
 * Order 2. A warp reads and writes its 64 rows at neighbouring addresses: lane l holds rows l and
 * 32 + l. Pairs of lanes exchange one, so that the even lane has both rows of matrix l / 2 and the
 * odd one those of matrix 16 + l / 2.
 */
template <int INV>
__global__ __launch_bounds__(DIRECT_BLOCK) void pair_kernel(int n_matrices, const lte_cf32 *d_a,
                                                            lte_cf32 *d_x, uint8_t *d_flag)
{
    const int lane = (int)threadIdx.x % WARP;
    const int first = (int)(blockIdx.x * DIRECT_BLOCK + threadIdx.x) - lane;
    const int matrix = first + lane / 2 + lane % 2 * (WARP / 2), n_rows = 2 * (n_matrices - first);
    const float4 *const in = (const float4 *)d_a + 2 * (ptrdiff_t)first;
    float4 *const out = (float4 *)d_x + 2 * (ptrdiff_t)first;
    const float4 none = make_float4(1.0f, 0.0f, 0.0f, 0.0f);
    float4 low = lane < n_rows ? in[lane] : none;
    float4 high = lane + WARP < n_rows ? in[lane + WARP] : none;
    const bool odd = lane % 2;
    float4 other = row_of_neighbour(odd ? low : high);
    const float4 row0 = odd ? other : low, row1 = odd ? high : other;
    lte_cplx a[4] = {{row0.x, row0.y}, {row0.z, row0.w}, {row1.x, row1.y}, {row1.z, row1.w}};
    const lte_mask flag = inverse<2, INV>(2, a);
    const float4 x0 = make_float4(a[0].re, a[0].im, a[1].re, a[1].im);
    const float4 x1 = make_float4(a[2].re, a[2].im, a[3].re, a[3].im);
    other = row_of_neighbour(odd ? x0 : x1);
    low = odd ? other : x0;
    high = odd ? x1 : other;
    if (matrix < n_matrices)
        d_flag[matrix] = (uint8_t)flag;
    if (lane < n_rows)
        out[lane] = low;
    if (lane + WARP < n_rows)
        out[lane + WARP] = high;
}

/*
 * Shared memory of a block of staged_kernel. Hermitian matrices of order 4 leave a multiprocessor
 * nothing to do but move bytes, and 16 warps at a time move them faster than 32: in 1.03 times the
 * copy's time, not 1.05. So each takes a sixteenth of the memory.
 */
template <int N, int INV> lte_status staged_bytes(size_t *bytes)
{
    enum { WARPS = 16 };
    int device = 0, all = 0, reserved = 0;
    lte_status status = LTE_OK;
    *bytes = staged<N>::bytes;
    if (N != 4 || !overrides<INV>::copies_at_4)
        return LTE_OK;
    status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
    if (!status)
        status = LTE_CUDA(cudaFuncSetAttribute(staged_kernel<N, INV>,
                                               cudaFuncAttributePreferredSharedMemoryCarveout,
                                               cudaSharedmemCarveoutMaxShared));
    const int share = (all / WARPS - reserved) / 128 * 128; /* as it is given out */
    if (share > 0 && (size_t)share > *bytes)
        *bytes = (size_t)share;
    return status;
}

template <int N, int INV>
lte_status run_staged(int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x, uint8_t *d_flag,
                      cudaStream_t stream)
{
    const unsigned threads = (unsigned)blocks_of(n_matrices, DIRECT_BLOCK);
    size_t bytes;
    lte_status status = LTE_OK;
    if constexpr (N == 1) {
        scalar_kernel<INV><<<threads, DIRECT_BLOCK, 0, stream>>>(n_matrices, d_a, d_x, d_flag);
    } else if constexpr (N == 2) {
        pair_kernel<INV><<<threads, DIRECT_BLOCK, 0, stream>>>(n_matrices, d_a, d_x, d_flag);
    } else {
        status = staged_bytes<N, INV>(&bytes);
        if (status)
            return status;
        staged_kernel<N, INV><<<(unsigned)blocks_of(n_matrices, WARP), WARP, bytes, stream>>>(
            n_matrices, d_a, d_x, d_flag);
    }
    return LTE_LAUNCHED(staged_kernel);
}

template <int INV>
lte_status staged_any(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x, uint8_t *d_flag,
                      cudaStream_t stream)
{
    lte_status status = LTE_OK;
#define RUN(order) status = run_staged<order, INV>(n_matrices, d_a, d_x, d_flag, stream)
    LTE_FOR_ORDER(n, RUN)
#undef RUN
    return status;
}

/* A matrix shared by lanes; two warps a block, so that 1200 matrices reach every multiprocessor. */
enum { LANES_BLOCK = 64 };

/* Row `own` of a matrix that lies as it is. */
template <int N>
__device__ __forceinline__ void load_row(const lte_cf32 *matrix, int own, lte_cplx *row)
{
    const float2 *const in = (const float2 *)matrix + own * N;
    if constexpr (N % 2 == 0) {
#pragma unroll
        for (int j = 0; j < N; j += 2) {
            const float4 z = *(const float4 *)(in + j);
            row[j].re = z.x;
            row[j].im = z.y;
            row[j + 1].re = z.z;
            row[j + 1].im = z.w;
        }
    } else {
#pragma unroll
        for (int j = 0; j < N; j++) {
            const float2 z = in[j];
            row[j].re = z.x;
            row[j].im = z.y;
        }
    }
}

/* Row `index` of the inverse, which the lane has. */
template <int N, int INV>
__device__ __forceinline__ void store_row(lte_cf32 *matrix, int lane, int index, bool flag,
                                          const lte_cplx *row)
{
    float2 *const out = (float2 *)matrix;
    if constexpr (overrides<INV>::hermitian) {
        /* Hermitian: the row is its conjugate, the column, whose lanes lie side by side */
#pragma unroll
        for (int i = 0; i < N; i++) {
            const bool as_is = flag || i == lane; /* conj(+0) would be -0 */
            out[i * N + lane] = make_float2(row[i].re, as_is ? row[i].im : -row[i].im);
        }
    } else if constexpr (N % 2 == 0) {
#pragma unroll
        for (int j = 0; j < N; j += 2)
            *(float4 *)(out + index * N + j) =
                make_float4(row[j].re, row[j].im, row[j + 1].re, row[j + 1].im);
    } else {
#pragma unroll
        for (int j = 0; j < N; j++)
            out[index * N + j] = make_float2(row[j].re, row[j].im);
    }
}

/*
 * Matrices d_a one after another, whose inverses go to d_x; or, for the stage, those of a batch as
 * kernels/link/link.h lays them out, which become their inverses.
 */
template <int N, int INV>
__global__ __launch_bounds__(LANES_BLOCK) void lanes_kernel(int n_matrices, const lte_cf32 *d_a,
                                                            lte_cf32 *d_x, float *batch,
                                                            uint8_t *d_flag)
{
    constexpr int L = lanes_of(N);
    const int lane = (int)threadIdx.x % L;
    const int matrix = (int)(blockIdx.x * (LANES_BLOCK / L) + threadIdx.x / L);
    const bool exists = matrix < n_matrices;
    const int source = exists ? matrix : n_matrices - 1;
    const int own = lane < N ? lane : N - 1;
    float *const in_batch = batch_at(batch, N * N, source);
    __shared__ lte_cplx tiles[LANES_BLOCK / L][lane_tile<N>::size];
    lte_cplx row[N];
    int index;
    if (batch) {
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = batch_load(in_batch, own * N + j);
    } else {
        load_row<N>(d_a + (ptrdiff_t)source * N * N, own, row);
    }
    const bool flag = overrides<INV>::template run<N>(tiles[threadIdx.x / L], row, &index);
    if (!exists)
        return;
    if (lane == 0)
        d_flag[matrix] = (uint8_t)flag;
    if (lane >= N)
        return;
    if (batch) {
#pragma unroll
        for (int j = 0; j < N; j++)
            batch_store(in_batch, index * N + j, row[j]);
    } else {
        store_row<N, INV>(d_x + (ptrdiff_t)matrix * N * N, lane, index, flag, row);
    }
}

template <int INV>
lte_status lanes_any_order(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                           uint8_t *d_flag, cudaStream_t stream)
{
#define RUN(order)                                                                                 \
    lanes_kernel<order, INV>                                                                       \
        <<<blocks_of(n_matrices, LANES_BLOCK / lanes_of(order)), LANES_BLOCK, 0, stream>>>(        \
            n_matrices, d_a, d_x, NULL, d_flag)
    LTE_FOR_ORDER(n, RUN)
#undef RUN
    return LTE_LAUNCHED(lanes_kernel);
}

/* The stage by a thread per matrix, of inverters without lanes. */
template <int N, int INV>
__global__ __launch_bounds__(LANES_BLOCK) void stage_thread_kernel(lte_link link, float *a_batch,
                                                                   uint8_t *flags)
{
    const int i = (int)(blockIdx.x * LANES_BLOCK + threadIdx.x);
    if (i >= link.n_groups * link.n_csi * LTE_LANES)
        return;
    float *const matrix = batch_at(a_batch, N * N, i);
    lte_cplx a[N * N];
#pragma unroll
    for (int e = 0; e < N * N; e++)
        a[e] = batch_load(matrix, e);
    flags[i] = (uint8_t)inverse<N, INV>(N, a);
#pragma unroll
    for (int e = 0; e < N * N; e++)
        batch_store(matrix, e, a[e]);
}

template <int N, int INV>
void run_stage(const lte_link *link, float *a, uint8_t *flag, cudaStream_t stream)
{
    const int n = link->n_groups * link->n_csi * LTE_LANES;
    if constexpr (overrides<INV>::lanes)
        lanes_kernel<N, INV><<<blocks_of(n, LANES_BLOCK / lanes_of(N)), LANES_BLOCK, 0, stream>>>(
            n, NULL, NULL, a, flag);
    else
        stage_thread_kernel<N, INV>
            <<<blocks_of(n, LANES_BLOCK), LANES_BLOCK, 0, stream>>>(*link, a, flag);
}

template <int INV>
lte_status stage_any(const lte_link *link, float *a, uint8_t *flag, cudaStream_t stream)
{
#define RUN(order) run_stage<order, INV>(link, a, flag, stream)
    LTE_FOR_ORDER(link->n_tx, RUN)
#undef RUN
    return LTE_LAUNCHED(lanes_kernel);
}

/*
 * Inverters of any order: the fastest version of the method of kernels/methods/inverse/inverse.h;
 * its work memory, where it takes some, comes and goes with the stream.
 */
lte_status by_method(int method, int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                     uint8_t *d_flag, cudaStream_t stream)
{
    const lte_inverse_version *version = lte_inverse_choose(method, LTE_CFLOAT, n);
    const size_t size = version->work(LTE_CFLOAT, n, n_matrices);
    void *work = NULL;
    lte_status status = size > 0 ? LTE_CUDA(cudaMallocAsync(&work, size, stream)) : LTE_OK;
    if (status)
        return status;
    status = lte_inverse_cuda(version, LTE_CFLOAT, n, n_matrices, d_a, d_x, d_flag, work, stream);
    const lte_status freed = work ? LTE_CUDA(cudaFreeAsync(work, stream)) : LTE_OK;
    return status ? status : freed;
}

/* The methods of the inverters of any order. */
enum {
    METHOD_cholesky_delayed = LTE_INVERSE_CHOLESKY_DELAYED,
    METHOD_lu_delayed = LTE_INVERSE_LU_DELAYED,
    METHOD_lu_immediate = LTE_INVERSE_LU_IMMEDIATE
};

#define BY_METHOD(id)                                                                              \
    lte_status id##_by_method(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,           \
                              uint8_t *d_flag, cudaStream_t stream)                                \
    {                                                                                              \
        return by_method(METHOD_##id, n, n_matrices, d_a, d_x, d_flag, stream);                    \
    }
LTE_BATCH_INVERTERS(BY_METHOD)
#undef BY_METHOD

} // namespace

lte_status lte_invert_cuda(const lte_link *link, float *d_a, uint8_t *d_flag, cudaStream_t stream)
{
#define STAGE(id)                                                                                  \
    if (link->inverter == LTE_INVERTER_##id)                                                       \
        return stage_any<LTE_INVERTER_##id>(link, d_a, d_flag, stream);
    LTE_SMALL_INVERTERS(STAGE)
#undef STAGE
    return LTE_FAIL(LTE_EINVAL, "inverter=%d (0 to %d)", link->inverter, LTE_N_INVERTERS - 1);
}

const lte_invert_version lte_invert_versions[] = {
    {"gauss-jordan 1", "block (N, K) in shared memory, as published", LTE_INVERTER_gauss_jordan,
     gauss_jordan_1},
    {"gauss-jordan 2", "thread per matrix", LTE_INVERTER_gauss_jordan, gauss_jordan_2},
    {"gauss-jordan 3", "block per matrix", LTE_INVERTER_gauss_jordan, gauss_jordan_3},
    {"gauss-jordan 4", "thread per matrix, staged", LTE_INVERTER_gauss_jordan,
     staged_any<LTE_INVERTER_gauss_jordan>},
    {"gauss-jordan 5", "row per lane", LTE_INVERTER_gauss_jordan,
     lanes_any_order<LTE_INVERTER_gauss_jordan>},
    {"ldl 1", "thread per matrix, staged", LTE_INVERTER_ldl, staged_any<LTE_INVERTER_ldl>},
    {"ldl 2", "row per lane", LTE_INVERTER_ldl, lanes_any_order<LTE_INVERTER_ldl>},
    {NULL, NULL, 0, NULL},
};

/* Every inverter as it is without a version of its own. */
#define GENERIC(id) {#id, "thread per matrix", LTE_INVERTER_##id, staged_any<LTE_INVERTER_##id>},
#define BY_METHOD(id) {#id, "kernels/methods/inverse/inverse.h", LTE_INVERTER_##id, id##_by_method},
static const lte_invert_version generic[LTE_N_INVERTERS] = {LTE_SMALL_INVERTERS(GENERIC)
                                                                LTE_BATCH_INVERTERS(BY_METHOD)};
#undef GENERIC
#undef BY_METHOD

/*
 * Lanes share a matrix while there are fewer than 256 matrices for each multiprocessor, eight warps
 * of one thread each: then the time is that of one matrix's chain of operations. Above, a thread
 * per matrix does the same with fewer instructions.
 */
const lte_invert_version *lte_invert_choose(int inverter, int n, int n_matrices)
{
    enum { FEW_EACH = 256, COMMON = 108 /* multiprocessors, if the device does not tell */ };
    int device = 0, n_processors = COMMON;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess)
        (void)cudaGetLastError();
    const bool few = n_matrices < FEW_EACH * n_processors && n > 1;
    static const char *const best[][2] = {/* of few, of many */
                                          {"gauss-jordan 5", "gauss-jordan 4"},
                                          {"ldl 2", "ldl 1"}};
    for (const auto &names : best) {
        for (const lte_invert_version *v = lte_invert_versions; v->name; v++) {
            if (v->inverter == inverter && strcmp(v->name, names[few ? 0 : 1]) == 0)
                return v;
        }
    }
    return &generic[inverter];
}
