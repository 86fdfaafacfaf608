/*
 * Both reference symbols of a subframe: weights over time against least squares solved here in
 * double, what combined estimates err by against what is promised, and error rates against theory.
 */
#include <complex.h>
#include <math.h>

#include <gsl/gsl_sf_bessel.h>

#include "tests/lib/batch.h"

#include "kernels/backends/slot_buffer.h"
#include "phy/base/carrier.h"
#include "phy/estimation/csi.h"

static lte_link moving(int n_sc, int n_tx, int channel, double doppler_hz, int csi,
                       bool noise_known, int pilots, lte_estimator *estimator)
{
    lte_link link = link_of(n_sc, n_tx, n_tx, 2, channel, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_set_doppler(&link, doppler_hz, 2), LTE_OK);
    assert_int_equal(
        lte_estimator_create(channel, n_sc, n_tx, n_tx, lte_csi_rows[csi].estimator, estimator),
        LTE_OK);
    lte_link_estimate(&link, csi, noise_known, *estimator);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, pilots), LTE_OK);
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
        const lte_pilot_lags lags = lte_pilot_lags_of(&doppler, odd);
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
            const lte_combination plain = lte_combine(&lags, 3, (float)(3.0 * s), false, l);
            const lte_combination shrunk =
                lte_combine(&lags, 3, (float)(3.0 * s / (1.0 + s)), true, l);
            const weights w = least(doppler_hz, odd, l, s);
            const double near = 2e-5 * (fabs(w.own) + fabs(w.other));
            assert_near((double)plain.own, w.own, near);
            assert_near((double)plain.other, w.other, near);
            assert_near((double)plain.ageing, 3.0 * w.aged, 1e-4 * w.error + 1e-9);
            assert_near((double)plain.spread * s, w.error - w.aged, 1e-4 * w.error + 1e-9);
            /* of least mean square error: (h + v) / (1 + s), and s / (1 + s) its error */
            assert_near((double)shrunk.own, w.own * (1.0 + s), near * (1.0 + s));
            assert_near((double)shrunk.other, w.other * (1.0 + s), near * (1.0 + s));
            assert_near((double)shrunk.ageing, 3.0 * w.aged, 1e-4 * w.error + 1e-9);
            assert_near((double)shrunk.spread * s / (1.0 + s), w.error - w.aged,
                        1e-4 * w.error + 1e-9);
        }
    }
}

/* Where nothing moves two estimates are worth their mean; no error is too small or too large. */
static void estimates_at_rest_become_their_mean(void **state)
{
    (void)state;
    const lte_pilot_lags rest = {{0.0f}, {0.0f}, 0.0f};
    static const float errors[] = {0.0f, 1e-30f, 1e-6f, 1.0f, 1e6f};
    for (int i = 0; i < 10; i++) {
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
            const lte_combination c = lte_combine(&rest, 1, errors[i % 5], i >= 5, l);
            assert_true(isfinite(c.own) && isfinite(c.spread) && c.ageing >= 0.0f);
            assert_true(c.own == c.other);
            if (errors[i % 5] < 1e-3f)
                assert_near((double)c.own, 0.5, 1e-5);
        }
    }
}

static void slots_of_a_subframe_mirror_each_other(void **state)
{
    (void)state;
    const lte_doppler doppler = lte_doppler_of(300.0, 2);
    const lte_pilot_lags first = lte_pilot_lags_of(&doppler, 0);
    const lte_pilot_lags second = lte_pilot_lags_of(&doppler, 1);
    assert_int_equal(lte_other_slot(6), 7);
    assert_int_equal(lte_other_slot(7), 6);
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        /* but for 16 samples in a slot */
        assert_near((double)first.own[l], (double)second.own[6 - l], 1e-6);
        assert_near((double)first.other[l], (double)second.other[6 - l], 0.01);
    }
}

/* The slots of a subframe as sent, and what is estimated from both of their reference symbols. */
typedef struct {
    batch b[2];
    lte_cf32 *y;        /* [2][n_rx][n_sc] */
    lte_cf32 *h;        /* [2][n_rx][n_tx][n_sc] */
    lte_cf32 *combined; /* [n_rx][n_tx][7][n_sc] */
    lte_combination c[LTE_SLOT_SYMBOLS];
} subframe;

