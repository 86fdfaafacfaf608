/* Inverses of order 1 to 256: bounds in double, equal bits of levels and orders of loops, flags. */
#include <stdio.h>

#include "tests/lib/batch.h"
#include "tests/lib/large_matrices.h"

enum { POISON = 0xa5 };
static const double slack = 4.0; /* C of the bounds of residuals and errors */

static gsl_rng *rng_of(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

/* count matrices of one kind as elements; the caller frees them. */
static void *batch_of(const gsl_rng *rng, int kind, int element, int n, int count)
{
    const size_t matrix = (size_t)(n * n) * (size_t)lte_element_size((lte_element)element);
    char *elements = grab((size_t)count * matrix);
    for (int m = 0; m < count; m++) {
        double complex *a = matrix_of(rng, kind, is_complex(element), n);
        store_elements(element, n * n, a, elements + (size_t)m * matrix);
        free(a);
    }
    return elements;
}

/* By memory of its own. */
static void invert(const lte_inverse_level *level, int method, const lte_inverse_batch *matrices,
                   int n_threads)
{
    lte_inverse_batch working = *matrices;
    working.work = grab(lte_inverse_work(n_threads));
    assert_int_equal(lte_inverse(level, method, &working, n_threads), LTE_OK);
    free(working.work);
}

static void check_hermitian(int n, const double complex *x)
{
    for (int i = 0; i < n; i++) {
        assert_true(cimag(x[i * n + i]) == 0.0);
        for (int j = 0; j < i; j++)
            assert_true(creal(x[i * n + j]) == creal(x[j * n + i]) &&
                        cimag(x[i * n + j]) == -cimag(x[j * n + i]));
    }
}

static void check_accuracy(const gsl_rng *rng, int kind, int method, int element, int n)
{
    const size_t bytes = (size_t)(n * n) * sizeof(double complex);
    double complex *a = grab(bytes), *x = grab(bytes), *exact = grab(bytes);
    void *in = batch_of(rng, kind, element, n, 1), *out = grab(bytes);
    uint8_t flag = POISON;
    load_elements(element, n * n, in, a);
    invert(lte_inverse_best(), method, &(lte_inverse_batch){element, n, 1, in, out, &flag, NULL},
           1);
    load_elements(element, n * n, out, x);
    assert_int_equal(flag, 0);
    const double residual = residual_of(element, n, a, x);
    if (!(residual <= slack))
        fail_msg("order %d, kind %d, method %d, element %d: residual %g", n, kind, method, element,
                 residual);
    if (n <= 48) {
        const double unit = is_single(element) ? (double)FLT_EPSILON / 2.0 : DBL_EPSILON / 2.0;
        invert_in_double(n, a, exact);
        const double bound = slack * n * unit * norm_of(n * n, a) * norm_of(n * n, exact);
        const double size = norm_of(n * n, exact);
        for (int i = 0; i < n * n; i++)
            exact[i] -= x[i];
        const double error = norm_of(n * n, exact) / size;
        if (!(error <= bound))
            fail_msg("order %d, kind %d, method %d, element %d: error %g of %g", n, kind, method,
                     element, error, bound);
    }
    if (lte_inverse_rows[method].hermitian)
        check_hermitian(n, x);
    free(a);
    free(x);
    free(exact);
    free(in);
    free(out);
}

/* Every order, a kind and an element in turn. */
static void every_order_meets_its_bounds(void **state)
{
    (void)state;
    gsl_rng *rng = rng_of(1);
    for (int n = 1; n <= LTE_INVERSE_MAX_ORDER; n += is_short() ? 1 + n / 4 : n < 160 ? 1 : 3) {
        check_accuracy(rng, n % N_HERMITIAN, LTE_INVERSE_CHOLESKY_DELAYED, n / 4 % 4, n);
        check_accuracy(rng, n % KIND_SMALL_INTEGERS, LTE_INVERSE_LU_DELAYED, n / 8 % 4, n);
    }
    check_accuracy(rng, KIND_GENERAL, LTE_INVERSE_LU_DELAYED, LTE_CFLOAT, 256);
    gsl_rng_free(rng);
}

static void every_kind_meets_its_bounds(void **state)
{
    (void)state;
    static const int orders[] = {2, 9, 16, 31, 64, 100};
    gsl_rng *rng = rng_of(2);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (int kind = 0; kind < KIND_SMALL_INTEGERS; kind++) {
            for (int element = 0; element < LTE_N_NUMBERS; element++) {
                check_accuracy(rng, kind, LTE_INVERSE_LU_IMMEDIATE, element, orders[o]);
                if (kind < N_HERMITIAN)
                    check_accuracy(rng, kind, LTE_INVERSE_CHOLESKY_DELAYED, element, orders[o]);
            }
        }
    }
    gsl_rng_free(rng);
}

