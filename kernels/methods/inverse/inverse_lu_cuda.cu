/*
 * LU of complex floats with the matrix in registers, orders 17 to 128
 * (kernels/methods/inverse/inverse.h): version "lu 3". Every element is read and written once.
 *
 * A thread holds TR x TC elements, its columns CG apart so that all threads have work to the end.
 * Rows are never moved: pos[i] says where row i stands, rows with pos below k have been pivots. The
 * first sweep, block column by block column, makes L and U^-1 at once: the block goes to shared
 * memory; pivots and multipliers f (l below, w above the pivot) are found by a thread a row; the
 * pivot rows leave their threads as u, and c_ij <- c_ij - f_i u_j for every row i and the columns
 * behind, the next block first, so that its pivots are looked for while the others are corrected.
 * The second sweep, from the last block to the first, solves X L = U^-1 likewise. f stays in shared
 * memory, where L is read and X comes to lie; rows and columns are put in order as they are stored.
 *
 * A matrix smaller than N leaves rows and columns without effect: all loops over k end with n.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/inverse/inverse_cuda.h"
#include "phy/base/cplx.h"

namespace
{

enum { WARP = 32, ROWS_OF_NOBODY = 255 };

/* What a warp has found for a pivot. */
template <int NB> struct candidate {
    float2 row[NB];
    unsigned size, pos; /* |.|^2 as a word; ~0: none */
    unsigned unused[2];
};

template <int N_, int NB_, int TR_, int TC_, int PER_BLOCK_, int BLOCKS_> struct shape {
    static constexpr int N = N_, NB = NB_, TR = TR_, TC = TC_;
    static constexpr int PER_BLOCK = PER_BLOCK_; /* matrices of a block, a warp each; or 1 */
    static constexpr int BLOCKS = BLOCKS_;       /* on a multiprocessor */
    static constexpr int RG = N / TR, CG = N / TC, GROUP = RG * CG;
    static constexpr bool ALONE = GROUP == WARP; /* one warp does everything */
    static constexpr int LOOKERS = N / WARP;     /* warps that look for pivots */
    static constexpr int THREADS = GROUP * PER_BLOCK;
    static constexpr int STRIDE = 2 * N + 4; /* floats of a column of f */
    static constexpr int N_BLOCKS = N / NB;
    /* shared memory of a matrix */
    struct memory {
        float f[N * STRIDE];          /* [column][re, im][row] */
        float2 u[NB * N];             /* [t][column] */
        float2 l[N_BLOCKS * NB * NB]; /* of the diagonal blocks, [block][t][s] */
        candidate<NB> candidates[2][LOOKERS];
        unsigned char pos[N], row[N]; /* position of a row, row at a position */
        int bad;
        int unused[3];
    };
    static_assert(GROUP >= N && GROUP >= WARP && (ALONE || PER_BLOCK == 1), "shape");
};

/* Waits for the threads that hold a matrix. */
template <class S> __device__ __forceinline__ void meet()
{
    if constexpr (S::ALONE)
        __syncwarp();
    else
        __syncthreads();
}

template <class S> __device__ __forceinline__ int row_of(int rg, int r)
{
    return r / 4 * 4 * S::RG + rg * 4 + r % 4;
}

/* 1 / x, correctly rounded. */
__device__ __forceinline__ float reciprocal(float x)
{
    return x > 0x1p-60f && x < 0x1p60f ? r_reciprocal_moderate(x) : 1.0f / x;
}

/* The lane of this warp's largest size, of equal ones that of the lowest pos >= k. */
__device__ __forceinline__ int candidate_of(unsigned size, int pos, int k, unsigned &largest)
{
    largest = __reduce_max_sync(~0u, size);
    const bool is_largest = size == largest && pos >= k;
    unsigned lanes = __ballot_sync(~0u, is_largest);
    if (__popc(lanes) > 1) {
        const unsigned lowest = __reduce_min_sync(~0u, is_largest ? (unsigned)pos : ~0u);
        lanes = __ballot_sync(~0u, is_largest && pos == (int)lowest);
    }
    return lanes ? __ffs((int)lanes) - 1 : 0;
}

/* Of the warps' candidates the best one. */
template <class S>
__device__ __forceinline__ const candidate<S::NB> &best_of(const candidate<S::NB> *of_warps)
{
    int best = 0;
    unsigned size = of_warps[0].size, pos = of_warps[0].pos;
#pragma unroll
    for (int w = 1; w < S::LOOKERS; w++) {
        const unsigned other = of_warps[w].size, other_pos = of_warps[w].pos;
        if (other > size || (other == size && other_pos < pos)) {
            best = w;
            size = other;
            pos = other_pos;
        }
    }
    return of_warps[best];
}

