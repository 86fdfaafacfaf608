/* Spatial correlation matrices against the published numbers, and their factors. */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>

#include "phy/channel/correlation.h"

enum { MOST = LTE_MAX_CORRELATION };

static lte_correlation published(int level, bool uplink, bool adjusted, int n_rx, int n_tx)
{
    lte_correlation c;
    assert_int_equal(lte_correlation_of(level, uplink, adjusted, n_rx, n_tx, &c), LTE_OK);
    return c;
}

/* E vec(H) vec(H)', element (i, j), from the matrix for h: columns of H one below the other. */
static double of_columns(const double *r, int n_rx, int n_tx, int i, int j)
{
    const int from = i % n_rx * n_tx + i / n_rx, to = j % n_rx * n_tx + j / n_rx;
    return r[(ptrdiff_t)from * n_rx * n_tx + to];
}

static void two_by_two_are_those_of_the_standard(void **state)
{
    (void)state;
    /* first rows of R_spat: 1, b, a, ab in the downlink */
    static const double medium[] = {1.0, 0.9, 0.3, 0.27}, high[] = {1.0, 0.9, 0.9, 0.81};
    double r[16];
    for (int adjusted = 0; adjusted < 2; adjusted++) {
        lte_correlation c = published(LTE_CORRELATION_medium, false, adjusted, 2, 2);
        lte_correlation_matrix(&c, 2, 2, r);
        for (int j = 0; j < 4; j++)
            assert_near(of_columns(r, 2, 2, 0, j), medium[j], 1e-15);
        c = published(LTE_CORRELATION_high, true, adjusted, 2, 2);
        lte_correlation_matrix(&c, 2, 2, r);
        for (int j = 0; j < 4; j++)
            assert_near(of_columns(r, 2, 2, 0, j), high[j], 1e-15);
    }
    lte_correlation c = published(LTE_CORRELATION_low, false, true, 2, 2);
    lte_correlation_matrix(&c, 2, 2, r);
    for (int i = 0; i < 16; i++)
        assert_true(r[i] == (i % 5 == 0 ? 1.0 : 0.0));
}

/* The published 4x4 matrices, four digits; every row follows from the first by the distances. */
static void four_by_four_are_those_of_the_standard(void **state)
{
    (void)state;
    static const double rows[2][16] = {{1, .8747, .5855, .3000, .9882, .8645, .5787, .2965, .9541,
                                        .8347, .5588, .2862, .8999, .7872, .5270, .2700},
                                       {1, .9882, .9541, .8999, .9882, .9767, .9430, .8894, .9541,
                                        .9430, .9105, .8587, .8999, .8894, .8587, .8099}};
    static const int levels[] = {LTE_CORRELATION_medium, LTE_CORRELATION_high};
    double r[256];
    for (int i = 0; i < 2; i++) {
        const lte_correlation c = published(levels[i], false, true, 4, 4);
        assert_near(c.a, 1.2e-4, 0.0);
        lte_correlation_matrix(&c, 4, 4, r);
        /* element rx n_tx + tx: transmit antennas next to each other */
        for (int j = 0; j < 16; j++)
            assert_near(r[j], rows[i][j], 0.5001e-4);
        for (int j = 0; j < 16; j++)
            assert_near(r[j], of_columns(r, 4, 4, 0, j % 4 * 4 + j / 4), 0.0);
    }
    /* x^(1/9) and x^(4/9) as they stand in the page of facts */
    const lte_correlation c = {.alpha = 0.3, .beta = 0.9};
    lte_correlation_matrix(&c, 4, 4, r);
    assert_near(r[1], 0.874787, 5e-7);
    assert_near(r[2], 0.585611, 5e-7);
    assert_near(r[4], 0.988362, 5e-7);
    assert_near(r[8], 0.954253, 5e-7);
}

