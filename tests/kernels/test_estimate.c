/*
 * Channels estimated from reference symbols: errors against the tables' own variances, noise, and
 * the stages against each other.
 */
#include <complex.h>
#include <math.h>

#include "phy/detection/ml.h"
#include "tests/lib/batch.h"

#include "phy/estimation/csi.h"

enum { N_SC = 300, SEED_SLOTS = 40 };

/* One slot: what was sent and received, and what the receiver makes of the reference symbol. */
typedef struct {
    batch b;
    lte_cf32 *estimate; /* [n_rx][n_tx][n_sc] */
    int64_t residual;
    lte_noise known;
} slot_of_pilots;

static void slot_init(slot_of_pilots *s, const lte_link *link)
{
    batch_init(&s->b, link, 0xa5);
    s->estimate = poisoned(
        (size_t)(link->n_rx * link->n_tx * link->carrier.n_sc) * sizeof *s->estimate, 0xa5);
}

static void slot_fini(slot_of_pilots *s)
{
    batch_fini(&s->b);
    free(s->estimate);
}

typedef struct {
    int n_sc, n_rx, n_tx, n_bits;
} size;

static lte_link estimating(size of, int channel, double doppler_hz, int csi, bool noise_known,
                           lte_estimator *estimator)
{
    lte_link link = link_of(of.n_sc, of.n_rx, of.n_tx, of.n_bits, channel, LTE_INVERTER_ldl);
    if (doppler_hz > 0.0)
        assert_int_equal(lte_link_set_doppler(&link, doppler_hz, 8), LTE_OK);
    assert_int_equal(lte_estimator_create(channel, of.n_sc, of.n_rx, of.n_tx,
                                          lte_csi_rows[csi].estimator, estimator),
                     LTE_OK);
    lte_link_estimate(&link, csi, noise_known, *estimator);
    return link;
}

static double complex value(lte_cf32 z)
{
    return CMPLX(z.re, z.im);
}

/* sum_k |estimate - H|^2 / n0 of the reference symbol, averaged over antennas: [n_sc] added. */
static void add_errors(const slot_of_pilots *s, double n0, double *error)
{
    const lte_link *link = &s->b.link;
    const int n_sc = link->carrier.n_sc, m = link->channel.n_h > 1 ? LTE_PILOT_SYMBOL : 0;
    for (int e = 0; e < link->n_rx * link->n_tx; e++) {
        for (int sc = 0; sc < n_sc; sc++) {
            const double complex gap =
                value(s->estimate[e * n_sc + sc]) -
                value(s->b.h_planes[(e * link->channel.n_h + m) * n_sc + sc]);
            error[sc] += creal(gap * conj(gap)) / (n0 * link->n_rx);
        }
    }
}

/*
 * Mean of the errors over the carrier against the mean of the spread that the tables promise.
 * Neighbouring subcarriers share windows and taps: a slot counts as one sample for the standard
 * error, taken from the slots themselves.
 */
static void assert_errors_as_promised(int channel, int n_rx, int n_tx, int csi, double snr,
                                      double bias)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(n_tx, snr);
    double sum = 0.0, squares = 0.0, expected = 0.0, noise_sum = 0.0, noise_squares = 0.0;
    lte_estimator estimator;
    const lte_link link =
        estimating((size){N_SC, n_rx, n_tx, 2}, channel, 0.0, csi, false, &estimator);
    slot_of_pilots s;
    slot_init(&s, &link);
    for (int slot = 0; slot < SEED_SLOTS; slot++) {
        double error[N_SC] = {0.0}, mean = 0.0, promised = 0.0;
        batch_send(&s.b, stages, (uint64_t)slot, noise);
        s.known = estimate_planes(&link, stages, noise, s.b.y_planes, s.estimate, &s.residual);
        add_errors(&s, (double)noise.n0, error);
        const float *spread = s.known.estimation_error;
        for (int sc = 0; sc < N_SC; sc++) {
            mean += error[sc] / N_SC;
            promised += (double)spread[sc] / N_SC;
        }
        /* levels are powers of two, and what they promise is in units of their own noise */
        expected += promised / SEED_SLOTS;
        sum += mean;
        squares += mean * mean;
        noise_sum += (double)s.known.n0 / (double)noise.n0;
        noise_squares += pow((double)s.known.n0 / (double)noise.n0, 2.0);
    }
    const double mean = sum / SEED_SLOTS, noise_mean = noise_sum / SEED_SLOTS;
    const double se = sqrt((squares / SEED_SLOTS - mean * mean) / (SEED_SLOTS - 1));
    const double noise_se =
        sqrt((noise_squares / SEED_SLOTS - noise_mean * noise_mean) / (SEED_SLOTS - 1));
    print_message(
        "%s %dx%d %s SNR %g: error / n0 %.4f +- %.4f, promised %.4f; noise %.4f +- %.4f\n",
        lte_channel_rows[channel].name, n_rx, n_tx, lte_csi_rows[csi].name, snr, mean, se, expected,
        noise_mean, noise_se);
    assert_near(mean, expected, 4.0 * se + bias * expected);
    assert_near(noise_mean, 1.0, 4.0 * noise_se + bias);
    slot_fini(&s);
    lte_estimator_free(&estimator);
}

