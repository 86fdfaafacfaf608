/*
 * Large arrays on a device: slots from planes to packed bits in one kernel, for detectors that
 * solve and the inverter cholesky-delayed. H and y are read once, where they lie, and nothing but
 * bits is written; the bits are those of the stages (large_cuda.cu, large_detect_cuda.cu).
 *
 * A block has SUBS subcarriers, which lie side by side in every plane, and for each of them some
 * threads. A thread holds a pair of tiles of 4 x 4 sums over antennas, conj(h_ri) b_rj, b the
 * columns of H and then those of y: tiles of the lower triangle of H'H and of the matched filter
 * H'y come out of one loop, which reads H and y from shared memory, whereto they are copied a few
 * antennas ahead.
 *
 *   products   H'H and H'y in registers; H'y goes to shared memory, z
 *   invert     X = (H'H + loading I)^-1 by the sweep of methods/inverse_cholesky_cuda.cu, by blocks
 *              of 4 columns; the loop over k and each operation are those of phy/cholesky.h
 *   decide     X z, a layer a thread, its labels, and bits
 */
#include <cuda_pipeline_primitives.h>

#include "kernels/large.cuh"
#include "kernels/pack.cuh"
#include "phy/solving.h"

namespace
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

struct fused_args {
    lte_link link;
    lte_noise noise;
    residuals residual;
    float loading; /* of the detector's row */
    lte_slot_memory memory;
    uint64_t first;
};

/* Elements of ROWS antennas, and of a column of y that is nobody's. */
__host__ __device__ int stage_of(int n_tx)
{
    return (ROWS * (n_tx + LTE_SLOT_SYMBOLS) + 1) * SUBS;
}

/* Shared memory of a block: where its parts begin, in bytes. Of each, subcarriers lie side by side. */
struct fused_parts {
    size_t diagonal; /* [SIDE][SIDE] behind two panels [SIDE][n_tx] */
    size_t z;        /* [7][n_tx] behind the largest of what takes turns */
    size_t bad, labels, all;
};

__host__ __device__ fused_parts fused_parts_of(int n_tx)
{
    const size_t line = SUBS * sizeof(lte_cplx), n = (size_t)n_tx;
    const size_t stages = STAGES * (size_t)stage_of(n_tx) * sizeof(lte_cplx), x = n * n * line;
    fused_parts p;
    p.diagonal = 2 * SIDE * n * line;
    const size_t panels = p.diagonal + SIDE * SIDE * line;
    const size_t larger = stages > panels ? stages : panels;
    p.z = x > larger ? x : larger;
    p.bad = p.z + LTE_SLOT_SYMBOLS * n * line;
    p.labels = p.bad + SUBS * sizeof(uint32_t);
    p.all = p.labels + LTE_SLOT_SYMBOLS * (SUBS * n + 32);
    return p;
}

/* Tiles of row i of tiles: those of H'H up to the diagonal, then those of H'y. */
__host__ __device__ int tiles_of_row(int i)
{
    return i + 1 + Y_TILES;
}

/* Threads of a subcarrier: one for each pair of tiles. */
__host__ __device__ int pairs_of(int n_tx)
{
    int n = 0;
    for (int i = 0; i < n_tx / SIDE; i++)
        n += (tiles_of_row(i) + 1) / 2;
    return n;
}

/*
 * Threads of a subcarrier. Where a multiprocessor has one block only, a thread a layer as well: rows
 * of a panel and layers to decide take one round.
 */
int threads_of(int n_tx)
{
    const int n = pairs_of(n_tx), half = MOST_THREADS / SUBS / 2;
    return n > half && n < n_tx ? n_tx : n;
}

/* A thread's place. */
struct share {
    int u, p;    /* subcarrier of the block; which of its threads */
    int i;       /* row of tiles */
    int j[2];    /* columns of tiles: from n_tx / SIDE on those of y */
    bool own[2]; /* there are such tiles */
};

__device__ __forceinline__ share share_of(int n_tx, int t)
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

