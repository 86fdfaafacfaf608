#ifndef LTE_TESTS_PLAIN_INVERSES_H
#define LTE_TESTS_PLAIN_INVERSES_H
/*
 * Inverses that those of the library are held against: what the plain loops of an inverter make of
 * matrices, without a second pass, and elimination in long double.
 *
 *     invert_plainly(LTE_INVERTER_ldl, 4, LTE_CFLOAT, count, a, x, flag);
 *     invert_widely(4, a, x);    // of elements wide_of(z)
 */

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/stages.h"
#include "kernels/methods/inverse/inverse.h"
#include "tests/lib/unit.h"

/* a, x [count][n][n] of LTE_CFLOAT or LTE_CDOUBLE, flag [count]: one pass over all of them. */
static inline void invert_plainly(int inverter, int n, int element, int count, const void *a,
                                  void *x, uint8_t *flag)
{
    const int method = lte_inverse_method(lte_inverter_rows[inverter].name);
    lte_link link;
    if (method >= 0) {
        void *work = aligned_alloc(64, lte_inverse_work(1));
        assert_int_equal(lte_inverse(&lte_inverse_ref, method,
                                     &(lte_inverse_batch){element, n, count, a, x, flag, work}, 1),
                         LTE_OK);
        free(work);
        return;
    }
    assert_int_equal(lte_link_init(&link, count, n, n, 2, LTE_CHANNEL_rayleigh, inverter, 0),
                     LTE_OK);
    float *batch = calloc(1, lte_layout_bytes(&link, LTE_BATCH_GRAM));
    uint8_t *flags = malloc((size_t)link.carrier.n_groups * LTE_LANES);
    void *work = lte_stage_work_alloc(&link);
    assert_int_equal(lte_layout_copy(&link, LTE_MATRICES_GRAM, a, LTE_BATCH_GRAM, batch), LTE_OK);
    lte_stages_ref.invert(&link, 0, link.carrier.n_groups, batch, flags, work);
    assert_int_equal(lte_layout_copy(&link, LTE_BATCH_GRAM, batch, LTE_MATRICES_GRAM, x), LTE_OK);
    memcpy(flag, flags, (size_t)count);
    free(work);
    free(flags);
    free(batch);
}

enum { MOST_WIDE = 33 /* order */ };

typedef struct {
    long double re, im;
} wide;

static inline wide wide_of(double complex z)
{
    return (wide){(long double)creal(z), (long double)cimag(z)};
}

/* s - a b */
static inline wide less(wide s, wide a, wide b)
{
    return (wide){s.re - (a.re * b.re - a.im * b.im), s.im - (a.re * b.im + a.im * b.re)};
}

static inline wide over(wide a, wide b)
{
    const long double size = b.re * b.re + b.im * b.im;
    return (wide){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

static inline long double size_of(wide a)
{
    return hypotl(a.re, a.im);
}

static inline void exchange(wide *a, wide *b)
{
    const wide old = *a;
    *a = *b;
    *b = old;
}

/* x <- a^-1 [n][n] by elimination with partial pivoting. */
static inline void invert_widely(int n, const wide *from, wide *x)
{
    wide a[MOST_WIDE * MOST_WIDE];
    memcpy(a, from, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n * n; i++)
        x[i] = (wide){i / n == i % n ? 1.0L : 0.0L, 0.0L};
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k; i < n; i++)
            row = size_of(a[i * n + k]) > size_of(a[row * n + k]) ? i : row;
        for (int j = 0; j < n; j++) {
            exchange(&a[k * n + j], &a[row * n + j]);
            exchange(&x[k * n + j], &x[row * n + j]);
        }
        const wide pivot = a[k * n + k];
        for (int j = 0; j < n; j++) {
            a[k * n + j] = over(a[k * n + j], pivot);
            x[k * n + j] = over(x[k * n + j], pivot);
        }
        for (int i = 0; i < n; i++) {
            const wide factor = a[i * n + k];
            for (int j = 0; j < n && i != k; j++) {
                a[i * n + j] = less(a[i * n + j], factor, a[k * n + j]);
                x[i * n + j] = less(x[i * n + j], factor, x[k * n + j]);
            }
        }
    }
}

#endif
