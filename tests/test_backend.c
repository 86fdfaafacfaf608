/* The backends of a build: one set of bits, whatever the name, the threads and the batch. */

#include "batch.h"

#include "kernels/backend.h"
#include "kernels/ring.h"

enum { N_SC = 75, N_SLOTS = 5, FIRST_SLOT = 40, N_DETECTORS = 2, N_DISTINCT = 3, N_CARRIERS = 7 };
static const int detectors[N_DETECTORS] = {LTE_DETECTOR_mmse, LTE_DETECTOR_zf};

static int n_failures;
static lte_status last_failure;

static void count_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    assert_true(text[0] != '\0');
    n_failures++;
    last_failure = status;
}

static lte_link test_link(int inverter)
{
    return link_of(N_SC, 4, 3, 4, LTE_CHANNEL_rayleigh, inverter);
}

static lte_engine *new_engine(const lte_backend *backend, const lte_link *link, int n_threads)
{
    lte_engine *engine = NULL;
    assert_int_equal(backend->create(backend, link, n_threads, &engine), LTE_OK);
    assert_non_null(engine);
    return engine;
}

static void every_name_opens_or_says_why_not(void **state)
{
    (void)state;
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    for (int i = 0; lte_backends[i]; i++) {
        const lte_backend *backend = NULL;
        n_failures = 0;
        const lte_status status = lte_backend_open(lte_backends[i]->name, &backend);
        assert_true(lte_backend_known(lte_backends[i]->name));
        assert_non_null(strstr(lte_backend_names(), lte_backends[i]->name));
        if (lte_backends[i]->usable()) {
            assert_int_equal(status, LTE_OK);
            assert_ptr_equal(backend, lte_backends[i]);
            assert_int_equal(n_failures, 0);
        } else {
            assert_int_equal(status, LTE_EDEVICE);
            assert_null(backend);
            assert_int_equal(n_failures, 1);
        }
    }
    (void)lte_fail_handler_set(handler);
}

static void auto_and_cpu_are_the_fastest_usable(void **state)
{
    (void)state;
    const lte_backend *fastest = NULL, *backend = NULL;
    for (int i = 0; lte_backends[i]; i++) {
        if (lte_backends[i]->usable() && lte_backends[i]->stages)
            fastest = lte_backends[i];
    }
    assert_true(lte_backend_known("auto") && lte_backend_known("cpu"));
    assert_int_equal(lte_backend_open("cpu", &backend), LTE_OK);
    assert_ptr_equal(backend, fastest);
    assert_ptr_equal(backend->stages, lte_stages_best());
    assert_int_equal(lte_backend_open("auto", &backend), LTE_OK);
    assert_non_null(backend);
}

static void unknown_name_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "gpu", "cpu:", "cpu:v2", "CPU", "cpu:ref ", "autos"};
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lte_backend *backend = lte_backends[0];
        n_failures = 0;
        assert_int_equal(lte_backend_open(names[i], &backend), LTE_EINVAL);
        assert_null(backend);
        assert_int_equal(n_failures, 1);
        assert_int_equal(last_failure, LTE_EINVAL);
        assert_false(lte_backend_known(names[i]));
    }
    (void)lte_fail_handler_set(handler);
}

typedef struct {
    lte_power power[N_SLOTS];
    lte_errors errors[N_SLOTS][N_DETECTORS];
} counts;

/* Counts one slot after the other by the stages of the reference. */
static void count_by_stages(const lte_link *link, lte_noise noise, counts *expected)
{
    batch b;
    batch_init(&b, link, 0xa5);
    for (int slot = 0; slot < N_SLOTS; slot++) {
        batch_send(&b, lte_stages_all[0], FIRST_SLOT + (uint64_t)slot, noise);
        expected->power[slot] = b.power;
        for (int d = 0; d < N_DETECTORS; d++) {
            batch_decide(&b, lte_stages_all[0], detectors[d], noise);
            expected->errors[slot][d] = b.errors;
        }
    }
    batch_fini(&b);
}

static void sweep_counts_alike_on_every_backend_and_thread_count(void **state)
{
    (void)state;
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        const lte_link link = test_link(inverter);
        const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
        counts expected, counted;
        count_by_stages(&link, noise, &expected);
        assert_true(expected.errors[0][0].bit_errors[0] > 0);
        for (int i = 0; lte_backends[i]; i++) {
            for (int n_threads = 1; n_threads <= 3 && lte_backends[i]->usable(); n_threads++) {
                lte_engine *engine = new_engine(lte_backends[i], &link, n_threads);
                assert_int_equal(lte_backends[i]->threads(engine), n_threads);
                memset(&counted, 0x5a, sizeof counted);
                assert_int_equal(lte_backends[i]->sweep(engine, noise, detectors, N_DETECTORS,
                                                        FIRST_SLOT, N_SLOTS, counted.power,
                                                        counted.errors[0]),
                                 LTE_OK);
                assert_memory_equal(&counted, &expected, sizeof counted);
                lte_backends[i]->free(engine);
            }
        }
    }
}

