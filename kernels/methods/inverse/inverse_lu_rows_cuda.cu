/*
 * LU of complex floats with a row of the matrix in each lane's registers, up to order 16
 * (kernels/methods/inverse/inverse.h): version "lu 4". Two matrices share a warp; nothing waits for
 * a block.
 *
 * Rows are never moved: pos says where a lane's row stands. Sweep one, column by column: the
 * pivot's lane shows its row, u, to the others and starts anew from zeros as a row of U^-1; every
 * row i has its multiplier f_i (l below, w above the pivot) and c_ij <- c_ij - f_i u_j for the
 * columns behind. Then all rows show their part of L, and sweep two solves X L = U^-1 from the last
 * column to the first, each lane for itself.
 *
 * A matrix smaller than N has zeros around it, and loops over k end with n.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/inverse/inverse_cuda.h"
#include "phy/base/cplx.h"

namespace
{

enum { WARP = 32, N = 16, PER_WARP = WARP / N, WARPS = 4, BLOCKS = 6 /* on a multiprocessor */ };
enum { PITCH = N + 2 /* of a row in shared memory, so that rows begin in different banks */ };

/* A row in registers. */
struct row {
    float re[N], im[N];
};

__device__ __forceinline__ void put(float2 *to, const row &c, int first)
{
#pragma unroll
    for (int j = first / 2 * 2; j < N; j += 2)
        *(float4 *)(to + j) = make_float4(c.re[j], c.im[j], c.re[j + 1], c.im[j + 1]);
}

/* c_j <- c_j - f u_j for columns first <= j < last, u in shared memory. */
__device__ __forceinline__ void correct(float2 f, const float2 *u, int first, int last, row &c)
{
#pragma unroll
    for (int j = first / 2 * 2; j < last; j += 2) {
        const float4 two = *(const float4 *)(u + j);
        if (j >= first) {
            c.re[j] = fmaf(f.y, two.y, fmaf(-f.x, two.x, c.re[j]));
            c.im[j] = fmaf(-f.y, two.x, fmaf(-f.x, two.y, c.im[j]));
        }
        if (j + 1 < last) {
            c.re[j + 1] = fmaf(f.y, two.w, fmaf(-f.x, two.z, c.re[j + 1]));
            c.im[j + 1] = fmaf(-f.y, two.z, fmaf(-f.x, two.w, c.im[j + 1]));
        }
    }
}

/* 1 / x, correctly rounded. */
__device__ __forceinline__ float reciprocal(float x)
{
    return x > 0x1p-60f && x < 0x1p60f ? r_reciprocal_moderate(x) : 1.0f / x;
}

/* The lane whose row is column k's pivot: the largest, of equal ones the lowest pos. */
__device__ __forceinline__ int pivot_of(unsigned size, int k, int pos, unsigned &largest)
{
    const int group = (int)threadIdx.x % WARP / N * N;
    largest = size;
#pragma unroll
    for (int d = N / 2; d > 0; d /= 2)
        largest = max(largest, __shfl_xor_sync(~0u, largest, d));
    const bool candidate = size == largest && pos >= k;
    const unsigned lanes = __ballot_sync(~0u, candidate) >> group & ((1u << N) - 1u);
    int lane = group + __ffs((int)lanes) - 1;
    if (__any_sync(~0u, __popc(lanes) > 1)) {
        int first = candidate ? pos * WARP + (int)threadIdx.x % WARP : N * WARP;
#pragma unroll
        for (int d = N / 2; d > 0; d /= 2)
            first = min(first, __shfl_xor_sync(~0u, first, d));
        lane = first % WARP;
    }
    return lane;
}

