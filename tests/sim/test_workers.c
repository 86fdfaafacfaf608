/*
 * The sweep over one to five workers of this test, which come back in a random but seeded order
 * with made-up counts: rows are those of slot after slot, whatever happens.
 */
#include "tests/lib/sweeps.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/workers/workers.h"
#include "sim/scenario/described_link.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/jobs/workers/stop.h"

enum { N_SNR = 6, MOST_WORKERS = 5, MOST_SLOTS = 8192, N_SEEDS = 12, NEVER = -1 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* ---- made-up counts ---- */

/* Bit errors of a layer in a slot are below these; of the last point one slot in 64 has any. */
static const uint64_t error_range[N_SNR] = {64, 32, 16, 8, 4, 2};

static void count_slot(int point, uint64_t slot, int detector, uint32_t *errors)
{
    for (int k = 0; k < SMALL_TX; k++) {
        uint32_t *bits = &errors[lte_bits_at(k)];
        const uint64_t id = ((uint64_t)point << 48) + (slot << 8) + (uint64_t)(2 * detector + k);
        *bits = (uint32_t)(mix(id + 1) % error_range[point]);
        if (point == N_SNR - 1)
            *bits = mix(id + 1) % 64 == 0;
        errors[lte_symbols_at(SMALL_TX, k)] = (*bits + 1) / 2;
    }
    errors[lte_flagged_at(SMALL_TX)] = (uint32_t)(slot % 3);
}

static lte_power power_of(int point, uint64_t slot)
{
    return (lte_power){1000 + (int64_t)slot % 7, 100 + point};
}

/* ---- workers ---- */

/* What all workers of a run shall meet, and what they did. */
static struct {
    uint64_t random;
    int fail_start, fail_wait, fail_alloc; /* calls, from 0, that fail; NEVER */
    int stop_wait;                         /* call that a signal comes in */
    int starts, waits, allocs, held;       /* calls; chunks that have memory */
    int longest, last;                     /* slots of a chunk */
    int came_early;                        /* waits before that of a chunk handed out earlier */
    uint64_t slots;                        /* handed out */
    uint8_t handed[N_SNR][MOST_SLOTS];     /* how often */
} crew;

typedef struct {
    lte_chunk chunk; /* as it was handed out */
    bool busy;
    int looks;      /* until it is done; never if negative */
    int slow;       /* most of these */
    int starts;     /* of this worker */
    int waited_for; /* calls of wait */
} fake_worker;

static uint64_t random_below(uint64_t n)
{
    crew.random += 0x9e3779b97f4a7c15u;
    return mix(crew.random) % n;
}

static lte_status fake_alloc(lte_worker *self, int n_slots, int n_detectors, lte_chunk *chunk)
{
    (void)self;
    if (crew.allocs++ == crew.fail_alloc)
        return LTE_ENOMEM;
    chunk->power = calloc((size_t)n_slots, sizeof *chunk->power);
    assert_int_equal(chunk->n_counts, SMALL_COUNTS);
    chunk->errors = calloc((size_t)(n_slots * n_detectors) * SMALL_COUNTS, sizeof *chunk->errors);
    assert_true(chunk->power && chunk->errors);
    crew.held++;
    return LTE_OK;
}

static void fake_free(lte_worker *self, lte_chunk *chunk)
{
    assert_false(((fake_worker *)self->state)->busy);
    crew.held -= chunk->power != NULL;
    free(chunk->power);
    free(chunk->errors);
    chunk->power = NULL;
    chunk->errors = NULL;
}

static lte_status fake_start(lte_worker *self, lte_chunk *chunk)
{
    fake_worker *fake = self->state;
    assert_false(fake->busy);
    assert_true(chunk->n_slots >= 1 && chunk->n_slots <= self->most);
    assert_true(chunk->n_detectors >= 1);
    assert_true(chunk->first + (uint64_t)chunk->n_slots <= MOST_SLOTS);
    if (crew.starts++ == crew.fail_start)
        return LTE_EDEVICE;
    fake->chunk = *chunk;
    fake->busy = true;
    fake->starts++;
    fake->looks = fake->slow < 0 ? -1 : (int)random_below((uint64_t)fake->slow + 1);
    for (int i = 0; i < chunk->n_slots; i++)
        crew.handed[chunk->point][chunk->first + (uint64_t)i]++;
    crew.slots += (uint64_t)chunk->n_slots;
    crew.last = chunk->n_slots;
    crew.longest = chunk->n_slots > crew.longest ? chunk->n_slots : crew.longest;
    return LTE_OK;
}

static bool fake_is_done(lte_worker *self)
{
    fake_worker *fake = self->state;
    assert_true(fake->busy);
    if (!self->ahead)
        return true;
    return fake->looks >= 0 && fake->looks-- == 0;
}

static lte_status fake_wait(lte_worker *self)
{
    static uint64_t latest;
    fake_worker *fake = self->state;
    const lte_chunk *chunk = &fake->chunk;
    assert_true(fake->busy);
    fake->busy = false;
    fake->waited_for++;
    latest = crew.waits == 0 ? 0 : latest;
    crew.came_early += chunk->order < latest;
    latest = chunk->order > latest ? chunk->order : latest;
    if (crew.waits == crew.stop_wait)
        lte_stop_signal = SIGTERM;
    if (crew.waits++ == crew.fail_wait)
        return LTE_EDEVICE;
    for (int i = 0; i < chunk->n_slots; i++) {
        const uint64_t slot = chunk->first + (uint64_t)i;
        chunk->power[i] = power_of(chunk->point, slot);
        for (int k = 0; k < chunk->n_detectors; k++)
            count_slot(
                chunk->point, slot, chunk->detector[k],
                &chunk->errors[lte_counts_at(SMALL_COUNTS, (ptrdiff_t)i * chunk->n_detectors + k)]);
    }
    return LTE_OK;
}

static const lte_worker_kind fake_kind = {
    .alloc = fake_alloc,
    .free = fake_free,
    .start = fake_start,
    .is_done = fake_is_done,
    .wait = fake_wait,
};

typedef struct {
    lte_worker worker[MOST_WORKERS];
    fake_worker fake[MOST_WORKERS];
    int n;
} team;

/* Workers of unequal sizes and speeds; of seed 0 all alike, and done when they are first asked. */
static void team_init(team *t, int n, uint64_t seed)
{
    memset(&crew, 0, sizeof crew);
    memset(t, 0, sizeof *t);
    crew.random = seed;
    crew.fail_start = crew.fail_wait = crew.fail_alloc = crew.stop_wait = NEVER;
    t->n = n;
    for (int w = 0; w < n; w++) {
        lte_worker *worker = &t->worker[w];
        worker->kind = &fake_kind;
        worker->state = &t->fake[w];
        worker->ahead = seed == 0 || random_below(5) > 0;
        worker->fewest = seed == 0 ? 16 : 1 + (int)random_below(32);
        worker->most = seed == 0 ? 256 : worker->fewest + (int)random_below(500);
        t->fake[w].slow = seed == 0 ? 0 : (int)random_below(9) - 1;
    }
}

/* ---- scenarios, and their rows slot after slot ---- */

static lte_scenario scenario_of(const stop_rule *r)
{
    static const double snr_db[N_SNR] = {6.0, 8.0, 11.0, 14.0, 20.0, 30.0};
    return small_scenario(r, snr_db, N_SNR);
}

/* One that expects all slots of a point to be needed until it has seen some. */
static lte_sweep *sweep_without_theory(const lte_scenario *s)
{
    lte_sweep *sweep = new_sweep(s);
    for (int i = 0; i < 2 * N_SNR; i++)
        sweep->rows[i].theory.known = false;
    return sweep;
}

/* Adds slots first .. end - 1, whole drops, to what a row should hold. */
static void count_slots(const lte_scenario *s, int point, uint64_t first, uint64_t end,
                        int detector, lte_row *row)
{
    const uint64_t drop = (uint64_t)s->drop_slots;
    uint64_t sum = 0;
    row->slots = end;
    for (uint64_t slot = first; slot < end; slot++) {
        const lte_power power = power_of(point, slot);
        uint32_t errors[SMALL_COUNTS];
        count_slot(point, slot, detector, errors);
        for (int i = 0; i < SMALL_COUNTS; i++)
            row->counts[i] += errors[i];
        sum += lte_bit_errors(SMALL_TX, errors);
        row->signal += power.signal;
        row->noise += power.noise;
        if ((slot + 1) % drop == 0) {
            row->groups[slot / drop % LTE_N_GROUPS] += sum;
            row->error_count.clusters++;
            row->error_count.errors += sum;
            row->error_count.errors2 += (lte_u128)sum * sum;
            sum = 0;
        }
    }
}

/* The stop rule, round by round: sets status and all counts, of which the row has the memory. */
static void expect_row(const lte_scenario *s, int point, int detector, lte_row *row)
{
    const lte_scenario_sweep *r = &s->sweep;
    *row = (lte_row){.counts = row->counts};
    memset(row->counts, 0, SMALL_COUNTS * sizeof *row->counts);
    for (uint64_t slots = 0; slots < r->max_slots;) {
        const uint64_t first = slots;
        slots += (uint64_t)r->round_slots;
        slots = slots < r->max_slots ? slots : r->max_slots;
        count_slots(s, point, first, slots, detector, row);
        row->status = LTE_ROW_SLOTS;
        if (row->error_count.errors >= r->min_bit_errors && slots >= r->min_slots) {
            row->status = LTE_ROW_ERRORS;
            return;
        }
    }
}

static void assert_counts(const lte_row *row, const lte_row *expected)
{
    assert_int_equal(row->drop.n_slots, 0);
    assert_same_counts(row, expected);
}

static void assert_pair(const lte_pair *pair, const lte_scenario *s, int point, uint64_t slots)
{
    const uint64_t drop = (uint64_t)s->drop_slots;
    int64_t sum = 0, d = 0;
    lte_u128 sum2 = 0;
    for (uint64_t slot = 0; slot < slots; slot++) {
        uint32_t zf[SMALL_COUNTS], mmse[SMALL_COUNTS];
        count_slot(point, slot, LTE_DETECTOR_zf, zf);
        count_slot(point, slot, LTE_DETECTOR_mmse, mmse);
        d += (int64_t)lte_bit_errors(SMALL_TX, zf) - (int64_t)lte_bit_errors(SMALL_TX, mmse);
        if ((slot + 1) % drop == 0) {
            sum += d;
            sum2 += (lte_u128)((lte_i128)d * d);
            d = 0;
        }
    }
    assert_int_equal(pair->slots, slots);
    assert_int_equal(pair->clusters, slots / drop);
    assert_int_equal(pair->sum_d, sum);
    assert_true(pair->sum_d2 == sum2);
}

/* Rows of a whole sweep. */
static struct {
    lte_row row[2 * N_SNR];
    uint64_t counts[2 * N_SNR][SMALL_COUNTS];
} expected;

static void expect(const lte_scenario *s)
{
    for (int i = 0; i < 2 * N_SNR; i++) {
        expected.row[i].counts = expected.counts[i];
        expect_row(s, i % N_SNR, i < N_SNR ? LTE_DETECTOR_zf : LTE_DETECTOR_mmse, &expected.row[i]);
    }
}

static void assert_whole(const lte_scenario *s, const lte_sweep *sweep)
{
    assert_int_equal(sweep->n_started, N_SNR);
    for (int i = 0; i < 2 * N_SNR; i++) {
        assert_int_equal(sweep->rows[i].status, expected.row[i].status);
        assert_counts(&sweep->rows[i], &expected.row[i]);
    }
    for (int p = 0; p < N_SNR; p++) {
        const uint64_t a = expected.row[p].slots, b = expected.row[N_SNR + p].slots;
        assert_pair(&sweep->pairs[p], s, p, a < b ? a : b);
    }
}

static void assert_all_idle(const team *t)
{
    for (int w = 0; w < t->n; w++) {
        assert_false(t->fake[w].busy);
        assert_int_equal(t->fake[w].starts, t->fake[w].waited_for);
    }
    assert_int_equal(crew.held, 0);
}

static lte_sweep *run(team *t, const lte_scenario *s, lte_status status)
{
    lte_sweep *sweep = new_sweep(s);
    assert_int_equal(lte_sweep_run(sweep, t->worker, t->n, NULL, NULL), status);
    assert_all_idle(t);
    return sweep;
}

/* Slots of a point that any row has counted. */
static uint64_t used(const lte_sweep *sweep, int point)
{
    const uint64_t a = sweep->rows[point].slots, b = sweep->rows[N_SNR + point].slots;
    return a > b ? a : b;
}

static uint64_t used_in_all(const lte_sweep *sweep)
{
    uint64_t sum = 0;
    for (int p = 0; p < N_SNR; p++)
        sum += used(sweep, p);
    return sum;
}

/* ---- equal rows ---- */

static void rows_are_those_of_slot_after_slot(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        expect(&s);
        for (int n = 1; n <= MOST_WORKERS; n++) {
            for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
                team t;
                team_init(&t, n, seed);
                lte_sweep *sweep = run(&t, &s, LTE_OK);
                assert_whole(&s, sweep);
                lte_sweep_free(sweep);
            }
        }
    }
}

