/*
 * Cholesky of complex floats with the matrix in registers, up to order 128
 * (kernels/methods/inverse.h): version "cholesky 2". Every element is read and written once.
 *
 * A thread holds TR x 4 elements of the lower triangle C. For each block k of NB columns its block
 * row and block column leave the registers for a panel V in shared memory and become zero: row i > k
 * of V holds A(i, k), row j < k conj of the sums of M(k, j); the diagonal block is factored by one
 * lane a row; each row of V solves v L_kk' = .., rows of the block itself from the identity. Then V
 * holds columns k of L and, conjugated, rows k of M, and C - V V' is at once the correction of the
 * trailing matrix, the sums of M = L^-1 and those of -X: every thread works in every step. The rows of
 * the panel lie by blocks of rows, then matrices, so that warps solve rows of one kind.
 *
 * A matrix smaller than N has ones on the rest of the diagonal, and loops over k end with n.
 */
#include "kernels/launch.cuh"
#include "kernels/methods/inverse_cuda.h"
#include "phy/cplx.h"

namespace
{

enum { WARP = 32 };

template <int N_, int NB_, int TR_, int PER_BLOCK_, int THREADS_, int BLOCKS_> struct shape {
    static constexpr int N = N_, NB = NB_, TR = TR_, TC = 4;
    static constexpr int PER_BLOCK = PER_BLOCK_, THREADS = THREADS_, BLOCKS = BLOCKS_;
    static constexpr int HALVES = TR / TC, TILE_ROWS = N / TR;
    static constexpr int TILES = HALVES * TILE_ROWS * (TILE_ROWS + 1) / 2; /* of a matrix */
    static constexpr int ROWS = PER_BLOCK * N, STEP = PER_BLOCK * NB;      /* of a panel */
    static constexpr int PANEL = NB * 2 * ROWS; /* floats: [t][re, im][row] */
    static constexpr int L_ROW = 2 * NB + 4, L_MATRIX = NB * L_ROW + 4;
    static constexpr int X_ROW = 2 * N + 4;
    struct factors {
        float d[NB * 2 * STEP]; /* diagonal blocks, [column][re, im][matrix][row] */
        float l[PER_BLOCK * L_MATRIX];
        float r[STEP]; /* 1 over the diagonal of L */
    };
    struct panels {
        float v[2][PANEL];
        factors of;
    };
    struct memory {
        union {
            panels p;
            float x[PER_BLOCK * N * X_ROW];
        };
        int bad[(PER_BLOCK + 3) / 4 * 4];
    };
    static_assert(TILES * PER_BLOCK <= THREADS && NB % TR == 0 && STEP <= THREADS, "shape");
};

/* Row i of matrix m in a panel. */
template <class S> __device__ __forceinline__ int panel_row(int m, int i)
{
    return i / S::NB * S::STEP + m * S::NB + i % S::NB;
}

template <class S> struct tile {
    float re[S::TR][4], im[S::TR][4];
};

/* The lower triangle's tile of rows i0 .. and columns j0 ..; ones on the diagonal behind n. */
template <class S>
__device__ __forceinline__ void load(int n, const float2 *a, int i0, int j0, tile<S> &c)
{
#pragma unroll
    for (int r = 0; r < S::TR; r++) {
        if (n == S::N) {
            const float4 *const p = (const float4 *)(a + (i0 + r) * S::N + j0);
            const float4 x = __ldg(p), y = __ldg(p + 1);
            c.re[r][0] = x.x, c.im[r][0] = x.y, c.re[r][1] = x.z, c.im[r][1] = x.w;
            c.re[r][2] = y.x, c.im[r][2] = y.y, c.re[r][3] = y.z, c.im[r][3] = y.w;
        } else {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const bool live = i0 + r < n && j0 + j < n;
                const float2 z = live ? a[(i0 + r) * n + j0 + j]
                                      : make_float2(i0 + r == j0 + j ? 1.0f : 0.0f, 0.0f);
                c.re[r][j] = z.x;
                c.im[r][j] = z.y;
            }
        }
    }
}

