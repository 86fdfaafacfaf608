/*
 * Timed slots of the CUDA backend against the CPU's, bit for bit: the kernel that stays, launches
 * in its place, large arrays by one kernel; and what is left of ten thousand of them. Skipped (exit
 * 77) without a device. With LTE_TEST_SMALL set there are fewer shapes and slots: for tools that
 * slow kernels down; with LTE_TEST_NO_PERSISTENT no kernel stays, and launches do its work: for
 * tools that wait for each kernel to end.
 */
#include <math.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/cuda/cuda_engine.h"
#include "kernels/cuda/launchers.h"
#include "phy/detection/detection.h"
#include "phy/inversion/inversion.h"
#include "tests/cuda/cuda_probe.h"
#include "tests/lib/batch.h"
#include "tests/lib/cuda_links.h"
#include "tests/lib/timed_slots.h"

static lte_status run_period(lte_engine *engine, uint64_t first)
{
    double completed_s, gap_s = 0.0;
    return lte_backend_cuda.slots->run(engine, first, 0.0, &completed_s, &gap_s);
}

/* One that solves where the kernel that stays is to estimate. */
static lte_detector detector_of(const lte_link *link)
{
    return lte_detector_usual(
        link->n_bits / 2 %
        (lte_link_estimates(link) ? LTE_DETECTOR_mmse + 1 : LTE_N_ESTIMATING_DETECTORS));
}

/* Between the periods of the next runs a kernel stays, if it may and the device allows it. */
static void let_stay(lte_engine *engine, bool may, bool allowed)
{
    engine->persistent.allowed = may && allowed && !getenv("LTE_TEST_NO_PERSISTENT");
}

static void check_periods_of(const lte_link *link, lte_detector detector)
{
    enum { DISTINCT = 4, OUT = 8 };
    static const struct {
        int placement, n_carriers;
        bool stays; /* false: launches alone */
    } ways[] = {{LTE_PLACEMENT_HOST, 1, true},    {LTE_PLACEMENT_HOST, 1, false},
                {LTE_PLACEMENT_HOST, 2, true},    {LTE_PLACEMENT_HOST, 4, true},
                {LTE_PLACEMENT_HOST, OUT, true},  {LTE_PLACEMENT_DEVICE, 1, true},
                {LTE_PLACEMENT_DEVICE, 2, true},  {LTE_PLACEMENT_DEVICE, 4, true},
                {LTE_PLACEMENT_DEVICE, OUT, true}}; /* of the widest that estimate, 4 do not fit */
    enum { WAYS = sizeof ways / sizeof *ways };
    static int turn;
    const lte_backend *gpu = &lte_backend_cuda;
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0);
    lte_engine *engine = new_engine(link);
    const bool allowed = engine->persistent.allowed;
    slot_data t;
    new_slots(engine, link, DISTINCT, OUT, &t);
    const kept_slots refilled = keep_slots(link, detector, noise, SEED + 100, &t);
    const kept_slots filled = keep_slots(link, detector, noise, SEED, &t);
    for (int w = 0; w < WAYS; w++) {
        const int placement = ways[w].placement, n_carriers = ways[w].n_carriers;
        const lte_slot_plan plan = {
            {t.slots, noise, .detector = detector, .n_carriers = n_carriers},
            placement,
            1,
            0.0,
            NULL};
        double us[LTE_N_TIMED];
        lte_slot_setup setup;
        if (small() && w != turn % WAYS) /* one a link */
            continue;
        put_slots(&filled, &t);
        poison_bits(&t);
        let_stay(engine, ways[w].stays, allowed);
        assert_int_equal(gpu->slots->begin(engine, &plan, &setup), LTE_OK);
        for (uint64_t first = 0; first < OUT; first += (uint64_t)n_carriers)
            assert_int_equal(run_period(engine, first), LTE_OK);
        if (placement == LTE_PLACEMENT_HOST) { /* new numbers in the same memory */
            compare_bits(&t, 0, OUT);
            put_slots(&refilled, &t);
            assert_int_equal(run_period(engine, 0), LTE_OK);
            compare_bits(&t, 0, n_carriers);
        }
        const bool by_stages = n_carriers == 1 && ways[w].stays;
        if (by_stages) {
            poison_bits(&t);
            for (uint64_t i = 0; i < OUT; i++)
                assert_int_equal(gpu->slots->stages(engine, i, us), LTE_OK);
            assert_int_equal(
                gpu->slots->inversion(engine, link->carrier.n_sc * link->receiver.n_csi, us),
                LTE_OK);
        }
        assert_int_equal(gpu->slots->end(engine), LTE_OK);
        if (placement == LTE_PLACEMENT_DEVICE || by_stages)
            compare_bits(&t, 0, OUT);
    }
    turn++;
    free_kept(&filled);
    free_kept(&refilled);
    free_slots(engine, &t);
    gpu->free(engine);
}

