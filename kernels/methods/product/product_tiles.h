#ifndef LTE_KERNELS_METHODS_PRODUCT_TILES_H
#define LTE_KERNELS_METHODS_PRODUCT_TILES_H
/*
 * The product in register tiles, one text for the file of one instruction set:
 *
 *     #define LTE_REAL_HEADER "kernels/base/real_v3.h"
 *     #include "kernels/methods/product/product_tiles.h"
 *     const lte_product_level lte_product_v3 = LTE_PRODUCT_LEVEL("cpu:v3", lte_has_v3);
 *
 * A thread takes blocks of MB x NB elements of c. Of KC values of k at a time it copies its part of
 * op(a) and op(b), from whatever storage order, to the order in which tiles of MR x NR read them,
 * real and imaginary parts apart; conjugated numbers are copied so. Sums wait in work memory for
 * the next KC, and go to c's storage order at the end. What is copied beyond an edge is zero and
 * only meets sums that nobody stores.
 */

#include <omp.h>
#include <string.h>

#include "kernels/base/levels.h"
#include "kernels/methods/product/product.h"
#include "phy/base/cplx.h"

/* Tiles that fit the registers: 16 vectors of AVX2, 32 of AVX-512 and NEON. */
enum {
    KC = 192,
    MB = 240,
    NB = 512,
    MR = LTE_WIDTH == 1   ? 4
         : LTE_WIDTH == 8 ? 6
                          : 12,  /* rows of a real tile */
    CR = MR / 2,                 /* of a complex one */
    NV = LTE_WIDTH == 1 ? 4 : 2, /* vectors of a row */
    NR = NV * LTE_WIDTH
};

/* One thread's work memory; PARTS: real and imaginary. */
enum { PARTS = 2 };
typedef struct {
    _Alignas(64) float a[MB * KC * PARTS]; /* [tile][k][part][row of the tile] */
    _Alignas(64) float b[NB * KC * PARTS]; /* [tile][k][part][column of the tile] */
    _Alignas(64) float c[MB * NB * PARTS]; /* [tile][tile][row][part][column] */
    int64_t i_at[MB], j_at[NB], k_at[KC];  /* offsets by index */
} tile_work;

/* Offsets of elements by index. */
typedef struct {
    int n;
    const int64_t *at; /* [n] */
} offsets;

/* Those of n elements of dimension d from the first on, which go to at. */
static offsets offsets_of(const lte_array *a, int d, int64_t first, int n, int64_t *at)
{
    for (int i = 0; i < n; i++)
        at[i] = lte_dim_at(a, d, first + i);
    return (offsets){n, at};
}

/* One number to its place of a tile, zero beyond the edge. */
LTE_INLINE void pack_one(int parts, bool h, int side, bool inside, const float *from, float *to)
{
    for (int part = 0; part < parts; part++) {
        const float x = inside ? from[part] : 0.0f;
        to[part * side] = h && part == 1 ? -x : x;
    }
}

/*
 * The elements of one index at the values of another, k, to tiles of `side`: to
 * [tile][k][part][side]; read along whichever of the two lies closer.
 */
LTE_INLINE void pack_parts(int parts, bool h, int side, offsets across, offsets ks,
                           const float *from, float *to)
{
    const int n_across = across.n, n_k = ks.n;
    const int64_t *const at = across.at, *const k_at = ks.at;
    const bool along_k = n_across < 2 || (n_k > 1 && k_at[1] - k_at[0] < at[1] - at[0]);
    for (int first = 0; first < n_across; first += side) {
        float *const tile = to + (ptrdiff_t)first * KC * parts;
        for (int i = 0; i < side && along_k; i++) {
            const bool inside = first + i < n_across;
            const float *const row = from + (inside ? at[first + i] : 0) * parts;
            for (int k = 0; k < n_k; k++)
                pack_one(parts, h, side, inside, row + k_at[k] * parts,
                         tile + (ptrdiff_t)k * parts * side + i);
        }
        for (int k = 0; k < n_k && !along_k; k++) {
            const float *const row = from + k_at[k] * parts;
            for (int i = 0; i < side; i++) {
                const bool inside = first + i < n_across;
                pack_one(parts, h, side, inside, row + (inside ? at[first + i] : 0) * parts,
                         tile + (ptrdiff_t)k * parts * side + i);
            }
        }
    }
}

