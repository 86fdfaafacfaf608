/*
 * LU of complex floats with the matrix in registers, up to order 128 (kernels/methods/inverse.h):
 * version "lu 3". Every element is read and written once.
 *
 * A thread holds TR x TC elements, its columns CG apart so that all threads have work to the end.
 * Rows are never moved: pos[i] says where row i stands, rows with pos below k have been pivots. The
 * first sweep, block column by block column, makes L and U^-1 at once: the block goes to shared
 * memory, one warp finds its pivots and multipliers f (l below, w above the pivot), the pivot rows
 * leave their threads as u, and c_ij <- c_ij - f_i u_j for every row i and the columns behind. The
 * second one, from the last block to the first, solves X L = U^-1 likewise. f stays in shared memory,
 * where L is read and X comes to lie; rows and columns are put in order as they are stored.
 *
 * A matrix smaller than N leaves rows and columns without effect: all loops over k end with n.
 */
#include "kernels/launch.cuh"
#include "kernels/methods/inverse_cuda.h"
#include "phy/cplx.h"

namespace
{

enum { WARP = 32, ROWS_OF_NOBODY = 255 };

template <int N_, int NB_, int TR_, int TC_, int PER_BLOCK_, int BLOCKS_, int UNROLL_>
struct shape {
    static constexpr int N = N_, NB = NB_, TR = TR_, TC = TC_;
    static constexpr int PER_BLOCK = PER_BLOCK_; /* matrices of a block */
    static constexpr int BLOCKS = BLOCKS_;       /* on a multiprocessor */
    static constexpr int RG = N / TR, CG = N / TC, GROUP = RG * CG;
    static constexpr int LANES = GROUP < WARP ? GROUP : WARP; /* of a block column */
    static constexpr int PR = N / LANES;                      /* rows of each */
    static constexpr int STRIDE = 2 * N + 4;                  /* floats of a column of f */
    static constexpr int N_BLOCKS = N / NB;
    static constexpr int UNROLL = UNROLL_; /* columns of f at a time */
    /* shared memory of a matrix */
    struct memory {
        float f[N * STRIDE];          /* [column][re, im][row] */
        float2 u[NB * N];             /* [t][column] */
        float2 l[N_BLOCKS * NB * NB]; /* of the diagonal blocks, [block][t][s] */
        float2 pivot_row[2 * NB];
        unsigned char pos[N], row[N]; /* position of a row, row at a position */
        int bad;
        int unused[3];
    };
};

/* Waits for the threads that share a matrix. */
template <class S> __device__ __forceinline__ void meet()
{
    if constexpr (S::GROUP <= WARP)
        __syncwarp();
    else
        __syncthreads();
}

template <class S> __device__ __forceinline__ int row_of(int rg, int r)
{
    return r / 4 * 4 * S::RG + rg * 4 + r % 4;
}

template <class S> __device__ __forceinline__ unsigned lanes_mask()
{
    if constexpr (S::LANES == WARP)
        return ~0u;
    else
        return ((1u << S::LANES) - 1u) << (threadIdx.x % WARP / S::LANES * S::LANES);
}

/*
 * The largest of the lanes' values, and the lowest of what the lanes say to it. Halves of a warp work
 * on matrices of their own.
 */
template <class S, class LOWEST>
__device__ __forceinline__ unsigned choose(unsigned &largest, LOWEST lowest)
{
    if constexpr (S::LANES == WARP) {
        largest = __reduce_max_sync(~0u, largest);
        return __reduce_min_sync(~0u, lowest(largest));
    } else {
#pragma unroll
        for (int d = S::LANES / 2; d > 0; d /= 2)
            largest = max(largest, __shfl_xor_sync(~0u, largest, d));
        unsigned first = lowest(largest);
        const unsigned lanes = __ballot_sync(~0u, first != ROWS_OF_NOBODY) & lanes_mask<S>();
        if (__any_sync(~0u, __popc(lanes) > 1)) {
#pragma unroll
            for (int d = S::LANES / 2; d > 0; d /= 2)
                first = min(first, __shfl_xor_sync(~0u, first, d));
        } else {
            first = __shfl_sync(~0u, first, __ffs((int)lanes) - 1);
        }
        return first;
    }
}

/* 1 / x, correctly rounded. */
__device__ __forceinline__ float reciprocal(float x)
{
    return x > 0x1p-60f && x < 0x1p60f ? r_reciprocal_moderate(x) : 1.0f / x;
}

/* Pivots and multipliers of block column k0 .. k0 + count by LANES threads. */
template <class S>
__device__ __forceinline__ void factor(typename S::memory &m, int n, int k0, int count, int lane)
{
    constexpr int NB = S::NB, PR = S::PR, LANES = S::LANES;
    float re[PR][NB], im[PR][NB];
    int pos[PR];
#pragma unroll
    for (int q = 0; q < PR; q++) {
        const int i = lane + q * LANES;
        pos[q] = m.pos[i];
#pragma unroll
        for (int t = 0; t < NB; t++) {
            re[q][t] = m.f[(k0 + t) * S::STRIDE + i];
            im[q][t] = m.f[(k0 + t) * S::STRIDE + S::N + i];
        }
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= count)
            break;
        const int k = k0 + t;
        unsigned size[PR], largest = 0;
#pragma unroll
        for (int q = 0; q < PR; q++) {
            const float s = fmaf(im[q][t], im[q][t], re[q][t] * re[q][t]);
            size[q] = pos[q] >= k && s > 0.0f ? __float_as_uint(s) : 0u;
            largest = max(largest, size[q]);
        }
        float inverse = 0.0f; /* 1 / |pivot|^2, while the lanes look for its row */
        const unsigned first = choose<S>(largest, [&](unsigned of_all) {
            unsigned lowest = ROWS_OF_NOBODY;
            inverse = reciprocal(__uint_as_float(of_all));
#pragma unroll
            for (int q = 0; q < PR; q++) {
                if (pos[q] >= k && size[q] == of_all)
                    lowest = min(lowest, (unsigned)pos[q]);
            }
            return lowest;
        });
        float2 *const pivot_row = m.pivot_row + t % 2 * NB;
        bool is_pivot[PR];
#pragma unroll
        for (int q = 0; q < PR; q++) {
            is_pivot[q] = pos[q] == (int)first;
            if (is_pivot[q]) {
#pragma unroll
                for (int j = 0; j < NB; j++) {
                    const float2 z = make_float2(re[q][j], im[q][j]);
                    if (j >= t)
                        pivot_row[j] = z;
                    else
                        m.l[(k0 / NB * NB + t) * NB + j] = z;
                }
                m.row[k] = (unsigned char)(lane + q * LANES);
                if (!(largest > 0u && largest < 0x7f800000u))
                    m.bad = 1;
            }
            pos[q] = is_pivot[q] ? k : pos[q] == k ? (int)first : pos[q];
        }
        __syncwarp();
        const float2 pivot = pivot_row[t];
        const float r_re = pivot.x * inverse, r_im = -(pivot.y * inverse);
#pragma unroll
        for (int q = 0; q < PR; q++) {
            const float a = re[q][t], b = im[q][t];
            const float f_re = is_pivot[q] ? r_re : fmaf(-b, r_im, a * r_re);
            const float f_im = is_pivot[q] ? r_im : fmaf(b, r_re, a * r_im);
#pragma unroll
            for (int j = t + 1; j < NB; j++) {
                if (is_pivot[q])
                    re[q][j] = im[q][j] = 0.0f;
            }
            re[q][t] = f_re;
            im[q][t] = f_im;
        }
#pragma unroll
        for (int j = t + 1; j < NB; j++) {
            const float2 u = pivot_row[j];
#pragma unroll
            for (int q = 0; q < PR; q++) {
                re[q][j] = fmaf(im[q][t], u.y, fmaf(-re[q][t], u.x, re[q][j]));
                im[q][j] = fmaf(-im[q][t], u.x, fmaf(-re[q][t], u.y, im[q][j]));
            }
        }
    }
#pragma unroll
    for (int q = 0; q < PR; q++) {
        const int i = lane + q * LANES, own = pos[q] - k0;
        m.pos[i] = (unsigned char)pos[q];
#pragma unroll
        for (int t = 0; t < NB; t++) { /* rows of U^-1 begin at the diagonal */
            const bool left = own > t && own < NB;
            m.f[(k0 + t) * S::STRIDE + i] = left ? 0.0f : re[q][t];
            m.f[(k0 + t) * S::STRIDE + S::N + i] = left ? 0.0f : im[q][t];
        }
    }
}

