/*
 * The sweep over a backend that works ahead: the same rows as one round after the other, and what
 * is left when the device fails. The backend is made here: it counts as the fastest CPU one, writes
 * only when it is waited for, and fails at a chosen call.
 */
#include "tests/lib/short_sweeps.h"

#include <signal.h>

#include "sim/jobs/workers/stop.h"
#include "sim/jobs/workers/worker_thread.h"

/* ---- a backend that works ahead ---- */

enum { NEVER = -1 };

/* What the next sweep shall meet, and what it did. */
static struct {
    int fewest, most;
    int fail_start, fail_wait; /* calls, from 0, that fail; NEVER */
    int stop_wait;             /* call that a signal comes in */
    int starts, looks, waits;
    uint64_t slots; /* started */
    uint64_t longest;
} fake;

static int fake_threads(const lte_engine *engine)
{
    (void)engine;
    return 1;
}

static void fake_slots(const lte_engine *engine, int *fewest, int *most)
{
    (void)engine;
    *fewest = fake.fewest;
    *most = fake.most;
}

static lte_status fake_start(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                             int n_detectors, uint64_t first, int n_slots, lte_power *power,
                             uint32_t *errors)
{
    assert_false(engine->busy);
    assert_true(n_detectors >= 1 && n_slots >= 1 && n_slots <= fake.most);
    if (fake.starts++ == fake.fail_start)
        return LTE_EDEVICE;
    engine->busy = true;
    engine->noise = noise;
    for (int d = 0; d < n_detectors; d++)
        engine->detectors[d] = detectors[d];
    engine->n_detectors = n_detectors;
    engine->first = first;
    engine->n_slots = n_slots;
    engine->power = power;
    engine->errors = errors;
    fake.slots += (uint64_t)n_slots;
    fake.longest = (uint64_t)n_slots > fake.longest ? (uint64_t)n_slots : fake.longest;
    memset(power, 0x5a, (size_t)n_slots * sizeof *power);
    memset(errors, 0x5a, (size_t)(n_slots * n_detectors) * SMALL_COUNTS * sizeof *errors);
    return LTE_OK;
}

/* Every other time: done when it is waited for, or before. */
static bool fake_is_done(lte_engine *engine)
{
    assert_true(engine->busy);
    return fake.looks++ % 2;
}

static lte_status fake_wait(lte_engine *engine)
{
    assert_true(engine->busy);
    engine->busy = false;
    if (fake.waits == fake.stop_wait)
        lte_stop_signal = SIGTERM;
    if (fake.waits++ == fake.fail_wait)
        return LTE_EDEVICE;
    for (int i = 0; i < engine->n_slots; i++)
        sweep_slot(
            lte_stages_best(), &engine->link, engine->noise, engine->detectors, engine->n_detectors,
            engine->first + (uint64_t)i, &engine->power[i],
            &engine->errors[lte_counts_at(SMALL_COUNTS, (ptrdiff_t)i * engine->n_detectors)]);
    return LTE_OK;
}

static lte_status fake_alloc(lte_engine *engine, size_t size, void **memory)
{
    (void)engine;
    *memory = malloc(size);
    return *memory ? LTE_OK : LTE_ENOMEM;
}

static void fake_free(lte_engine *engine, void *memory)
{
    (void)engine;
    free(memory);
}

static const lte_sweep_ops eager_sweep = {
    .ahead = true,
    .sizes = fake_slots,
    .start = fake_start,
    .is_done = fake_is_done,
    .wait = fake_wait,
};
static const lte_backend eager = {
    .name = "fake",
    .sweep = &eager_sweep,
    .threads = fake_threads,
    .host_alloc = fake_alloc,
    .host_free = fake_free,
};

/* ---- scenarios ---- */

enum { N_SNR = 3 };

/* One detector, MMSE, or the first of the list, in Rayleigh fading. */
static lte_scenario scenario_of(const stop_rule *r, int n_detectors)
{
    static const double snr_db[N_SNR] = {6.0, 14.0, 30.0};
    lte_scenario s = small_scenario(r, snr_db, N_SNR);
    s.channel = LTE_CHANNEL_rayleigh;
    s.n_detectors = n_detectors;
    for (int d = 0; d < n_detectors; d++)
        s.detectors[d] = lte_detector_usual(n_detectors == 1 ? LTE_DETECTOR_mmse : d);
    return s;
}

static void run_ahead(const lte_scenario *s, lte_sweep *sweep, lte_status expected)
{
    lte_engine engine = {.link = scenario_link(s)};
    fake.starts = fake.looks = fake.waits = 0;
    fake.slots = fake.longest = 0;
    lte_worker worker = lte_worker_of(&eager, &engine);
    assert_int_equal(lte_sweep_run(sweep, &worker, 1, NULL, NULL), expected);
    assert_false(engine.busy); /* whatever happened, nothing writes any more */
    assert_true(fake.looks > 0 || fake.waits < 2);
}

