/* The constellations against TS 36.211 7.1 in double, and decisions against distances. */

#include "tests/lib/unit.h"

#include <math.h>

#include "phy/detection/qam.h"

static const int all_n_bits[] = {2, 4, 6, 8, 10};
enum { N_MODULATIONS = 5, MAX_POINTS = 1024 };
_Static_assert((int)N_MODULATIONS == (int)LTE_N_MODULATIONS, "each modulation has its points");

typedef struct {
    double re, im;
} point;

static double sign_of(uint32_t label, int i)
{
    return (label >> i) & 1u ? -1.0 : 1.0;
}

/* Half the distance between neighbours. */
static double unit_of(int n_bits)
{
    return sqrt(1.5 / ((1 << n_bits) - 1));
}

/* One dimension of clause 7.1; s is 0 for the real part, 1 for the imaginary one. */
static double exact_level(int n_bits, uint32_t label, int s)
{
    const double s0 = sign_of(label, s), s2 = sign_of(label, s + 2);
    const double s4 = sign_of(label, s + 4), s6 = sign_of(label, s + 6);
    const double s8 = sign_of(label, s + 8);
    switch (n_bits) {
    case 2:
        return s0 / sqrt(2.0);
    case 4:
        return s0 * (2.0 - s2) / sqrt(10.0);
    case 6:
        return s0 * (4.0 - s2 * (2.0 - s4)) / sqrt(42.0);
    case 8:
        return s0 * (8.0 - s2 * (4.0 - s4 * (2.0 - s6))) / sqrt(170.0);
    default:
        return s0 * (16.0 - s2 * (8.0 - s4 * (4.0 - s6 * (2.0 - s8)))) / sqrt(682.0);
    }
}

static point exact_point(int n_bits, uint32_t label)
{
    const point p = {exact_level(n_bits, label, 0), exact_level(n_bits, label, 1)};
    return p;
}

static uint32_t slice(int n_bits, double re, double im)
{
    const lte_cplx x = {(float)re, (float)im};
    return lte_qam_slice(n_bits, x);
}

static void labels_map_as_in_36211(int n_bits)
{
    for (uint32_t label = 0; label < 1u << n_bits; label++) {
        const point p = exact_point(n_bits, label);
        const lte_cplx x = lte_qam_map(n_bits, label);
        assert_near(x.re, p.re, 0x1p-23 * fabs(p.re));
        assert_near(x.im, p.im, 0x1p-23 * fabs(p.im));
    }
}

static void qpsk_maps_as_in_36211(void **state)
{
    (void)state;
    labels_map_as_in_36211(2);
}

static void qam16_maps_as_in_36211(void **state)
{
    (void)state;
    labels_map_as_in_36211(4);
}

static void qam64_maps_as_in_36211(void **state)
{
    (void)state;
    labels_map_as_in_36211(6);
}

static void qam256_maps_as_in_36211(void **state)
{
    (void)state;
    labels_map_as_in_36211(8);
}

static void qam1024_maps_as_in_36211(void **state)
{
    (void)state;
    labels_map_as_in_36211(10);
}

/* Some labels read off the tables of the clause, bits written b0 b1 .. from left to right. */
static void single_labels_are_where_the_tables_have_them(void **state)
{
    (void)state;
    static const struct {
        int n_bits;
        const char *bits;
        int re, im; /* in units of half the distance */
    } rows[] = {
        {2, "00", 1, 1},
        {2, "01", 1, -1},
        {2, "10", -1, 1},
        {4, "0000", 1, 1},
        {4, "0001", 1, 3},
        {4, "0010", 3, 1},
        {4, "0111", 3, -3},
        {4, "1001", -1, 3},
        {4, "1110", -3, -1},
        {6, "000000", 3, 3},
        {6, "000001", 3, 1},
        {6, "001010", 7, 3},
        {6, "010111", 1, -7},
        {6, "101101", -5, 7},
        {6, "110000", -3, -3},
        {8, "00000000", 5, 5},
        {8, "00101000", 13, 5},
        {8, "10101010", -15, 5},
        {8, "11111111", -15, -15},
        {8, "00000011", 7, 7},
        {8, "01000001", 5, -7},
        {10, "0000000000", 11, 11},
        {10, "1111111111", -31, -31},
        {10, "0000111111", 1, 1},
        {10, "0010101000", 29, 11},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t label = 0;
        for (int b = 0; b < rows[i].n_bits; b++)
            label |= (uint32_t)(rows[i].bits[b] == '1') << b;
        const lte_cplx x = lte_qam_map(rows[i].n_bits, label);
        const double unit = unit_of(rows[i].n_bits);
        assert_near(x.re, rows[i].re * unit, 1e-6);
        assert_near(x.im, rows[i].im * unit, 1e-6);
    }
}

