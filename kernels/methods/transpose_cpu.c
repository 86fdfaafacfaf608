/* Transposition by plain loops, block by block. */
#include "kernels/methods/transpose.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "phy/real.h"

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
    const uintptr_t from = (uintptr_t)a, to = (uintptr_t)x;
    if ((from | to) % (uintptr_t)element_size != 0)
        return LTE_FAIL(LTE_EINVAL, "an address that is no multiple of %d", element_size);
    const uintptr_t size =
        (uintptr_t)n_batches * (uintptr_t)n_rows * (uintptr_t)n_columns * (uintptr_t)element_size;
    if (from < to ? to - from < size : from - to < size)
        return LTE_FAIL(LTE_EINVAL, "a transposition in place");
    return LTE_OK;
}

static inline ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

/* Block by block, each a cache line wide and high: a line that came in is used up. */
LTE_INLINE void transpose_matrix(ptrdiff_t size, ptrdiff_t n_rows, ptrdiff_t n_columns,
                                 const char *a, char *x)
{
    const ptrdiff_t side = 64 / size;
    for (ptrdiff_t i0 = 0; i0 < n_rows; i0 += side) {
        for (ptrdiff_t j0 = 0; j0 < n_columns; j0 += side) {
            const ptrdiff_t i1 = smaller(i0 + side, n_rows), j1 = smaller(j0 + side, n_columns);
            for (ptrdiff_t j = j0; j < j1; j++) {
                for (ptrdiff_t i = i0; i < i1; i++)
                    memcpy(&x[(j * n_rows + i) * size], &a[(i * n_columns + j) * size],
                           (size_t)size);
            }
        }
    }
}

lte_status lte_transpose(int element_size, int n_batches, int n_rows, int n_columns, const void *a,
                         void *x)
{
    lte_status status = lte_transpose_check(element_size, n_batches, n_rows, n_columns, a, x);
    if (status)
        return status;
    for (ptrdiff_t b = 0; b < n_batches; b++) {
        const ptrdiff_t at = b * n_rows * n_columns * element_size;
        const char *from = (const char *)a + at;
        char *to = (char *)x + at;
        if (element_size == 4) /* the size becomes a constant, and memcpy one load and one store */
            transpose_matrix(4, n_rows, n_columns, from, to);
        else if (element_size == 8)
            transpose_matrix(8, n_rows, n_columns, from, to);
        else
            transpose_matrix(16, n_rows, n_columns, from, to);
    }
    return LTE_OK;
}
