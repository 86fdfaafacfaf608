/* The backends of a build: one set of bits, whatever the name, the threads and the batch. */

#include "tests/lib/batch.h"

#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"

enum {
    N_SC = 75,
    N_TX = 3,
    N_COUNTS = LTE_N_HARD_COUNTS(N_TX),
    N_SLOTS = 5,
    FIRST_SLOT = 40,
    N_DISTINCT = 3,
    N_CARRIERS = 7
};
#define ID(id) LTE_DETECTOR_##id,
static const int detectors[] = {LTE_SOLVING_DETECTORS(ID) LTE_OTHER_DETECTORS(ID)};
#undef ID
enum { N_DETECTORS = LTE_N_ESTIMATING_DETECTORS };

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
    return link_of(N_SC, 4, N_TX, 4, LTE_CHANNEL_rayleigh, inverter);
}

static lte_engine *new_engine(const lte_backend *backend, const lte_link *link, int n_threads)
{
    lte_engine *engine = NULL;
    const lte_engine_options options = {.n_threads = n_threads};
    assert_int_equal(backend->create(backend, link, &options, &engine), LTE_OK);
    assert_non_null(engine);
    return engine;
}

static bool usable(const lte_backend *backend)
{
    return backend->n_devices() > 0;
}

/* A whole sweep of the backend at once. */
static void sweep(const lte_backend *backend, lte_engine *engine, lte_noise noise, uint64_t first,
                  int n_slots, lte_power *power, uint32_t *errors)
{
    lte_detector usual[N_DETECTORS];
    for (int d = 0; d < N_DETECTORS; d++)
        usual[d] = lte_detector_usual(detectors[d]);
    assert_int_equal(
        backend->sweep->start(engine, noise, usual, N_DETECTORS, first, n_slots, power, errors),
        LTE_OK);
    assert_true(!backend->stages || backend->sweep->is_done(engine)); /* a processor is at once */
    assert_int_equal(backend->sweep->wait(engine), LTE_OK);
}

static void every_name_opens_or_says_why_not(void **state)
{
    (void)state;
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    for (int i = 0; lte_backends[i]; i++) {
        const lte_backend *backend = NULL;
        int device = 7;
        n_failures = 0;
        const lte_status status = lte_backend_open(lte_backends[i]->name, &backend, &device);
        assert_true(lte_backend_known(lte_backends[i]->name));
        assert_non_null(strstr(lte_backend_names(), lte_backends[i]->name));
        if (usable(lte_backends[i])) {
            assert_int_equal(status, LTE_OK);
            assert_ptr_equal(backend, lte_backends[i]);
            assert_int_equal(device, 0);
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
    const lte_backend *fastest = NULL, *fastest_cpu = NULL, *backend = NULL;
    int device;
    for (int i = 0; lte_backends[i]; i++) {
        if (!usable(lte_backends[i]))
            continue;
        fastest = lte_backends[i];
        fastest_cpu = lte_backends[i]->stages ? lte_backends[i] : fastest_cpu;
    }
    assert_true(lte_backend_known("auto") && lte_backend_known("cpu"));
    assert_int_equal(lte_backend_open("cpu", &backend, &device), LTE_OK);
    assert_ptr_equal(backend, fastest_cpu);
    assert_ptr_equal(backend->stages, lte_stages_best());
    assert_int_equal(lte_backend_open("auto", &backend, &device), LTE_OK);
    assert_ptr_equal(backend, fastest);
}

static void unknown_name_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",       "gpu",     "cpu:",    "cpu:v2",  "CPU",   "autos",  "cpu:ref ",        "cuda:",
        "cuda:x", "cuda:-1", "cuda:1x", "cuda:+1", "cudas", "cuda 0", "cuda:99999999999"};
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lte_backend *backend = lte_backends[0];
        int device;
        n_failures = 0;
        assert_int_equal(lte_backend_open(names[i], &backend, &device), LTE_EINVAL);
        assert_null(backend);
        assert_int_equal(n_failures, 1);
        assert_int_equal(last_failure, LTE_EINVAL);
        assert_false(lte_backend_known(names[i]));
    }
    (void)lte_fail_handler_set(handler);
}

