/*
 * The CUDA backend against the CPU's stages, bit for bit. Skipped (exit 77) without a device.
 * With LTE_TEST_SMALL set there are fewer shapes and slots: for tools that slow kernels down; with
 * LTE_TEST_NO_PERSISTENT no kernel stays: for tools that wait for each kernel to end.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/backends/backend.h"
#include "kernels/cuda/launchers.h"
#include "kernels/cuda/inversion/invert_versions.h"
#include "kernels/methods/inverse/inverse.h"
#include "kernels/methods/reference/reference_cuda.h"
#include "kernels/base/order.h"
#include "phy/channel/correlation.h"
#include "phy/detection/detection.h"
#include "phy/inversion/gram.h"
#include "phy/inversion/inversion.h"
#include "phy/base/normal.h"
#include "tests/lib/batch.h"
#include "tests/cuda/cuda_probe.h"
#include "tests/lib/device.h"

enum { SEED = 20260 };

static void words_are_those_of_curand(void **state)
{
    (void)state;
    enum { N = 1003 };
    static uint32_t theirs[4 * N], ours[4 * N], cpu[4 * N];
    const uint64_t seeds[] = {0, 1, 0x123456789abcdef0u, INT64_MAX};
    const uint64_t subsequences[] = {0, 7, 8 * 1000003ull + 2, UINT64_MAX};
    for (size_t s = 0; s < 4; s++) {
        const lte_philox_key key = lte_philox_key_of(seeds[s]);
        ok((cudaError_t)probe_words(seeds[s], subsequences[s], N, theirs, ours));
        for (uint32_t b = 0; b < N; b++) {
            const lte_words w = lte_philox(&key, subsequences[s], b);
            memcpy(&cpu[4 * b], w.v, sizeof w.v);
        }
        assert_memory_equal(theirs, ours, sizeof ours);
        assert_memory_equal(theirs, cpu, sizeof cpu);
    }
}

static void moderate_root_is_correctly_rounded(void **state)
{
    (void)state;
    uint64_t different = 1;
    const uint32_t last = small() ? 0x32810000u : 0x42800000u;
    ok((cudaError_t)probe_roots(0x32800000u, last, &different)); /* 2^-26 to 2^6 */
    assert_int_equal(different, 0);
    ok((cudaError_t)probe_roots(0x80000000u, 0x80000000u, &different)); /* -0 */
    assert_int_equal(different, 0);
    ok((cudaError_t)probe_roots(0, 0, &different));
    assert_int_equal(different, 0);
}

static void moderate_reciprocal_is_correctly_rounded(void **state)
{
    (void)state;
    uint64_t different = 1;
    const uint32_t last = small() ? 0x19810000u : 0x60000000u;
    ok((cudaError_t)probe_reciprocals(0x19800000u, last, &different)); /* 2^-76 to 2^65 */
    assert_int_equal(different, 0);
    ok((cudaError_t)probe_reciprocals(0x99800000u, 0x80000000u | last, &different)); /* below 0 */
    assert_int_equal(different, 0);
}

#define COUNT(id) +1
enum { N_TAP_CHANNELS = 0 LTE_TAP_CHANNELS(COUNT) };
#undef COUNT

/* Correlates the antennas of a link, if their numbers are defined. */
static void correlate(lte_link *link)
{
    static float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    const lte_correlation correlation = {.alpha = 0.3, .beta = 0.9};
    if (!lte_correlation_is_defined(link->n_rx) || !lte_correlation_is_defined(link->n_tx))
        return;
    assert_int_equal(lte_correlation_factor(&correlation, link->n_rx, link->n_tx, factor), LTE_OK);
    link->correlation_factor = factor;
}

/* The link with what it refers to in device memory. */
static lte_link on_the_device(const lte_link *link)
{
    const size_t n = (size_t)link->n_rx * (size_t)link->n_tx;
    lte_link there = *link;
    lte_pilots *pilots = &there.pilots;
    const size_t n_sets = (size_t)pilots->n_sets, window = (size_t)pilots->window;
    const size_t n_tx = (size_t)link->n_tx, lanes = (size_t)link->n_groups * LTE_LANES;
    const size_t n_basis = (size_t)pilots->n_basis, pitch = (size_t)lte_pilot_pitch(pilots);
    const size_t n_row = (size_t)link->n_sc * 2 * pitch, n_column = n_basis * 2 * lanes;
    if (link->correlation_factor)
        there.correlation_factor =
            on_device(link->correlation_factor, n * n * sizeof *link->correlation_factor);
    if (!lte_link_estimates(link))
        return there;
    pilots->reference = on_device(pilots->reference, n_tx * (size_t)link->n_sc * sizeof(lte_cf32));
    pilots->weight = on_device(pilots->weight, n_sets * n_tx * window * window * sizeof(lte_cf32));
    pilots->row = on_device(pilots->row, n_row * sizeof(float));
    pilots->column = on_device(pilots->column, n_column * sizeof(float));
    pilots->matrix =
        on_device(pilots->matrix, n_sets * n_tx * n_basis * 2 * n_tx * pitch * sizeof(float));
    pilots->estimation_error = on_device(pilots->estimation_error, n_sets * lanes * sizeof(float));
    pilots->mean_error = on_device(pilots->mean_error, n_sets * sizeof(float));
    return there;
}

static void off_the_device(const lte_link *there)
{
    if (there->correlation_factor)
        ok(cudaFree((void *)there->correlation_factor));
    if (!lte_link_estimates(there))
        return;
    ok(cudaFree((void *)there->pilots.reference));
    ok(cudaFree((void *)there->pilots.weight));
    ok(cudaFree((void *)there->pilots.row));
    ok(cudaFree((void *)there->pilots.column));
    ok(cudaFree((void *)there->pilots.matrix));
    ok(cudaFree((void *)there->pilots.estimation_error));
    ok(cudaFree((void *)there->pilots.mean_error));
}

/*
 * Shapes: every order, square (some correlated), one antenna more (every other channel moves), the
 * most antennas; odd numbers of subcarriers; every modulation, moving and correlated at once.
 */
typedef void shape_check(const lte_link *link);

static void for_shapes(shape_check *check)
{
    const int n_sc = small() ? 75 : 1003;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        const int antennas[] = {n_tx, n_tx + 1, LTE_FEW_RX};
        if (small() && n_tx != 2 && n_tx != 3 && n_tx != 8)
            continue;
        for (int i = 0; i < 3; i++) {
            for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
                lte_link link;
                const int n_bits = 2 + 2 * ((n_tx + i + inverter) % 4);
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
                                           LTE_CHANNEL_etu};
            lte_link link;
            assert_int_equal(lte_link_init(&link, 72 + n_bits / 2, n_tx, n_tx, n_bits,
                                           channels[n_bits / 2 - 1], n_bits / 2 % 2, SEED),
                             LTE_OK);
            if (link.profile.n_taps > 0) {
                assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
                correlate(&link);
            }
            check(&link);
        }
    }
}

