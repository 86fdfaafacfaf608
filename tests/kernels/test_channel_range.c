/* The range of channel matrices, against the same told of each matrix alone in double. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/link/channel_range.h"
#include "kernels/link/layouts.h"
#include "tests/lib/unit.h"

enum { N_RX = 5, N_TX = 3, N_SC = 1003 };

#define RANGE 0x1p18f

static const lte_link link_of_sizes = {.n_rx = N_RX, .n_tx = N_TX, .carrier.n_sc = N_SC};

/* Planes [N_RX][N_TX][n_h][N_SC] of ones; the caller frees them. */
static lte_cf32 *ones(int n_h)
{
    const size_t n = lte_planes_size(&link_of_sizes, n_h);
    lte_cf32 *planes = malloc(n * sizeof *planes);
    assert_non_null(planes);
    for (size_t i = 0; i < n; i++)
        planes[i] = (lte_cf32){1.0f, 0.0f};
    return planes;
}

/* Element (rx, tx) of matrix m of a subcarrier. */
static lte_cf32 *at(lte_cf32 *planes, int n_h, int rx, int tx, int m, int sc)
{
    return &planes[lte_plane_at(n_h, N_SC, rx * N_TX + tx, m) + sc];
}

static void fill_column(lte_cf32 *planes, int n_h, int tx, int m, int sc, lte_cf32 x)
{
    for (int rx = 0; rx < N_RX; rx++)
        *at(planes, n_h, rx, tx, m, sc) = x;
}

/* ---- moderate ---- */

/* Whether planes are moderate in which one column has x in one element and zeros beside. */
static bool moderate_with(int n_h, int tx, int m, int sc, lte_cf32 x)
{
    lte_cf32 *planes = ones(n_h);
    fill_column(planes, n_h, tx, m, sc, (lte_cf32){0.0f, -0.0f});
    *at(planes, n_h, N_RX - 1, tx, m, sc) = x;
    const bool moderate = lte_planes_moderate(&link_of_sizes, n_h, planes, RANGE);
    free(planes);
    return moderate;
}

/* The place does not matter, and neither does which part of the number. */
static void assert_moderate_with(bool expected, float x)
{
    static const int places[][2] = {{0, 0}, {0, 255}, {0, 256}, {0, N_SC - 1}, {6, N_SC - 1}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const int n_h = places[i][0] > 0 ? 7 : 1;
        for (int part = 0; part < 2; part++) {
            const lte_cf32 z = {part ? 0.0f : x, part ? x : 0.0f};
            assert_int_equal(moderate_with(n_h, (int)i % N_TX, places[i][0], places[i][1], z),
                             expected);
        }
    }
}

static void columns_within_18_powers_of_two_are_moderate(void **state)
{
    static const float inside[] = {0x1p-18f, -0x1p-18f, 1.0f, 0x1p18f, -0x1p18f};
    (void)state;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        assert_moderate_with(true, inside[i]);
    assert_moderate_with(false, nextafterf(0x1p-18f, 0.0f));
    assert_moderate_with(false, nextafterf(0x1p18f, INFINITY));
}

