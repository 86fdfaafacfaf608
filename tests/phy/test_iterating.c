/*
 * The detectors that iterate instead of inverting: against the exact solution in double, at their
 * ends (one layer, silence, a matrix that is none, divergence), and the names of their sets.
 */
#include "tests/detection/iterated_filters.h"
#include "tests/lib/matrices.h"
#include "tests/lib/unit.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phy/channel/channel.h"
#include "phy/detection/detection.h"
#include "phy/channel/draws.h"

enum { SLOT = 5, MOST_RX = 64, MOST_TX = 16, STATE = LTE_ITERATING_STATE(MOST_RX, MOST_TX) };

typedef struct {
    int n_rx, n_tx;
    float n0;
    lte_cplx h[MOST_RX * MOST_TX], y[MOST_RX];
} problem;

static const int iterating[] = {LTE_DETECTOR_cg, LTE_DETECTOR_neumann};

static problem draw(int n_rx, int n_tx, float n0, int sc)
{
    problem p = {.n_rx = n_rx, .n_tx = n_tx, .n0 = n0};
    const lte_draws draws = lte_draws_of(3, n_rx, n_tx, 4);
    lte_channel_rayleigh(&draws, SLOT, (lte_word)sc, p.h);
    for (int r = 0; r < n_rx; r++) /* y = H (1, 1, ..) and a disturbance */
        p.y[r].re = 0.1f * (float)(r % 3 - 1);
    for (int e = 0; e < n_rx * n_tx; e++) {
        p.y[e / n_tx].re += p.h[e].re;
        p.y[e / n_tx].im += p.h[e].im;
    }
    return p;
}

static double complex widened(lte_cplx x)
{
    return CMPLX((double)x.re, (double)x.im);
}

static lte_detector with_iterations(int id, int n)
{
    lte_detector detector = lte_detector_usual(id);
    detector.value[0] = n;
    return detector;
}

/* Estimates x [n_tx], their SINR and the gains that were taken off [n_tx]; returns the flag. */
static lte_mask solve(lte_detector detector, const problem *p, lte_cplx *x, float *rho,
                      double *gain)
{
    static lte_cplx state[STATE];
    const lte_detector_plan plan = lte_detector_plan_of(detector, p->n_rx, p->n_tx, 4, true);
    /* not by lte_prepare: gcc then warns of detectors that solve, where fmaf is an instruction */
    lte_detector_prepare_fn *const prepare =
        detector.id == LTE_DETECTOR_cg ? lte_cg_prepare : lte_neumann_prepare;
    const lte_mask flag = prepare(&plan, p->h, lte_white(p->n0), NULL, state, NULL);
    lte_estimate(&plan, state, p->y, x, rho);
    for (int k = 0; k < p->n_tx; k++)
        gain[k] = 1.0 / (double)lte_iterating_of(p->n_rx, p->n_tx, state).layer[k].im;
    return flag;
}

/* A = H'H + n0 I and the solution of A x = H'y in double. */
static void solve_in_double(const problem *p, double complex *a, double complex *x)
{
    double complex inverse[MOST_TX * MOST_TX], z[MOST_TX];
    for (int i = 0; i < p->n_tx; i++) {
        z[i] = 0.0;
        for (int j = 0; j < p->n_tx; j++)
            a[i * p->n_tx + j] = i == j ? (double)p->n0 : 0.0;
        for (int r = 0; r < p->n_rx; r++) {
            const lte_cplx *row = &p->h[r * p->n_tx];
            const double complex left = conj(widened(row[i]));
            z[i] += left * widened(p->y[r]);
            for (int j = 0; j < p->n_tx; j++)
                a[i * p->n_tx + j] += left * widened(row[j]);
        }
    }
    invert_in_double(p->n_tx, a, inverse);
    for (int i = 0; i < p->n_tx; i++) {
        x[i] = 0.0;
        for (int j = 0; j < p->n_tx; j++)
            x[i] += inverse[i * p->n_tx + j] * z[j];
    }
}