static lte_sweep *ahead(const lte_scenario *s, lte_status expected)
{
    lte_sweep *sweep = new_sweep(s);
    run_ahead(s, sweep, expected);
    return sweep;
}

static void expect_no_trouble(int fewest, int most)
{
    fake.fewest = fewest;
    fake.most = most;
    fake.fail_start = fake.fail_wait = fake.stop_wait = NEVER;
}

static void assert_same_row(const lte_row *a, const lte_row *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(lte_detector_compare(a->detector, b->detector), 0);
    assert_same_counts(a, b);
}

static void assert_same_pair(const lte_pair *a, const lte_pair *b)
{
    assert_int_equal(a->clusters, b->clusters);
    assert_int_equal(a->d.sum, b->d.sum);
    assert_true(a->d.sum2 == b->d.sum2);
}

/* ---- equal rows ---- */

static const int sizes[][2] = {{1, 1}, {1, 64}, {16, 16}, {10, 250}, {64, 4096}, {5000, 10000}};

static void rows_are_those_of_one_round_after_the_other(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        if (stop_rules[i].drop_slots > 1) /* test_workers has moving channels */
            continue;
        for (int c = 0; c < (is_short() ? 8 : 2 * LTE_N_DETECTORS); c += is_short() ? 7 : 1) {
            const int n_detectors = 1 + c / 2;
            lte_scenario s = scenario_of(&stop_rules[i], n_detectors);
            /* a flat channel's errors come in bursts, and mislead who looks ahead */
            s.channel = c % 2 ? LTE_CHANNEL_flat : LTE_CHANNEL_rayleigh;
            lte_sweep *expected = by_rounds(&s);
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                expect_no_trouble(sizes[k][0], sizes[k][1]);
                lte_sweep *sweep = ahead(&s, LTE_OK);
                assert_int_equal(fake.starts, fake.waits);
                assert_int_equal(sweep->n_started, N_SNR);
                for (int row = 0; row < n_detectors * N_SNR; row++)
                    assert_same_row(&sweep->rows[row], &expected->rows[row]);
                for (int p = 0; p < (n_detectors - 1) * N_SNR; p++)
                    assert_same_pair(&sweep->pairs[p], &expected->pairs[p]);
                lte_sweep_free(sweep);
            }
            lte_sweep_free(expected);
        }
    }
}

/* Slots that share a realisation are one sample, also where chunks cut them apart. */
static void drops_are_the_clusters_of_a_channel_that_moves(void **state)
{
    (void)state;
    const stop_rule r = {0, 48, 48, 16, 8};
    lte_scenario s = scenario_of(&r, 2);
    s.channel = LTE_CHANNEL_flat;
    lte_sweep *sweep = by_rounds(&s);
    const lte_link link = scenario_link(&s);
    const lte_noise noise = lte_noise_of(2, pow(10.0, s.sweep.snr_db[0] / 10.0));
    lte_u128 squares[2] = {0}, differences = 0;
    for (uint64_t drop = 0; drop < 6; drop++) {
        uint64_t sum[2] = {0};
        for (uint64_t slot = 8 * drop; slot < 8 * drop + 8; slot++) {
            uint32_t errors[2][SMALL_COUNTS];
            lte_power power;
            sweep_slot(lte_stages_all[0], &link, noise, s.detectors, 2, slot, &power, errors[0]);
            for (int d = 0; d < 2; d++)
                sum[d] += lte_bit_errors(SMALL_TX, errors[d]);
        }
        for (int d = 0; d < 2; d++)
            squares[d] += (lte_u128)sum[d] * sum[d];
        const int64_t gap = (int64_t)sum[0] - (int64_t)sum[1];
        differences += (lte_u128)((lte_i128)gap * gap);
    }
    for (int d = 0; d < 2; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, 0);
        assert_int_equal(row->slots, 48);
        assert_int_equal(row->error_count.clusters, 6);
        assert_int_equal(row->error_count.cluster_bits, 8 * lte_slot_bits(&link));
        assert_int_equal(lte_row_bits(row), 48 * lte_slot_bits(&link));
        assert_int_equal(row->counts[lte_bits_at(0)] + row->counts[lte_bits_at(1)],
                         row->error_count.errors);
        assert_true(row->error_count.errors2 == squares[d]);
    }
    assert_int_equal(sweep->pairs[0].clusters, 6);
    assert_int_equal(sweep->pairs[0].slots, 48);
    assert_true(sweep->pairs[0].d.sum2 == differences);
    for (int most = 3; most <= 11; most += 4) { /* chunks that end within a drop */
        expect_no_trouble(1, most);
        lte_sweep *cut = ahead(&s, LTE_OK);
        for (int row = 0; row < 2 * N_SNR; row++)
            assert_same_row(&cut->rows[row], &sweep->rows[row]);
        for (int p = 0; p < N_SNR; p++)
            assert_same_pair(&cut->pairs[p], &sweep->pairs[p]);
        lte_sweep_free(cut);
    }
    lte_sweep_free(sweep);
}

