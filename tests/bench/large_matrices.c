/* Large matrices by the program's own random numbers. */
#include "tests/bench/large_matrices.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "phy/base/normal.h"
#include "phy/base/philox.h"

static double complex widen(lte_cf32 z)
{
    return (double)z.re + (double)z.im * (double complex)I;
}

static void fill_general(int n, uint64_t matrix, lte_cf32 *a)
{
    const lte_philox_key key = lte_philox_key_of(2026);
    for (int i = 0; i < n * n; i++) {
        const lte_words w = lte_philox(&key, matrix, (lte_word)i);
        const lte_cplx z = lte_normal(w.v[0], w.v[1]);
        a[i] = (lte_cf32){z.re, z.im};
    }
}

static void gram_of(int n, const lte_cf32 *h, lte_cf32 *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double complex sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += conj(widen(h[k * n + i])) * widen(h[k * n + j]) / n;
            sum += i == j ? 0.1 : 0.0;
            a[i * n + j] = (lte_cf32){(float)creal(sum), i == j ? 0.0f : (float)cimag(sum)};
            a[j * n + i] = (lte_cf32){a[i * n + j].re, -a[i * n + j].im};
        }
    }
}

void bench_large_fill(int n, int count, bool hermitian, lte_cf32 *a)
{
    lte_cf32 *h = malloc((size_t)(n * n) * sizeof *h);
    for (int m = 0; m < count && h; m++) {
        lte_cf32 *const to = a + (ptrdiff_t)m * n * n;
        fill_general(n, (uint64_t)m, hermitian ? h : to);
        if (hermitian)
            gram_of(n, h, to);
    }
    free(h);
}

/* |I - A X|^2 and the squares of both norms. */
static double distance(int n, const lte_cf32 *a, const lte_cf32 *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double re = i == j ? -1.0 : 0.0, im = 0.0;
            for (int k = 0; k < n; k++) {
                const lte_cf32 p = a[i * n + k], q = x[k * n + j];
                re += (double)p.re * (double)q.re - (double)p.im * (double)q.im;
                im += (double)p.re * (double)q.im + (double)p.im * (double)q.re;
            }
            sum += re * re + im * im;
        }
    }
    return sqrt(sum);
}

static double norm(int n, const lte_cf32 *a)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += (double)a[i].re * (double)a[i].re + (double)a[i].im * (double)a[i].im;
    return sqrt(sum);
}

double bench_large_residual(int n, const lte_cf32 *a, const lte_cf32 *x)
{
    const double right = distance(n, a, x), left = distance(n, x, a);
    return (left < right ? left : right) / (n * 0x1p-24 * norm(n, a) * norm(n, x));
}