/* Tiles of block row and block column k0 leave for the panel or the diagonal block. */
template <class S>
__device__ __forceinline__ void publish(typename S::panels &p, float *v, int m, int k0, int i0,
                                        int j0, tile<S> &c)
{
    constexpr int NB = S::NB, TR = S::TR;
    const bool in_row = i0 / NB == k0 / NB, in_column = j0 / NB == k0 / NB;
    if (!in_row && !in_column)
        return;
    if (in_column) {
        const int stride = in_row ? S::STEP : S::ROWS;
        float *const to = in_row ? p.of.d + m * NB + (i0 - k0) : v + panel_row<S>(m, i0);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float *const column = to + (j0 - k0 + j) * 2 * stride;
#pragma unroll
            for (int r = 0; r < TR; r += 4) {
                *(float4 *)(column + r) =
                    make_float4(c.re[r][j], c.re[r + 1][j], c.re[r + 2][j], c.re[r + 3][j]);
                *(float4 *)(column + stride + r) =
                    make_float4(c.im[r][j], c.im[r + 1][j], c.im[r + 2][j], c.im[r + 3][j]);
            }
        }
    } else {
#pragma unroll
        for (int r = 0; r < TR; r++) {
            float *const column = v + (i0 - k0 + r) * 2 * S::ROWS + panel_row<S>(m, j0);
            *(float4 *)column = make_float4(c.re[r][0], c.re[r][1], c.re[r][2], c.re[r][3]);
            *(float4 *)(column + S::ROWS) =
                make_float4(-c.im[r][0], -c.im[r][1], -c.im[r][2], -c.im[r][3]);
        }
    }
#pragma unroll
    for (int r = 0; r < TR; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            c.re[r][j] = c.im[r][j] = 0.0f;
    }
}

/* L of the diagonal blocks, a row a lane; count: columns that exist. */
template <class S>
__device__ __forceinline__ void factor(typename S::panels &p, int *bad, int count, int lane)
{
    constexpr int NB = S::NB;
    const int m = min(lane, S::STEP - 1) / NB, row = lane % NB;
    float re[NB], im[NB], mine = 0.0f;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = p.of.d[t * 2 * S::STEP + m * NB + row];
        im[t] = p.of.d[t * 2 * S::STEP + S::STEP + m * NB + row];
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        const float d = __shfl_sync(~0u, re[t], t, NB), size = d * d;
        const float r = 1.0f / sqrtf(d);
        if (row == t) {
            mine = r;
            if (t < count && !(size > 0.0f && r_finite(size)))
                bad[m] = 1;
        }
        re[t] *= r;
        im[t] *= r;
#pragma unroll
        for (int s = t + 1; s < NB; s++) {
            const float l_re = __shfl_sync(~0u, re[t], s, NB);
            const float l_im = __shfl_sync(~0u, im[t], s, NB);
            re[s] = fmaf(-im[t], l_im, fmaf(-re[t], l_re, re[s]));
            im[s] = fmaf(-im[t], l_re, fmaf(re[t], l_im, im[s]));
        }
    }
    if (lane >= S::STEP)
        return;
    float *const l = p.of.l + m * S::L_MATRIX + row * S::L_ROW;
#pragma unroll
    for (int t = 0; t < NB; t += 2)
        *(float4 *)(l + 2 * t) = make_float4(re[t], im[t], re[t + 1], im[t + 1]);
    p.of.r[m * NB + row] = mine;
}

