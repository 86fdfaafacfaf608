/*
 * The library's inverses of matrices far from 1: what has a finite inverse is not flagged, what one
 * pass of an inverter leaves keeps its bytes, and singular matrices stay flagged.
 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/program_parts.h"
#include "ltesim/ltesim.h"
#include "tests/library/plain_inverses.h"
#include "tests/lib/random.h"
#include "tests/lib/unit.h"

/*
 * Errors are held against 4 n u condition |X|, u the unit roundoff: the condition number is that of
 * the matrix before its rows and columns were multiplied. One pass chooses its pivots by the sizes
 * after that, and its factors may be far larger than the matrix: its error is held against
 * c n u |X| |L| |U| |X| (Higham, Accuracy and Stability, 2nd ed., 14.3), unless it has no pivots.
 * There c is 4 + 4: a pivot's square may be subnormal, from 2^-128 (2^-1024) on, where its
 * reciprocal is finite, and is then rounded by up to 2^-150 (2^-1075), 4 u of it.
 */
enum { MOST = 33 /* order */, BATCH = 625, LARGE_BATCH = 100 };
static const double slack = 4.0, slack_once = 8.0;

static uint64_t random_state = 62;

/* ---- matrices ---- */

/* A batch of matrices R core C, R and C diagonal, their elements powers of two. */
typedef struct {
    int inverter, n, count;
    bool is_double, hermitian;
    size_t size; /* of a matrix */
    int row[BATCH][MOST], column[BATCH][MOST];
    double condition[BATCH]; /* of the cores, in the 2-norm */
    double complex *core;    /* [BATCH][n][n], as rounded to the type */
    char *a, *x, *once;      /* [BATCH][n][n]: the library's inverses, and those of one pass */
    uint8_t flag[BATCH], flag_once[BATCH];
} batch;

static int element_of(const batch *b)
{
    return b->is_double ? LTE_CDOUBLE : LTE_CFLOAT;
}

static void batch_init(batch *b, int inverter, int n, bool is_double, int count)
{
    const size_t n2 = (size_t)n * (size_t)n;
    b->inverter = inverter;
    b->n = n;
    b->count = count;
    b->is_double = is_double;
    b->hermitian = lte_inverter_rows[inverter].hermitian;
    b->size = n2 * (is_double ? 16 : 8);
    b->core = malloc(BATCH * n2 * sizeof *b->core);
    b->a = malloc(BATCH * b->size);
    b->x = malloc(BATCH * b->size);
    b->once = malloc(BATCH * b->size);
    assert_true(b->core && b->a && b->x && b->once);
}

static void batch_fini(batch *b)
{
    free(b->core);
    free(b->a);
    free(b->x);
    free(b->once);
}

static double complex *core_of(const batch *b, int m)
{
    return b->core + (size_t)m * (size_t)(b->n * b->n);
}

/* Part i of matrix m of a, x or once. */
static double part_of(const batch *b, const char *from, int m, int i)
{
    const void *const at = from + (size_t)m * b->size;
    return b->is_double ? ((const double *)at)[i] : (double)((const float *)at)[i];
}

static void put_part(const batch *b, int m, int i, double part)
{
    void *const at = b->a + (size_t)m * b->size;
    if (b->is_double)
        ((double *)at)[i] = part;
    else
        ((float *)at)[i] = (float)part;
}

static double complex draw_normal(void)
{
    const double re = random_normal(&random_state);
    return CMPLX(re, random_normal(&random_state));
}

static int draw_below(int n)
{
    return (int)(random_word(&random_state) % (uint64_t)n);
}

/* A random unitary matrix, by Gram and Schmidt, twice. */
static void draw_unitary(int n, double complex *u)
{
    for (int i = 0; i < n; i++) {
        double complex *const row = &u[i * n];
        for (int j = 0; j < n; j++)
            row[j] = draw_normal();
        for (int k = 0; k < 2 * i; k++) {
            const double complex *const other = &u[k % i * n];
            double complex along = 0.0;
            for (int j = 0; j < n; j++)
                along += z_inner(other[j], row[j]);
            for (int j = 0; j < n; j++)
                row[j] = z_mac(row[j], -along, other[j]);
        }
        double size = 0.0;
        for (int j = 0; j < n; j++)
            size += z_square(row[j]);
        for (int j = 0; j < n; j++)
            row[j] /= sqrt(size);
    }
}

