/*
 * The methods of kernels/methods/inverse/inverse.h as plain loops, for one element type. No guard:
 * the file is included once per type with
 *
 *     #define OP(name) c_##name      // its operations (inverse_numbers.h)
 *     #define NUMBER lte_cplx        // the element
 *     #define REAL float
 *
 * and #undef's them. work: two matrices.
 */

/* a P = L U by rows exchanged; the rows that stood at 0, 1, .. in order [n]. */
static bool OP(pivot)(int n, int k, NUMBER *a, int columns, int *order)
{
    REAL best = 0;
    int row = k;
    for (int i = k; i < n; i++) {
        const REAL size = OP(abs2)(a[i * n + k]);
        if (size > best) {
            best = size;
            row = i;
        }
    }
    for (int j = 0; j < columns; j++) {
        const NUMBER old = a[k * n + j];
        a[k * n + j] = a[row * n + j];
        a[row * n + j] = old;
    }
    const int old = order[k];
    order[k] = order[row];
    order[row] = old;
    return OP(divides)(best);
}

static NUMBER OP(of_pivot)(NUMBER a)
{
    return OP(reciprocal)(a, OP(abs2)(a));
}

/* Row by row of U, column by column of L: everything behind them is corrected at once. */
static bool OP(factor_immediate)(int n, NUMBER *a, int *order)
{
    bool divides = true;
    for (int k = 0; k < n; k++) {
        divides &= OP(pivot)(n, k, a, n, order);
        const NUMBER r = OP(of_pivot)(a[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            const NUMBER l = OP(mul)(a[i * n + k], r);
            a[i * n + k] = l;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] = OP(nmac)(a[i * n + j], l, a[k * n + j]);
        }
    }
    return divides;
}

/* Column by column, each corrected by those on its left when its turn has come. */
static bool OP(factor_delayed)(int n, NUMBER *a, int *order, NUMBER *column)
{
    bool divides = true;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = a[order[i] * n + j]; /* the exchanges so far */
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i && k < j; k++)
                column[i] = OP(nmac)(column[i], a[i * n + k], column[k]);
        }
        /* columns behind j still lie as they came: order says where */
        for (int i = 0; i < n; i++)
            a[i * n + j] = column[i];
        divides &= OP(pivot)(n, j, a, j + 1, order);
        const NUMBER r = OP(of_pivot)(a[j * n + j]);
        for (int i = j + 1; i < n; i++)
            a[i * n + j] = OP(mul)(a[i * n + j], r);
    }
    return divides;
}

/* U^-1 over U, L below it stays. */
static void OP(upper_immediate)(int n, NUMBER *a)
{
    for (int k = 0; k < n; k++) {
        const NUMBER r = OP(of_pivot)(a[k * n + k]);
        for (int i = 0; i < k; i++)
            a[i * n + k] = OP(mul)(a[i * n + k], r);
        a[k * n + k] = r;
        for (int j = k + 1; j < n; j++) {
            const NUMBER u = a[k * n + j];
            a[k * n + j] = OP(real)(0);
            for (int i = 0; i <= k; i++)
                a[i * n + j] = OP(nmac)(a[i * n + j], a[i * n + k], u);
        }
    }
}

static void OP(upper_delayed)(int n, NUMBER *a)
{
    for (int j = 0; j < n; j++) {
        const NUMBER r = OP(of_pivot)(a[j * n + j]);
        for (int i = 0; i < j; i++) { /* u_ij is not needed below row i */
            NUMBER s = OP(real)(0);
            for (int k = i; k < j; k++)
                s = OP(nmac)(s, a[i * n + k], a[k * n + j]);
            a[i * n + j] = OP(mul)(s, r);
        }
        a[j * n + j] = r;
    }
}

/* X L = U^-1: L leaves the place where X comes. */
static void OP(columns_immediate)(int n, NUMBER *a, NUMBER *l)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            l[i * n + j] = a[i * n + j];
            a[i * n + j] = OP(real)(0);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = 0; j < k; j++) {
            for (int i = 0; i < n; i++)
                a[i * n + j] = OP(nmac)(a[i * n + j], a[i * n + k], l[k * n + j]);
        }
    }
}

static void OP(columns_delayed)(int n, NUMBER *a, NUMBER *l)
{
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++) {
            l[k] = a[k * n + j];
            a[k * n + j] = OP(real)(0);
        }
        for (int i = 0; i < n; i++) {
            for (int k = n - 1; k > j; k--)
                a[i * n + j] = OP(nmac)(a[i * n + j], a[i * n + k], l[k]);
        }
    }
}

static bool OP(lu)(int n, bool delayed, const NUMBER *in, NUMBER *x, NUMBER *work)
{
    NUMBER *const a = work, *const l = work + (ptrdiff_t)n * n;
    int order[LTE_INVERSE_MAX_ORDER];
    for (int i = 0; i < n; i++)
        order[i] = i;
    memcpy(a, in, (size_t)(n * n) * sizeof *a);
    const bool divides =
        delayed ? OP(factor_delayed)(n, a, order, l) : OP(factor_immediate)(n, a, order);
    if (!divides)
        return false;
    if (delayed) {
        OP(upper_delayed)(n, a);
        OP(columns_delayed)(n, a, l);
    } else {
        OP(upper_immediate)(n, a);
        OP(columns_immediate)(n, a, l);
    }
    bool finite = true;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            x[i * n + order[j]] = a[i * n + j];
            finite &= OP(finite)(a[i * n + j]);
        }
    }
    return finite;
}

static bool OP(cholesky)(int n, const NUMBER *in, NUMBER *x, NUMBER *a)
{
    REAL r[LTE_INVERSE_MAX_ORDER];
    memcpy(a, in, (size_t)(n * n) * sizeof *a);
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            for (int k = 0; k < j; k++)
                a[i * n + j] = OP(nmacc)(a[i * n + j], a[i * n + k], a[j * n + k]);
            if (i > j)
                a[i * n + j] = OP(scale)(a[i * n + j], r[j]);
            else if (!OP(divides)(OP(part)(a[i * n + i]) * OP(part)(a[i * n + i])))
                return false;
            else
                r[j] = OP(root_inverse)(OP(part)(a[i * n + i]));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            NUMBER s = OP(real)(0);
            for (int k = j; k < i; k++)
                s = OP(nmac)(s, a[i * n + k], a[k * n + j]);
            a[i * n + j] = OP(scale)(s, r[i]);
        }
        a[i * n + i] = OP(real)(r[i]);
    }
    bool finite = true;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            NUMBER s = OP(real)(0);
            for (int k = i; k < n; k++)
                s = OP(nmacc)(s, OP(conj)(a[k * n + i]), OP(conj)(a[k * n + j]));
            s = OP(neg)(s);
            if (i == j)
                s = OP(real)(OP(part)(s));
            x[i * n + j] = s;
            x[j * n + i] = i == j ? s : OP(conj)(s);
            finite &= OP(finite)(s);
        }
    }
    return finite;
}

#define NUMBER_SIZE sizeof(NUMBER)
#include "kernels/methods/inverse/inverse_run_text.h"

#undef OP
#undef NUMBER_SIZE
#undef NUMBER
#undef REAL
