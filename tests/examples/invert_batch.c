/*
 * Inverts a batch of small matrices of one's own with the fastest code that this processor runs,
 * and prints the worst residual. One matrix is singular: it is flagged, and the others go on.
 *
 *     cmake -S . -B build && cmake --build build --target lte_kernels
 *     cc -std=gnu11 -O2 -I. tests/examples/invert_batch.c build/kernels/liblte_kernels.a
 *         build/phy/liblte_phy.a -fopenmp -lgsl -lgslcblas -lm -o invert_batch
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/stages.h"
#include "phy/channel.h"
#include "phy/condition.h"
#include "phy/gram.h"

enum { N = 4, COUNT = 1003, SINGULAR = 7 };
enum { N_LANES = (COUNT + LTE_LANES - 1) / LTE_LANES * LTE_LANES }; /* the last group has spares */

/* Where the real part of element e of matrix i lies: [n_groups][N N][2][LTE_LANES]. */
static size_t place(int i, int e)
{
    return ((size_t)(i / LTE_LANES) * N * N + (size_t)e) * 2 * LTE_LANES + (size_t)(i % LTE_LANES);
}

int main(void)
{
    static lte_cf32 matrix[COUNT][N * N];
    static float batch[N_LANES * N * N * 2]; /* [n_groups][n n][2][LTE_LANES] */
    static uint8_t flag[N_LANES];
    lte_link link; /* says how many matrices, of which order, and by which inverter */
    if (lte_link_init(&link, COUNT, N, N, 2, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1))
        return EXIT_FAILURE;
    int n_flagged = 0;
    double worst = 0.0;

    for (int i = 0; i < COUNT; i++) { /* G = H'H + 0.04 I of a drawn H; one stays zero */
        lte_cplx h[N * N], g[N * N];
        lte_channel_rayleigh(&link.draws, 0, w_set((uint32_t)i), h);
        lte_gram(N, N, h, g);
        lte_gram_load(N, g, 0.04f);
        for (int e = 0; e < N * N && i != SINGULAR; e++) {
            matrix[i][e] = (lte_cf32){g[e].re, g[e].im};
            batch[place(i, e)] = g[e].re;
            batch[place(i, e) + LTE_LANES] = g[e].im;
        }
    }

    const lte_stages *const stages = lte_stages_best();
    void *const work = lte_stage_work_alloc(&link);
    stages->invert(&link, 0, link.n_groups, batch, flag, work);
    free(work);

    for (int i = 0; i < COUNT; i++) {
        lte_cf32 inverse[N * N];
        for (int e = 0; e < N * N; e++)
            inverse[e] = (lte_cf32){batch[place(i, e)], batch[place(i, e) + LTE_LANES]};
        const lte_condition c = lte_condition_of(N, matrix[i], inverse);
        n_flagged += flag[i];
        if (!flag[i] && !(c.residual <= worst)) /* NaN is the worst */
            worst = c.residual;
    }
    printf("%s, %d matrices of order %d: flagged %d, residual over n u |A||X| at most %.3f\n",
           stages->name, COUNT, N, n_flagged, worst);
    return EXIT_SUCCESS;
}
