#ifndef LTE_TESTS_MATRICES_H
#define LTE_TESTS_MATRICES_H
/*
 * Random complex matrices in double, kind by kind, and inverses of them by GSL.
 *
 *     double complex a[MATRIX_SIZE];
 *     fill_gram(rng, 4, a);                         // a [4][4]
 *     double complex x[MATRIX_SIZE];
 *     invert_in_double(4, a, x);
 */

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "phy/base/limits.h"
#include "tests/lib/unit.h"

enum { MATRIX_ORDER = 24, MATRIX_SIZE = MATRIX_ORDER * MATRIX_ORDER };

typedef void matrix_fill(const gsl_rng *rng, int n, double complex *a);

/* Frobenius norm of n elements. */
static inline double norm_of(int n, const double complex *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
    return sqrt(sum);
}

/* x <- a b, all [n][n]. */
static inline void multiply(int n, const double complex *a, const double complex *b,
                            double complex *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            x[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                x[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    }
}

/* Of any order. */
static inline void invert_in_double(int n, const double complex *a, double complex *x)
{
    double complex *lu = malloc((size_t)(n * n) * sizeof *lu);
    size_t *order = malloc((size_t)n * sizeof *order);
    int sign;
    if (!lu || !order)
        abort(); /* benchmarks have no asserts */
    memcpy(lu, a, (size_t)(n * n) * sizeof *a);
    gsl_permutation permutation = {(size_t)n, order};
    gsl_matrix_complex_view factors =
        gsl_matrix_complex_view_array((double *)lu, (size_t)n, (size_t)n);
    gsl_matrix_complex_view inverse =
        gsl_matrix_complex_view_array((double *)x, (size_t)n, (size_t)n);
    (void)gsl_linalg_complex_LU_decomp(&factors.matrix, &permutation, &sign);
    (void)gsl_linalg_complex_LU_invert(&factors.matrix, &permutation, &inverse.matrix);
    free(lu);
    free(order);
}

static inline double complex random_normal(const gsl_rng *rng)
{
    const double sigma = sqrt(0.5);
    const double re = gsl_ran_gaussian_ziggurat(rng, sigma);
    return CMPLX(re, gsl_ran_gaussian_ziggurat(rng, sigma));
}

/* Independent CN(0, 1). */
static inline void fill_general(const gsl_rng *rng, int n, double complex *a)
{
    for (int i = 0; i < n * n; i++)
        a[i] = random_normal(rng);
}

/* g <- h' h, Hermitian to the last bit. */
static inline void gram_of(int n, const double complex *h, double complex *g)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double complex sum = 0.0;
            for (int r = 0; r < n; r++)
                sum += conj(h[r * n + i]) * h[r * n + j];
            g[i * n + j] = sum;
            g[j * n + i] = conj(sum);
        }
        g[i * n + i] = creal(g[i * n + i]);
    }
}

/* Gram matrix of a square Rayleigh channel. */
static inline void fill_gram(const gsl_rng *rng, int n, double complex *a)
{
    double complex h[MATRIX_SIZE];
    fill_general(rng, n, h);
    gram_of(n, h, a);
}

/* Root of the correlation 0.95^|i - j|. */
static inline double correlation_root(int i, int j)
{
    const double rho = 0.95;
    return j > i ? 0.0 : pow(rho, i - j) * (j ? sqrt(1.0 - rho * rho) : 1.0);
}

/* Gram matrix of a channel correlated at both ends, with the MMSE loading of 30 dB. */
static inline void fill_correlated(const gsl_rng *rng, int n, double complex *a)
{
    double complex root[MATRIX_SIZE], root_t[MATRIX_SIZE];
    double complex white[MATRIX_SIZE], half[MATRIX_SIZE], h[MATRIX_SIZE];
    for (int i = 0; i < n * n; i++) {
        root[i] = correlation_root(i / n, i % n);
        root_t[i] = correlation_root(i % n, i / n);
    }
    fill_general(rng, n, white);
    multiply(n, root, white, half);
    multiply(n, half, root_t, h);
    gram_of(n, h, a);
    for (int i = 0; i < n; i++)
        a[i * n + i] += n / 1000.0;
}

/* Gram matrix of layers each 5 dB below the one before. */
static inline void fill_graded_gram(const gsl_rng *rng, int n, double complex *a)
{
    fill_gram(rng, n, a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i * n + j] *= pow(10.0, -0.25 * (i + j));
    }
}

/* Each row 10 dB below the one before. */
static inline void fill_graded(const gsl_rng *rng, int n, double complex *a)
{
    fill_general(rng, n, a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i * n + j] *= pow(10.0, -0.5 * i);
    }
}

/* The last column all but equals the first. */
static inline void fill_dependent(const gsl_rng *rng, int n, double gap, double complex *a)
{
    fill_general(rng, n, a);
    for (int i = 0; i < n && n > 1; i++)
        a[i * n + n - 1] = a[i * n] + gap * random_normal(rng);
}

static inline void fill_near_singular(const gsl_rng *rng, int n, double complex *a)
{
    fill_dependent(rng, n, 1e-4, a);
}

/* Condition numbers of 1e5 to 1e6. */
static inline void fill_near_singular_gram(const gsl_rng *rng, int n, double complex *a)
{
    double complex h[MATRIX_SIZE];
    fill_dependent(rng, n, 1e-3, h);
    gram_of(n, h, a);
    for (int i = 0; i < n; i++)
        a[i * n + i] += 1e-4;
}

/* Condition numbers to 1e10, which leave float no correct digit. */
static inline void fill_hopeless_gram(const gsl_rng *rng, int n, double complex *a)
{
    double complex h[MATRIX_SIZE];
    fill_dependent(rng, n, 3e-3, h);
    gram_of(n, h, a);
}

static inline void fill_permutation(const gsl_rng *rng, int n, double complex *a)
{
    int column[MATRIX_ORDER];
    for (int i = 0; i < n; i++)
        column[i] = i;
    gsl_ran_shuffle(rng, column, (size_t)n, sizeof *column);
    for (int i = 0; i < n * n; i++)
        a[i] = column[i / n] == i % n ? 1.0 : 0.0;
}

/* Whole numbers -1, 0, 1 in both parts: many elements of one size. */
static inline void fill_small_integers(const gsl_rng *rng, int n, double complex *a)
{
    for (int i = 0; i < n * n; i++) {
        const double re = (double)gsl_rng_uniform_int(rng, 3) - 1.0;
        a[i] = CMPLX(re, (double)gsl_rng_uniform_int(rng, 3) - 1.0);
    }
}

#endif