/* Large arrays, at rest and moving; inverters of small matrices, too, where they take the order. */
static void for_large_shapes(shape_check *check)
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
static void for_estimating_shapes(shape_check *check)
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
            lte_pilots pilots;
            if (small() && i > 3)
                continue;
            assert_int_equal(lte_link_init(&link, n_sc, n_rx, n_tx, 2 + 2 * (i % 4), channel,
                                           inverter, SEED + (uint64_t)i),
                             LTE_OK);
            if (link.profile.n_taps > 1 && i % 2)
                assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
            assert_int_equal(
                lte_pilots_create(channel, n_sc, n_rx, n_tx, lte_csi_rows[csi].estimator, &pilots),
                LTE_OK);
            lte_link_estimate(&link, csi, known, pilots);
            check(&link);
            lte_pilots_free(&pilots);
        }
    }
}

/* Receivers that estimate from both reference symbols of a subframe: one kernel or by batches. */
static void for_both_references(shape_check *check)
{
    for (int i = 0; i < (small() ? 4 : 10); i++) {
        const int n_tx = 1 + i % LTE_PILOT_LAYERS, n_rx = i == 8 ? 2 * LTE_FEW_RX : n_tx + i % 3;
        const int csi = LTE_CSI_despread + i % (LTE_N_CSI - LTE_CSI_despread);
        const int channel = i % 2 ? LTE_CHANNEL_eva : LTE_CHANNEL_etu;
        const int inverter = i == 6 ? LTE_INVERTER_cholesky_delayed : i / 2 % 2;
        const int n_sc = small() || i == 8 ? 72 : i % 2 ? 396 : 1200;
        lte_link link;
        lte_pilots pilots;
        assert_int_equal(lte_link_init(&link, n_sc, n_rx, n_tx, 2 + 2 * (i % 4), channel, inverter,
                                       SEED + (uint64_t)i),
                         LTE_OK);
        assert_int_equal(lte_link_set_doppler(&link, 300.0, 2), LTE_OK);
        assert_int_equal(
            lte_pilots_create(channel, n_sc, n_rx, n_tx, lte_csi_rows[csi].estimator, &pilots),
            LTE_OK);
        lte_link_estimate(&link, csi, i / 4 % 2 == 1, pilots);
        assert_int_equal(lte_link_set_dmrs_symbols(&link, LTE_SUBFRAME_REFERENCES), LTE_OK);
        check(&link);
        lte_pilots_free(&pilots);
    }
}

static void fill_planes(lte_cf32 *planes, size_t n, uint64_t seed)
{
    const lte_philox_key key = lte_philox_key_of(seed);
    for (size_t i = 0; i < n; i++) {
        const lte_words w = lte_philox(&key, i, 0);
        const lte_cplx z = lte_normal(w.v[0], w.v[1]);
        planes[i].re = z.re;
        planes[i].im = z.im;
    }
}

/* From the reference symbol to bits: estimates, residual and all that follows from them. */
static void check_estimates(const lte_link *link)
{
    const lte_stages *cpu = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    if (lte_link_in_batches(link))
        return; /* its stages are others */
    const int last = link->n_groups, detector = LTE_DETECTOR_mmse;
    const uint64_t slot = 11;
    batch a, b;
    batch_init(&a, link, 0xa5);
    batch_init(&b, link, 0x5a);
    const lte_link gpu = on_the_device(link);
    const size_t h_size = (size_t)(link->n_rx * link->n_tx * link->n_sc) * sizeof(lte_cf32);
    const size_t y_size = (size_t)(link->n_rx * LTE_SLOT_SYMBOLS * link->n_sc) * sizeof(lte_cf32);
    lte_cf32 *h = poisoned(h_size, 0xa5), *h_there = poisoned(h_size, 0x5a);
    int64_t residual, residual_there = 0, next = -1;

    batch_send(&a, cpu, slot, noise);
    const lte_noise known = estimate_planes(link, cpu, noise, a.y_planes, h, &residual);
    lte_cf32 *d_tap = NULL, *d_planes = on_device(a.y_planes, y_size);
    lte_cf32 *d_estimate = on_device(h_there, h_size);
    int64_t *d_residual = on_device(&residual_there, sizeof residual_there);
    int64_t *d_next = on_device(&next, sizeof next);
    uint32_t *d_label = on_device(a.sent, a.labels_size);
    float *d_h = on_device(b.h, b.h_size), *d_y = on_device(b.y, b.y_size);
    float *d_g = on_device(b.g, b.g_size);
    uint8_t *d_flag = on_device(b.flag, b.flag_size), *d_bits = on_device(b.bits, b.bits_size);
    lte_power *d_power = on_device(&b.power, sizeof b.power);
    uint32_t *d_errors = on_device(b.errors, b.errors_size);
    ok(cudaMalloc((void **)&d_tap, lte_slot_taps(link) * sizeof *d_tap));
    assert_int_equal(lte_taps_cuda(&gpu, slot, 1, d_tap, NULL), LTE_OK);
    assert_int_equal(lte_channel_cuda(&gpu, slot, d_tap, d_h, NULL), LTE_OK);
    assert_int_equal(lte_receive_cuda(&gpu, slot, noise, d_h, d_label, d_y, d_power, NULL), LTE_OK);
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(b.y, d_y, b.y_size, cudaMemcpyDeviceToHost));
    assert_memory_equal(a.y, b.y, a.y_size);

    cpu->corner_turn(link, 0, last, h, a.y_planes, a.h, a.y);
    lte_stages_detect(cpu, link, detector, known, 0, last, a.h, a.y, a.g, a.flag, a.decided,
                      a.work);
    cpu->count(link, 0, last, a.sent, a.decided, a.flag, a.errors);
    cpu->pack(link, 0, last, a.decided, a.bits);
    assert_int_equal(lte_estimate_cuda(&gpu, noise, d_planes, 5, 1, 1, d_estimate, d_residual, NULL,
                                       d_next, NULL),
                     LTE_OK);
    assert_int_equal(lte_corner_turn_cuda(&gpu, d_estimate, d_planes, d_h, d_y, NULL), LTE_OK);
    assert_int_equal(lte_gram_cuda(&gpu, detector, noise, d_residual, d_h, d_g, NULL), LTE_OK);
    assert_int_equal(lte_invert_cuda(&gpu, d_g, d_flag, NULL), LTE_OK);
    uint32_t *d_decided = on_device(b.decided, b.labels_size);
    assert_int_equal(
        lte_detect_cuda(&gpu, detector, noise, d_residual, d_h, d_g, d_y, d_decided, d_flag, NULL),
        LTE_OK);
    assert_int_equal(lte_count_cuda(&gpu, d_label, d_decided, d_flag, d_errors, NULL), LTE_OK);
    assert_int_equal(lte_pack_cuda(&gpu, d_decided, d_bits, NULL), LTE_OK);
    to_host(h_there, d_estimate, h_size);
    to_host(&residual_there, d_residual, sizeof residual_there);
    to_host(&next, d_next, sizeof next);
    to_host(b.g, d_g, b.g_size);
    to_host(b.decided, d_decided, b.labels_size);
    to_host(b.bits, d_bits, b.bits_size);
    to_host(b.errors, d_errors, b.errors_size);
    assert_memory_equal(h, h_there, h_size);
    if (!link->noise_known) {
        assert_int_equal(residual, residual_there);
        assert_int_equal(next, 0);
    }
    assert_memory_equal(a.g, b.g, a.g_size);
    assert_memory_equal(a.decided, b.decided, a.labels_size);
    assert_memory_equal(a.bits, b.bits, a.bits_size);
    assert_memory_equal(a.errors, b.errors, a.errors_size);
    void *const rest[] = {d_tap, d_planes, d_label, d_h, d_y, d_flag, d_power};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        ok(cudaFree(rest[i]));
    off_the_device(&gpu);
    free(h);
    free(h_there);
    batch_fini(&a);
    batch_fini(&b);
}

