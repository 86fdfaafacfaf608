/*
 * The four element types of one instruction set, and complex matrices with one in each lane.
 * Included by inverse_v3.c, inverse_v4.c and inverse_neon.c after LTE_REAL_HEADER, transpose, of x
 * [LTE_WIDTH] as rows, and the names of a vector of doubles: double_vector, DOUBLE_WIDTH,
 * double_fma, double_fnma, double_set, double_load, double_store.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "kernels/methods/inverse/inverse.h"
#include "kernels/base/levels.h"
#include "phy/inversion/cholesky.h"
#include "phy/inversion/lu.h"

enum {
    BLOCK = 16, /* columns: a whole number of every vector */
    TILE = 4    /* columns whose sums stay in registers while k runs */
};

#define OP(name) s_##name
#define DOUBLES 0
#define PLANES 1
#include "kernels/methods/inverse/inverse_cpu_text.h"

#define OP(name) c_##name
#define DOUBLES 0
#define PLANES 2
#include "kernels/methods/inverse/inverse_cpu_text.h"

#define OP(name) d_##name
#define DOUBLES 1
#define PLANES 1
#include "kernels/methods/inverse/inverse_cpu_text.h"

#define OP(name) z_##name
#define DOUBLES 1
#define PLANES 2
#include "kernels/methods/inverse/inverse_cpu_text.h"

/*
 * Matrices a [LTE_WIDTH][n][n] to lanes, in rows of ld elements; lanes beyond n_live hold the last
 * one too.
 */
static void to_lanes(int n, int ld, int n_live, const float *a, lte_cplx *matrix)
{
    const ptrdiff_t size = (ptrdiff_t)n * n * 2, row = (ptrdiff_t)n * 2;
    ptrdiff_t left = row;
    float *to = (float *)matrix;
    for (ptrdiff_t e = 0; e < size; e += LTE_WIDTH) {
        const int count = size - e < LTE_WIDTH ? (int)(size - e) : LTE_WIDTH;
        lte_real tile[LTE_WIDTH];
        for (int lane = 0; lane < LTE_WIDTH; lane++) {
            const float *const from = a + (lane < n_live ? lane : n_live - 1) * size + e;
            float last[LTE_WIDTH] = {0};
            if (count < LTE_WIDTH)
                memcpy(last, from, (size_t)count * sizeof *from);
            tile[lane] = r_load(count < LTE_WIDTH ? last : from);
        }
        transpose(tile);
        for (int i = 0; i < count; i++) {
            r_store(to, tile[i]);
            to += LTE_WIDTH;
            if (--left == 0) {
                to += (ptrdiff_t)(ld - n) * 2 * LTE_WIDTH;
                left = row;
            }
        }
    }
}

enum { COLUMNS = LTE_WIDTH / 2 /* whose numbers fill a vector */ };

/* count of them, pair by pair, each to its place. */
LTE_INLINE void place_columns(int count, const uint8_t *order, lte_real x, float *row)
{
    float pair[LTE_WIDTH];
    r_store(pair, x);
    for (int c = 0; c < count; c++)
        memcpy(row + 2 * order[c], pair + 2 * (ptrdiff_t)c, 2 * sizeof *row);
}

/* The way back: column j of a lane's matrix becomes column order[lane][j]; NULL: j. */
static void from_lanes(int n, int ld, int n_live, const lte_cplx *matrix,
                       uint8_t (*order)[LTE_MAX_TX], float *x)
{
    for (int e = 0; e < n * n; e += n - e % n < COLUMNS ? n - e % n : COLUMNS) {
        const int i = e / n, j = e % n, count = n - j < COLUMNS ? n - j : COLUMNS;
        lte_real tile[LTE_WIDTH];
        for (int c = 0; c < COLUMNS; c++) { /* nobody looks at those behind the last */
            const lte_cplx *const from = &matrix[i * ld + j + (c < count ? c : 0)];
            tile[2 * c] = from->re;
            tile[2 * c + 1] = from->im;
        }
        transpose(tile);
        for (int lane = 0; lane < n_live; lane++) {
            float *const row = x + ((ptrdiff_t)lane * n + i) * n * 2;
            if (order)
                place_columns(count, &order[lane][j], tile[lane], row);
            else if (count == COLUMNS)
                r_store(row + 2 * (ptrdiff_t)j, tile[lane]);
            else
                memcpy(row + 2 * (ptrdiff_t)j, &tile[lane], (size_t)count * 2 * sizeof *row);
        }
    }
}