/* A thread's elements. */
template <class S> struct tile {
    float re[S::TC][S::TR], im[S::TC][S::TR];
};

/*
 * c_ij <- c_ij - f_i u_j for columns k0 + t of f, t = 0, 1, .. or the other way, and the tile's
 * columns FIRST <= j < LAST.
 */
template <class S, int FIRST, int LAST, bool BACKWARDS>
__device__ __forceinline__ void correct(const typename S::memory &m, int k0, int count, int rg,
                                        int cg, tile<S> &c)
{
#pragma unroll S::UNROLL
    for (int step = 0; step < count; step++) {
        const int t = BACKWARDS ? count - 1 - step : step;
        float re[S::TR], im[S::TR];
        const float *const f = m.f + (k0 + t) * S::STRIDE + rg * 4;
#pragma unroll
        for (int r = 0; r < S::TR; r += 4) {
            *(float4 *)&re[r] = *(const float4 *)(f + r * S::RG);
            *(float4 *)&im[r] = *(const float4 *)(f + S::N + r * S::RG);
        }
#pragma unroll
        for (int j = FIRST; j < LAST; j++) {
            const float2 u = m.u[t * S::N + j * S::CG + cg];
#pragma unroll
            for (int r = 0; r < S::TR; r++) {
                c.re[j][r] = fmaf(im[r], u.y, fmaf(-re[r], u.x, c.re[j][r]));
                c.im[j][r] = fmaf(-im[r], u.x, fmaf(-re[r], u.y, c.im[j][r]));
            }
        }
    }
}

