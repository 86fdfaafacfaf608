#ifndef LTE_KERNELS_LARGE_FUSED_CUH
#define LTE_KERNELS_LARGE_FUSED_CUH
/*
 * A block of threads makes, of SUBS neighbouring subcarriers of a large array, z = H'y of all
 * symbols and X = (H'H + loading I)^-1, from planes to shared memory (large_fused_cuda.cu).
 *
 *     fused::invert_planes<2>(link, h, y, n_live, loading, s, memory);
 *
 * Each subcarrier has some threads. A thread holds a pair of tiles of 4 x 4 sums over antennas,
 * conj(h_ri) b_rj, b the columns of H and then those of y: tiles of the lower triangle of H'H and
 * of H'y come out of one loop, which reads H and y from shared memory, whereto they are copied a
 * few antennas ahead. X by the sweep of methods/inverse_cholesky_cuda.cu, in blocks of 4 columns:
 * the loop over k and each operation are those of phy/inversion/cholesky.h, and so are the bits.
 */
#include <cuda_pipeline_primitives.h>

#include "kernels/base/launcher.cuh"
#include "kernels/link/link.h"
#include "phy/inversion/pivot.h"

namespace fused
{

enum {
    SUBS = 16,   /* subcarriers of a block: 128 bytes of a plane, all banks once */
    SIDE = 4,    /* of a tile */
    Y_TILES = 2, /* y has LTE_SLOT_SYMBOLS columns, and one that is nobody's */
    ROWS = 4,    /* antennas that are copied at a time */
    STAGES = 2,  /* of them in shared memory */
    MOST_TX = 32,
    MOST_THREADS = 512
};

/* Elements of ROWS antennas, and of a column of y that is nobody's. */
static __host__ __device__ int stage_of(int n_tx)
{
    return (ROWS * (n_tx + LTE_SLOT_SYMBOLS) + 1) * SUBS;
}

/* Shared memory of a block: where its parts begin, in bytes. Subcarriers lie side by side. */
struct parts {
    size_t diagonal; /* [SIDE][SIDE] behind two panels [SIDE][n_tx] */
    size_t z;        /* [7][n_tx] behind the largest of what takes turns */
    size_t bad, all; /* [SUBS] uint32_t */
};

static __host__ __device__ parts parts_of(int n_tx)
{
    const size_t line = SUBS * sizeof(lte_cplx), n = (size_t)n_tx;
    const size_t stages = STAGES * (size_t)stage_of(n_tx) * sizeof(lte_cplx), x = n * n * line;
    parts p;
    p.diagonal = 2 * SIDE * n * line;
    const size_t panels = p.diagonal + SIDE * SIDE * line;
    const size_t larger = stages > panels ? stages : panels;
    p.z = x > larger ? x : larger;
    p.bad = p.z + LTE_SLOT_SYMBOLS * n * line;
    p.all = p.bad + SUBS * sizeof(uint32_t);
    return p;
}

/* Tiles of row i of tiles: those of H'H up to the diagonal, then those of H'y. */
static __host__ __device__ int tiles_of_row(int i)
{
    return i + 1 + Y_TILES;
}

/* Threads of a subcarrier: one for each pair of tiles. */
static __host__ __device__ int pairs_of(int n_tx)
{
    int n = 0;
    for (int i = 0; i < n_tx / SIDE; i++)
        n += (tiles_of_row(i) + 1) / 2;
    return n;
}

/*
 * Threads of a block, whole warps. Where a multiprocessor has one block only, a subcarrier has a
 * thread a layer as well: rows of a panel and layers to decide take one round.
 */
static inline int block_of(int n_tx)
{
    const int n = pairs_of(n_tx), half = MOST_THREADS / SUBS / 2;
    const int threads = SUBS * (n > half && n < n_tx ? n_tx : n);
    return threads % (2 * SUBS) ? threads + SUBS : threads;
}

/* A thread's place. */
struct share {
    int u, p;    /* subcarrier of the block; which of its threads */
    int i;       /* row of tiles */
    int j[2];    /* columns of tiles: from n_tx / SIDE on those of y */
    bool own[2]; /* there are such tiles */
};

static __device__ __forceinline__ share share_of(int n_tx, int t)
{
    const int n_tiles = n_tx / SIDE;
    share s;
    s.u = t % SUBS;
    s.p = t / SUBS;
    int q = s.p, i = 0;
    while (i + 1 < n_tiles && q >= (tiles_of_row(i) + 1) / 2) {
        q -= (tiles_of_row(i) + 1) / 2;
        i++;
    }
    s.i = i;
#pragma unroll
    for (int e = 0; e < 2; e++) {
        const int at = 2 * q + e;
        s.own[e] = at < tiles_of_row(i);
        s.j[e] = !s.own[e] ? 0 : at <= i ? at : n_tiles + at - i - 1;
    }
    return s;
}

struct tile {
    lte_cplx c[SIDE][SIDE];
};

static __device__ __forceinline__ void clear(tile &t)
{
#pragma unroll
    for (int e = 0; e < SIDE * SIDE; e++)
        t.c[e / SIDE][e % SIDE] = c_zero();
}

/* Who copies what of a line, SUBS subcarriers of a plane: WIDE of them from u on. */
template <int WIDE> struct copier {
    int u, p, n_p; /* line p, p + n_p, .. */
    bool live;     /* there are such subcarriers */
};

/*
 * Starts the copy of lines first .. first + count - 1, if there are so many, of planes [n][n_sc],
 * from the block's first subcarrier on.
 */
template <int WIDE>
static __device__ __forceinline__ void fetch(const copier<WIDE> &by, const lte_cplx *planes,
                                             int n_sc, int n, int first, int count, lte_cplx *to)
{
    const int end = !by.live ? 0 : n - first < count ? n - first : count;
    const lte_cplx *from = planes + (ptrdiff_t)(first + by.p) * n_sc + by.u;
    to += by.p * SUBS + by.u;
    for (int e = by.p; e < end; e += by.n_p) {
        __pipeline_memcpy_async(to, from, WIDE * sizeof *from);
        from += (ptrdiff_t)by.n_p * n_sc;
        to += by.n_p * SUBS;
    }
}

/* One antenna's products: += conj(h_i) b_j. */
static __device__ __forceinline__ void
add_products(const lte_cplx *h, const lte_cplx *const (&columns)[2], tile (&c)[2])
{
    lte_cplx a[SIDE], b[SIDE];
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        a[i] = h[i * SUBS];
#pragma unroll
    for (int e = 0; e < 2; e++) {
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            b[j] = columns[e][j * SUBS];
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
#pragma unroll
            for (int j = 0; j < SIDE; j++)
                c[e].c[i][j] = c_cmac(c[e].c[i][j], a[i], b[j]);
        }
    }
}

