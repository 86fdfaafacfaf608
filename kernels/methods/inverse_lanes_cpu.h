/*
 * The four element types of one instruction set, and complex Cholesky with a matrix in each lane.
 * Included by inverse_v3.c and inverse_v4.c after LTE_REAL_HEADER and the names of a vector of
 * doubles: double_vector, DOUBLE_WIDTH, double_fma, double_fnma, double_set, double_load,
 * double_store.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/methods/inverse.h"
#include "kernels/stages.h"
#include "phy/cholesky.h"

enum {
    BLOCK = 16, /* columns: a whole number of every vector */
    TILE = 4    /* columns whose sums stay in registers while k runs */
};

#define OP(name) s_##name
#define DOUBLES 0
#define PLANES 1
#include "kernels/methods/inverse_cpu_text.h"

#define OP(name) c_##name
#define DOUBLES 0
#define PLANES 2
#include "kernels/methods/inverse_cpu_text.h"

#define OP(name) d_##name
#define DOUBLES 1
#define PLANES 1
#include "kernels/methods/inverse_cpu_text.h"

#define OP(name) z_##name
#define DOUBLES 1
#define PLANES 2
#include "kernels/methods/inverse_cpu_text.h"

enum { LANES_ORDER = 64 /* up to it a group of matrices, one a lane, stays in the caches */ };

/* LTE_WIDTH matrices, or fewer; the lanes that are left hold the last one too. */
static void lanes_cholesky(int n, int n_live, const float *a, float *x, uint8_t *flag,
                           lte_cplx *matrix)
{
    const int n2 = n * n;
    uint32_t flags[LTE_WIDTH];
    for (int lane = 0; lane < LTE_WIDTH; lane++) {
        const float *const from = a + (ptrdiff_t)(lane < n_live ? lane : n_live - 1) * n2 * 2;
        float *const to = (float *)matrix + lane;
        for (int e = 0; e < 2 * n2; e++)
            to[(ptrdiff_t)e * LTE_WIDTH] = from[e];
    }
    w_store(flags, w_sel(lte_cholesky(n, matrix), w_set(1), w_set(0)));
    for (int lane = 0; lane < n_live; lane++) {
        float *const to = x + (ptrdiff_t)lane * n2 * 2;
        const float *const from = (const float *)matrix + lane;
        for (int e = 0; e < 2 * n2; e++)
            to[e] = from[(ptrdiff_t)e * LTE_WIDTH];
        flag[lane] = (uint8_t)flags[lane];
    }
}

static void complex_run(int method, int n, int n_matrices, const void *a, void *x, uint8_t *flag,
                        void *work)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n * 2;
    int m = 0;
    if (method == LTE_INVERSE_CHOLESKY_DELAYED && n <= LANES_ORDER) {
        for (; n_matrices - m > LTE_WIDTH / 4; m += LTE_WIDTH) { /* fewer are faster in turn */
            const int left = n_matrices - m;
            lanes_cholesky(n, left < LTE_WIDTH ? left : LTE_WIDTH, (const float *)a + m * n2,
                           (float *)x + m * n2, flag + m, work);
        }
    }
    if (m < n_matrices)
        c_run(method, n, n_matrices - m, (const float *)a + m * n2, (float *)x + m * n2, flag + m,
              work);
}
