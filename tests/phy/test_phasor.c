/*
 * Unit phasors and the reference matrices made of them, against phases in integers and in long
 * double.
 */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/methods/reference/reference.h"
#include "kernels/methods/reference/prach.h"

/* Every length, and of its roots and columns many: round(2^32 phase), in integers throughout. */
static void zadoff_chu_angles_are_correctly_rounded(void **state)
{
    (void)state;
    for (uint32_t length = 3; length <= LTE_MAX_ZC; length += 2) {
        const lte_zc zc = lte_zc_of(length);
        const uint64_t unit = 12 * length; /* phases are multiples of 1 / unit turns */
        for (uint32_t i = 0; i < 3000; i++) {
            const uint32_t n = i * 7919, root = 1 + i * i % (length - 1);
            const lte_zc_row row = {i % 2 ? root : length - 1, (i * 31) % length, i % 12};
            const uint64_t m = (n + row.first) % length;
            const uint64_t zc_phase = row.root * m * (m + 1) % (2 * length) * 6;
            const uint64_t phase = (n % 12 * row.shift * length + unit - zc_phase) % unit;
            const uint64_t rounded = ((phase << 32) + unit / 2) / unit;
            assert_int_equal(lte_zc_angle(&zc, row, lte_zc_column_of(&zc, n)), (uint32_t)rounded);
        }
    }
}

enum { SIDE = 4096 };

static float *new_plane(size_t per_element)
{
    float *plane = malloc(per_element * SIDE * SIDE * sizeof *plane);
    assert_non_null(plane);
    return plane;
}

/* Largest distance of either part from that of exp(j angle), in double. */
static double farther(double so_far, float re, float im, double angle)
{
    const double off_re = fabs((double)re - cos(angle)), off_im = fabs((double)im - sin(angle));
    const double off = off_re > off_im ? off_re : off_im;
    return off <= so_far || isnan(so_far) ? so_far : off; /* a NaN comes through, and stays */
}

static void sar_matrix_is_exact(void **state)
{
    (void)state;
    const lte_sar sar = {.range = 850e3,
                         .range_step = 7.5,
                         .speed = 7100.0,
                         .wavelength = 0.031,
                         .interval = 1.0 / 1700.0,
                         .centre = 2047.5};
    float *re = new_plane(1), *im = new_plane(1);
    double worst = 0.0;
    assert_int_equal(lte_reference_sar(&sar, SIDE, SIDE, re, im), LTE_OK);
    for (int m = 0; m < SIDE; m++) {
        const long double range = (long double)sar.range + m * (long double)sar.range_step;
        const long double speed = (long double)sar.speed;
        const long double wavelength = (long double)sar.wavelength;
        const long double rate = -2.0L * speed * speed / (wavelength * range);
        for (int n = 0; n < SIDE; n++) {
            const long double t = (n - (long double)sar.centre) * (long double)sar.interval;
            const long double turns = rate * t * t / 2.0L;
            const double angle = 2.0 * M_PI * (double)(turns - floorl(turns));
            worst = farther(worst, re[m * SIDE + n], im[m * SIDE + n], angle);
        }
    }
    print_message("largest error of the azimuth reference: %.3g\n", worst);
    assert_near(worst, 0.0, 3e-7);
    free(re);
    free(im);
}

static void zadoff_chu_matrix_is_exact(void **state)
{
    (void)state;
    static const int lengths[] = {1193, LTE_PRACH_LONG};
    static lte_zc_row rows[SIDE];
    lte_cf32 *x = (lte_cf32 *)new_plane(2);
    for (int i = 0; i < 2; i++) {
        const int length = lengths[i];
        const lte_zc zc = lte_zc_of((uint32_t)length);
        double worst = 0.0;
        for (int m = 0; m < SIDE; m++)
            rows[m] = (lte_zc_row){(uint32_t)(1 + m % (length - 1)), (uint32_t)(m * 13 % length),
                                   (uint32_t)(m % 12)};
        assert_int_equal(lte_reference_zc(&zc, rows, SIDE, SIDE, x), LTE_OK);
        for (int m = 0; m < SIDE; m++) {
            const int64_t root = rows[m].root, first = rows[m].first, shift = rows[m].shift;
            for (int n = 0; n < SIDE; n++) {
                const int64_t k = n + first;
                const int64_t zc_phase = root * k * (k + 1) % (2 * length);
                const int64_t phase = (n * shift % 12 * length - 6 * zc_phase) % (12 * length);
                const double angle = 2.0 * M_PI * (double)phase / (12.0 * length);
                worst = farther(worst, x[m * SIDE + n].re, x[m * SIDE + n].im, angle);
            }
        }
        print_message("largest error of sequences of length %d: %.3g\n", length, worst);
        assert_near(worst, 0.0, 3e-7);
    }
    free(x);
}

/* One element, odd shapes: each row what it is alone; nothing beyond the last element. */
static void matrices_may_have_any_shape(void **state)
{
    (void)state;
    static const struct {
        int n_rows, n_columns;
    } shapes[] = {{1, 1}, {3, 1003}, {1003, 1}, {17, 31}};
    static lte_cf32 x[3 * 1003 + 1], alone[1003];
    static float re[3 * 1003 + 1], im[3 * 1003 + 1];
    static lte_zc_row rows[1003];
    const lte_sar sar = {.range = 10e3,
                         .range_step = 1.0,
                         .speed = 100.0,
                         .wavelength = 0.03,
                         .interval = 1e-3,
                         .centre = 15.0};
    const lte_zc zc = lte_zc_of(71);
    for (int i = 0; i < 1003; i++)
        rows[i] = (lte_zc_row){(uint32_t)(1 + i % 70), (uint32_t)(i % 71), (uint32_t)(i % 12)};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int n_rows = shapes[s].n_rows, n = shapes[s].n_columns, all = n_rows * n;
        x[all].re = re[all] = im[all] = 7.0f;
        assert_int_equal(lte_reference_zc(&zc, rows, n_rows, n, x), LTE_OK);
        assert_int_equal(lte_reference_sar(&sar, n_rows, n, re, im), LTE_OK);
        assert_true(x[all].re == 7.0f && re[all] == 7.0f && im[all] == 7.0f);
        for (int m = 0; m < n_rows; m++) {
            const double rate = lte_sar_rate(&sar, lte_sar_range(&sar, (uint32_t)m));
            lte_zc_sequence(&zc, rows[m], n, alone);
            assert_memory_equal(alone, &x[m * n], (size_t)n * sizeof *x);
            for (int i = 0; i < n; i++) {
                const uint32_t angle = lte_chirp_angle(rate, lte_sar_time(&sar, (uint32_t)i));
                const lte_cplx o = lte_phasor(angle);
                assert_true(re[m * n + i] == o.re && im[m * n + i] == o.im);
            }
        }
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(phasor, zadoff_chu_angles_are_correctly_rounded),
    LTE_CASE(phasor, sar_matrix_is_exact),
    LTE_CASE(phasor, zadoff_chu_matrix_is_exact),
    LTE_CASE(phasor, matrices_may_have_any_shape),
};

int main(void)
{
    return cmocka_run_group_tests_name("phasor", cases, NULL, NULL);
}