/*
 * A thread's tiles of H'H and H'y, all antennas in their order. h, y: planes from the block's first
 * subcarrier on, of which n_live are left; stages: shared memory for copies, of each
 * h [ROWS][n_tx][SUBS] and y [ROWS][7][SUBS].
 */
template <int WIDE>
static __device__ __forceinline__ void products(const lte_link &link, const lte_cplx *h,
                                                const lte_cplx *y, int n_live, const share &s,
                                                lte_cplx *stages, tile (&c)[2])
{
    const int n_tx = link.n_tx, n_rx = link.n_rx, n_sc = link.carrier.n_sc, n_tiles = n_tx / SIDE;
    const int line_h = n_tx * SUBS, line_y = LTE_SLOT_SYMBOLS * SUBS, stage = stage_of(n_tx);
    const int t = (int)threadIdx.x, pieces = SUBS / WIDE;
    const copier<WIDE> by = {t % pieces * WIDE, t / pieces, (int)blockDim.x / pieces,
                             t % pieces * WIDE < n_live};
    int step[2], column[2]; /* from an antenna to the next; the first */
#pragma unroll
    for (int e = 0; e < 2; e++) {
        const bool of_h = s.j[e] < n_tiles;
        step[e] = of_h ? line_h : line_y;
        column[e] = of_h ? s.j[e] * SIDE * SUBS : ROWS * line_h + (s.j[e] - n_tiles) * SIDE * SUBS;
    }
    clear(c[0]);
    clear(c[1]);
    for (int r0 = -ROWS * (STAGES - 1), at = 0; r0 < n_rx; r0 += ROWS, at = (at + 1) % STAGES) {
        if (r0 >= 0) {
            __pipeline_wait_prior(STAGES - 2);
            __syncthreads();
        }
        const int next = r0 + (STAGES - 1) * ROWS;
        lte_cplx *const to = stages + (at + STAGES - 1) % STAGES * stage;
        fetch(by, h, n_sc, n_rx * n_tx, next * n_tx, ROWS * n_tx, to);
        fetch(by, y, n_sc, n_rx * LTE_SLOT_SYMBOLS, next * LTE_SLOT_SYMBOLS,
              ROWS * LTE_SLOT_SYMBOLS, to + ROWS * line_h);
        __pipeline_commit();
        if (r0 < 0)
            continue;
        const lte_cplx *const here = stages + at * stage + s.u;
        const lte_cplx *a = here + s.i * SIDE * SUBS;
        const lte_cplx *b[2] = {here + column[0], here + column[1]};
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (r0 + r < n_rx)
                add_products(a, b, c);
            a += line_h;
            b[0] += step[0];
            b[1] += step[1];
        }
    }
    __syncthreads();
}