static void check_periods(const lte_link *link)
{
    check_periods_of(link, detector_of(link));
}

/*
 * Of one search after the other, in a third of the links; of maximum likelihood in small ones. Of
 * all of them where they have kernels of their own.
 */
static void check_searched_periods(const lte_link *link)
{
    static int turn;
    const bool own = lte_slot_searching_takes(link, lte_detector_usual(LTE_DETECTOR_mmse_sic));
    for (int id = LTE_N_ESTIMATING_DETECTORS; own && id < LTE_N_DETECTORS; id++) {
        if (takes_link(id, link))
            check_periods_of(link, lte_detector_usual(id));
    }
    if (own || (link->n_tx + link->n_rx + link->n_bits / 2) % 3 != 0 || link->n_tx > LTE_MAX_ORDER)
        return;
    const int n = LTE_N_DETECTORS - LTE_N_ESTIMATING_DETECTORS;
    const int id = LTE_N_ESTIMATING_DETECTORS + turn++ % n;
    if (takes_link(id, link))
        check_periods_of(link, lte_detector_usual(id));
    check_periods_of(link, (lte_detector){LTE_DETECTOR_kbest, {4, 5.0}});
}

static void searched_slots_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_searched_periods);
    for_large_shapes(check_searched_periods);
    for_estimating_shapes(check_searched_periods);
    for_both_references(check_searched_periods);
}

/*
 * LLRs of all searches that have kernels of their own; a carrier of 75 subcarriers has no whole
 * words of four. Planes of any numbers are far from all vectors: most searches of maximum
 * likelihood are left to the second phase.
 */
static void searched_llrs_equal_those_of_the_cpu(void **state)
{
    static const int n_sc[] = {75, 300, 1100};
    int n_checked = 0;
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (int i = 0; i < 6 && !(small() && i > 2); i++) {
            const int n_tx = i % 2 ? 4 : 2;
            lte_link link;
            assert_int_equal(lte_link_init(&link, n_sc[i / 2], n_tx, n_tx, n_bits,
                                           LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, SEED),
                             LTE_OK);
            let_give_llrs(&link, LTE_DEMAPPER_exact, 4.0f);
            for (int id = LTE_N_ESTIMATING_DETECTORS; id < LTE_N_DETECTORS; id++) {
                const lte_detector detector = lte_detector_usual(id);
                if (!takes_link(id, &link) || !lte_slot_searching_takes(&link, detector))
                    continue;
                check_periods_of(&link, detector);
                n_checked++;
            }
        }
    }
    assert_true(n_checked >= 3 * LTE_N_MODULATIONS);
}

/* LLRs of one detector after the other, by whatever kernels a receiver that estimates has. */
static void check_soft_periods(const lte_link *link)
{
    static int turn;
    lte_link soft = *link;
    lte_detector detector;
    let_give_llrs(&soft, LTE_DEMAPPER_max_log, 4.0f);
    do
        detector = lte_detector_usual(turn++ % LTE_N_DETECTORS);
    while (!takes_link(detector.id, &soft));
    check_periods_of(&soft, detector);
}

static void llrs_of_estimates_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_estimating_shapes(check_soft_periods);
    for_both_references(check_soft_periods);
}

