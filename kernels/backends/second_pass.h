#ifndef LTE_KERNELS_BACKENDS_SECOND_PASS_H
#define LTE_KERNELS_BACKENDS_SECOND_PASS_H
/*
 * A second pass over the matrices of a batch that an inverter has flagged: those whose elements are
 * finite and far from 1 are equilibrated (phy/inversion/equilibration.h), inverted once more by the
 * same inverter, and their inverses are scaled back. Matrices that are not flagged keep their
 * bytes.
 *
 *     lte_second_pass pass = {.plan = &plan, .invert = invert, .with = state};
 *     lte_second_pass_take(1, &pass, 16, &pool);                   // memory, once
 *     status = lte_second_pass_run(&pass, n_matrices, a, x, flag, &n_found);
 */

#include "kernels/backends/backend.h"
#include "phy/base/pool.h"
#include "phy/inversion/equilibration.h"

typedef struct lte_second_pass lte_second_pass;

struct lte_second_pass {
    const lte_matrices_plan *plan;

    /*
     * Inverts n_matrices in host memory in place; flag [n_matrices]  out. Returns what
     * lte_matrix_ops.invert does.
     */
    lte_status (*invert)(const lte_second_pass *pass, int n_matrices, void *b, uint8_t *flag);
    void *with; /* for invert */

    /* Set by lte_second_pass_take. */
    int most;             /* matrices that are inverted at a time */
    char *b;              /* [most][n][n] equilibrated, then inverses */
    uint8_t *flag;        /* [most] */
    int *place;           /* [most] in the batch */
    lte_equilibration *e; /* [most] */
};

/*
 * Memory of a pool for passes [n_passes], each of them for most matrices at a time; the caller
 * checks the pool.
 */
void lte_second_pass_take(int n_passes, lte_second_pass *pass, int most, lte_pool *pool);

/*
 * Inverts the flagged ones of n_matrices once more; all arrays are in host memory.
 *
 *   a         [n_matrices][n][n]  as they came; not x
 *   x         [n_matrices][n][n]  inverses; those that are found take the place of zeros
 *   flag      [n_matrices]        1 becomes 0 where an inverse is found
 *   n_found                       out: how many
 *
 * Returns what invert does.
 */
lte_status lte_second_pass_run(const lte_second_pass *pass, int n_matrices, const void *a, void *x,
                               uint8_t *flag, int *n_found);

#endif