/* core <- U' diag(s) V, of a Hermitian one U' diag(s) U. */
static void multiply_out(const batch *b, const double *s, double complex *core)
{
    double complex u[MOST * MOST], v[MOST * MOST];
    const int n = b->n;
    draw_unitary(n, u);
    draw_unitary(n, v);
    for (int i = 0; i < n * n; i++) {
        core[i] = 0.0;
        for (int k = 0; k < n; k++)
            core[i] += s[k] * z_inner(u[k * n + i / n], (b->hermitian ? u : v)[k * n + i % n]);
    }
}

/* The core of matrix m as the type has it; the upper triangle of a Hermitian one mirrors. */
static void round_core(const batch *b, int m)
{
    double complex *const core = core_of(b, m);
    const int n = b->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int at = b->hermitian && j > i ? j * n + i : i * n + j;
            double re = creal(core[at]), im = at == i * n + j ? cimag(core[at]) : -cimag(core[at]);
            if (b->hermitian && i == j)
                im = 0.0;
            core[i * n + j] = b->is_double ? CMPLX(re, im) : CMPLX((float)re, (float)im);
        }
    }
}

/* Powers of two of rows and columns, and matrix m of them; false where it is not exact. */
static bool scale(batch *b, int m, int most)
{
    const double complex *const core = core_of(b, m);
    const int n = b->n;
    bool exact = true;
    for (int i = 0; i < n; i++) {
        b->row[m][i] = draw_below(2 * most + 1) - most;
        b->column[m][i] = b->hermitian ? b->row[m][i] : draw_below(2 * most + 1) - most;
    }
    for (int i = 0; i < 2 * n * n; i++) {
        const double part = i % 2 ? cimag(core[i / 2]) : creal(core[i / 2]);
        const int exponent = b->row[m][i / 2 / n] + b->column[m][i / 2 % n];
        put_part(b, m, i, scalbn(part, exponent));
        exact &= !isfinite(part) || scalbn(part_of(b, b->a, m, i), -exponent) == part;
    }
    return exact;
}

/* Rows and columns of all matrices of a batch, within 2^-60 to 2^60, of doubles 2^-500 to 2^500. */
static void scale_all(batch *b)
{
    for (int m = 0; m < b->count; m++) {
        round_core(b, m);
        while (!scale(b, m, b->is_double ? 500 : 60))
            ;
    }
}

/* Singular values (eigenvalues) from 1 down to 1 / condition, which is below 1e5. */
static void draw_conditioned(batch *b)
{
    for (int m = 0; m < b->count; m++) {
        double s[MOST] = {1.0};
        b->condition[m] = b->n > 1 ? pow(10.0, 5.0 * random_uniform(&random_state)) : 1.0;
        for (int k = 1; k < b->n; k++)
            s[k] = pow(b->condition[m], -(double)k / (b->n - 1));
        multiply_out(b, s, core_of(b, m));
    }
    scale_all(b);
}

/* ---- what comes out ---- */

static void run_on(const batch *b, const char *backend, int n_threads, const char *a, char *x,
                   uint8_t *flag)
{
    const lte_inversion_plan plan = {.n = b->n,
                                     .precision =
                                         b->is_double ? LTE_DOUBLE_PRECISION : LTE_SINGLE_PRECISION,
                                     .inverter = lte_inverter_rows[b->inverter].name,
                                     .backend = backend,
                                     .n_threads = n_threads};
    lte_inversion *inversion = NULL;
    assert_int_equal(lte_inversion_create(&plan, &inversion), LTE_OK);
    assert_int_equal(lte_inversion_run(inversion, b->count, a, x, flag), LTE_OK);
    lte_inversion_free(inversion);
}

/*
 * Inverses by one pass and by the library: the same bytes on every backend, apart and in place, and
 * those of one pass where it flags nothing.
 */
static void run_all(batch *b)
{
    const size_t count = (size_t)b->count, size = count * b->size;
    uint8_t flag[BATCH];
    char *const x = malloc(size);
    assert_non_null(x);
    invert_plainly(b->inverter, b->n, element_of(b), b->count, b->a, b->once, b->flag_once);
    run_on(b, "cpu:ref", 1, b->a, b->x, b->flag);
    for (int i = 0; lte_backends[i]; i++) {
        if (lte_backends[i]->n_devices() < 1)
            continue;
        run_on(b, lte_backends[i]->name, 3, b->a, x, flag);
        assert_memory_equal(x, b->x, size);
        assert_memory_equal(flag, b->flag, count);
        memcpy(x, b->a, size);
        run_on(b, lte_backends[i]->name, 2, x, x, flag);
        assert_memory_equal(x, b->x, size);
        assert_memory_equal(flag, b->flag, count);
    }
    for (size_t m = 0; m < count; m++) {
        if (!b->flag_once[m]) {
            assert_int_equal(b->flag[m], 0);
            assert_memory_equal(b->x + m * b->size, b->once + m * b->size, b->size);
        }
    }
    free(x);
}

