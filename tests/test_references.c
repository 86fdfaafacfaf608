/*
 * Both reference symbols of a subframe: weights over time against least squares solved here in
 * double, what combined estimates err by against what is promised, and error rates against theory.
 */
#include <complex.h>
#include <math.h>

#include <gsl/gsl_sf_bessel.h>

#include "tests/batch.h"

#include "phy/carrier.h"
#include "phy/csi.h"

static lte_link moving(int n_sc, int n_tx, int channel, double doppler_hz, int csi,
                       bool noise_known, int references, lte_pilots *pilots)
{
    lte_link link = link_of(n_sc, n_tx, n_tx, 2, channel, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_move(&link, doppler_hz, 2), LTE_OK);
    assert_int_equal(
        lte_pilots_create(channel, n_sc, n_tx, n_tx, lte_csi_rows[csi].estimator, pilots), LTE_OK);
    lte_link_estimate(&link, csi, noise_known, *pilots);
    assert_int_equal(lte_link_refer(&link, references), LTE_OK);
    return link;
}

/* J0 over so many symbols of 2192 T_s and slots of 15360. */
static double over_time(double doppler_hz, int symbols, int slots)
{
    return gsl_sf_bessel_J0(2.0 * M_PI * doppler_hz * (2192.0 * symbols + 15360.0 * slots) /
                            LTE_SAMPLE_HZ);
}

/* The least mean square error for one layer of h(l) from h_0 + v_0 and h_1 + v_1, E|v|^2 = s. */
typedef struct {
    double own, other, error, aged;
} weights;

static weights least(double doppler_hz, int odd, int l, double s)
{
    const double r0 = over_time(doppler_hz, l - 3, 0);
    const double r1 = over_time(doppler_hz, l - 3, odd ? 1 : -1);
    const double rho = over_time(doppler_hz, 0, 1), p = 1.0 + s;
    weights w = {.own = (p * r0 - rho * r1) / (p * p - rho * rho)};
    w.other = (r1 - rho * w.own) / p; /* second row of the normal equations */
    w.error = 1.0 - w.own * r0 - w.other * r1;
    w.aged = w.error - (w.own * w.own + w.other * w.other) * s;
    return w;
}

static void weights_are_those_of_least_error(void **state)
{
    (void)state;
    static const double dopplers_hz[] = {0.1, 5.0, 70.0, 300.0, 1000.0};
    for (int i = 0; i < 5 * 6 * 2; i++) {
        const double doppler_hz = dopplers_hz[i % 5], s = pow(10.0, -i / 5 % 6);
        const lte_doppler doppler = lte_doppler_of(doppler_hz, 2);
        const int odd = i / 30;
        const lte_reference_lags lags = lte_reference_lags_of(&doppler, odd);
        lte_combination plain, shrunk;
        lte_combine(&lags, 3, (float)(3.0 * s), false, &plain);
        lte_combine(&lags, 3, (float)(3.0 * s / (1.0 + s)), true, &shrunk);
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
            const weights w = least(doppler_hz, odd, l, s);
            const double near = 2e-5 * (fabs(w.own) + fabs(w.other));
            assert_near((double)plain.own[l], w.own, near);
            assert_near((double)plain.other[l], w.other, near);
            assert_near((double)plain.ageing[l], 3.0 * w.aged, 1e-4 * w.error + 1e-9);
            assert_near((double)plain.spread[l] * s, w.error - w.aged, 1e-4 * w.error + 1e-9);
            /* of least mean square error: (h + v) / (1 + s), and s / (1 + s) its error */
            assert_near((double)shrunk.own[l], w.own * (1.0 + s), near * (1.0 + s));
            assert_near((double)shrunk.other[l], w.other * (1.0 + s), near * (1.0 + s));
            assert_near((double)shrunk.ageing[l], 3.0 * w.aged, 1e-4 * w.error + 1e-9);
            assert_near((double)shrunk.spread[l] * s / (1.0 + s), w.error - w.aged,
                        1e-4 * w.error + 1e-9);
        }
    }
}