/* A part is counted ahead as it is by rounds, and not beyond its end. */
static void parts_are_those_of_one_round_after_the_other(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const stop_rule *r = &stop_rules[i];
        const uint64_t round = (uint64_t)r->round_slots;
        if (r->drop_slots > 1 || r->max_slots < 3 * round)
            continue;
        const lte_scenario s = scenario_of(r, 2);
        const uint64_t rounds = r->max_slots / round, first = rounds / 3 * round,
                       last = (rounds - rounds / 4) * round - 1;
        lte_sweep *expected = new_sweep(&s);
        lte_sweep_set_part(expected, first, last);
        run_by_rounds(lte_backends[0], &s, expected);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            expect_no_trouble(sizes[k][0], sizes[k][1]);
            lte_sweep *sweep = new_sweep(&s);
            lte_sweep_set_part(sweep, first, last);
            run_ahead(&s, sweep, LTE_OK);
            assert_true(fake.longest <= last - first + 1);
            for (int row = 0; row < 2 * N_SNR; row++)
                assert_same_row(&sweep->rows[row], &expected->rows[row]);
            for (int p = 0; p < N_SNR; p++)
                assert_same_pair(&sweep->pairs[p], &expected->pairs[p]);
            lte_sweep_free(sweep);
        }
        lte_sweep_free(expected);
    }
}

static void little_is_counted_in_vain(void **state)
{
    (void)state;
    const stop_rule r = {20000, 1, 4000000, 4, 1};
    const lte_scenario s = scenario_of(&r, 1);
    for (uint64_t first = 0; first <= 2000000; first += 2000000) { /* of all slots, and of a part */
        expect_no_trouble(16, 65536);
        lte_sweep *sweep = new_sweep(&s);
        if (first > 0)
            lte_sweep_set_part(sweep, first, r.max_slots - 1);
        run_ahead(&s, sweep, LTE_OK);
        uint64_t used = 0;
        for (int i = 0; i < N_SNR; i++)
            used += sweep->rows[i].error_count.clusters;
        assert_true(fake.longest >= 1024); /* chunks grow */
        assert_true((double)fake.slots <= 1.15 * (double)used);
        lte_sweep_free(sweep);
    }
}

/* ---- ends before their time ---- */

static void a_signal_keeps_what_was_merged(void **state)
{
    (void)state;
    const stop_rule r = {5000000, 1, 1000000, 8, 1};
    const lte_scenario s = scenario_of(&r, 2);
    for (int call = 0; call < 5; call++) {
        expect_no_trouble(16, 64);
        fake.stop_wait = call;
        lte_sweep *sweep = ahead(&s, LTE_OK);
        lte_stop_signal = 0;
        assert_int_equal(sweep->n_started, 1);
        const uint64_t slots = lte_sweep_row(sweep, 0, 0)->error_count.clusters;
        stop_rule shorter = r;
        shorter.max_slots = slots;
        const lte_scenario until = scenario_of(&shorter, 2);
        lte_sweep *expected = by_rounds(&until);
        assert_true(slots > 0 && slots % 8 == 0);
        for (int d = 0; d < 2; d++) {
            lte_row row = *lte_sweep_row(sweep, d, 0);
            assert_int_equal(row.status, LTE_ROW_INTERRUPTED);
            row.status = LTE_ROW_SLOTS;
            assert_same_row(&row, lte_sweep_row(expected, d, 0));
            assert_int_equal(lte_sweep_row(sweep, d, 1)->error_count.clusters, 0);
        }
        lte_sweep_free(expected);
        lte_sweep_free(sweep);
    }
}

/* Rows before the failure are those of a whole sweep, the one at hand holds whole rounds. */
static void check_after_failure(const lte_scenario *s, const lte_sweep *whole)
{
    lte_sweep *sweep = ahead(s, LTE_EDEVICE);
    for (int i = 0; i < s->n_detectors * N_SNR; i++) {
        const lte_row *row = &sweep->rows[i];
        if (i % N_SNR >= sweep->n_started) {
            assert_int_equal(row->error_count.clusters, 0);
            continue;
        }
        assert_true(row->status != LTE_ROW_RUNNING);
        if (row->status != LTE_ROW_INTERRUPTED) {
            assert_same_row(row, &whole->rows[i]);
            continue;
        }
        assert_int_equal(i % N_SNR, sweep->n_started - 1);
        assert_int_equal(row->error_count.clusters % (uint64_t)s->sweep.round_slots, 0);
        assert_true(row->error_count.clusters < whole->rows[i].error_count.clusters);
    }
    lte_sweep_free(sweep);
}

