/*
 * Cholesky of complex floats with the matrix in registers, up to order 128
 * (kernels/methods/inverse/inverse.h): version "cholesky 2". Every element is read and written
 * once.
 *
 * A thread holds a tile of B x B elements of the lower triangle C, B = 4. For each block k of B
 * columns the tiles of its block row and block column leave the registers for a panel V in shared
 * memory and become zero: row i > k of V holds A(i, k), row j < k conj of the sums of M(k, j). The
 * tile on the diagonal is factored by the thread that has it. Each row of V solves v L_kk' = ..,
 * rows of the block itself from the identity. Then V holds columns k of L and, conjugated, rows k
 * of M, and C - V V' is at once the correction of the trailing matrix, the sums of M = L^-1 and
 * those of -X: every thread works in every step, and waits for the others twice. Threads take rows
 * of the panel by blocks of rows, then matrices, so that most warps solve rows of one kind.
 *
 * A matrix smaller than N has ones on the rest of the diagonal, and loops over k end with n.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/inverse/inverse_cuda.h"
#include "phy/base/cplx.h"

namespace
{

enum { B = 4, BELOW = B * (B - 1) / 2 /* elements below a tile's diagonal */ };

template <int N_, int PER_BLOCK_, int THREADS_, int BLOCKS_> struct shape {
    static constexpr int N = N_, PER_BLOCK = PER_BLOCK_, THREADS = THREADS_, BLOCKS = BLOCKS_;
    static constexpr int TILE_ROWS = N / B, TILES = TILE_ROWS * (TILE_ROWS + 1) / 2;
    /* from matrix to matrix in a panel, so that neither tiles nor rows of one warp share banks */
    static constexpr int PITCH = N + (PER_BLOCK == 1 ? 0 : 4);
    static constexpr int ROWS = PER_BLOCK * PITCH;
    static constexpr int PANEL = B * 2 * ROWS; /* floats: [t][re, im][row] */
    static constexpr int X_ROW = 2 * N + 4;
    struct factor {
        float2 l[BELOW]; /* of the diagonal block, below its diagonal by rows */
        float r[B];      /* 1 over the diagonal */
        float unused[B]; /* for the banks */
    };
    struct panels {
        float v[2][PANEL];
        factor of[PER_BLOCK];
    };
    struct memory {
        union {
            panels p;
            float x[PER_BLOCK * N * X_ROW];
        };
        int bad[(PER_BLOCK + 3) / 4 * 4];
    };
    static_assert(TILES * PER_BLOCK <= THREADS, "a thread has one tile");
};

struct tile {
    float re[B][B], im[B][B];
};

/* The lower triangle's tile of rows i0 .. and columns j0 ..; ones on the diagonal behind n. */
template <class S, bool WHOLE>
__device__ __forceinline__ void load(int n, const float2 *a, int i0, int j0, tile &c)
{
#pragma unroll
    for (int r = 0; r < B; r++) {
        if constexpr (WHOLE) {
            const float4 *const p = (const float4 *)(a + (i0 + r) * S::N + j0);
            const float4 x = __ldg(p), y = __ldg(p + 1);
            c.re[r][0] = x.x, c.im[r][0] = x.y, c.re[r][1] = x.z, c.im[r][1] = x.w;
            c.re[r][2] = y.x, c.im[r][2] = y.y, c.re[r][3] = y.z, c.im[r][3] = y.w;
        } else {
#pragma unroll
            for (int j = 0; j < B; j++) {
                const bool live = i0 + r < n && j0 + j < n;
                const float2 z = live ? a[(i0 + r) * n + j0 + j]
                                      : make_float2(i0 + r == j0 + j ? 1.0f : 0.0f, 0.0f);
                c.re[r][j] = z.x;
                c.im[r][j] = z.y;
            }
        }
    }
}

/* True for a square d of L's diagonal that can be divided by; a negative one has no root. */
__device__ __forceinline__ bool divides(float d)
{
    return d > 0.0f && d * d > 0.0f && r_finite(d * d);
}