static void estimates_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_estimating_shapes(check_estimates);
}

/* So many that their blocks are other ones. */
static void check_many_estimates(const lte_link *link)
{
    enum { SLOTS = 70, FIRST = 1000 };
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    const size_t n_y = (size_t)link->n_rx * LTE_SLOT_SYMBOLS * (size_t)link->n_sc;
    const size_t n_h = (size_t)link->n_rx * (size_t)link->n_tx * (size_t)link->n_sc;
    const lte_link gpu = on_the_device(link);
    lte_cf32 *y = poisoned(SLOTS * n_y * sizeof *y, 0xa5);
    lte_cf32 *h = poisoned(n_h * sizeof *h, 0xa5);
    lte_cf32 *there = poisoned(SLOTS * n_h * sizeof *there, 0x5a);
    int64_t residual, residuals[SLOTS] = {0};
    fill_planes(y, SLOTS * n_y, SEED);
    lte_cf32 *d_y = on_device(y, SLOTS * n_y * sizeof *y);
    lte_cf32 *d_h = on_device(there, SLOTS * n_h * sizeof *there);
    int64_t *d_residual = on_device(residuals, sizeof residuals);
    assert_int_equal(
        lte_estimate_cuda(&gpu, noise, d_y, FIRST, SLOTS, SLOTS, d_h, d_residual, NULL, NULL, NULL),
        LTE_OK);
    to_host(there, d_h, SLOTS * n_h * sizeof *there);
    to_host(residuals, d_residual, sizeof residuals);
    for (int i = 0; i < SLOTS; i++) {
        (void)estimate_planes(link, lte_stages_best(), noise, y + (size_t)i * n_y, h, &residual);
        assert_memory_equal(h, there + (size_t)i * n_h, n_h * sizeof *h);
        if (!link->noise_known)
            assert_int_equal(residual, residuals[i]);
    }
    ok(cudaFree(d_y));
    off_the_device(&gpu);
    free(y);
    free(h);
    free(there);
}

static void estimates_of_many_slots_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_PILOT_LAYERS; n_tx++) {
        for (int csi = LTE_CSI_despread; csi < LTE_N_CSI; csi++) {
            const int channel = csi % 2 ? LTE_CHANNEL_eva : LTE_CHANNEL_epa, n_sc = 84;
            lte_link link;
            lte_pilots pilots;
            assert_int_equal(
                lte_link_init(&link, n_sc, n_tx + 1, n_tx, 2, channel, LTE_INVERTER_ldl, SEED),
                LTE_OK);
            assert_int_equal(lte_pilots_create(channel, n_sc, n_tx + 1, n_tx,
                                               lte_csi_rows[csi].estimator, &pilots),
                             LTE_OK);
            for (int known = 0; known < 2; known++) {
                lte_link_estimate(&link, csi, known, pilots);
                check_many_estimates(&link);
            }
            lte_pilots_free(&pilots);
        }
    }
}

static void check_stages(const lte_link *link)
{
    const lte_stages *cpu = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, 20.0);
    if (lte_link_in_batches(link))
        return; /* its stages are others */
    const int last = link->n_groups, detector = link->n_rx % LTE_N_DETECTORS;
    const bool inverts = lte_detector_rows[detector].inverts;
    const uint64_t slot = 5;
    batch a, b;
    batch_init(&a, link, 0xa5);
    batch_init(&b, link, 0x5a);

    const lte_link gpu = on_the_device(link);
    lte_cf32 *d_tap = NULL;
    ok(cudaMalloc((void **)&d_tap, lte_slot_taps(link) * sizeof *d_tap));
    uint32_t *d_sent = on_device(b.sent, b.labels_size);
    uint32_t *d_decided = on_device(b.decided, b.labels_size);
    float *d_h = on_device(b.h, b.h_size), *d_y = on_device(b.y, b.y_size);
    float *d_g = on_device(b.g, b.g_size);
    uint8_t *d_flag = on_device(b.flag, b.flag_size), *d_bits = on_device(b.bits, b.bits_size);
    lte_power *d_power = on_device(&b.power, sizeof b.power);
    uint32_t *d_errors = on_device(b.errors, b.errors_size);

    cpu->source(link, slot, 0, last, a.sent, a.work);
    cpu->channel(link, slot, 0, last, a.h, a.work);
    cpu->receive(link, slot, noise, 0, last, a.h, a.sent, a.y, &a.power, a.work);
    if (inverts)
        cpu->gram(link, detector, noise, 0, last, a.h, a.g, a.work);
    assert_int_equal(lte_source_cuda(&gpu, slot, d_sent, NULL), LTE_OK);
    assert_int_equal(lte_taps_cuda(&gpu, slot, 1, d_tap, NULL), LTE_OK);
    assert_int_equal(lte_channel_cuda(&gpu, slot, d_tap, d_h, NULL), LTE_OK);
    assert_int_equal(lte_receive_cuda(&gpu, slot, noise, d_h, d_sent, d_y, d_power, NULL), LTE_OK);
    if (inverts) {
        assert_int_equal(lte_gram_cuda(&gpu, detector, noise, NULL, d_h, d_g, NULL), LTE_OK);
        ok(cudaDeviceSynchronize());
        ok(cudaMemcpy(b.g, d_g, b.g_size, cudaMemcpyDeviceToHost));
        assert_memory_equal(a.g, b.g, a.g_size);
        assert_int_equal(lte_invert_cuda(&gpu, d_g, d_flag, NULL), LTE_OK);
    }
    lte_stages_detect(cpu, link, detector, noise, 0, last, a.h, a.y, a.g, a.flag, a.decided,
                      a.work);
    cpu->count(link, 0, last, a.sent, a.decided, a.flag, a.errors);
    cpu->pack(link, 0, last, a.decided, a.bits);
    assert_int_equal(
        lte_detect_cuda(&gpu, detector, noise, NULL, d_h, d_g, d_y, d_decided, d_flag, NULL),
        LTE_OK);
    assert_int_equal(lte_count_cuda(&gpu, d_sent, d_decided, d_flag, d_errors, NULL), LTE_OK);
    assert_int_equal(lte_pack_cuda(&gpu, d_decided, d_bits, NULL), LTE_OK);
    ok(cudaFree(d_tap));
    off_the_device(&gpu);
    to_host(b.sent, d_sent, b.labels_size);
    to_host(b.decided, d_decided, b.labels_size);
    to_host(b.h, d_h, b.h_size);
    to_host(b.y, d_y, b.y_size);
    to_host(b.g, d_g, b.g_size);
    to_host(b.flag, d_flag, b.flag_size);
    to_host(b.bits, d_bits, b.bits_size);
    to_host(&b.power, d_power, sizeof b.power);
    to_host(b.errors, d_errors, b.errors_size);
    assert_memory_equal(a.sent, b.sent, a.labels_size);
    assert_memory_equal(a.h, b.h, a.h_size);
    assert_memory_equal(a.y, b.y, a.y_size);
    if (inverts)
        assert_memory_equal(a.g, b.g, a.g_size);
    assert_memory_equal(a.flag, b.flag, a.flag_size);
    assert_memory_equal(a.decided, b.decided, a.labels_size);
    assert_memory_equal(a.bits, b.bits, a.bits_size);
    assert_memory_equal(&a.power, &b.power, sizeof a.power);
    assert_memory_equal(a.errors, b.errors, a.errors_size);

    /* the corner turn, from planes made of these very batches */
    const size_t n_rx = (size_t)link->n_rx, n_sc = (size_t)link->n_sc;
    const size_t n_hp = n_rx * (size_t)link->n_tx * (size_t)link->n_h * n_sc;
    const size_t n_yp = n_rx * LTE_SLOT_SYMBOLS * n_sc;
    batch_turn(&a);
    memcpy(b.h_planes, a.h_planes, n_hp * sizeof(lte_cf32));
    for (size_t i = 0; i < n_yp; i++) {
        b.y_planes[i].re = (float)i;
        b.y_planes[i].im = -(float)i;
    }
    memset(a.h, 0xa5, a.h_size);
    memset(a.y, 0xa5, a.y_size);
    cpu->corner_turn(link, 0, last, b.h_planes, b.y_planes, a.h, a.y);
    lte_cf32 *d_hp = on_device(b.h_planes, n_hp * sizeof(lte_cf32));
    lte_cf32 *d_yp = on_device(b.y_planes, n_yp * sizeof(lte_cf32));
    memset(b.h, 0x5a, b.h_size);
    memset(b.y, 0x5a, b.y_size);
    d_h = on_device(b.h, b.h_size);
    d_y = on_device(b.y, b.y_size);
    assert_int_equal(lte_corner_turn_cuda(link, d_hp, d_yp, d_h, d_y, NULL), LTE_OK);
    to_host(b.h, d_h, b.h_size);
    to_host(b.y, d_y, b.y_size);
    ok(cudaFree(d_hp));
    ok(cudaFree(d_yp));
    assert_memory_equal(a.h, b.h, a.h_size);
    assert_memory_equal(a.y, b.y, a.y_size);
    batch_fini(&a);
    batch_fini(&b);
}

