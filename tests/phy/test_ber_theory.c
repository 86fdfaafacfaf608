/* Bit error rates against anchors, other formulas, brute-force quadrature and a simulation. */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <jansson.h>

#include "phy/theory/ber_theory.h"
#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "phy/detection/detectors.h"
#include "phy/base/limits.h"

static double from_db(double db)
{
    return pow(10.0, db / 10.0);
}

/* Half a unit of the last of five digits. */
static void awgn_meets_its_anchors(void **state)
{
    (void)state;
    assert_near(lte_ber_awgn(2, 10.0), 7.8270e-4, 0.5e-8);
    assert_near(lte_ber_awgn(4, 10.0), 5.8993e-2, 0.5e-6);
    assert_near(lte_ber_awgn(6, 10.0), 1.5255e-1, 0.5e-5);
    assert_near(lte_ber_awgn(8, 10.0), 2.3667e-1, 0.5e-5);
    assert_near(lte_ber_awgn(4, 100.0), 2.9041e-6, 0.5e-10);
    assert_near(lte_ber_awgn(6, 100.0), 8.4864e-3, 0.5e-7);
    assert_near(lte_ber_awgn(8, 100.0), 6.5423e-2, 0.5e-6);
}

/* The general sum, bit by bit of one dimension with side = sqrt(M) levels. */
static double cho_yoon(int n_bits, double es_n0)
{
    int side = 1 << (n_bits / 2);
    double distance = sqrt(3.0 * es_n0 / (2.0 * (side * side - 1)));
    double sum = 0.0;
    for (int bit = 1; bit <= n_bits / 2; bit++) {
        int half = 1 << (bit - 1);
        for (int i = 0; i < side - side / (2 * half); i++) {
            double turn = (double)(i * half) / side;
            double weight = half - floor(turn + 0.5);
            double sign = (i * half / side) % 2 ? -1.0 : 1.0;
            sum += sign * weight * erfc((2 * i + 1) * distance) / side;
        }
    }
    return sum / (n_bits / 2.0);
}

static void awgn_equals_the_cho_yoon_sum(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (int db = -5; db <= 30; db++) {
            double sum = cho_yoon(n_bits, from_db(db));
            assert_near(lte_ber_awgn(n_bits, from_db(db)), sum, 2e-13 * sum);
        }
    }
}

static void awgn_without_signal_is_a_coin_toss(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        assert_near(lte_ber_awgn(n_bits, 0.0), 0.5, 0.0);
        assert_near(lte_ber_awgn(n_bits, (double)INFINITY), 0.0, 0.0);
        assert_near(lte_ber_gamma(n_bits, 3, 0.0), 0.5, 1e-15);
        assert_near(lte_ber_gamma(n_bits, 3, (double)INFINITY), 0.0, 0.0);
    }
}

static void wrong_arguments_give_nan(void **state)
{
    (void)state;
    double nan = (double)NAN;
    for (int n_bits = -2; n_bits <= LTE_MAX_BITS + 2; n_bits++) {
        bool square = n_bits >= 2 && n_bits <= LTE_MAX_BITS && n_bits % 2 == 0;
        assert_int_equal(isnan(lte_ber_awgn(n_bits, 1.0)) == 0, square);
        assert_int_equal(isnan(lte_ber_gamma(n_bits, 1, 1.0)) == 0, square);
    }
    assert_true(isnan(lte_ber_awgn(2, -1.0)) && isnan(lte_ber_awgn(2, nan)));
    assert_true(isnan(lte_ber_gamma(2, 1, -1.0)) && isnan(lte_ber_gamma(2, 1, nan)));
    assert_true(isnan(lte_ber_gamma(2, 0, 1.0)));
}

static void gamma_meets_its_anchors(void **state)
{
    (void)state;
    assert_near(lte_ber_gamma(2, 1, 100.0), 4.9262e-3, 0.5e-7);
    assert_near(lte_ber_gamma(4, 1, 100.0), 1.8580e-2, 0.5e-6);
    assert_near(lte_ber_gamma(6, 1, 100.0), 5.2253e-2, 0.5e-6);
    assert_near(lte_ber_gamma(8, 1, 100.0), 1.1022e-1, 0.5e-5);
}

