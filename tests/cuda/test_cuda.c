/*
 * The CUDA backend against the CPU's stages, bit for bit. Skipped (exit 77) without a device.
 * With LTE_TEST_SMALL set there are fewer shapes: for tools that slow kernels down. Timed slots:
 * test_cuda_slots.c.
 */
#include <math.h>

#include "kernels/backends/backend.h"
#include "kernels/cuda/launchers.h"
#include "kernels/methods/reference/reference_cuda.h"
#include "kernels/base/order.h"
#include "phy/detection/detection.h"
#include "tests/lib/batch.h"
#include "tests/cuda/cuda_probe.h"
#include "tests/lib/cuda_links.h"

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

/* From the reference symbol to bits: estimates, residual and all that follows from them. */
static void check_estimates(const lte_link *link)
{
    const lte_stages *cpu = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    if (lte_link_in_batches(link))
        return; /* its stages are others */
    const int last = link->carrier.n_groups;
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    const uint64_t slot = 11;
    batch a, b;
    batch_init(&a, link, 0xa5);
    batch_init(&b, link, 0x5a);
    const lte_link gpu = on_the_device(link);
    const size_t h_size = (size_t)(link->n_rx * link->n_tx * link->carrier.n_sc) * sizeof(lte_cf32);
    const size_t y_size =
        (size_t)(link->n_rx * LTE_SLOT_SYMBOLS * link->carrier.n_sc) * sizeof(lte_cf32);
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
    lte_stages_detect(cpu, link, detector, known, lte_groups_of(0, last, a.work), a.h, a.y,
                      &(lte_decided){a.g, a.decided, a.flag});
    cpu->count(link, 0, last, a.sent, a.decided, a.flag, a.errors);
    cpu->pack(link, 0, last, a.decided, a.bits);
    const lte_estimated one = {1, d_estimate, d_residual, NULL, d_next};
    assert_int_equal(lte_estimate_cuda(&gpu, noise, d_planes, 5, 1, &one, NULL), LTE_OK);
    assert_int_equal(lte_corner_turn_cuda(&gpu, d_estimate, d_planes, d_h, d_y, NULL), LTE_OK);
    assert_int_equal(lte_gram_cuda(&gpu, detector, noise, d_residual, d_h, d_g, NULL), LTE_OK);
    assert_int_equal(lte_invert_cuda(&gpu, d_g, d_flag, NULL), LTE_OK);
    uint32_t *d_decided = on_device(b.decided, b.labels_size);
    const lte_detected detected = {d_residual, d_h, d_g, d_y, d_decided, d_flag};
    assert_int_equal(lte_detect_cuda(&gpu, detector, noise, &detected, NULL), LTE_OK);
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
    if (!link->receiver.noise_known) {
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
    const size_t n_y = (size_t)link->n_rx * LTE_SLOT_SYMBOLS * (size_t)link->carrier.n_sc;
    const size_t n_h = (size_t)link->n_rx * (size_t)link->n_tx * (size_t)link->carrier.n_sc;
    const lte_link gpu = on_the_device(link);
    lte_cf32 *y = poisoned(SLOTS * n_y * sizeof *y, 0xa5);
    lte_cf32 *h = poisoned(n_h * sizeof *h, 0xa5);
    lte_cf32 *there = poisoned(SLOTS * n_h * sizeof *there, 0x5a);
    int64_t residual, residuals[SLOTS] = {0};
    fill_planes(y, SLOTS * n_y, SEED);
    lte_cf32 *d_y = on_device(y, SLOTS * n_y * sizeof *y);
    lte_cf32 *d_h = on_device(there, SLOTS * n_h * sizeof *there);
    int64_t *d_residual = on_device(residuals, sizeof residuals);
    const lte_estimated all = {SLOTS, d_h, d_residual, NULL, NULL};
    assert_int_equal(lte_estimate_cuda(&gpu, noise, d_y, FIRST, SLOTS, &all, NULL), LTE_OK);
    to_host(there, d_h, SLOTS * n_h * sizeof *there);
    to_host(residuals, d_residual, sizeof residuals);
    for (int i = 0; i < SLOTS; i++) {
        (void)estimate_planes(link, lte_stages_best(), noise, y + (size_t)i * n_y, h, &residual);
        assert_memory_equal(h, there + (size_t)i * n_h, n_h * sizeof *h);
        if (!link->receiver.noise_known)
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
            lte_estimator estimator;
            assert_int_equal(
                lte_link_init(&link, n_sc, n_tx + 1, n_tx, 2, channel, LTE_INVERTER_ldl, SEED),
                LTE_OK);
            assert_int_equal(lte_estimator_create(channel, n_sc, n_tx + 1, n_tx,
                                                  lte_csi_rows[csi].estimator, &estimator),
                             LTE_OK);
            for (int known = 0; known < 2; known++) {
                lte_link_estimate(&link, csi, known, estimator);
                check_many_estimates(&link);
            }
            lte_estimator_free(&estimator);
        }
    }
}