/* Once the first detector has ended, the others are not paired with one another. */
static void pairs_end_with_the_first_detector(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(&stop_rules[0]);
    s.n_detectors = 3;
    s.detectors[2] = LTE_DETECTOR_mrc;
    lte_sweep *sweep = new_sweep(&s);
    int place[] = {1, 2}, detector[] = {LTE_DETECTOR_mmse, LTE_DETECTOR_mrc};
    lte_power power = power_of(0, 0);
    uint32_t errors[2][SMALL_COUNTS];
    lte_chunk chunk = {.n_slots = 1,
                       .n_counts = SMALL_COUNTS,
                       .n_detectors = 2,
                       .place = place,
                       .detector = detector,
                       .tally = {.cut = lte_sweep_cut(&s)},
                       .power = &power,
                       .errors = errors[0]};
    for (int k = 0; k < 2; k++)
        count_slot(0, 0, detector[k], errors[k]);
    lte_row_of(sweep, 0, 0)->status = LTE_ROW_ERRORS;
    assert_int_equal(lte_tally_begin(&chunk.tally, 2, 0, 1), LTE_OK);
    lte_chunk_sum(&chunk);
    lte_sweep_merge(sweep, &chunk);
    lte_tally_free(&chunk.tally);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lte_sweep_row(sweep, place[k], 0)->slots, 1);
        assert_int_equal(sweep->pairs[k].clusters, 0);
    }
    lte_sweep_free(sweep);
}

