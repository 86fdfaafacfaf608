/* Topic race: order by order and batch by batch, the entries in turn. */
#include "tests/bench/peers/peers.h"
#include "tests/bench/peers/race_buffers.h"
#include "tests/bench/topics/gpu_topics.h"
#include "kernels/backends/clock.h"
#include "kernels/cpu/stages.h"
#include "phy/inversion/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT = 1200, BULK = 1000000, SLOT_CALLS = 20, MAX_REPETITIONS = 51, WARM_UP = 2 };
enum { N_LOOKED = 600 }; /* matrices compared at each end of a batch */

static const int orders[] = {2, 4, 8};
static const int batches[] = {300, 600, 900, SLOT, 100000, BULK};

/* One order and batch. */
typedef struct {
    bench_device *device;
    int n, count, repetitions;
    const bench_race_set *set;       /* the timed one */
    const bench_race_entry *entries; /* [n_entries], checked on all sets */
    int n_entries;
    bench_race_entry here[BENCH_MAX_RACE_ENTRIES]; /* and with this batch */
    bench_percentiles us[BENCH_MAX_RACE_ENTRIES];
    double sample[BENCH_MAX_RACE_ENTRIES][MAX_REPETITIONS];
    double lapack_us; /* for SLOT matrices on one CPU core; NAN: not built */
    bench_buffers *buffers;
} measurement;

static bool timed(const bench_race_entry *entry)
{
    return !entry->absent && !entry->wrong;
}

static lte_status measure(measurement *m)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < m->n_entries && !status; i++) {
        m->here[i] = m->entries[i];
        if (timed(&m->here[i]))
            status = bench_buffers_check(m->buffers, &m->here[i], N_LOOKED);
        if (!status && timed(&m->here[i]) && m->count <= SLOT)
            status = bench_buffers_capture(m->buffers, i, &m->here[i]);
    }
    for (int r = -WARM_UP; r < m->repetitions && !status; r++) {
        for (int i = 0; i < m->n_entries && !status; i++) {
            /* none always follows the same one */
            const int next = (i + (r + WARM_UP) * 7) % m->n_entries;
            double us = 0.0;
            if (!timed(&m->here[next]))
                continue;
            status = bench_buffers_time(m->buffers, next, &m->here[next], &us);
            if (r >= 0)
                m->sample[next][r] = us;
        }
    }
    for (int i = 0; i < m->n_entries && !status; i++)
        m->us[i] = bench_percentiles_of(m->sample[i], timed(&m->here[i]) ? m->repetitions : 0);
    return status;
}

/* The fastest of one side, -1 without any; libraries must pivot to count where we do. */
static int best_of(const measurement *m, bench_race_side side, bool general)
{
    int best = -1;
    for (int i = 0; i < m->n_entries; i++) {
        const bench_race_entry *entry = &m->here[i];
        if (entry->side != side || entry->charged || m->us[i].samples == 0)
            continue;
        if (side == BENCH_RACE_LIBRARY && general && !entry->general)
            continue;
        if (best < 0 || m->us[i].median < m->us[best].median)
            best = i;
    }
    return best;
}

static void add_ours(const measurement *m, int i, double copy_us, json_t *row)
{
    const lte_inversion_version *version = m->here[i].version;
    const int library = best_of(m, BENCH_RACE_LIBRARY, m->here[i].general);
    const lte_inversion_version *choice =
        lte_inversion_choose(version->inverter, LTE_CFLOAT, m->n, m->count);
    if (library >= 0) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s, %s", m->here[library].name,
                       m->here[library].mapping);
        (void)json_object_set_new(row, "library", json_string(name));
        bench_row_real(row, "library_us", m->us[library].median);
        bench_row_real(row, "library_over_this", m->us[library].median / m->us[i].median);
    }
    (void)json_object_set_new(row, "inverter",
                              json_string(lte_inverter_rows[version->inverter].name));
    if (choice && strcmp(choice->name, version->name) == 0)
        (void)json_object_set_new(row, "chosen", json_string("chosen"));
}

static json_t *new_row(const measurement *m, const char *name, const char *mapping,
                       const char *state)
{
    return json_pack("{s:i, s:i, s:s, s:s, s:s}", "n", m->n, "batch", m->count, "contender", name,
                     "mapping", mapping, "state", state);
}

static void add_rows(const measurement *m, json_t *rows)
{
    const int copy = best_of(m, BENCH_RACE_COPY, false);
    const double copy_us = copy < 0 ? (double)NAN : m->us[copy].median;
    for (int i = 0; i < m->n_entries; i++) {
        const bench_race_entry *entry = &m->here[i];
        char state[64], timing[64];
        (void)snprintf(state, sizeof state, "%s%s", entry->wrong ? entry->wrong : "timed",
                       entry->wrong ? ", not timed" : "");
        json_t *row =
            new_row(m, entry->name, entry->mapping, entry->absent ? entry->absent : state);
        (void)json_array_append_new(rows, row);
        if (entry->absent)
            continue;
        if (entry->side != BENCH_RACE_COPY)
            bench_row_real(row, "residual_over_n_u_a_x", entry->residual);
        if (entry->worst_set)
            (void)json_object_set_new(row, "worst_set", json_string(entry->worst_set));
        (void)json_object_set_new(row, "flagged", json_integer(entry->flagged));
        if (entry->wrong)
            continue;
        (void)snprintf(timing, sizeof timing, "%s of %d%s",
                       m->buffers->graph[i] ? "graph" : "stream", m->buffers->n_calls,
                       bench_buffers_l2_resident(m->buffers) ? ", L2-resident" : "");
        (void)json_object_set_new(row, "timing", json_string(timing));
        bench_row_percentiles(row, "us", m->us[i]);
        bench_row_real(row, "copy_us", copy_us);
        bench_row_real(row, "over_copy", m->us[i].median / copy_us);
        if (entry->side == BENCH_RACE_OURS)
            add_ours(m, i, copy_us, row);
    }
    if (isfinite(m->lapack_us)) {
        const double us = m->lapack_us * m->count / SLOT;
        json_t *row = new_row(m, "LAPACK cgetrf+cgetri", "one CPU core, host memory",
                              m->count == SLOT ? "timed" : "scaled from 1200");
        (void)json_array_append_new(rows, row);
        bench_row_real(row, "median_us", us);
        bench_row_real(row, "over_copy", us / copy_us);
    }
}