static void stages_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_stages);
}

/* Matrices of order n of many kinds: a few have no inverse. */
static void fill_matrices(int n, int n_matrices, lte_cf32 *a)
{
    const int n2 = n * n;
    const size_t size = (size_t)n2 * sizeof(lte_cplx);
    const lte_philox_key key = lte_philox_key_of(SEED);
    lte_cplx *h = malloc(size), *g = malloc(size);
    assert_true(h && g);
    for (int m = 0; m < n_matrices; m++) {
        lte_cf32 *matrix = &a[(size_t)m * (size_t)n2];
        for (int e = 0; e < n2; e++) {
            const lte_words w = lte_philox(&key, (uint64_t)m, (uint32_t)e);
            h[e] = lte_normal(w.v[0], w.v[1]);
        }
        if (m % 3 != 2) { /* Hermitian, else general */
            lte_gram(n, n, h, g);
            memcpy(h, g, size);
        }
        for (int e = 0; e < n2; e++) {
            matrix[e].re = h[e].re;
            matrix[e].im = h[e].im;
        }
        switch (m % 17) {
        case 3: /* a zero column */
            for (int i = 0; i < n; i++)
                matrix[i * n + n - 1].re = matrix[i * n + n - 1].im = 0.0f;
            break;
        case 5:
            matrix[n2 / 2].re = NAN;
            break;
        case 7:
            matrix[n2 - 1].im = INFINITY;
            matrix[0].re = INFINITY;
            break;
        case 9: /* ties: a permutation */
            for (int e = 0; e < n2; e++) {
                matrix[e].re = e % n == (e / n + 1) % n ? 1.0f : 0.0f;
                matrix[e].im = 0.0f;
            }
            break;
        case 11: /* graded */
            for (int e = 0; e < n2; e++) {
                const float scale = ldexpf(1.0f, -8 * (e / n) - 8 * (e % n));
                matrix[e].re *= scale;
                matrix[e].im *= scale;
            }
            break;
        case 13: /* all the same */
            for (int e = 0; e < n2; e++) {
                matrix[e].re = 1.0f;
                matrix[e].im = -1.0f;
            }
            break;
        default:
            break;
        }
    }
    free(h);
    free(g);
}

static void invert_on_cpu(int inverter, int n, int n_matrices, const lte_cf32 *a, lte_cf32 *x,
                          uint8_t *flag)
{
    for (int m = 0; m < n_matrices; m++) {
        lte_cplx matrix[LTE_MAX_ORDER * LTE_MAX_ORDER];
        const size_t at = (size_t)m * (size_t)(n * n);
        for (int e = 0; e < n * n; e++) {
            matrix[e].re = a[at + (size_t)e].re;
            matrix[e].im = a[at + (size_t)e].im;
        }
#define INVERT(order)                                                                              \
    flag[m] = (uint8_t)(inverter == LTE_INVERTER_ldl ? lte_ldl(order, matrix)                      \
                                                     : lte_gauss_jordan(order, matrix))
        LTE_FOR_ORDER(n, INVERT)
#undef INVERT
        for (int e = 0; e < n * n; e++) {
            x[at + (size_t)e].re = matrix[e].re;
            x[at + (size_t)e].im = matrix[e].im;
        }
    }
}

static void every_inverter_version_gives_the_same_bits(void **state)
{
    (void)state;
    enum { MOST = 5003 };
    const int batches[] = {1, 3, 300, 1003, MOST};
    const size_t n_batches = small() ? 3 : sizeof batches / sizeof *batches;
    for (int n = 1; n <= LTE_MAX_ORDER; n++) {
        const size_t size = (size_t)MOST * (size_t)(n * n) * sizeof(lte_cf32);
        lte_cf32 *a = malloc(size), *expected = malloc(size), *x = malloc(size);
        uint8_t expected_flag[MOST], flag[MOST];
        assert_true(a && expected && x);
        fill_matrices(n, MOST, a);
        lte_cf32 *d_a = on_device(a, size), *d_x = on_device(a, size);
        uint8_t *d_flag = on_device(flag, sizeof flag);
        for (const lte_invert_version *v = lte_invert_versions; v->name; v++) {
            invert_on_cpu(v->inverter, n, MOST, a, expected, expected_flag);
            for (size_t b = 0; b < n_batches; b++) {
                const int m = batches[b];
                const size_t used = (size_t)m * (size_t)(n * n) * sizeof(lte_cf32);
                ok(cudaMemset(d_x, 0xa5, size));
                ok(cudaMemset(d_flag, 0xa5, sizeof flag));
                assert_int_equal(v->run(n, m, d_a, d_x, d_flag, NULL), LTE_OK);
                ok(cudaDeviceSynchronize());
                ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
                ok(cudaMemcpy(flag, d_flag, sizeof flag, cudaMemcpyDeviceToHost));
                for (int i = 0; i < m; i++) {
                    const size_t at = (size_t)i * (size_t)(n * n);
                    if (flag[i] != expected_flag[i] ||
                        memcmp(&x[at], &expected[at], (size_t)(n * n) * sizeof *x) != 0)
                        fail_msg("%s, order %d, matrix %d of %d: other bits", v->name, n, i, m);
                }
                for (size_t i = used; i < size; i++)
                    assert_int_equal(((unsigned char *)x)[i], 0xa5); /* nothing behind */
            }
            if (small())
                continue;
            /* in place */
            ok(cudaMemcpy(d_x, a, size, cudaMemcpyHostToDevice));
            assert_int_equal(v->run(n, MOST, d_x, d_x, d_flag, NULL), LTE_OK);
            ok(cudaDeviceSynchronize());
            ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
            assert_memory_equal(x, expected, size);
        }
        ok(cudaFree(d_a));
        ok(cudaFree(d_x));
        ok(cudaFree(d_flag));
        free(a);
        free(expected);
        free(x);
    }
}

