#ifndef LTE_TESTS_BENCH_ENTRIES_H
#define LTE_TESTS_BENCH_ENTRIES_H
/*
 * Everything that inverts on the CPU, and the matrices that all entries invert.
 *
 *     bench_entry list[BENCH_MAX_ENTRIES];
 *     const int n_list = bench_entries_of(&link, work, list);
 *     bench_entry_load(&list[i], &matrices, a);
 *     list[i].run(&list[i], a, x, flag);
 *     double worst = bench_entry_residual(&list[i], &matrices, a, x);
 */

#include "kernels/cpu/stages.h"
#include "tests/bench/grams.h"
#include "tests/bench/peers/peers.h"

enum { BENCH_MAX_ENTRIES = 24 };

typedef enum {
    BENCH_SIDE_OURS,
    BENCH_SIDE_LAPACK,
    BENCH_SIDE_EIGEN,
    BENCH_SIDE_MKL,
    BENCH_SIDE_COPY
} bench_side;

typedef struct bench_entry bench_entry;
struct bench_entry {
    bench_side side;
    const char *name;
    const char *code; /* the instruction set, or the library's version */
    lte_link link;    /* n_sc matrices of order n_tx */
    const lte_stages *stages;
    bench_invert_fn *peer;
    void *work; /* of the stages; not owned */
    /* Inverts a in place or to x; NULL: not built. */
    void (*run)(const bench_entry *self, float *a, float *x, uint8_t *flag);
};

/*
 * Lists this project's inverters and those of the peers for the link's matrices;
 * work: of lte_stage_work_alloc.
 */
int bench_entries_of(const lte_link *link, void *work, bench_entry *list);

/* The same matrices in both layouts; their bytes are as many. */
typedef struct {
    size_t bytes;
    float *batch;     /* [n_groups][n][n][2][LTE_LANES] */
    lte_cf32 *native; /* [n_sc][n][n], column major */
} bench_matrices;

/*
 * MMSE-loaded Gram matrices of the link's channels at one SNR; n_sc must be a multiple of
 * LTE_LANES.
 *
 * Returns LTE_ENOMEM. In every case matrices is for bench_matrices_fini.
 */
lte_status bench_matrices_init(const lte_link *link, lte_noise noise, bench_matrices *matrices);
void bench_matrices_fini(bench_matrices *matrices);

/* Fresh matrices in a, in the layout of the entry. */
void bench_entry_load(const bench_entry *self, const bench_matrices *matrices, float *a);

/*
 * The worst residual (bench_residual_of) over all matrices.
 *
 *   a, x   the buffers after run
 *
 * Returns infinity if any residual is not finite.
 */
double bench_entry_residual(const bench_entry *self, const bench_matrices *matrices, const float *a,
                            const float *x);

#endif