/* A tile of block row or block column k leaves for the panel or the diagonal block; 0 is left. */
static __device__ __forceinline__ void publish(int n_tx, int k, int i, int j, lte_cplx *panel,
                                               lte_cplx *diagonal, tile &t)
{
    if (i != k && j != k)
        return;
    const bool conjugated = j != k;
    lte_cplx *const to = i == j ? diagonal : panel + (conjugated ? j : i) * SIDE * SUBS;
    const int down = i == j ? SIDE * SUBS : conjugated ? n_tx * SUBS : SUBS;
    const int right = i == j || conjugated ? SUBS : n_tx * SUBS;
#pragma unroll
    for (int r = 0; r < SIDE; r++) {
#pragma unroll
        for (int s = 0; s < SIDE; s++)
            to[r * down + s * right] = conjugated ? c_conj(t.c[r][s]) : t.c[r][s];
    }
    clear(t);
}

/* Factors the diagonal block, l and the inverses r of its diagonal; false if there is none. */
static __device__ __forceinline__ bool factor(const lte_cplx *diagonal, lte_cplx (&l)[SIDE][SIDE],
                                              float (&r)[SIDE])
{
    bool good = true;
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
#pragma unroll
        for (int j = 0; j <= i; j++)
            l[i][j] = diagonal[(i * SIDE + j) * SUBS];
    }
#pragma unroll
    for (int t = 0; t < SIDE; t++) {
        const float d = l[t][t].re;
        good = good && lte_divides(d * d) && d > 0.0f;
        /* for all d whose square is > 0 and finite */
        r[t] = r_reciprocal_moderate(r_sqrt_moderate(d));
#pragma unroll
        for (int i = t + 1; i < SIDE; i++)
            l[i][t] = c_scale(l[i][t], r[t]);
#pragma unroll
        for (int i = t + 1; i < SIDE; i++) {
#pragma unroll
            for (int j = t + 1; j <= i; j++)
                l[i][j] = c_nmacc(l[i][j], l[i][t], l[j][t]);
        }
    }
    return good;
}

/*
 * One row of the panel: of L below block k, else, conjugated, of M = L^-1, in the block itself from
 * the identity. Returns factor's word.
 */
static __device__ __forceinline__ bool solve(int n_tx, int k, int row, const lte_cplx *diagonal,
                                             lte_cplx *panel)
{
    lte_cplx l[SIDE][SIDE], v[SIDE];
    float r[SIDE];
    const bool good = factor(diagonal, l, r);
    panel += row * SUBS;
#pragma unroll
    for (int t = 0; t < SIDE; t++)
        v[t] = panel[t * n_tx * SUBS];
    if (row / SIDE > k) {
#pragma unroll
        for (int t = 0; t < SIDE; t++) {
#pragma unroll
            for (int s = 0; s < t; s++)
                v[t] = c_nmacc(v[t], v[s], l[t][s]);
            v[t] = c_scale(v[t], r[t]);
        }
    } else {
        const bool inside = row / SIDE == k;
#pragma unroll
        for (int t = 0; t < SIDE; t++) {
            const lte_cplx of_identity = {row % SIDE == t ? 1.0f : 0.0f, 0.0f};
            v[t] = inside ? of_identity : c_conj(v[t]);
#pragma unroll
            for (int s = 0; s < t; s++)
                v[t] = c_nmac(v[t], l[t][s], v[s]);
            v[t] = c_scale(v[t], r[t]);
        }
#pragma unroll
        for (int t = 0; t < SIDE; t++)
            v[t] = c_conj(v[t]);
    }
#pragma unroll
    for (int t = 0; t < SIDE; t++)
        panel[t * n_tx * SUBS] = v[t];
    return good;
}

/* c - v v': the trailing matrix, sums of M and those of -X at once. */
static __device__ __forceinline__ void correct(int n_tx, int i, int j, const lte_cplx *panel,
                                               tile &c)
{
#pragma unroll
    for (int t = 0; t < SIDE; t++) {
        lte_cplx a[SIDE], b[SIDE];
#pragma unroll
        for (int e = 0; e < SIDE; e++) {
            a[e] = panel[(t * n_tx + i * SIDE + e) * SUBS];
            b[e] = panel[(t * n_tx + j * SIDE + e) * SUBS];
        }
#pragma unroll
        for (int r = 0; r < SIDE; r++) {
#pragma unroll
            for (int s = 0; s < SIDE; s++)
                c.c[r][s] = c_nmacc(c.c[r][s], a[r], b[s]);
        }
    }
}