/* The first batch of an inverter of any order, with the method's plain loops beside it. */
static void check_any_order(int inverter, int method, int n)
{
    enum { MOST = 67 };
    const int count = n <= 32 ? MOST : 3;
    const size_t size = (size_t)count * (size_t)(n * n) * sizeof(lte_cf32);
    lte_cf32 *a = malloc(size), *expected = malloc(size), *x = malloc(size);
    void *work = aligned_alloc(64, lte_inverse_work(1));
    uint8_t expected_flag[MOST], flag[MOST];
    assert_true(a && expected && x && work);
    fill_matrices(n, count, a);
    assert_int_equal(lte_inverse(&lte_inverse_ref, method, LTE_CFLOAT, n, count, a, expected,
                                 expected_flag, 1, work),
                     LTE_OK);
    lte_cf32 *d_x = on_device(a, size);
    uint8_t *d_flag = on_device(flag, sizeof flag);
    const lte_invert_version *v = lte_invert_choose(inverter, n, count);
    assert_int_equal(v->inverter, inverter);
    assert_int_equal(v->run(n, count, d_x, d_x, d_flag, NULL), LTE_OK);
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(x, d_x, size, cudaMemcpyDeviceToHost));
    ok(cudaMemcpy(flag, d_flag, sizeof flag, cudaMemcpyDeviceToHost));
    assert_memory_equal(x, expected, size);
    assert_memory_equal(flag, expected_flag, (size_t)count);
    ok(cudaFree(d_x));
    ok(cudaFree(d_flag));
    free(a);
    free(expected);
    free(x);
    free(work);
}

static void inverters_of_any_order_have_the_bits_of_their_method(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 5, 8, 9, 16, 31, 32, 64, 100, 128};
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (int method = 0; method < LTE_N_INVERSES; method++) {
            if (strcmp(lte_inverter_rows[inverter].name, lte_inverse_rows[method].name) != 0)
                continue;
            for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
                check_any_order(inverter, method, orders[o]);
        }
    }
}

static lte_engine *new_engine(const lte_link *link)
{
    lte_engine *engine = NULL;
    const lte_engine_options options = {0};
    assert_int_equal(lte_backend_cuda.create(&lte_backend_cuda, link, &options, &engine), LTE_OK);
    return engine;
}

static void check_sweep(const lte_link *link)
{
    enum { SLOTS = 5, MOST = SLOTS * LTE_N_DETECTORS * LTE_N_HARD_COUNTS(LTE_MAX_TX) };
    const lte_backend *gpu = &lte_backend_cuda;
    const lte_stages *cpu = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    const uint64_t first = ((uint64_t)1 << 40) - 2;
    lte_engine *engine = new_engine(link);
    const size_t work_size = lte_sweep_work(link, LTE_N_DETECTORS);
    void *work = aligned_alloc(64, work_size);
    assert_non_null(work);
    memset(work, 0xa5, work_size);
    /* each detector alone, the first two, then three, ... together */
    for (int l = 0; l < 2 * LTE_N_DETECTORS - 1; l++) {
        lte_power power[SLOTS], expected_power[SLOTS];
        uint32_t errors[MOST], expected[MOST];
        const bool alone = l < LTE_N_DETECTORS;
        const int n = alone ? 1 : l - LTE_N_DETECTORS + 2;
        int list[LTE_N_DETECTORS];
        for (int d = 0; d < n; d++)
            list[d] = alone ? l : d;
        memset(power, 0xa5, sizeof power);
        memset(errors, 0xa5, sizeof errors);
        assert_true(gpu->sweep->is_done(engine)); /* nothing is under way */
        assert_int_equal(gpu->sweep->start(engine, noise, list, n, first, SLOTS, power, errors),
                         LTE_OK);
        while (!gpu->sweep->is_done(engine)) { /* to look disturbs nothing */
        }
        assert_int_equal(gpu->sweep->wait(engine), LTE_OK);
        for (int i = 0; i < SLOTS; i++)
            cpu->sweep_slot(link, noise, list, n, first + (uint64_t)i, work, &expected_power[i],
                            &expected[lte_counts_at(link->n_counts, i * n)]);
        assert_memory_equal(power, expected_power, sizeof power);
        assert_memory_equal(errors, expected,
                            (size_t)lte_counts_at(link->n_counts, SLOTS * n) * sizeof *errors);
    }
    free(work);
    gpu->free(engine);
}

/* The same with what LLRs are worth. */
static void check_soft_sweep(const lte_link *link)
{
    static uint32_t losses[LTE_SCALE_LOSSES];
    lte_link soft = *link;
    const lte_output output = {.soft = true,
                               .demapper = (link->n_tx + link->n_bits / 2) % LTE_N_DEMAPPERS,
                               .llr_scale = 2.0f + (float)link->n_bits,
                               .scale_losses = losses};
    if (LTE_IS_LARGE(link->n_rx, link->n_tx) ||
        lte_inverter_rows[link->inverter].layout != LTE_LAYOUT_LANES)
        return;
    lte_scale_losses((double)output.llr_scale, losses);
    assert_int_equal(lte_link_set_llr_output(&soft, &output), LTE_OK);
    check_sweep(&soft);
}

static void sweep_with_llrs_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_soft_sweep);
    for_estimating_shapes(check_soft_sweep);
    for_both_references(check_soft_sweep);
}

static void sweep_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_sweep);
    for_large_shapes(check_sweep);
    for_estimating_shapes(check_sweep);
    for_both_references(check_sweep);
}

/* Slots in pinned memory whose planes hold any numbers; what the CPU makes of them. */
typedef struct {
    lte_slot_memory slots;
    uint8_t *expected; /* [n_distinct][bits] */
    size_t bits_size, h_size, y_size;
} slot_data;

/* What the receiver of slot i goes by: h and the noise; c [7] what that may refer to. */
static lte_noise know_slot(const lte_link *link, lte_noise noise, uint64_t i, const slot_data *t,
                           void *work, lte_cf32 *h, lte_combination *c)
{
    const lte_stages *cpu = lte_stages_best();
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    const size_t size = lte_planes_size(link, 1);
    const lte_cf32 *y = lte_slot_memory_references(link, &t->slots, i);
    int64_t residual;
    if (!lte_link_estimates(link))
        return noise;
    if (link->references == 1)
        return estimate_planes(link, cpu, noise, y, h, &residual);
    lte_cf32 *both = poisoned(2 * size * sizeof *both, 0x5a);
    lte_noise known = lte_stages_estimate_subframe(
        cpu, link, noise, y + (ptrdiff_t)LTE_PILOT_SYMBOL * link->n_sc, stride, both, work);
    lte_link_combine(link, i, &known, c);
    cpu->combine(link, c, 0, link->n_groups, both + i % 2 * size,
                 both + lte_other_slot(i) % 2 * size, h);
    free(both);
    return known;
}