/*
 * Brute force: the trapezoidal rule in s = ln z from -46 to 12, whose error vanishes faster than
 * any power of the step for these integrands.
 */
enum { N_STEPS = 1160 };
static const double step = 0.05;
static const double left = -46.0;

static double brute_gamma(int n_bits, int shape, double rho)
{
    double sum = 0.0;
    for (int i = 0; i < N_STEPS; i++) {
        double s = left + i * step;
        double x = exp(s);
        double density = exp(shape * s - x - lgamma(shape));
        sum += density * lte_ber_awgn(n_bits, rho * x);
    }
    return step * sum;
}

static void gamma_equals_brute_force_quadrature(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (int shape = 1; shape <= LTE_FEW_RX; shape++) {
            for (int db = -30; db <= 60; db += 10) {
                double rho = from_db(db);
                double brute = brute_gamma(n_bits, shape, rho);
                assert_near(lte_ber_gamma(n_bits, shape, rho), brute, 1e-10 * brute);
            }
        }
    }
}

/* The SINR law as published: exp(-x) sum_n A_n x^(n-1) / (n-1)!, x = z / rho, taken from 1. */
static double published_cdf(int n_tx, int n_rx, double rho, double z)
{
    double above = 0.0;
    double term = exp(-z / rho);
    for (int n = 1; n <= n_rx; n++) {
        double a = 1.0;
        if (n_rx < n + n_tx - 1) {
            double choose = 1.0;
            a = 0.0;
            for (int i = 0; i <= n_rx - n; i++) {
                a += choose * pow(z, i);
                choose = choose * (n_tx - 1 - i) / (i + 1);
            }
            a /= pow(1.0 + z, n_tx - 1);
        }
        above += a * term;
        term *= z / rho / n;
    }
    return 1.0 - above;
}

static double brute_mmse(int n_bits, int n_tx, int n_rx, double rho)
{
    double sum = 0.0;
    for (int i = 0; i < N_STEPS; i++) {
        double z = exp(left + i * step);
        double delta = 1e-4; /* minus the slope of the AWGN curve over ln z, fourth order */
        double slope =
            (8.0 * (lte_ber_awgn(n_bits, z * exp(-delta)) - lte_ber_awgn(n_bits, z * exp(delta))) -
             (lte_ber_awgn(n_bits, z * exp(-2.0 * delta)) -
              lte_ber_awgn(n_bits, z * exp(2.0 * delta)))) /
            (12.0 * delta);
        sum += slope * published_cdf(n_tx, n_rx, rho, z);
    }
    return step * sum;
}

static void mmse_equals_brute_force_quadrature(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
            for (int n_rx = n_tx; n_rx <= LTE_FEW_RX; n_rx += 2) {
                for (int db = -30; db <= 30; db += 10) {
                    double ber = (double)NAN;
                    double rho = from_db(db);
                    assert_int_equal(lte_ber_mmse(n_bits, n_tx, n_rx, rho, &ber), LTE_OK);
                    double brute = brute_mmse(n_bits, n_tx, n_rx, rho);
                    assert_near(ber, brute, 1e-8 * brute + 1e-12);
                }
            }
        }
    }
}

static void mmse_over_zf_tends_to_its_limit(void **state)
{
    (void)state;
    static const double limits[3][3] = {
        {0.656, 0.348, 0.135}, {0.864, 0.691, 0.491}, {0.950, 0.875, 0.767}};
    for (int q = 0; q < 3; q++) {
        for (int i = 0; i < 3; i++) {
            int n = 2 << i;
            double rho = 1e6 / n;
            double ber = (double)NAN;
            assert_int_equal(lte_ber_mmse(2 * q + 2, n, n, rho, &ber), LTE_OK);
            assert_near(ber / lte_ber_gamma(2 * q + 2, 1, rho), limits[q][i], 0.001);
        }
    }
}

static lte_ber_theory theory_of(int detector, int channel, int n_tx, int n_rx, int n_bits,
                                double snr)
{
    lte_ber_theory theory = {false, false, (double)NAN};
    assert_int_equal(
        lte_ber_theory_of(detector, channel, LTE_CSI_perfect, n_tx, n_rx, n_bits, snr, &theory),
        LTE_OK);
    assert_true(theory.known != isnan(theory.ber));
    return theory;
}

