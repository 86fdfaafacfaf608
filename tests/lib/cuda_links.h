#ifndef LTE_TESTS_CUDA_LINKS_H
#define LTE_TESTS_CUDA_LINKS_H
/*
 * Links of many shapes for the tests of the CUDA backend, and what they refer to in device memory.
 *
 *     static void check_sweep(const lte_link *link);
 *
 *     for_shapes(check_sweep);
 */

#include "kernels/backends/backend.h"
#include "kernels/link/inversion_rows.h"
#include "phy/base/normal.h"
#include "phy/base/philox.h"
#include "phy/channel/correlation.h"
#include "tests/lib/batch.h"
#include "tests/lib/device.h"

enum { SEED = 20260 };

#define COUNT(id) +1
enum { N_TAP_CHANNELS = 0 LTE_TAP_CHANNELS(COUNT) };
#undef COUNT

/* Correlates the antennas of a link, if their numbers are defined. */
static inline void correlate(lte_link *link)
{
    static float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    const lte_correlation correlation = {.alpha = 0.3, .beta = 0.9};
    if (!lte_correlation_is_defined(link->n_rx) || !lte_correlation_is_defined(link->n_tx))
        return;
    assert_int_equal(lte_correlation_factor(&correlation, link->n_rx, link->n_tx, factor), LTE_OK);
    link->channel.correlation_factor = factor;
}

/* The link with what it refers to in device memory. */
static inline lte_link on_the_device(const lte_link *link)
{
    const size_t n = (size_t)link->n_rx * (size_t)link->n_tx;
    lte_link there = *link;
    lte_estimator *estimator = &there.receiver.estimator;
    const size_t n_sets = (size_t)estimator->n_sets, window = (size_t)estimator->window;
    const size_t n_tx = (size_t)link->n_tx, lanes = (size_t)link->carrier.n_groups * LTE_LANES;
    const size_t n_basis = (size_t)estimator->n_basis,
                 pitch = (size_t)lte_estimator_pitch(estimator);
    const size_t n_row = (size_t)link->carrier.n_sc * 2 * pitch, n_column = n_basis * 2 * lanes;
    if (link->channel.correlation_factor)
        there.channel.correlation_factor = on_device(
            link->channel.correlation_factor, n * n * sizeof *link->channel.correlation_factor);
    if (!lte_link_estimates(link))
        return there;
    estimator->reference =
        on_device(estimator->reference, n_tx * (size_t)link->carrier.n_sc * sizeof(lte_cf32));
    estimator->weight =
        on_device(estimator->weight, n_sets * n_tx * window * window * sizeof(lte_cf32));
    estimator->row = on_device(estimator->row, n_row * sizeof(float));
    estimator->column = on_device(estimator->column, n_column * sizeof(float));
    estimator->matrix =
        on_device(estimator->matrix, n_sets * n_tx * n_basis * 2 * n_tx * pitch * sizeof(float));
    estimator->estimation_error =
        on_device(estimator->estimation_error, n_sets * lanes * sizeof(float));
    estimator->mean_error = on_device(estimator->mean_error, n_sets * sizeof(float));
    return there;
}

static inline void off_the_device(const lte_link *there)
{
    if (there->channel.correlation_factor)
        ok(cudaFree((void *)there->channel.correlation_factor));
    if (!lte_link_estimates(there))
        return;
    ok(cudaFree((void *)there->receiver.estimator.reference));
    ok(cudaFree((void *)there->receiver.estimator.weight));
    ok(cudaFree((void *)there->receiver.estimator.row));
    ok(cudaFree((void *)there->receiver.estimator.column));
    ok(cudaFree((void *)there->receiver.estimator.matrix));
    ok(cudaFree((void *)there->receiver.estimator.estimation_error));
    ok(cudaFree((void *)there->receiver.estimator.mean_error));
}

/*
 * Shapes: every order, square (some correlated), one antenna more (every other channel moves), the
 * most antennas; odd numbers of subcarriers; every modulation, moving and correlated at once.
 */
typedef void shape_check(const lte_link *link);