/* Where nothing moves two estimates are worth their mean; no error is too small or too large. */
static void estimates_at_rest_become_their_mean(void **state)
{
    (void)state;
    const lte_reference_lags rest = {{0.0f}, {0.0f}, 0.0f};
    static const float errors[] = {0.0f, 1e-30f, 1e-6f, 1.0f, 1e6f};
    for (int i = 0; i < 10; i++) {
        lte_combination c;
        lte_combine(&rest, 1, errors[i % 5], i >= 5, &c);
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
            assert_true(isfinite(c.own[l]) && isfinite(c.spread[l]) && c.ageing[l] >= 0.0f);
            assert_true(c.own[l] == c.other[l]);
            if (errors[i % 5] < 1e-3f)
                assert_near((double)c.own[l], 0.5, 1e-5);
        }
    }
}

static void slots_of_a_subframe_mirror_each_other(void **state)
{
    (void)state;
    const lte_doppler doppler = lte_doppler_of(300.0, 2);
    const lte_reference_lags first = lte_reference_lags_of(&doppler, 0);
    const lte_reference_lags second = lte_reference_lags_of(&doppler, 1);
    assert_int_equal(lte_other_slot(6), 7);
    assert_int_equal(lte_other_slot(7), 6);
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        /* but for 16 samples in a slot */
        assert_near((double)first.own[l], (double)second.own[6 - l], 1e-6);
        assert_near((double)first.other[l], (double)second.other[6 - l], 0.01);
    }
}

/* sum_k |e_k|^2 an antenna of combined estimates, and what is promised, of symbols of both slots. */
static void assert_errors_as_promised(int channel, int n_tx, double doppler_hz, int csi, double snr)
{
    enum { N_SC = 180, SUBFRAMES = 150, PLACES = 2 * LTE_SLOT_SYMBOLS };
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(n_tx, snr);
    const int n = n_tx * n_tx;
    const ptrdiff_t stride = N_SC;
    double sum[PLACES] = {0.0}, squares[PLACES] = {0.0}, promised[PLACES] = {0.0};
    lte_pilots pilots;
    const lte_link link = moving(N_SC, n_tx, channel, doppler_hz, csi, false, 2, &pilots);
    lte_cf32 *y = poisoned((size_t)(2 * n_tx * N_SC) * sizeof *y, 0xa5);
    lte_cf32 *h = poisoned((size_t)(2 * n * N_SC) * sizeof *h, 0xa5);
    batch b[2];
    for (int odd = 0; odd < 2; odd++)
        batch_init(&b[odd], &link, 0xa5);
    for (uint64_t slot = 0; slot < 2 * SUBFRAMES; slot += 2) {
        for (int odd = 0; odd < 2; odd++) {
            batch_send(&b[odd], stages, slot + (uint64_t)odd, noise);
            for (int rx = 0; rx < n_tx; rx++)
                memcpy(&y[(odd * n_tx + rx) * stride],
                       &b[odd].y_planes[(rx * LTE_SLOT_SYMBOLS + LTE_PILOT_SYMBOL) * stride],
                       N_SC * sizeof *y);
        }
        const lte_noise known =
            lte_stages_estimate_subframe(stages, &link, noise, y, stride, h, b[0].work);
        for (int i = 0; i < PLACES; i++) {
            const int odd = i / LTE_SLOT_SYMBOLS, l = i % LTE_SLOT_SYMBOLS;
            const lte_combination c = lte_link_combination(&link, known.n0, slot + (uint64_t)odd);
            double error = 0.0;
            for (int e = 0; e < n * N_SC; e++) {
                const int entry = e / N_SC, sc = e % N_SC;
                const lte_cf32 own = h[odd * n * N_SC + e], other = h[(1 - odd) * n * N_SC + e];
                const lte_cf32 is = b[odd].h_planes[(entry * LTE_SLOT_SYMBOLS + l) * stride + sc];
                const double re = (double)(c.own[l] * own.re + c.other[l] * other.re - is.re);
                const double im = (double)(c.own[l] * own.im + c.other[l] * other.im - is.im);
                error += (re * re + im * im) / (n_tx * N_SC);
            }
            sum[i] += error / SUBFRAMES;
            squares[i] += error * error / SUBFRAMES;
            for (int sc = 0; sc < N_SC; sc++)
                promised[i] += ((double)c.ageing[l] + (double)c.spread[l] * (double)known.n0 *
                                                          (double)known.estimation_error[sc]) /
                               (N_SC * SUBFRAMES);
        }
    }
    for (int i = 0; i < PLACES; i++) {
        const double se = sqrt((squares[i] - sum[i] * sum[i]) / (SUBFRAMES - 1));
        print_message("%s %g Hz %s SNR %g symbol %2d: %.3e +- %.1e, promised %.3e\n",
                      lte_channel_rows[channel].name, doppler_hz, lte_csi_rows[csi].name, snr, i,
                      sum[i], se, promised[i]);
        assert_near(sum[i], promised[i], 4.0 * se + 0.04 * promised[i]);
    }
    batch_fini(&b[0]);
    batch_fini(&b[1]);
    free(y);
    free(h);
    lte_pilots_free(&pilots);
}

