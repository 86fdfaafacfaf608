/* Gram matrices by the program's random numbers, and residuals in double. */
#include "sim/methods/method_matrices.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "phy/base/normal.h"
#include "phy/base/philox.h"
#include "sim/methods/method_parts.h"

static const double most_products = 1e9; /* about two seconds of them */

static double complex wide(lte_cf32 z)
{
    return (double)z.re + (double)z.im * (double complex)I;
}

static void fill(int n, uint64_t matrix, lte_cf32 *h, lte_cf32 *a)
{
    const lte_philox_key key = lte_philox_key_of(1);
    for (int i = 0; i < n * n; i++) {
        const lte_words w = lte_philox(&key, matrix, (lte_word)i);
        const lte_cplx z = lte_normal(w.v[0], w.v[1]);
        h[i] = (lte_cf32){z.re, z.im};
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double complex sum = i == j ? 0.1 : 0.0;
            for (int k = 0; k < n; k++)
                sum += conj(wide(h[k * n + i])) * wide(h[k * n + j]) / n;
            a[i * n + j] = (lte_cf32){(float)creal(sum), i == j ? 0.0f : (float)cimag(sum)};
            a[j * n + i] = (lte_cf32){a[i * n + j].re, -a[i * n + j].im};
        }
    }
}

lte_status lte_method_grams(int n, int count, lte_cf32 *a)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    lte_cf32 *h = malloc((size_t)n2 * sizeof *h);
    if (!h)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a matrix of order %d", n);
    for (int m = 0; m < count; m++)
        fill(n, (uint64_t)m, h, &a[m * n2]);
    free(h);
    return LTE_OK;
}

static double norm(int n, const lte_cf32 *a)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += (double)a[i].re * (double)a[i].re + (double)a[i].im * (double)a[i].im;
    return sqrt(sum);
}

/* |(A X - I)_ij| */
static double distance(int n, const lte_cf32 *a, const lte_cf32 *x, int i, int j)
{
    double complex sum = i == j ? -1.0 : 0.0;
    for (int k = 0; k < n; k++)
        sum += wide(a[i * n + k]) * wide(x[k * n + j]);
    return cabs(sum);
}

/* The larger one; INFINITY for what is not finite. */
static double larger(double a, double b)
{
    return isfinite(b) ? fmax(a, b) : (double)INFINITY;
}

double lte_method_residual(int n, int count, const lte_cf32 *a, const lte_cf32 *x,
                           const uint8_t *flag)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    const bool all = (double)count * n * n * n <= most_products;
    double worst = 0.0;
    for (int m = 0; m < count && all; m++) {
        const double scale = n * 0x1p-24 * norm(n, &a[m * n2]) * norm(n, &x[m * n2]);
        for (int e = 0; e < n * n; e++)
            worst = larger(worst, distance(n, &a[m * n2], &x[m * n2], e / n, e % n) / scale);
    }
    for (uint64_t i = 0; i < LTE_METHOD_DRAWN && !all; i++) {
        const uint64_t e = lte_method_draw(i, (uint64_t)count * (uint64_t)n2);
        const ptrdiff_t at = (ptrdiff_t)(e / (uint64_t)n2) * n2;
        const int of = (int)(e % (uint64_t)n2);
        const double scale = n * 0x1p-24 * norm(n, &a[at]) * norm(n, &x[at]);
        worst = larger(worst, distance(n, &a[at], &x[at], of / n, of % n) / scale);
    }
    for (int m = 0; m < count; m++)
        worst = flag[m] ? (double)INFINITY : worst;
    return worst;
}