static void no_slot_is_handed_out_twice(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            team t;
            team_init(&t, 1 + (int)seed % MOST_WORKERS, seed);
            lte_sweep *sweep = run(&t, &s, LTE_OK);
            for (int p = 0; p < N_SNR; p++) {
                for (uint64_t slot = 0; slot < MOST_SLOTS; slot++)
                    assert_in_range(crew.handed[p][slot], slot < used(sweep, p), 1);
            }
            lte_sweep_free(sweep);
        }
    }
}

/* Else the cases here would say nothing of the order. */
static void chunks_do_come_back_out_of_order(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(&stop_rules[8]);
    expect(&s);
    for (int n = 2; n <= MOST_WORKERS; n++) {
        team t;
        int early = 0;
        for (uint64_t seed = 1; seed < N_SEEDS; seed++) {
            team_init(&t, n, seed);
            lte_sweep *sweep = run(&t, &s, LTE_OK);
            assert_whole(&s, sweep);
            lte_sweep_free(sweep);
            early += crew.came_early;
        }
        assert_true(early >= 20);
    }
}

/* ---- who works when ---- */

static void everyone_works_in_chunks_that_grow(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        lte_sweep_free(run(&t, &s, LTE_OK));
        assert_int_equal(crew.longest, 256);
        for (int w = 0; w < n; w++)
            assert_true(t.fake[w].starts >= N_SNR * 8000 / 256 / n - 6);
    }
}

