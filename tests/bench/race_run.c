/* Topic race: order by order and batch by batch, everyone in turn. */
#include "tests/bench/peers.h"
#include "tests/bench/race.h"
#include "tests/bench/race_topics.h"
#include "kernels/stages.h"
#include "phy/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT = 1200, BULK = 1000000, SLOT_CALLS = 20, MAX_REPETITIONS = 51, WARM_UP = 2 };
enum { N_LOOKED = 600 }; /* matrices compared at each end of a batch */

static const int orders[] = {2, 4, 8};
static const int batches[] = {300, 600, 900, SLOT, 100000, BULK};

/* At most these: microseconds for a slot, times of the copy for bulk. */
static const struct {
    int inverter, batch, n;
    double required, goal;
} goals[] = {
    {LTE_INVERTER_gauss_jordan, BULK, 2, 1.1, 1.0}, {LTE_INVERTER_gauss_jordan, BULK, 4, 1.2, 1.05},
    {LTE_INVERTER_gauss_jordan, BULK, 8, 2.3, 1.4}, {LTE_INVERTER_ldl, BULK, 2, 1.05, 1.0},
    {LTE_INVERTER_ldl, BULK, 4, 1.05, 1.0},         {LTE_INVERTER_ldl, BULK, 8, 1.25, 1.05},
    {LTE_INVERTER_gauss_jordan, SLOT, 4, 3.0, 2.0}, {LTE_INVERTER_gauss_jordan, SLOT, 8, 6.5, 4.0},
    {LTE_INVERTER_ldl, SLOT, 4, 1.8, 1.4},          {LTE_INVERTER_ldl, SLOT, 8, 2.6, 2.0},
};

/* One order and batch. */
typedef struct {
    lte_race *race;
    int n, count, repetitions;
    const lte_race_set *set; /* the timed one */
    const lte_racer *racers; /* [n_racers], checked on all sets */
    int n_racers;
    lte_racer here[LTE_MAX_RACERS]; /* and with this batch */
    bench_spread us[LTE_MAX_RACERS];
    double sample[LTE_MAX_RACERS][MAX_REPETITIONS];
    double lapack_us; /* for SLOT matrices on one CPU core; NAN: not built */
    lte_field *field;
} heat;

static bool timed(const lte_racer *who)
{
    return !who->absent && !who->wrong;
}

static lte_status measure(heat *h)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < h->n_racers && !status; i++) {
        h->here[i] = h->racers[i];
        if (timed(&h->here[i]))
            status = lte_field_check(h->field, &h->here[i], N_LOOKED);
        if (!status && timed(&h->here[i]) && h->count <= SLOT)
            status = lte_field_capture(h->field, i, &h->here[i]);
    }
    for (int r = -WARM_UP; r < h->repetitions && !status; r++) {
        for (int i = 0; i < h->n_racers && !status; i++) {
            /* nobody always follows the same one */
            const int who = (i + (r + WARM_UP) * 7) % h->n_racers;
            double us = 0.0;
            if (!timed(&h->here[who]))
                continue;
            status = lte_field_time(h->field, who, &h->here[who], &us);
            if (r >= 0)
                h->sample[who][r] = us;
        }
    }
    for (int i = 0; i < h->n_racers && !status; i++)
        h->us[i] = bench_spread_of(h->sample[i], timed(&h->here[i]) ? h->repetitions : 0);
    return status;
}

/* The fastest of one side, -1 without any; libraries must pivot to count where we do. */
static int best_of(const heat *h, lte_race_side side, bool general)
{
    int best = -1;
    for (int i = 0; i < h->n_racers; i++) {
        const lte_racer *who = &h->here[i];
        if (who->side != side || who->charged || h->us[i].samples == 0)
            continue;
        if (side == LTE_RACE_LIBRARY && general && !who->general)
            continue;
        if (best < 0 || h->us[i].median < h->us[best].median)
            best = i;
    }
    return best;
}