#define OF_TAPS(id) LTE_CHANNEL_##id,
static const int profiles[] = {LTE_TAP_CHANNELS(OF_TAPS)}; /* flat first */
enum { N_PROFILES = sizeof profiles / sizeof *profiles };

static void least_squares_errs_as_promised(void **state)
{
    (void)state;
    assert_errors_as_promised(LTE_CHANNEL_flat, 4, 4, LTE_CSI_despread, 100.0, 0.0);
    assert_errors_as_promised(LTE_CHANNEL_flat, 2, 1, LTE_CSI_despread, 1.0, 0.0);
    assert_errors_as_promised(LTE_CHANNEL_awgn, 3, 3, LTE_CSI_dmrs_ls, 10.0, 0.0);
    for (int p = 0; p < N_PROFILES; p++)
        assert_errors_as_promised(profiles[p], 4, p % 2 ? 4 : 2, LTE_CSI_dmrs_ls, 10.0, 0.02);
}

static void wiener_filter_errs_as_promised(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROFILES; p++) {
        const int n_tx = p == 0 || p % 2 ? 4 : 3;
        assert_errors_as_promised(profiles[p], 4, n_tx, LTE_CSI_dmrs_mmse, 4.0 * n_tx, 0.02);
        assert_errors_as_promised(profiles[p], 4, n_tx, LTE_CSI_dmrs_mmse_cp, 4.0 * n_tx, 0.1);
    }
}

/*
 * Every table of stages, fused and not, against the first: one link. With the others a search that
 * leaves elements unfinished.
 */
static void compare_tables(const lte_link *link)
{
    enum { SLOT = 13, MOST = LTE_N_DETECTORS + 1 };
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0);
    lte_detector detectors[MOST];
    int n_detectors = detectors_for(link->n_tx, link->n_bits, detectors);
    detectors[n_detectors] = lte_detector_usual(LTE_DETECTOR_ml);
    detectors[n_detectors++].value[LTE_ML_BUDGET] = link->n_tx;
    const size_t h_size = (size_t)(link->n_rx * link->n_tx * link->carrier.n_sc) * sizeof(lte_cf32);
    slot_of_pilots first;
    slot_init(&first, link);
    batch_send(&first.b, lte_stages_all[0], SLOT, noise);
    (void)estimate_planes(link, lte_stages_all[0], noise, first.b.y_planes, first.estimate,
                          &first.residual);
    for (int i = 0; lte_stages_all[i]; i++) {
        const lte_stages *stages = lte_stages_all[i];
        if (!stages->usable())
            continue;
        slot_of_pilots s;
        uint32_t errors[MOST * LTE_N_HARD_COUNTS(LTE_PILOT_LAYERS)];
        lte_power power;
        slot_init(&s, link);
        batch_send(&s.b, stages, SLOT, noise);
        const lte_noise known =
            estimate_planes(link, stages, noise, s.b.y_planes, s.estimate, &s.residual);
        assert_memory_equal(s.b.y, first.b.y, s.b.y_size);
        assert_memory_equal(s.estimate, first.estimate, h_size);
        assert_int_equal(s.residual, first.residual);
        sweep_slot(stages, link, noise, detectors, n_detectors, SLOT, &power, errors);
        assert_memory_equal(&power, &s.b.power, sizeof power);
        for (int d = 0; d < n_detectors; d++) {
            uint8_t *bits = poisoned(s.b.bits_size, 0x5a);
            stages->corner_turn(link, 0, link->carrier.n_groups, s.estimate, s.b.y_planes, s.b.h,
                                s.b.y);
            batch_decide(&s.b, stages, detectors[d], known);
            assert_memory_equal(&errors[lte_counts_at(link->output.n_counts, d)], s.b.errors,
                                s.b.errors_size);
            stages->slot(link, detectors[d], known,
                         lte_groups_of(0, link->carrier.n_groups, s.b.work), s.estimate,
                         s.b.y_planes, bits);
            assert_memory_equal(bits, s.b.bits, s.b.bits_size);
            const size_t row = lte_packed_row(link);
            for (size_t k = 0; k < row; k++)
                assert_int_equal(bits[LTE_PILOT_SYMBOL * row + k], 0);
            free(bits);
        }
        slot_fini(&s);
    }
    slot_fini(&first);
}