/* All levels and, for LU, both orders of loops; one batch in place. */
static void check_bits(const gsl_rng *rng, int kind, int element, int n, int count)
{
    const size_t bytes = (size_t)(count * n * n) * (size_t)lte_element_size((lte_element)element);
    void *a = batch_of(rng, kind, element, n, count), *expected = grab(bytes), *x = grab(bytes);
    uint8_t *flags = grab((size_t)count), *flag = grab((size_t)count);
    for (int method = 0; method < LTE_N_INVERSES; method++) {
        if (lte_inverse_rows[method].hermitian && kind >= N_HERMITIAN)
            continue;
        /* the first of both LU methods is what the other must equal */
        if (method != LTE_INVERSE_LU_IMMEDIATE)
            invert(&lte_inverse_ref, method,
                   &(lte_inverse_batch){element, n, count, a, expected, flags, NULL}, 1);
        for (int l = 0; lte_inverse_levels[l]; l++) {
            const lte_inverse_level *level = lte_inverse_levels[l];
            if (!level->usable())
                continue;
            memcpy(x, a, bytes);
            memset(flag, POISON, (size_t)count);
            invert(level, method, &(lte_inverse_batch){element, n, count, x, x, flag, NULL},
                   1 + l % 3);
            if (memcmp(expected, x, bytes) != 0 || memcmp(flags, flag, (size_t)count) != 0)
                fail_msg("order %d, kind %d, element %d: %s of level %s differs", n, kind, element,
                         lte_inverse_rows[method].name, level->name);
        }
    }
    free(a);
    free(expected);
    free(x);
    free(flags);
    free(flag);
}

static void every_level_and_order_of_loops_gives_the_same_bits(void **state)
{
    (void)state;
    static const int large[] = {72, 96, 100, 127, 128, 129, 191, 256};
    gsl_rng *rng = rng_of(3);
    for (int n = 1; n <= 66; n += is_short() && n >= 20 ? 5 : 1)
        check_bits(rng, n % N_KINDS, (n + n / N_KINDS) % LTE_N_NUMBERS, n, n < 20 ? 3 : 1);
    for (int element = 0; element < LTE_N_NUMBERS; element++) {
        for (int kind = 0; kind < N_KINDS; kind++) {
            check_bits(rng, kind, element, 16, 1);
            check_bits(rng, kind, element, 33, 1);
        }
    }
    for (size_t o = 0; o < (is_short() ? 2 : sizeof large / sizeof *large); o++)
        check_bits(rng, o % 2 ? KIND_GRAM : KIND_GENERAL, (int)o % LTE_N_NUMBERS, large[o], 1);
    gsl_rng_free(rng);
}

/* One matrix, odd counts, more than a group of lanes, and threads that get none. */
static void batches_of_any_size_give_the_same_bits(void **state)
{
    (void)state;
    static const int counts[] = {1, 3, 5, 16, 17, 37};
    gsl_rng *rng = rng_of(4);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        check_bits(rng, KIND_GRAM, LTE_CFLOAT, 12, counts[c]);
        check_bits(rng, KIND_GENERAL, LTE_FLOAT, 9, counts[c]);
    }
    const int many = is_short() ? 53 : 1003;
    check_bits(rng, KIND_GRAM, LTE_CFLOAT, 5, many);
    check_bits(rng, KIND_GENERAL, LTE_CFLOAT, 4, many);
    check_bits(rng, KIND_SMALL_INTEGERS, LTE_CFLOAT, 6, many);
    check_bits(rng, KIND_GENERAL, LTE_CFLOAT, is_short() ? 40 : 100, 13);
    gsl_rng_free(rng);
}

static int method_of(const char *name)
{
    int method = 0;
    while (method < LTE_N_INVERSES && strcmp(lte_inverse_rows[method].name, name) != 0)
        method++;
    assert_true(method < LTE_N_INVERSES);
    return method;
}

/* Numbers of matrices [n_matrices][n2][2] to or from their lanes. */
static void move_lanes(bool to_lanes, int n2, int n_matrices, float *numbers, float *lanes)
{
    for (int m = 0; m < n_matrices; m++) {
        for (int e = 0; e < 2 * n2; e++) {
            float *const number = &numbers[(ptrdiff_t)m * 2 * n2 + e];
            float *const lane = &lanes[batch_at(n2, m, e / 2) + (e % 2 ? LTE_LANES : 0)];
            memcpy(to_lanes ? lane : number, to_lanes ? number : lane, sizeof *lane);
        }
    }
}