/* A worker that is not done is asked for its counts only when no other can go on. */
static void a_slow_worker_holds_nobody_up(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 4096, 16, 1};
    const lte_scenario s = scenario_of(&r);
    team t;
    team_init(&t, 3, 0);
    t.fake[1].slow = 1000000;
    lte_sweep_free(run(&t, &s, LTE_OK));
    /* while it has one chunk, the others fill the memory that they have for three */
    assert_true(t.fake[0].starts >= 2 * t.fake[1].starts);
    assert_true(t.fake[2].starts >= 2 * t.fake[1].starts);
}

static void busy_while_merging(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    const team *t = user;
    (void)snr;
    (void)point_done;
    const uint64_t left = N_SNR * sweep->scenario->sweep.max_slots - used_in_all(sweep);
    for (int w = 0; w < t->n; w++) {
        if (!t->worker[w].ahead)
            assert_false(t->fake[w].busy);
        else if (t->n == 1)
            assert_int_equal(t->fake[w].busy, left > 0);
    }
}

static void who_works_ahead_has_its_next_chunk_before_the_last_is_merged(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 4096, 16, 1}; /* all slots: nothing is useless */
    const lte_scenario s = scenario_of(&r);
    for (int ahead = 0; ahead < 2; ahead++) {
        team t;
        team_init(&t, 1, 0);
        t.worker[0].ahead = ahead;
        t.fake[0].slow = ahead ? -1 : 0; /* nor does it tell whether it is done */
        lte_sweep *sweep = new_sweep(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, 1, busy_while_merging, &t), LTE_OK);
        assert_all_idle(&t);
        lte_sweep_free(sweep);
    }
}