static void add_verdict(const heat *h, int inverter, double us, double copy_us, json_t *row)
{
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        if (goals[i].inverter != inverter || goals[i].batch != h->count || goals[i].n != h->n)
            continue;
        const bool bulk = goals[i].batch == BULK;
        (void)json_object_set_new(row, "judged", json_string(bulk ? "time / copy" : "us"));
        (void)json_object_set_new(row, "readme", json_true());
        lte_row_goal(row, bulk ? us / copy_us : us, goals[i].required, goals[i].goal, false);
    }
}

static void add_ours(const heat *h, int i, double copy_us, json_t *row)
{
    const lte_invert_version *version = h->here[i].version;
    const int library = best_of(h, LTE_RACE_LIBRARY, h->here[i].general);
    const lte_invert_version *choice = lte_invert_choose(version->inverter, h->n, h->count);
    if (library >= 0) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s, %s", h->here[library].name,
                       h->here[library].mapping);
        (void)json_object_set_new(row, "library", json_string(name));
        lte_row_real(row, "library_us", h->us[library].median);
        lte_row_real(row, "library_over_this", h->us[library].median / h->us[i].median);
    }
    if (choice && strcmp(choice->name, version->name) == 0) {
        (void)json_object_set_new(row, "chosen", json_string("chosen"));
        add_verdict(h, version->inverter, h->us[i].median, copy_us, row);
    }
}

static json_t *new_row(const heat *h, const char *contender, const char *mapping, const char *state)
{
    return json_pack("{s:i, s:i, s:s, s:s, s:s}", "n", h->n, "batch", h->count, "contender",
                     contender, "mapping", mapping, "state", state);
}

static void add_rows(const heat *h, json_t *rows)
{
    const int copy = best_of(h, LTE_RACE_COPY, false);
    const double copy_us = copy < 0 ? (double)NAN : h->us[copy].median;
    for (int i = 0; i < h->n_racers; i++) {
        const lte_racer *who = &h->here[i];
        char state[64], timing[64];
        (void)snprintf(state, sizeof state, "%s%s", who->wrong ? who->wrong : "timed",
                       who->wrong ? ", not timed" : "");
        json_t *row = new_row(h, who->name, who->mapping, who->absent ? who->absent : state);
        (void)json_array_append_new(rows, row);
        if (who->absent)
            continue;
        if (who->side != LTE_RACE_COPY)
            lte_row_real(row, "residual_over_n_u_a_x", who->residual);
        if (who->worst_set)
            (void)json_object_set_new(row, "worst_set", json_string(who->worst_set));
        (void)json_object_set_new(row, "flagged", json_integer(who->flagged));
        if (who->wrong)
            continue;
        (void)snprintf(timing, sizeof timing, "%s of %d%s",
                       lte_field_in_graph(h->field, i) ? "graph" : "stream",
                       lte_field_calls(h->field),
                       lte_field_l2_resident(h->field) ? ", L2-resident" : "");
        (void)json_object_set_new(row, "timing", json_string(timing));
        bench_row_spread(row, "us", h->us[i]);
        lte_row_real(row, "copy_us", copy_us);
        lte_row_real(row, "over_copy", h->us[i].median / copy_us);
        if (who->side == LTE_RACE_OURS)
            add_ours(h, i, copy_us, row);
    }
    if (isfinite(h->lapack_us)) {
        const double us = h->lapack_us * h->count / SLOT;
        json_t *row = new_row(h, "LAPACK cgetrf+cgetri", "one CPU core, host memory",
                              h->count == SLOT ? "timed" : "scaled from 1200");
        (void)json_array_append_new(rows, row);
        lte_row_real(row, "median_us", us);
        lte_row_real(row, "over_copy", us / copy_us);
    }
}