/* Matrices in the lanes of every table of stages against those of the plain loops. */
static void check_inverter(const gsl_rng *rng, int inverter, int kind, int n, int count)
{
    const size_t bytes = (size_t)(count * n * n) * 2 * sizeof(float);
    const lte_link link = link_of(count, n, n, 2, LTE_CHANNEL_rayleigh, inverter);
    float *a = batch_of(rng, kind, LTE_CFLOAT, n, count), *expected = grab(bytes), *x = grab(bytes);
    uint8_t *flag = grab((size_t)count);
    invert(&lte_inverse_ref, method_of(lte_inverter_rows[inverter].name),
           &(lte_inverse_batch){LTE_CFLOAT, n, count, a, expected, flag, NULL}, 1);
    for (int t = 0; lte_stages_all[t]; t++) {
        batch b;
        if (!lte_stages_all[t]->usable())
            continue;
        batch_init(&b, &link, 0);
        move_lanes(true, n * n, count, a, b.g);
        lte_stages_all[t]->invert(&link, 0, link.carrier.n_groups, b.g, b.flag, b.work);
        move_lanes(false, n * n, count, x, b.g);
        if (memcmp(x, expected, bytes) != 0 || memcmp(b.flag, flag, (size_t)count) != 0)
            fail_msg("order %d, kind %d: %s of table %d differs", n, kind,
                     lte_inverter_rows[inverter].name, t);
        batch_fini(&b);
    }
    free(a);
    free(expected);
    free(x);
    free(flag);
}

static void inverters_of_any_order_have_the_bits_of_their_method(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 3, 5, 8, 9, 16, 31, 32, 33, 64, 100, 128};
    gsl_rng *rng = rng_of(7);
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            const int n = orders[o], count = n < 32 ? 37 : 2;
            if (lte_inverter_rows[inverter].max_order < LTE_MAX_TX || (is_short() && n > 16))
                continue;
            check_inverter(rng, inverter, KIND_GRAM, n, count);
            if (lte_inverter_rows[inverter].hermitian)
                continue;
            check_inverter(rng, inverter, KIND_GENERAL, n, count);
            check_inverter(rng, inverter, KIND_SMALL_INTEGERS, n, count);
        }
    }
    gsl_rng_free(rng);
}

/* Matrix 1 of many, or of three, is bad: it alone is zero and flagged. */
static void check_bad(const gsl_rng *rng, int method, int element, int n, int what)
{
    const bool complex_numbers = is_complex(element);
    const size_t matrix = (size_t)(n * n) * (size_t)lte_element_size((lte_element)element);
    const int count = n < 100 ? 17 : 3;
    const size_t bytes = (size_t)count * matrix;
    char *a = batch_of(rng, KIND_GRAM, element, n, count), *x = grab(bytes);
    double complex *bad = matrix_of(rng, KIND_GRAM, complex_numbers, n);
    uint8_t flag[17];
    const int at = (n - 1) * n + n / 2; /* in the lower triangle */
    for (int i = 0; i < n; i++) {
        if (what == 0) /* zero */
            memset(&bad[i * n], 0, (size_t)n * sizeof *bad);
        if (what == 1) /* a row and a column of zeros */
            bad[i * n + n / 2] = bad[n / 2 * n + i] = 0.0;
        for (int j = 0; j < n && what == 2; j++) /* ones: of rank 1 */
            bad[i * n + j] = n == 1 ? 0.0 : 1.0;
    }
    if (what == 3)
        bad[at] = (double)NAN;
    if (what == 4)
        bad[at] = complex_numbers ? CMPLX(0.0, (double)INFINITY) : (double)INFINITY;
    if (what == 4 && at % (n + 1) == 0)
        bad[at] = (double)INFINITY; /* nobody reads the diagonal's imaginary part */
    store_elements(element, n * n, bad, a + matrix);
    for (int l = 0; lte_inverse_levels[l]; l++) {
        if (!lte_inverse_levels[l]->usable())
            continue;
        memset(x, POISON, bytes);
        invert(lte_inverse_levels[l], method,
               &(lte_inverse_batch){element, n, count, a, x, flag, NULL}, 1);
        for (int m = 0; m < count; m++)
            assert_int_equal(flag[m], m == 1);
        for (size_t i = 0; i < bytes; i++) {
            if (i >= matrix && i < 2 * matrix)
                assert_int_equal(x[i], 0);
        }
        bool any = false;
        for (size_t i = 0; i < matrix; i++)
            any |= x[i] != 0;
        assert_true(any);
    }
    free(a);
    free(x);
    free(bad);
}

static void matrices_without_inverse_are_zero_and_flagged(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 9, 16, 40, 130};
    gsl_rng *rng = rng_of(5);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (int what = 0; what <= 4 && (!is_short() || orders[o] <= 40); what++) {
            for (int method = 0; method < LTE_N_INVERSES; method++)
                check_bad(rng, method, (int)(o + (size_t)what) % LTE_N_NUMBERS, orders[o], what);
        }
    }
    gsl_rng_free(rng);
}