static void mean_energy_is_1(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODULATIONS; m++) {
        const uint32_t n = 1u << all_n_bits[m];
        double energy = 0.0;
        for (uint32_t label = 0; label < n; label++) {
            const lte_cplx x = lte_qam_map(all_n_bits[m], label);
            energy += (double)x.re * (double)x.re + (double)x.im * (double)x.im;
        }
        assert_near(energy / n, 1.0, 0x1p-22);
    }
}

static void every_label_comes_back(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODULATIONS; m++) {
        for (uint32_t label = 0; label < 1u << all_n_bits[m]; label++) {
            const lte_cplx x = lte_qam_map(all_n_bits[m], label);
            assert_int_equal(lte_qam_slice(all_n_bits[m], x), label);
        }
    }
}

/* The label of the nearest point, by trying all; second: how much further the next one is. */
static uint32_t nearest(int n_bits, double re, double im, double *second)
{
    uint32_t best_label = 0;
    double best = INFINITY, next = INFINITY;
    for (uint32_t label = 0; label < 1u << n_bits; label++) {
        const point p = exact_point(n_bits, label);
        const double d = hypot(re - p.re, im - p.im);
        if (d < best) {
            next = best;
            best = d;
            best_label = label;
        } else if (d < next) {
            next = d;
        }
    }
    *second = next - best;
    return best_label;
}

/* A grid over 1.6 times the constellation, which misses the thresholds but for a few points. */
static void decisions_are_the_nearest_points(void **state)
{
    (void)state;
    enum { N_GRID = 161 };
    for (int m = 0; m < N_MODULATIONS; m++) {
        const int n_bits = all_n_bits[m];
        const double step = 3.2 * sqrt(2.0) / N_GRID;
        int skipped = 0;
        for (int i = 0; i < N_GRID * N_GRID; i++) {
            const int row = i / N_GRID, column = i % N_GRID;
            const double re = (double)(float)(step * (row - 0.5 * N_GRID + 0.25));
            const double im = (double)(float)(step * (column - 0.5 * N_GRID + 0.25));
            double second;
            const uint32_t expected = nearest(n_bits, re, im, &second);
            if (second > 1e-6)
                assert_int_equal(slice(n_bits, re, im), expected);
            else
                skipped++;
        }
        assert_true(skipped <= N_GRID);
    }
}

/* A step of 1e-6 to either side of each threshold, and far outside. */
static void decisions_change_at_the_thresholds(void **state)
{
    (void)state;
    double unused;
    for (int m = 0; m < N_MODULATIONS; m++) {
        const int n_bits = all_n_bits[m], n_levels = 1 << (n_bits / 2);
        const double unit = unit_of(n_bits);
        for (int k = 1 - n_levels / 2; k < n_levels / 2; k++) {
            for (int side = -1; side <= 1; side += 2) {
                const double v = 2.0 * k * unit + side * 1e-6;
                assert_int_equal(slice(n_bits, v, unit), nearest(n_bits, v, unit, &unused));
                assert_int_equal(slice(n_bits, unit, v), nearest(n_bits, unit, v, &unused));
            }
        }
        assert_int_equal(slice(n_bits, 1e30, -1e30), nearest(n_bits, 10.0, -10.0, &unused));
        assert_int_equal(slice(n_bits, -3e38, 3e38), nearest(n_bits, -10.0, 10.0, &unused));
    }
}

