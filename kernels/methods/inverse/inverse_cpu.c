/* Inverses of many matrices on processors: levels, checks, threads, counted traffic. */
#include "kernels/methods/inverse/inverse.h"

#include <string.h>

#include "kernels/base/levels.h"
#include "phy/base/names.h"

const lte_inverse_row lte_inverse_rows[LTE_N_INVERSES] = {
    [LTE_INVERSE_LU_DELAYED] = {.name = "lu-delayed",
                                .text = "LU, partial pivoting, delayed updates, any matrix"},
    [LTE_INVERSE_LU_IMMEDIATE] = {.name = "lu-immediate",
                                  .text = "LU, partial pivoting, immediate updates, any matrix"},
    [LTE_INVERSE_CHOLESKY_DELAYED] = {.name = "cholesky-delayed",
                                      .text = "Cholesky, Hermitian positive definite",
                                      .hermitian = true},
};

int lte_inverse_method(const char *name)
{
    const lte_names names = LTE_NAMES(lte_inverse_rows);
    return lte_name_find(&names, name);
}

const lte_inverse_level *lte_inverse_best(void)
{
    const lte_inverse_level *best = lte_inverse_levels[0];
    for (int i = 0; lte_inverse_levels[i]; i++) {
        if (lte_inverse_levels[i]->usable())
            best = lte_inverse_levels[i];
    }
    return best;
}

/* Of one thread: two matrices of the largest order and element, and panels beside them. */
enum {
    WORK = 2 * LTE_INVERSE_MAX_ORDER * LTE_INVERSE_MAX_ORDER * 16 + 64 * LTE_INVERSE_MAX_ORDER * 16
};

size_t lte_inverse_work(int n_threads)
{
    return (size_t)n_threads * WORK;
}

lte_status lte_inverse_check(int element, int n, int n_matrices, const void *a, const void *x)
{
    if (element < 0 || element >= LTE_N_NUMBERS)
        return LTE_FAIL(LTE_EINVAL, "element=%d (0 to %d)", element, LTE_N_NUMBERS - 1);
    if (n < 1 || n > LTE_INVERSE_MAX_ORDER || n_matrices < 1)
        return LTE_FAIL(LTE_EINVAL, "n=%d (1 to %d), n_matrices=%d (1 or more)", n,
                        LTE_INVERSE_MAX_ORDER, n_matrices);
    const uintptr_t each = (size_t)lte_element_size((lte_element)element), from = (uintptr_t)a,
                    to = (uintptr_t)x;
    if ((from | to) % each != 0)
        return LTE_FAIL(LTE_EINVAL, "an address is not a multiple of %d", (int)each);
    const uint64_t size = (uint64_t)n_matrices * (uint64_t)(n * n) * each;
    if (size > PTRDIFF_MAX)
        return LTE_FAIL(LTE_EINVAL, "%d matrices of order %d are too many", n_matrices, n);
    if (from != to && (from < to ? to - from < size : from - to < size))
        return LTE_FAIL(LTE_EINVAL, "matrices and inverses overlap partly");
    return LTE_OK;
}

lte_status lte_inverse(const lte_inverse_level *level, int method, const lte_inverse_batch *batch,
                       int n_threads)
{
    const int n = batch->n, n_matrices = batch->n_matrices;
    lte_status status = lte_inverse_check(batch->element, n, n_matrices, batch->a, batch->x);
    if (status)
        return status;
    if (method < 0 || method >= LTE_N_INVERSES)
        return LTE_FAIL(LTE_EINVAL, "method=%d (0 to %d)", method, LTE_N_INVERSES - 1);
    if (n_threads < 1)
        return LTE_FAIL(LTE_EINVAL, "n_threads=%d (1 or more)", n_threads);
    const size_t matrix = (size_t)(n * n) * (size_t)lte_element_size((lte_element)batch->element);
    const int lanes = 16, n_pieces = (n_matrices + lanes - 1) / lanes;
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (int t = 0; t < n_threads; t++) { /* whole groups of matrices a thread */
        const int first = (int)((int64_t)n_pieces * t / n_threads) * lanes;
        int last = (int)((int64_t)n_pieces * (t + 1) / n_threads) * lanes;
        last = last < n_matrices ? last : n_matrices;
        if (first < last)
            level->run[batch->element](method, n, last - first,
                                       (const char *)batch->a + (size_t)first * matrix,
                                       (char *)batch->x + (size_t)first * matrix,
                                       batch->flag + first, (char *)batch->work + (size_t)t * WORK);
    }
    return LTE_OK;
}
