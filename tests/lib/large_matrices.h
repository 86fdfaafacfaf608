#ifndef LTE_TESTS_LARGE_MATRICES_H
#define LTE_TESTS_LARGE_MATRICES_H
/*
 * Matrices of order 1 to 256 for kernels/methods/inverse/inverse.h: kind by kind in double, as
 * elements of each type, and the error of an inverse.
 *
 *     double complex *a = matrix_of(rng, KIND_GRAM, true, n);
 *     store_elements(LTE_CFLOAT, n * n, a, elements);
 */

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "kernels/methods/inverse/inverse.h"
#include "tests/lib/matrices.h"
#include "tests/lib/unit.h"

/* The first ones are Hermitian positive definite. */
enum {
    KIND_GRAM,
    KIND_CORRELATED,
    KIND_GRADED_GRAM,
    KIND_NEAR_SINGULAR_GRAM,
    N_HERMITIAN,
    KIND_GENERAL = N_HERMITIAN,
    KIND_PERMUTATION,
    KIND_GRADED,
    KIND_NEAR_SINGULAR,
    KIND_SMALL_INTEGERS, /* many elements of one size; may be singular */
    N_KINDS
};

static inline bool is_complex(int element)
{
    return element == LTE_CFLOAT || element == LTE_CDOUBLE;
}

static inline bool is_single(int element)
{
    return element == LTE_FLOAT || element == LTE_CFLOAT;
}

static inline void *grab(size_t size)
{
    void *p = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(p);
    memset(p, 0xa5, (size + 63) / 64 * 64);
    return p;
}

static inline double complex normal_of(const gsl_rng *rng, bool complex_numbers)
{
    const double re = gsl_ran_gaussian_ziggurat(rng, 1.0);
    return complex_numbers ? CMPLX(re, gsl_ran_gaussian_ziggurat(rng, 1.0)) : re;
}

static inline void general_of(const gsl_rng *rng, bool complex_numbers, int n, double complex *a)
{
    for (int i = 0; i < n * n; i++)
        a[i] = normal_of(rng, complex_numbers);
}

/* Receive antennas 0.7 alike, first order. */
static inline void correlate_rows(int n, double complex *h)
{
    const double rho = 0.7;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j++)
            h[i * n + j] = rho * h[(i - 1) * n + j] + sqrt(1.0 - rho * rho) * h[i * n + j];
    }
}

static inline void gram(const gsl_rng *rng, int kind, bool complex_numbers, int n,
                        double complex *a)
{
    double complex *h = grab((size_t)(n * n) * sizeof *h);
    general_of(rng, complex_numbers, n, h);
    if (kind == KIND_CORRELATED)
        correlate_rows(n, h);
    for (int i = 0; i < n && kind == KIND_NEAR_SINGULAR_GRAM && n > 1; i++)
        h[i * n + n - 1] = h[i * n] + 1e-2 * normal_of(rng, complex_numbers);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double complex sum = i == j ? 0.01 : 0.0;
            for (int k = 0; k < n; k++)
                sum += conj(h[k * n + i]) * h[k * n + j] / n;
            if (kind == KIND_GRADED_GRAM)
                sum *= pow(10.0, -2.0 * (i + j) / n);
            a[i * n + j] = i == j ? creal(sum) : sum;
            a[j * n + i] = conj(a[i * n + j]);
        }
    }
    free(h);
}

/* Its elements, rounded to float; the caller frees it. */
static inline double complex *matrix_of(const gsl_rng *rng, int kind, bool complex_numbers, int n)
{
    double complex *a = grab((size_t)(n * n) * sizeof *a);
    if (kind < N_HERMITIAN)
        gram(rng, kind, complex_numbers, n, a);
    else
        general_of(rng, complex_numbers, n, a);
    if (kind == KIND_PERMUTATION) {
        int column[LTE_INVERSE_MAX_ORDER];
        for (int i = 0; i < n; i++)
            column[i] = i;
        gsl_ran_shuffle(rng, column, (size_t)n, sizeof *column);
        for (int i = 0; i < n * n; i++)
            a[i] = column[i / n] == i % n ? 1.0 : 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (kind == KIND_GRADED)
                a[i * n + j] *= pow(10.0, -4.0 * i / n);
            if (kind == KIND_NEAR_SINGULAR && j == n - 1 && n > 1)
                a[i * n + j] = a[i * n] + 1e-3 * a[i * n + j];
            if (kind == KIND_SMALL_INTEGERS)
                a[i * n + j] =
                    CMPLX(nearbyint(creal(a[i * n + j])), nearbyint(cimag(a[i * n + j])));
            a[i * n + j] = CMPLX((float)creal(a[i * n + j]), (float)cimag(a[i * n + j]));
        }
    }
    return a;
}

static inline void store_elements(int element, int count, const double complex *a, void *to)
{
    float *const s = to;
    double *const d = to;
    const int planes = is_complex(element) ? 2 : 1;
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < planes; p++) {
            const double x = p ? cimag(a[i]) : creal(a[i]);
            if (is_single(element))
                s[i * planes + p] = (float)x;
            else
                d[i * planes + p] = x;
        }
    }
}

static inline void load_elements(int element, int count, const void *from, double complex *a)
{
    const float *const s = from;
    const double *const d = from;
    const int planes = is_complex(element) ? 2 : 1;
    for (int i = 0; i < count; i++) {
        double x[2] = {0.0, 0.0};
        for (int p = 0; p < planes; p++)
            x[p] = is_single(element) ? (double)s[i * planes + p] : d[i * planes + p];
        a[i] = CMPLX(x[0], x[1]);
    }
}

/* |I - A X| over n u |A| |X|, Frobenius norms. */
static inline double residual_of(int element, int n, const double complex *a,
                                 const double complex *x)
{
    const double unit = is_single(element) ? (double)FLT_EPSILON / 2.0 : DBL_EPSILON / 2.0;
    double complex *row = grab((size_t)n * sizeof *row);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            row[j] = i == j ? -1.0 : 0.0;
        for (int k = 0; k < n; k++) {
            const double re = creal(a[i * n + k]), im = cimag(a[i * n + k]);
            for (int j = 0; j < n; j++) {
                const double x_re = creal(x[k * n + j]), x_im = cimag(x[k * n + j]);
                row[j] += CMPLX(re * x_re - im * x_im, re * x_im + im * x_re);
            }
        }
        const double norm = norm_of(n, row);
        sum += norm * norm;
    }
    free(row);
    return sqrt(sum) / (n * unit * norm_of(n * n, a) * norm_of(n * n, x));
}

#endif