static void pack(int parts, bool h, int side, offsets across, offsets ks, const float *from,
                 float *to)
{
    if (parts == 1)
        pack_parts(1, false, side, across, ks, from, to);
    else
        pack_parts(2, h, side, across, ks, from, to);
}

/* c [MR][NR] += a [n_k][MR] b [n_k][NR]; first: c is not set yet. */
static void real_tile(int n_k, const float *a, const float *b, float *c, bool first)
{
    lte_real s[MR][NV];
    LTE_UNROLL
    for (int i = 0; i < MR; i++) {
        LTE_UNROLL
        for (int v = 0; v < NV; v++)
            s[i][v] = first ? r_set(0.0f) : r_load(&c[i * NR + v * LTE_WIDTH]);
    }
    for (int k = 0; k < n_k; k++) {
        lte_real y[NV];
        LTE_UNROLL
        for (int v = 0; v < NV; v++)
            y[v] = r_load(&b[k * NR + v * LTE_WIDTH]);
        LTE_UNROLL
        for (int i = 0; i < MR; i++) {
            const lte_real x = r_set(a[k * MR + i]);
            LTE_UNROLL
            for (int v = 0; v < NV; v++)
                s[i][v] = r_fma(x, y[v], s[i][v]);
        }
    }
    LTE_UNROLL
    for (int i = 0; i < MR; i++) {
        LTE_UNROLL
        for (int v = 0; v < NV; v++)
            r_store(&c[i * NR + v * LTE_WIDTH], s[i][v]);
    }
}

/* The same of complex numbers, in each row the real parts first: CV vectors of a row at a time. */
enum { CV = LTE_WIDTH == 8 ? 1 : NV };
static void complex_tile(int n_k, const float *a, const float *b, float *c, bool first)
{
    lte_cplx s[CR][CV];
    LTE_UNROLL
    for (int i = 0; i < CR; i++) {
        LTE_UNROLL
        for (int v = 0; v < CV; v++) {
            const float *const at = &c[i * 2 * NR + v * LTE_WIDTH];
            s[i][v].re = first ? r_set(0.0f) : r_load(at);
            s[i][v].im = first ? r_set(0.0f) : r_load(at + NR);
        }
    }
    for (int k = 0; k < n_k; k++) {
        lte_cplx y[CV];
        LTE_UNROLL
        for (int v = 0; v < CV; v++) {
            y[v].re = r_load(&b[k * 2 * NR + v * LTE_WIDTH]);
            y[v].im = r_load(&b[k * 2 * NR + NR + v * LTE_WIDTH]);
        }
        LTE_UNROLL
        for (int i = 0; i < CR; i++) {
            const lte_cplx x = {r_set(a[k * 2 * CR + i]), r_set(a[k * 2 * CR + CR + i])};
            LTE_UNROLL
            for (int v = 0; v < CV; v++)
                s[i][v] = c_mac(s[i][v], x, y[v]);
        }
    }
    LTE_UNROLL
    for (int i = 0; i < CR; i++) {
        LTE_UNROLL
        for (int v = 0; v < CV; v++) {
            float *const at = &c[i * 2 * NR + v * LTE_WIDTH];
            r_store(at, s[i][v].re);
            r_store(at + NR, s[i][v].im);
        }
    }
}

/* A product as blocks see it. */
typedef struct {
    const lte_product *p;
    lte_product_size size;
    lte_matrix_dims a, b, c;
    int parts;
    const float *from_a, *from_b;
    float *to_c;
} blocked;