static void more_signal_never_hurts_and_mmse_lies_between_mrc_and_zf(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
            for (int n_rx = n_tx; n_rx <= LTE_FEW_RX; n_rx++) {
                double before = 0.5;
                for (int db = -30; db <= 60; db += 10) {
                    double snr = from_db(db);
                    double mrc = lte_ber_gamma(n_bits, n_rx, snr / n_tx);
                    double zf =
                        theory_of(LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, n_tx, n_rx, n_bits, snr)
                            .ber;
                    double mmse =
                        theory_of(LTE_DETECTOR_mmse, LTE_CHANNEL_rayleigh, n_tx, n_rx, n_bits, snr)
                            .ber;
                    assert_true(mrc > 0.0 && mrc <= mmse * (1.0 + 1e-9));
                    assert_true(mmse <= zf * (1.0 + 1e-9) && zf < 0.5);
                    assert_true(mmse < before);
                    before = mmse;
                }
            }
        }
    }
}

static int bits_of(const char *modulation)
{
    for (int i = 0; i < LTE_N_MODULATIONS; i++) {
        if (strcmp(lte_modulation_rows[i].name, modulation) == 0)
            return lte_modulation_rows[i].n_bits;
    }
    return 0;
}

static void rates_agree_with_the_reference_simulation(void **state)
{
    (void)state;
    json_t *root = json_load_file("tests/data/reference_ber.json", 0, NULL);
    assert_non_null(root);
    json_t *rows = json_object_get(root, "iid_rayleigh");
    assert_int_equal(json_array_size(rows), 15);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        int n_tx = 0, n_rx = 0;
        const char *config = json_string_value(json_object_get(row, "config"));
        assert_int_equal(sscanf(config, "%dx%d", &n_tx, &n_rx), 2); // NOLINT(cert-err34-c)
        int n_bits = bits_of(json_string_value(json_object_get(row, "modulation")));
        double snr = from_db(json_number_value(json_object_get(row, "snr_db")));
        double closed = json_number_value(json_object_get(row, "zf_closed_form"));
        double simulated = json_number_value(json_object_get(row, "mmse"));
        double se = json_number_value(json_object_get(row, "mmse_se"));
        lte_ber_theory zf =
            theory_of(LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, n_tx, n_rx, n_bits, snr);
        lte_ber_theory mmse =
            theory_of(LTE_DETECTOR_mmse, LTE_CHANNEL_rayleigh, n_tx, n_rx, n_bits, snr);
        assert_true(zf.exact);
        assert_near(zf.ber, closed, 1e-9 * closed);
        assert_near(mmse.ber, simulated, 0.06 * simulated);
        if (mmse.exact)
            assert_near(mmse.ber, simulated, 4.0 * se);
    }
    json_decref(root);
}

static void awgn_layers_each_see_the_snr(void **state)
{
    (void)state;
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        for (int n = 1; n <= LTE_MAX_ORDER; n++) {
            lte_ber_theory theory = theory_of(detector, LTE_CHANNEL_awgn, n, n, 4, 10.0);
            assert_true(theory.exact);
            assert_near(theory.ber, lte_ber_awgn(4, 10.0), 0.0);
        }
    }
}

static void flat_has_the_rates_of_rayleigh(void **state)
{
    (void)state;
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        for (int n_tx = 1; n_tx <= 2; n_tx++) {
            lte_ber_theory flat = theory_of(detector, LTE_CHANNEL_flat, n_tx, 3, 6, 50.0);
            lte_ber_theory rayleigh = theory_of(detector, LTE_CHANNEL_rayleigh, n_tx, 3, 6, 50.0);
            assert_int_equal(flat.known, rayleigh.known);
            assert_int_equal(flat.exact, rayleigh.exact);
            assert_true(!flat.known || flat.ber == rayleigh.ber);
        }
    }
}

