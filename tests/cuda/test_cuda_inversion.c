/*
 * Batched inversion on the device, the versions of small orders and the inverters of a scenario,
 * against the CPU's, bit for bit. Skipped (exit 77) without a device. With LTE_TEST_SMALL set there
 * are fewer batches. Large orders: test_cuda_inverse.c.
 */
#include <math.h>

#include "kernels/backends/backend.h"
#include "kernels/base/order.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "phy/base/normal.h"
#include "phy/base/philox.h"
#include "phy/inversion/gram.h"
#include "phy/inversion/inversion.h"
#include "tests/lib/device.h"

/* Matrices of order n of many kinds: a few have no inverse. */
static void fill_matrices(int n, int n_matrices, lte_cf32 *a)
{
    const int n2 = n * n;
    const size_t size = (size_t)n2 * sizeof(lte_cplx);
    const lte_philox_key key = lte_philox_key_of(20260);
    lte_cplx *h = malloc(size), *g = malloc(size);
    assert_true(h && g);
    for (int m = 0; m < n_matrices; m++) {
        lte_cf32 *matrix = &a[(size_t)m * (size_t)n2];
        for (int e = 0; e < n2; e++) {
            const lte_words w = lte_philox(&key, (uint64_t)m, (uint32_t)e);
            h[e] = lte_normal(w.v[0], w.v[1]);
        }
        if (m % 3 != 2) { /* Hermitian, else general */
            lte_gram(n, n, h, g);
            memcpy(h, g, size);
        }
        for (int e = 0; e < n2; e++) {
            matrix[e].re = h[e].re;
            matrix[e].im = h[e].im;
        }
        switch (m % 17) {
        case 3: /* a zero column */
            for (int i = 0; i < n; i++)
                matrix[i * n + n - 1].re = matrix[i * n + n - 1].im = 0.0f;
            break;
        case 5:
            matrix[n2 / 2].re = NAN;
            break;
        case 7:
            matrix[n2 - 1].im = INFINITY;
            matrix[0].re = INFINITY;
            break;
        case 9: /* ties: a permutation */
            for (int e = 0; e < n2; e++) {
                matrix[e].re = e % n == (e / n + 1) % n ? 1.0f : 0.0f;
                matrix[e].im = 0.0f;
            }
            break;
        case 11: /* graded */
            for (int e = 0; e < n2; e++) {
                const float scale = ldexpf(1.0f, -8 * (e / n) - 8 * (e % n));
                matrix[e].re *= scale;
                matrix[e].im *= scale;
            }
            break;
        case 13: /* all the same */
            for (int e = 0; e < n2; e++) {
                matrix[e].re = 1.0f;
                matrix[e].im = -1.0f;
            }
            break;
        default:
            break;
        }
    }
    free(h);
    free(g);
}

static void invert_on_cpu(int inverter, int n, int n_matrices, const lte_cf32 *a, lte_cf32 *x,
                          uint8_t *flag)
{
    for (int m = 0; m < n_matrices; m++) {
        lte_cplx matrix[LTE_MAX_ORDER * LTE_MAX_ORDER];
        const size_t at = (size_t)m * (size_t)(n * n);
        for (int e = 0; e < n * n; e++) {
            matrix[e].re = a[at + (size_t)e].re;
            matrix[e].im = a[at + (size_t)e].im;
        }
#define INVERT(order)                                                                              \
    flag[m] = (uint8_t)(inverter == LTE_INVERTER_ldl ? lte_ldl(order, matrix)                      \
                                                     : lte_gauss_jordan(order, matrix))
        LTE_FOR_ORDER(n, INVERT)
#undef INVERT
        for (int e = 0; e < n * n; e++) {
            x[at + (size_t)e].re = matrix[e].re;
            x[at + (size_t)e].im = matrix[e].im;
        }
    }
}