/* L of a tile on the diagonal; count: columns that exist. False if a pivot cannot be divided by. */
template <class S>
__device__ __forceinline__ bool factor(tile &c, int count, typename S::factor &of)
{
    float r[B];
    bool good = true;
#pragma unroll
    for (int t = 0; t < B; t++) {
        const float d = c.re[t][t];
        good = good && (t >= count || divides(d));
        /* for all d whose square is > 0 and finite */
        r[t] = r_reciprocal_moderate(r_sqrt_moderate(d));
#pragma unroll
        for (int s = t + 1; s < B; s++) {
            c.re[s][t] *= r[t];
            c.im[s][t] *= r[t];
        }
#pragma unroll
        for (int s = t + 1; s < B; s++) {
#pragma unroll
            for (int u = s; u < B; u++) {
                c.re[u][s] =
                    fmaf(-c.im[u][t], c.im[s][t], fmaf(-c.re[u][t], c.re[s][t], c.re[u][s]));
                c.im[u][s] =
                    fmaf(-c.im[u][t], c.re[s][t], fmaf(c.re[u][t], c.im[s][t], c.im[u][s]));
            }
        }
    }
    float4 *const l = (float4 *)of.l;
    l[0] = make_float4(c.re[1][0], c.im[1][0], c.re[2][0], c.im[2][0]);
    l[1] = make_float4(c.re[2][1], c.im[2][1], c.re[3][0], c.im[3][0]);
    l[2] = make_float4(c.re[3][1], c.im[3][1], c.re[3][2], c.im[3][2]);
    *(float4 *)of.r = make_float4(r[0], r[1], r[2], r[3]);
    return good;
}

/* Tiles of block row and block column k0 leave for the panel, the one on the diagonal factored. */
template <class S>
__device__ __forceinline__ void publish(typename S::memory &shared, float *v, int m, int k0,
                                        int count, int i0, int j0, tile &c)
{
    const bool in_row = i0 == k0, in_column = j0 == k0;
    if (!in_row && !in_column)
        return;
    if (in_row && in_column) {
        if (!factor<S>(c, count, shared.p.of[m]))
            shared.bad[m] = 1;
    } else { /* one way for rows and columns, by selection */
        float *const to = v + m * S::PITCH + (in_column ? i0 : j0);
#pragma unroll
        for (int t = 0; t < B; t++) {
            float re[B], im[B];
#pragma unroll
            for (int r = 0; r < B; r++) {
                re[r] = in_column ? c.re[r][t] : c.re[t][r];
                im[r] = in_column ? c.im[r][t] : -c.im[t][r];
            }
            *(float4 *)(to + t * 2 * S::ROWS) = make_float4(re[0], re[1], re[2], re[3]);
            *(float4 *)(to + (2 * t + 1) * S::ROWS) = make_float4(im[0], im[1], im[2], im[3]);
        }
    }
#pragma unroll
    for (int r = 0; r < B; r++) {
#pragma unroll
        for (int j = 0; j < B; j++)
            c.re[r][j] = c.im[r][j] = 0.0f;
    }
}

/*
 * The solve of a panel's row, in registers. CONJUGATED: a row of M, which holds the conjugated
 * element: the same sum has its products in the other order.
 */
template <bool CONJUGATED>
__device__ __forceinline__ void substitute(const float2 (&l)[BELOW], const float (&r)[B],
                                           float (&re)[B], float (&im)[B])
{
#pragma unroll
    for (int t = 0; t < B; t++) {
#pragma unroll
        for (int s = 0; s < t; s++) {
            const float2 b = l[t * (t - 1) / 2 + s];
            re[t] = fmaf(-im[s], b.y, fmaf(-re[s], b.x, re[t]));
            im[t] = CONJUGATED ? fmaf(re[s], b.y, fmaf(-im[s], b.x, im[t]))
                               : fmaf(-im[s], b.x, fmaf(re[s], b.y, im[t]));
        }
        re[t] *= r[t];
        im[t] *= r[t];
    }
}