static void assert_bit(int n_bits, int i, float value, uint32_t bit)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const double v = sign * (double)value, unit = unit_of(n_bits);
        assert_int_equal((slice(n_bits, v, unit) >> i) & 1u, bit);
        assert_int_equal((slice(n_bits, unit, v) >> (i + 1)) & 1u, bit);
    }
}

/* The thresholds that a float meets exactly: 0 for b0, +-A n/2 for b2, +-A n/4 for b4. */
static void value_on_a_threshold_is_bit_0(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODULATIONS; m++) {
        const int n_bits = all_n_bits[m];
        const float b2 = lte_qam_unit(n_bits) * (float)(1 << (n_bits / 2 - 1));
        assert_bit(n_bits, 0, 0.0f, 0);
        if (n_bits >= 4) {
            assert_bit(n_bits, 2, b2, 0);
            assert_bit(n_bits, 2, nextafterf(b2, 2.0f), 1);
        }
        if (n_bits >= 6) {
            assert_bit(n_bits, 4, b2 / 2.0f, 0);
            assert_bit(n_bits, 4, nextafterf(b2 / 2.0f, 0.0f), 1);
        }
    }
}

static void zero_is_the_innermost_point_of_the_first_quadrant(void **state)
{
    (void)state;
    static const uint32_t expected[N_MODULATIONS] = {0x0, 0x0, 0x30, 0xf0, 0x3f0};
    for (int m = 0; m < N_MODULATIONS; m++) {
        const uint32_t label = slice(all_n_bits[m], 0.0, 0.0);
        const point p = exact_point(all_n_bits[m], label);
        assert_near(p.re, unit_of(all_n_bits[m]), 1e-12);
        assert_near(p.im, unit_of(all_n_bits[m]), 1e-12);
        assert_int_equal(label, expected[m]);
    }
}

static void neighbours_differ_in_one_bit(void **state)
{
    (void)state;
    for (int m = 0; m < N_MODULATIONS; m++) {
        const int n_bits = all_n_bits[m];
        int pairs = 0;
        for (uint32_t a = 0; a < 1u << n_bits; a++) {
            for (uint32_t b = 0; b < a; b++) {
                const lte_cplx p = lte_qam_map(n_bits, a), q = lte_qam_map(n_bits, b);
                const double gap = hypot((double)(p.re - q.re), (double)(p.im - q.im));
                assert_true(gap > 1.999 * unit_of(n_bits));
                if (gap < 2.001 * unit_of(n_bits)) {
                    assert_int_equal(__builtin_popcount(a ^ b), 1);
                    pairs++;
                }
            }
        }
        const int n_levels = 1 << (n_bits / 2);
        assert_int_equal(pairs, 2 * n_levels * (n_levels - 1));
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(qam, qpsk_maps_as_in_36211),
    LTE_CASE(qam, qam16_maps_as_in_36211),
    LTE_CASE(qam, qam64_maps_as_in_36211),
    LTE_CASE(qam, qam256_maps_as_in_36211),
    LTE_CASE(qam, qam1024_maps_as_in_36211),
    LTE_CASE(qam, single_labels_are_where_the_tables_have_them),
    LTE_CASE(qam, mean_energy_is_1),
    LTE_CASE(qam, every_label_comes_back),
    LTE_CASE(qam, decisions_are_the_nearest_points),
    LTE_CASE(qam, decisions_change_at_the_thresholds),
    LTE_CASE(qam, value_on_a_threshold_is_bit_0),
    LTE_CASE(qam, zero_is_the_innermost_point_of_the_first_quadrant),
    LTE_CASE(qam, neighbours_differ_in_one_bit),
};

int main(void)
{
    return cmocka_run_group_tests_name("qam", cases, NULL, NULL);
}
