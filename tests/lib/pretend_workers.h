#ifndef LTE_TESTS_LIB_PRETEND_WORKERS_H
#define LTE_TESTS_LIB_PRETEND_WORKERS_H
/* Workers that come back in any order, over slots whose errors are known. */

#include "tests/lib/sweeps.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/workers/stop.h"
#include "sim/jobs/workers/workers.h"
#include "sim/scenario/described_link.h"

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
    errors[lte_vectors_at(SMALL_TX)] = errors[lte_symbols_at(SMALL_TX, 0)];
    errors[lte_unfinished_at(SMALL_TX)] = (uint32_t)(slot % 2);
    errors[lte_silent_at(SMALL_TX)] = 0;
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
                chunk->point, slot, chunk->detector[k].id,
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
    assert_int_equal(pair->d.sum, sum);
    assert_true(pair->d.sum2 == sum2);
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

#endif
