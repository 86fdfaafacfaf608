/*
 * The methods of kernels/methods/inverse/inverse.h with SIMD along the rows of one matrix, for one
 * element type and instruction set. No guard: the file is included once per type with
 *
 *     #define OP(name) c_##name     // prefix of the functions
 *     #define DOUBLES 0             // 1: of doubles, 0: of floats
 *     #define PLANES 2              // of a complex matrix, 1 of a real one
 *
 * and #undef's these. Column j of a matrix lies at j PLANES ld, its real parts, then its imaginary
 * ones, each a multiple of BLOCK long. LU and U^-1 are one sweep: once row k of U is taken out of
 * the matrix, its place holds the sums of row k of U^-1, and the column of multipliers f_i = l_ik
 * (i > k) or w_ik (i <= k) corrects every row alike, a_ij <- a_ij - f_i u_kj. Delayed and immediate
 * are the two orders of the loops over blocks.
 */

#if DOUBLES
#define REAL double
#define FMA fma
#define ROOT sqrt
#define LARGEST DBL_MAX
#define VECTOR double_vector /* WIDTH REALs */
#define WIDTH DOUBLE_WIDTH
#define VFMA double_fma
#define VFNMA double_fnma
#define VSET double_set
#define VLOAD double_load
#define VSTORE double_store
#else
#define REAL float
#define FMA fmaf
#define ROOT sqrtf
#define LARGEST FLT_MAX
#define VECTOR lte_real
#define WIDTH LTE_WIDTH
#define VFMA r_fma
#define VFNMA r_fnma
#define VSET r_set
#define VLOAD r_load
#define VSTORE r_store
#endif

#define AT(m, j, plane) ((m) + ((ptrdiff_t)(j)*PLANES + (plane)) * ld)

/* Products f u: columns first, first + step, .. of f, count of them; conj: f conj(u). */
typedef struct {
    const REAL *f;
    int first, step, count;
    const REAL *u; /* [count][width] */
    bool conj;
    ptrdiff_t ld;
} OP(products);

/* Columns c .. c + width <- c - f u over the rows of one vector, from row i of f on. */
LTE_INLINE void OP(tile)(int width, const OP(products) * of, int i, const REAL *u, REAL *c)
{
    const ptrdiff_t ld = of->ld;
    const REAL *const f = of->f + i;
    VECTOR s[TILE][PLANES];
    for (int j = 0; j < width; j++) {
        for (int p = 0; p < PLANES; p++)
            s[j][p] = VLOAD(AT(c, j, p));
    }
    for (int k = 0; k < of->count; k++) {
        const VECTOR re = VLOAD(AT(f, of->first + of->step * k, 0));
#if PLANES == 2
        const VECTOR im = VLOAD(AT(f, of->first + of->step * k, 1));
#endif
        LTE_UNROLL
        for (int j = 0; j < width; j++) {
            const REAL *const w = &u[(k * TILE + j) * PLANES];
            const VECTOR u_re = VSET(w[0]);
            s[j][0] = VFNMA(re, u_re, s[j][0]);
#if PLANES == 2
            const VECTOR u_im = VSET(w[1]);
            s[j][0] = of->conj ? VFNMA(im, u_im, s[j][0]) : VFMA(im, u_im, s[j][0]);
            s[j][1] = of->conj ? VFMA(re, u_im, s[j][1]) : VFNMA(re, u_im, s[j][1]);
            s[j][1] = VFNMA(im, u_re, s[j][1]);
#endif
        }
    }
    for (int j = 0; j < width; j++) {
        for (int p = 0; p < PLANES; p++)
            VSTORE(AT(c, j, p), s[j][p]);
    }
}

