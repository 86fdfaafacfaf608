/*
 * Inverses on the device against the CPU's, bit for bit, version by version. Skipped (exit 77)
 * without a device. With LTE_TEST_SMALL set the large batches and most orders are left out.
 */

#include "kernels/backends/backend.h"
#include "kernels/base/cuda_status.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "tests/lib/device.h"
#include "tests/lib/large_matrices.h"

enum { POISON = 0xa5, N_MADE = 24, N_THREADS = 2 };

static gsl_rng *rng;

/*
 * count matrices, those behind N_MADE repeated; if bad, some of them are zero, NaN, or singular to
 * the last bit.
 */
static void *batch_of(int kind, int element, int n, int count, bool bad)
{
    const size_t matrix = (size_t)(n * n) * (size_t)lte_element_size((lte_element)element);
    char *batch = grab((size_t)count * matrix);
    for (int m = 0; m < count; m++) {
        char *const to = batch + (size_t)m * matrix;
        if (m >= N_MADE) {
            memcpy(to, to - N_MADE * matrix, matrix);
            continue;
        }
        double complex *a = matrix_of(rng, kind, is_complex(element), n);
        for (int i = 0; i < n && bad; i++) {
            if (m == 1)
                memset(&a[i * n], 0, (size_t)n * sizeof *a);
            if (m == 4)
                a[i * n + n / 2] = a[n / 2 * n + i] = (double)NAN;
            if (m == 6)
                a[i * n + n / 2] = a[n / 2 * n + i] = 0.0;
        }
        store_elements(element, n * n, a, to);
        free(a);
    }
    return batch;
}

static void check_version(const lte_inversion_version *v, int element, int n, int count,
                          bool in_place, const void *a, const void *expected, const uint8_t *flags)
{
    const size_t bytes =
        (size_t)count * (size_t)(n * n) * (size_t)lte_element_size((lte_element)element);
    char *x = grab(bytes + 64);
    uint8_t *flag = grab((size_t)count + 64);
    void *d_work = NULL;
    const size_t work = lte_inversion_work(v, element, n, count);
    char *d_x = on_device(x, bytes + 64);
    char *d_a = in_place ? d_x : on_device(a, bytes);
    uint8_t *d_flag = on_device(flag, (size_t)count + 64);
    if (in_place)
        ok(cudaMemcpy(d_x, a, bytes, cudaMemcpyHostToDevice));
    if (work > 0) {
        ok(cudaMalloc(&d_work, work));
        ok(cudaMemset(d_work, POISON, work));
    }
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){element, n, count, d_a, d_x, d_flag, d_work},
                           NULL),
        LTE_OK);
    to_host(x, d_x, bytes + 64);
    to_host(flag, d_flag, (size_t)count + 64);
    if (!in_place)
        ok(cudaFree(d_a));
    ok(cudaFree(d_work));
    size_t wrong = 0;
    while (wrong < bytes && ((const char *)expected)[wrong] == x[wrong])
        wrong++;
    if (wrong < bytes || memcmp(flags, flag, (size_t)count) != 0)
        fail_msg("%s, %s, order %d, element %d, %d matrices%s: differs at byte %zu of %zu", v->name,
                 lte_inverter_rows[v->inverter].name, n, element, count,
                 in_place ? " in place" : "", wrong, bytes);
    for (int i = 0; i < 64; i++) { /* and nothing behind */
        assert_int_equal((uint8_t)x[bytes + (size_t)i], POISON);
        assert_int_equal(flag[count + i], POISON);
    }
    free(x);
    free(flag);
}

/* Every version that takes them. */
static void check(int kind, int element, int n, int count, bool bad, bool in_place)
{
    const size_t bytes =
        (size_t)count * (size_t)(n * n) * (size_t)lte_element_size((lte_element)element);
    void *a = batch_of(kind, element, n, count, bad), *expected = grab(bytes);
    void *work = grab(lte_inverse_work(N_THREADS));
    uint8_t *flags = grab((size_t)count);
    for (int method = 0; method < LTE_N_INVERSES; method++) {
        if (lte_inverse_rows[method].hermitian && kind >= N_HERMITIAN)
            continue;
        if (method != LTE_INVERSE_LU_IMMEDIATE) /* which has the bits of the other one */
            assert_int_equal(
                lte_inverse(lte_inverse_best(), method,
                            &(lte_inverse_batch){element, n, count, a, expected, flags, work},
                            N_THREADS),
                LTE_OK);
        for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
            if (lte_inversion_method(v) == method && lte_inversion_takes(v, element, n))
                check_version(v, element, n, count, in_place, a, expected, flags);
        }
    }
    free(a);
    free(expected);
    free(work);
    free(flags);
}

static void every_version_equals_the_cpu_at_every_order(void **state)
{
    (void)state;
    for (int n = 1; n <= 130; n += small() ? 32 : n < 40 ? 1 : 5) {
        check(KIND_GRAM, LTE_CFLOAT, n, 3, false, n % 2 == 0);
        check(KIND_GENERAL, LTE_CFLOAT, n, 3, false, n % 2 == 1);
        check(KIND_SMALL_INTEGERS, LTE_CFLOAT, n, 3, false, false); /* pivots of one size */
    }
    if (small())
        return;
    check(KIND_GENERAL, LTE_CFLOAT, 64, 2, false, false);
    check(KIND_GRAM, LTE_CFLOAT, 128, 2, false, false);
    check(KIND_GENERAL, LTE_CFLOAT, 128, 2, false, false);
    check(KIND_GRAM, LTE_CFLOAT, 256, 2, false, false);
    check(KIND_GENERAL, LTE_CFLOAT, 256, 2, false, false);
}