/* Columns j >= first of the tile; registers have no index, so there is code for each first. */
template <class S, int J = 0>
__device__ __forceinline__ void correct_from(int first, const typename S::memory &m, int k0, int rg,
                                             int cg, tile<S> &c)
{
    if constexpr (J < S::TC) {
        if (first == J)
            correct<S, J, S::TC, false>(m, k0, S::NB, rg, cg, c);
        else
            correct_from<S, J + 1>(first, m, k0, rg, cg, c);
    }
}

/* Column j of the tile. */
template <class S, int J = 0>
__device__ __forceinline__ void correct_one(int j, const typename S::memory &m, int k0, int rg,
                                            int cg, tile<S> &c)
{
    if constexpr (J < S::TC) {
        if (j == J)
            correct<S, J, J + 1, false>(m, k0, S::NB, rg, cg, c);
        else
            correct_one<S, J + 1>(j, m, k0, rg, cg, c);
    }
}

/* Columns j < last, from the last of the count columns of f to the first. */
template <class S, int J = S::TC>
__device__ __forceinline__ void correct_before(int last, const typename S::memory &m, int k0,
                                               int count, int rg, int cg, tile<S> &c)
{
    if constexpr (J > 0) {
        if (last == J)
            correct<S, 0, J, true>(m, k0, count, rg, cg, c);
        else
            correct_before<S, J - 1>(last, m, k0, count, rg, cg, c);
    }
}

/* Columns k0 .. k0 + NB of the tiles go to f. */
template <class S>
__device__ __forceinline__ void publish(typename S::memory &m, int k0, int rg, int cg,
                                        const tile<S> &c)
{
#pragma unroll
    for (int j = 0; j < S::TC; j++) {
        const int column = j * S::CG + cg;
        if (column < k0 || column >= k0 + S::NB)
            continue;
        float *const f = m.f + column * S::STRIDE + rg * 4;
#pragma unroll
        for (int r = 0; r < S::TR; r += 4) {
            *(float4 *)(f + r * S::RG) = *(const float4 *)&c.re[j][r];
            *(float4 *)(f + S::N + r * S::RG) = *(const float4 *)&c.im[j][r];
        }
    }
}

/* Pivot rows k0 .. k0 + NB leave the tiles' columns j >= first for u, and their places become zero. */
template <class S>
__device__ __forceinline__ void take_rows(typename S::memory &m, int k0, int first, int rg, int cg,
                                          tile<S> &c)
{
    unsigned t[S::TR]; /* of the pivot rows */
#pragma unroll
    for (int r = 0; r < S::TR; r++)
        t[r] = m.pos[row_of<S>(rg, r)] - (unsigned)k0;
#pragma unroll
    for (int j = 0; j < S::TC; j++) {
        if (j < first)
            continue;
#pragma unroll
        for (int r = 0; r < S::TR; r++) {
            if (t[r] < S::NB)
                m.u[t[r] * S::N + j * S::CG + cg] = make_float2(c.re[j][r], c.im[j][r]);
            c.re[j][r] = t[r] < S::NB ? 0.0f : c.re[j][r];
            c.im[j][r] = t[r] < S::NB ? 0.0f : c.im[j][r];
        }
    }
}

