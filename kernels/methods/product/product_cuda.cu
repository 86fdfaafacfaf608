/*
 * Products of matrices on a device (kernels/methods/product/product.h). The sums are those of the
 * plain loops, one after the other in k, so what versions differ in is where operands wait.
 *
 *   1  a thread array over c, as published: every operand comes from memory
 *   2  a block has BM x BN elements of c, a thread TM x TN of them in registers; panels of BK
 *      values of k wait in shared memory, the next one in registers. Both panels lie [k][row or
 *      column], so that a thread reads 16 bytes at a time; conjugated numbers are stored so.
 *      Operands come 16 bytes at a time along whichever dimension lies contiguous, or one element
 *      at a time where sizes or parts are not whole numbers of them. A thread of 128 sums issues
 *      seven fused multiply-adds in eight instructions; 0.86 (complex 0.88) of cuBLAS's rate at
 *      4096 on one H200, in every storage order. Copies past the registers (cp.async) gave 0.62:
 *      those of a turned panel go element by element.
 *
 * Version 2 takes dimensions of one stride, or of parts of one size; what is stored in other ways
 * takes version 1.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/array/array_build.h"
#include "kernels/methods/product/product_cuda.h"
#include "kernels/methods/product/product_part.h"
#include "kernels/methods/product/threads.cuh"

struct plain_product {
    product_work w;
    __device__ void operator()(const lte_threads &threads, int64_t tid) const
    {
        product_part(&threads, tid, &w);
    }
};

lte_status lte_product_on_cuda(const lte_threads *threads, const lte_product *p, const void *d_a,
                               const void *d_b, void *d_c, cudaStream_t stream)
{
    plain_product body = {{*p, {0, 0, 0, 0}, d_a, d_b, d_c}};
    lte_status status = lte_product_check(p, &body.w.size);
    if (!status)
        status = lte_product_memory_check(p, true, d_a, d_b, d_c);
    return status ? status : detour_cuda(threads, body, stream);
}

/* A dimension in parts: element i lies at i / part * part_stride + i % part * stride. */
struct axis {
    uint32_t n, part; /* part == n: there is one */
    int64_t stride, part_stride;
};

static __host__ __device__ __forceinline__ int64_t axis_at(const axis &x, uint32_t i)
{
    return x.part == x.n ? i * x.stride : i / x.part * x.part_stride + i % x.part * x.stride;
}

/* op(a), or op(b) with its rows and columns exchanged: [across][k]. */
struct operand {
    axis batch, across, k;
    const void *x;
    bool h;       /* conjugated */
    bool along_k; /* whole accesses run along k, else across */
};

/* c, and the order of blocks over it. */
struct target {
    axis batch, row, column;
    void *x;
    bool wide;             /* rows take 16 bytes at a time */
    uint32_t down, across; /* blocks of a column and of a row */
};

/* PER elements, one access. */
template <class ELEMENT, int PER> struct alignas(PER * sizeof(ELEMENT)) word {
    ELEMENT e[PER];
};

static __device__ __forceinline__ float mac(float s, float x, float y)
{
    return r_fma(x, y, s);
}
static __device__ __forceinline__ lte_cplx mac(lte_cplx s, lte_cplx x, lte_cplx y)
{
    return c_mac(s, x, y);
}
static __device__ __forceinline__ float conjugate(float x)
{
    return x;
}
static __device__ __forceinline__ lte_cplx conjugate(lte_cplx x)
{
    return c_conj(x);
}

/* What a block and a thread have. */
template <class E, int M, int N, int K, int ROWS, int COLUMNS> struct tile {
    typedef E element;
    enum {
        BM = M,
        BN = N,
        BK = K,
        TM = ROWS,
        TN = COLUMNS,
        DOWN = M / ROWS, /* threads of a column */
        ACROSS = N / COLUMNS,
        THREADS = DOWN * ACROSS,
        WIDE = 16 / sizeof(E), /* elements of an access to shared memory */
        REGISTERS = ROWS * COLUMNS * sizeof(E) / 4 > 64 ? 256 : 128, /* of a thread, at most */
        BLOCKS = 65536 / REGISTERS / THREADS,                        /* of a multiprocessor */
        PAD = WIDE, /* of a row: what is stored turned meets few bank conflicts */
        /* unrolled: all, unless code of that length does not stay in the nearest cache */
        STEPS = ROWS * COLUMNS < 128 ? K : 4
    };
};