/* Several layers have the law of the detector's row, or none. */
static void laws_of_the_rows_are_kept(void **state)
{
    (void)state;
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        for (int n_tx = 2; n_tx <= LTE_MAX_ORDER; n_tx++) {
            const lte_sinr_law law = lte_detector_rows[detector].law;
            const lte_ber_theory theory =
                theory_of(detector, LTE_CHANNEL_rayleigh, n_tx, LTE_MAX_ORDER, 4, 40.0);
            double mmse = (double)NAN;
            assert_int_equal(lte_ber_mmse(4, n_tx, LTE_MAX_ORDER, 40.0 / n_tx, &mmse), LTE_OK);
            assert_int_equal(theory.known, law != LTE_SINR_OTHER);
            assert_int_equal(theory.exact, law == LTE_SINR_GAMMA);
            if (law == LTE_SINR_GAMMA)
                assert_near(theory.ber, lte_ber_gamma(4, LTE_MAX_ORDER - n_tx + 1, 40.0 / n_tx),
                            0.0);
            if (law == LTE_SINR_MMSE)
                assert_near(theory.ber, mmse, 0.0);
        }
    }
    assert_int_equal(lte_detector_rows[LTE_DETECTOR_zf].law, LTE_SINR_GAMMA);
    assert_int_equal(lte_detector_rows[LTE_DETECTOR_mmse].law, LTE_SINR_MMSE);
    assert_int_equal(lte_detector_rows[LTE_DETECTOR_mrc].law, LTE_SINR_OTHER);
}

/* Nothing disturbs it, whatever the detector. */
static void one_layer_has_an_exact_form(void **state)
{
    (void)state;
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        for (int n_rx = 1; n_rx <= LTE_FEW_RX; n_rx++) {
            lte_ber_theory one = theory_of(detector, LTE_CHANNEL_rayleigh, 1, n_rx, 4, 10.0);
            assert_true(one.exact);
            assert_near(one.ber, lte_ber_gamma(4, n_rx, 10.0), 0.0);
        }
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    double nan = (double)NAN, infinite = (double)INFINITY;
    struct {
        int detector, channel, n_tx, n_rx, n_bits;
        double snr;
    } refused[] = {
        {-1, LTE_CHANNEL_rayleigh, 2, 2, 4, 1.0},
        {LTE_N_DETECTORS, LTE_CHANNEL_rayleigh, 2, 2, 4, 1.0},
        {LTE_DETECTOR_zf, -1, 2, 2, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_N_CHANNELS, 2, 2, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 0, 2, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, LTE_MAX_TX + 1, LTE_MAX_RX, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 1, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, LTE_MAX_RX + 1, 4, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 2, 3, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 2, LTE_MAX_BITS + 2, 1.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 2, 4, 0.0},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 2, 4, nan},
        {LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh, 2, 2, 4, infinite},
        {LTE_DETECTOR_zf, LTE_CHANNEL_awgn, 2, 3, 4, 1.0},
    };
    int n_refused = (int)(sizeof refused / sizeof refused[0]);
    double ber = 0.0;
    lte_fail_handler before = expect_failures();
    for (int i = 0; i < n_refused; i++) {
        lte_ber_theory theory = {true, true, 0.0};
        assert_int_equal(lte_ber_theory_of(refused[i].detector, refused[i].channel, LTE_CSI_perfect,
                                           refused[i].n_tx, refused[i].n_rx, refused[i].n_bits,
                                           refused[i].snr, &theory),
                         LTE_EINVAL);
        assert_true(!theory.known && !theory.exact && isnan(theory.ber));
    }
    assert_int_equal(*failures_seen(), n_refused);
    for (int csi = -1; csi <= LTE_N_CSI; csi += LTE_N_CSI + 1) {
        lte_ber_theory theory = {true, true, 0.0};
        assert_int_equal(
            lte_ber_theory_of(LTE_DETECTOR_zf, LTE_CHANNEL_flat, csi, 2, 2, 2, 1.0, &theory),
            LTE_EINVAL);
        assert_true(!theory.known && !theory.exact && isnan(theory.ber));
    }
    assert_int_equal(lte_ber_mmse(4, 2, 2, -1.0, &ber), LTE_EINVAL);
    assert_true(isnan(ber));
    (void)lte_fail_handler_set(before);
}