typedef struct {
    lte_power power[N_SLOTS];
    uint32_t errors[N_SLOTS][N_DETECTORS][N_COUNTS];
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
            batch_decide(&b, lte_stages_all[0], lte_detector_usual(detectors[d]), noise);
            memcpy(expected->errors[slot][d], b.errors, b.errors_size);
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
        memset(&expected, 0x5a, sizeof expected);
        count_by_stages(&link, noise, &expected);
        assert_true(expected.errors[0][0][lte_bits_at(0)] > 0);
        for (int i = 0; lte_backends[i]; i++) {
            for (int n_threads = 1; n_threads <= 3 && usable(lte_backends[i]); n_threads++) {
                lte_engine *engine = new_engine(lte_backends[i], &link, n_threads);
                int fewest, most;
                lte_backends[i]->sweep->sizes(engine, &fewest, &most);
                assert_true(fewest >= N_SLOTS && most >= fewest);
                if (lte_backends[i]->stages)
                    assert_int_equal(lte_backends[i]->threads(engine), n_threads);
                memset(&counted, 0x5a, sizeof counted);
                sweep(lte_backends[i], engine, noise, FIRST_SLOT, N_SLOTS, counted.power,
                      counted.errors[0][0]);
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
    int device;
    counts expected;
    count_by_stages(&link, noise, &expected);
    assert_int_equal(lte_backend_open("auto", &backend, &device), LTE_OK);
    lte_engine *engine = new_engine(backend, &link, 2);
    for (int slot = 0; slot < N_SLOTS; slot++) {
        lte_power power;
        uint32_t errors[N_DETECTORS][N_COUNTS];
        sweep(backend, engine, noise, FIRST_SLOT + (uint64_t)slot, 1, &power, errors[0]);
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
    int device;
    assert_int_equal(lte_backend_open("auto", &backend, &device), LTE_OK);
    lte_engine *engine = new_engine(backend, &link, 0);
    assert_true(backend->threads(engine) >= 1);
    backend->free(engine);
    backend->free(NULL);
}

static void a_usable_device_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; lte_backends[i]; i++) {
        for (int k = 0; k < lte_backends[i]->n_devices(); k++) {
            lte_device device;
            memset(&device, 0x5a, sizeof device);
            assert_int_equal(lte_backends[i]->describe(k, &device), LTE_OK);
            assert_true(device.name[0] != '\0');
            assert_non_null(memchr(device.name, '\0', sizeof device.name));
            assert_non_null(memchr(device.text, '\0', sizeof device.text));
            assert_non_null(memchr(device.driver, '\0', sizeof device.driver));
        }
    }
}

/* An engine with a buffer of slots in its memory. */
typedef struct {
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
} buffered;

static buffered new_buffer(const lte_backend *backend, const lte_link *link, lte_noise noise,
                           int n_threads)
{
    buffered r = {backend, new_engine(backend, link, n_threads), NULL};
    assert_int_equal(lte_slot_buffer_create(backend, r.engine, link, noise, N_DISTINCT, &r.buffer),
                     LTE_OK);
    assert_non_null(r.buffer);
    assert_int_equal(lte_slot_buffer_make(r.buffer, 0, 1), LTE_OK); /* in parts: the same slots */
    assert_int_equal(lte_slot_buffer_make(r.buffer, 1, N_DISTINCT - 1), LTE_OK);
    return r;
}

static void free_buffer(buffered *r)
{
    lte_slot_buffer_free(r->buffer);
    r->backend->free(r->engine);
}

/* The slots of a buffer are those of the stages, and count the same errors. */
static void buffer_holds_the_slots_of_the_sweep(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_gauss_jordan);
    const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
    const lte_stages *stages = lte_stages_all[0];
    buffered r = new_buffer(lte_backends[0], &link, noise, 1);
    const lte_slot_memory slots = lte_slot_buffer_memory(r.buffer);
    const ptrdiff_t n_h = 12 * N_SC, n_y = 4 * LTE_SLOT_SYMBOLS * N_SC;
    batch b;
    batch_init(&b, &link, 0xa5);
    assert_int_equal(slots.n_in, N_DISTINCT);
    for (int slot = 0; slot < N_DISTINCT; slot++) {
        lte_output_errors errors;
        batch_send(&b, stages, (uint64_t)slot, noise);
        batch_decide(&b, stages, lte_detector_usual(LTE_DETECTOR_mmse), noise);
        assert_memory_equal(&slots.h[slot * n_h], b.h_planes, (size_t)n_h * sizeof *slots.h);
        assert_memory_equal(&slots.y[slot * n_y], b.y_planes, (size_t)n_y * sizeof *slots.y);
        memcpy(&slots.bits[(size_t)slot * b.bits_size], b.bits, b.bits_size);
        assert_int_equal(lte_slot_buffer_errors(r.buffer, (uint64_t)slot, &errors), LTE_OK);
        assert_int_equal(errors.bit_errors, lte_bit_errors(link.n_tx, b.errors));
        assert_true(errors.bit_errors > 0);
        assert_int_equal(errors.blocks, 0);
    }
    batch_fini(&b);
    free_buffer(&r);
    lte_slot_buffer_free(NULL);
}