static void who_does_not_work_ahead_counts_nothing_in_vain(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        team t;
        team_init(&t, 1, 0);
        t.worker[0].ahead = false;
        lte_sweep *sweep = run(&t, &s, LTE_OK);
        assert_int_equal(crew.slots, used_in_all(sweep));
        lte_sweep_free(sweep);
    }
}

/* The memory of what was dropped is there again: at the last point nobody waits for any. */
static void busy_at_the_last_point(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    const team *t = user;
    if (snr < N_SNR - 1 || point_done || used(sweep, snr) > 4000)
        return;
    for (int w = 0; w < t->n; w++)
        assert_true(t->fake[w].busy);
}

static void chunks_beyond_the_end_are_waited_for_and_dropped(void **state)
{
    (void)state;
    const stop_rule r = {20, 1, 8000, 4, 1}; /* the first chunk has more than enough */
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++)
            t.fake[w].slow = -1;
        lte_sweep *sweep = sweep_without_theory(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, n, busy_at_the_last_point, &t), LTE_OK);
        assert_all_idle(&t);
        assert_whole(&s, sweep);
        assert_true(crew.slots > used_in_all(sweep));
        lte_sweep_free(sweep);
    }
}

/*
 * All workers together look about as far ahead as one does, also where nothing is known of the
 * error rate at first: as far again as has been counted.
 */
static void little_is_counted_in_vain(void **state)
{
    (void)state;
    const stop_rule r = {12000, 1, 8000, 4, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++) {
            t.worker[w].most = MOST_SLOTS;
            t.fake[w].slow = -1;
        }
        lte_sweep *sweep = sweep_without_theory(&s);
        assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_OK);
        for (int p = 0; p < N_SNR; p++) {
            uint64_t handed = 0;
            for (uint64_t slot = 0; slot < MOST_SLOTS; slot++)
                handed += crew.handed[p][slot];
            assert_true((double)handed <= 1.1 * (double)used(sweep, p) + 16.0);
        }
        lte_sweep_free(sweep);
    }
}

/* So that nobody has a long chunk when the others have run out of work. */
static void the_last_slots_of_a_point_are_shared(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 2; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        for (int w = 0; w < n; w++)
            t.worker[w].most = MOST_SLOTS;
        lte_sweep_free(run(&t, &s, LTE_OK));
        assert_true(crew.longest > 200);
        assert_int_equal(crew.last, 16);
    }
}

/* ---- ends before their time ---- */

/*
 * After an end before its time: whole rows before the point at hand, the counts of its first slots
 * there, nothing behind it. Returns slots at hand.
 */
static uint64_t check_rest(const lte_scenario *s, const lte_sweep *sweep, lte_row_status status)
{
    uint64_t at_hand = 0;
    for (int i = 0; i < 2 * N_SNR; i++) {
        const lte_row *row = &sweep->rows[i];
        const int point = i % N_SNR;
        uint64_t counted[SMALL_COUNTS] = {0};
        lte_row counts = {.counts = counted};
        if (point >= sweep->n_started) {
            assert_int_equal(row->slots, 0);
            assert_int_equal(row->status, LTE_ROW_RUNNING);
        } else if (row->status != status) {
            assert_int_equal(row->status, expected.row[i].status);
            assert_counts(row, &expected.row[i]);
        } else {
            assert_int_equal(point, sweep->n_started - 1);
            assert_true(row->slots < expected.row[i].slots);
            assert_int_equal(row->slots % (uint64_t)s->sweep.round_slots, 0);
            count_slots(s, point, 0, row->slots, i < N_SNR ? LTE_DETECTOR_zf : LTE_DETECTOR_mmse,
                        &counts);
            assert_counts(row, &counts);
            at_hand += row->slots;
        }
    }
    return at_hand;
}