/* The power of two that an element of the inverse of matrix m has more than that of the core. */
static int exponent_of(const batch *b, int m, int i)
{
    return -(b->column[m][i / b->n] + b->row[m][i % b->n]);
}

/* The power of two of element (i, j) of the core, rows and columns in the order of lines. */
static int power_of(const batch *b, int m, const int *row, const int *column, int i, int j)
{
    return b->row[m][row[i]] + b->column[m][column[j]];
}

/*
 * L U = core m with pivots chosen by their sizes after the multiplication, of the whole rest or of
 * its first column; size [n][n]: |L| |U|, rows and columns back in their places.
 */
static void factor_as_chosen(const batch *b, int m, bool whole, long double *size)
{
    const int n = b->n;
    int row[MOST], column[MOST];
    wide a[MOST * MOST];
    for (int i = 0; i < n; i++)
        row[i] = column[i] = i;
    for (int i = 0; i < n * n; i++)
        a[i] = wide_of(core_of(b, m)[i]);
    for (int k = 0; k < n; k++) {
        int p = k, q = k;
        long double best = -1.0L;
        for (int i = k; i < n; i++) {
            for (int j = k; j < (whole ? n : k + 1); j++) {
                const long double here =
                    scalbnl(size_of(a[i * n + j]), power_of(b, m, row, column, i, j));
                p = here > best ? i : p;
                q = here > best ? j : q;
                best = fmaxl(here, best);
            }
        }
        for (int j = 0; j < n; j++)
            exchange(&a[k * n + j], &a[p * n + j]);
        for (int i = 0; i < n; i++)
            exchange(&a[i * n + k], &a[i * n + q]);
        const int old_row = row[k], old_column = column[k];
        row[k] = row[p];
        row[p] = old_row;
        column[k] = column[q];
        column[q] = old_column;
        for (int i = k + 1; i < n; i++) {
            const wide factor = a[i * n + k] = over(a[i * n + k], a[k * n + k]);
            for (int j = k + 1; j < n; j++)
                a[i * n + j] = less(a[i * n + j], factor, a[k * n + j]);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long double sum = i <= j ? size_of(a[i * n + j]) : 0.0L;
            for (int k = 0; k < i && k <= j; k++)
                sum += size_of(a[i * n + k]) * size_of(a[k * n + j]);
            size[row[i] * n + column[j]] = sum;
        }
    }
}

/* The largest element of |X| |L| |U| |X| of core m, x its inverse. */
static double bound_of(const batch *b, int m, const wide *x)
{
    const int n = b->n;
    long double size[MOST * MOST], half[MOST * MOST], largest = 0.0L;
    factor_as_chosen(b, m, b->inverter == LTE_INVERTER_gauss_jordan, size);
    for (int i = 0; i < n * n; i++) {
        half[i] = 0.0L;
        for (int k = 0; k < n; k++)
            half[i] += size_of(x[i / n * n + k]) * size[k * n + i % n];
    }
    for (int i = 0; i < n * n; i++) {
        long double sum = 0.0L;
        for (int k = 0; k < n; k++)
            sum += half[i / n * n + k] * size_of(x[k * n + i % n]);
        largest = fmaxl(largest, sum);
    }
    return (double)largest;
}

/* What is counted over batches. */
typedef struct {
    int n_once, n_again;                              /* matrices */
    double worst_once, worst_plain_once, worst_again; /* errors over condition n u */
} tally;