static void outputs_of_a_period_are_not_shared(void **state)
{
    (void)state;
    const lte_link link = test_link(LTE_INVERTER_ldl);
    const size_t size = LTE_SLOT_SYMBOLS * lte_packed_row(&link);
    buffered r = new_buffer(lte_backends[0], &link, lte_noise_of(link.n_tx, 20.0), 1);
    for (int n_carriers = 1; n_carriers <= N_CARRIERS; n_carriers += 2) {
        assert_int_equal(lte_slot_buffer_reserve(r.buffer, n_carriers), LTE_OK);
        const lte_slot_memory slots = lte_slot_buffer_memory(r.buffer);
        assert_true(slots.n_out >= (uint64_t)n_carriers);
        assert_int_equal(slots.n_out % slots.n_in, 0); /* an output is always the same slot's */
        memset(slots.bits, 0x5a, slots.n_out * size);
        lte_slot_buffer_clear(r.buffer, 0, UINT64_MAX);
        for (size_t i = 0; i < slots.n_out * size; i++)
            assert_int_equal(slots.bits[i], 0);
    }
    free_buffer(&r);
}

/* Bits of N_CARRIERS slots of the buffer, one by one, by the stages of the reference. */
static uint8_t *expected_bits(const lte_link *link, int detector, lte_noise noise, size_t size)
{
    uint8_t *bits = poisoned(N_CARRIERS * size, 0);
    batch b;
    batch_init(&b, link, 0xa5);
    for (int i = 0; i < N_CARRIERS; i++) {
        batch_send(&b, lte_stages_all[0], (uint64_t)(i % N_DISTINCT), noise);
        batch_decide(&b, lte_stages_all[0], lte_detector_usual(detector), noise);
        memcpy(&bits[(size_t)i * size], b.bits, size);
    }
    batch_fini(&b);
    return bits;
}

/* The output of each slot 0 .. n - 1 in the buffer. */
static void assert_outputs(const buffered *r, int n, size_t size, const uint8_t *expected)
{
    const lte_slot_memory slots = lte_slot_buffer_memory(r->buffer);
    for (int i = 0; i < n; i++)
        assert_memory_equal(&slots.bits[(size_t)i * size], &expected[(size_t)i * size], size);
}

static void begin(const buffered *r, int placement, int detector, lte_noise noise, int n_carriers,
                  int n_threads)
{
    const lte_slot_plan plan = {.job = {lte_slot_buffer_memory(r->buffer), noise,
                                        .detector = lte_detector_usual(detector),
                                        .n_carriers = n_carriers},
                                .placement = placement,
                                .n_threads = n_threads};
    lte_slot_setup setup;
    lte_slot_buffer_clear(r->buffer, 0, UINT64_MAX);
    assert_int_equal(r->backend->slots->begin(r->engine, &plan, &setup), LTE_OK);
}