/* Pivots and multipliers of block column k0 .. k0 + count, a thread for each row i. */
template <class S>
__device__ __forceinline__ void factor(typename S::memory &m, int k0, int count, int i)
{
    constexpr int NB = S::NB;
    float re[NB], im[NB];
    int pos = m.pos[i];
    bool good = true;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        re[t] = m.f[(k0 + t) * S::STRIDE + i];
        im[t] = m.f[(k0 + t) * S::STRIDE + S::N + i];
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= count)
            break;
        const int k = k0 + t;
        const float s = fmaf(im[t], im[t], re[t] * re[t]);
        unsigned largest;
        const int lane =
            candidate_of(pos >= k && s > 0.0f ? __float_as_uint(s) : 0u, pos, k, largest);
        candidate<NB> *const all = m.candidates[t % 2]; /* in turn: one barrier fewer */
        if (i % WARP == lane) {
            candidate<NB> &own = all[i / WARP];
#pragma unroll
            for (int j = t / 2 * 2; j < NB; j += 2)
                *(float4 *)&own.row[j] = make_float4(re[j], im[j], re[j + 1], im[j + 1]);
            own.size = largest;
            own.pos = pos >= k ? (unsigned)pos : ~0u;
        }
        if constexpr (S::LOOKERS == 1)
            __syncwarp();
        else
            __barrier_sync_count(1, S::N);
        const candidate<NB> &best = best_of<S>(all);
        const float inverse = reciprocal(__uint_as_float(best.size)); /* 1 / |pivot|^2 */
        good = good && best.size > 0u && best.size < 0x7f800000u;
        const int first = (int)best.pos;
        const bool is_pivot = pos == first;
        const float2 pivot = best.row[t];
        const float r_re = pivot.x * inverse, r_im = -(pivot.y * inverse);
        const float a = re[t], b = im[t];
        re[t] = is_pivot ? r_re : fmaf(-b, r_im, a * r_re);
        im[t] = is_pivot ? r_im : fmaf(b, r_re, a * r_im);
#pragma unroll
        for (int j = t + 1; j < NB; j++) {
            const float2 u = best.row[j];
            const float x = is_pivot ? 0.0f : re[j], y = is_pivot ? 0.0f : im[j];
            re[j] = fmaf(im[t], u.y, fmaf(-re[t], u.x, x));
            im[j] = fmaf(-im[t], u.x, fmaf(-re[t], u.y, y));
        }
        pos = is_pivot ? k : pos == k ? first : pos;
    }
    if (!good && i == 0)
        m.bad = 1;
    const int own = pos - k0;
    const bool was_pivot = own >= 0 && own < count;
    m.pos[i] = (unsigned char)pos;
    if (was_pivot)
        m.row[pos] = (unsigned char)i;
