/*
 * Cholesky of complex floats with the matrix in registers, up to order 128
 * (kernels/methods/inverse.h): version "cholesky 2". Every element is read and written once.
 *
 * A thread holds TR x 4 elements of the lower triangle C. For each block k of NB columns its block
 * row and block column leave the registers for a panel V in shared memory and become zero: row i > k
 * of V holds A(i, k), row j < k conj of the sums of M(k, j); the diagonal block is factored; each row of V solves v L_kk' = .., rows of the block itself from the identity. Then V
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
    /* every row's thread factors the diagonal block for itself, in registers */
    static constexpr bool EACH = NB_ == 4;
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
template <class S, bool WHOLE>
__device__ __forceinline__ void load(int n, const float2 *a, int i0, int j0, tile<S> &c)
{
#pragma unroll
    for (int r = 0; r < S::TR; r++) {
        if constexpr (WHOLE) {
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

/* Columns of a tile go to a place with `stride` floats a plane. */
template <class S>
__device__ __forceinline__ void put_columns(float *to, int stride, const tile<S> &c)
{
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float *const column = to + j * 2 * stride;
#pragma unroll
        for (int r = 0; r < S::TR; r += 4) {
            *(float4 *)(column + r) =
                make_float4(c.re[r][j], c.re[r + 1][j], c.re[r + 2][j], c.re[r + 3][j]);
            *(float4 *)(column + stride + r) =
                make_float4(c.im[r][j], c.im[r + 1][j], c.im[r + 2][j], c.im[r + 3][j]);
        }
    }
}

/* The diagonal block's tiles go where factor finds them. */
template <class S>
__device__ __forceinline__ void put_diagonal(typename S::panels &p, int m, int k0, int i0, int j0,
                                             const tile<S> &c)
{
    put_columns<S>(p.of.d + m * S::NB + (i0 - k0) + (j0 - k0) * 2 * S::STEP, S::STEP, c);
}

/* Tiles of block row and block column k0 leave for the panel; the diagonal block has its own place. */
template <class S>
__device__ __forceinline__ void publish(typename S::panels &p, float *v, int m, int k0, int i0,
                                        int j0, tile<S> &c)
{
    constexpr int NB = S::NB, TR = S::TR;
    const bool in_row = i0 / NB == k0 / NB, in_column = j0 / NB == k0 / NB;
    if (!in_row && !in_column)
        return;
    if constexpr (TR == 4) { /* one way for rows and columns, by selection */
        if (in_row && in_column) {
            put_diagonal<S>(p, m, k0, i0, j0, c);
        } else {
            float *const to = v + (in_column ? panel_row<S>(m, i0) + (j0 - k0) * 2 * S::ROWS
                                             : panel_row<S>(m, j0) + (i0 - k0) * 2 * S::ROWS);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float re[4], im[4];
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    re[r] = in_column ? c.re[r][j] : c.re[j][r];
                    im[r] = in_column ? c.im[r][j] : -c.im[j][r];
                }
                *(float4 *)(to + j * 2 * S::ROWS) = make_float4(re[0], re[1], re[2], re[3]);
                *(float4 *)(to + (2 * j + 1) * S::ROWS) = make_float4(im[0], im[1], im[2], im[3]);
            }
        }
    } else if (in_column) {
        if (!in_row)
            put_columns<S>(v + panel_row<S>(m, i0) + (j0 - k0) * 2 * S::ROWS, S::ROWS, c);
        else
            put_diagonal<S>(p, m, k0, i0, j0, c);
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

/* True for a square d of L's diagonal that can be divided by; a negative one has no root. */
__device__ __forceinline__ bool divides(float d)
{
    return d > 0.0f && d * d > 0.0f && r_finite(d * d);
}

/* L of the diagonal blocks, a row a lane; count: columns that exist. */
template <class S>
__device__ __forceinline__ void factor(typename S::panels &p, int *bad, int count, int lane)
{
    constexpr int NB = S::NB;
    const int m = min(lane, S::STEP - 1) / NB, row = lane % NB;
    float re[NB], im[NB], inverse = 0.0f;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = p.of.d[t * 2 * S::STEP + m * NB + row];
        im[t] = p.of.d[t * 2 * S::STEP + S::STEP + m * NB + row];
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        const float d = __shfl_sync(~0u, re[t], t, NB);
        /* for all d whose square is > 0 and finite */
        const float r = r_reciprocal_moderate(r_sqrt_moderate(d));
        if (row == t) {
            inverse = r;
            if (t < count && !divides(d))
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
    p.of.r[m * NB + row] = inverse;
}

/* The same in one thread's registers, L in l; false if a pivot cannot be divided by. */
template <class S>
__device__ __forceinline__ bool factor_each(const typename S::panels &p, int m, int count,
                                            float (&re)[S::NB][S::NB], float (&im)[S::NB][S::NB],
                                            float (&r)[S::NB])
{
    constexpr int NB = S::NB;
    bool good = true;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        const float4 x = *(const float4 *)(p.of.d + t * 2 * S::STEP + m * NB);
        const float4 y = *(const float4 *)(p.of.d + t * 2 * S::STEP + S::STEP + m * NB);
        re[0][t] = x.x, re[1][t] = x.y, re[2][t] = x.z, re[3][t] = x.w;
        im[0][t] = y.x, im[1][t] = y.y, im[2][t] = y.z, im[3][t] = y.w;
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        const float d = re[t][t];
        good = good && (t >= count || divides(d));
        r[t] = r_reciprocal_moderate(r_sqrt_moderate(d));
#pragma unroll
        for (int s = t + 1; s < NB; s++) {
            re[s][t] *= r[t];
            im[s][t] *= r[t];
        }
#pragma unroll
        for (int s = t + 1; s < NB; s++) {
#pragma unroll
            for (int u = s; u < NB; u++) {
                re[u][s] = fmaf(-im[u][t], im[s][t], fmaf(-re[u][t], re[s][t], re[u][s]));
                im[u][s] = fmaf(-im[u][t], re[s][t], fmaf(re[u][t], im[s][t], im[u][s]));
            }
        }
    }
    return good;
}

/*
 * The solve of a panel's row, in registers. CONJUGATED: a row of M, which holds the conjugated
 * element: the same sum has its products in the other order.
 */
template <class S, bool CONJUGATED, int ROWS_OF_L>
__device__ __forceinline__ void substitute(const float *l, const float (&l_re)[ROWS_OF_L][S::NB],
                                           const float (&l_im)[ROWS_OF_L][S::NB],
                                           const float (&r)[S::NB], float (&re)[S::NB],
                                           float (&im)[S::NB])
{
#pragma unroll
    for (int t = 0; t < S::NB; t++) {
        float4 pair = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int s = 0; s < t; s++) {
            float x, y;
            if constexpr (S::EACH) {
                x = l_re[t][s];
                y = l_im[t][s];
            } else {
                if (s % 2 == 0)
                    pair = *(const float4 *)(l + t * S::L_ROW + 2 * s);
                x = s % 2 == 0 ? pair.x : pair.z;
                y = s % 2 == 0 ? pair.y : pair.w;
            }
            re[t] = fmaf(-im[s], y, fmaf(-re[s], x, re[t]));
            im[t] = CONJUGATED ? fmaf(re[s], y, fmaf(-im[s], x, im[t]))
                               : fmaf(-im[s], x, fmaf(re[s], y, im[t]));
        }
        re[t] *= r[t];
        im[t] *= r[t];
    }
}

/* Row `row` of the panel solves v L_kk' = a. */
template <class S>
__device__ __forceinline__ void solve(typename S::panels &p, int *bad, float *v, int k0, int count,
                                      int row)
{
    constexpr int NB = S::NB, ROWS_OF_L = S::EACH ? NB : 1;
    const int block = row / S::STEP - k0 / NB, m = row % S::STEP / NB, own = row % NB;
    const float *const l = p.of.l + m * S::L_MATRIX;
    float l_re[ROWS_OF_L][NB], l_im[ROWS_OF_L][NB], r[NB], re[NB], im[NB];
    if constexpr (S::EACH) {
        if (!factor_each<S>(p, m, count, l_re, l_im, r) && block == 0 && own == 0)
            bad[m] = 1;
    } else {
#pragma unroll
        for (int t = 0; t < NB; t += 4)
            *(float4 *)&r[t] = *(const float4 *)(p.of.r + m * NB + t);
    }
    v += row;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = block == 0 ? (own == t ? 1.0f : 0.0f) : v[t * 2 * S::ROWS];
        im[t] = block == 0 ? -0.0f : v[t * 2 * S::ROWS + S::ROWS];
    }
    if (block > 0)
        substitute<S, false>(l, l_re, l_im, r, re, im);
    else
        substitute<S, true>(l, l_re, l_im, r, re, im);
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
template <class S> __device__ __forceinline__ bool place(float *x, int i0, int j0, tile<S> &c)
{
    constexpr int TR = S::TR;
    const bool on_diagonal = j0 / TR == i0 / TR;
    float sum = 0.0f; /* of zeros, or NaN */
#pragma unroll
    for (int r = 0; r < TR; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            c.re[r][j] = -c.re[r][j];
            c.im[r][j] = i0 + r == j0 + j ? 0.0f : -c.im[r][j];
            if (!on_diagonal || i0 + r >= j0 + j)
                sum = fmaf(c.im[r][j], 0.0f, fmaf(c.re[r][j], 0.0f, sum));
        }
    }
    if (on_diagonal) {
#pragma unroll
        for (int r = 0; r < TR; r++) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const int row = i0 + r, column = j0 + j;
                if (row < column)
                    continue;
                const float2 z = make_float2(c.re[r][j], c.im[r][j]);
                *(float2 *)(x + column * S::X_ROW + 2 * row) = make_float2(z.x, -z.y);
                *(float2 *)(x + row * S::X_ROW + 2 * column) = z;
            }
        }
        return sum == 0.0f;
    }
