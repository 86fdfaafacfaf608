/* Pieces of memory that are given back together. */
#include "phy/base/pool.h"

#include <stdlib.h>
#include <string.h>

void *lte_pool_take(lte_pool *pool, size_t size)
{
    void *piece = NULL;
    if (pool->n == LTE_POOL_PIECES || posix_memalign(&piece, 64, size > 0 ? size : 1)) {
        pool->missing = true;
        return NULL;
    }
    return pool->piece[pool->n++] = piece;
}

void *lte_pool_zeros(lte_pool *pool, size_t size)
{
    void *piece = lte_pool_take(pool, size);
    return piece ? memset(piece, 0, size) : NULL;
}

lte_status lte_pool_check(const lte_pool *pool, const char *what)
{
    return pool->missing ? LTE_FAIL(LTE_ENOMEM, "no memory for %s", what) : LTE_OK;
}

void lte_pool_free(lte_pool *pool)
{
    while (pool->n > 0)
        free(pool->piece[--pool->n]);
    pool->missing = false;
}
