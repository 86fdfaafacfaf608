#ifndef LTE_TESTS_BENCH_CONTENDERS_H
#define LTE_TESTS_BENCH_CONTENDERS_H
/*
 * Everyone who inverts, and the matrices they all invert.
 *
 *     lte_contender list[LTE_MAX_CONTENDERS];
 *     const int n_list = lte_contenders_of(&link, list);
 *     lte_contender_load(&list[i], &matrices, a);
 *     list[i].run(&list[i], a, x, flag);
 *     double worst = lte_contender_residual(&list[i], &matrices, a, x);
 */

#include "kernels/stages.h"
#include "tests/bench/peers.h"

enum { LTE_MAX_CONTENDERS = 24 };

typedef enum { LTE_SIDE_OURS, LTE_SIDE_LAPACK, LTE_SIDE_EIGEN, LTE_SIDE_COPY } lte_side;

typedef struct lte_contender lte_contender;
struct lte_contender {
    lte_side side;
    const char *name;
    const char *code; /* the instruction set, or the library's version */
    lte_link link;    /* n_sc matrices of order n_tx */
    const lte_stages *stages;
    lte_peer_invert_fn *peer;
    /* Inverts a in place or to x; NULL: not built. */
    void (*run)(const lte_contender *self, float *a, float *x, uint8_t *flag);
};

/* Lists this project's inverters and those of the peers for the link's matrices. */
int lte_contenders_of(const lte_link *link, lte_contender *list);

/* The same matrices in both layouts; their bytes are as many. */
typedef struct {
    size_t bytes;
    float *batch;     /* [n_groups][n][n][2][LTE_LANES] */
    lte_cf32 *native; /* [n_sc][n][n], column major */
} lte_matrices;

/*
 * MMSE-loaded Gram matrices of the link's channels at one SNR; n_sc must be a multiple of
 * LTE_LANES.
 *
 * Returns LTE_ENOMEM. In every case matrices is for lte_matrices_fini.
 */
lte_status lte_matrices_init(const lte_link *link, lte_noise noise, lte_matrices *matrices);
void lte_matrices_fini(lte_matrices *matrices);

/* Fresh matrices in a, in the layout of the contender. */
void lte_contender_load(const lte_contender *self, const lte_matrices *matrices, float *a);

/*
 * The worst residual over all matrices, relative to the problem, in double:
 *
 *     |I - A X| / (n u |A| |X|),  |.| the largest row sum, u = 2^-24
 *
 *   a, x   the buffers after run
 *
 * Returns infinity if any residual is not finite.
 */
double lte_contender_residual(const lte_contender *self, const lte_matrices *matrices,
                              const float *a, const float *x);

#endif