/* Distance of estimates times their gains from the solution in the norm of A. */
static double distance(const problem *p, const double *gain, const lte_cplx *estimate)
{
    double complex a[MOST_TX * MOST_TX], x[MOST_TX], gap[MOST_TX];
    double sum = 0.0;
    solve_in_double(p, a, x);
    for (int k = 0; k < p->n_tx; k++)
        gap[k] = gain[k] * widened(estimate[k]) - x[k];
    for (int i = 0; i < p->n_tx; i++) {
        for (int j = 0; j < p->n_tx; j++)
            sum += creal(conj(gap[i]) * a[i * p->n_tx + j] * gap[j]);
    }
    return sqrt(fabs(sum));
}

/* Where antennas are many more than layers both end at the exact solution, closer at every step. */
static void iterations_approach_the_solution(void **state)
{
    (void)state;
    static const int shapes[][2] = {{64, 8}, {64, 4}, {40, 3}, {32, 2}, {48, 5}};
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
        const int id = iterating[i % 2], *shape = shapes[i / 2];
        const problem p = draw(shape[0], shape[1], 0.3f, (int)i);
        const double exact = 1e-5 * sqrt((double)(shape[0] * shape[1]));
        double before = INFINITY;
        int steps = 1;
        for (; steps <= 60 && before > exact; steps++) {
            lte_cplx x[MOST_TX];
            float rho[MOST_TX];
            double gain[MOST_TX];
            assert_int_equal(solve(with_iterations(id, steps), &p, x, rho, gain), 0);
            const double gap = distance(&p, gain, x);
            assert_true(gap < before);
            before = gap;
        }
        assert_true(before <= exact);
        assert_true(id != LTE_DETECTOR_cg || steps <= shape[1] + 2); /* in exact arithmetic n_tx */
    }
}

/* z = A x, a vector. */
static void times_vector(int n, const double complex *a, const double complex *x, double complex *z)
{
    for (int k = 0; k < n; k++) {
        z[k] = 0.0;
        for (int j = 0; j < n; j++)
            z[k] += a[k * n + j] * x[j];
    }
}

/* One step of conjugate gradients goes along z by z'z / z'Az. */
static void first_step_is_the_steepest_descent(void **state)
{
    (void)state;
    const problem p = draw(24, 6, 0.5f, 1);
    double complex a[MOST_TX * MOST_TX], exact[MOST_TX], z[MOST_TX];
    double length = 0.0, along = 0.0;
    lte_cplx x[MOST_TX];
    float rho[MOST_TX];
    double gain[MOST_TX];
    solve_in_double(&p, a, exact);
    times_vector(p.n_tx, a, exact, z);
    for (int k = 0; k < p.n_tx; k++)
        length += creal(conj(z[k]) * z[k]);
    for (int i = 0; i < p.n_tx * p.n_tx; i++)
        along += creal(conj(z[i / p.n_tx]) * a[i] * z[i % p.n_tx]);
    assert_int_equal(solve(with_iterations(LTE_DETECTOR_cg, 1), &p, x, rho, gain), 0);
    for (int k = 0; k < p.n_tx; k++) {
        const double complex expected = length / along * z[k] / gain[k];
        assert_near((double)x[k].re, creal(expected), 1e-5);
        assert_near((double)x[k].im, cimag(expected), 1e-5);
    }
}