static void subframe_init(subframe *s, const lte_link *link)
{
    const size_t size = (size_t)(link->n_rx * link->carrier.n_sc) * sizeof(lte_cf32);
    for (int odd = 0; odd < 2; odd++)
        batch_init(&s->b[odd], link, 0xa5);
    s->y = poisoned(2 * size, 0xa5);
    s->h = poisoned(2 * size * (size_t)link->n_tx, 0xa5);
    s->combined = poisoned(lte_layout_bytes(link, LTE_PLANES_CSI), 0xa5);
}

static void subframe_fini(subframe *s)
{
    batch_fini(&s->b[0]);
    batch_fini(&s->b[1]);
    free(s->y);
    free(s->h);
    free(s->combined);
}

/* Sends the subframe that begins with slot and estimates; returns the noise. */
static lte_noise subframe_send(subframe *s, const lte_stages *stages, uint64_t slot,
                               lte_noise noise)
{
    const lte_link *link = &s->b[0].link;
    const int n_rx = link->n_rx, n_sc = link->carrier.n_sc;
    for (int odd = 0; odd < 2; odd++) {
        batch_send(&s->b[odd], stages, slot + (uint64_t)odd, noise);
        for (int rx = 0; rx < n_rx; rx++)
            memcpy(
                &s->y[(odd * n_rx + rx) * n_sc],
                &s->b[odd].y_planes[(rx * LTE_SLOT_SYMBOLS + LTE_PILOT_SYMBOL) * (ptrdiff_t)n_sc],
                (size_t)n_sc * sizeof *s->y);
    }
    return lte_stages_estimate_subframe(stages, link, noise, s->y, n_sc, s->h, s->b[0].work);
}

/*
 * Combines what is known for one of its slots, in two pieces as threads share a slot: s->combined,
 * and the slot's batch of H. Returns what the slot is detected by.
 */
static lte_noise subframe_combine(subframe *s, const lte_stages *stages, uint64_t slot,
                                  lte_noise known)
{
    const lte_link *link = &s->b[0].link;
    const int own = (int)(slot % 2), middle = link->carrier.n_groups / 3;
    const lte_cf32 *of_own = &s->h[own * (ptrdiff_t)lte_planes_size(link, 1)];
    const lte_cf32 *of_other = &s->h[(1 - own) * (ptrdiff_t)lte_planes_size(link, 1)];
    batch *b = &s->b[own];
    lte_link_combine(link, slot, &known, s->c);
    stages->combine(link, s->c, middle, link->carrier.n_groups, of_own, of_other, s->combined);
    stages->combine(link, s->c, 0, middle, of_own, of_other, s->combined);
    stages->corner_turn(link, 0, link->carrier.n_groups, s->combined, b->y_planes, b->h, b->y);
    return known;
}

/*
 * sum_k |e_k|^2 an antenna of combined estimates, and what is promised, of symbols of both slots.
 */