/* Inverse m against that of the core in long double; false where it is not finite in the type. */
static bool check_inverse(const batch *b, int m, tally *t)
{
    const int n = b->n, n2 = n * n;
    const long double most = b->is_double ? (long double)DBL_MAX : (long double)FLT_MAX;
    const long double half_tiny = b->is_double ? 0x1p-1075L : 0x1p-150L;
    const double unit = b->is_double ? 0x1p-53 : 0x1p-24;
    wide core[MOST * MOST] = {{0.0L, 0.0L}}, x[MOST * MOST];
    long double largest = 0.0L, scaled = 0.0L, error = 0.0L;
    for (int i = 0; i < n2; i++)
        core[i] = wide_of(core_of(b, m)[i]);
    invert_widely(n, core, x);
    for (int i = 0; i < n2; i++) {
        const int exponent = exponent_of(b, m, i);
        largest = fmaxl(largest, size_of(x[i]));
        scaled = fmaxl(scaled, scalbnl(fmaxl(fabsl(x[i].re), fabsl(x[i].im)), exponent));
    }
    if (scaled > most * 1.25L)
        assert_int_equal(b->flag[m], 1);
    if (scaled > most * 0.75L) /* an overflow may hang on the rounding */
        return false;
    assert_int_equal(b->flag[m], 0);
    for (int i = 0; i < 2 * n2; i++) {
        const int exponent = exponent_of(b, m, i / 2);
        const long double got = scalbnl((long double)part_of(b, b->x, m, i), -exponent);
        const long double gap = fabsl(got - (i % 2 ? x[i / 2].im : x[i / 2].re));
        error = fmaxl(error, gap - scalbnl(half_tiny, -exponent)); /* of a subnormal number */
    }
    const double ratio = (double)(error / largest) / (b->condition[m] * n * unit);
    if (b->flag_once[m]) {
        t->n_again++;
        t->worst_again = fmax(t->worst_again, ratio);
        return true;
    }
    t->n_once++;
    t->worst_plain_once = fmax(t->worst_plain_once, ratio);
    const double bound = b->hermitian ? b->condition[m] * (double)largest : bound_of(b, m, x);
    t->worst_once = fmax(t->worst_once, (double)error / (bound * n * unit));
    return true;
}

static void check_inverter(int inverter, bool is_double)
{
    static const int orders[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 16, MOST};
    static batch b;
    tally t = {0};
    int n_overflow = 0;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const int n = orders[i], count = is_short() ? 25 : n > 8 ? LARGE_BATCH : BATCH;
        if (n > 8 && lte_inverter_rows[inverter].layout == LTE_LAYOUT_LANES)
            continue;
        batch_init(&b, inverter, n, is_double, count);
        draw_conditioned(&b);
        run_all(&b);
        for (int m = 0; m < count; m++)
            n_overflow += !check_inverse(&b, m, &t);
        batch_fini(&b);
    }
    print_message("%s, %s: once %d, at most %.2f, %.2f over the condition; again %d, at most %.2f; "
                  "inverses too large %d\n",
                  lte_inverter_rows[inverter].name, is_double ? "double" : "single", t.n_once,
                  t.worst_once, t.worst_plain_once, t.n_again, t.worst_again, n_overflow);
    assert_true(t.n_once > 0 && t.n_again > t.n_once);
    assert_true(t.worst_once <= (lte_inverter_rows[inverter].hermitian ? slack : slack_once));
    assert_true(t.worst_again <= slack);
}

/* Every inverter in every precision that it takes. */
static void each_inverter(void (*check)(int inverter, bool is_double))
{
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        check(inverter, false);
        if (lte_inverter_rows[inverter].layout == LTE_LAYOUT_MATRIX)
            check(inverter, true);
    }
}

static void well_conditioned_matrices_of_any_size_have_inverses(void **state)
{
    (void)state;
    each_inverter(check_inverter);
}

/* ---- matrices that stay flagged ---- */

/* The last row (and column) is a sum of the others' multiples, a copy of the first, or zero. */
static void draw_singular(batch *b, int m)
{
    const int n = b->n, kind = draw_below(3);
    double complex *const core = core_of(b, m);
    double s[MOST] = {0.0};
    for (int k = 0; k + 1 < n && kind == 0; k++)
        s[k] = random_uniform(&random_state) + 0.1;
    for (int k = 0; k < n && kind > 0; k++)
        s[k] = random_uniform(&random_state) + 0.1;
    multiply_out(b, s, core);
    round_core(b, m);
    for (int i = 0; i < n && kind > 0; i++) {
        core[(n - 1) * n + i] = kind == 1 && n > 1 ? core[i] : 0.0;
        if (b->hermitian)
            core[i * n + n - 1] = conj(core[(n - 1) * n + i]);
    }
    if (b->hermitian && kind == 1 && n > 1)
        core[n * n - 1] = core[0];
}

/* An eigenvalue is negative. */
static void draw_indefinite(batch *b, int m)
{
    double s[MOST];
    for (int k = 0; k < b->n; k++)
        s[k] = random_uniform(&random_state) + 0.1;
    s[draw_below(b->n)] *= -1.0;
    multiply_out(b, s, core_of(b, m));
}