/* One iteration of the series is two of its terms: D^-1 z + (I - D^-1 A) D^-1 z. */
static void first_iteration_has_two_terms(void **state)
{
    (void)state;
    const problem p = draw(24, 6, 0.5f, 1);
    double complex a[MOST_TX * MOST_TX], exact[MOST_TX], z[MOST_TX];
    lte_cplx x[MOST_TX];
    float rho[MOST_TX];
    double gain[MOST_TX];
    solve_in_double(&p, a, exact);
    times_vector(p.n_tx, a, exact, z);
    assert_int_equal(solve(with_iterations(LTE_DETECTOR_neumann, 1), &p, x, rho, gain), 0);
    for (int k = 0; k < p.n_tx; k++) {
        const double a_kk = creal(a[k * p.n_tx + k]);
        double complex expected = 2.0 * z[k] / a_kk;
        for (int j = 0; j < p.n_tx; j++)
            expected -= a[k * p.n_tx + j] * z[j] / creal(a[j * p.n_tx + j]) / a_kk;
        expected /= gain[k];
        assert_near((double)x[k].re, creal(expected), 1e-5);
        assert_near((double)x[k].im, cimag(expected), 1e-5);
    }
}

/* One layer: h'y / |h|^2 and |h|^2 / n0, whatever the number of steps. */
static void one_layer_has_the_matched_filter(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        const lte_detector detector = with_iterations(iterating[i % 2], 1 + i / 2);
        const problem p = draw(1 + i % 16, 1, 0.25f, i);
        double power = 0.0;
        double complex sum = 0.0;
        lte_cplx x;
        float rho;
        double gain;
        for (int r = 0; r < p.n_rx; r++) {
            const double complex h = widened(p.h[r]);
            power += creal(conj(h) * h);
            sum += conj(h) * widened(p.y[r]);
        }
        assert_int_equal(solve(detector, &p, &x, &rho, &gain), 0);
        assert_near((double)x.re, creal(sum) / power, 1e-5 * (1.0 + 0.25 / power));
        assert_near((double)x.im, cimag(sum) / power, 1e-5 * (1.0 + 0.25 / power));
        assert_near((double)rho, power / 0.25, 1e-5 * (1.0 + power / 0.25));
    }
}

/* ---- gains and SINRs, from the filter in double ---- */

static void gains_and_sinrs_are_those_of_the_filter(void **state)
{
    static const int shapes[][2] = {{4, 4}, {8, 8}, {16, 6}, {3, 2}, {64, 16}};
    int negative = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        const int id = iterating[i % 2], *shape = shapes[i / 2 % 5], n = shape[1];
        const int iterations = 1 + i / 10 % (n < 4 ? n : 4);
        const problem p = draw(shape[0], n, i % 3 ? 0.3f : 0.02f, i);
        double complex a[MOST_TX * MOST_TX], exact[MOST_TX], filter[MOST_TX * MOST_TX];
        double gain[MOST_TX];
        lte_cplx x[MOST_TX];
        float rho[MOST_TX];
        solve_in_double(&p, a, exact);
        assert_int_equal(solve(with_iterations(id, iterations), &p, x, rho, gain), 0);
        iterated_filter(id, n, iterations, a, (double)p.n0, filter);
        for (int k = 0; k < n; k++) {
            double b = 0.0, sinr;
            measure_filter(n, k, a, (double)p.n0, filter, &b, &sinr);
            negative += b < 0.0;
            if (b > 1e-3) {
                assert_near(gain[k], b, 2e-4 * (1.0 + b));
                assert_near((double)rho[k], sinr, 2e-3 * sinr + 1e-5);
            } else if (b < -1e-3) {
                assert_true(gain[k] == 1.0 && rho[k] == 0.0f);
            }
        }
    }
    assert_true(negative > 10);
}

static void silence_is_estimated_as_zero(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        problem p = draw(12, 5, 0.1f, i);
        lte_cplx x[MOST_TX];
        float rho[MOST_TX];
        double gain[MOST_TX];
        memset(p.y, 0, sizeof p.y);
        const lte_detector detector = with_iterations(iterating[i % 2], 1 + 9 * (i / 2));
        assert_int_equal(solve(detector, &p, x, rho, gain), 0);
        for (int k = 0; k < p.n_tx; k++)
            assert_true(x[k].re == 0.0f && x[k].im == 0.0f && rho[k] > 0.0f);
    }
}

