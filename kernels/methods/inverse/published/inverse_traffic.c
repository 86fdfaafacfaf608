/*
 * Bytes that the published mapping moves, counted as its kernels are written (inverse_blocks.cuh).
 */
#include "kernels/methods/inverse/inverse.h"

/* Elements read and written. */
typedef struct {
    double read, written;
} traffic;

static void move(traffic *t, double read, double written)
{
    t->read += read;
    t->written += written;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Elements (i, k), i0 <= i < i1, k0 <= k < k1, with k < i. */
static double below(int i0, int i1, int k0, int k1)
{
    double n = 0.0;
    for (int i = i0; i < i1; i++)
        n += i <= k0 ? 0 : smaller(i, k1) - k0;
    return n;
}

static void delayed(int n, int nb, traffic *t)
{
    for (int j0 = 0; j0 < n; j0 += nb) { /* a block of L and U: those on its left are read once */
        const int w = smaller(nb, n - j0);
        move(t, (double)n * w + below(0, n, 0, j0), (double)n * w);
        move(t, 2.0 * w * j0, 2.0 * w * j0); /* at most: rows of L exchanged */
    }
    for (int j0 = 0; j0 < n; j0 += nb) { /* of U^-1: U, and the solved triangle on its left */
        const int w = smaller(nb, n - j0), j1 = j0 + w;
        move(t, (double)j1 * w + (double)j0 * (j0 + 1) / 2, (double)j1 * w);
    }
    for (int j0 = (n - 1) / nb * nb; j0 >= 0; j0 -= nb) { /* of X: L, and what is solved behind */
        const int w = smaller(nb, n - j0), j1 = j0 + w;
        move(t, (double)n * w + (double)n * (n - j1), (double)n * w);
    }
}

static void immediate(int n, int nb, traffic *t)
{
    move(t, (double)n * n, (double)n * n); /* a laid out by columns; delayed reads blocks of it */
    for (int k0 = 0; k0 < n; k0 += nb) {
        const int w = smaller(nb, n - k0), k1 = k0 + w;
        const double rows = n - k0;
        move(t, rows * w, rows * w);
        move(t, 2.0 * w * k0, 2.0 * w * k0);
        move(t, rows * (n - k1), rows * (n - k1)); /* everything to the right, each time */
    }
    for (int k0 = 0; k0 < n; k0 += nb) {
        const int w = smaller(nb, n - k0), k1 = k0 + w;
        move(t, (double)k1 * w, (double)k1 * w);
        move(t, (double)k1 * (n - k1), (double)k1 * (n - k1));
    }
    move(t, (double)n * (n - 1) / 2, (double)n * (n - 1)); /* L leaves the place of X */
    for (int k0 = (n - 1) / nb * nb; k0 >= 0; k0 -= nb) {
        const int w = smaller(nb, n - k0);
        move(t, (double)n * w + (double)w * k0 + w * (w - 1) / 2.0, (double)n * w);
        move(t, (double)n * k0, (double)n * k0);
    }
}

lte_status lte_inverse_traffic(int method, int element, int n, int nb, double *read,
                               double *written)
{
    traffic t = {0.0, 0.0};
    lte_status status = lte_inverse_check(element, n, 1, NULL, NULL);
    if (status)
        return status;
    if (method < 0 || method >= LTE_N_INVERSES)
        return LTE_FAIL(LTE_EINVAL, "method=%d (0 to %d)", method, LTE_N_INVERSES - 1);
    if (lte_inverse_rows[method].hermitian)
        return LTE_FAIL(LTE_EINVAL, "%s has no block columns to count",
                        lte_inverse_rows[method].name);
    if (nb < 1 || nb > n)
        return LTE_FAIL(LTE_EINVAL, "nb=%d (1 to n=%d)", nb, n);
    if (method == LTE_INVERSE_LU_DELAYED)
        delayed(n, nb, &t);
    else
        immediate(n, nb, &t);
    move(&t, (double)n * n, (double)n * n); /* columns exchanged and laid out as x */
    *read = t.read * lte_element_size((lte_element)element);
    *written = t.written * lte_element_size((lte_element)element);
    return LTE_OK;
}