/* One matrix, and as many as have a lane each. */
static void check_lower(const gsl_rng *rng, int n, int count)
{
    const size_t bytes = (size_t)(count * n * n) * 2 * sizeof(float);
    float *a = batch_of(rng, KIND_GRAM, LTE_CFLOAT, n, count);
    float *x = grab(bytes), *other = grab(bytes), *b = grab(bytes);
    uint8_t *flag = grab((size_t)count);
    memcpy(b, a, bytes);
    for (int i = 0; i < count * n; i++) {
        b[2 * (i * n + i % n) + 1] = 3.0f;
        for (int j = i % n + 1; j < n; j++)
            b[2 * (i * n + j)] = (float)NAN;
    }
    for (int l = 0; lte_inverse_levels[l]; l++) {
        if (!lte_inverse_levels[l]->usable())
            continue;
        invert(lte_inverse_levels[l], LTE_INVERSE_CHOLESKY_DELAYED,
               &(lte_inverse_batch){LTE_CFLOAT, n, count, a, x, flag, NULL}, 1);
        invert(lte_inverse_levels[l], LTE_INVERSE_CHOLESKY_DELAYED,
               &(lte_inverse_batch){LTE_CFLOAT, n, count, b, other, flag, NULL}, 1);
        assert_memory_equal(x, other, bytes);
        for (int m = 0; m < count; m++)
            assert_int_equal(flag[m], 0);
    }
    free(a);
    free(b);
    free(x);
    free(other);
    free(flag);
}

static void cholesky_reads_the_lower_triangle_alone(void **state)
{
    (void)state;
    gsl_rng *rng = rng_of(6);
    check_lower(rng, 21, 1);
    check_lower(rng, 21, 16);
    check_lower(rng, 70, 1);
    gsl_rng_free(rng);
}

static void delayed_updates_move_half_the_bytes(void **state)
{
    (void)state;
    for (int element = 0; element < LTE_N_NUMBERS; element++) {
        for (int n = 16; n <= LTE_INVERSE_MAX_ORDER; n++) {
            for (int nb = 1; nb <= n / 16; nb++) {
                double read[2], written[2];
                for (int method = 0; method < 2; method++)
                    assert_int_equal(lte_inverse_traffic(method, element, n, nb, &read[method],
                                                         &written[method]),
                                     LTE_OK);
                assert_true(read[0] + written[0] <= 0.6 * (read[1] + written[1]));
            }
        }
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    _Alignas(16) static char a[256];
    _Alignas(16) static char x[256];
    uint8_t flag;
    double read, written;
    void *work = grab(lte_inverse_work(1));
    const lte_inverse_level *ref = &lte_inverse_ref;
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_inverse(ref, -1, &(lte_inverse_batch){0, 1, 1, a, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(
        lte_inverse(ref, LTE_N_INVERSES, &(lte_inverse_batch){0, 1, 1, a, x, &flag, work}, 1),
        LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){-1, 1, 1, a, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(
        lte_inverse(ref, 0, &(lte_inverse_batch){LTE_N_NUMBERS, 1, 1, a, x, &flag, work}, 1),
        LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){0, 0, 1, a, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){0, 257, 1, a, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){0, 1, 0, a, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){0, 2, 2, a, a + 16, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){3, 1, 1, a + 8, x, &flag, work}, 1),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse(ref, 0, &(lte_inverse_batch){0, 1, 1, a, x, &flag, work}, 0),
                     LTE_EINVAL);
    assert_int_equal(lte_inverse_traffic(2, 0, 16, 4, &read, &written), LTE_EINVAL);
    assert_int_equal(lte_inverse_traffic(0, 0, 16, 0, &read, &written), LTE_EINVAL);
    assert_int_equal(lte_inverse_traffic(0, 0, 16, 17, &read, &written), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 13);
    free(work);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(inverse, every_order_meets_its_bounds),
    LTE_CASE(inverse, every_kind_meets_its_bounds),
    LTE_CASE(inverse, every_level_and_order_of_loops_gives_the_same_bits),
    LTE_CASE(inverse, batches_of_any_size_give_the_same_bits),
    LTE_CASE(inverse, inverters_of_any_order_have_the_bits_of_their_method),
    LTE_CASE(inverse, matrices_without_inverse_are_zero_and_flagged),
    LTE_CASE(inverse, cholesky_reads_the_lower_triangle_alone),
    LTE_CASE(inverse, delayed_updates_move_half_the_bytes),
    LTE_CASE(inverse, wrong_arguments_are_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("inverse", cases, NULL, NULL);
}