static void a_failing_device_leaves_complete_rows(void **state)
{
    (void)state;
    const stop_rule r = {5000, 1, 1000, 8, 1};
    for (int n_detectors = 1; n_detectors <= LTE_N_DETECTORS; n_detectors++) {
        const lte_scenario s = scenario_of(&r, n_detectors);
        expect_no_trouble(16, 256);
        lte_sweep *whole = ahead(&s, LTE_OK);
        const int calls = fake.starts;
        assert_true(calls > 10);
        for (int call = 0; call < 2 * calls; call++) {
            expect_no_trouble(16, 256);
            *(call < calls ? &fake.fail_start : &fake.fail_wait) = call % calls;
            check_after_failure(&s, whole);
        }
        lte_sweep_free(whole);
    }
}

/* Points that ended before the failure are all there. */
static void finished_points_survive_a_failure(void **state)
{
    (void)state;
    const stop_rule r = {0, 64, 64, 64, 1};
    const lte_scenario s = scenario_of(&r, 2);
    for (int call = 0; call < N_SNR; call++) {
        expect_no_trouble(64, 64);
        fake.fail_wait = call;
        lte_sweep *sweep = ahead(&s, LTE_EDEVICE);
        assert_int_equal(sweep->n_started, call + 1);
        for (int i = 0; i < 2 * N_SNR; i++)
            assert_int_equal(sweep->rows[i].error_count.clusters, i % N_SNR < call ? 64 : 0);
        lte_sweep_free(sweep);
    }
}

/* ---- several engines ---- */

enum { MOST_ENGINES = 5 };

/* By engines of all processor backends in turn, each on a thread of its own. */
static lte_sweep *side_by_side(const lte_scenario *s, int n)
{
    const lte_link link = scenario_link(s);
    const lte_engine_options options = {.n_threads = 1, .n_detectors = s->n_detectors};
    const lte_backend *backend[MOST_ENGINES];
    lte_engine *engine[MOST_ENGINES];
    lte_worker worker[MOST_ENGINES];
    lte_sweep *sweep = new_sweep(s);
    for (int i = 0, at = 0; i < n; at = lte_backends[at + 1] ? at + 1 : 0) {
        if (!lte_backends[at]->stages || lte_backends[at]->n_devices() < 1)
            continue;
        backend[i] = lte_backends[at];
        assert_int_equal(backend[i]->create(backend[i], &link, &options, &engine[i]), LTE_OK);
        assert_int_equal(lte_worker_thread_create(lte_worker_of(backend[i], engine[i]),
                                                  LTE_N_HARD_COUNTS(s->n_tx), s->n_detectors,
                                                  &worker[i]),
                         LTE_OK);
        i++;
    }
    assert_int_equal(lte_sweep_run(sweep, worker, n, NULL, NULL), LTE_OK);
    for (int i = 0; i < n; i++) {
        lte_worker_thread_free(&worker[i]);
        lte_worker_thread_free(&worker[i]); /* does nothing */
        backend[i]->free(engine[i]);
    }
    return sweep;
}

static void engines_side_by_side_count_what_one_does(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        lte_scenario s = scenario_of(&stop_rules[i], 2);
        s.channel = stop_rules[i].drop_slots > 1 ? LTE_CHANNEL_flat : LTE_CHANNEL_rayleigh;
        lte_sweep *one = by_rounds(&s);
        for (int n = 1; n <= MOST_ENGINES; n++) {
            lte_sweep *several = side_by_side(&s, n);
            for (int k = 0; k < s.n_detectors * N_SNR; k++)
                assert_same_row(&one->rows[k], &several->rows[k]);
            for (int k = 0; k < N_SNR; k++)
                assert_same_pair(&one->pairs[k], &several->pairs[k]);
            lte_sweep_free(several);
        }
        lte_sweep_free(one);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(sweep, engines_side_by_side_count_what_one_does),
    LTE_CASE(sweep, rows_are_those_of_one_round_after_the_other),
    LTE_CASE(sweep, drops_are_the_clusters_of_a_channel_that_moves),
    LTE_CASE(sweep, parts_are_those_of_one_round_after_the_other),
    LTE_CASE(sweep, little_is_counted_in_vain),
    LTE_CASE(sweep, a_signal_keeps_what_was_merged),
    LTE_CASE(sweep, a_failing_device_leaves_complete_rows),
    LTE_CASE(sweep, finished_points_survive_a_failure),
};

int main(void)
{
    return cmocka_run_group_tests_name("sweep", cases, NULL, NULL);
}