/* Row `own` of block `block` of the panel, counted from k0's, of matrix m solves v L_kk' = a. */
template <class S>
__device__ __forceinline__ void solve(const typename S::factor &of, float *v, int block, int own)
{
    float2 l[BELOW];
    float r[B], re[B], im[B];
#pragma unroll
    for (int e = 0; e < BELOW; e += 2)
        *(float4 *)&l[e] = *(const float4 *)&of.l[e];
    *(float4 *)r = *(const float4 *)of.r;
#pragma unroll
    for (int t = 0; t < B; t++) {
        re[t] = block == 0 ? (own == t ? 1.0f : 0.0f) : v[t * 2 * S::ROWS];
        im[t] = block == 0 ? -0.0f : v[t * 2 * S::ROWS + S::ROWS];
    }
    if (block > 0)
        substitute<false>(l, r, re, im);
    else
        substitute<true>(l, r, re, im);
#pragma unroll
    for (int t = 0; t < B; t++) {
        v[t * 2 * S::ROWS] = re[t];
        v[t * 2 * S::ROWS + S::ROWS] = im[t];
    }
}

/* C - V V' for column t of the panel; vi, vj: the tile's rows and columns in it. */
template <class S>
__device__ __forceinline__ void correct(const float *vi, const float *vj, int t, tile &c)
{
    float pr[B], pi[B], qr[B], qi[B];
    *(float4 *)pr = *(const float4 *)(vi + t * 2 * S::ROWS);
    *(float4 *)pi = *(const float4 *)(vi + t * 2 * S::ROWS + S::ROWS);
    *(float4 *)qr = *(const float4 *)(vj + t * 2 * S::ROWS);
    *(float4 *)qi = *(const float4 *)(vj + t * 2 * S::ROWS + S::ROWS);
#pragma unroll
    for (int r = 0; r < B; r++) {
#pragma unroll
        for (int j = 0; j < B; j++) {
            c.re[r][j] = fmaf(-pi[r], qi[j], fmaf(-pr[r], qr[j], c.re[r][j]));
            c.im[r][j] = fmaf(-pi[r], qr[j], fmaf(pr[r], qi[j], c.im[r][j]));
        }
    }
}

/* X = -C and its mirror into shared memory; false if an element is not finite. */
template <class S> __device__ __forceinline__ bool place(float *x, int i0, int j0, const tile &c)
{
    const bool on_diagonal = i0 == j0;
    float sum = 0.0f; /* of zeros, or NaN */
    float re[B][B], im[B][B];
#pragma unroll
    for (int r = 0; r < B; r++) {
#pragma unroll
        for (int j = 0; j < B; j++) {
            const bool upper = on_diagonal && r < j, middle = on_diagonal && r == j;
            re[r][j] = -(upper ? c.re[j][r] : c.re[r][j]);
            im[r][j] = upper ? c.im[j][r] : middle ? 0.0f : -c.im[r][j];
            sum = fmaf(im[r][j], 0.0f, fmaf(re[r][j], 0.0f, sum));
        }
    }
#pragma unroll
    for (int r = 0; r < B; r++) {
        float4 *const mirror = (float4 *)(x + (j0 + r) * S::X_ROW + 2 * i0);
        mirror[0] = make_float4(re[0][r], -im[0][r], re[1][r], -im[1][r]);
        mirror[1] = make_float4(re[2][r], -im[2][r], re[3][r], -im[3][r]);
    }
#pragma unroll
    for (int r = 0; r < B; r++) { /* after it: the diagonal's 0 stays without a sign */
        float4 *const row = (float4 *)(x + (i0 + r) * S::X_ROW + 2 * j0);
        row[0] = make_float4(re[r][0], im[r][0], re[r][1], im[r][1]);
        row[1] = make_float4(re[r][2], im[r][2], re[r][3], im[r][3]);
    }
    return sum == 0.0f;
}