/*
 * A thread's share of a panel of SIDE elements across and BK of k, read PER at a time: loaded into
 * registers, and later stored to shared memory.
 */
template <class TILE, int SIDE, int PER> struct panel {
    typedef typename TILE::element element;
    typedef word<element, PER> access;
    enum {
        BK = TILE::BK,
        THREADS = TILE::THREADS,
        N = SIDE * BK / PER / THREADS, /* accesses of a thread */
        PITCH = SIDE + TILE::PAD
    };
    static_assert(SIDE * BK % (PER * THREADS) == 0, "whole accesses for every thread");
    access in[N];
    uint32_t at[N];      /* offsets of its accesses from the panel's first element */
    const element *next; /* the first element of the panel to load */
    uint32_t left;       /* values of k from there to the end of their part */

    /* Access i begins at element `across` of the block's, k of the panel's. */
    static __device__ __forceinline__ uint32_t across(const operand &o, int i)
    {
        const uint32_t e = threadIdx.x + i * THREADS;
        return o.along_k ? e / (BK / PER) : e % (SIDE / PER) * PER;
    }
    static __device__ __forceinline__ uint32_t k(const operand &o, int i)
    {
        const uint32_t e = threadIdx.x + i * THREADS;
        return o.along_k ? e % (BK / PER) * PER : e / (SIDE / PER);
    }
    /* x: the batch; what would begin behind the last element takes that one, for sums unused. */
    __device__ __forceinline__ void begin(const operand &o, const element *x, uint32_t first)
    {
        const uint32_t last = o.across.n - (o.along_k ? 1 : PER);
        LTE_UNROLL
        for (int i = 0; i < N; i++)
            at[i] = (uint32_t)(axis_at(o.across, min(first + across(o, i), last)) +
                               k(o, i) * o.k.stride);
        next = x;
        left = o.k.part;
    }
    /* Loads the panel that begins at k0, none of it beyond k; parts of k are whole panels. */
    __device__ __forceinline__ void load(const operand &o, uint32_t k0)
    {
        LTE_UNROLL
        for (int i = 0; i < N; i++) {
            if (k0 + k(o, i) < o.k.n)
                in[i] = *(const access *)&next[at[i]];
        }
        next += BK * o.k.stride;
        left -= BK;
        if (left == 0) {
            next += o.k.part_stride - o.k.part * o.k.stride;
            left = o.k.part;
        }
    }
    __device__ __forceinline__ void store(const operand &o, element *s) const
    {
        LTE_UNROLL
        for (int i = 0; i < N; i++) {
            access out = in[i];
            LTE_UNROLL
            for (int p = 0; p < PER && o.h; p++)
                out.e[p] = conjugate(out.e[p]);
            element *const to = &s[k(o, i) * PITCH + across(o, i)];
            if (o.along_k) {
                LTE_UNROLL
                for (int p = 0; p < PER; p++)
                    to[p * PITCH] = out.e[p];
            } else {
                *(access *)to = out;
            }
        }
    }
};

/* A thread's elements of a panel's row, s being its first: element p of group g is g * STEP + p. */
template <class TILE, int N, int STEP>
static __device__ __forceinline__ void read_panel(const typename TILE::element *s,
                                                  typename TILE::element *x)
{
    LTE_UNROLL
    for (int g = 0; g < N / TILE::WIDE; g++) {
        const auto w = *(const word<typename TILE::element, TILE::WIDE> *)&s[g * STEP];
        LTE_UNROLL
        for (int p = 0; p < TILE::WIDE; p++)
            x[g * TILE::WIDE + p] = w.e[p];
    }
}

/* Block index to block of c: eight blocks down before the next column, so that what runs at a time
 * shares its panels. */
static __device__ __forceinline__ void place_of(const target &c, uint32_t block, uint32_t *i,
                                                uint32_t *j)
{
    enum { GROUP = 8 };
    const uint32_t first = block / (GROUP * c.across) * GROUP;
    const uint32_t rows = min(c.down - first, (uint32_t)GROUP);
    const uint32_t in_group = block - first * c.across;
    *i = first + in_group % rows;
    *j = in_group / rows;
}