/* The same over rows i0 <= i < i1, but not those from skip0 to skip1. */
LTE_INLINE void OP(correct)(int width, const OP(products) * of, int i0, int i1, int skip0,
                            int skip1, REAL *c)
{
    const ptrdiff_t ld = of->ld;
    for (int i = i0; i < i1; i += WIDTH) {
        if (i >= skip0 && i < skip1)
            continue;
        if (width == TILE)
            OP(tile)(TILE, of, i, of->u, c + i);
        else
            for (int j = 0; j < width; j++)
                OP(tile)(1, of, i, of->u + (ptrdiff_t)j * PLANES, AT(c, j, 0) + i);
    }
}

/* Row k of U leaves columns c .. c + width for u. */
LTE_INLINE void OP(take_row)(int width, ptrdiff_t ld, int k, REAL *c, REAL *u)
{
    for (int j = 0; j < width; j++) {
        for (int p = 0; p < PLANES; p++) {
            u[j * PLANES + p] = AT(c, j, p)[k];
            AT(c, j, p)[k] = 0;
        }
    }
}

LTE_INLINE void OP(exchange)(int width, ptrdiff_t ld, int k, int row, REAL *c)
{
    for (int j = 0; j < width; j++) {
        for (int p = 0; p < PLANES; p++) {
            const REAL old = AT(c, j, p)[k];
            AT(c, j, p)[k] = AT(c, j, p)[row];
            AT(c, j, p)[row] = old;
        }
    }
}

/* Block of columns k0 to k1: pivots, multipliers, and each other's corrections. */
static bool OP(block)(int n, ptrdiff_t ld, int k0, int k1, REAL *a, int *pivot)
{
    REAL u[TILE * PLANES];
    bool divides = true;
    for (int k = k0; k < k1; k++) {
        REAL *const column = AT(a, k, 0);
        REAL best = 0;
        int row = k;
        for (int i = k; i < n; i++) {
            REAL size = column[i] * column[i];
#if PLANES == 2
            size = FMA(column[ld + i], column[ld + i], size);
#endif
            if (size > best) {
                best = size;
                row = i;
            }
        }
        divides &= 0 < best && best <= LARGEST;
        pivot[k] = row;
        if (row != k)
            OP(exchange)(k1 - k0, ld, k, row, AT(a, k0, 0));
#if PLANES == 2
        const REAL inverse = 1 / best;
        const REAL r_re = column[k] * inverse, r_im = -(column[ld + k] * inverse);
        const VECTOR re = VSET(r_re), im = VSET(r_im);
        for (int i = 0; i < ld; i += WIDTH) { /* c_mul */
            const VECTOR c_re = VLOAD(column + i), c_im = VLOAD(column + ld + i);
            VSTORE(column + i, VFNMA(c_im, im, c_re * re));
            VSTORE(column + ld + i, VFMA(c_im, re, c_re * im));
        }
        column[ld + k] = r_im;
#else
        const REAL r_re = 1 / column[k];
        for (int i = 0; i < ld; i += WIDTH)
            VSTORE(column + i, VLOAD(column + i) * VSET(r_re));
#endif
        column[k] = r_re;
        for (int j = k + 1; j < k1; j += TILE) {
            const int width = k1 - j < TILE ? k1 - j : TILE;
            OP(take_row)(width, ld, k, AT(a, j, 0), u);
            const OP(products) of = {a, k, 1, 1, u, false, ld};
            OP(correct)(width, &of, 0, (int)ld, 0, 0, AT(a, j, 0));
        }
    }
    return divides;
}

/* Columns j0 to j1 have their rows exchanged as pivots k0 to k1 ask. */
static void OP(exchange_rows)(ptrdiff_t ld, int k0, int k1, int j0, int j1, const int *pivot,
                              REAL *a)
{
    for (int j = j0; j < j1; j++) {
        for (int k = k0; k < k1; k++) {
            if (pivot[k] != k)
                OP(exchange)(1, ld, k, pivot[k], AT(a, j, 0));
        }
    }
}