/* Periods of many carriers, and slot after slot by stages. */
static void check_periods(const buffered *r, int placement, int detector, lte_noise noise,
                          int n_threads, size_t size, const uint8_t *expected)
{
    const lte_backend *backend = r->backend;
    for (int n = 1; n <= N_CARRIERS; n += 3) {
        assert_int_equal(lte_slot_buffer_reserve(r->buffer, n), LTE_OK);
        begin(r, placement, detector, noise, n, n_threads);
        for (int done = 0; done < N_CARRIERS + n; done += n) {
            const double release_s = lte_seconds() + 1e-5;
            double completed_s = 0.0, gap_s = 0.0;
            assert_int_equal(
                backend->slots->run(r->engine, (uint64_t)done, release_s, &completed_s, &gap_s),
                LTE_OK);
            assert_true(completed_s > release_s && completed_s <= lte_seconds());
        }
        assert_int_equal(backend->slots->end(r->engine), LTE_OK);
        const int n_out = (int)lte_slot_buffer_memory(r->buffer).n_out;
        assert_outputs(r, n_out < N_CARRIERS ? n_out : N_CARRIERS, size, expected);
    }
    begin(r, placement, detector, noise, 1, n_threads);
    for (int i = 0; i < N_CARRIERS; i++) {
        double us[LTE_N_TIMED], inversion_us = -1.0;
        for (int s = 0; s < LTE_N_TIMED; s++)
            us[s] = -1.0;
        assert_int_equal(backend->slots->stages(r->engine, (uint64_t)i, us), LTE_OK);
        for (int s = 0; s < LTE_N_TIMED; s++)
            assert_true(us[s] >= 0.0);
        if (!backend->slots->inversion)
            continue;
        /* one, a slot's, and, on a processor, more than a slot has */
        const int most = backend->stages ? N_CARRIERS * N_SC : N_SC;
        const int n_matrices = i == 0 ? 1 : i * N_SC / 2 < most ? i * N_SC / 2 : most;
        assert_int_equal(backend->slots->inversion(r->engine, n_matrices, &inversion_us), LTE_OK);
        assert_true((lte_detector_rows[detector].needs & LTE_NEEDS_INVERSE) ? inversion_us > 0.0
                                                                            : inversion_us == 0.0);
    }
    assert_int_equal(backend->slots->end(r->engine), LTE_OK);
    assert_outputs(r, N_CARRIERS, size, expected);
}

static void slot_periods_give_the_bits_of_the_stages(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
        const lte_link link = test_link(i % LTE_N_INVERTERS);
        const int detector = i / LTE_N_INVERTERS;
        if (!is_a_case(detector, link.receiver.inverter))
            continue;
        const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
        const size_t size = LTE_SLOT_SYMBOLS * lte_packed_row(&link);
        uint8_t *expected = expected_bits(&link, detector, noise, size);
        for (int b = 0; lte_backends[b]; b++) {
            const bool takes = lte_backends[b]->stages || lte_detector_rows[detector].on_devices;
            for (int n_threads = is_short() ? 3 : 1;
                 takes && n_threads <= 3 && usable(lte_backends[b]); n_threads++) {
                buffered r = new_buffer(lte_backends[b], &link, noise, n_threads);
                const int most = lte_backends[b]->threads(r.engine);
                for (int p = 0; p < lte_backends[b]->slots->n_placements; p++) {
                    for (int limit = most; limit >= 1; limit--)
                        check_periods(&r, p, detector, noise, limit, size, expected);
                }
                free_buffer(&r);
            }
        }
        free(expected);
    }
}