static void every_table_and_path_gives_the_same(void **state)
{
    (void)state;
    static const int channels[] = {LTE_CHANNEL_flat, LTE_CHANNEL_eva, LTE_CHANNEL_etu};
    for (int n_tx = 1; n_tx <= LTE_PILOT_LAYERS; n_tx++) {
        for (int i = 0; i < 8; i += is_short() ? 3 : 1) {
            const int csi = 1 + i % (LTE_N_CSI - 1); /* all but perfect */
            lte_estimator estimator;
            const lte_link link =
                estimating((size){i % 3 ? 180 : 72, n_tx + i % 2, n_tx, 2 + 2 * (i % 4)},
                           channels[i % 3], i == 1 || i == 5 ? 70.0 : 0.0, csi, i > 3, &estimator);
            compare_tables(&link);
            lte_estimator_free(&estimator);
        }
    }
    lte_estimator estimator; /* one layer over independent subcarriers */
    const lte_link link = estimating((size){72, 2, 1, 4}, LTE_CHANNEL_rayleigh, 0.0,
                                     LTE_CSI_dmrs_mmse, true, &estimator);
    compare_tables(&link);
    lte_estimator_free(&estimator);
}

/* Weights that sum to more than they should at a carrier's end would show here. */
static void check_noiseless(int csi)
{
    lte_estimator estimator;
    slot_of_pilots s;
    const lte_noise none = {0x1p-40f, 0x1p-20f, NULL, NULL};
    const lte_link link =
        estimating((size){N_SC, 4, 4, 2}, LTE_CHANNEL_flat, 0.0, csi, false, &estimator);
    slot_init(&s, &link);
    batch_send(&s.b, lte_stages_best(), 0, none);
    s.known =
        estimate_planes(&link, lte_stages_best(), none, s.b.y_planes, s.estimate, &s.residual);
    for (int i = 0; i < 16 * N_SC; i++) {
        assert_near(s.estimate[i].re, s.b.h_planes[i].re, 4e-6);
        assert_near(s.estimate[i].im, s.b.h_planes[i].im, 4e-6);
    }
    slot_fini(&s);
    lte_estimator_free(&estimator);
}

static void noiseless_flat_channels_come_out_whole(void **state)
{
    (void)state;
    check_noiseless(LTE_CSI_despread);
    check_noiseless(LTE_CSI_dmrs_mmse);
}

static void levels_are_the_nearest_powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(lte_estimator_set(0.0f), 1);
    assert_int_equal(lte_estimator_set(1e9f), LTE_ESTIMATOR_LEVELS);
    for (int level = 0; level < LTE_ESTIMATOR_LEVELS; level++) {
        const float n0 = ldexpf(1.0f, level - 20);
        assert_int_equal(lte_estimator_set(n0), 1 + level);
        assert_int_equal(lte_estimator_set(1.41f * n0), 1 + level);
        assert_int_equal(lte_estimator_set(n0 / 1.41f), 1 + level);
    }
}

/* Whatever was received: no sum leaves its integer, and NaN counts as much. */
static void residuals_of_a_whole_carrier_fit(void **state)
{
    (void)state;
    const int64_t largest = lte_residual_units(INFINITY);
    assert_true(largest <= INT64_MAX / (LTE_FEW_RX * LTE_MAX_SC));
    assert_true(lte_residual_units(NAN) == largest);
    assert_true(lte_residual_units(0x1p18f) == largest);
    assert_true(lte_residual_units(0x1.fffffep17f) < largest);
    assert_true(lte_residual_units(0x1.fffffep17f) == 0xffffff000000);
    assert_true(lte_residual_units(0x1.8p-30f) == 2);
    assert_true(lte_residual_units(0x1.4p-30f) == 1);
    assert_true(lte_residual_units(0.0f) == 0);
}

static void what_has_no_reference_is_refused(void **state)
{
    (void)state;
    static const struct {
        int channel, n_sc, n_rx, n_tx;
    } wrong[] = {{LTE_CHANNEL_eva, 300, 8, 5},  {LTE_CHANNEL_eva, 300, 8, 0},
                 {LTE_CHANNEL_eva, 301, 4, 4},  {LTE_CHANNEL_eva, 6, 4, 4},
                 {LTE_CHANNEL_eva, 1212, 4, 4}, {LTE_CHANNEL_rayleigh, 300, 2, 2},
                 {LTE_CHANNEL_eva, 12, 4, 3},   {LTE_CHANNEL_eva, 12, 4, 4}}; /* 12, 16 unknowns */

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lte_estimator estimator;
        assert_int_equal(lte_estimator_create(wrong[i].channel, wrong[i].n_sc, wrong[i].n_rx,
                                              wrong[i].n_tx, LTE_ESTIMATOR_WIENER, &estimator),
                         LTE_EINVAL);
        assert_null(estimator.reference);
    }
}