#pragma unroll
    for (int r = 0; r < TR; r++) {
        float4 *const o = (float4 *)(x + (i0 + r) * S::X_ROW + 2 * j0);
        o[0] = make_float4(c.re[r][0], c.im[r][0], c.re[r][1], c.im[r][1]);
        o[1] = make_float4(c.re[r][2], c.im[r][2], c.re[r][3], c.im[r][3]);
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float4 *const o = (float4 *)(x + (j0 + j) * S::X_ROW + 2 * i0);
#pragma unroll
        for (int r = 0; r < TR; r += 2)
            o[r / 2] = make_float4(c.re[r][j], -c.im[r][j], c.re[r + 1][j], -c.im[r + 1][j]);
    }
    return sum == 0.0f;
}

/* WHOLE: n is N. */
template <class S, bool WHOLE>
__global__ __launch_bounds__(S::THREADS, S::BLOCKS) void cholesky_kernel(int order, int n_matrices,
                                                                         const float2 *d_a,
                                                                         float2 *d_x,
                                                                         uint8_t *d_flag)
{
    constexpr int N = S::N, NB = S::NB;
    const int n = WHOLE ? N : order;
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
    load<S, WHOLE>(n, d_a + (ptrdiff_t)min(first + m, n_matrices - 1) * n * n, i0, j0, c);
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
        if constexpr (!S::EACH) {
            if (id < (S::STEP + WARP - 1) / WARP * WARP)
                factor<S>(shared.p, shared.bad, count, id);
            __syncthreads();
        }
#pragma unroll 1
        for (int row = id; row < S::ROWS; row += S::THREADS)
            solve<S>(shared.p, shared.bad, v, k0, count, row);
        __syncthreads();
        const float *const vi = v + panel_row<S>(m, i0), *const vj = v + panel_row<S>(m, j0);
        if constexpr (WHOLE) {
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
    if (owner && !place<S>(shared.x + m * N * S::X_ROW, i0, j0, c))
        shared.bad[m] = 1;
    __syncthreads();

    const int here = min(S::PER_BLOCK, n_matrices - first);
    if (id < here)
        d_flag[first + id] = (uint8_t)shared.bad[id];
    float2 *const x = d_x + (ptrdiff_t)first * n * n;
    if constexpr (WHOLE) {
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
    const auto kernel = n == S::N ? cholesky_kernel<S, true> : cholesky_kernel<S, false>;
    lte_status status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    kernel<<<blocks_of(n_matrices, S::PER_BLOCK), S::THREADS, bytes, stream>>>(
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