/* Asked for, or as few as are enough; never more than the engine has. */
static void a_run_of_slot_periods_says_its_threads(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    static const struct {
        int asked;
        double enough_us;
        int least, most;
    } table[] = {{1, 0.0, 1, 1}, {2, 0.0, 2, 2}, {0, 1e9, 1, 1}, {0, 0.0, 1, THREADS}};
    const lte_link link = test_link(LTE_INVERTER_ldl);
    const lte_noise noise = lte_noise_of(link.n_tx, 20.0);
    buffered b = new_buffer(lte_backends[0], &link, noise, THREADS);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const lte_slot_memory memory = lte_slot_buffer_memory(b.buffer);
        const lte_slot_plan plan = {.job = {memory, noise,
                                            .detector = lte_detector_usual(LTE_DETECTOR_mmse),
                                            .n_carriers = 1},
                                    .n_threads = table[i].asked,
                                    .enough_us = table[i].enough_us};
        lte_slot_setup setup = {.n_threads = -1, .cached = true};
        assert_int_equal(b.backend->slots->begin(b.engine, &plan, &setup), LTE_OK);
        assert_in_range(setup.n_threads, table[i].least, table[i].most);
        assert_false(setup.cached);
        assert_int_equal(b.backend->slots->end(b.engine), LTE_OK);
    }
    free_buffer(&b);
}

static void timed_stages_have_their_names(void **state)
{
    (void)state;
    static const char *const names[] = {"copy_in",   "estimation", "corner_turn",   "gram",
                                        "inversion", "detection",  "rate_matching", "decoding",
                                        "crc",       "copy_out"};
    assert_int_equal(LTE_N_TIMED, 10);
    for (int i = 0; i < LTE_N_TIMED; i++)
        assert_string_equal(lte_timed_names[i], names[i]);
    assert_string_equal(lte_placement_names[LTE_PLACEMENT_HOST], "host");
    assert_string_equal(lte_placement_names[LTE_PLACEMENT_DEVICE], "device");
}

/* Its memory is for as many as it was made for: a start with more is refused and writes nothing. */
static void more_detectors_than_the_engine_is_for_are_refused(void **state)
{
    const lte_link link = test_link(LTE_INVERTER_gauss_jordan);
    const lte_noise noise = lte_noise_of(N_TX, 10.0);
    const lte_engine_options options = {.n_threads = 1, .n_detectors = 1};
    const lte_detector usual[2] = {lte_detector_usual(LTE_DETECTOR_zf),
                                   lte_detector_usual(LTE_DETECTOR_mmse)};
    (void)state;
    lte_fail_handler handler = lte_fail_handler_set(count_failure);
    for (int i = 0; lte_backends[i]; i++) {
        const lte_backend *backend = lte_backends[i];
        lte_engine *engine = NULL;
        lte_power power[1] = {{7, 7}};
        uint32_t errors[2 * N_COUNTS] = {7};
        if (!usable(backend))
            continue;
        n_failures = 0;
        assert_int_equal(backend->create(backend, &link, &options, &engine), LTE_OK);
        assert_int_equal(backend->sweep->start(engine, noise, usual, 2, 0, 1, power, errors),
                         LTE_EINVAL);
        assert_int_equal(n_failures, 1);
        assert_true(power[0].signal == 7 && errors[0] == 7);
        backend->free(engine);
    }
    (void)lte_fail_handler_set(handler);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(backend, every_name_opens_or_says_why_not),
    LTE_CASE(backend, auto_and_cpu_are_the_fastest_usable),
    LTE_CASE(backend, unknown_name_is_refused),
    LTE_CASE(backend, sweep_counts_alike_on_every_backend_and_thread_count),
    LTE_CASE(backend, sweep_of_one_slot_is_the_slot_of_a_longer_one),
    LTE_CASE(backend, more_detectors_than_the_engine_is_for_are_refused),
    LTE_CASE(backend, engine_without_a_thread_count_takes_all_processors),
    LTE_CASE(backend, a_usable_device_has_a_name),
    LTE_CASE(backend, timed_stages_have_their_names),
    LTE_CASE(buffer, buffer_holds_the_slots_of_the_sweep),
    LTE_CASE(buffer, outputs_of_a_period_are_not_shared),
    LTE_CASE(backend, slot_periods_give_the_bits_of_the_stages),
    LTE_CASE(backend, a_run_of_slot_periods_says_its_threads),
};

int main(void)
{
    return cmocka_run_group_tests_name("backend", cases, NULL, NULL);
}