static void every_type_and_kind_equals_the_cpu(void **state)
{
    (void)state;
    static const int orders[] = {1, 7, 16, 31, 32, 64, 100, 128};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o += small() ? 3 : 1) {
        for (int element = 0; element < LTE_N_NUMBERS; element++) {
            for (int kind = (int)(o + (size_t)element) % 2; kind < N_KINDS; kind += 2)
                check(kind, element, orders[o], 2, false, false);
        }
    }
    for (int element = 0; element < LTE_N_NUMBERS && !small(); element++)
        check(KIND_GENERAL, element, 255, 1, false, true);
}

static void batches_of_any_size_equal_the_cpu(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 9, 31, 1003};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int n = 12; n <= 17; n += 4) {
            check(KIND_GRAM, LTE_CFLOAT, n, counts[c], false, false);
            check(KIND_SMALL_INTEGERS, LTE_CFLOAT, n, counts[c], false, true);
        }
    }
    if (small())
        skip();
    check(KIND_GRAM, LTE_CFLOAT, 16, 100000, true, false);
    check(KIND_GENERAL, LTE_CFLOAT, 16, 100000, true, false);
    check(KIND_GENERAL, LTE_CFLOAT, 32, 20000, true, true);
    check(KIND_GENERAL, LTE_FLOAT, 9, 100000, true, false);
}

static void matrices_without_inverse_are_zero_and_flagged(void **state)
{
    (void)state;
    static const int orders[] = {1, 5, 16, 24, 32, 50, 64, 90, 128, 140};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (int element = 0; element < LTE_N_NUMBERS; element++) {
            if (small() && element != LTE_CFLOAT)
                continue;
            check(KIND_GRAM, element, orders[o], 9, true, false);
            check(KIND_GENERAL, element, orders[o], 9, true, false);
            check(KIND_NEAR_SINGULAR, element, orders[o], 3, true, false);
        }
    }
}

static void arguments_are_refused_as_by_the_cpu(void **state)
{
    (void)state;
    char *d = on_device((char[512]){0}, 512);
    const lte_inversion_version *v =
        lte_inversion_choose(LTE_INVERTER_lu_delayed, LTE_CFLOAT, 16, 1);
    lte_fail_handler handler = expect_failures();
    assert_non_null(v);
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){LTE_CFLOAT, 0, 1, d, d, (uint8_t *)d, d}, NULL),
        LTE_EINVAL);
    assert_int_equal(lte_inversion_cuda(
                         v, &(lte_inverse_batch){LTE_CFLOAT, 257, 1, d, d, (uint8_t *)d, d}, NULL),
                     LTE_EINVAL);
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){LTE_DOUBLE, 2, 1, d, d, (uint8_t *)d, d}, NULL),
        LTE_EINVAL);
    assert_int_equal(lte_inversion_cuda(
                         v, &(lte_inverse_batch){LTE_CFLOAT, 129, 1, d, d, (uint8_t *)d, d}, NULL),
                     LTE_EINVAL);
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){LTE_CFLOAT, 2, 0, d, d, (uint8_t *)d, d}, NULL),
        LTE_EINVAL);
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){LTE_CFLOAT, 2, 1, d + 8, d + 8, (uint8_t *)d, d},
                           NULL),
        LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 6);
    ok(cudaFree(d));
}

/* Every inverter has a version for what it takes, and none for what it does not. */
static void a_version_is_chosen_for_whatever_may_come(void **state)
{
    (void)state;
    static const int counts[] = {1, 1200, 1000000};
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        const lte_inverter *row = &lte_inverter_rows[inverter];
        const bool any_order = lte_inverse_method(row->name) >= 0;
        for (int element = 0; element < LTE_N_NUMBERS; element++) {
            for (int n = 1; n <= LTE_INVERSE_MAX_ORDER; n++) {
                const lte_inversion_version *v =
                    lte_inversion_choose(inverter, element, n, counts[n % 3]);
                if (!any_order && (n > LTE_MAX_ORDER || element != LTE_CFLOAT)) {
                    assert_null(v);
                    continue;
                }
                assert_non_null(v);
                assert_int_equal(v->inverter, inverter);
                assert_true(lte_inversion_takes(v, element, n));
            }
        }
    }
}

/* Few small matrices are shared by lanes, many have a thread each. */
static void few_matrices_are_given_to_lanes(void **state)
{
    (void)state;
    assert_string_equal(lte_inversion_choose(LTE_INVERTER_ldl, LTE_CFLOAT, 4, 1200)->name, "ldl 2");
    assert_string_equal(lte_inversion_choose(LTE_INVERTER_ldl, LTE_CFLOAT, 4, 1000000)->name,
                        "ldl 1");
    assert_string_equal(lte_inversion_choose(LTE_INVERTER_gauss_jordan, LTE_CFLOAT, 8, 1200)->name,
                        "gauss-jordan 5");
    assert_string_equal(lte_inversion_choose(LTE_INVERTER_ldl, LTE_CFLOAT, 1, 12)->name, "ldl 1");
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_inverse, every_version_equals_the_cpu_at_every_order),
        LTE_CASE(cuda_inverse, every_type_and_kind_equals_the_cpu),
        LTE_CASE(cuda_inverse, batches_of_any_size_equal_the_cpu),
        LTE_CASE(cuda_inverse, matrices_without_inverse_are_zero_and_flagged),
        LTE_CASE(cuda_inverse, arguments_are_refused_as_by_the_cpu),
        LTE_CASE(cuda_inverse, a_version_is_chosen_for_whatever_may_come),
        LTE_CASE(cuda_inverse, few_matrices_are_given_to_lanes),
    };
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 7);
    const int failed = LTE_RUN_GPU_CASES("cuda_inverse", cases);
    gsl_rng_free(rng);
    return failed;
}