static void sweep_of_one_slot_is_the_slot_of_a_longer_one(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_ldl);
    const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
    const lte_backend *backend = NULL;
    counts expected;
    count_by_stages(&link, noise, &expected);
    assert_int_equal(lte_backend_open("auto", &backend), LTE_OK);
    lte_engine *engine = new_engine(backend, &link, 2);
    for (int slot = 0; slot < N_SLOTS; slot++) {
        lte_power power;
        lte_errors errors[N_DETECTORS];
        assert_int_equal(backend->sweep(engine, noise, detectors, N_DETECTORS,
                                        FIRST_SLOT + (uint64_t)slot, 1, &power, errors),
                         LTE_OK);
        assert_memory_equal(&power, &expected.power[slot], sizeof power);
        assert_memory_equal(errors, expected.errors[slot], sizeof errors);
    }
    backend->free(engine);
}

static void engine_without_a_thread_count_takes_all_processors(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_ldl);
    const lte_backend *backend = NULL;
    assert_int_equal(lte_backend_open("auto", &backend), LTE_OK);
    lte_engine *engine = new_engine(backend, &link, 0);
    assert_true(backend->threads(engine) >= 1);
    backend->free(engine);
    backend->free(NULL);
}

static lte_ring *new_ring(const lte_link *link, lte_noise noise, int n_distinct)
{
    lte_ring *ring = NULL;
    assert_int_equal(lte_ring_create(link, noise, n_distinct, &ring), LTE_OK);
    assert_non_null(ring);
    return ring;
}

/* The slots of a ring are those of the stages, and count the same errors. */
static void ring_holds_the_slots_of_the_sweep(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_gauss_jordan);
    const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
    const lte_stages *stages = lte_stages_all[0];
    lte_ring *ring = new_ring(&link, noise, N_DISTINCT);
    batch b;
    batch_init(&b, &link, 0xa5);
    float *h = poisoned(b.h_size, 0x5a);
    for (int slot = 0; slot < N_DISTINCT; slot++) {
        const lte_slot_io io = lte_ring_slot(ring, (uint64_t)slot);
        uint64_t errors = 0, expected = 0;
        batch_send(&b, stages, (uint64_t)slot, noise);
        batch_decide(&b, stages, LTE_DETECTOR_mmse, noise);
        assert_memory_equal(io.h, b.h_planes, 12 * N_SC * sizeof *io.h);
        assert_memory_equal(io.y, b.y_planes, 4 * LTE_SLOT_SYMBOLS * N_SC * sizeof *io.y);
        memcpy(io.bits, b.bits, b.bits_size);
        assert_int_equal(lte_ring_errors(ring, (uint64_t)slot, &errors), LTE_OK);
        for (int layer = 0; layer < link.n_tx; layer++)
            expected += b.errors.bit_errors[layer];
        assert_int_equal(errors, expected);
        assert_true(errors > 0);
        lte_ring_channel(ring, slot, h);
        assert_memory_equal(h, b.h, b.h_size);
    }
    free(h);
    batch_fini(&b);
    lte_ring_free(ring);
    lte_ring_free(NULL);
}

static void outputs_of_a_tick_are_not_shared(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_ldl);
    const size_t size = LTE_SLOT_SYMBOLS * lte_packed_row(&link);
    lte_ring *ring = new_ring(&link, lte_noise_of(link.n_tx, 20.0), N_DISTINCT);
    for (int n_carriers = 1; n_carriers <= N_CARRIERS; n_carriers += 2) {
        assert_int_equal(lte_ring_reserve(ring, n_carriers), LTE_OK);
        for (uint64_t tick = 0; tick < 5; tick++) {
            const uint64_t first = tick * (uint64_t)n_carriers;
            for (uint64_t c = 0; c < (uint64_t)n_carriers; c++) /* each byte written once */
                memset(lte_ring_slot(ring, first + c).bits, (int)c, size);
            for (uint64_t c = 0; c < (uint64_t)n_carriers; c++) {
                const lte_slot_io io = lte_ring_slot(ring, first + c);
                assert_ptr_equal(io.h, lte_ring_slot(ring, (first + c) % N_DISTINCT).h);
                assert_ptr_equal(io.y, lte_ring_slot(ring, (first + c) % N_DISTINCT).y);
                for (size_t i = 0; i < size; i++)
                    assert_int_equal(io.bits[i], c);
            }
        }
    }
    lte_ring_free(ring);
}

