#ifndef LTE_TESTS_LIB_PLAIN_ELIMINATION_H
#define LTE_TESTS_LIB_PLAIN_ELIMINATION_H
/* A second Gauss-Jordan elimination, whose bits those of the inverter are held against. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/lib/matrices.h"

/* Gauss-Jordan once more, one matrix, rows and columns swapped in memory. */
typedef struct {
    float re, im;
} plain;

typedef enum { LOWEST_ROW_THEN_COLUMN, HIGHEST_ROW_THEN_COLUMN, LOWEST_COLUMN_THEN_ROW } tie_rule;

static float plain_size(plain a)
{
    return fmaf(a.im, a.im, a.re * a.re);
}

/* -x behind the compiler's back: gcc would make one instruction of -fmaf, see r_neg. */
static float minus(float x)
{
    const volatile float hidden = x;
    return -hidden;
}

static plain plain_product(plain a, plain b)
{
    const plain o = {fmaf(minus(a.im), b.im, a.re * b.re), fmaf(a.im, b.re, a.re * b.im)};
    return o;
}

static void plain_swap(plain *a, plain *b)
{
    const plain old = *a;
    *a = *b;
    *b = old;
}

static void plain_pivot(int n, const plain *a, int k, tie_rule rule, int *row, int *column)
{
    float best = -1.0f;
    const int rest = n - k;
    for (int s = 0; s < rest * rest; s++) {
        const bool by_columns = rule == LOWEST_COLUMN_THEN_ROW;
        const int i = k + (by_columns ? s % rest : s / rest);
        const int j = k + (by_columns ? s / rest : s % rest);
        const float size = plain_size(a[i * n + j]);
        if (size > best || (rule == HIGHEST_ROW_THEN_COLUMN && size == best)) {
            best = size;
            *row = i;
            *column = j;
        }
    }
}

/* Returns 1 and zeroes a if there is no inverse. */
static int plain_gauss_jordan(int n, plain *a, tie_rule rule)
{
    int row[MATRIX_ORDER] = {0}, column[MATRIX_ORDER] = {0};
    for (int k = 0; k < n; k++) {
        plain_pivot(n, a, k, rule, &row[k], &column[k]);
        for (int j = 0; j < n; j++)
            plain_swap(&a[k * n + j], &a[row[k] * n + j]);
        for (int i = 0; i < n; i++)
            plain_swap(&a[i * n + k], &a[i * n + column[k]]);
        const plain pivot = a[k * n + k];
        if (!(plain_size(pivot) > 0.0f)) {
            memset(a, 0, (size_t)(n * n) * sizeof *a);
            return 1;
        }
        const float inverse_size = 1.0f / plain_size(pivot);
        const plain p = {pivot.re * inverse_size, -(pivot.im * inverse_size)};
        for (int j = 0; j < n; j++)
            a[k * n + j] = j == k ? p : plain_product(a[k * n + j], p);
        for (int i = 0; i < n; i++) {
            const plain f = a[i * n + k];
            for (int j = 0; j < n && i != k; j++) {
                const plain r = a[k * n + j], fp = plain_product(f, p);
                plain *to = &a[i * n + j];
                to->re = j == k ? minus(fp.re) : fmaf(f.im, r.im, fmaf(minus(f.re), r.re, to->re));
                to->im = j == k ? minus(fp.im)
                                : fmaf(minus(f.im), r.re, fmaf(minus(f.re), r.im, to->im));
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = 0; j < n; j++)
            plain_swap(&a[k * n + j], &a[column[k] * n + j]);
        for (int i = 0; i < n; i++)
            plain_swap(&a[i * n + k], &a[i * n + row[k]]);
    }
    return 0;
}

#endif
