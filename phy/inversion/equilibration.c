/* Exponents of rows and columns, and matrices multiplied by them. */
#include "phy/inversion/equilibration.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { NONE = INT_MIN /* the exponent of zero, or one that is not known yet */, PASSES = 4 };

static double part(const lte_equilibration *e, const void *a, int i)
{
    return e->is_double ? ((const double *)a)[i] : (double)((const float *)a)[i];
}

/* x 2^exponent to part i of a: the product is exact in double, or zero or infinite there too. */
static double put(const lte_equilibration *e, double x, int exponent, void *a, int i)
{
    const double scaled = scalbn(x, exponent);
    if (e->is_double)
        ((double *)a)[i] = scaled;
    else
        ((float *)a)[i] = (float)scaled;
    return fabs(part(e, a, i));
}

/* The exponent of the larger part of element (i, j). */
static int exponent_of(const lte_equilibration *e, const void *a, int i, int j)
{
    const int at = (i * e->n + j) * 2;
    const double size = fmax(fabs(part(e, a, at)), fabs(part(e, a, at + 1)));
    return size > 0.0 ? ilogb(size) : NONE;
}

/* Of the elements that are read. */
static bool all_finite(const lte_equilibration *e, const void *a)
{
    for (int i = 0; i < e->n; i++) {
        const int read = e->hermitian ? i * 2 + 1 : e->n * 2;
        for (int k = 0; k < read; k++) {
            if (!isfinite(part(e, a, i * e->n * 2 + k)))
                return false;
        }
    }
    return true;
}

/* ---- Hermitian positive definite ---- */

/* row_i = column_i = half the exponent of a_ii, rounded down. */
static bool even_diagonal(lte_equilibration *e, const void *a)
{
    for (int i = 0; i < e->n; i++) {
        const double d = part(e, a, (i * e->n + i) * 2);
        if (!(d > 0.0))
            return false;
        const int exponent = ilogb(d);
        e->row[i] = e->column[i] = (exponent - (exponent & 1)) / 2;
    }
    return true;
}

/* ---- any matrix: least squares over its elements that are not zero ---- */

/* Element (line, k) of the rows, or (k, line) of the columns. */
static int exponent_along(const lte_equilibration *e, const void *a, bool rows, int line, int k)
{
    return rows ? exponent_of(e, a, line, k) : exponent_of(e, a, k, line);
}

/*
 * First exponents: those of a row and column whose element is not zero add up to its exponent,
 * along a tree over all rows and columns. So matrices with few elements begin near their solution.
 */
static void begin(lte_equilibration *e, const void *a)
{
    const int n = e->n;
    int queue[2 * LTE_EQUILIBRATION_MAX_ORDER], first = 0, last = 0; /* row i, or column i - n */
    for (int i = 0; i < n; i++)
        e->row[i] = e->column[i] = NONE;
    for (int root = 0; root < n; root++) {
        if (e->row[root] != NONE)
            continue;
        e->row[root] = 0;
        queue[last++] = root;
        for (; first < last; first++) {
            const bool is_row = queue[first] < n;
            const int line = is_row ? queue[first] : queue[first] - n;
            const int known = is_row ? e->row[line] : e->column[line];
            int *const other = is_row ? e->column : e->row;
            for (int k = 0; k < n; k++) {
                const int exponent = exponent_along(e, a, is_row, line, k);
                if (exponent == NONE || other[k] != NONE)
                    continue;
                other[k] = exponent - known;
                queue[last++] = is_row ? n + k : k;
            }
        }
    }
}

/* Each row's (column's) best exponent for those of the columns (rows): the mean of what is left. */
static bool fit(lte_equilibration *e, const void *a, bool rows)
{
    int *const mine = rows ? e->row : e->column, *const other = rows ? e->column : e->row;
    for (int line = 0; line < e->n; line++) {
        int sum = 0, count = 0;
        for (int k = 0; k < e->n; k++) {
            const int exponent = exponent_along(e, a, rows, line, k);
            if (exponent != NONE) {
                sum += exponent - other[k];
                count++;
            }
        }
        if (count == 0)
            return false;
        mine[line] = sum / count;
    }
    return true;
}

/* The largest element of each row (column) gets exponent 0. */
static void level(lte_equilibration *e, const void *a, bool rows)
{
    int *const mine = rows ? e->row : e->column, *const other = rows ? e->column : e->row;
    for (int line = 0; line < e->n; line++) {
        int largest = NONE;
        for (int k = 0; k < e->n; k++) {
            const int exponent = exponent_along(e, a, rows, line, k);
            if (exponent != NONE && exponent - other[k] > largest)
                largest = exponent - other[k];
        }
        mine[line] = largest;
    }
}

static bool even_out(lte_equilibration *e, const void *a)
{
    begin(e, a);
    for (int pass = 0; pass < PASSES; pass++) {
        if (!fit(e, a, true) || !fit(e, a, false))
            return false;
    }
    level(e, a, true);
    level(e, a, false);
    return true;
}

/* ---- both ---- */

/* Element (i, j) of B; of a Hermitian matrix (j, i), too. Returns its larger part. */
static double scale(const lte_equilibration *e, const void *a, int i, int j, void *b)
{
    const int from = (i * e->n + j) * 2, mirror = (j * e->n + i) * 2;
    const int exponent = -(e->row[i] + e->column[j]);
    const double re = part(e, a, from);
    const double im = e->hermitian && i == j ? 0.0 : part(e, a, from + 1);
    if (e->hermitian) {
        (void)put(e, re, exponent, b, mirror);
        (void)put(e, -im, exponent, b, mirror + 1);
    }
    const double size = put(e, re, exponent, b, from);
    return fmax(size, put(e, im, exponent, b, from + 1));
}

bool lte_equilibrate(lte_equilibration *e, const void *a, void *b)
{
    const double definite = 4.0; /* |b_ij|^2 < b_ii b_jj, which are below 4 */
    int spread = 0;
    e->largest = 0.0;
    if (!all_finite(e, a) || !(e->hermitian ? even_diagonal(e, a) : even_out(e, a)))
        return false;
    for (int i = 0; i < e->n; i++) {
        for (int j = 0; j < (e->hermitian ? i + 1 : e->n); j++) {
            const int of_lines = e->row[i] + e->column[j];
            e->largest = fmax(e->largest, scale(e, a, i, j, b));
            if (exponent_of(e, a, i, j) != NONE && abs(of_lines) > spread)
                spread = abs(of_lines);
        }
    }
    return spread > LTE_EQUILIBRATION_MODERATE && (!e->hermitian || e->largest < definite);
}

bool lte_equilibration_undo(const lte_equilibration *e, void *x)
{
    const double unit = e->is_double ? 0x1p-53 : 0x1p-24;
    double largest = 0.0;
    bool finite = true;
    for (int i = 0; i < e->n * e->n * 2; i++)
        largest = fmax(largest, fabs(part(e, x, i)));
    if (!(4.0 * e->n * unit * e->largest * largest < 1.0))
        return false;
    for (int i = 0; i < e->n; i++) {
        for (int j = 0; j < e->n; j++) {
            for (int k = (i * e->n + j) * 2, end = k + 2; k < end; k++)
                finite &= isfinite(put(e, part(e, x, k), -(e->column[i] + e->row[j]), x, k)) != 0;
        }
    }
    return finite;
}