/* u_t <- u_t - sum_{s < t} l_ts u_s, a thread per column. */
template <class S>
__device__ __forceinline__ void solve_rows(typename S::memory &m, int k0, int column)
{
    constexpr int NB = S::NB;
    float2 u[NB];
    const float2 *const l = m.l + k0 * NB;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        u[t] = m.u[t * S::N + column];
#pragma unroll
        for (int s = 0; s < t; s++) {
            const float2 a = l[t * NB + s];
            u[t].x = fmaf(a.y, u[s].y, fmaf(-a.x, u[s].x, u[t].x));
            u[t].y = fmaf(-a.y, u[s].x, fmaf(-a.x, u[s].y, u[t].y));
        }
        m.u[t * S::N + column] = u[t];
    }
}

/* x_s <- x_s - sum_{t > s} x_t l_ts, t descending, a thread per row; true if all is finite. */
template <class S>
__device__ __forceinline__ bool solve_columns(typename S::memory &m, int k0, int count, int i)
{
    constexpr int NB = S::NB;
    float re[NB], im[NB];
    const float2 *const l = m.l + k0 * NB;
    bool finite = true;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = m.f[(k0 + t) * S::STRIDE + i];
        im[t] = m.f[(k0 + t) * S::STRIDE + S::N + i];
    }
#pragma unroll
    for (int t = NB - 1; t >= 0; t--) {
        if (t >= count)
            continue;
#pragma unroll
        for (int s = 0; s < t; s++) {
            const float2 b = l[t * NB + s];
            re[s] = fmaf(im[t], b.y, fmaf(-re[t], b.x, re[s]));
            im[s] = fmaf(-im[t], b.x, fmaf(-re[t], b.y, im[s]));
        }
        finite = finite && r_finite(re[t]) && r_finite(im[t]);
        m.f[(k0 + t) * S::STRIDE + i] = re[t];
        m.f[(k0 + t) * S::STRIDE + S::N + i] = im[t];
    }
    return finite;
}