static void fill_slots(const lte_link *link, int detector, lte_noise noise, uint64_t seed,
                       slot_data *t)
{
    const lte_stages *cpu = lte_stages_best();
    void *work = poisoned(lte_stage_work(link), 0x5a);
    for (uint64_t i = 0; i < t->slots.n_in; i++) {
        lte_cf32 *h = t->slots.h + i * t->h_size;
        lte_cf32 *y = t->slots.y + i * t->y_size;
        fill_planes(h, !lte_link_estimates(link) ? t->h_size : 0, seed + 2 * i);
        fill_planes(y, t->y_size, seed + 2 * i + 1);
        for (size_t j = 0; j < t->y_size && lte_link_estimates(link); j++) {
            y[j].re *= 1.0f + 3.0f * (float)i; /* another level of noise in each slot */
            y[j].im *= 1.0f + 3.0f * (float)i;
        }
    }
    for (uint64_t i = 0; i < t->slots.n_in; i++) {
        lte_cf32 *h = t->slots.h + i * t->h_size;
        lte_cf32 *y = t->slots.y + i * t->y_size;
        lte_combination c[LTE_SLOT_SYMBOLS];
        const lte_noise known = know_slot(link, noise, i, t, work, h, c);
        cpu->slot(link, detector, known, 0, link->n_groups, h, y, t->expected + i * t->bits_size,
                  work);
        memset(h, 0xa5,
               !lte_link_estimates(link) ? 0
                                         : t->h_size * sizeof *h); /* the device makes its own */
    }
    free(work);
}

static void new_slots(lte_engine *engine, const lte_link *link, int n_distinct, int n_out,
                      slot_data *t)
{
    void *h, *y, *bits;
    t->h_size = (size_t)link->n_rx * (size_t)link->n_tx * (size_t)link->n_csi * (size_t)link->n_sc;
    t->y_size = (size_t)link->n_rx * LTE_SLOT_SYMBOLS * (size_t)link->n_sc;
    t->bits_size = LTE_SLOT_SYMBOLS * lte_packed_row(link);
    const size_t n = (size_t)n_distinct;
    assert_int_equal(lte_backend_cuda.host_alloc(engine, n * t->h_size * sizeof(lte_cf32), &h),
                     LTE_OK);
    assert_int_equal(lte_backend_cuda.host_alloc(engine, n * t->y_size * sizeof(lte_cf32), &y),
                     LTE_OK);
    assert_int_equal(lte_backend_cuda.host_alloc(engine, (size_t)n_out * t->bits_size, &bits),
                     LTE_OK);
    t->slots.h = h;
    t->slots.y = y;
    t->slots.bits = bits;
    t->slots.n_in = t->slots.n_h_in = (uint64_t)n_distinct;
    t->slots.n_out = (uint64_t)n_out;
    t->slots.row_bytes = lte_packed_row(link);
    t->slots.out_bytes = t->bits_size;
    t->slots.parts = 1;
    t->expected = malloc(n * t->bits_size);
    assert_non_null(t->expected);
}

static void free_slots(lte_engine *engine, slot_data *t)
{
    lte_backend_cuda.host_free(engine, t->slots.h);
    lte_backend_cuda.host_free(engine, t->slots.y);
    lte_backend_cuda.host_free(engine, t->slots.bits);
    free(t->expected);
}

static void compare_bits(const slot_data *t, uint64_t first, int n)
{
    for (uint64_t i = first; i < first + (uint64_t)n; i++)
        assert_memory_equal(t->slots.bits + i % t->slots.n_out * t->bits_size,
                            t->expected + i % t->slots.n_in * t->bits_size, t->bits_size);
}

static void poison_bits(const slot_data *t)
{
    memset(t->slots.bits, 0xa5, t->slots.n_out * t->bits_size);
}

static lte_status run_period(lte_engine *engine, uint64_t first)
{
    double completed_s;
    return lte_backend_cuda.slots->run(engine, first, 0.0, &completed_s);
}

static void check_periods(const lte_link *link)
{
    enum { DISTINCT = 4, OUT = 8 };
    const lte_backend *gpu = &lte_backend_cuda;
    /* one that solves where the kernel that stays is to estimate */
    const int detector =
        link->n_bits / 2 % (lte_link_estimates(link) ? LTE_DETECTOR_mmse + 1 : LTE_N_DETECTORS);
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0);
    const int carriers[] = {1, 2, 4, OUT}; /* of the widest that estimate, 4 do not fit */
    lte_engine *engine = new_engine(link);
    slot_data t;
    new_slots(engine, link, DISTINCT, OUT, &t);
    for (int placement = 0; placement < LTE_N_PLACEMENTS; placement++) {
        for (size_t c = 0; c < sizeof carriers / sizeof *carriers; c++) {
            const lte_slot_plan plan = {
                {t.slots, noise, detector, carriers[c]}, placement, 1, 0.0, NULL};
            double us[LTE_N_TIMED];
            lte_slot_setup setup;
            fill_slots(link, detector, noise, SEED, &t);
            poison_bits(&t);
            assert_int_equal(gpu->slots->begin(engine, &plan, &setup), LTE_OK);
            for (uint64_t first = 0; first < OUT; first += (uint64_t)carriers[c])
                assert_int_equal(run_period(engine, first), LTE_OK);
            if (placement == LTE_PLACEMENT_HOST) { /* new numbers in the same memory */
                compare_bits(&t, 0, OUT);
                fill_slots(link, detector, noise, SEED + 100, &t);
                assert_int_equal(run_period(engine, 0), LTE_OK);
                compare_bits(&t, 0, carriers[c]);
            }
            if (c == 0) {
                poison_bits(&t);
                for (uint64_t i = 0; i < OUT; i++)
                    assert_int_equal(gpu->slots->stages(engine, i, us), LTE_OK);
                assert_int_equal(gpu->slots->inversion(engine, link->n_sc * link->n_csi, us),
                                 LTE_OK);
            }
            assert_int_equal(gpu->slots->end(engine), LTE_OK);
            if (placement == LTE_PLACEMENT_DEVICE || c == 0)
                compare_bits(&t, 0, OUT);
        }
    }
    free_slots(engine, &t);
    gpu->free(engine);
}

static void timed_slots_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_periods);
    for_large_shapes(check_periods);
    for_estimating_shapes(check_periods);
    for_both_references(check_periods);
}

/* The launches that a period may take in place of the kernel that stays. */
static void check_launches(const lte_link *link)
{
    enum { DISTINCT = 3, OUT = 6 };
    if (lte_link_in_batches(link))
        return; /* neither of the two takes it */
    const int detector = link->n_bits / 2 % LTE_N_DETECTORS;
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0);
    lte_engine *engine = new_engine(link);
    slot_data t;
    new_slots(engine, link, DISTINCT, OUT, &t);
    fill_slots(link, detector, noise, SEED, &t);
    for (int n = 1; n <= OUT; n += OUT - 1) {
        const lte_slot_job job = {t.slots, noise, detector, n};
        for (int many = !lte_slot_latency_takes(link, detector); many < 2; many++) {
            memset(t.slots.bits, 0xa5, OUT * t.bits_size);
            for (uint64_t first = 0; first < OUT; first += (uint64_t)n)
                assert_int_equal(many ? lte_slot_throughput_cuda(link, &job, NULL, first, NULL)
                                      : lte_slot_latency_cuda(link, &job, NULL, first, NULL),
                                 LTE_OK);
            ok(cudaDeviceSynchronize());
            compare_bits(&t, 0, OUT);
        }
    }
    free_slots(engine, &t);
    lte_backend_cuda.free(engine);
}