/* Where the columns of a lane's matrix belong after rows were exchanged with pivot [n]. */
static void order_of_columns(int n, const lte_word *pivot, uint8_t (*order)[LTE_MAX_TX])
{
    for (int lane = 0; lane < LTE_WIDTH; lane++) {
        for (int k = 0; k < n; k++)
            order[lane][k] = (uint8_t)k;
    }
    for (int k = 0; k < n; k++) {
        uint32_t row[LTE_WIDTH];
        w_store(row, pivot[k]);
        for (int lane = 0; lane < LTE_WIDTH; lane++) {
            uint8_t *const o = order[lane], old = o[k];
            o[k] = o[row[lane]];
            o[row[lane]] = old;
        }
    }
}

/*
 * LTE_WIDTH matrices, or fewer. Delayed and immediate are one here: in a processor's caches they
 * move the same bytes.
 */
static void lanes_run(int method, int n, int n_live, const float *a, float *x, uint8_t *flag,
                      lte_cplx *matrix)
{
    const bool cholesky = method == LTE_INVERSE_CHOLESKY_DELAYED;
    const int ld = cholesky ? n : n | 1; /* odd: rows do not all meet in one set of the cache */
    uint8_t order[LTE_WIDTH][LTE_MAX_TX];
    uint32_t flags[LTE_WIDTH];
    lte_word pivot[LTE_MAX_TX];
    lte_mask flagged;
    to_lanes(n, ld, n_live, a, matrix);
    if (cholesky) {
        flagged = lte_cholesky(n, matrix);
    } else {
        flagged = lte_lu_exchanged(n, ld, matrix, pivot);
        order_of_columns(n, pivot, order);
    }
    w_store(flags, w_sel(flagged, w_set(1), w_set(0)));
    from_lanes(n, ld, n_live, matrix, cholesky ? NULL : order, x);
    for (int lane = 0; lane < n_live; lane++) {
        flag[lane] = (uint8_t)flags[lane];
        if (flags[lane])
            memset(x + (ptrdiff_t)lane * n * n * 2, 0, (size_t)(n * n) * 2 * sizeof *x);
    }
}

/*
 * As many matrices as this are faster in lanes than in turn; a group of larger ones leaves the
 * caches.
 */
static int enough_for_lanes(int method, int n)
{
    enum { CHOLESKY_ORDER = 64, HALF_ORDER = 32, NEVER = INT_MAX };
    if (method == LTE_INVERSE_CHOLESKY_DELAYED)
        return n <= CHOLESKY_ORDER ? LTE_WIDTH / 4 + 1 : NEVER;
    return n <= HALF_ORDER ? LTE_WIDTH / 2 + 1 : n <= LTE_MAX_TX ? LTE_WIDTH * 3 / 4 + 1 : NEVER;
}

static void complex_run(int method, int n, int n_matrices, const void *a, void *x, uint8_t *flag,
                        void *work)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n * 2;
    const int enough = enough_for_lanes(method, n);
    int m = 0;
    for (; n_matrices - m >= enough; m += LTE_WIDTH) {
        const int left = n_matrices - m;
        lanes_run(method, n, left < LTE_WIDTH ? left : LTE_WIDTH, (const float *)a + m * n2,
                  (float *)x + m * n2, flag + m, work);
    }
    if (m < n_matrices)
        c_run(method, n, n_matrices - m, (const float *)a + m * n2, (float *)x + m * n2, flag + m,
              work);
}