template <class TILE, int PER>
static __global__ void __launch_bounds__(TILE::THREADS, TILE::BLOCKS)
    product_kernel2(const __grid_constant__ operand a, const __grid_constant__ operand b,
                    const __grid_constant__ target c)
{
    typedef typename TILE::element element;
    typedef panel<TILE, TILE::BM, PER> panel_a;
    typedef panel<TILE, TILE::BN, PER> panel_b;
    enum { BK = TILE::BK, WIDE = TILE::WIDE, TM = TILE::TM, TN = TILE::TN, STEPS = TILE::STEPS };
    __shared__ alignas(16) element s_a[2][BK * panel_a::PITCH];
    __shared__ alignas(16) element s_b[2][BK * panel_b::PITCH];
    uint32_t block_i, block_j;
    const uint32_t n_blocks = c.down * c.across, batch = blockIdx.x / n_blocks;
    place_of(c, blockIdx.x % n_blocks, &block_i, &block_j);
    const element *const x_a = (const element *)a.x + axis_at(a.batch, batch);
    const element *const x_b = (const element *)b.x + axis_at(b.batch, batch);
    /* a warp has 4 x 8 threads (2 x 16 of a narrow block), so that it reads few different words */
    enum { W = TILE::ACROSS < 8 ? (int)TILE::ACROSS : 8, H = 32 / W, WARPS = TILE::ACROSS / W };
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i_first = (warp / WARPS * H + lane / W) * WIDE;
    const int j_first = (warp % WARPS * W + lane % W) * WIDE;
    element sum[TM][TN];
    LTE_UNROLL
    for (int i = 0; i < TM; i++) {
        LTE_UNROLL
        for (int j = 0; j < TN; j++)
            sum[i][j] = element{};
    }
    panel_a in_a;
    panel_b in_b;
    in_a.begin(a, x_a, block_i * TILE::BM);
    in_b.begin(b, x_b, block_j * TILE::BN);
    in_a.load(a, 0);
    in_b.load(b, 0);
    in_a.store(a, s_a[0]);
    in_b.store(b, s_b[0]);
    __syncthreads();
    const uint32_t n_k = a.k.n;
    int now = 0;
    for (uint32_t k0 = 0; k0 < n_k; k0 += BK, now ^= 1) {
        const bool more = k0 + BK < n_k;
        if (more) {
            in_a.load(a, k0 + BK);
            in_b.load(b, k0 + BK);
        }
        const auto step = [&](int k) {
            element x[TM], y[TN];
            read_panel<TILE, TM, TILE::DOWN * WIDE>(&s_a[now][k * panel_a::PITCH + i_first], x);
            read_panel<TILE, TN, TILE::ACROSS * WIDE>(&s_b[now][k * panel_b::PITCH + j_first], y);
            LTE_UNROLL
            for (int i = 0; i < TM; i++) {
                LTE_UNROLL
                for (int j = 0; j < TN; j++)
                    sum[i][j] = mac(sum[i][j], x[i], y[j]);
            }
        };
        if (k0 + BK <= n_k) {
#pragma unroll STEPS
            for (int k = 0; k < BK; k++)
                step(k);
        } else { /* no more products than there are: a zero of either sign would stay as it is */
#pragma unroll 1
            for (uint32_t k = 0; k < n_k - k0; k++)
                step((int)k);
        }
        if (more) {
            in_a.store(a, s_a[now ^ 1]);
            in_b.store(b, s_b[now ^ 1]);
            __syncthreads();
        }
    }
    element *const x_c = (element *)c.x + axis_at(c.batch, batch);
    LTE_UNROLL
    for (int i = 0; i < TM; i++) {
        const uint32_t row =
            block_i * TILE::BM + i / WIDE * (TILE::DOWN * WIDE) + i_first + i % WIDE;
        if (row >= c.row.n)
            continue;
        element *const to = x_c + axis_at(c.row, row);
        LTE_UNROLL
        for (int g = 0; g < TN / WIDE; g++) {
            const uint32_t column = block_j * TILE::BN + g * (TILE::ACROSS * WIDE) + j_first;
            if (c.wide && column < c.column.n) {
                word<element, WIDE> out;
                LTE_UNROLL
                for (int p = 0; p < WIDE; p++)
                    out.e[p] = sum[i][g * WIDE + p];
                *(word<element, WIDE> *)&to[axis_at(c.column, column)] = out;
            }
            LTE_UNROLL
            for (int p = 0; p < WIDE && !c.wide; p++) {
                if (column + p < c.column.n)
                    to[axis_at(c.column, column + p)] = sum[i][g * WIDE + p];
            }
        }
    }
}