static void combined_estimates_err_as_promised(void **state)
{
    (void)state;
    assert_errors_as_promised(LTE_CHANNEL_etu, 2, 300.0, LTE_CSI_dmrs_mmse, 1e4);
    assert_errors_as_promised(LTE_CHANNEL_eva, 2, 70.0, LTE_CSI_dmrs_mmse, 30.0);
    assert_errors_as_promised(LTE_CHANNEL_epa, 2, 5.0, LTE_CSI_dmrs_mmse, 300.0);
    assert_errors_as_promised(LTE_CHANNEL_flat, 2, 300.0, LTE_CSI_despread, 100.0);
}

/* BER of QPSK and ZF with an estimate of error error, its part that the channel explains alone. */
static double zf_ber(double rho, int n_tx, double error)
{
    const double theta = rho * (1.0 - error) / (1.0 + n_tx * rho * error);
    return 0.5 * (1.0 - sqrt(0.5 * theta / (1.0 + 0.5 * theta)));
}

/* Mean over the data symbols, the estimates' own error s a layer. */
static double expected_ber(double snr, double doppler_hz, double s, int references)
{
    double sum = 0.0;
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        const double held = over_time(doppler_hz, l - LTE_PILOT_SYMBOL, 0);
        const double error =
            references == 2 ? least(doppler_hz, 0, l, s).error : 1.0 - held * held / (1.0 + s);
        sum += l == LTE_PILOT_SYMBOL ? 0.0 : zf_ber(snr / 2.0, 2, error) / 6.0;
    }
    return sum;
}

/* Errors of ZF and MMSE, QPSK over ETU at 300 Hz, 2x2: ber [2], se [2]. */
static void count_errors(const lte_link *link, double snr, double *ber, double *se)
{
    enum { SUBFRAMES = 3000 };
    static const int detectors[] = {LTE_DETECTOR_zf, LTE_DETECTOR_mmse};
    const double bits = 2.0 * 6.0 * 2.0 * 2.0 * link->n_sc; /* of a subframe */
    double squares[2] = {0.0};
    ber[0] = ber[1] = 0.0;
    for (uint64_t slot = 0; slot < 2 * SUBFRAMES; slot += 2) {
        uint32_t counts[2][2 * LTE_N_COUNTS(2)];
        lte_power power;
        for (int odd = 0; odd < 2; odd++)
            sweep_slot(lte_stages_best(), link, lte_noise_of(2, snr), detectors, 2,
                       slot + (uint64_t)odd, &power, counts[odd]);
        for (int d = 0; d < 2; d++) {
            double rate = 0.0;
            for (int odd = 0; odd < 2; odd++)
                rate += (double)lte_bit_errors(2, &counts[odd][lte_counts_at(2, d)]) / bits;
            ber[d] += rate / SUBFRAMES;
            squares[d] += rate * rate / SUBFRAMES;
        }
    }
    for (int d = 0; d < 2; d++)
        se[d] = sqrt((squares[d] - ber[d] * ber[d]) / (SUBFRAMES - 1));
}

/*
 * ZF as theory has it, MMSE never above: 3.8e-2 from one held estimate at 40 dB, 2.2e-3 at most from
 * both with MMSE. From both neither gets worse at a higher SNR; MMSE with one does, as its loading
 * knows nothing of ageing.
 */
