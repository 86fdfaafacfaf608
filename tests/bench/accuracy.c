#include "tests/bench/accuracy.h"
#include "tests/bench/contenders.h"

#include <math.h>

/* Matrix sc in either layout, to double and row major. */
static void widen(const lte_link *link, const float *from, bool batch, int sc, double complex *to)
{
    const int n = link->n_tx;
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t j = 0; j < n; j++) {
            const ptrdiff_t element = sc / LTE_LANES * n2 + i * n + j;
            const float *p = batch ? &from[element * 2 * LTE_LANES + sc % LTE_LANES]
                                   : &from[(sc * n2 + j * n + i) * 2];
            double *parts = (double *)&to[i * n + j]; /* C11 6.2.5: an array of two */
            parts[0] = (double)p[0];
            parts[1] = (double)(batch ? p[LTE_LANES] : p[1]);
        }
    }
}

/* The largest row sum. */
static double norm(int n, const double complex *a)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += cabs(a[i * n + j]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest;
}

double lte_residual_of(int n, const double complex *a, const double complex *x)
{
    double complex r[LTE_MAX_TX * LTE_MAX_TX];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            r[i * n + j] = i == j;
            for (int k = 0; k < n; k++)
                r[i * n + j] -= a[i * n + k] * x[k * n + j];
        }
    }
    return norm(n, r) / (n * 0x1p-24 * norm(n, a) * norm(n, x));
}

double lte_contender_residual(const lte_contender *self, const lte_matrices *matrices,
                              const float *a, const float *x)
{
    const lte_link *link = &self->link;
    const float *found = self->side == LTE_SIDE_EIGEN ? x : a;
    double worst = 0.0;
    for (int sc = 0; sc < link->n_sc; sc++) {
        double complex wide_a[LTE_MAX_TX * LTE_MAX_TX], wide_x[LTE_MAX_TX * LTE_MAX_TX];
        widen(link, matrices->batch, true, sc, wide_a);
        widen(link, found, self->side == LTE_SIDE_OURS, sc, wide_x);
        const double here = lte_residual_of(link->n_tx, wide_a, wide_x);
        if (!isfinite(here))
            return (double)INFINITY;
        worst = here > worst ? here : worst;
    }
    return worst;
}