/* Block (i0, j0) of a batch. */
static void run_block(const blocked *w, int64_t batch, int64_t i0, int64_t j0, tile_work *t)
{
    const lte_product *const p = w->p;
    const int parts = w->parts, side = parts == 1 ? MR : CR;
    const int n_i = (int)(w->size.m - i0 < MB ? w->size.m - i0 : MB);
    const int n_j = (int)(w->size.n - j0 < NB ? w->size.n - j0 : NB);
    const float *const a = w->from_a + lte_dim_at(&p->a, w->a.batch, batch) * parts;
    const float *const b = w->from_b + lte_dim_at(&p->b, w->b.batch, batch) * parts;
    float *const c = w->to_c + lte_dim_at(&p->c, w->c.batch, batch) * parts;
    const int tile_size = side * NR * parts;
    for (int64_t k0 = 0; k0 < w->size.k; k0 += KC) {
        const int n_k = (int)(w->size.k - k0 < KC ? w->size.k - k0 : KC);
        const offsets i_at = offsets_of(&p->a, p->a_h ? w->a.column : w->a.row, i0, n_i, t->i_at);
        const offsets ka_at = offsets_of(&p->a, p->a_h ? w->a.row : w->a.column, k0, n_k, t->k_at);
        pack(parts, p->a_h, side, i_at, ka_at, a, t->a);
        const offsets j_at = offsets_of(&p->b, p->b_h ? w->b.row : w->b.column, j0, n_j, t->j_at);
        const offsets kb_at = offsets_of(&p->b, p->b_h ? w->b.column : w->b.row, k0, n_k, t->k_at);
        pack(parts, p->b_h, NR, j_at, kb_at, b, t->b);
        for (int j = 0; j < n_j; j += NR) {
            for (int i = 0; i < n_i; i += side) {
                const float *const x = &t->a[i * KC * parts], *const y = &t->b[j * KC * parts];
                float *const sum = &t->c[(i / side * (NB / NR) + j / NR) * tile_size];
                if (parts == 1)
                    real_tile(n_k, x, y, sum, k0 == 0);
                for (int v = 0; v < NR && parts == 2; v += CV * LTE_WIDTH)
                    complex_tile(n_k, x, y + v, sum + v, k0 == 0);
            }
        }
    }
    (void)offsets_of(&p->c, w->c.row, i0, n_i, t->i_at);
    (void)offsets_of(&p->c, w->c.column, j0, n_j, t->j_at);
    for (int i = 0; i < n_i; i++) {
        for (int j = 0; j < n_j; j++) {
            const float *const sum =
                &t->c[(i / side * (NB / NR) + j / NR) * tile_size + i % side * parts * NR + j % NR];
            float *const to = &c[(t->i_at[i] + t->j_at[j]) * parts];
            for (int part = 0; part < parts; part++)
                to[part] = sum[part * NR];
        }
    }
}

static void run_tiles(const lte_product *p, const lte_product_size *size, int n_threads,
                      const float *a, const float *b, float *c, void *work)
{
    const blocked w = {p,
                       *size,
                       lte_matrix_dims_of(&p->a),
                       lte_matrix_dims_of(&p->b),
                       lte_matrix_dims_of(&p->c),
                       p->c.element == LTE_FLOAT ? 1 : 2,
                       a,
                       b,
                       c};
    const int64_t down = (size->m + MB - 1) / MB, across = (size->n + NB - 1) / NB;
    tile_work *const works = work;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (int64_t block = 0; block < size->n_batches * down * across; block++)
        run_block(&w, block / across / down, block / across % down * MB, block % across * NB,
                  &works[omp_get_thread_num()]);
}

#define LTE_PRODUCT_LEVEL(level_name, has)                                                         \
    {                                                                                              \
        .name = (level_name), .usable = (has), .work = sizeof(tile_work), .run = run_tiles         \
    }

#endif