/* Bits of N_CARRIERS slots of the ring, one by one, by the stages of the reference. */
static uint8_t *expected_bits(const lte_link *link, int detector, lte_noise noise, size_t size)
{
    uint8_t *bits = poisoned(N_CARRIERS * size, 0);
    batch b;
    batch_init(&b, link, 0xa5);
    for (int i = 0; i < N_CARRIERS; i++) {
        batch_send(&b, lte_stages_all[0], (uint64_t)(i % N_DISTINCT), noise);
        batch_decide(&b, lte_stages_all[0], detector, noise);
        memcpy(&bits[(size_t)i * size], b.bits, size);
    }
    batch_fini(&b);
    return bits;
}

static void spoil_outputs(const lte_slot_io *io, int n, size_t size)
{
    for (int i = 0; i < n; i++)
        memset(io[i].bits, 0x5a, size);
}

static void assert_outputs(const lte_slot_io *io, int n, size_t size, const uint8_t *expected)
{
    for (int i = 0; i < n; i++)
        assert_memory_equal(io[i].bits, &expected[(size_t)i * size], size);
}

/* A tick of many carriers, one of a single one, and one by stages. */
static void check_ticks(const lte_backend *backend, lte_engine *engine, int detector,
                        lte_noise noise, const lte_slot_io *io, size_t size,
                        const uint8_t *expected)
{
    for (int n = 1; n <= N_CARRIERS; n += 3) {
        spoil_outputs(io, n, size);
        assert_int_equal(backend->tick(engine, detector, noise, io, n), LTE_OK);
        assert_outputs(io, n, size, expected);
    }
    spoil_outputs(io, N_CARRIERS, size);
    for (int i = 0; i < N_CARRIERS; i++) {
        double us[LTE_N_TIMED];
        for (int s = 0; s < LTE_N_TIMED; s++)
            us[s] = -1.0;
        assert_int_equal(backend->tick_stages(engine, detector, noise, &io[i], us), LTE_OK);
        for (int s = 0; s < LTE_N_TIMED; s++)
            assert_true(us[s] >= 0.0);
    }
    assert_outputs(io, N_CARRIERS, size, expected);
}

static void ticks_give_the_bits_of_the_stages(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
        const lte_link link = test_link(i % LTE_N_INVERTERS);
        const int detector = i / LTE_N_INVERTERS;
        const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
        const size_t size = LTE_SLOT_SYMBOLS * lte_packed_row(&link);
        lte_ring *ring = new_ring(&link, noise, N_DISTINCT);
        lte_slot_io io[N_CARRIERS];
        assert_int_equal(lte_ring_reserve(ring, N_CARRIERS), LTE_OK);
        for (uint64_t c = 0; c < N_CARRIERS; c++)
            io[c] = lte_ring_slot(ring, c);
        uint8_t *expected = expected_bits(&link, detector, noise, size);
        for (int b = 0; lte_backends[b]; b++) {
            for (int n_threads = 1; n_threads <= 3 && lte_backends[b]->usable(); n_threads++) {
                lte_engine *engine = new_engine(lte_backends[b], &link, n_threads);
                for (int limit = n_threads; limit >= 1; limit--) {
                    lte_backends[b]->limit_tick(engine, limit);
                    check_ticks(lte_backends[b], engine, detector, noise, io, size, expected);
                }
                lte_backends[b]->free(engine);
            }
        }
        free(expected);
        lte_ring_free(ring);
    }
}

static void timed_stages_have_their_names(void **state)
{
    (void)state;
    static const char *const names[] = {"copy_in",   "corner_turn", "gram",
                                        "inversion", "detection",   "copy_out"};
    assert_int_equal(LTE_N_TIMED, 6);
    for (int i = 0; i < LTE_N_TIMED; i++)
        assert_string_equal(lte_timed_names[i], names[i]);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(backend, every_name_opens_or_says_why_not),
    LTE_CASE(backend, auto_and_cpu_are_the_fastest_usable),
    LTE_CASE(backend, unknown_name_is_refused),
    LTE_CASE(backend, sweep_counts_alike_on_every_backend_and_thread_count),
    LTE_CASE(backend, sweep_of_one_slot_is_the_slot_of_a_longer_one),
    LTE_CASE(backend, engine_without_a_thread_count_takes_all_processors),
    LTE_CASE(backend, timed_stages_have_their_names),
    LTE_CASE(ring, ring_holds_the_slots_of_the_sweep),
    LTE_CASE(ring, outputs_of_a_tick_are_not_shared),
    LTE_CASE(backend, ticks_give_the_bits_of_the_stages),
};

int main(void)
{
    return cmocka_run_group_tests_name("backend", cases, NULL, NULL);
}