/* What a row says agrees with itself and with what a link makes of it. */
static void csi_rows_are_whole(void **state)
{
    (void)state;
    assert_false(lte_csi_estimates(0)); /* losses are against the first */
    for (int k = 0; k < LTE_N_CSI; k++) {
        const lte_csi_row *row = &lte_csi_rows[k];
        assert_true(row->name && row->name[0] && row->text && row->text[0]);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(row->name, lte_csi_rows[i].name);
        assert_int_equal(lte_csi_estimates(k), row->pilot >= 0);
        assert_true(row->max_tx == LTE_MAX_TX || (row->pilot >= 0 && row->max_tx < LTE_MAX_TX));
        lte_link link = link_of(72, 2, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
        assert_false(lte_link_estimates(&link));
        if (!lte_csi_estimates(k))
            continue;
        lte_estimator estimator;
        assert_int_equal(
            lte_estimator_create(link.channel.model, 72, 2, 2, row->estimator, &estimator), LTE_OK);
        for (int known = 0; known < 2; known++) {
            lte_link_estimate(&link, k, known, estimator);
            assert_true(lte_link_estimates(&link));
            const bool wiener = row->estimator == LTE_ESTIMATOR_WIENER ||
                                row->estimator == LTE_ESTIMATOR_WIENER_PREFIX;
            assert_int_equal(lte_link_weights(&link, 1.0f) != LTE_LS_WEIGHTS, wiener);
            assert_int_equal(lte_needs_least_squares(&link), !wiener || !known);
        }
        lte_link_set_perfect_csi(&link);
        assert_false(lte_link_estimates(&link) || lte_needs_least_squares(&link));
        lte_estimator_free(&estimator);
    }
}

/* The diagonal that MMSE adds is n0 and the estimate's error on top, subcarrier by subcarrier. */
static void the_error_of_an_estimate_loads_the_matrix(void **state)
{
    (void)state;
    const lte_noise plain = lte_noise_of(2, 10.0);
    for (int k = 0; k < 2; k++) {
        const lte_stages *stages = k == 0 ? lte_stages_all[0] : lte_stages_best();
        float error[80];
        lte_noise noise = plain;
        lte_estimator estimator;
        const lte_link link = estimating((size){72, 2, 2, 2}, LTE_CHANNEL_eva, 0.0,
                                         LTE_CSI_dmrs_mmse, false, &estimator);
        batch b;
        batch_init(&b, &link, 0xa5);
        batch_send(&b, stages, 3, plain);
        for (int sc = 0; sc < 80; sc++)
            error[sc] = 0.25f * (float)(sc + 1);
        noise.estimation_error = error;
        stages->gram(&link, lte_detector_usual(LTE_DETECTOR_mmse), noise, 0, link.carrier.n_groups,
                     b.h, b.g, b.work);
        for (int sc = 0; sc < link.carrier.n_sc; sc++) {
            const ptrdiff_t at = (ptrdiff_t)(sc / LTE_LANES) * 4 * 2 * LTE_LANES + sc % LTE_LANES;
            double power[2] = {0.0, 0.0}; /* of each column of H */
            for (int e = 0; e < 4; e++) {
                const double re = (double)b.h[at + (ptrdiff_t)e * 2 * LTE_LANES];
                const double im = (double)b.h[at + ((ptrdiff_t)e * 2 + 1) * LTE_LANES];
                power[e % 2] += re * re + im * im;
            }
            for (int tx = 0; tx < 2; tx++) {
                const double loaded = (double)b.g[at + (ptrdiff_t)(3 * tx) * 2 * LTE_LANES];
                const double expected = (double)plain.n0 * (1.0 + 0.25 * (sc + 1));
                assert_near(loaded - power[tx], expected, 1e-5 * (1.0 + power[tx] + expected));
            }
        }
        batch_fini(&b);
        lte_estimator_free(&estimator);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(estimate, the_error_of_an_estimate_loads_the_matrix),
    LTE_CASE(estimate, csi_rows_are_whole),
    LTE_CASE(estimate, least_squares_errs_as_promised),
    LTE_CASE(estimate, wiener_filter_errs_as_promised),
    LTE_CASE(estimate, noiseless_flat_channels_come_out_whole),
    LTE_CASE(estimate, every_table_and_path_gives_the_same),
    LTE_CASE(estimate, levels_are_the_nearest_powers_of_two),
    LTE_CASE(estimate, residuals_of_a_whole_carrier_fit),
    LTE_CASE(estimate, what_has_no_reference_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("estimate", cases, NULL, NULL);
}