static void assert_errors_as_promised(int channel, int n_tx, double doppler_hz, int csi, double snr)
{
    enum { N_SC = 180, SUBFRAMES = 150, PLACES = 2 * LTE_SLOT_SYMBOLS };
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(n_tx, snr);
    const int n = n_tx * n_tx;
    const ptrdiff_t stride = N_SC;
    double sum[PLACES] = {0.0}, squares[PLACES] = {0.0}, promised[PLACES] = {0.0};
    lte_estimator estimator;
    const lte_link link = moving(N_SC, n_tx, channel, doppler_hz, csi, false, 2, &estimator);
    subframe s;
    subframe_init(&s, &link);
    for (uint64_t slot = 0; slot < 2 * SUBFRAMES; slot += 2) {
        const lte_noise estimated = subframe_send(&s, stages, slot, noise);
        for (int i = 0; i < PLACES; i++) {
            const int odd = i / LTE_SLOT_SYMBOLS, l = i % LTE_SLOT_SYMBOLS;
            if (l == 0)
                (void)subframe_combine(&s, stages, slot + (uint64_t)odd, estimated);
            double error = 0.0;
            for (int e = 0; e < n * N_SC; e++) {
                const ptrdiff_t at = (e / N_SC * LTE_SLOT_SYMBOLS + l) * stride + e % N_SC;
                const lte_cf32 known = s.combined[at], is = s.b[odd].h_planes[at];
                const double re = (double)(known.re - is.re), im = (double)(known.im - is.im);
                error += (re * re + im * im) / (n_tx * N_SC);
            }
            sum[i] += error / SUBFRAMES;
            squares[i] += error * error / SUBFRAMES;
            for (int sc = 0; sc < N_SC; sc++)
                promised[i] +=
                    ((double)s.c[l].ageing + (double)s.c[l].spread * (double)estimated.n0 *
                                                 (double)estimated.estimation_error[sc]) /
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
    subframe_fini(&s);
    lte_estimator_free(&estimator);
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
static double expected_ber(double snr, double doppler_hz, double s, int pilots)
{
    double sum = 0.0;
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        const double held = over_time(doppler_hz, l - LTE_PILOT_SYMBOL, 0);
        const double error =
            pilots == 2 ? least(doppler_hz, 0, l, s).error : 1.0 - held * held / (1.0 + s);
        sum += l == LTE_PILOT_SYMBOL ? 0.0 : zf_ber(snr / 2.0, 2, error) / 6.0;
    }
    return sum;
}

/* Errors of ZF and MMSE, QPSK over ETU at 300 Hz, 2x2: ber [2], se [2]. */
static void count_errors(const lte_link *link, double snr, double *ber, double *se)
{
    enum { SUBFRAMES = 3000 };
    const lte_detector detectors[] = {lte_detector_usual(LTE_DETECTOR_zf),
                                      lte_detector_usual(LTE_DETECTOR_mmse)};
    const double bits = 2.0 * 6.0 * 2.0 * 2.0 * link->carrier.n_sc; /* of a subframe */
    double squares[2] = {0.0};
    ber[0] = ber[1] = 0.0;
    for (uint64_t slot = 0; slot < 2 * SUBFRAMES; slot += 2) {
        uint32_t counts[2][2 * LTE_N_HARD_COUNTS(2)];
        lte_power power;
        for (int odd = 0; odd < 2; odd++)
            sweep_slot(lte_stages_best(), link, lte_noise_of(2, snr), detectors, 2,
                       slot + (uint64_t)odd, &power, counts[odd]);
        for (int d = 0; d < 2; d++) {
            double rate = 0.0;
            for (int odd = 0; odd < 2; odd++)
                rate += (double)lte_bit_errors(
                            2, &counts[odd][lte_counts_at(LTE_N_HARD_COUNTS(2), d)]) /
                        bits;
            ber[d] += rate / SUBFRAMES;
            squares[d] += rate * rate / SUBFRAMES;
        }
    }
    for (int d = 0; d < 2; d++)
        se[d] = sqrt((squares[d] - ber[d] * ber[d]) / (SUBFRAMES - 1));
}

/*
 * ZF as theory has it, MMSE never above: 3.8e-2 from one held estimate at 40 dB, 2.2e-3 at most
 * from both with MMSE. From both neither gets worse at a higher SNR; MMSE with one does, as its
 * loading knows nothing of ageing.
 */
static void both_references_lower_the_floor_of_motion(void **state)
{
    (void)state;
    for (int pilots = 1; pilots <= 2; pilots++) {
        double last[2] = {1.0, 1.0};
        lte_estimator estimator;
        const lte_link link =
            moving(72, 2, LTE_CHANNEL_etu, 300.0, LTE_CSI_dmrs_mmse, false, pilots, &estimator);
        for (int snr_db = 20; snr_db <= 60; snr_db += 20) {
            const double snr = pow(10.0, snr_db / 10.0), n0 = 2.0 / snr;
            const double error = (double)estimator.mean_error[lte_link_weights(&link, (float)n0)];
            const double expected = expected_ber(snr, 300.0, 0.5 * n0 * error, pilots);
            double ber[2], se[2];
            count_errors(&link, snr, ber, se);
            print_message("%d at %d dB: zf %.3e +- %.1e, %.3e by theory; mmse %.3e\n", pilots,
                          snr_db, ber[0], se[0], expected, ber[1]);
            assert_near(ber[0], expected, 4.0 * se[0] + 0.03 * expected);
            for (int d = 0; d < 2; d++) {
                assert_true(pilots == 1 || ber[d] <= last[d]);
                last[d] = ber[d];
            }
            assert_true(ber[1] <= ber[0]);
            if (snr_db == 40 && pilots == 1)
                assert_near(ber[1], 3.8e-2, 2e-3);
            if (snr_db == 40 && pilots == 2)
                assert_true(ber[1] < 2.2e-3 + 3.0 * se[1]);
        }
        lte_estimator_free(&estimator);
    }
}

/* The stages of a table, fused and not, against those of the first: both slots of a subframe. */
static void compare_table(const lte_stages *stages, const void *arg)
{
    const lte_link *link = arg;
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    const size_t row = lte_packed_row(link);
    lte_detector detectors[LTE_N_DETECTORS];
    const int n_detectors = detectors_for(link->n_tx, link->n_bits, detectors);
    subframe first, s;
    subframe_init(&first, link);
    subframe_init(&s, link);
    const lte_noise expected = subframe_send(&first, lte_stages_all[0], 4, noise);
    const lte_noise estimated = subframe_send(&s, stages, 4, noise);
    assert_true(estimated.n0 == expected.n0);
    for (uint64_t slot = 4; slot < 6; slot++) {
        uint32_t errors[LTE_N_DETECTORS * LTE_N_HARD_COUNTS(LTE_PILOT_LAYERS)];
        batch *b = &s.b[slot % 2];
        lte_power power;
        (void)subframe_combine(&first, lte_stages_all[0], slot, expected);
        const lte_noise known = subframe_combine(&s, stages, slot, estimated);
        assert_memory_equal(s.combined, first.combined, lte_layout_bytes(link, LTE_PLANES_CSI));
        sweep_slot(stages, link, noise, detectors, n_detectors, slot, &power, errors);
        assert_memory_equal(&power, &b->power, sizeof power);
        for (int d = 0; d < n_detectors; d++) {
            uint8_t *bits = poisoned(b->bits_size, 0x5a);
            batch_decide(b, stages, detectors[d], known);
            assert_memory_equal(&errors[lte_counts_at(link->output.n_counts, d)], b->errors,
                                b->errors_size);
            stages->slot(link, detectors[d], known,
                         lte_groups_of(0, link->carrier.n_groups, b->work), s.combined, b->y_planes,
                         bits);
            assert_memory_equal(bits, b->bits, b->bits_size);
            for (size_t k = 0; k < row; k++)
                assert_int_equal(bits[LTE_PILOT_SYMBOL * row + k], 0);
            free(bits);
        }
    }
    subframe_fini(&first);
    subframe_fini(&s);
}

/* Links of every receiver that estimates, 1 to 4 layers, each with a number. */
static void for_estimating_links(void (*check)(lte_link *link, int i))
{
    for (int i = 0; i < 2 * LTE_N_CSI; i++) {
        const int csi = i / 2, n_tx = 1 + i % LTE_PILOT_LAYERS;
        lte_estimator estimator;
        if (!lte_csi_estimates(csi) || (is_short() && i % 2 != csi % 2))
            continue;
        lte_link link = moving(is_short() ? 72 : 180, n_tx, LTE_CHANNEL_eva, 300.0, csi, i % 3 == 0,
                               2, &estimator);
        check(&link, i);
        lte_estimator_free(&estimator);
    }
}

static void compare_tables(lte_link *link, int i)
{
    (void)i;
    for_each_table(compare_table, link);
}

static void every_table_and_path_gives_the_same(void **state)
{
    (void)state;
    for_estimating_links(compare_tables);
}

/* A subcarrier without an inverse at all times: of the matrices of symbols with data alone. */
static void a_reference_symbol_has_no_matrix_to_flag(void **state)
{
    (void)state;
    lte_estimator estimator;
    const lte_link link =
        moving(72, 2, LTE_CHANNEL_eva, 70.0, LTE_CSI_dmrs_ls, false, 2, &estimator);
    assert_int_equal(lte_link_matrices(&link), 6 * 72);
    batch b;
    batch_init(&b, &link, 0xa5);
    batch_send(&b, lte_stages_best(), 0, lte_noise_of(2, 30.0));
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++)
        for (int e = 0; e < 8; e++)
            b.h[(l * 8 + e) * LTE_LANES + 5] = 0.0f;
    batch_decide(&b, lte_stages_best(), lte_detector_usual(LTE_DETECTOR_zf), lte_noise_of(2, 30.0));
    assert_int_equal(b.errors[lte_flagged_at(2)], 6);
    batch_fini(&b);
    lte_estimator_free(&estimator);
}

/* Slots first .. first + n - 1, subframes cut in two or not, of every backend. */
static void check_sweep(const lte_link *link, uint64_t first, int n)
{
    enum { MOST = 6, COUNTS = LTE_N_DETECTORS * LTE_N_HARD_COUNTS(LTE_PILOT_LAYERS) };
    const lte_noise noise = lte_noise_of(link->n_tx, 50.0);
    lte_detector detectors[LTE_N_DETECTORS];
    const int n_detectors = detectors_for(link->n_tx, link->n_bits, detectors);
    const ptrdiff_t row = lte_counts_at(link->output.n_counts, n_detectors);
    uint32_t expected[MOST * COUNTS], counted[MOST * COUNTS];
    lte_power expected_power[MOST], power[MOST];
    assert_true(n <= MOST);
    for (int i = 0; i < n; i++)
        sweep_slot(lte_stages_all[0], link, noise, detectors, n_detectors, first + (uint64_t)i,
                   &expected_power[i], &expected[i * row]);
    for (int b = 0; lte_backends[b]; b++) {
        const lte_engine_options options = {.n_threads = 2};
        lte_engine *engine = NULL;
        if (lte_backends[b]->n_devices() == 0)
            continue;
        assert_int_equal(lte_backends[b]->create(lte_backends[b], link, &options, &engine), LTE_OK);
        assert_int_equal(lte_backends[b]->sweep->start(engine, noise, detectors, n_detectors, first,
                                                       n, power, counted),
                         LTE_OK);
        assert_int_equal(lte_backends[b]->sweep->wait(engine), LTE_OK);
        assert_memory_equal(power, expected_power, (size_t)n * sizeof *power);
        assert_memory_equal(counted, expected, (size_t)(n * row) * sizeof *counted);
        lte_backends[b]->free(engine);
    }
}

static void check_sweeps(lte_link *link, int i)
{
    link->receiver.inverter = i % LTE_N_INVERTERS;
    check_sweep(link, 4, is_short() ? 2 : 6);
    check_sweep(link, 3, 1 + i % 5);
}

static void sweeps_count_alike_on_every_backend(void **state)
{
    (void)state;
    for_estimating_links(check_sweeps);
}

enum { DISTINCT = 6, CARRIERS = 7 };

/* Bits of slots 0 .. DISTINCT - 1 by the stages of the first table. */
static uint8_t *expected_bits(const lte_link *link, int detector, lte_noise noise)
{
    const size_t size = LTE_SLOT_SYMBOLS * lte_packed_row(link);
    uint8_t *bits = poisoned(DISTINCT * size, 0);
    subframe s;
    subframe_init(&s, link);
    for (uint64_t slot = 0; slot < DISTINCT; slot++) {
        const lte_noise estimated = subframe_send(&s, lte_stages_all[0], slot / 2 * 2, noise);
        const lte_noise known = subframe_combine(&s, lte_stages_all[0], slot, estimated);
        batch_decide(&s.b[slot % 2], lte_stages_all[0], lte_detector_usual(detector), known);
        memcpy(&bits[slot * size], s.b[slot % 2].bits, size);
    }
    subframe_fini(&s);
    return bits;
}

/* Periods of one, four and seven carriers, and single slots by stages. */
static void check_periods(const lte_backend *backend, lte_engine *engine, const lte_link *link,
                          lte_slot_buffer *buffer, int placement, int detector, lte_noise noise,
                          const uint8_t *expected)
{
    lte_slot_setup setup;
    double completed_s, gap_s = 0.0, us[LTE_N_TIMED];
    for (int n = is_short() ? CARRIERS : 1; n <= CARRIERS; n += 3) {
        assert_int_equal(lte_slot_buffer_reserve(buffer, n), LTE_OK);
        const lte_slot_memory memory = lte_slot_buffer_memory(buffer);
        const size_t size = memory.out_bytes;
        const lte_slot_plan plan = {
            .job = {memory, noise, .detector = lte_detector_usual(detector), .n_carriers = n},
            .placement = placement,
            .n_threads = 0};
        for (int by_stages = 0; by_stages < 2; by_stages++) {
            lte_slot_buffer_clear(buffer, 0, UINT64_MAX);
            assert_int_equal(backend->slots->begin(engine, &plan, &setup), LTE_OK);
            for (uint64_t i = 0; i < 2 * memory.n_out; i += by_stages ? 1 : (uint64_t)n)
                assert_int_equal(by_stages
                                     ? backend->slots->stages(engine, i, us)
                                     : backend->slots->run(engine, i, 0.0, &completed_s, &gap_s),
                                 LTE_OK);
            if (by_stages && backend->slots->inversion)
                assert_int_equal(backend->slots->inversion(engine, lte_link_matrices(link), us),
                                 LTE_OK);
            assert_int_equal(backend->slots->end(engine), LTE_OK);
            for (uint64_t i = 0; i < memory.n_out; i++)
                assert_memory_equal(&memory.bits[i * size], &expected[i % DISTINCT * size], size);
        }
    }
}

static void slot_periods_give_the_bits_of_the_stages(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * LTE_N_CSI; i++) {
        const int csi = i / 2, detector = i % 2 ? LTE_DETECTOR_mmse : LTE_DETECTOR_mrc;
        lte_estimator estimator;
        if (!lte_csi_estimates(csi) || (is_short() && i % 2 != csi % 2))
            continue;
        lte_link link =
            moving(84, 2 + i % 2, LTE_CHANNEL_etu, 300.0, csi, i % 3 == 0, 2, &estimator);
        link.receiver.inverter = i % LTE_N_INVERTERS;
        const lte_noise noise = lte_noise_of(link.n_tx, 50.0);
        uint8_t *expected = expected_bits(&link, detector, noise);
        for (int b = 0; lte_backends[b]; b++) {
            const lte_engine_options options = {.n_threads = 1 + i % 3};
            lte_engine *engine = NULL;
            lte_slot_buffer *buffer = NULL;
            if (lte_backends[b]->n_devices() == 0)
                continue;
            assert_int_equal(lte_backends[b]->create(lte_backends[b], &link, &options, &engine),
                             LTE_OK);
            assert_int_equal(
                lte_slot_buffer_create(lte_backends[b], engine, &link, noise, 5, &buffer),
                LTE_EINVAL); /* half a subframe */
            assert_int_equal(
                lte_slot_buffer_create(lte_backends[b], engine, &link, noise, DISTINCT, &buffer),
                LTE_OK);
            assert_int_equal(lte_slot_buffer_make(buffer, 0, DISTINCT), LTE_OK);
            for (int p = 0; p < lte_backends[b]->slots->n_placements; p++)
                check_periods(lte_backends[b], engine, &link, buffer, p, detector, noise, expected);
            lte_slot_buffer_free(buffer);
            lte_backends[b]->free(engine);
        }
        free(expected);
        lte_estimator_free(&estimator);
    }
}