static void launched_slots_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_launches);
}

/* Channels without an inverse or with numbers that are none, and what the CPU makes of them. */
static void spoil_slots(const lte_link *link, int detector, lte_noise noise, slot_data *t)
{
    const lte_stages *cpu = lte_stages_best();
    void *work = poisoned(lte_stage_work(link), 0x5a);
    const ptrdiff_t n_sc = link->n_sc, n_tx = link->n_tx;
    for (uint64_t i = 0; i < t->slots.n_in; i++) {
        lte_cf32 *h = t->slots.h + i * t->h_size, *y = t->slots.y + i * t->y_size;
        h[1].re = NAN;
        for (ptrdiff_t r = 0; r < link->n_rx; r++) {
            const ptrdiff_t row = r * n_tx * n_sc;
            h[row + (n_tx - 1) * n_sc + 2] = (lte_cf32){0.0f, 0.0f};
            h[row + 3].im = 1e25f;
            h[row + n_sc + 4] = h[row + 4];
        }
        y[5].im = INFINITY;
        cpu->slot(link, detector, noise, 0, link->n_groups, h, y, t->expected + i * t->bits_size,
                  work);
    }
    free(work);
}

static bool all_finite(const lte_cplx *z, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(z[i].re) || !isfinite(z[i].im))
            return false;
    }
    return true;
}

/* Inverses and matched filters that the kernel makes of the first slot, bit by bit. */
static void check_inverses(const lte_link *link, float loading, const slot_data *t)
{
    const int n_sc = link->n_sc, n = link->n_tx, n_rx = link->n_rx, n_z = LTE_SLOT_SYMBOLS * n;
    lte_cplx h[LTE_MAX_RX * 32], y[LTE_SLOT_SYMBOLS * LTE_MAX_RX];
    lte_cplx x[32 * 32], z[LTE_SLOT_SYMBOLS * 32];
    lte_cf32 *x_there = malloc((size_t)(n_sc * n * n) * sizeof *x_there);
    lte_cf32 *z_there = malloc((size_t)(n_sc * n_z) * sizeof *z_there);
    uint32_t *bad = malloc((size_t)n_sc * sizeof *bad);
    assert_true(x_there && z_there && bad && n <= 32);
    ok((cudaError_t)probe_fused(link, loading, t->slots.h, t->slots.y, x_there, z_there, bad));
    for (int sc = 0; sc < n_sc; sc++) {
        for (int e = 0; e < n_rx * n; e++)
            h[e] = c_set(t->slots.h[e * n_sc + sc]);
        for (int e = 0; e < n_rx * LTE_SLOT_SYMBOLS; e++)
            y[e % LTE_SLOT_SYMBOLS * n_rx + e / LTE_SLOT_SYMBOLS] =
                c_set(t->slots.y[e * n_sc + sc]);
        assert_int_equal(bad[sc], lte_loaded_inverse(loading, n_rx, n, h, lte_cholesky_delayed, x));
        if (!bad[sc])
            assert_memory_equal(&x_there[sc * n * n], x, (size_t)(n * n) * sizeof *x);
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
            lte_matched_filter(n_rx, n, h, y + i * n_rx, z + i * n);
        if (all_finite(z, n_z))
            assert_memory_equal(&z_there[sc * n_z], z, (size_t)n_z * sizeof *z);
    }
    free(bad);
    free(z_there);
    free(x_there);
}

/* Slots of large arrays by one kernel: all orders that it takes, any number of antennas. */
static void fused_slots_equal_those_of_the_cpu(void **state)
{
    enum { N_SLOTS = 5, DISTINCT = 3 };
    static const int shapes[][3] = {{17, 4, 75},  {64, 8, 150},   {18, 8, 37},  {30, 12, 16},
                                    {64, 16, 72}, {45, 20, 33},   {27, 24, 17}, {28, 28, 15},
                                    {57, 32, 31}, {128, 32, 100}, {256, 8, 40}};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
        const int *shape = shapes[i / 2], detector = i % 2 ? LTE_DETECTOR_mmse : LTE_DETECTOR_zf;
        const lte_noise noise = lte_noise_of(shape[1], 60.0);
        lte_link link;
        slot_data t;
        if (small() && i / 2 % 4)
            continue;
        assert_int_equal(lte_link_init(&link, shape[2], shape[0], shape[1], 2 + 2 * ((int)i % 4),
                                       LTE_CHANNEL_rayleigh, LTE_INVERTER_cholesky_delayed, SEED),
                         LTE_OK);
        assert_true(lte_large_fuses(&link, detector));
        lte_engine *engine = new_engine(&link);
        const uint64_t first = 4;
        new_slots(engine, &link, DISTINCT, N_SLOTS, &t);
        fill_slots(&link, detector, noise, SEED + i, &t);
        spoil_slots(&link, detector, noise, &t);
        check_inverses(&link, lte_loading(detector, noise.n0), &t);
        poison_bits(&t);
        const lte_slot_job job = {t.slots, noise, detector, N_SLOTS};
        assert_int_equal(lte_large_fused_cuda(&link, &job, NULL, first, N_SLOTS, NULL), LTE_OK);
        ok(cudaDeviceSynchronize());
        compare_bits(&t, first, N_SLOTS);
        free_slots(engine, &t);
        lte_backend_cuda.free(engine);
    }
}

static size_t free_memory(void)
{
    size_t left, total;
    ok(cudaMemGetInfo(&left, &total));
    return left;
}

/* Both versions of both reference matrices; offset: elements past a boundary of 16 bytes. */
static void check_reference(int n_rows, int n_columns, int offset)
{
    enum { LENGTH = 1193 };
    const lte_sar sar = {.range = 850e3,
                         .range_step = 7.5,
                         .speed = 7100.0,
                         .wavelength = 0.031,
                         .interval = 1.0 / 1700.0,
                         .centre = n_columns / 2.0};
    const lte_zc zc = lte_zc_of(LENGTH);
    const size_t n = (size_t)n_rows * (size_t)n_columns, room = n + (size_t)offset;
    const size_t size = room * sizeof(float), rows_size = (size_t)n_rows * sizeof(lte_zc_row);
    float *re = malloc(size), *im = malloc(size), *plane = malloc(size);
    lte_cf32 *x = malloc(2 * size), *y = malloc(2 * size);
    lte_zc_row *rows = malloc(rows_size);
    assert_true(re && im && plane && x && y && rows);
    for (int m = 0; m < n_rows; m++)
        rows[m] = (lte_zc_row){(uint32_t)(1 + m % (LENGTH - 1)), (uint32_t)(m * 13 % LENGTH),
                               (uint32_t)(m % 12)};
    assert_int_equal(lte_reference_sar(&sar, n_rows, n_columns, re, im), LTE_OK);
    assert_int_equal(lte_reference_zc(&zc, rows, n_rows, n_columns, x), LTE_OK);
    for (int version = 1; version <= 2; version++) {
        memset(plane, 0xa5, size);
        memset(y, 0xa5, 2 * size);
        float *d_re = on_device(plane, size), *d_im = on_device(plane, size);
        lte_cf32 *d_x = on_device(y, 2 * size);
        lte_zc_row *d_rows = on_device(rows, rows_size);
        assert_int_equal(lte_reference_sar_cuda(version, &sar, n_rows, n_columns, d_re + offset,
                                                d_im + offset, NULL),
                         LTE_OK);
        assert_int_equal(
            lte_reference_zc_cuda(version, &zc, d_rows, n_rows, n_columns, d_x + offset, NULL),
            LTE_OK);
        to_host(plane, d_re, size);
        assert_memory_equal(plane + offset, re, n * sizeof *re);
        to_host(plane, d_im, size);
        assert_memory_equal(plane + offset, im, n * sizeof *im);
        to_host(y, d_x, 2 * size);
        assert_memory_equal(y + offset, x, n * sizeof *x);
        ok(cudaFree(d_rows));
    }
    free(re);
    free(im);
    free(plane);
    free(x);
    free(y);
    free(rows);
}