static void small_versions_give_the_same_bits(void **state)
{
    (void)state;
    enum { MOST = 5003 };
    const int batches[] = {1, 3, 300, 1003, MOST};
    const size_t n_batches = small() ? 3 : sizeof batches / sizeof *batches;
    for (int n = 1; n <= LTE_MAX_ORDER; n++) {
        const size_t size = (size_t)MOST * (size_t)(n * n) * sizeof(lte_cf32);
        lte_cf32 *a = malloc(size), *expected = malloc(size), *x = malloc(size);
        uint8_t expected_flag[MOST], flag[MOST];
        assert_true(a && expected && x);
        fill_matrices(n, MOST, a);
        lte_cf32 *d_a = on_device(a, size), *d_x = on_device(a, size);
        uint8_t *d_flag = on_device(flag, sizeof flag);
        for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
            if (lte_inversion_method(v) >= 0 || !lte_inversion_takes(v, LTE_CFLOAT, n))
                continue;
            invert_on_cpu(v->inverter, n, MOST, a, expected, expected_flag);
            for (size_t b = 0; b < n_batches; b++) {
                const int m = batches[b];
                const size_t used = (size_t)m * (size_t)(n * n) * sizeof(lte_cf32);
                ok(cudaMemset(d_x, 0xa5, size));
                ok(cudaMemset(d_flag, 0xa5, sizeof flag));
                assert_int_equal(
                    lte_inversion_cuda(
                        v, &(lte_inverse_batch){LTE_CFLOAT, n, m, d_a, d_x, d_flag, NULL}, NULL),
                    LTE_OK);
                ok(cudaDeviceSynchronize());
                ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
                ok(cudaMemcpy(flag, d_flag, sizeof flag, cudaMemcpyDeviceToHost));
                for (int i = 0; i < m; i++) {
                    const size_t at = (size_t)i * (size_t)(n * n);
                    if (flag[i] != expected_flag[i] ||
                        memcmp(&x[at], &expected[at], (size_t)(n * n) * sizeof *x) != 0)
                        fail_msg("%s, order %d, matrix %d of %d: other bits", v->name, n, i, m);
                }
                for (size_t i = used; i < size; i++)
                    assert_int_equal(((unsigned char *)x)[i], 0xa5); /* nothing behind */
            }
            if (small())
                continue;
            /* in place */
            ok(cudaMemcpy(d_x, a, size, cudaMemcpyHostToDevice));
            assert_int_equal(
                lte_inversion_cuda(
                    v, &(lte_inverse_batch){LTE_CFLOAT, n, MOST, d_x, d_x, d_flag, NULL}, NULL),
                LTE_OK);
            ok(cudaDeviceSynchronize());
            ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
            assert_memory_equal(x, expected, size);
        }
        ok(cudaFree(d_a));
        ok(cudaFree(d_x));
        ok(cudaFree(d_flag));
        free(a);
        free(expected);
        free(x);
    }
}

/* The first batch of an inverter of any order, with the method's plain loops beside it. */
static void check_any_order(int inverter, int method, int n)
{
    enum { MOST = 67 };
    const int count = n <= 32 ? MOST : 3;
    const size_t size = (size_t)count * (size_t)(n * n) * sizeof(lte_cf32);
    lte_cf32 *a = malloc(size), *expected = malloc(size), *x = malloc(size);
    void *work = aligned_alloc(64, lte_inverse_work(1));
    uint8_t expected_flag[MOST], flag[MOST];
    assert_true(a && expected && x && work);
    fill_matrices(n, count, a);
    assert_int_equal(
        lte_inverse(&lte_inverse_ref, method,
                    &(lte_inverse_batch){LTE_CFLOAT, n, count, a, expected, expected_flag, work},
                    1),
        LTE_OK);
    lte_cf32 *d_x = on_device(a, size);
    uint8_t *d_flag = on_device(flag, sizeof flag);
    const lte_inversion_version *v = lte_inversion_choose(inverter, LTE_CFLOAT, n, count);
    assert_int_equal(v->inverter, inverter);
    assert_int_equal(
        lte_inversion_cuda(v, &(lte_inverse_batch){LTE_CFLOAT, n, count, d_x, d_x, d_flag, NULL},
                           NULL),
        LTE_OK);
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
    ok(cudaMemcpy(flag, d_flag, sizeof flag, cudaMemcpyDeviceToHost));
    assert_memory_equal(x, expected, size);
    assert_memory_equal(flag, expected_flag, (size_t)count);
    ok(cudaFree(d_x));
    ok(cudaFree(d_flag));
    free(a);
    free(expected);
    free(x);
    free(work);
}