static void broken_matrices_are_flagged_and_zero(void **state)
{
    (void)state;
    static const float broken[] = {NAN, INFINITY, 1e30f};
    for (int i = 0; i < 6; i++) {
        problem p = draw(6, 4, 0.1f, i);
        lte_cplx x[MOST_TX];
        float rho[MOST_TX];
        double gain[MOST_TX];
        p.h[9].im = broken[i / 2];
        assert_int_not_equal(solve(lte_detector_usual(iterating[i % 2]), &p, x, rho, gain), 0);
        for (int k = 0; k < p.n_tx; k++)
            assert_true(x[k].re == 0.0f && x[k].im == 0.0f && rho[k] == 0.0f);
    }
}

/* All layers the same: the series runs off to infinity, and no NaN comes out. */
static void divergence_leaves_numbers(void **state)
{
    (void)state;
    int zeros = 0;
    for (int i = 0; i < 40; i++) {
        problem p = draw(16, 16, 0.001f, i);
        lte_cplx x[MOST_TX];
        float rho[MOST_TX];
        double gain[MOST_TX];
        for (int e = 0; e < 256; e++)
            p.h[e] = p.h[e / 16 * 16];
        (void)solve(with_iterations(iterating[i % 2], 64), &p, x, rho, gain);
        for (int k = 0; k < p.n_tx; k++) {
            assert_true(isfinite(x[k].re) && isfinite(x[k].im));
            zeros += x[k].re == 0.0f && x[k].im == 0.0f;
        }
    }
    assert_true(zeros > 0); /* the series did run off */
}

static void sets_have_names_of_their_own(void **state)
{
    (void)state;
    static const char *const none[] = {"",      "c",           "cg-",   "cg-0", "cg-65",
                                       "cg-04", "cg-4x",       "cg -4", "zf-1", "mrc-1",
                                       "cg--1", "neumann-999", "GC"};
    lte_detector found;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(lte_detector_find(none[i], &found));
    assert_true(lte_detector_find("CG", &found)); /* in any case */
    assert_int_equal(found.id, LTE_DETECTOR_cg);
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        const lte_parameter *parameter = lte_detector_rows[id].parameter;
        const lte_detector usual = lte_detector_usual(id);
        assert_true(lte_detector_find(lte_detector_rows[id].name, &found));
        assert_int_equal(lte_detector_compare(found, usual), 0);
        assert_ptr_equal(lte_detector_row_of(usual), &lte_detector_rows[id]);
        for (double x = parameter->least; parameter->name && x <= parameter->most; x += 1.0) {
            lte_detector detector = usual;
            detector.value[0] = x;
            assert_true(lte_detector_find(lte_detector_named(detector).text, &found));
            assert_int_equal(lte_detector_compare(found, detector), 0);
            const int order = x < usual.value[0] ? -1 : x > usual.value[0] ? 1 : 0;
            assert_int_equal(lte_detector_compare(detector, usual), order);
        }
    }
    assert_string_equal(lte_detector_named(lte_detector_usual(LTE_DETECTOR_cg)).text, "cg-4");
    assert_string_equal(lte_detector_named(lte_detector_usual(LTE_DETECTOR_zf)).text, "zf");
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(iterating, iterations_approach_the_solution),
    LTE_CASE(iterating, first_step_is_the_steepest_descent),
    LTE_CASE(iterating, first_iteration_has_two_terms),
    LTE_CASE(iterating, one_layer_has_the_matched_filter),
    LTE_CASE(iterating, gains_and_sinrs_are_those_of_the_filter),
    LTE_CASE(iterating, silence_is_estimated_as_zero),
    LTE_CASE(iterating, broken_matrices_are_flagged_and_zero),
    LTE_CASE(iterating, divergence_leaves_numbers),
    LTE_CASE(iterating, sets_have_names_of_their_own),
};

int main(void)
{
    return cmocka_run_group_tests_name("iterating", cases, NULL, NULL);
}