static void zeros_and_what_is_not_finite_are_not(void **state)
{
    static const float outside[] = {0.0f, FLT_TRUE_MIN, FLT_MAX, INFINITY, -INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_moderate_with(false, outside[i]);
}

/* Also where another element of the column is larger. */
static void one_number_that_is_not_finite_is_seen(void **state)
{
    (void)state;
    for (int rx = 0; rx < N_RX; rx++) {
        lte_cf32 *planes = ones(1);
        at(planes, 1, rx, 1, 0, 700)->im = NAN;
        assert_false(lte_planes_moderate(&link_of_sizes, 1, planes, RANGE));
        at(planes, 1, rx, 1, 0, 700)->im = 0.0f;
        assert_true(lte_planes_moderate(&link_of_sizes, 1, planes, RANGE));
        free(planes);
    }
}

/* ---- silent ---- */

/* The exponent of the power of two that a matrix is divided by. */
static int exponent_of(lte_cf32 *planes, int n_h, int m, int sc)
{
    double largest = 0.0;
    int e;
    for (int i = 0; i < N_RX * N_TX; i++) {
        const lte_cf32 z = *at(planes, n_h, i / N_TX, i % N_TX, m, sc);
        const double re = fabs((double)z.re), im = fabs((double)z.im);
        largest = isfinite(re) && re > largest ? re : largest;
        largest = isfinite(im) && im > largest ? im : largest;
    }
    if (!(largest > 0.0))
        return 0;
    (void)frexp(largest, &e);
    return e - 1;
}

/* True where x / 2^e is 0 as a float. */
static bool vanishes(float x, int e)
{
    return !isnan(x) && (float)ldexp((double)x, -e) == 0.0f;
}

static int silent_of(lte_cf32 *planes, int n_h, uint8_t *flags)
{
    int n = 0;
    for (int i = 0; i < n_h * N_SC; i++) {
        const int m = i / N_SC, sc = i % N_SC, e = exponent_of(planes, n_h, m, sc);
        flags[i] = 0;
        for (int tx = 0; tx < N_TX; tx++) {
            bool silent = true;
            for (int rx = 0; rx < N_RX; rx++) {
                const lte_cf32 z = *at(planes, n_h, rx, tx, m, sc);
                silent = silent && vanishes(z.re, e) && vanishes(z.im, e);
                if (!isfinite(z.re) || !isfinite(z.im))
                    flags[i] |= 4;
            }
            n += silent;
            flags[i] = (uint8_t)(flags[i] | (silent ? 2 : 0));
        }
    }
    return n;
}

static void check_silent(lte_cf32 *planes, int n_h)
{
    static uint8_t flags[7 * N_SC], expected[7 * N_SC];
    const int n = silent_of(planes, n_h, expected);
    memset(flags, 0xa5, sizeof flags);
    assert_int_equal(lte_planes_silent(&link_of_sizes, n_h, planes, flags), n);
    assert_int_equal(lte_planes_silent(&link_of_sizes, n_h, planes, NULL), n);
    assert_memory_equal(flags, expected, (size_t)(n_h * N_SC));
}

static void silent_layers_are_those_of_each_matrix_alone(void **state)
{
    static const float values[] = {0.0f,     -0.0f,     1.0f,  -3.0f,      0x1p-149f, 0x1p-140f,
                                   1e-38f,   1e-30f,    1e30f, 0x1p127f,   FLT_MAX,   0x1p-22f,
                                   INFINITY, -INFINITY, NAN,   0x1.8p-149f};
    enum { N_VALUES = sizeof values / sizeof *values };
    uint32_t random = 7;
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        const int n_h = trial % 2 ? 7 : 1;
        lte_cf32 *planes = ones(n_h);
        for (int i = 0; i < n_h * N_SC * N_TX; i++) { /* most columns have one kind of number */
            random = random * 1664525u + 1013904223u;
            const float kind = values[(random >> 8) % (trial < 6 ? 12 : N_VALUES)];
            for (int rx = 0; rx < N_RX; rx++) {
                lte_cf32 *z = at(planes, n_h, rx, i % N_TX, i / N_TX / N_SC, i / N_TX % N_SC);
                random = random * 1664525u + 1013904223u;
                z->re = random >> 30 ? kind : 0.0f;
                z->im = random >> 24 & 3 ? 0.0f : kind;
            }
        }
        check_silent(planes, n_h);
        free(planes);
    }
}

/* 2^-149 over 2^k is 2^-150 for k = 1, which is 0 in floats, since ties go to even. */
static void quotients_that_underflow_are_silent(void **state)
{
    static const struct {
        float largest, weak;
        int silent;
    } cases[] = {{1.0f, 1e-30f, 0},        {512.0f, 1e-38f, 0},      {1.0f, 0x1p-149f, 0},
                 {1.99f, 0x1p-149f, 0},    {2.0f, 0x1p-149f, 1},     {2.0f, 0x1.8p-148f, 0},
                 {FLT_MAX, 0x1p-23f, 1},   {FLT_MAX, 0x1.8p-23f, 0}, {0x1p127f, 0x1p-23f, 1},
                 {0x1p-149f, 0x1p-149f, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lte_cf32 *planes = ones(1);
        for (int tx = 0; tx < N_TX; tx++)
            fill_column(planes, 1, tx, 0, 300, (lte_cf32){cases[i].largest, 0.0f});
        fill_column(planes, 1, 1, 0, 300, (lte_cf32){0.0f, cases[i].weak});
        check_silent(planes, 1);
        assert_int_equal(lte_planes_silent(&link_of_sizes, 1, planes, NULL), cases[i].silent);
        free(planes);
    }
}

static void all_layers_of_zeros_are_silent(void **state)
{
    (void)state;
    lte_cf32 *planes = ones(7);
    memset(planes, 0, lte_planes_size(&link_of_sizes, 7) * sizeof *planes);
    assert_int_equal(lte_planes_silent(&link_of_sizes, 7, planes, NULL), 7 * N_SC * N_TX);
    fill_column(planes, 7, 2, 3, 400, (lte_cf32){INFINITY, 0.0f});
    assert_int_equal(lte_planes_silent(&link_of_sizes, 7, planes, NULL), 7 * N_SC * N_TX - 1);
    check_silent(planes, 7);
    free(planes);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(channel_range, columns_within_18_powers_of_two_are_moderate),
        LTE_CASE(channel_range, zeros_and_what_is_not_finite_are_not),
        LTE_CASE(channel_range, one_number_that_is_not_finite_is_seen),
        LTE_CASE(channel_range, silent_layers_are_those_of_each_matrix_alone),
        LTE_CASE(channel_range, quotients_that_underflow_are_silent),
        LTE_CASE(channel_range, all_layers_of_zeros_are_silent),
    };
    return cmocka_run_group_tests_name("channel_range", cases, NULL, NULL);
}