static void both_references_lower_the_floor_of_motion(void **state)
{
    (void)state;
    for (int references = 1; references <= 2; references++) {
        double last[2] = {1.0, 1.0};
        lte_pilots pilots;
        const lte_link link =
            moving(72, 2, LTE_CHANNEL_etu, 300.0, LTE_CSI_dmrs_mmse, false, references, &pilots);
        for (int snr_db = 20; snr_db <= 60; snr_db += 20) {
            const double snr = pow(10.0, snr_db / 10.0), n0 = 2.0 / snr;
            const double error = (double)pilots.mean_error[lte_link_weights(&link, (float)n0)];
            const double expected = expected_ber(snr, 300.0, 0.5 * n0 * error, references);
            double ber[2], se[2];
            count_errors(&link, snr, ber, se);
            print_message("%d at %d dB: zf %.3e +- %.1e, %.3e by theory; mmse %.3e\n", references,
                          snr_db, ber[0], se[0], expected, ber[1]);
            assert_near(ber[0], expected, 4.0 * se[0] + 0.03 * expected);
            for (int d = 0; d < 2; d++) {
                assert_true(references == 1 || ber[d] <= last[d]);
                last[d] = ber[d];
            }
            assert_true(ber[1] <= ber[0]);
            if (snr_db == 40 && references == 1)
                assert_near(ber[1], 3.8e-2, 2e-3);
            if (snr_db == 40 && references == 2)
                assert_true(ber[1] < 2.2e-3 + 3.0 * se[1]);
        }
        lte_pilots_free(&pilots);
    }
}

/* What slots of a subframe count by a table, against plain loops. */
static void count_with(const lte_stages *stages, const void *arg)
{
    const lte_link *link = arg;
    static const int detectors[] = {LTE_DETECTOR_zf, LTE_DETECTOR_mmse};
    for (uint64_t slot = 4; slot < 6; slot++) {
        uint32_t expected[2 * LTE_N_COUNTS(2)], counts[2 * LTE_N_COUNTS(2)];
        lte_power power[2];
        sweep_slot(lte_stages_all[0], link, lte_noise_of(2, 30.0), detectors, 2, slot, &power[0],
                   expected);
        sweep_slot(stages, link, lte_noise_of(2, 30.0), detectors, 2, slot, &power[1], counts);
        assert_memory_equal(counts, expected, sizeof counts);
        assert_memory_equal(&power[0], &power[1], sizeof power[0]);
    }
}

static void every_table_counts_the_same(void **state)
{
    (void)state;
    for (int csi = 0; csi < LTE_N_CSI; csi++) {
        lte_pilots pilots;
        if (!lte_csi_estimates(csi))
            continue;
        const lte_link link = moving(180, 2, LTE_CHANNEL_eva, 300.0, csi, csi % 2 == 0, 2, &pilots);
        for_each_table(count_with, &link);
        lte_pilots_free(&pilots);
    }
}

static void what_cannot_be_combined_is_refused(void **state)
{
    (void)state;
    lte_pilots pilots;
    lte_link link = moving(72, 2, LTE_CHANNEL_eva, 70.0, LTE_CSI_dmrs_ls, false, 2, &pilots);
    assert_int_equal(link.n_csi, LTE_SLOT_SYMBOLS);
    assert_int_equal(lte_link_refer(&link, 3), LTE_EINVAL);
    assert_int_equal(lte_link_refer(&link, 0), LTE_EINVAL);
    assert_int_equal(link.references, 2);
    assert_int_equal(lte_link_refer(&link, 1), LTE_OK);
    assert_int_equal(link.n_csi, 1);
    assert_int_equal(lte_link_move(&link, 70.0, 3), LTE_OK); /* drops of one slot and a half */
    lte_link_estimate(&link, LTE_CSI_dmrs_ls, false, pilots);
    assert_int_equal(lte_link_refer(&link, 2), LTE_EINVAL);
    lte_link_know(&link);
    assert_int_equal(lte_link_refer(&link, 2), LTE_EINVAL);
    assert_int_equal(lte_link_refer(&link, 1), LTE_OK);
    link = link_of(72, 2, 2, 2, LTE_CHANNEL_eva, LTE_INVERTER_ldl); /* at rest */
    lte_link_estimate(&link, LTE_CSI_dmrs_ls, false, pilots);
    assert_int_equal(lte_link_refer(&link, 2), LTE_EINVAL);
    lte_pilots_free(&pilots);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(references, weights_are_those_of_least_error),
    LTE_CASE(references, estimates_at_rest_become_their_mean),
    LTE_CASE(references, slots_of_a_subframe_mirror_each_other),
    LTE_CASE(references, combined_estimates_err_as_promised),
    LTE_CASE(references, both_references_lower_the_floor_of_motion),
    LTE_CASE(references, every_table_counts_the_same),
    LTE_CASE(references, what_cannot_be_combined_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("references", cases, NULL, NULL);
}