static void roots_are_right_for_every_side(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 4, 8};
    double r[MOST * MOST];
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < 64; k++) {
            const int n = sizes[s];
            const double x = k / 64.0;
            const lte_correlation c = {.alpha = x, .beta = x};
            lte_correlation_matrix(&c, n, 1, r);
            for (int i = 0; i < n * n; i++) {
                const int apart = i / n - i % n;
                const double d = n > 1 ? apart / (n - 1.0) : 0.0;
                assert_near(r[i], apart == 0 ? 1.0 : pow(x, d * d), 1e-14);
            }
        }
    }
    const lte_correlation tiny = {.alpha = 1e-300, .beta = 1e-300};
    lte_correlation_matrix(&tiny, 8, 1, r);
    assert_near(r[1], pow(1e-300, 1.0 / 49), 1e-14);
}

/* The base station's side has alpha, whoever transmits. */
static void links_have_their_sides(void **state)
{
    (void)state;
    double r[64];
    lte_correlation c = published(LTE_CORRELATION_medium, false, false, 2, 4);
    assert_near(c.alpha, 0.3, 0.0);
    assert_near(c.beta, 0.9, 0.0);
    lte_correlation_matrix(&c, 2, 4, r);
    assert_near(r[3], 0.3, 1e-15); /* transmit antennas 0 and 3 */
    assert_near(r[4], 0.9, 1e-15); /* receive antennas 0 and 1 */
    c = published(LTE_CORRELATION_medium, true, false, 4, 2);
    assert_near(c.alpha, 0.9, 0.0);
    assert_near(c.beta, 0.3, 0.0);
    lte_correlation_matrix(&c, 4, 2, r);
    assert_near(r[1], 0.3, 1e-15); /* transmit antennas 0 and 1 */
    assert_near(r[6], 0.9, 1e-15); /* receive antennas 0 and 3 */
}

static void adjustments_are_the_published_ones(void **state)
{
    (void)state;
    const int high = LTE_CORRELATION_high, medium = LTE_CORRELATION_medium;
    assert_near(published(high, false, true, 2, 4).a, 1.0e-4, 0.0);
    assert_near(published(high, true, true, 4, 2).a, 1.0e-4, 0.0);
    assert_near(published(high, false, true, 4, 2).a, 0.0, 0.0);
    assert_near(published(medium, false, true, 2, 4).a, 0.0, 0.0);
    assert_near(published(medium, true, true, 4, 4).a, 1.2e-4, 0.0);
    assert_near(published(high, false, false, 4, 4).a, 0.0, 0.0);
    assert_near(published(LTE_CORRELATION_low, false, true, 4, 4).a, 0.0, 0.0);
    assert_near(published(LTE_CORRELATION_low, false, true, 8, 8).a, 0.0, 0.0);
}

static double smallest_eigenvalue(int n, const double *r)
{
    gsl_matrix *m = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *values = gsl_vector_alloc((size_t)n);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc((size_t)n);
    assert_true(m && values && work);
    for (int i = 0; i < n * n; i++)
        gsl_matrix_set(m, (size_t)(i / n), (size_t)(i % n), r[i]);
    assert_int_equal(gsl_eigen_symm(m, values, work), 0);
    const double least = gsl_vector_min(values);
    gsl_matrix_free(m);
    gsl_vector_free(values);
    gsl_eigen_symm_free(work);
    return least;
}

static void smallest_eigenvalues_are_known(void **state)
{
    (void)state;
    double r[256];
    lte_correlation c = published(LTE_CORRELATION_medium, false, false, 4, 4);
    lte_correlation_matrix(&c, 4, 4, r);
    assert_near(smallest_eigenvalue(16, r), 1.87e-8, 0.01e-8);
    c = published(LTE_CORRELATION_high, false, false, 4, 4);
    lte_correlation_matrix(&c, 4, 4, r);
    assert_near(smallest_eigenvalue(16, r), 1.45e-11, 0.01e-11);
    c = published(LTE_CORRELATION_high, false, true, 4, 4);
    lte_correlation_matrix(&c, 4, 4, r);
    assert_near(smallest_eigenvalue(16, r), 1.20e-4, 0.01e-4);
}