/* An element of the lower triangle is no number, or infinite. */
static void draw_not_finite(batch *b, int m)
{
    double s[MOST];
    for (int k = 0; k < b->n; k++)
        s[k] = random_uniform(&random_state) + 0.1;
    multiply_out(b, s, core_of(b, m));
    const int i = draw_below(b->n), j = draw_below(i + 1);
    core_of(b, m)[i * b->n + j] = draw_below(2) ? CMPLX(NAN, 0.0) : CMPLX(-INFINITY, 1.0);
}

/* All of one kind: the flags of the library are those of one pass. */
static void check_flags(int inverter, bool is_double, void (*draw)(batch *b, int m))
{
    static batch b;
    int n_flagged = 0, n_all = 0;
    for (int n = 1; n <= 8; n++) {
        for (int i = 0; i < 2; i++) {
            batch_init(&b, inverter, n, is_double, is_short() ? 25 : BATCH);
            for (int m = 0; m < b.count; m++)
                draw(&b, m);
            scale_all(&b);
            run_all(&b);
            assert_memory_equal(b.flag, b.flag_once, (size_t)b.count);
            for (int m = 0; m < b.count; m++)
                n_flagged += b.flag[m];
            n_all += b.count;
            batch_fini(&b);
        }
    }
    assert_in_range(n_flagged, n_all / 2, n_all);
}

static void check_bad_matrices(int inverter, bool is_double)
{
    check_flags(inverter, is_double, draw_singular);
    check_flags(inverter, is_double, draw_not_finite);
    if (lte_inverter_rows[inverter].definite)
        check_flags(inverter, is_double, draw_indefinite);
}

static void bad_matrices_are_flagged_as_by_one_pass(void **state)
{
    (void)state;
    each_inverter(check_bad_matrices);
}

/* ---- matrices that users had ---- */

typedef struct {
    int n;
    bool is_double;
    double complex core[16]; /* Hermitian positive definite */
    double scale[4];         /* of its rows and columns; their squares of the diagonal */
} example;

/* Each element against that of the rounded matrix: error over n u times its row's and column's. */
static void check_example(const batch *b, const example *e)
{
    const double unit = b->is_double ? 0x1p-53 : 0x1p-24, condition = 2.5;
    wide a[16] = {{0.0L, 0.0L}}, x[16];
    for (int i = 0; i < b->n * b->n; i++)
        a[i] = wide_of(b->core[i]);
    invert_widely(b->n, a, x);
    for (int i = 0; i < 2 * b->n * b->n; i++) {
        const double gap = part_of(b, b->x, 0, i) - (double)(i % 2 ? x[i / 2].im : x[i / 2].re);
        const double lines = e->scale[i / 2 / b->n] * e->scale[i / 2 % b->n];
        assert_true(fabs(gap) * lines <= slack * condition * b->n * unit);
    }
    assert_int_equal(b->flag[0], 0);
}

static void examples_have_their_inverses(void **state)
{
    static const example examples[] = {
        {3, false, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e10, 1e10, 1e10}},
        {3, false, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e-10, 1e-10, 1e-10}},
        {3, false, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e10, 1e-10, 1}},
        {4,
         false,
         {4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4},
         {15811, 15811388, 15811388300, 15811388300841}}, /* elements 1e9 to 1e27 */
        {3, true, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e80, 1e80, 1e80}},
        {1, true, {1}, {1e-150}},
        {2, true, {2, I, -I, 3}, {1e100, 1e100}},
    };
    static batch b;
    (void)state;
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
            const example *const e = &examples[i];
            if (e->is_double && lte_inverter_rows[inverter].layout == LTE_LAYOUT_LANES)
                continue;
            batch_init(&b, inverter, e->n, e->is_double, 1);
            for (int k = 0; k < e->n * e->n; k++)
                b.core[k] = e->core[k] * e->scale[k / e->n] * e->scale[k % e->n];
            round_core(&b, 0);
            assert_true(scale(&b, 0, 0));
            run_all(&b);
            assert_true(b.flag_once[0] || b.hermitian); /* their pivots may be smaller */
            check_example(&b, e);
            batch_fini(&b);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(library_ranges, well_conditioned_matrices_of_any_size_have_inverses),
        LTE_CASE(library_ranges, bad_matrices_are_flagged_as_by_one_pass),
        LTE_CASE(library_ranges, examples_have_their_inverses),
    };
    return cmocka_run_group_tests_name("library_ranges", cases, NULL, NULL);
}