/* Microseconds for SLOT matrices on one CPU core, NAN if LAPACK is not built or is wrong. */
static double time_lapack(int n, const bench_race_set *set, int repetitions)
{
#ifdef BENCH_HAVE_LAPACK
    const size_t size = SLOT * (size_t)n * (size_t)n * sizeof(lte_cf32);
    double sample[MAX_REPETITIONS];
    uint8_t flag[SLOT];
    lte_cf32 *a = malloc(size);
    if (!a)
        return (double)NAN;
    (void)bench_lapack_open();
    for (int r = -WARM_UP; r < repetitions; r++) {
        memcpy(a, set->a, size);
        const double start = lte_seconds();
        bench_lapack_invert(n, SLOT, a, NULL, flag);
        if (r >= 0)
            sample[r] = 1e6 * (lte_seconds() - start);
    }
    const double residual = bench_race_residual(n, SLOT, set->a, a, true);
    free(a);
    return residual <= 4.0 ? bench_percentiles_of(sample, repetitions).median : (double)NAN;
#else
    (void)n;
    (void)set;
    (void)repetitions;
    return (double)NAN;
#endif
}

/* How hard the timed matrices are. */
static lte_status add_conditions(int n, const bench_race_set *set, json_t *rows)
{
    const size_t n2 = (size_t)n * (size_t)n, count = (size_t)set->count;
    double *condition = malloc(count * sizeof *condition);
    lte_cf32 *x = malloc(count * n2 * sizeof *x);
    char text[128];
    lte_status status = LTE_OK;
    if (!condition || !x) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the conditions of the matrices");
        goto cleanup;
    }
    bench_race_inverses(n, set, x);
    for (size_t i = 0; i < count; i++)
        condition[i] = lte_condition_of(n, &set->a[i * n2], &x[i * n2]).condition;
    const bench_percentiles spread = bench_percentiles_of(condition, set->count);
    const double p99 = bench_percentile(condition, set->count, 0.99);
    (void)snprintf(text, sizeof text, "1-norm condition: median %.1f, p99 %.0f, most %.0f",
                   spread.median, p99, spread.max);
    json_t *row = json_pack("{s:i, s:i, s:s, s:s}", "n", n, "batch", set->count, "contender",
                            "(the matrices)", "mapping", text);
    bench_row_real(row, "condition_median", spread.median);
    bench_row_real(row, "condition_p99", p99);
    bench_row_real(row, "condition_max", spread.max);
    (void)json_array_append_new(rows, row);
cleanup:
    free(condition);
    free(x);
    return status;
}

static lte_status run_order(bench_device *device, int n, bool quick, json_t *rows)
{
    bench_race_set sets[BENCH_MAX_RACE_SETS];
    bench_race_entry list[BENCH_MAX_RACE_ENTRIES];
    int n_sets = 0;
    measurement *m = calloc(1, sizeof *m);
    if (!m)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the race");
    lte_status status = bench_race_sets_init(n, sets, &n_sets);
    if (!status)
        status = add_conditions(n, &sets[0], rows);
    if (!status) {
        m->device = device;
        m->n = n;
        m->repetitions = quick ? 5 : 25;
        m->set = &sets[0];
        m->entries = list;
        m->n_entries = bench_race_entries_of(device, list);
        m->lapack_us = time_lapack(n, &sets[0], m->repetitions);
        status = bench_race_entries_check(device, n, sets, n_sets, list, m->n_entries);
    }
    for (size_t i = 0; i < sizeof batches / sizeof *batches && !status; i++) {
        m->count = batches[i];
        if (quick && m->count != SLOT && m->count != 100000)
            continue;
        (void)fprintf(stderr, "ltebench: race, order %d, %d matrices\n", n, m->count);
        status = bench_buffers_create(device, n, m->count, m->count <= SLOT ? SLOT_CALLS : 0,
                                      m->set, &m->buffers);
        if (!status)
            status = measure(m);
        if (!status)
            add_rows(m, rows);
        bench_buffers_free(m->buffers);
        m->buffers = NULL;
    }
    bench_race_sets_fini(sets, n_sets);
    free(m);
    return status;
}

lte_status bench_race_run(const bench_options *options, json_t *rows)
{
    bench_device device;
    lte_status status = bench_device_open(&device);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !status; i++)
        status = run_order(&device, orders[i], options->quick, rows);
    bench_device_close(&device);
    return status;
}