/* Columns j0 to j1, behind block k0 to k1, are corrected by it. */
static void OP(block_corrects)(ptrdiff_t ld, int k0, int k1, int j0, int j1, REAL *a)
{
    REAL u[BLOCK * TILE * PLANES];
    for (int j = j0; j < j1; j += TILE) {
        const int width = j1 - j < TILE ? j1 - j : TILE;
        REAL *const c = AT(a, j, 0);
        for (int k = k0; k < k1; k++) {
            REAL *const row = &u[(ptrdiff_t)(k - k0) * TILE * PLANES];
            OP(take_row)(width, ld, k, c, row);
            const OP(products) of = {a, k, 1, 1, row, false, ld};
            OP(correct)(width, &of, k0, k0 + BLOCK, 0, 0, c);
        }
        const OP(products) of = {a, k0, 1, k1 - k0, u, false, ld};
        OP(correct)(width, &of, 0, (int)ld, k0, k0 + BLOCK, c);
    }
}

/* Columns j0 to j1 of X are corrected by those from k1 down to k0; l: L, as a lies. */
static void OP(columns_correct)(ptrdiff_t ld, int k0, int k1, int j0, int j1, const REAL *l,
                                REAL *a)
{
    REAL u[LTE_INVERSE_MAX_ORDER * TILE * PLANES];
    for (int j = j0; j < j1; j += TILE) {
        const int width = j1 - j < TILE ? j1 - j : TILE;
        for (int k = k1 - 1; k >= k0; k--) {
            for (int t = 0; t < width; t++) {
                for (int p = 0; p < PLANES; p++)
                    u[((k1 - 1 - k) * TILE + t) * PLANES + p] = AT(l, j + t, p)[k];
            }
        }
        const OP(products) of = {a, k1 - 1, -1, k1 - k0, u, false, ld};
        OP(correct)(width, &of, 0, (int)ld, 0, 0, AT(a, j, 0));
    }
}

/* Columns of X from right to left over U^-1; L moves out of their way. */
static void OP(columns)(int n, ptrdiff_t ld, bool delayed, REAL *a, REAL *l)
{
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < PLANES; p++) {
            memcpy(AT(l, j, p) + j, AT(a, j, p) + j, (size_t)(n - j) * sizeof *a);
            memset(AT(a, j, p) + j + 1, 0, (size_t)(n - j - 1) * sizeof *a);
        }
    }
    for (int j0 = (n - 1) / BLOCK * BLOCK; j0 >= 0; j0 -= BLOCK) {
        const int j1 = n - j0 < BLOCK ? n : j0 + BLOCK;
        if (delayed)
            OP(columns_correct)(ld, j1, n, j0, j1, l, a);
        for (int k = j1 - 1; k > j0; k--)
            OP(columns_correct)(ld, k, k + 1, j0, k, l, a);
        if (!delayed)
            OP(columns_correct)(ld, j0, j1, 0, j0, l, a);
    }
}

static bool OP(lu)(int n, bool delayed, const REAL *in, REAL *x, REAL *a)
{
    const ptrdiff_t ld = (n + BLOCK - 1) / BLOCK * BLOCK;
    int pivot[LTE_INVERSE_MAX_ORDER], order[LTE_INVERSE_MAX_ORDER];
    bool divides = true;
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < PLANES; p++) {
            for (int i = 0; i < n; i++)
                AT(a, j, p)[i] = in[((ptrdiff_t)i * n + j) * PLANES + p];
            memset(AT(a, j, p) + n, 0, (size_t)(ld - n) * sizeof *a);
        }
    }
    for (int k0 = 0; k0 < n && divides; k0 += BLOCK) {
        const int k1 = n - k0 < BLOCK ? n : k0 + BLOCK;
        if (delayed)
            OP(exchange_rows)(ld, 0, k0, k0, k1, pivot, a);
        for (int b = 0; b < k0 && delayed; b += BLOCK)
            OP(block_corrects)(ld, b, b + BLOCK, k0, k1, a);
        divides &= OP(block)(n, ld, k0, k1, a, pivot);
        OP(exchange_rows)(ld, k0, k1, 0, k0, pivot, a); /* of L */
        if (!delayed) {
            OP(exchange_rows)(ld, k0, k1, k1, n, pivot, a);
            OP(block_corrects)(ld, k0, k1, k1, n, a);
        }
    }
    if (!divides)
        return false;
    OP(columns)(n, ld, delayed, a, AT(a, n, 0));
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < n; k++) {
        const int old = order[k];
        order[k] = order[pivot[k]];
        order[pivot[k]] = old;
    }
    REAL sum = 0; /* of zeros, or NaN */
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < PLANES; p++) {
            const REAL *const column = AT(a, j, p);
            for (int i = 0; i < n; i++) {
                x[((ptrdiff_t)i * n + order[j]) * PLANES + p] = column[i];
                sum += column[i] - column[i];
            }
        }
    }
    return sum == 0;
}