/* A dimension as an axis; false if it has more than one size of parts. d: -1 for one element. */
static bool axis_of(const lte_array *a, int d, axis *x)
{
    lte_dim digit[LTE_ARRAY_DIMS] = LTE_ZEROS;
    const int n = d < 0 ? 0 : lte_dim_digits(a, d, digit);
    if (n > 2 || (d >= 0 && a->dim[d].size > INT32_MAX))
        return false;
    x->n = d < 0 ? 1 : (uint32_t)a->dim[d].size;
    x->part = n == 2 ? (uint32_t)digit[1].size : x->n;
    x->stride = n == 0 ? 0 : digit[n - 1].stride;
    x->part_stride = n == 2 ? digit[0].stride : 0;
    return true;
}

/* True where elements come PER at a time along x: from the start of each part, and all in it. */
static bool runs(const axis &x, unsigned per)
{
    return (x.stride == 1 || x.n == 1) && x.n % per == 0 && x.part % per == 0 &&
           x.part_stride % per == 0;
}
/* True where a step along x keeps such an access where it may be. */
static bool steps(const axis &x, unsigned per)
{
    return x.stride % per == 0 && x.part_stride % per == 0;
}

/* True if the operand can be read PER elements at a time, and o->along_k says how. */
static bool reads_wide(operand *o, unsigned per)
{
    if (!steps(o->batch, per) || !on_16_bytes(o->x))
        return false;
    o->along_k = !(runs(o->across, per) && steps(o->k, per));
    return !o->along_k || (runs(o->k, per) && steps(o->across, per));
}

/* One product as version 2 sees it. */
struct tiled {
    operand a, b;
    target c;
    bool is_wide;
};

/* False for types that it does not take; deep: BK of all tiles. */
static bool tiled_of(const lte_product *p, const void *a, const void *b, void *c, unsigned deep,
                     tiled *t)
{
    const lte_matrix_dims da = lte_matrix_dims_of(&p->a), db = lte_matrix_dims_of(&p->b),
                          dc = lte_matrix_dims_of(&p->c);
    const unsigned wide = p->c.element == LTE_FLOAT ? 4 : 2;
    bool fits = axis_of(&p->a, da.batch, &t->a.batch) && axis_of(&p->b, db.batch, &t->b.batch) &&
                axis_of(&p->c, dc.batch, &t->c.batch) &&
                axis_of(&p->a, p->a_h ? da.column : da.row, &t->a.across) &&
                axis_of(&p->a, p->a_h ? da.row : da.column, &t->a.k) &&
                axis_of(&p->b, p->b_h ? db.row : db.column, &t->b.across) &&
                axis_of(&p->b, p->b_h ? db.column : db.row, &t->b.k) &&
                axis_of(&p->c, dc.row, &t->c.row) && axis_of(&p->c, dc.column, &t->c.column);
    operand *const both[] = {&t->a, &t->b};
    for (int i = 0; i < 2 && fits; i++) {
        const axis &k = both[i]->k;
        fits = k.part == k.n || k.part % deep == 0;
    }
    /* offsets within a matrix are of 32 bits */
    fits = fits && lte_array_room(&p->a) <= UINT32_MAX && lte_array_room(&p->b) <= UINT32_MAX;
    if (!fits)
        return false;
    t->a.x = a;
    t->b.x = b;
    t->c.x = c;
    t->a.h = p->a_h;
    t->b.h = p->b_h;
    t->is_wide = reads_wide(&t->a, wide);
    t->is_wide = reads_wide(&t->b, wide) && t->is_wide;
    for (int i = 0; i < 2 && !t->is_wide; i++)
        both[i]->along_k = both[i]->k.stride == 1;
    t->c.wide = runs(t->c.column, wide) && steps(t->c.row, wide) && steps(t->c.batch, wide) &&
                on_16_bytes(c);
    return true;
}