#pragma unroll
    for (int t = 0; t < NB; t++) { /* rows of U^-1 begin at the diagonal, left of it is L */
        const bool left = was_pivot && t < own;
        if (left)
            m.l[pos * NB + t] = make_float2(re[t], im[t]);
        m.f[(k0 + t) * S::STRIDE + i] = left ? 0.0f : re[t];
        m.f[(k0 + t) * S::STRIDE + S::N + i] = left ? 0.0f : im[t];
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
#pragma unroll 1
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

/*
 * Pivot rows k0 .. k0 + NB leave the tiles' columns j >= first for u, and their places become zero.
 */
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

/* The matrix into f: a thread keeps to one column; some loads are on their way at a time. */
template <class S>
__device__ __forceinline__ void load(int n, const float2 *a, int g, typename S::memory &m)
{
    constexpr int N = S::N, AT_ONCE = 8, DOWN = S::GROUP / N;
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
    for (int i = g; i < N; i += S::GROUP)
        m.pos[i] = (unsigned char)(i < n ? i : (int)ROWS_OF_NOBODY);
    if (g == 0)
        m.bad = 0;
}

/*
 * Elements (i, j) with j < n from f, zero where i or pos(i), if ABOVE, is beyond the column or n.
 */
template <class S, bool ABOVE>
__device__ __forceinline__ void take(int n, const typename S::memory &m, int rg, int cg, tile<S> &c)
{
#pragma unroll
    for (int j = 0; j < S::TC; j++) {
        const int column = j * S::CG + cg;
        const float *const f = m.f + column * S::STRIDE;
#pragma unroll
        for (int r = 0; r < S::TR; r++) {
            const int i = row_of<S>(rg, r);
            const bool live = column < n && (ABOVE ? m.pos[i] <= column : i < n);
            c.re[j][r] = live ? f[i] : 0.0f;
            c.im[j][r] = live ? f[S::N + i] : 0.0f;
        }
    }
}

/* Sweep one. */
template <class S>
__device__ __forceinline__ void eliminate(typename S::memory &m, int n, int g, int rg, int cg,
                                          tile<S> &c)
{
    constexpr int NB = S::NB;
    publish<S>(m, 0, rg, cg, c);
    meet<S>();
    if (g < S::N)
        factor<S>(m, 0, min(NB, n), g);
    meet<S>();
#pragma unroll 1
    for (int k0 = 0; k0 + NB < n; k0 += NB) {
        const int next = k0 + NB, behind = next / S::CG, to_next = cg - next % S::CG;
        take_rows<S>(m, k0, behind, rg, cg, c);
        meet<S>();
        for (int column = next + g; column < S::N; column += S::GROUP)
            solve_rows<S>(m, k0, column);
        meet<S>();
        if constexpr (S::ALONE) {
            correct_from<S>(behind, m, k0, rg, cg, c);
            publish<S>(m, next, rg, cg, c);
            meet<S>();
            factor<S>(m, next, min(NB, n - next), g);
        } else { /* the next block first: it is factored meanwhile */
            const bool ahead = to_next >= 0 && to_next < NB;
            if (ahead) {
                correct_one<S>(behind, m, k0, rg, cg, c);
                publish<S>(m, next, rg, cg, c);
            }
            meet<S>();
            if (g < S::N)
                factor<S>(m, next, min(NB, n - next), g);
            correct_from<S>(ahead ? behind + 1 : behind, m, k0, rg, cg, c);
        }
        meet<S>();
    }
}

/* Sweep two: X in f; false if one of the elements that this thread solves is not finite. */
template <class S>
__device__ __forceinline__ bool solve(typename S::memory &m, int n, int g, int rg, int cg,
                                      tile<S> &c)
{
    constexpr int N = S::N, NB = S::NB, GROUP = S::GROUP;
    const int column = g % N; /* to copy */
    bool finite = true;
    take<S, true>(n, m, rg, cg, c);
#pragma unroll 1
    for (int k0 = (n - 1) / NB * NB; k0 >= 0; k0 -= NB) {
        const int count = min(NB, n - k0), before = (k0 + S::CG - 1) / S::CG;
        meet<S>();
        publish<S>(m, k0, rg, cg, c);
        for (int t = g / N; t < count && column < k0; t += GROUP / N) {
            const float *const f = m.f + column * S::STRIDE + m.row[k0 + t];
            m.u[t * N + column] = make_float2(f[0], f[N]);
        }
        meet<S>();
        for (int i = g; i < n; i += GROUP)
            finite = solve_columns<S>(m, k0, count, i) && finite;
        meet<S>();
        correct_before<S>(before, m, k0, count, rg, cg, c);
    }
    return finite;
}

template <class S>
__global__ __launch_bounds__(S::THREADS, S::BLOCKS) void lu_kernel(int n, int n_matrices,
                                                                   const float2 *d_a, float2 *d_x,
                                                                   uint8_t *d_flag)
{
    constexpr int N = S::N, GROUP = S::GROUP;
    extern __shared__ __align__(16) unsigned char memory[];
    const int own_group = S::ALONE ? (int)threadIdx.x / GROUP : 0;
    const int g = (int)threadIdx.x - own_group * GROUP, rg = g % S::RG, cg = g / S::RG;
    typename S::memory &m = ((typename S::memory *)memory)[own_group];
    const int matrix = (int)blockIdx.x * S::PER_BLOCK + own_group;
    if (matrix >= n_matrices)
        return;
    load<S>(n, d_a + (ptrdiff_t)matrix * n * n, g, m);
    meet<S>();
    tile<S> c;
    take<S, false>(n, m, rg, cg, c);
    meet<S>();
    eliminate<S>(m, n, g, rg, cg, c);

    bool good = m.bad == 0;
    meet<S>();
    if (good && !solve<S>(m, n, g, rg, cg, c))
        m.bad = 1;
    meet<S>();
    good = m.bad == 0;
    const int own = g % N;
    float2 *const x = d_x + (ptrdiff_t)matrix * n * n;
    if (own < n) {
        const float *const f = m.f + m.pos[own] * S::STRIDE;
#pragma unroll 4
        for (int i = g / N; i < n; i += GROUP / N) {
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
    lu_kernel<S><<<blocks_of(n_matrices, S::PER_BLOCK), S::THREADS, bytes, stream>>>(
        n, n_matrices, (const float2 *)d_a, (float2 *)d_x, d_flag);
    return LTE_LAUNCHED(lu_kernel);
}

} // namespace

lte_status lte_inverse_lu_registers(int, int n, int n_matrices, const void *d_a, void *d_x,
                                    uint8_t *d_flag, void *, cudaStream_t stream)
{
    if (n <= 32)
        return launch<shape<32, 8, 8, 4, 4, 4>>(n, n_matrices, d_a, d_x, d_flag, stream);
    if (n <= 64)
        return launch<shape<64, 8, 4, 8, 1, 4>>(n, n_matrices, d_a, d_x, d_flag, stream);
    return launch<shape<128, 8, 4, 8, 1, 1>>(n, n_matrices, d_a, d_x, d_flag, stream);
}
