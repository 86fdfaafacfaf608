#ifndef LTE_PHY_POOL_H
#define LTE_PHY_POOL_H
/*
 * Pieces of memory that are asked for one by one, looked at once, and given back together.
 *
 *     lte_pool pool = {0};
 *     float *h = lte_pool_take(&pool, n * sizeof *h);
 *     double *sum = lte_pool_zeros(&pool, m * sizeof *sum);
 *     lte_status status = lte_pool_check(&pool, "the sums");
 *     ...
 *     lte_pool_free(&pool);      // also where the check failed
 */

#include <stdbool.h>
#include <stddef.h>

#include "phy/base/status.h"

enum { LTE_POOL_PIECES = 24 };

typedef struct {
    void *piece[LTE_POOL_PIECES];
    int n;
    bool missing; /* a piece could not be had */
} lte_pool;

/* A piece of some bytes that begins with a cache line; NULL if it could not be had. */
void *lte_pool_take(lte_pool *pool, size_t size);

/* The same, of zeros. */
void *lte_pool_zeros(lte_pool *pool, size_t size);

/* Returns LTE_ENOMEM, "no memory for ...", if any piece could not be had. */
lte_status lte_pool_check(const lte_pool *pool, const char *what);

/* Gives all pieces back; the pool is as new. */
void lte_pool_free(lte_pool *pool);

#endif