static void what_cannot_be_combined_is_refused(void **state)
{
    (void)state;
    lte_estimator estimator;
    lte_link link = moving(72, 2, LTE_CHANNEL_eva, 70.0, LTE_CSI_dmrs_ls, false, 2, &estimator);
    assert_int_equal(link.receiver.n_csi, LTE_SLOT_SYMBOLS);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 3), LTE_EINVAL);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 0), LTE_EINVAL);
    assert_int_equal(link.receiver.pilots, 2);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 1), LTE_OK);
    assert_int_equal(link.receiver.n_csi, 1);
    assert_int_equal(lte_link_set_doppler(&link, 70.0, 3),
                     LTE_OK); /* drops of one slot and a half */
    lte_link_estimate(&link, LTE_CSI_dmrs_ls, false, estimator);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 2), LTE_EINVAL);
    lte_link_set_perfect_csi(&link);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 2), LTE_EINVAL);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 1), LTE_OK);
    link = link_of(72, 2, 2, 2, LTE_CHANNEL_eva, LTE_INVERTER_ldl); /* at rest */
    lte_link_estimate(&link, LTE_CSI_dmrs_ls, false, estimator);
    assert_int_equal(lte_link_set_dmrs_symbols(&link, 2), LTE_EINVAL);
    lte_estimator_free(&estimator);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(pilot_combination, weights_are_those_of_least_error),
    LTE_CASE(pilot_combination, estimates_at_rest_become_their_mean),
    LTE_CASE(pilot_combination, slots_of_a_subframe_mirror_each_other),
    LTE_CASE(pilot_combination, every_table_and_path_gives_the_same),
    LTE_CASE(pilot_combination, a_reference_symbol_has_no_matrix_to_flag),
    LTE_CASE(pilot_combination, sweeps_count_alike_on_every_backend),
    LTE_CASE(pilot_combination, slot_periods_give_the_bits_of_the_stages),
    LTE_CASE(pilot_combination, what_cannot_be_combined_is_refused),
};

static const struct CMUnitTest more[] = {
    LTE_CASE(pilot_combination, combined_estimates_err_as_promised),
    LTE_CASE(pilot_combination, both_references_lower_the_floor_of_motion),
};

int main(void)
{
    return RUN_CASES_AND_MORE("pilot_combination");
}