/* Row `row` of the panel solves v L_kk' = a. */
template <class S>
__device__ __forceinline__ void solve(typename S::panels &p, float *v, int k0, int row)
{
    constexpr int NB = S::NB;
    const int block = row / S::STEP - k0 / NB, m = row % S::STEP / NB, own = row % NB;
    const float *const l = p.of.l + m * S::L_MATRIX, *const r = p.of.r + m * NB;
    float re[NB], im[NB];
    v += row;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = block == 0 ? (own == t ? 1.0f : 0.0f) : v[t * 2 * S::ROWS];
        im[t] = block == 0 ? -0.0f : v[t * 2 * S::ROWS + S::ROWS];
    }
    if (block > 0) {
#pragma unroll
        for (int t = 0; t < NB; t++) {
#pragma unroll
            for (int s = 0; s < t; s++) {
                const float2 z = *(const float2 *)(l + t * S::L_ROW + 2 * s);
                re[t] = fmaf(-im[s], z.y, fmaf(-re[s], z.x, re[t]));
                im[t] = fmaf(-im[s], z.x, fmaf(re[s], z.y, im[t]));
            }
            re[t] *= r[t];
            im[t] *= r[t];
        }
    } else { /* the same sum of the conjugated element: its products are in the other order */
#pragma unroll
        for (int t = 0; t < NB; t++) {
#pragma unroll
            for (int s = 0; s < t; s++) {
                const float2 z = *(const float2 *)(l + t * S::L_ROW + 2 * s);
                re[t] = fmaf(-im[s], z.y, fmaf(-re[s], z.x, re[t]));
                im[t] = fmaf(re[s], z.y, fmaf(-im[s], z.x, im[t]));
            }
            re[t] *= r[t];
            im[t] *= r[t];
        }
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        v[t * 2 * S::ROWS] = re[t];
        v[t * 2 * S::ROWS + S::ROWS] = im[t];
    }
}

/* C - V V' for column t of the panel; vi, vj: the tile's rows and columns in it. */
template <class S>
__device__ __forceinline__ void correct(const float *vi, const float *vj, int t, tile<S> &c)
{
    float pr[S::TR], pi[S::TR], qr[4], qi[4];
#pragma unroll
    for (int r = 0; r < S::TR; r += 4) {
        *(float4 *)&pr[r] = *(const float4 *)(vi + t * 2 * S::ROWS + r);
        *(float4 *)&pi[r] = *(const float4 *)(vi + t * 2 * S::ROWS + S::ROWS + r);
    }
    *(float4 *)qr = *(const float4 *)(vj + t * 2 * S::ROWS);
    *(float4 *)qi = *(const float4 *)(vj + t * 2 * S::ROWS + S::ROWS);
#pragma unroll
    for (int r = 0; r < S::TR; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            c.re[r][j] = fmaf(-pi[r], qi[j], fmaf(-pr[r], qr[j], c.re[r][j]));
            c.im[r][j] = fmaf(-pi[r], qr[j], fmaf(pr[r], qi[j], c.im[r][j]));
        }
    }
}

/* X = -C and its mirror into shared memory; false if an element is not finite. */
template <class S>
__device__ __forceinline__ bool place(int n, float *x, int i0, int j0, const tile<S> &c)
{
    bool finite = true;
#pragma unroll
    for (int r = 0; r < S::TR; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int row = i0 + r, column = j0 + j;
            if (row < column || row >= n)
                continue;
            const float re = -c.re[r][j], im = row == column ? 0.0f : -c.im[r][j];
            finite = finite && r_finite(re) && r_finite(im);
            *(float2 *)(x + column * S::X_ROW + 2 * row) = make_float2(re, -im);
            *(float2 *)(x + row * S::X_ROW + 2 * column) = make_float2(re, im);
        }
    }
    return finite;
}