/* Microseconds for SLOT matrices on one CPU core, NAN if LAPACK is not built or is wrong. */
static double time_lapack(int n, const lte_race_set *set, int repetitions)
{
#ifdef LTE_BENCH_LAPACK
    const size_t size = SLOT * (size_t)n * (size_t)n * sizeof(lte_cf32);
    double sample[MAX_REPETITIONS];
    uint8_t flag[SLOT];
    lte_cf32 *a = malloc(size);
    if (!a)
        return (double)NAN;
    (void)lte_lapack_open();
    for (int r = -WARM_UP; r < repetitions; r++) {
        memcpy(a, set->a, size);
        const double start = lte_now_us();
        lte_lapack_invert(n, SLOT, a, NULL, flag);
        if (r >= 0)
            sample[r] = lte_now_us() - start;
    }
    const double residual = lte_race_residual(n, SLOT, set->a, a, true);
    free(a);
    return residual <= 4.0 ? bench_spread_of(sample, repetitions).median : (double)NAN;
#else
    (void)n;
    (void)set;
    (void)repetitions;
    return (double)NAN;
#endif
}

/* How hard the timed matrices are. */
static lte_status add_conditions(int n, const lte_race_set *set, json_t *rows)
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
    lte_race_inverses(n, set, x);
    for (size_t i = 0; i < count; i++)
        condition[i] = lte_condition_of(n, &set->a[i * n2], &x[i * n2]).condition;
    const bench_spread spread = bench_spread_of(condition, set->count);
    const double p99 = lte_percentile(condition, set->count, 0.99);
    (void)snprintf(text, sizeof text, "1-norm condition: median %.1f, p99 %.0f, most %.0f",
                   spread.median, p99, spread.max);
    json_t *row = json_pack("{s:i, s:i, s:s, s:s}", "n", n, "batch", set->count, "contender",
                            "(the matrices)", "mapping", text);
    lte_row_real(row, "condition_median", spread.median);
    lte_row_real(row, "condition_p99", p99);
    lte_row_real(row, "condition_max", spread.max);
    (void)json_array_append_new(rows, row);
cleanup:
    free(condition);
    free(x);
    return status;
}

static lte_status run_order(lte_race *race, int n, bool quick, json_t *rows)
{
    lte_race_set sets[LTE_MAX_RACE_SETS];
    lte_racer list[LTE_MAX_RACERS];
    int n_sets = 0;
    heat *h = calloc(1, sizeof *h);
    if (!h)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the race");
    lte_status status = lte_race_sets_init(n, sets, &n_sets);
    if (!status)
        status = add_conditions(n, &sets[0], rows);
    if (!status) {
        h->race = race;
        h->n = n;
        h->repetitions = quick ? 5 : 25;
        h->set = &sets[0];
        h->racers = list;
        h->n_racers = lte_racers_of(race, list);
        h->lapack_us = time_lapack(n, &sets[0], h->repetitions);
        status = lte_racers_check(race, n, sets, n_sets, list, h->n_racers);
    }
    for (size_t i = 0; i < sizeof batches / sizeof *batches && !status; i++) {
        h->count = batches[i];
        if (quick && h->count != SLOT && h->count != 100000)
            continue;
        (void)fprintf(stderr, "ltebench: race, order %d, %d matrices\n", n, h->count);
        status = lte_field_create(race, n, h->count, h->count <= SLOT ? SLOT_CALLS : 0, h->set,
                                  &h->field);
        if (!status)
            status = measure(h);
        if (!status)
            add_rows(h, rows);
        lte_field_free(h->field);
        h->field = NULL;
    }
    lte_race_sets_fini(sets, n_sets);
    free(h);
    return status;
}

lte_status lte_race_run(const lte_bench_options *options, json_t *rows)
{
    lte_race race;
    lte_status status = lte_race_open(&race);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !status; i++)
        status = run_order(&race, orders[i], options->quick, rows);
    lte_race_close(&race);
    return status;
}