/* Sweep one; s keeps the rows of U. False if a pivot cannot be divided by. */
__device__ __forceinline__ bool eliminate(int n, float2 *s, row &c, int &pos)
{
    bool good = true;
#pragma unroll
    for (int k = 0; k < N; k++) {
        if (k >= n)
            break;
        const float size = fmaf(c.im[k], c.im[k], c.re[k] * c.re[k]);
        unsigned largest;
        const int lane =
            pivot_of(pos >= k && size > 0.0f ? __float_as_uint(size) : 0u, k, pos, largest);
        const int first = __shfl_sync(~0u, pos, lane);
        const bool is_pivot = lane == (int)threadIdx.x % WARP;
        if (is_pivot) {
            put(s + k * PITCH, c, k);
#pragma unroll
            for (int j = k + 1; j < N; j++)
                c.re[j] = c.im[j] = 0.0f;
        }
        pos = is_pivot ? k : pos == k ? first : pos;
        good = good && largest > 0u && largest < 0x7f800000u;
        const float inverse = reciprocal(__uint_as_float(largest));
        __syncwarp();
        const float2 u = s[k * PITCH + k];
        const float2 r = make_float2(u.x * inverse, -(u.y * inverse));
        const float2 f = is_pivot ? r
                                  : make_float2(fmaf(-c.im[k], r.y, c.re[k] * r.x),
                                                fmaf(c.im[k], r.x, c.re[k] * r.y));
        c.re[k] = f.x;
        c.im[k] = f.y;
        correct(f, s + k * PITCH, k + 1, N, c);
    }
    return good;
}

/* WHOLE: n is N. */
template <bool WHOLE>
__global__ __launch_bounds__(WARPS *WARP, BLOCKS) void lu_rows_kernel(int order, int n_matrices,
                                                                      const float2 *d_a,
                                                                      float2 *d_x, uint8_t *d_flag)
{
    __shared__ __align__(16) float2 memory[WARPS * PER_WARP][N * PITCH];
    const int n = WHOLE ? (int)N : order;
    const int lane = (int)threadIdx.x % N, own = (int)threadIdx.x / N;
    const int matrix = (int)blockIdx.x * WARPS * PER_WARP + own;
    /*
     * groups of a warp keep together: one without a matrix inverts the last one, and stores nothing
     */
    const float2 *const a = d_a + (ptrdiff_t)min(matrix, n_matrices - 1) * n * n;
    float2 *const s = memory[own];
#pragma unroll
    for (int i = 0; i < N; i++)
        s[i * PITCH + lane] = i < n && lane < n ? a[i * n + lane] : make_float2(0.0f, 0.0f);
    __syncwarp();
    row c;
#pragma unroll
    for (int j = 0; j < N; j += 2) {
        const float4 two = *(const float4 *)(s + lane * PITCH + j);
        c.re[j] = two.x, c.im[j] = two.y, c.re[j + 1] = two.z, c.im[j + 1] = two.w;
    }
    __syncwarp();

    int pos = lane < n ? lane : (int)N;
    bool good = eliminate(n, s, c, pos);
    __syncwarp();
    if (pos < n)
        put(s + pos * PITCH, c, 0);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < N; j++) {
        c.re[j] = j < pos ? 0.0f : c.re[j];
        c.im[j] = j < pos ? 0.0f : c.im[j];
    }
#pragma unroll
    for (int k = N - 1; k > 0; k--) {
        if (k < n)
            correct(make_float2(c.re[k], c.im[k]), s + k * PITCH, 0, k, c);
    }
    float sum = 0.0f; /* of zeros, or NaN */
#pragma unroll
    for (int j = 0; j < N; j++)
        sum = fmaf(c.im[j], 0.0f, fmaf(c.re[j], 0.0f, sum));
    good = good && (sum == 0.0f || lane >= n);
    __syncwarp();
    if (pos < n)
        put(s + pos * PITCH, c, 0);
    const unsigned all = ((1u << N) - 1u) << ((int)threadIdx.x % WARP / N * N);
    good = (__ballot_sync(~0u, !good) & all) == 0; /* and s is written */
    __syncwarp();
    if (matrix >= n_matrices)
        return;
    float2 *const x = d_x + (ptrdiff_t)matrix * n * n;
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (i < n && lane < n)
            x[i * n + lane] = good ? s[i * PITCH + pos] : make_float2(0.0f, 0.0f);
    }
    if (lane == 0)
        d_flag[matrix] = (uint8_t)!good;
}

} // namespace

lte_status lte_inverse_lu_rows(int, int n, int n_matrices, const void *d_a, void *d_x,
                               uint8_t *d_flag, void *, cudaStream_t stream)
{
    const auto kernel = n == N ? lu_rows_kernel<true> : lu_rows_kernel<false>;
    kernel<<<blocks_of(n_matrices, WARPS * PER_WARP), WARPS * WARP, 0, stream>>>(
        n, n_matrices, (const float2 *)d_a, (float2 *)d_x, d_flag);
    return LTE_LAUNCHED(lu_rows_kernel);
}