static void inverters_of_any_order_have_the_bits_of_their_method(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 5, 8, 9, 16, 31, 32, 64, 100, 128};
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (int method = 0; method < LTE_N_INVERSES; method++) {
            if (strcmp(lte_inverter_rows[inverter].name, lte_inverse_rows[method].name) != 0)
                continue;
            for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
                check_any_order(inverter, method, orders[o]);
        }
    }
}

/* ---- batches that a program hands over ---- */

/* Every second matrix has rows and columns far from 1; of some the inverse leaves the type. */
static void move_from_one(int n, int n_matrices, lte_cf32 *a)
{
    for (int m = 0; m < n_matrices; m += 2) {
        lte_cf32 *matrix = &a[(size_t)m * (size_t)(n * n)];
        for (int e = 0; e < n * n; e++) {
            const int row = (m + 3 * (e / n)) % 9, column = (m + 3 * (e % n)) % 9;
            const float scale = ldexpf(1.0f, 12 * (row + column - 8));
            matrix[e].re *= scale;
            matrix[e].im *= scale;
        }
    }
}

static lte_matrices *matrices_of(const lte_backend *backend, int inverter, int n)
{
    const lte_matrices_plan plan = {
        .inverter = inverter, .element = LTE_CFLOAT, .n = n, .n_threads = 1};
    lte_matrices *matrices = NULL;
    assert_int_equal(backend->matrices->create(backend, &plan, &matrices), LTE_OK);
    return matrices;
}

/* Matrices, inverses and flags on the device, apart and in place: the bits of the processor. */
static void flagged_ones_are_inverted_once_more_where_they_are(void **state)
{
    enum { N = 4, COUNT = 5003 };
    const size_t size = (size_t)COUNT * N * N * sizeof(lte_cf32);
    lte_cf32 *a = malloc(size), *x = malloc(size), *found = malloc(size);
    uint8_t flag[COUNT], found_flag[COUNT];
    (void)state;
    assert_true(a && x && found);
    fill_matrices(N, COUNT, a);
    move_from_one(N, COUNT, a);
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        lte_matrices *m = matrices_of(&lte_backend_cpu_ref, inverter, N);
        assert_int_equal(lte_backend_cpu_ref.matrices->invert(m, COUNT, a, x, flag), LTE_OK);
        lte_backend_cpu_ref.matrices->free(m);
        m = matrices_of(&lte_backend_cuda, inverter, N);
        for (int in_place = 0; in_place < 2; in_place++) {
            lte_cf32 *d_a = on_device(a, size), *d_x = in_place ? d_a : on_device(a, size);
            memset(found_flag, 0xa5, COUNT);
            uint8_t *d_flag = on_device(found_flag, COUNT);
            assert_int_equal(lte_backend_cuda.matrices->invert(m, COUNT, d_a, d_x, d_flag), LTE_OK);
            to_host(found, d_x, size);
            to_host(found_flag, d_flag, COUNT);
            assert_memory_equal(found, x, size);
            assert_memory_equal(found_flag, flag, COUNT);
            if (!in_place) { /* the matrices stay */
                to_host(found, d_a, size);
                assert_memory_equal(found, a, size);
            }
        }
        lte_backend_cuda.matrices->free(m);
    }
    free(a);
    free(x);
    free(found);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_inversion, small_versions_give_the_same_bits),
        LTE_CASE(cuda_inversion, inverters_of_any_order_have_the_bits_of_their_method),
        LTE_CASE(cuda_inversion, flagged_ones_are_inverted_once_more_where_they_are),
    };
    return LTE_RUN_GPU_CASES("cuda_inversion", cases);
}