static inline void for_shapes(shape_check *check)
{
    const int n_sc = small() ? 75 : 1003;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        const int antennas[] = {n_tx, n_tx + 1, LTE_FEW_RX};
        if (small() && n_tx != 2 && n_tx != 3 && n_tx != 8)
            continue;
        for (int i = 0; i < 3; i++) {
            for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
                lte_link link;
                const int n_bits = 2 + 2 * ((n_tx + i + inverter) % LTE_N_MODULATIONS);
                /* one antenna more: all channels but awgn, which is square */
                const int of_taps = LTE_CHANNEL_flat + (n_tx + inverter) % N_TAP_CHANNELS;
                const int channel = i == 1 ? of_taps : LTE_CHANNEL_rayleigh;
                assert_int_equal(lte_link_init(&link, n_sc, antennas[i], n_tx, n_bits, channel,
                                               inverter, SEED + (uint64_t)n_tx),
                                 LTE_OK);
                if (i == 1 && inverter == LTE_INVERTER_ldl)
                    assert_int_equal(lte_link_set_doppler(&link, 300.0, 3), LTE_OK);
                if (i == 0 && inverter == LTE_INVERTER_ldl)
                    correlate(&link);
                check(&link);
            }
        }
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS && !small(); n_bits += 2) {
            static const int channels[] = {LTE_CHANNEL_rayleigh, LTE_CHANNEL_awgn, LTE_CHANNEL_eva,
                                           LTE_CHANNEL_etu, LTE_CHANNEL_epa};
            lte_link link;
            assert_int_equal(lte_link_init(&link, 72 + n_bits / 2, n_tx, n_tx, n_bits,
                                           channels[n_bits / 2 - 1], n_bits / 2 % 2, SEED),
                             LTE_OK);
            if (link.channel.profile.n_taps > 0) {
                assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
                correlate(&link);
            }
            check(&link);
        }
    }
}

/* Large arrays, at rest and moving; inverters of small matrices, too, where they take the order. */
static inline void for_large_shapes(shape_check *check)
{
    static const int shapes[][3] = {{17, 1, 75},  {20, 3, 75},   {64, 8, 150}, {9, 9, 40},
                                    {64, 16, 72}, {40, 21, 37},  {33, 33, 17}, {128, 32, 40},
                                    {256, 5, 33}, {256, 128, 3}, {130, 100, 5}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int n_tx = shapes[i][1];
        const int channel = i % 2 ? LTE_CHANNEL_eva : LTE_CHANNEL_rayleigh;
        lte_link link;
        if (small() && i % 3)
            continue;
        for (int inverter = 0; inverter < LTE_N_INVERTERS && n_tx > LTE_MAX_ORDER; inverter++) {
            if (n_tx > 32 || lte_inverter_rows[inverter].max_order < n_tx)
                continue;
            assert_int_equal(lte_link_init(&link, shapes[i][2], shapes[i][0], n_tx, 4, channel,
                                           inverter, SEED + i),
                             LTE_OK);
            check(&link);
        }
        assert_int_equal(lte_link_init(&link, shapes[i][2], shapes[i][0], n_tx,
                                       2 + 2 * ((int)i % 4), channel, inverter_for((int)i, n_tx),
                                       SEED + i),
                         LTE_OK);
        check(&link);
        if (channel != LTE_CHANNEL_eva || n_tx > 32)
            continue;
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
        check(&link);
    }
}

/* Receivers that estimate: all layers, channels, estimators, noise known and not. */
static inline void for_estimating_shapes(shape_check *check)
{
    static const int channels[] = {LTE_CHANNEL_flat, LTE_CHANNEL_eva, LTE_CHANNEL_etu,
                                   LTE_CHANNEL_awgn};
    for (int n_tx = 1; n_tx <= LTE_PILOT_LAYERS; n_tx++) {
        for (int i = 0; i < 8; i++) {
            const int any = i % 4 == 2 ? 1 + n_tx % 2 : (i + i / 4 + n_tx) % 4;
            const int channel = n_tx == 1 && i == 7 ? LTE_CHANNEL_rayleigh : channels[any];
            const int inverter = i == 5 ? LTE_INVERTER_cholesky_delayed : (i + i / 4 + n_tx) % 2;
            const int more = channel == LTE_CHANNEL_awgn ? 0 : (i + n_tx) % 3;
            const int n_rx = more == 2 ? LTE_FEW_RX : n_tx + more;
            const int n_sc = small() ? 72 : i % 2 ? 396 : 1200;
            const int csi = LTE_CSI_despread + i % (LTE_N_CSI - LTE_CSI_despread);
            const bool known = channel == LTE_CHANNEL_rayleigh || i / 4;
            lte_link link;
            lte_estimator estimator;
            if (small() && i > 3)
                continue;
            assert_int_equal(lte_link_init(&link, n_sc, n_rx, n_tx, 2 + 2 * (i % 4), channel,
                                           inverter, SEED + (uint64_t)i),
                             LTE_OK);
            if (link.channel.profile.n_taps > 1 && i % 2)
                assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
            assert_int_equal(lte_estimator_create(channel, n_sc, n_rx, n_tx,
                                                  lte_csi_rows[csi].estimator, &estimator),
                             LTE_OK);
            lte_link_estimate(&link, csi, known, estimator);
            check(&link);
            lte_estimator_free(&estimator);
        }
    }
}