static void check_stages(const lte_link *link)
{
    const lte_stages *cpu = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, 20.0);
    if (lte_link_in_batches(link))
        return; /* its stages are others */
    const int last = link->carrier.n_groups;
    const lte_detector detector = lte_detector_usual(link->n_rx % LTE_N_ESTIMATING_DETECTORS);
    const bool inverts = lte_detector_needs(detector, LTE_NEEDS_INVERSE);
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
    cpu->receive(link, slot, noise, lte_groups_of(0, last, a.work), a.h, a.sent, a.y, &a.power);
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
    lte_stages_detect(cpu, link, detector, noise, lte_groups_of(0, last, a.work), a.h, a.y,
                      &(lte_decided){a.g, a.decided, a.flag});
    cpu->count(link, 0, last, a.sent, a.decided, a.flag, a.errors);
    cpu->pack(link, 0, last, a.decided, a.bits);
    const lte_detected detected = {NULL, d_h, d_g, d_y, d_decided, d_flag};
    assert_int_equal(lte_detect_cuda(&gpu, detector, noise, &detected, NULL), LTE_OK);
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
    const size_t n_rx = (size_t)link->n_rx, n_sc = (size_t)link->carrier.n_sc;
    const size_t n_hp = n_rx * (size_t)link->n_tx * (size_t)link->channel.n_h * n_sc;
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

/* Counts of a sweep by these detectors, work: for as many. */
static void compare_sweeps(lte_engine *engine, const lte_link *link, lte_noise noise,
                           const lte_detector *list, int n, void *work)
{
    enum { SLOTS = 5 };
    const size_t size = (size_t)lte_counts_at(link->output.n_counts, SLOTS * n) * sizeof(uint32_t);
    const lte_backend *gpu = &lte_backend_cuda;
    const lte_stages *cpu = lte_stages_best();
    const uint64_t first = ((uint64_t)1 << 40) - 2;
    uint32_t *const errors = poisoned(size, 0xa5), *const expected = malloc(size);
    lte_power power[SLOTS], expected_power[SLOTS];
    assert_non_null(expected);
    memset(power, 0xa5, sizeof power);
    assert_true(gpu->sweep->is_done(engine)); /* nothing is under way */
    assert_int_equal(gpu->sweep->start(engine, noise, list, n, first, SLOTS, power, errors),
                     LTE_OK);
    while (!gpu->sweep->is_done(engine)) { /* to look disturbs nothing */
    }
    assert_int_equal(gpu->sweep->wait(engine), LTE_OK);
    for (int i = 0; i < SLOTS; i++)
        cpu->sweep_slot(link, noise, list, n, first + (uint64_t)i, work, &expected_power[i],
                        &expected[lte_counts_at(link->output.n_counts, i * n)]);
    assert_memory_equal(power, expected_power, sizeof power);
    assert_memory_equal(errors, expected, size);
    free(errors);
    free(expected);
}

static void check_sweep(const lte_link *link)
{
    enum {
        BEFORE = 2 * LTE_N_ESTIMATING_DETECTORS - 1, /* lists without a search */
        SEARCHES = LTE_N_DETECTORS - LTE_N_ESTIMATING_DETECTORS,
        LISTS = BEFORE + SEARCHES + 1 /* K-best with another k */
    };
    static int turn;
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    lte_engine *engine = new_engine(link);
    void *work = poisoned(lte_sweep_work(link, LTE_N_ESTIMATING_DETECTORS), 0xa5);
    /*
     * Each detector alone, the first two, then three, ... together, and searches before another.
     * Searches come first: detectors that solve write what others must not read.
     */
    for (int l = LISTS - 1; l >= 0; l--) {
        if (small() && l != turn % LISTS) /* one a link */
            continue;
        const bool alone = l < LTE_N_ESTIMATING_DETECTORS;
        const bool other = l == BEFORE + SEARCHES;
        const int search =
            other ? LTE_DETECTOR_kbest : LTE_N_ESTIMATING_DETECTORS + (l - BEFORE) % SEARCHES;
        const int n = l >= BEFORE ? 2 : alone ? 1 : l - LTE_N_ESTIMATING_DETECTORS + 2;
        lte_detector list[LTE_N_ESTIMATING_DETECTORS];
        for (int d = 0; d < n; d++)
            list[d] = lte_detector_usual(alone ? l : d);
        if (l >= BEFORE && !takes_link(search, link))
            continue;
        if (search == LTE_DETECTOR_kbest && !other && link->n_tx > 4)
            continue; /* 16 vectors of many layers take long */
        if (l >= BEFORE)
            list[0] =
                other ? (lte_detector){LTE_DETECTOR_kbest, {4, 5.0}} : lte_detector_usual(search);
        compare_sweeps(engine, link, noise, list, n, work);
    }
    turn++;
    free(work);
    lte_backend_cuda.free(engine);
}