/* The curve of perfect CSI, moved to the right; nothing else that is estimated has one. */
static void estimates_have_a_form_for_zf_and_qpsk_in_flat_alone(void **state)
{
    (void)state;
    /* v = 1 / rho: at high SNR a loss of n_tx + 1 */
    assert_near(lte_ls_gain(4, 1e6, 1e-6), 1e6 / 5.0, 1.0);
    assert_near(lte_ls_gain(3, 25.0, 0.0), 25.0, 1e-12);
    for (int csi = 0; csi < LTE_N_CSI; csi++) {
        for (int channel = 0; channel < LTE_N_CHANNELS; channel++) {
            for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
                for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
                    const lte_channel_row *row = &lte_channel_rows[channel];
                    const bool has_one = lte_csi_rows[csi].estimator == LTE_ESTIMATOR_DESPREAD &&
                                         n_bits == 2 && row->form == LTE_FORM_RAYLEIGH &&
                                         row->subcarriers == LTE_SUBCARRIERS_ALIKE &&
                                         lte_detector_rows[detector].law == LTE_SINR_GAMMA;
                    const double rho = 100.0 / 3.0, n0 = 3.0 / 100.0;
                    lte_ber_theory theory;
                    assert_int_equal(
                        lte_ber_theory_of(detector, channel, csi, 3, 3, n_bits, 100.0, &theory),
                        LTE_OK);
                    if (lte_csi_estimates(csi))
                        assert_true(theory.known == has_one && theory.exact == has_one);
                    if (has_one)
                        assert_near(theory.ber,
                                    lte_ber_gamma(2, 1, rho / (1.0 + n0 / 12.0 + 3.0 / 12.0)),
                                    1e-12);
                }
            }
        }
    }
}

static int n_gsl_failures;

static void own_gsl_handler(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line, (void)code;
    n_gsl_failures++;
}

static void mmse_leaves_the_gsl_handler_as_found(void **state)
{
    (void)state;
    static const double rhos[] = {1e-300, 1e-30, 1e-4, 1.0, 1e6, 1e30, 1e300};
    gsl_error_handler_t *before = gsl_set_error_handler(own_gsl_handler);
    n_gsl_failures = 0;
    for (int i = 0; i < 7; i++) {
        double ber = (double)NAN;
        assert_int_equal(lte_ber_mmse(8, 8, 16, rhos[i], &ber), LTE_OK);
        assert_true(ber >= 0.0 && ber <= 0.5);
    }
    assert_int_equal(n_gsl_failures, 0);
    assert_true(gsl_set_error_handler(before) == own_gsl_handler);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(ber_theory, awgn_meets_its_anchors),
    LTE_CASE(ber_theory, awgn_equals_the_cho_yoon_sum),
    LTE_CASE(ber_theory, awgn_without_signal_is_a_coin_toss),
    LTE_CASE(ber_theory, wrong_arguments_give_nan),
    LTE_CASE(ber_theory, gamma_meets_its_anchors),
    LTE_CASE(ber_theory, gamma_equals_brute_force_quadrature),
    LTE_CASE(ber_theory, mmse_equals_brute_force_quadrature),
    LTE_CASE(ber_theory, mmse_over_zf_tends_to_its_limit),
    LTE_CASE(ber_theory, more_signal_never_hurts_and_mmse_lies_between_mrc_and_zf),
    LTE_CASE(ber_theory, rates_agree_with_the_reference_simulation),
    LTE_CASE(ber_theory, awgn_layers_each_see_the_snr),
    LTE_CASE(ber_theory, flat_has_the_rates_of_rayleigh),
    LTE_CASE(ber_theory, laws_of_the_rows_are_kept),
    LTE_CASE(ber_theory, one_layer_has_an_exact_form),
    LTE_CASE(ber_theory, wrong_arguments_are_refused),
    LTE_CASE(ber_theory, mmse_leaves_the_gsl_handler_as_found),
    LTE_CASE(ber_theory, estimates_have_a_form_for_zf_and_qpsk_in_flat_alone),
};

int main(void)
{
    return cmocka_run_group_tests_name("ber_theory", cases, NULL, NULL);
}