/* X, or zeros for a bad matrix, from shared memory; any: a matrix of the block is bad. */
template <class S, bool WHOLE>
__device__ __forceinline__ void store(const typename S::memory &shared, int n, int here, bool any,
                                      float2 *x)
{
    const int id = (int)threadIdx.x;
    if constexpr (WHOLE) { /* 16 bytes at a time, each thread in a column of its own */
        constexpr int PIECES = S::N / 2, STEP = S::THREADS / PIECES;
        const int piece = id % PIECES;
#pragma unroll 4
        for (int row = id / PIECES; id < STEP * PIECES && row < here * S::N; row += STEP) {
            float4 z = *(const float4 *)(shared.x + row * S::X_ROW + 4 * piece);
            if (any && shared.bad[row / S::N])
                z = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            ((float4 *)x)[row * PIECES + piece] = z;
        }
    } else {
        constexpr int WARP = 32;
        for (int row = id / WARP; row < here * n; row += S::THREADS / WARP) {
            const int matrix = row / n;
            const float *const from = shared.x + (matrix * S::N + row - matrix * n) * S::X_ROW;
            for (int j = id % WARP; j < n; j += WARP)
                x[row * n + j] =
                    shared.bad[matrix] ? make_float2(0.0f, 0.0f) : *(const float2 *)(from + 2 * j);
        }
    }
}

/* WHOLE: n is N. */
template <class S, bool WHOLE>
__global__ __launch_bounds__(S::THREADS, S::BLOCKS) void cholesky_kernel(int order, int n_matrices,
                                                                         const float2 *d_a,
                                                                         float2 *d_x,
                                                                         uint8_t *d_flag)
{
    constexpr int N = S::N, STEP = S::PER_BLOCK * B; /* rows of a block, all matrices */
    const int n = WHOLE ? N : order;
    extern __shared__ __align__(16) unsigned char memory[];
    typename S::memory &shared = *(typename S::memory *)memory;
    const int id = (int)threadIdx.x, first = (int)blockIdx.x * S::PER_BLOCK;
    const bool owner = id < S::TILES * S::PER_BLOCK;
    const int m = owner ? id / S::TILES : 0, q = owner ? id % S::TILES : 0;
    int tile_row = 0;
#pragma unroll
    for (int i = 1; i < S::TILE_ROWS; i++)
        tile_row += q >= i * (i + 1) / 2;
    const int i0 = tile_row * B, j0 = (q - tile_row * (tile_row + 1) / 2) * B;

    tile c;
    load<S, WHOLE>(n, d_a + (ptrdiff_t)min(first + m, n_matrices - 1) * n * n, i0, j0, c);
    if (id < S::PER_BLOCK)
        shared.bad[id] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k0 = 0; k0 < n; k0 += B) {
        float *const v = shared.p.v[k0 / B & 1]; /* two panels in turn: one barrier fewer */
        const int count = min((int)B, n - k0);
        if (owner)
            publish<S>(shared, v, m, k0, count, i0, j0, c);
        __syncthreads();
#pragma unroll 1
        for (int row = id; row < S::PER_BLOCK * N; row += S::THREADS) {
            const int block = row / STEP, of = row % STEP / B, own = row % B;
            solve<S>(shared.p.of[of], v + of * S::PITCH + block * B + own, block - k0 / B, own);
        }
        __syncthreads();
        const float *const vi = v + m * S::PITCH + i0, *const vj = v + m * S::PITCH + j0;
        if constexpr (WHOLE) {
#pragma unroll
            for (int t = 0; t < B; t++)
                correct<S>(vi, vj, t, c);
        } else {
#pragma unroll 1
            for (int t = 0; t < count; t++)
                correct<S>(vi, vj, t, c);
        }
    }
    bool good = !owner || shared.bad[m] == 0;
    __syncthreads();
    if (owner && !place<S>(shared.x + m * N * S::X_ROW, i0, j0, c)) {
        shared.bad[m] = 1;
        good = false;
    }
    const bool any = __syncthreads_or(!good) != 0;

    const int here = min(S::PER_BLOCK, n_matrices - first);
    if (id < here)
        d_flag[first + id] = (uint8_t)shared.bad[id];
    store<S, WHOLE>(shared, n, here, any, d_x + (ptrdiff_t)first * n * n);
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
        return launch<shape<16, 12, 128, 6>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 32)
        return launch<shape<32, 7, 256, 3>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 64)
        return launch<shape<64, 1, 160, 4>>(n, n_matrices, d_a, d_x, d_flag, stream);
    return launch<shape<128, 1, 544, 1>>(n, n_matrices, d_a, d_x, d_flag, stream);
}