static void a_failing_worker_leaves_whole_rounds(void **state)
{
    (void)state;
    const stop_rule r = {2000, 1, 2000, 8, 1};
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            uint64_t kept = 0;
            team t;
            team_init(&t, n, seed);
            lte_sweep_free(run(&t, &s, LTE_OK));
            const int calls = crew.starts;
            assert_true(calls > 10);
            for (int call = 0; call < 2 * calls; call++) {
                team_init(&t, n, seed);
                *(call < calls ? &crew.fail_start : &crew.fail_wait) = call % calls;
                lte_sweep *sweep = new_sweep(&s);
                assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_EDEVICE);
                for (int w = 0; w < n; w++)
                    assert_false(t.fake[w].busy);
                assert_int_equal(crew.held, 0);
                assert_true(sweep->n_started >= 1);
                kept += check_rest(&s, sweep, LTE_ROW_INTERRUPTED);
                lte_sweep_free(sweep);
            }
            assert_true(kept > 0);
        }
    }
}

/* What others had counted before the slots of the worker that failed is kept. */
static void what_precedes_a_failure_is_merged(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 64, 16, 1};
    const lte_scenario s = scenario_of(&r);
    team t;
    team_init(&t, 4, 0);
    for (int w = 0; w < 4; w++) {
        t.fake[w].slow = w == 3 ? 0 : -1; /* the last is done long before the others */
        t.worker[w].most = 16;
    }
    crew.fail_wait = 1;
    lte_sweep *sweep = run(&t, &s, LTE_EDEVICE);
    assert_int_equal(sweep->rows[0].slots, 48);
    assert_int_equal(sweep->rows[0].status, LTE_ROW_INTERRUPTED);
    lte_sweep_free(sweep);
}

static void a_signal_keeps_what_was_merged(void **state)
{
    (void)state;
    const stop_rule r = {2000, 1, 2000, 8, 1};
    const lte_scenario s = scenario_of(&r);
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            for (int call = 0; call < 12; call++) {
                team t;
                team_init(&t, n, seed);
                for (int w = 0; w < n; w++) /* chunks of whole rounds */
                    t.worker[w].most += 8;
                crew.stop_wait = call;
                lte_sweep *sweep = run(&t, &s, LTE_OK);
                const int handed = crew.starts;
                lte_stop_signal = 0;
                (void)check_rest(&s, sweep, LTE_ROW_INTERRUPTED);
                assert_true(sweep->rows[0].slots > 0);
                assert_true(handed <= call + 1 + 2 * n); /* little is begun after it */
                lte_sweep_free(sweep);
            }
        }
    }
}

static void time_ends_a_sweep_after_a_chunk(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    lte_scenario s = scenario_of(&r);
    s.sweep.max_seconds = 1e-9;
    expect(&s);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        for (int spent = 0; spent < 2; spent++) {
            team t;
            team_init(&t, n, 0);
            lte_sweep *sweep = new_sweep(&s);
            sweep->spent_s = spent;
            assert_int_equal(lte_sweep_run(sweep, t.worker, n, NULL, NULL), LTE_OK);
            assert_all_idle(&t);
            assert_int_equal(sweep->n_started, 1 - spent);
            assert_int_equal(check_rest(&s, sweep, LTE_ROW_TIME), spent ? 0 : 2 * 16);
            lte_sweep_free(sweep);
        }
    }
}

/* What a sweep has merged; rows that were interrupted run again. */
static void copy_merged(lte_sweep *to, const lte_sweep *from)
{
    for (int i = 0; i < 2 * N_SNR; i++) {
        lte_row *row = &to->rows[i];
        uint64_t *counts = row->counts, *of_drop = row->drop.counts;
        *row = from->rows[i];
        row->counts = counts;
        row->drop.counts = of_drop;
        if (row->status == LTE_ROW_INTERRUPTED)
            row->status = LTE_ROW_RUNNING;
    }
    memcpy(to->counts, from->counts, sizeof(uint64_t[2 * N_SNR][2][SMALL_COUNTS]));
    memcpy(to->pairs, from->pairs, N_SNR * sizeof *to->pairs);
    to->n_started = from->n_started;
}

