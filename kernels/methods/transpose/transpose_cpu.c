/* Transposition, and other orders of dimensions, by plain loops, block by block. */
#include "kernels/methods/transpose/transpose.h"

#include <stdbool.h>
#include <string.h>

#include "phy/base/real.h"

lte_status lte_overlap_check(const void *a, int64_t a_bytes, const void *x, int64_t x_bytes)
{
    const uintptr_t from = (uintptr_t)a, to = (uintptr_t)x;
    const bool apart =
        from < to ? to - from >= (uintptr_t)a_bytes : from - to >= (uintptr_t)x_bytes;
    return apart ? LTE_OK : LTE_FAIL(LTE_EINVAL, "the arrays of a copy overlap");
}

lte_status lte_transpose_check(int element_size, int n_batches, int n_rows, int n_columns,
                               const void *a, const void *x)
{
    const int64_t most = INT64_MAX / 32; /* elements; their bytes fit twice */
    if (element_size != 4 && element_size != 8 && element_size != 16)
        return LTE_FAIL(LTE_EINVAL, "element_size=%d (4, 8 or 16)", element_size);
    if (n_batches < 1 || n_rows < 1 || n_columns < 1)
        return LTE_FAIL(LTE_EINVAL, "n_batches=%d, n_rows=%d, n_columns=%d (1 or more)", n_batches,
                        n_rows, n_columns);
    if ((int64_t)n_rows * n_columns > most / n_batches)
        return LTE_FAIL(LTE_EINVAL, "%d x %d x %d elements are too many", n_batches, n_rows,
                        n_columns);
    if (((uintptr_t)a | (uintptr_t)x) % (uintptr_t)element_size != 0)
        return LTE_FAIL(LTE_EINVAL, "an address is not a multiple of %d", element_size);
    const int64_t size = (int64_t)n_rows * n_columns * n_batches * element_size;
    return lte_overlap_check(a, size, x, size);
}

lte_steps lte_transpose_steps(int n_batches, int n_rows, int n_columns)
{
    const int64_t plane = (int64_t)n_rows * n_columns;
    return (lte_steps){3,
                       {{n_batches, plane, plane}, {n_rows, n_columns, 1}, {n_columns, 1, n_rows}}};
}

lte_status lte_steps_order(int element_size, const lte_steps *steps, const void *a, const void *x,
                           lte_steps *ordered)
{
    lte_step *const s = ordered->step;
    int64_t a_last = 0, x_last = 0;
    int n = 0, n_sorted = 0, least = 0;
    for (int i = 0; i < steps->n; i++) {
        const lte_step next = steps->step[i];
        int k = n_sorted;
        a_last += (next.size - 1) * next.from;
        x_last += (next.size - 1) * next.to;
        if (next.size == 1)
            continue;
        for (; k > 0 && s[k - 1].from < next.from; k--)
            s[k] = s[k - 1];
        s[k] = next;
        n_sorted++;
    }
    for (int i = 0; i < n_sorted; i++) {
        const lte_step next = s[i];
        if (n > 0 && s[n - 1].from == next.size * next.from && s[n - 1].to == next.size * next.to)
            s[n - 1] = (lte_step){s[n - 1].size * next.size, next.from, next.to};
        else
            s[n++] = next;
    }
    for (int i = 1; i < n; i++)
        least = s[i].to < s[least].to ? i : least;
    for (; least < n - 2; least++) {
        const lte_step row = s[least];
        s[least] = s[least + 1];
        s[least + 1] = row;
    }
    ordered->n = n;
    return lte_overlap_check(a, (a_last + 1) * element_size, x, (x_last + 1) * element_size);
}

static inline ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

/* Block by block, each a cache line wide and high: a line that came in is used up. */
LTE_INLINE void permute_matrices(ptrdiff_t size, lte_step batch, lte_step row, lte_step column,
                                 const char *a, char *x)
{
    const ptrdiff_t side = 64 / size;
    for (ptrdiff_t b = 0; b < batch.size; b++, a += batch.from * size, x += batch.to * size) {
        for (ptrdiff_t i0 = 0; i0 < row.size; i0 += side) {
            for (ptrdiff_t j0 = 0; j0 < column.size; j0 += side) {
                const ptrdiff_t i1 = smaller(i0 + side, row.size);
                const ptrdiff_t j1 = smaller(j0 + side, column.size);
                for (ptrdiff_t j = j0; j < j1; j++) {
                    for (ptrdiff_t i = i0; i < i1; i++)
                        memcpy(&x[(j * column.to + i * row.to) * size],
                               &a[(i * row.from + j * column.from) * size], (size_t)size);
                }
            }
        }
    }
}

/* Parts to complex numbers, columns that follow one another, others: constants in the loops. */
LTE_INLINE void permute_elements(ptrdiff_t size, lte_step batch, lte_step row, lte_step column,
                                 const char *a, char *x)
{
    const lte_step two = {2, row.from, 1}, pairs = {column.size, 1, 2};
    const lte_step columns = {column.size, 1, column.to};
    if (row.size == 2 && row.to == 1 && column.from == 1 && column.to == 2)
        permute_matrices(size, batch, two, pairs, a, x);
    else if (column.from == 1)
        permute_matrices(size, batch, row, columns, a, x);
    else
        permute_matrices(size, batch, row, column, a, x);
}

/* A loop for each of n steps; what follows one another in both arrays at once. */
static void permute(ptrdiff_t size, int n, const lte_step *s, const char *a, char *x)
{
    const lte_step one = {1, 0, 0}, batch = n > 2 ? s[n - 3] : one;
    const lte_step row = n > 1 ? s[n - 2] : one, column = n > 0 ? s[n - 1] : one;
    const bool run = column.from == 1 && column.to == 1;
    if (n > 3 || (n > 1 && run)) {
        for (ptrdiff_t i = 0; i < s->size; i++)
            permute(size, n - 1, s + 1, a + i * s->from * size, x + i * s->to * size);
    } else if (run) {
        memcpy(x, a, (size_t)(column.size * size));
    } else if (size == 1) { /* the size becomes a constant, and memcpy one load and one store */
        permute_elements(1, batch, row, column, a, x);
    } else if (size == 4) {
        permute_elements(4, batch, row, column, a, x);
    } else if (size == 8) {
        permute_elements(8, batch, row, column, a, x);
    } else {
        permute_elements(16, batch, row, column, a, x);
    }
}

lte_status lte_permute(int element_size, const lte_steps *steps, const void *a, void *x)
{
    lte_steps ordered;
    const lte_status status = lte_steps_order(element_size, steps, a, x, &ordered);
    if (!status)
        permute(element_size, ordered.n, ordered.step, a, x);
    return status;
}

lte_status lte_transpose(int element_size, int n_batches, int n_rows, int n_columns, const void *a,
                         void *x)
{
    const lte_steps steps = lte_transpose_steps(n_batches, n_rows, n_columns);
    const lte_status status = lte_transpose_check(element_size, n_batches, n_rows, n_columns, a, x);
    return status ? status : lte_permute(element_size, &steps, a, x);
}