template <class S>
__global__ __launch_bounds__(S::GROUP *S::PER_BLOCK,
                             S::BLOCKS) void lu_kernel(int n, int n_matrices, const float2 *d_a,
                                                       float2 *d_x, uint8_t *d_flag)
{
    constexpr int N = S::N, NB = S::NB, GROUP = S::GROUP, WARPS = (GROUP + WARP - 1) / WARP;
    extern __shared__ __align__(16) unsigned char memory[];
    const int g = (int)threadIdx.x % GROUP, rg = g % S::RG, cg = g / S::RG;
    typename S::memory &m = ((typename S::memory *)memory)[threadIdx.x / GROUP];
    const int matrix = (int)blockIdx.x * S::PER_BLOCK + (int)threadIdx.x / GROUP;
    const bool exists = matrix < n_matrices;
    /* groups of a warp keep together: one without a matrix inverts the last one, and stores nothing */
    const float2 *const a = d_a + (ptrdiff_t)min(matrix, n_matrices - 1) * n * n;

    /* a thread keeps to one column; some loads are on their way at a time */
    constexpr int AT_ONCE = 8, DOWN = GROUP / N;
    const int own = g % N;
    float *const f_own = m.f + own * S::STRIDE;
#pragma unroll 1
    for (int i0 = g / N; i0 < n; i0 += AT_ONCE * DOWN) {
        float2 z[AT_ONCE];
#pragma unroll
        for (int t = 0; t < AT_ONCE; t++) {
            const int i = i0 + t * DOWN;
            z[t] = i < n && own < n ? a[i * n + own] : make_float2(0.0f, 0.0f);
        }
#pragma unroll
        for (int t = 0; t < AT_ONCE; t++) {
            const int i = i0 + t * DOWN;
            if (i < N) {
                f_own[i] = z[t].x;
                f_own[N + i] = z[t].y;
            }
        }
    }
    for (int i = g; i < N; i += GROUP)
        m.pos[i] = (unsigned char)(i < n ? i : (int)ROWS_OF_NOBODY);
    if (g == 0)
        m.bad = 0;
    meet<S>();
    tile<S> c;
#pragma unroll
    for (int j = 0; j < S::TC; j++) {
        const int column = j * S::CG + cg;
#pragma unroll
        for (int r = 0; r < S::TR; r++) {
            const int i = row_of<S>(rg, r);
            const bool live = i < n && column < n;
            c.re[j][r] = live ? m.f[column * S::STRIDE + i] : 0.0f;
            c.im[j][r] = live ? m.f[column * S::STRIDE + N + i] : 0.0f;
        }
    }
    meet<S>();

    publish<S>(m, 0, rg, cg, c);
    meet<S>();
    if (g / WARP == 0)
        factor<S>(m, n, 0, min(NB, n), g % S::LANES);
    meet<S>();
#pragma unroll 1
    for (int k0 = 0; k0 + NB < n; k0 += NB) {
        const int next = k0 + NB, behind = next / S::CG, to_next = cg - next % S::CG;
        take_rows<S>(m, k0, behind, rg, cg, c);
        meet<S>();
        for (int column = next + g; column < N; column += GROUP)
            solve_rows<S>(m, k0, column);
        meet<S>();
        if constexpr (WARPS == 1) {
            correct_from<S>(behind, m, k0, rg, cg, c);
            publish<S>(m, next, rg, cg, c);
            meet<S>();
            factor<S>(m, n, next, min(NB, n - next), g % S::LANES);
        } else { /* the next block first: one of its warps factors it while others go on */
            const bool ahead = to_next >= 0 && to_next < NB;
            if (ahead) {
                correct_one<S>(behind, m, k0, rg, cg, c);
                publish<S>(m, next, rg, cg, c);
            }
            meet<S>();
            if (g / WARP == next % S::CG * S::RG / WARP)
                factor<S>(m, n, next, min(NB, n - next), g % S::LANES);
            correct_from<S>(ahead ? behind + 1 : behind, m, k0, rg, cg, c);
        }
        meet<S>();
    }

    bool good = m.bad == 0;
    if (S::GROUP <= WARP ? __any_sync(~0u, good) : good) {
#pragma unroll
        for (int j = 0; j < S::TC; j++) {
            const int column = j * S::CG + cg;
            const float *const f = m.f + column * S::STRIDE;
#pragma unroll
            for (int r = 0; r < S::TR; r++) {
                const int i = row_of<S>(rg, r);
                const bool above = m.pos[i] <= column && column < n;
                c.re[j][r] = above ? f[i] : 0.0f;
                c.im[j][r] = above ? f[N + i] : 0.0f;
            }
        }
#pragma unroll 1
        for (int k0 = (n - 1) / NB * NB; k0 >= 0; k0 -= NB) {
            const int count = min(NB, n - k0), before = (k0 + S::CG - 1) / S::CG;
            meet<S>();
            publish<S>(m, k0, rg, cg, c);
            for (int column = g % N; column < k0; column += GROUP < N ? GROUP : N) {
                for (int t = g / N; t<count; t += GROUP> N ? GROUP / N : 1) {
                    const float *const f = m.f + column * S::STRIDE + m.row[k0 + t];
                    m.u[t * N + column] = make_float2(f[0], f[N]);
                }
            }
            meet<S>();
            for (int i = g; i < N; i += GROUP) {
                if (i < n)
                    good = solve_columns<S>(m, k0, count, i) && good;
            }
            meet<S>();
            correct_before<S>(before, m, k0, count, rg, cg, c);
        }
    }
    if constexpr (GROUP <= WARP)
        good = (__ballot_sync(~0u, !good) & lanes_mask<S>()) == 0;
    else
        good = __syncthreads_or(!good) == 0;
    if (!exists)
        return;
    float2 *const x = d_x + (ptrdiff_t)matrix * n * n;
    if (own < n) {
        const float *const f = m.f + m.pos[own] * S::STRIDE;
#pragma unroll 4
        for (int i = g / N; i < n; i += DOWN) {
            const int row = m.row[i];
            x[i * n + own] = good ? make_float2(f[row], f[N + row]) : make_float2(0.0f, 0.0f);
        }
    }
    if (g == 0)
        d_flag[matrix] = (uint8_t)!good;
}

template <class S>
lte_status launch(int n, int n_matrices, const void *d_a, void *d_x, uint8_t *d_flag,
                  cudaStream_t stream)
{
    const size_t bytes = S::PER_BLOCK * sizeof(typename S::memory);
    lte_status status = allow_shared((const void *)lu_kernel<S>, bytes);
    if (status)
        return status;
    lu_kernel<S><<<blocks_of(n_matrices, S::PER_BLOCK), S::GROUP * S::PER_BLOCK, bytes, stream>>>(
        n, n_matrices, (const float2 *)d_a, (float2 *)d_x, d_flag);
    return LTE_LAUNCHED(lu_kernel);
}

} // namespace

lte_status lte_inverse_lu_registers(int, int n, int n_matrices, const void *d_a, void *d_x,
                                    uint8_t *d_flag, void *, cudaStream_t stream)
{
    if (n <= 32)
        return launch<shape<32, 8, 8, 4, 4, 4, 2>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 64)
        return launch<shape<64, 8, 8, 4, 1, 4, 2>>(n, n_matrices, d_a, d_x, d_flag, stream);
    return launch<shape<128, 4, 8, 4, 1, 1, 2>>(n, n_matrices, d_a, d_x, d_flag, stream);
}