/* Rows with their counts, pairs and n_started are all that a sweep needs to be gone on with. */
static void a_sweep_goes_on_from_where_its_rows_stand(void **state)
{
    (void)state;
    for (int i = 0; i < N_STOP_RULES; i++) {
        const lte_scenario s = scenario_of(&stop_rules[i]);
        expect(&s);
        for (int call = 0; call < 12; call++) {
            team t;
            team_init(&t, 1 + call % MOST_WORKERS, (uint64_t)call);
            crew.stop_wait = call;
            lte_sweep *sweep = run(&t, &s, LTE_OK), *rest = new_sweep(&s);
            const bool stopped = lte_stop_signal != 0;
            lte_stop_signal = 0;
            copy_merged(rest, sweep);
            team_init(&t, 1 + call % 2, 0);
            assert_int_equal(lte_sweep_run(rest, t.worker, t.n, NULL, NULL), LTE_OK);
            assert_all_idle(&t);
            assert_whole(&s, rest);
            assert_true(used_in_all(sweep) > 0);
            if (!stopped)
                assert_int_equal(crew.starts, 0);
            for (uint64_t slot = 0; slot < used(sweep, 0); slot++)
                assert_int_equal(crew.handed[0][slot], 0); /* none again */
            lte_sweep_free(rest);
            lte_sweep_free(sweep);
        }
    }
}

static void memory_is_bounded_and_none_is_left(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(&stop_rules[0]);
    for (int n = 1; n <= MOST_WORKERS; n++) {
        team t;
        team_init(&t, n, 0);
        lte_sweep_free(run(&t, &s, LTE_OK));
        const int chunks = crew.allocs;
        assert_int_equal(chunks, 3 * n);
        for (int call = 0; call < chunks; call++) {
            team_init(&t, n, 0);
            crew.fail_alloc = call;
            lte_sweep *sweep = run(&t, &s, LTE_ENOMEM);
            assert_int_equal(sweep->n_started, 0);
            assert_int_equal(crew.starts, 0);
            lte_sweep_free(sweep);
        }
    }
}

/* Each second of the run is given to one row. */
static void seconds_of_rows_add_up(void **state)
{
    (void)state;
    const stop_rule r = {1000000, 1, 8000, 16, 1};
    const lte_scenario s = scenario_of(&r);
    for (int n = 1; n <= MOST_WORKERS; n += 2) {
        team t;
        double sum = 0.0;
        team_init(&t, n, 0);
        const double start = lte_seconds();
        lte_sweep *sweep = run(&t, &s, LTE_OK);
        const double all = lte_seconds() - start;
        for (int i = 0; i < 2 * N_SNR; i++) {
            assert_true(sweep->rows[i].seconds > 0.0);
            sum += sweep->rows[i].seconds;
        }
        assert_true(sum <= all);
        lte_sweep_free(sweep);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(workers, rows_are_those_of_slot_after_slot),
    LTE_CASE(workers, pairs_end_with_the_first_detector),
    LTE_CASE(workers, no_slot_is_handed_out_twice),
    LTE_CASE(workers, chunks_do_come_back_out_of_order),
    LTE_CASE(workers, everyone_works_in_chunks_that_grow),
    LTE_CASE(workers, a_slow_worker_holds_nobody_up),
    LTE_CASE(workers, who_works_ahead_has_its_next_chunk_before_the_last_is_merged),
    LTE_CASE(workers, who_does_not_work_ahead_counts_nothing_in_vain),
    LTE_CASE(workers, chunks_beyond_the_end_are_waited_for_and_dropped),
    LTE_CASE(workers, little_is_counted_in_vain),
    LTE_CASE(workers, the_last_slots_of_a_point_are_shared),
    LTE_CASE(workers, a_failing_worker_leaves_whole_rounds),
    LTE_CASE(workers, what_precedes_a_failure_is_merged),
    LTE_CASE(workers, a_signal_keeps_what_was_merged),
    LTE_CASE(workers, time_ends_a_sweep_after_a_chunk),
    LTE_CASE(workers, a_sweep_goes_on_from_where_its_rows_stand),
    LTE_CASE(workers, memory_is_bounded_and_none_is_left),
    LTE_CASE(workers, seconds_of_rows_add_up),
};

int main(void)
{
    return cmocka_run_group_tests_name("workers", cases, NULL, NULL);
}