__device__ __forceinline__ void clear(tile &t)
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
__device__ __forceinline__ void fetch(const copier<WIDE> &by, const lte_cplx *planes, int n_sc,
                                      int n, int first, int count, lte_cplx *to)
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
__device__ __forceinline__ void add_products(const lte_cplx *h, const lte_cplx *const (&columns)[2],
                                             tile (&c)[2])
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
__device__ __forceinline__ void products(const lte_link &link, const lte_cplx *h, const lte_cplx *y,
                                         int n_live, const share &s, lte_cplx *stages, tile (&c)[2])
{
    const int n_tx = link.n_tx, n_rx = link.n_rx, n_sc = link.n_sc, n_tiles = n_tx / SIDE;
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

/* A tile of block row or block column k leaves for the panel or the diagonal block: it becomes 0. */
__device__ __forceinline__ void publish(int n_tx, int k, int i, int j, lte_cplx *panel,
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
__device__ __forceinline__ bool factor(const lte_cplx *diagonal, lte_cplx (&l)[SIDE][SIDE],
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
__device__ __forceinline__ bool solve(int n_tx, int k, int row, const lte_cplx *diagonal,
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
__device__ __forceinline__ void correct(int n_tx, int i, int j, const lte_cplx *panel, tile &c)
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
__device__ __forceinline__ bool place_inverse(int n_tx, int i, int j, const tile &t, lte_cplx *x)
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
 * bad: set to 1 where there is no finite inverse.
 */
__device__ __forceinline__ void invert(int n_tx, const share &s, lte_cplx *memory,
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
                *bad = 1;
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
            *bad = 1;
    }
    __syncthreads();
}

/* Labels of layer k in all symbols: gain x_k z; z [7][n_tx], x [n_tx][n_tx] of one subcarrier. */
__device__ __forceinline__ void decide(const lte_link &link, int k, float loading, bool bad,
                                       const lte_cplx *x, const lte_cplx *z,
                                       uint32_t (&label)[LTE_SLOT_SYMBOLS])
{
    const int n_tx = link.n_tx;
    lte_cplx s[LTE_SLOT_SYMBOLS];
#pragma unroll
    for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
        s[i] = c_zero();
#pragma unroll 4
    for (int j = 0; j < n_tx; j++) {
        const lte_cplx element = x[(k * n_tx + j) * SUBS];
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
            s[i] = c_mac(s[i], element, z[(i * n_tx + j) * SUBS]);
    }
    const float gain = lte_solving_gain(loading, x[(k * n_tx + k) * SUBS].re);
#pragma unroll
    for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
        s[i] = bad ? c_zero() : c_scale(s[i], gain);
    demap(LTE_SLOT_SYMBOLS, link.n_bits, s, label);
}

/* Grid: blocks of subcarriers x, slots y. WIDE: subcarriers that are copied together. */
template <int WIDE>
__global__ void __launch_bounds__(MOST_THREADS) fused_kernel(const __grid_constant__ fused_args a)
{
    extern __shared__ __align__(16) unsigned char block_memory[];
    const lte_link &link = a.link;
    const int n_tx = link.n_tx, n_sc = link.n_sc, n_tiles = n_tx / SIDE;
    const int t = (int)threadIdx.x, n_threads = (int)blockDim.x;
    const fused_parts parts = fused_parts_of(n_tx);
    lte_cplx *const memory = (lte_cplx *)block_memory;
    lte_cplx *const z = (lte_cplx *)(block_memory + parts.z);
    uint32_t *const bad = (uint32_t *)(block_memory + parts.bad);
    uint8_t *const labels = block_memory + parts.labels;
    const int n_labels = SUBS * n_tx + 32, sc0 = (int)blockIdx.x * SUBS, slot = (int)blockIdx.y;
    const share s = share_of(n_tx, t);
    const int sc = sc0 + s.u, unit = slot * n_sc + (sc < n_sc ? sc : n_sc - 1);
    const uint64_t number = a.first + (uint64_t)slot;
    tile c[2];
    for (int i = t; i < LTE_SLOT_SYMBOLS * n_labels; i += n_threads)
        labels[i] = 0;
    if (t < SUBS)
        bad[t] = 0;
    products<WIDE>(link, (const lte_cplx *)lte_slot_memory_h(&link, &a.memory, number) + sc0,
                   (const lte_cplx *)lte_slot_memory_y(&link, &a.memory, number) + sc0, n_sc - sc0,
                   s, memory, c);
    const float loading = a.loading * unit_n0(link, a.noise, a.residual, unit);
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
                    z[(symbol * n_tx + s.i * SIDE + i) * SUBS + s.u] = c[e].c[i][j];
            }
        }
    }
    invert(n_tx, s, memory, (lte_cplx *)(block_memory + parts.diagonal) + s.u, c, &bad[s.u]);
    for (int k = s.p; k < n_tx; k += n_threads / SUBS) {
        uint32_t label[LTE_SLOT_SYMBOLS];
        decide(link, k, loading, bad[s.u] != 0, memory + s.u, z + s.u, label);
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++) {
            if (i != link.pilot && sc < n_sc)
                labels[i * n_labels + s.u * n_tx + k] = (uint8_t)label[i];
        }
    }
    __syncthreads();
    write_labels(link.n_bits, labels, n_labels, LTE_SLOT_SYMBOLS, n_tx, sc0,
                 n_sc - sc0 < SUBS ? n_sc - sc0 : SUBS, lte_slot_memory_bits(&a.memory, number),
                 a.memory.row_bytes, t, n_threads);
}

} // namespace

/*
 * The choice. Other detectors and inverters and small arrays have other operations, a channel that
 * moves seven matrices a subcarrier; orders up to MOST_TX whose threads are a block's, if the
 * device has the shared memory. There it always wins: FIGURES
 */
bool lte_large_fuses(const lte_link *link, int detector)
{
    int device = 0, shared = 0;
    if (!solves(detector) || !LTE_IS_LARGE(link->n_rx, link->n_tx) || link->n_csi > 1 ||
        link->inverter != LTE_INVERTER_cholesky_delayed || link->n_tx > MOST_TX ||
        link->n_tx % SIDE != 0)
        return false;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        (void)cudaGetLastError();
    return fused_parts_of(link->n_tx).all <= (size_t)shared;
}

lte_status lte_large_fused_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                cudaStream_t stream)
{
    const fused_args a = {*link,
                          job->noise,
                          residuals_of(d_residual, first, job->memory.n_h_in),
                          lte_detector_rows[job->detector].loading,
                          job->memory,
                          first};
    const bool wide =
        link->n_sc % 2 == 0 && on_16_bytes(job->memory.h) && on_16_bytes(job->memory.y);
    const auto kernel = wide ? fused_kernel<2> : fused_kernel<1>;
    const size_t bytes = fused_parts_of(link->n_tx).all;
    const int threads = blocks_of(threads_of(link->n_tx) * SUBS, WARP) * WARP;
    const lte_status status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)blocks_of(link->n_sc, SUBS), (unsigned)n_slots);
    kernel<<<grid, (unsigned)threads, bytes, stream>>>(a);
    return LTE_LAUNCHED(fused_kernel);
}
