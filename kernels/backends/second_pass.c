/* Flagged matrices are gathered, inverted once more and put back. */
#include "kernels/backends/second_pass.h"

#include <string.h>

static size_t matrix_size(const lte_second_pass *pass)
{
    const size_t n = (size_t)pass->plan->n;
    return n * n * (size_t)lte_element_size((lte_element)pass->plan->element);
}

void lte_second_pass_take(int n_passes, lte_second_pass *pass, int most, lte_pool *pool)
{
    const size_t each = (size_t)most, all = (size_t)n_passes * each, size = matrix_size(pass);
    char *const b = lte_pool_take(pool, all * size);
    uint8_t *const flag = lte_pool_take(pool, all);
    int *const place = lte_pool_take(pool, all * sizeof *place);
    lte_equilibration *const e = lte_pool_take(pool, all * sizeof *e);
    for (size_t i = 0; i < (size_t)n_passes && !pool->missing; i++) {
        pass[i].most = most;
        pass[i].b = b + i * each * size;
        pass[i].flag = flag + i * each;
        pass[i].place = place + i * each;
        pass[i].e = e + i * each;
    }
}

/* Matrices from *at on, as many as there is room for, equilibrated; *at: behind the last one. */
static int gather(const lte_second_pass *pass, int n_matrices, const char *a, const uint8_t *flag,
                  int *at)
{
    const size_t size = matrix_size(pass);
    int count = 0;
    for (; *at < n_matrices && count < pass->most; ++*at) {
        lte_equilibration *const e = &pass->e[count];
        e->n = pass->plan->n;
        e->hermitian = lte_inverter_rows[pass->plan->inverter].hermitian;
        e->is_double = pass->plan->element == LTE_CDOUBLE;
        if (!flag[*at] ||
            !lte_equilibrate(e, a + (size_t)*at * size, pass->b + (size_t)count * size))
            continue;
        pass->place[count++] = *at;
    }
    return count;
}

/* Returns how many of count have an inverse now. */
static int scatter(const lte_second_pass *pass, int count, char *x, uint8_t *flag)
{
    const size_t size = matrix_size(pass);
    int n_found = 0;
    for (int i = 0; i < count; i++) {
        char *const b = pass->b + (size_t)i * size;
        if (pass->flag[i] || !lte_equilibration_undo(&pass->e[i], b))
            continue;
        memcpy(x + (size_t)pass->place[i] * size, b, size);
        flag[pass->place[i]] = 0;
        n_found++;
    }
    return n_found;
}

lte_status lte_second_pass_run(const lte_second_pass *pass, int n_matrices, const void *a, void *x,
                               uint8_t *flag, int *n_found)
{
    *n_found = 0;
    for (int at = 0; at < n_matrices;) {
        const int count = gather(pass, n_matrices, a, flag, &at);
        if (count == 0)
            continue;
        const lte_status status = pass->invert(pass, count, pass->b, pass->flag);
        if (status)
            return status;
        *n_found += scatter(pass, count, x, flag);
    }
    return LTE_OK;
}