template <class TILE, class UNEVEN = TILE>
static lte_status launch(tiled *t, int64_t n_batches, cudaStream_t stream)
{
    static_assert((int)TILE::BM == (int)UNEVEN::BM && (int)TILE::BN == (int)UNEVEN::BN, "blocks");
    t->c.down = (uint32_t)blocks_of(t->c.row.n, TILE::BM);
    t->c.across = (uint32_t)blocks_of(t->c.column.n, TILE::BN);
    const int64_t n_blocks = (int64_t)t->c.down * t->c.across;
    if (n_blocks > INT32_MAX / n_batches)
        return LTE_FAIL(LTE_EINVAL, "%lld products of %u x %u are too many", (long long)n_batches,
                        t->c.row.n, t->c.column.n);
    const unsigned grid = (unsigned)(n_blocks * n_batches);
    if (t->is_wide)
        product_kernel2<TILE, TILE::WIDE><<<grid, TILE::THREADS, 0, stream>>>(t->a, t->b, t->c);
    else
        product_kernel2<UNEVEN, 1><<<grid, UNEVEN::THREADS, 0, stream>>>(t->a, t->b, t->c);
    return LTE_LAUNCHED(product_kernel2);
}

enum { DEEP = 16 };
typedef tile<float, 128, 128, DEEP, 16, 8> large_float;
typedef tile<float, 128, 128, DEEP / 2, 8, 8> uneven_float; /* by elements: more addresses */
typedef tile<float, 64, 64, DEEP, 8, 4> medium_float;
typedef tile<float, 32, 32, DEEP, 4, 4> small_float;
typedef tile<lte_cplx, 128, 128, DEEP / 2, 8, 8> large_complex;
typedef tile<lte_cplx, 64, 64, DEEP, 4, 4> medium_complex;
typedef tile<lte_cplx, 32, 32, DEEP, 4, 2> small_complex;
typedef tile<lte_cplx, 16, 16, DEEP, 2, 2> least_complex;

/* Large tiles that keep a device busy. */
enum { ENOUGH = 120 };

static bool fills(const lte_product_size &s, int rows, int columns)
{
    return s.n_batches * ((s.m + rows / 2) / rows) * ((s.n + columns / 2) / columns) >= ENOUGH;
}

static lte_status launch_tiled(const lte_product *p, const lte_product_size &size, tiled *t,
                               cudaStream_t stream)
{
    const int64_t most = size.m > size.n ? size.m : size.n;
    if (p->c.element == LTE_FLOAT) {
        if (fills(size, large_float::BM, large_float::BN))
            return launch<large_float, uneven_float>(t, size.n_batches, stream);
        return most > 32 ? launch<medium_float>(t, size.n_batches, stream)
                         : launch<small_float>(t, size.n_batches, stream);
    }
    if (fills(size, large_complex::BM, large_complex::BN))
        return launch<large_complex>(t, size.n_batches, stream);
    if (most > 32)
        return launch<medium_complex>(t, size.n_batches, stream);
    return most > 16 ? launch<small_complex>(t, size.n_batches, stream)
                     : launch<least_complex>(t, size.n_batches, stream);
}

lte_status lte_product_cuda(int version, const lte_product *p, const void *d_a, const void *d_b,
                            void *d_c, cudaStream_t stream)
{
    lte_product_size size;
    lte_status status = lte_product_check(p, &size);
    if (!status)
        status = lte_product_memory_check(p, true, d_a, d_b, d_c);
    if (status)
        return status;
    if (version < 1 || version > 2)
        return LTE_FAIL(LTE_EINVAL, "version=%d (1 or 2)", version);
    tiled t;
    if (version == 2 && tiled_of(p, d_a, d_b, d_c, DEEP, &t))
        return launch_tiled(p, size, &t, stream);
    lte_threads threads;
    status = lte_threads_parse(&threads, "cuda [%d][%d]", (int)(size.m < 65536 ? size.m : 65536),
                               (int)(size.n < 256 ? size.n : 256));
    return status ? status : lte_product_on_cuda(&threads, p, d_a, d_b, d_c, stream);
}