template <class S>
__global__ __launch_bounds__(S::THREADS, S::BLOCKS) void cholesky_kernel(int n, int n_matrices,
                                                                         const float2 *d_a,
                                                                         float2 *d_x,
                                                                         uint8_t *d_flag)
{
    constexpr int N = S::N, NB = S::NB;
    extern __shared__ __align__(16) unsigned char memory[];
    typename S::memory &shared = *(typename S::memory *)memory;
    const int id = (int)threadIdx.x, first = (int)blockIdx.x * S::PER_BLOCK;
    const bool owner = id < S::TILES * S::PER_BLOCK;
    const int m = owner ? id / S::TILES : 0, q = owner ? id % S::TILES : 0;
    int tile_row = 0;
#pragma unroll
    for (int i = 1; i < S::TILE_ROWS; i++)
        tile_row += q >= S::HALVES * i * (i + 1) / 2;
    const int i0 = tile_row * S::TR;
    const int j0 = (q - S::HALVES * tile_row * (tile_row + 1) / 2) * S::TC;

    tile<S> c;
    load<S>(n, d_a + (ptrdiff_t)min(first + m, n_matrices - 1) * n * n, i0, j0, c);
    if (id < S::PER_BLOCK)
        shared.bad[id] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k0 = 0; k0 < n; k0 += NB) {
        float *const v = shared.p.v[k0 / NB & 1]; /* two panels in turn: one barrier fewer */
        const int count = min(NB, n - k0);
        if (owner)
            publish<S>(shared.p, v, m, k0, i0, j0, c);
        __syncthreads();
        if (id < (S::STEP + WARP - 1) / WARP * WARP)
            factor<S>(shared.p, shared.bad, count, id);
        __syncthreads();
#pragma unroll 1
        for (int row = id; row < S::ROWS; row += S::THREADS)
            solve<S>(shared.p, v, k0, row);
        __syncthreads();
        const float *const vi = v + panel_row<S>(m, i0), *const vj = v + panel_row<S>(m, j0);
        if (count == NB) {
#pragma unroll(S::TR == 8 ? 2 : 4)
            for (int t = 0; t < NB; t++)
                correct<S>(vi, vj, t, c);
        } else {
#pragma unroll 1
            for (int t = 0; t < count; t++)
                correct<S>(vi, vj, t, c);
        }
    }
    __syncthreads();
    if (owner && !place<S>(n, shared.x + m * N * S::X_ROW, i0, j0, c))
        shared.bad[m] = 1;
    __syncthreads();

    const int here = min(S::PER_BLOCK, n_matrices - first);
    if (id < here)
        d_flag[first + id] = (uint8_t)shared.bad[id];
    float2 *const x = d_x + (ptrdiff_t)first * n * n;
    if (n == N) {
        constexpr int PIECES = N / 2; /* of 16 bytes a row */
        for (int e = id; e < here * N * PIECES; e += S::THREADS) {
            const int row = e / PIECES;
            const float4 z = *(const float4 *)(shared.x + row * S::X_ROW + 4 * (e % PIECES));
            ((float4 *)x)[e] = shared.bad[row / N] ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : z;
        }
    } else {
        for (int row = id / WARP; row < here * n; row += S::THREADS / WARP) {
            const int matrix = row / n;
            const float *const from = shared.x + (matrix * N + row - matrix * n) * S::X_ROW;
            for (int j = id % WARP; j < n; j += WARP)
                x[row * n + j] =
                    shared.bad[matrix] ? make_float2(0.0f, 0.0f) : *(const float2 *)(from + 2 * j);
        }
    }
}

template <class S>
lte_status launch(int n, int n_matrices, const void *d_a, void *d_x, uint8_t *d_flag,
                  cudaStream_t stream)
{
    const size_t bytes = sizeof(typename S::memory);
    lte_status status = allow_shared((const void *)cholesky_kernel<S>, bytes);
    if (status)
        return status;
    cholesky_kernel<S><<<blocks_of(n_matrices, S::PER_BLOCK), S::THREADS, bytes, stream>>>(
        n, n_matrices, (const float2 *)d_a, (float2 *)d_x, d_flag);
    return LTE_LAUNCHED(cholesky_kernel);
}

} // namespace

lte_status lte_inverse_cholesky_registers(int, int n, int n_matrices, const void *d_a, void *d_x,
                                          uint8_t *d_flag, void *, cudaStream_t stream)
{
    if (n <= 16)
        return launch<shape<16, 4, 4, 8, 96, 7>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 32)
        return launch<shape<32, 8, 8, 3, 64, 8>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 64)
        return launch<shape<64, 8, 8, 2, 160, 3>>(n, n_matrices, d_a, d_x, d_flag, stream);
    return launch<shape<128, 4, 4, 1, 544, 1>>(n, n_matrices, d_a, d_x, d_flag, stream);
}
