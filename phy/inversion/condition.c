/* Condition number and residual of an inverse, in double. */
#include "phy/inversion/condition.h"

#include <complex.h>
#include <math.h>

static double complex wide(lte_cf32 z)
{
    return (double)z.re + (double)z.im * (double complex)I;
}

/* Sum of magnitudes over column j. */
static double column_norm(int n, const lte_cf32 *a, int j)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += cabs(wide(a[i * n + j]));
    return sum;
}

/* The same of I - A X. */
static double rest_norm(int n, const lte_cf32 *a, const lte_cf32 *x, int j)
{
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        double complex sum = i == j ? 1.0 : 0.0;
        for (int k = 0; k < n; k++)
            sum -= wide(a[i * n + k]) * wide(x[k * n + j]);
        norm += cabs(sum);
    }
    return norm;
}

lte_condition lte_condition_of(int n, const lte_cf32 *a, const lte_cf32 *x)
{
    double norm_a = 0.0, norm_x = 0.0, norm_rest = 0.0; /* 1-norms: the largest column's */
    lte_condition c;
    for (int j = 0; j < n; j++) {
        norm_a = fmax(norm_a, column_norm(n, a, j));
        norm_x = fmax(norm_x, column_norm(n, x, j));
        norm_rest = fmax(norm_rest, rest_norm(n, a, x, j));
    }
    c.condition = norm_a * norm_x;
    c.residual = norm_rest / (n * 0x1p-24 * c.condition);
    return c;
}
