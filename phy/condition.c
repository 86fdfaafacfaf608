/* Condition number and residual of an inverse, in double. */
#include "phy/condition.h"

#include <complex.h>

#include "phy/limits.h"

/* Largest sum of magnitudes over a column. */
static double norm1(int n, const double complex *a)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += cabs(a[i * n + j]);
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

lte_condition lte_condition_of(int n, const lte_cf32 *a, const lte_cf32 *x)
{
    enum { SIZE = LTE_MAX_TX * LTE_MAX_TX };
    double complex wide_a[SIZE], wide_x[SIZE], rest[SIZE];
    lte_condition c;
    for (int i = 0; i < n * n; i++) {
        wide_a[i] = (double)a[i].re + (double)a[i].im * (double complex)I;
        wide_x[i] = (double)x[i].re + (double)x[i].im * (double complex)I;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double complex sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < n; k++)
                sum -= wide_a[i * n + k] * wide_x[k * n + j];
            rest[i * n + j] = sum;
        }
    }
    c.condition = norm1(n, wide_a) * norm1(n, wide_x);
    c.residual = norm1(n, rest) / (n * 0x1p-24 * c.condition);
    return c;
}