/*
 * Maximum likelihood where many searches take more steps than a warp goes before it finishes them
 * one after the other, 128: at 2 dB, 14 and 14.
 */
static void long_searches_equal_those_of_the_cpu(void **state)
{
    static const struct {
        int n_tx, n_bits;
        double snr;
    } links[] = {{4, 4, 1.6}, {4, 6, 25.0}, {8, 4, 25.0}};
    const lte_detector ml = lte_detector_usual(LTE_DETECTOR_ml);
    (void)state;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        lte_link link;
        const int n_tx = links[i].n_tx;
        assert_int_equal(lte_link_init(&link, small() ? 12 : 75, n_tx, n_tx, links[i].n_bits,
                                       LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, SEED),
                         LTE_OK);
        lte_engine *engine = new_engine(&link);
        void *work = poisoned(lte_sweep_work(&link, 1), 0xa5);
        compare_sweeps(engine, &link, lte_noise_of(n_tx, links[i].snr), &ml, 1, work);
        free(work);
        lte_backend_cuda.free(engine);
    }
}

/* The same with what LLRs are worth. */
static void check_soft_sweep(const lte_link *link)
{
    lte_link soft = *link;
    let_give_llrs(&soft, (link->n_tx + link->n_bits / 2) % LTE_N_DEMAPPERS,
                  2.0f + (float)link->n_bits);
    check_sweep(&soft);
}

static void sweep_with_llrs_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_soft_sweep);
    for_large_shapes(check_soft_sweep);
    for_estimating_shapes(check_soft_sweep);
    for_both_references(check_soft_sweep);
}

static void check_version_sweep(const lte_link *link)
{
    with_version(link, check_sweep);
}

static void sweep_by_every_version_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_version_sweep);
    for_large_shapes(check_version_sweep);
    for_estimating_shapes(check_version_sweep);
    for_both_references(check_version_sweep);
}

static void sweep_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_sweep);
    for_large_shapes(check_sweep);
    for_estimating_shapes(check_sweep);
    for_both_references(check_sweep);
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

static void device_memory_is_bounded(void **state)
{
    (void)state;
    const lte_backend *gpu = &lte_backend_cuda;
    const lte_detector detectors[] = {lte_detector_usual(0), lte_detector_usual(1)};
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
    /* without those that keep their states in memory */
    assert_int_equal(lte_link_set_detectors(&link, detectors, 2), LTE_OK);
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
        assert_true(device.flops_per_s > 1e12 && device.memory_bytes_per_s > 1e11);
        print_message("cuda:%d %s, %s, driver %s, %d MHz\n", i, device.name, device.text,
                      device.driver, device.clock_mhz);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda, words_are_those_of_curand),
        LTE_CASE(cuda, moderate_root_is_correctly_rounded),
        LTE_CASE(cuda, moderate_reciprocal_is_correctly_rounded),
        LTE_CASE(cuda, estimates_equal_those_of_the_cpu),
        LTE_CASE(cuda, estimates_of_many_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda, stages_equal_those_of_the_cpu),
        LTE_CASE(cuda, sweep_with_llrs_equals_that_of_the_cpu),
        LTE_CASE(cuda, long_searches_equal_those_of_the_cpu),
        LTE_CASE(cuda, sweep_equals_that_of_the_cpu),
        LTE_CASE(cuda, sweep_by_every_version_equals_that_of_the_cpu),
        LTE_CASE(cuda, reference_matrices_equal_those_of_the_cpu),
        LTE_CASE(cuda, device_memory_is_bounded),
        LTE_CASE(cuda, devices_are_described),
    };
    return LTE_RUN_GPU_CASES("cuda", cases);
}