static void reference_matrices_equal_those_of_the_cpu(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1},     {3, 1003},  {1003, 1},
                                    {17, 1200}, {100, 839}, {33, 514}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_reference(shapes[i][0], shapes[i][1], 0);
        check_reference(shapes[i][0], shapes[i][1], 1);
    }
    if (!small())
        check_reference(4096, 4096, 0);
}

static void ten_thousand_slots_leak_nothing(void **state)
{
    (void)state;
    enum { PIECE = 1000, PIECES = 10 };
    const lte_backend *gpu = &lte_backend_cuda;
    static lte_power power[PIECE];
    static uint32_t errors[PIECE * LTE_N_HARD_COUNTS(4)];
    const int detector = LTE_DETECTOR_mmse;
    const lte_noise noise = lte_noise_of(4, 100.0);
    size_t before = 0;
    lte_link link;
    assert_int_equal(lte_link_init(&link, 300, 4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1),
                     LTE_OK);
    for (int round = 0; round < 2; round++) { /* the first takes what the runtime keeps */
        lte_engine *engine = new_engine(&link);
        slot_data t;
        new_slots(engine, &link, 4, 8, &t);
        fill_slots(&link, detector, noise, SEED, &t);
        for (int i = 0; i < (small() ? 1 : PIECES); i++) {
            assert_int_equal(gpu->sweep->start(engine, noise, &detector, 1, (uint64_t)i * PIECE,
                                               PIECE, power, errors),
                             LTE_OK);
            assert_int_equal(gpu->sweep->wait(engine), LTE_OK);
        }
        for (int placement = 0; placement < LTE_N_PLACEMENTS; placement++) {
            for (int n = 1; n <= 8; n += 7) {
                const lte_slot_plan plan = {{t.slots, noise, detector, n}, placement, 1, 0.0, NULL};
                lte_slot_setup setup;
                double us[LTE_N_TIMED];
                assert_int_equal(gpu->slots->begin(engine, &plan, &setup), LTE_OK);
                for (uint64_t k = 0; k < (small() ? 10 : PIECE); k++)
                    assert_int_equal(run_period(engine, k * (uint64_t)n), LTE_OK);
                for (uint64_t k = 0; k < (small() ? 2 : 100); k++) {
                    assert_int_equal(gpu->slots->stages(engine, k, us), LTE_OK);
                    assert_int_equal(gpu->slots->inversion(engine, 300, us), LTE_OK);
                }
                assert_int_equal(gpu->slots->end(engine), LTE_OK);
            }
        }
        free_slots(engine, &t);
        gpu->free(engine);
        if (round == 0)
            before = free_memory();
    }
    assert_true(small() || free_memory() >= before); /* tools take memory of their own */
}

static void device_memory_is_bounded(void **state)
{
    (void)state;
    const lte_backend *gpu = &lte_backend_cuda;
    const int detectors[] = {0, 1};
    const lte_noise noise = lte_noise_of(2, 10.0);
    lte_engine *engine = NULL;
    lte_engine_options options = {.device_memory = 4096};
    enum { ROOM = 128 }; /* slots */
    lte_power power[ROOM];
    uint32_t errors[ROOM * 2 * LTE_N_HARD_COUNTS(2)];
    lte_link link;
    int fewest, most;
    assert_int_equal(lte_link_init(&link, 72, 2, 2, 2, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1),
                     LTE_OK);
    assert_int_equal(gpu->create(gpu, &link, &options, &engine), LTE_OK);
    gpu->sweep->sizes(engine, &fewest, &most);
    assert_true(fewest <= most && most >= 1 && most <= ROOM);
    assert_true((size_t)most * (sizeof(lte_power) + 2 * LTE_N_HARD_COUNTS(2) * sizeof *errors) <=
                4096);
    assert_int_equal(gpu->sweep->start(engine, noise, detectors, 2, 0, most, power, errors),
                     LTE_OK);
    assert_int_equal(gpu->sweep->wait(engine), LTE_OK);
    gpu->free(engine);
    lte_fail_handler handler = lte_fail_handler_set(NULL);
    (void)lte_fail_handler_set(handler);
    options.device_memory = sizeof(lte_power); /* of a slot, without its errors */
    assert_int_equal(gpu->create(gpu, &link, &options, &engine), LTE_ENOMEM);
    assert_null(engine);
    options.device_memory = 0;
    options.device = gpu->n_devices();
    assert_int_equal(gpu->create(gpu, &link, &options, &engine), LTE_EDEVICE);
    assert_null(engine);
}

static void devices_are_described(void **state)
{
    (void)state;
    for (int i = 0; i < lte_backend_cuda.n_devices(); i++) {
        lte_device device;
        assert_int_equal(lte_backend_cuda.describe(i, &device), LTE_OK);
        assert_true(device.name[0] && device.text[0] && device.driver[0]);
        assert_true(device.clock_mhz > 0 && device.l2_bytes > 0);
        print_message("cuda:%d %s, %s, driver %s, %d MHz\n", i, device.name, device.text,
                      device.driver, device.clock_mhz);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda, devices_are_described),
        LTE_CASE(cuda, words_are_those_of_curand),
        LTE_CASE(cuda, moderate_root_is_correctly_rounded),
        LTE_CASE(cuda, moderate_reciprocal_is_correctly_rounded),
        LTE_CASE(cuda, every_inverter_version_gives_the_same_bits),
        LTE_CASE(cuda, inverters_of_any_order_have_the_bits_of_their_method),
        LTE_CASE(cuda, stages_equal_those_of_the_cpu),
        LTE_CASE(cuda, estimates_equal_those_of_the_cpu),
        LTE_CASE(cuda, estimates_of_many_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda, reference_matrices_equal_those_of_the_cpu),
        LTE_CASE(cuda, sweep_with_llrs_equals_that_of_the_cpu),
        LTE_CASE(cuda, sweep_equals_that_of_the_cpu),
        LTE_CASE(cuda, timed_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda, launched_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda, fused_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda, device_memory_is_bounded),
        LTE_CASE(cuda, ten_thousand_slots_leak_nothing),
    };
    if (lte_backend_cuda.n_devices() == 0) {
        (void)puts("no usable CUDA device: skipped");
        return SKIPPED;
    }
    if (getenv("LTE_TEST_NO_PERSISTENT"))
        cmocka_set_skip_filter("cuda.t*"); /* timed slots, ten thousand of them */
    choose_cases();
    return cmocka_run_group_tests_name("cuda", cases, NULL, NULL);
}