/* x = -c and its mirror; false if an element is not finite. */
static __device__ __forceinline__ bool place_inverse(int n_tx, int i, int j, const tile &t,
                                                     lte_cplx *x)
{
    bool finite = true;
#pragma unroll
    for (int r = 0; r < SIDE; r++) {
#pragma unroll
        for (int s = 0; s < SIDE; s++) {
            const int row = i * SIDE + r, column = j * SIDE + s;
            lte_cplx e = c_neg(t.c[r][s]);
            if (column > row)
                continue;
            if (column == row)
                e.im = 0.0f;
            finite = finite && r_finite(e.re) && r_finite(e.im);
            x[(column * n_tx + row) * SUBS] = c_conj(e);
            x[(row * n_tx + column) * SUBS] = e;
        }
    }
    return finite;
}

/*
 * Loaded tiles of H'H to x [n_tx][n_tx] of their subcarrier. memory: of the block, work and then x;
 * bad: becomes 1 where there is no finite inverse.
 */
static __device__ __forceinline__ void invert(int n_tx, const share &s, lte_cplx *memory,
                                              lte_cplx *diagonal, tile (&c)[2], uint32_t *bad)
{
    const int n_tiles = n_tx / SIDE, n_p = (int)blockDim.x / SUBS;
    for (int k = 0; k < n_tiles; k++) {
        lte_cplx *const panel = memory + k % 2 * SIDE * n_tx * SUBS + s.u; /* one barrier fewer */
#pragma unroll
        for (int e = 0; e < 2; e++) {
            if (s.own[e] && s.j[e] < n_tiles)
                publish(n_tx, k, s.i, s.j[e], panel, diagonal, c[e]);
        }
        __syncthreads();
        for (int row = s.p; row < n_tx; row += n_p) {
            if (!solve(n_tx, k, row, diagonal, panel) && row == k * SIDE)
                atomicOr(bad, 1u);
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 2; e++) {
            if (s.own[e] && s.j[e] < n_tiles)
                correct(n_tx, s.i, s.j[e], panel, c[e]);
        }
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 2; e++) {
        if (s.own[e] && s.j[e] < n_tiles && !place_inverse(n_tx, s.i, s.j[e], c[e], memory + s.u))
            atomicOr(bad, 1u);
    }
    __syncthreads();
}

/* A block's memory: what it makes and, until then, work. */
struct made {
    lte_cplx *x, *diagonal; /* x [n_tx][n_tx][SUBS], undefined where bad */
    lte_cplx *z;            /* [7][n_tx][SUBS] */
    uint32_t *bad;          /* [SUBS] 1: no finite inverse */
};

static __device__ __forceinline__ made made_in(unsigned char *memory, int n_tx)
{
    const parts p = parts_of(n_tx);
    return {(lte_cplx *)memory, (lte_cplx *)(memory + p.diagonal), (lte_cplx *)(memory + p.z),
            (uint32_t *)(memory + p.bad)};
}

/*
 * Makes them; all threads of the block must be here.
 *
 *   h, y      planes of a slot from the block's first subcarrier on
 *   n_live    subcarriers left of them
 *   loading   of the thread's subcarrier
 */
template <int WIDE>
static __device__ __forceinline__ void invert_planes(const lte_link &link, const lte_cplx *h,
                                                     const lte_cplx *y, int n_live, float loading,
                                                     const share &s, const made &to)
{
    const int n_tx = link.n_tx, n_tiles = n_tx / SIDE;
    tile c[2];
    if (threadIdx.x < SUBS)
        to.bad[threadIdx.x] = 0;
    products<WIDE>(link, h, y, n_live, s, to.x, c);
#pragma unroll
    for (int e = 0; e < 2; e++) {
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            if (s.j[e] == s.i) {
                c[e].c[i][i].re = c[e].c[i][i].re + loading;
                c[e].c[i][i].im = 0.0f;
            }
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                const int symbol = (s.j[e] - n_tiles) * SIDE + j;
                if (s.own[e] && symbol >= 0 && symbol < LTE_SLOT_SYMBOLS)
                    to.z[(symbol * n_tx + s.i * SIDE + i) * SUBS + s.u] = c[e].c[i][j];
            }
        }
    }
    invert(n_tx, s, to.x, to.diagonal + s.u, c, &to.bad[s.u]);
}

} // namespace fused

#endif