/* Receivers that estimate from both reference symbols of a subframe: one kernel or by batches. */
static inline void for_both_references(shape_check *check)
{
    for (int i = 0; i < (small() ? 4 : 10); i++) {
        const int n_tx = 1 + i % LTE_PILOT_LAYERS, n_rx = i == 8 ? 2 * LTE_FEW_RX : n_tx + i % 3;
        const int csi = LTE_CSI_despread + i % (LTE_N_CSI - LTE_CSI_despread);
        const int channel = i % 2 ? LTE_CHANNEL_eva : LTE_CHANNEL_etu;
        const int inverter = i == 6 ? LTE_INVERTER_cholesky_delayed : i / 2 % 2;
        const int n_sc = small() || i == 8 ? 72 : i % 2 ? 396 : 1200;
        lte_link link;
        lte_estimator estimator;
        assert_int_equal(lte_link_init(&link, n_sc, n_rx, n_tx, 2 + 2 * (i % 4), channel, inverter,
                                       SEED + (uint64_t)i),
                         LTE_OK);
        assert_int_equal(lte_link_set_doppler(&link, 300.0, 2), LTE_OK);
        assert_int_equal(lte_estimator_create(channel, n_sc, n_rx, n_tx,
                                              lte_csi_rows[csi].estimator, &estimator),
                         LTE_OK);
        lte_link_estimate(&link, csi, i / 4 % 2 == 1, estimator);
        assert_int_equal(lte_link_set_dmrs_symbols(&link, LTE_SUBFRAME_PILOTS), LTE_OK);
        check(&link);
        lte_estimator_free(&estimator);
    }
}

/* Checks a link again with a version of its inverter, another at each call, if one takes it. */
static inline void with_version(const lte_link *link, shape_check *check)
{
    static int version = LTE_INVERSION_FAST;
    lte_link other = *link;
    for (int i = 1; i < LTE_N_INVERSIONS; i++) {
        version = version % (LTE_N_INVERSIONS - 1) + 1;
        const lte_inversion_row *row = &lte_inversion_rows[version];
        if (row->inverter != link->receiver.inverter || link->n_tx < row->min_order ||
            link->n_tx > row->max_order)
            continue;
        assert_int_equal(lte_link_set_inversion(&other, version), LTE_OK);
        check(&other);
        return;
    }
}

static inline void fill_planes(lte_cf32 *planes, size_t n, uint64_t seed)
{
    const lte_philox_key key = lte_philox_key_of(seed);
    for (size_t i = 0; i < n; i++) {
        const lte_words w = lte_philox(&key, i, 0);
        const lte_cplx z = lte_normal(w.v[0], w.v[1]);
        planes[i].re = z.re;
        planes[i].im = z.im;
    }
}

/* Lets a link give LLRs. Such links share one table of losses: that of the last call. */
static inline void let_give_llrs(lte_link *link, int demapper, float scale)
{
    static uint32_t losses[LTE_SCALE_LOSSES];
    const lte_output output = {.demapper = demapper, .llr_scale = scale, .scale_losses = losses};
    lte_scale_losses((double)scale, losses);
    assert_int_equal(lte_link_set_llr_output(link, &output), LTE_OK);
}

static inline lte_engine *new_engine(const lte_link *link)
{
    lte_engine *engine = NULL;
    const lte_engine_options options = {0};
    assert_int_equal(lte_backend_cuda.create(&lte_backend_cuda, link, &options, &engine), LTE_OK);
    return engine;
}

#endif