/* The lower triangle of a minus v v', v [BLOCK] columns of panel; see OP(sweep). */
static void OP(triangle)(int n, ptrdiff_t ld, int count, const REAL *v, REAL *a)
{
    REAL u[BLOCK * TILE * PLANES];
    for (int j = 0; j < n; j += TILE) {
        const int width = n - j < TILE ? n - j : TILE;
        for (int k = 0; k < count; k++) {
            for (int t = 0; t < width; t++) {
                for (int p = 0; p < PLANES; p++)
                    u[(k * TILE + t) * PLANES + p] = AT(v, k, p)[j + t];
            }
        }
        const OP(products) of = {v, 0, 1, count, u, true, ld};
        OP(correct)(width, &of, j / WIDTH * WIDTH, (int)ld, 0, 0, AT(a, j, 0));
    }
}

/* Columns s > t of panel v are corrected by column t; d: the diagonal block's L, [s][t]. */
static void OP(panel_corrects)(int n, ptrdiff_t ld, int k1, int t, int count, const REAL *d,
                               REAL *v)
{
    for (int s = t + 1; s < count; s++) {
        const REAL *const l = &d[(s * BLOCK + t) * PLANES];
        const OP(products) of = {v, t, 1, 1, l, true, ld};
#if PLANES == 2
        const int end = k1 < n ? k1 : (int)ld; /* rows before it: conj(m), held so */
        for (int i = 0; i < end; i += WIDTH) {
            const VECTOR re = VLOAD(AT(v, t, 0) + i), im = VLOAD(AT(v, t, 1) + i);
            VECTOR x = VLOAD(AT(v, s, 0) + i), y = VLOAD(AT(v, s, 1) + i);
            x = VFNMA(im, VSET(l[1]), VFNMA(re, VSET(l[0]), x));
            y = VFMA(re, VSET(l[1]), VFNMA(im, VSET(l[0]), y));
            VSTORE(AT(v, s, 0) + i, x);
            VSTORE(AT(v, s, 1) + i, y);
        }
        if (end < ld)
            OP(correct)(1, &of, end, (int)ld, 0, 0, AT(v, s, 0));
#else
        (void)n;
        (void)k1;
        OP(correct)(1, &of, 0, (int)ld, 0, 0, AT(v, s, 0));
#endif
    }
}

/* The diagonal block in d [s][t] becomes its factor; r: 1 over its diagonal. */
static bool OP(diagonal)(int count, REAL *d, REAL *r)
{
    for (int t = 0; t < count; t++) {
        const REAL size = d[(t * BLOCK + t) * PLANES];
        if (!(0 < size * size && size * size <= LARGEST))
            return false;
        r[t] = 1 / ROOT(size);
        for (int s = t + 1; s < count; s++) {
            for (int p = 0; p < PLANES; p++)
                d[(s * BLOCK + t) * PLANES + p] *= r[t];
        }
        for (int s = t + 1; s < count; s++) {
            const REAL *const b = &d[(s * BLOCK + t) * PLANES];
            for (int i = s; i < count; i++) {
                const REAL *const a = &d[(i * BLOCK + t) * PLANES];
                REAL *const c = &d[(i * BLOCK + s) * PLANES];
                c[0] = FMA(-a[0], b[0], c[0]);
#if PLANES == 2
                c[0] = FMA(-a[1], b[1], c[0]);
                c[1] = FMA(a[0], b[1], c[1]);
                c[1] = FMA(-a[1], b[0], c[1]);
#endif
            }
        }
    }
    return true;
}