/* Maximum likelihood of 64QAM, which takes_link leaves out: bits and LLRs of some elements. */
static void long_searches_of_slots_equal_those_of_the_cpu(void **state)
{
    const lte_detector ml = lte_detector_usual(LTE_DETECTOR_ml);
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        lte_link link;
        assert_int_equal(
            lte_link_init(&link, 12, 4, 4, 6, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, SEED),
            LTE_OK);
        if (soft)
            let_give_llrs(&link, LTE_DEMAPPER_exact, 4.0f);
        assert_true(lte_slot_searching_takes(&link, ml));
        check_periods_of(&link, ml);
    }
}

static void timed_slots_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_periods);
    for_large_shapes(check_periods);
    for_estimating_shapes(check_periods);
    for_both_references(check_periods);
}

static void check_version_periods(const lte_link *link)
{
    with_version(link, check_periods);
}

static void slots_by_every_version_equal_those_of_the_cpu(void **state)
{
    (void)state;
    for_shapes(check_version_periods);
    for_large_shapes(check_version_periods);
    for_both_references(check_version_periods);
}

/* The launches that a period may take in place of the kernel that stays. */
static void check_launches(const lte_link *link)
{
    enum { DISTINCT = 3, OUT = 6 };
    if (lte_link_in_batches(link))
        return; /* neither of the two takes it */
    const lte_detector detector = lte_detector_usual(link->n_bits / 2 % LTE_N_ESTIMATING_DETECTORS);
    const lte_noise noise = lte_noise_of(link->n_tx, 100.0);
    lte_engine *engine = new_engine(link);
    slot_data t;
    new_slots(engine, link, DISTINCT, OUT, &t);
    fill_slots(link, detector, noise, SEED, &t);
    for (int n = 1; n <= OUT; n += OUT - 1) {
        const lte_slot_job job = {t.slots, noise, .detector = detector, .n_carriers = n};
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
static void spoil_slots(const lte_link *link, lte_detector detector, lte_noise noise, slot_data *t)
{
    const lte_stages *cpu = lte_stages_best();
    void *work = poisoned(lte_stage_work(link), 0x5a);
    const ptrdiff_t n_sc = link->carrier.n_sc, n_tx = link->n_tx;
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
        cpu->slot(link, detector, noise, lte_groups_of(0, link->carrier.n_groups, work), h, y,
                  t->expected + i * t->bits_size);
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
    const int n_sc = link->carrier.n_sc, n = link->n_tx, n_rx = link->n_rx,
              n_z = LTE_SLOT_SYMBOLS * n;
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
        const int *shape = shapes[i / 2];
        const lte_detector detector =
            lte_detector_usual(i % 2 ? LTE_DETECTOR_mmse : LTE_DETECTOR_zf);
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
        check_inverses(&link, lte_detector_row_of(detector)->loading * noise.n0, &t);
        poison_bits(&t);
        const lte_slot_job job = {t.slots, noise, .detector = detector, .n_carriers = N_SLOTS};
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

static void ten_thousand_slots_leak_nothing(void **state)
{
    (void)state;
    enum { PIECE = 1000, PIECES = 10 };
    const lte_backend *gpu = &lte_backend_cuda;
    static lte_power power[PIECE];
    static uint32_t errors[PIECE * LTE_N_HARD_COUNTS(4)];
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    const lte_noise noise = lte_noise_of(4, 100.0);
    size_t before = 0;
    lte_link link;
    assert_int_equal(lte_link_init(&link, 300, 4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1),
                     LTE_OK);
    for (int round = 0; round < 2; round++) { /* the first takes what the runtime keeps */
        lte_engine *engine = new_engine(&link);
        slot_data t;
        let_stay(engine, true, engine->persistent.allowed);
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
                const lte_slot_plan plan = {{t.slots, noise, .detector = detector, .n_carriers = n},
                                            placement,
                                            1,
                                            0.0,
                                            NULL};
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_slots, timed_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, searched_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, searched_llrs_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, llrs_of_estimates_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, long_searches_of_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, slots_by_every_version_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, launched_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, fused_slots_equal_those_of_the_cpu),
        LTE_CASE(cuda_slots, ten_thousand_slots_leak_nothing),
    };
    return LTE_RUN_GPU_CASES("cuda_slots", cases);
}