static void factors_give_the_matrix_back(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}};
    double r[MOST * MOST];
    float l[MOST * MOST];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n_rx = sizes[s][0], n_tx = sizes[s][1], n = n_rx * n_tx;
        for (int level = 0; level < LTE_N_CORRELATION_LEVELS; level++) {
            const lte_correlation c = published(level, false, n <= 16, n_rx, n_tx);
            lte_correlation_matrix(&c, n_rx, n_tx, r);
            assert_int_equal(lte_correlation_factor(&c, n_rx, n_tx, l), LTE_OK);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double s_ij = 0.0;
                    for (int k = 0; k < n; k++)
                        s_ij += (double)l[i * n + k] * (double)l[j * n + k];
                    assert_near(s_ij, r[i * n + j], 2e-7);
                    assert_true(j <= i || l[i * n + j] == 0.0f);
                }
            }
        }
    }
}

static void no_definite_matrix_is_refused(void **state)
{
    (void)state;
    static const double some[] = {0.0, 0.3, 0.9, 0.93, 0.95, 0.97, 0.99, 0.999, 0.9999, 0.999999};
    enum { N = sizeof some / sizeof *some };
    static double r[64 * 64];
    static float l[64 * 64];
    for (int k = 0; k < N * N; k++) {
        const lte_correlation c = {.alpha = some[k / N], .beta = some[k % N]};
        lte_correlation_matrix(&c, 8, 8, r);
        assert_int_equal(lte_correlation_factor(&c, 8, 8, l), LTE_OK);
        double worst = 0.0;
        for (int i = 0; i < 64 * 64; i++) {
            double sum = 0.0;
            for (int j = 0; j < 64; j++)
                sum += (double)l[i / 64 * 64 + j] * (double)l[i % 64 * 64 + j];
            worst = fmax(worst, fabs(sum - r[i]));
        }
        assert_near(worst, 0.0, 4e-7);
    }
}

static void what_is_not_defined_is_refused(void **state)
{
    (void)state;
    lte_correlation c;
    const lte_correlation none = {.alpha = 0.0, .beta = 0.0};
    const lte_correlation beyond = {.alpha = 1.5, .beta = 0.0}, no_number = {.alpha = (double)NAN};
    float l[16];
    assert_int_equal(lte_correlation_of(LTE_CORRELATION_high, false, true, 8, 8, &c), LTE_EINVAL);
    assert_int_equal(lte_correlation_of(LTE_CORRELATION_medium, false, true, 8, 2, &c), LTE_EINVAL);
    assert_int_equal(lte_correlation_of(LTE_CORRELATION_low, false, true, 3, 2, &c), LTE_EINVAL);
    assert_int_equal(lte_correlation_of(LTE_CORRELATION_low, false, true, 16, 2, &c), LTE_EINVAL);
    assert_int_equal(lte_correlation_of(-1, false, true, 2, 2, &c), LTE_EINVAL);
    assert_int_equal(lte_correlation_of(LTE_N_CORRELATION_LEVELS, false, true, 2, 2, &c),
                     LTE_EINVAL);
    assert_int_equal(lte_correlation_factor(&none, 3, 2, l), LTE_EINVAL);
    assert_int_equal(lte_correlation_factor(&none, 2, 16, l), LTE_EINVAL);
    assert_int_equal(lte_correlation_factor(&none, 2, 2, l), LTE_OK);
    assert_int_equal(lte_correlation_factor(&beyond, 2, 2, l), LTE_EINVAL);
    assert_int_equal(lte_correlation_factor(&no_number, 2, 2, l), LTE_EINVAL);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(correlation, two_by_two_are_those_of_the_standard),
    LTE_CASE(correlation, four_by_four_are_those_of_the_standard),
    LTE_CASE(correlation, roots_are_right_for_every_side),
    LTE_CASE(correlation, links_have_their_sides),
    LTE_CASE(correlation, adjustments_are_the_published_ones),
    LTE_CASE(correlation, smallest_eigenvalues_are_known),
    LTE_CASE(correlation, factors_give_the_matrix_back),
    LTE_CASE(correlation, no_definite_matrix_is_refused),
    LTE_CASE(correlation, what_is_not_defined_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("correlation", cases, NULL, NULL);
}