/*
 * One sweep for L, M and X: block row and block column k leave the lower triangle for a panel v,
 * rows i > k of it A(i, k), rows j < k conj(-sums of M(k, j)), the diagonal block its identity; its
 * rows solve v L_kk' = ..; then C - v v' over the triangle is the correction of A, the sums of M
 * and those of -X at once.
 */
static bool OP(sweep)(int n, ptrdiff_t ld, REAL *a, REAL *v)
{
    REAL d[BLOCK * BLOCK * PLANES], r[BLOCK];
    for (int k0 = 0; k0 < n; k0 += BLOCK) {
        const int k1 = n - k0 < BLOCK ? n : k0 + BLOCK, count = k1 - k0;
        for (int t = 0; t < count; t++) {
            for (int p = 0; p < PLANES; p++) {
                REAL *const column = AT(a, k0 + t, p), *const to = AT(v, t, p);
                for (int j = 0; j < k0; j++) {
                    to[j] = p ? -AT(a, j, p)[k0 + t] : AT(a, j, p)[k0 + t];
                    AT(a, j, p)[k0 + t] = 0;
                }
                for (int s = t; s < count; s++)
                    d[(s * BLOCK + t) * PLANES + p] = column[k0 + s];
                for (int s = 0; s < count; s++)
                    to[k0 + s] = p ? (REAL)-0.0 : (REAL)(s == t);
                memcpy(to + k1, column + k1, (size_t)(ld - k1) * sizeof *to);
                memset(column + k0, 0, (size_t)(ld - k0) * sizeof *column);
            }
        }
        if (!OP(diagonal)(count, d, r))
            return false;
        for (int t = 0; t < count; t++) {
            for (int p = 0; p < PLANES; p++) {
                for (int i = 0; i < ld; i += WIDTH)
                    VSTORE(AT(v, t, p) + i, VLOAD(AT(v, t, p) + i) * VSET(r[t]));
            }
            OP(panel_corrects)(n, ld, k1, t, count, d, v);
        }
        OP(triangle)(n, ld, count, v, a);
    }
    return true;
}

static bool OP(cholesky)(int n, const REAL *in, REAL *x, REAL *a)
{
    const ptrdiff_t ld = (n + BLOCK - 1) / BLOCK * BLOCK;
    REAL sum = 0;
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < PLANES; p++) {
            memset(AT(a, j, p), 0, (size_t)ld * sizeof *a);
            for (int i = j; i < n; i++)
                AT(a, j, p)[i] = in[((ptrdiff_t)i * n + j) * PLANES + p];
        }
    }
    if (!OP(sweep)(n, ld, a, AT(a, n, 0)))
        return false;
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < PLANES; p++) {
            const REAL *const column = AT(a, j, p);
            for (int i = j; i < n; i++) {
                const REAL lower = p && i == j ? 0 : -column[i];
                x[((ptrdiff_t)i * n + j) * PLANES + p] = lower;
                x[((ptrdiff_t)j * n + i) * PLANES + p] = p && i > j ? -lower : lower;
                sum += column[i] - column[i];
            }
        }
    }
    return sum == 0;
}

#define NUMBER_SIZE (PLANES * sizeof(REAL))
#include "kernels/methods/inverse/inverse_run_text.h"

#undef AT
#undef NUMBER_SIZE
#undef OP
#undef DOUBLES
#undef REAL
#undef FMA
#undef ROOT
#undef LARGEST
#undef PLANES
#undef VECTOR
#undef WIDTH
#undef VFMA
#undef VFNMA
#undef VSET
#undef VLOAD
#undef VSTORE
