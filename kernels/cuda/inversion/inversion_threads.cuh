#ifndef LTE_KERNELS_INVERSION_THREADS_CUH
#define LTE_KERNELS_INVERSION_THREADS_CUH
/*
 * A thread for each matrix, which it has in registers: every small inverter by its formula.
 */

#include <cuda_pipeline_primitives.h>

#include "kernels/base/launcher.cuh"
#include "kernels/cuda/device/lanes.cuh"

namespace
{

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

} // namespace

#endif
