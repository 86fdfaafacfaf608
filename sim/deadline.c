#include "sim/deadline.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/ring.h"
#include "phy/condition.h"
#include "sim/clock.h"

static const double tick_s = 500e-6; /* a slot */
static const double capacity_time_s = 20.0;
enum {
    WARM_UP_TICKS = 20,
    STAGE_SLOTS = 1000,    /* at most, in the unfused pass */
    CAPACITY_TICKS = 1000, /* at most, in a trial */
    HOPELESS_TICKS = 40,   /* a trial this far behind ends early */
    MAX_CARRIERS = 100000,
    WATCH_TICKS = 1000 /* between two looks at the terminal */
};

/* What every part of the run works with. */
typedef struct {
    const lte_scenario *scenario;
    const lte_backend *backend;
    lte_engine *engine;
    const lte_link *link;
    lte_noise noise;
    lte_ring *ring;
    lte_slot_io *io; /* [n_io] */
    int n_io;
    lte_deadline_watch *watch;
    void *user;
} context;

double lte_nearest_rank(const float *x, int64_t n, double q)
{
    /* 1e-9: a product that should be whole may come out a rounding above */
    int64_t rank = (int64_t)ceil(q * (double)n - 1e-9);
    rank = rank < 1 ? 1 : rank > n ? n : rank;
    return (double)x[rank - 1];
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sorts x [n], n >= 1, and takes its spread. */
static lte_spread spread_of(float *x, int n)
{
    lte_spread spread;
    double sum = 0.0;
    qsort(x, (size_t)n, sizeof *x, ascending);
    for (int i = 0; i < n; i++)
        sum += (double)x[i];
    spread.p50_us = lte_nearest_rank(x, n, 0.5);
    spread.p99_us = lte_nearest_rank(x, n, 0.99);
    spread.p999_us = lte_nearest_rank(x, n, 0.999);
    spread.max_us = (double)x[n - 1];
    spread.mean_us = sum / n;
    return spread;
}

/* Spins, as receivers do: a processor that slept may be back only after milliseconds. */
static void wait_until(double when)
{
    while (lte_seconds() < when)
        continue;
}

static lte_status reserve(context *c, int carriers)
{
    lte_status status = lte_ring_reserve(c->ring, carriers);
    if (status || carriers <= c->n_io)
        return status;
    lte_slot_io *io = realloc(c->io, (size_t)carriers * sizeof *io);
    if (!io)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d carriers", carriers);
    c->io = io;
    c->n_io = carriers;
    return LTE_OK;
}

/* Tick k: carrier i takes slot k carriers + i of the ring. */
static lte_status run_tick(context *c, int64_t k, int carriers)
{
    for (int i = 0; i < carriers; i++)
        c->io[i] = lte_ring_slot(c->ring, (uint64_t)k * (uint64_t)carriers + (uint64_t)i);
    return c->backend->tick(c->engine, c->scenario->deadline.detector, c->noise, c->io, carriers);
}

/*
 * Warms up, and takes the fewest threads whose median tick leaves half of the budget: a thread
 * more than needed is one more that the system may delay. If none does, the fastest number.
 */
static lte_status choose_threads(context *c, int carriers, int *chosen)
{
    const int most = c->backend->threads(c->engine);
    double fastest = INFINITY;
    *chosen = most;
    for (int n = 1;; n = 2 * n < most ? 2 * n : most) {
        float us[WARM_UP_TICKS];
        c->backend->limit_tick(c->engine, n);
        for (int k = 0; k < WARM_UP_TICKS; k++) {
            const double before = lte_seconds();
            lte_status status = run_tick(c, k, carriers);
            if (status)
                return status;
            us[k] = (float)(1e6 * (lte_seconds() - before));
        }
        const double median = spread_of(us, WARM_UP_TICKS).p50_us;
        if (median < fastest) {
            fastest = median;
            *chosen = n;
        }
        if (n == most || median <= 0.5 * c->scenario->deadline.budget_us)
            break;
    }
    c->backend->limit_tick(c->engine, *chosen);
    return LTE_OK;
}

/*
 * Runs up to n ticks and keeps their latencies; *done tells how many ran. With max_missed >= 0 a
 * run that missed more than that and lags HOPELESS_TICKS behind ends early.
 */
static lte_status run_ticks(context *c, const char *what, bool paced, int n, int carriers,
                            int max_missed, float *latency_us, int *done, int *missed, int *threads)
{
    const lte_scenario_deadline *rule = &c->scenario->deadline;
    lte_status status = reserve(c, carriers);
    *done = *missed = 0;
    if (!status)
        status = choose_threads(c, carriers, threads);
    const double start = lte_seconds() + tick_s;
    for (int k = 0; k < n && !status && !lte_stop_signal; k++) {
        const double release = paced ? start + k * tick_s : lte_seconds();
        wait_until(release);
        status = run_tick(c, k, carriers);
        const double completed = lte_seconds();
        latency_us[k] = (float)(1e6 * (completed - release));
        *done = k + 1;
        *missed += !((double)latency_us[k] <= rule->budget_us);
        if (max_missed >= 0 && *missed > max_missed &&
            completed - release > HOPELESS_TICKS * tick_s)
            break;
        if (c->watch && k % WATCH_TICKS == 0)
            c->watch(what, (double)k / n, c->user);
    }
    return status;
}

/* Slots of n that may be late. */
static int allowed_misses(const lte_scenario *scenario, int n)
{
    return (int)floor((1.0 - scenario->deadline.on_time) * n + 1e-9);
}

static lte_status run_stages(context *c, lte_deadline *run)
{
    const lte_scenario_deadline *rule = &c->scenario->deadline;
    const int n = rule->slots < STAGE_SLOTS ? rule->slots : STAGE_SLOTS;
    lte_status status = LTE_OK;
    float *us = malloc((size_t)n * LTE_N_TIMED * sizeof *us);
    if (!us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the stage times");
    int done = 0;
    for (int k = -WARM_UP_TICKS; k < n && !status && !lte_stop_signal; k++) {
        double at[LTE_N_TIMED];
        const lte_slot_io io = lte_ring_slot(c->ring, (uint64_t)k + WARM_UP_TICKS);
        status = c->backend->tick_stages(c->engine, rule->detector, c->noise, &io, at);
        for (int i = 0; i < LTE_N_TIMED && k >= 0; i++)
            us[(ptrdiff_t)i * n + k] = (float)at[i];
        done = k + 1;
    }
    if (!status && done > 0) {
        run->stage_slots = done;
        for (int i = 0; i < LTE_N_TIMED; i++)
            run->stage[i] = spread_of(&us[(ptrdiff_t)i * n], done);
    }
    free(us);
    return status;
}

/* One trial, repeated once if missed. */
static lte_status try_carriers(context *c, lte_deadline *run, int carriers, float *latency_us,
                               bool *met)
{
    const lte_scenario_deadline *rule = &c->scenario->deadline;
    const int n = rule->slots < CAPACITY_TICKS ? rule->slots : CAPACITY_TICKS;
    const int max_missed = allowed_misses(c->scenario, n);
    *met = false;
    for (int attempt = 0; attempt < 2 && !*met && !lte_stop_signal; attempt++) {
        if (run->n_trials == LTE_MAX_TRIALS)
            break;
        lte_trial *trial = &run->trials[run->n_trials];
        lte_status status = run_ticks(c, "capacity", true, n, carriers, max_missed, latency_us,
                                      &trial->ticks, &trial->missed, &trial->threads);
        if (status)
            return status;
        if (trial->ticks == 0)
            break;
        trial->carriers = carriers;
        trial->p999_us = spread_of(latency_us, trial->ticks).p999_us;
        trial->met = trial->ticks == n && trial->missed <= max_missed;
        *met = trial->met;
        run->n_trials++;
    }
    return LTE_OK;
}

/*
 * The largest number of carriers that meets the deadline: doubling, then bisection, from what the
 * timed run itself has shown.
 */
static lte_status find_capacity(context *c, lte_deadline *run)
{
    const double start = lte_seconds();
    float *latency_us = malloc(CAPACITY_TICKS * sizeof *latency_us);
    int fits = run->met && c->scenario->deadline.paced ? run->carriers : 0;
    int fails = MAX_CARRIERS + 1, next = fits > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * fits;
    lte_status status = LTE_OK;
    if (!latency_us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the capacity search");
    while (fits + 1 < fails && fits < MAX_CARRIERS && !lte_stop_signal) {
        bool met;
        next = next > fits ? next : fits + 1;
        if (lte_seconds() - start > capacity_time_s || run->n_trials >= LTE_MAX_TRIALS - 1) {
            run->capacity_bounded = true;
            break;
        }
        status = try_carriers(c, run, next, latency_us, &met);
        if (status)
            break;
        if (met)
            fits = next;
        else
            fails = next;
        const int doubled = next > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * next;
        next = fails > MAX_CARRIERS ? doubled : fits + (fails - fits) / 2;
    }
    run->capacity_carriers = fits;
    run->capacity_bounded = run->capacity_bounded || fits == MAX_CARRIERS;
    free(latency_us);
    return status;
}

/* Errors of the distinct slots that the timed ticks decided. */
static lte_status count_errors(context *c, lte_deadline *run)
{
    const lte_scenario *scenario = c->scenario;
    const int64_t decided = (int64_t)run->slots * run->carriers;
    const int used =
        decided < scenario->deadline.distinct ? (int)decided : scenario->deadline.distinct;
    run->distinct_used = used;
    for (int i = 0; i < used; i++) {
        uint64_t errors;
        lte_status status = lte_ring_errors(c->ring, (uint64_t)i, &errors);
        if (status)
            return status;
        run->bit_errors += errors;
    }
    run->bits = (uint64_t)used * (uint64_t)scenario->n_sc * LTE_SLOT_SYMBOLS *
                (uint64_t)(scenario->n_tx * scenario->n_bits);
    return LTE_OK;
}

static lte_quantiles quantiles_of(float *x, int64_t n)
{
    lte_quantiles q = {NAN, NAN, NAN};
    if (n > 0) {
        qsort(x, (size_t)n, sizeof *x, ascending);
        q.p50 = lte_nearest_rank(x, n, 0.5);
        q.p99 = lte_nearest_rank(x, n, 0.99);
        q.max = (double)x[n - 1];
    }
    return q;
}

/* One matrix of a batch [n_groups][n n][2][LTE_LANES]. */
static void matrix_of(const float *batch, int n2, int sc, lte_cf32 *a)
{
    const float *group = &batch[(ptrdiff_t)(sc / LTE_LANES) * n2 * 2 * LTE_LANES];
    for (int i = 0; i < n2; i++) {
        a[i].re = group[(2 * i) * LTE_LANES + sc % LTE_LANES];
        a[i].im = group[(2 * i + 1) * LTE_LANES + sc % LTE_LANES];
    }
}

/* Condition numbers and residuals over the distinct slots. */
static lte_status look_at_inverses(context *c, lte_deadline *run)
{
    const lte_link *link = c->link;
    const lte_stages *stages = c->backend->stages ? c->backend->stages : lte_stages_best();
    const int n = link->n_tx, n_distinct = c->scenario->deadline.distinct;
    const size_t lanes = (size_t)link->n_groups * LTE_LANES, pair = 2 * sizeof(float);
    const size_t matrices = (size_t)n_distinct * (size_t)link->n_sc;
    int64_t seen = 0;
    lte_status status = LTE_OK;
    float *h = malloc(lanes * (size_t)(link->n_rx * n) * pair);
    float *a = malloc(lanes * (size_t)(n * n) * pair), *x = malloc(lanes * (size_t)(n * n) * pair);
    float *condition = malloc(matrices * sizeof *condition);
    float *residual = malloc(matrices * sizeof *residual);
    uint8_t *flag = malloc(lanes);
    if (!h || !a || !x || !condition || !residual || !flag) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for condition numbers");
        goto cleanup;
    }
    for (int slot = 0; slot < n_distinct && !lte_stop_signal; slot++) {
        lte_ring_channel(c->ring, slot, h);
        stages->gram(link, run->detector, c->noise, 0, link->n_groups, h, a);
        stages->gram(link, run->detector, c->noise, 0, link->n_groups, h, x);
        stages->invert(link, 0, link->n_groups, x, flag);
        for (int sc = 0; sc < link->n_sc; sc++) {
            lte_cf32 matrix[LTE_MAX_TX * LTE_MAX_TX], inverse[LTE_MAX_TX * LTE_MAX_TX];
            if (flag[sc]) {
                run->flagged++;
                continue;
            }
            matrix_of(a, n * n, sc, matrix);
            matrix_of(x, n * n, sc, inverse);
            const lte_condition seen_one = lte_condition_of(n, matrix, inverse);
            condition[seen] = (float)seen_one.condition;
            residual[seen++] = (float)seen_one.residual;
        }
    }
    run->condition = quantiles_of(condition, seen);
    run->residual = quantiles_of(residual, seen);
cleanup:
    free(h);
    free(a);
    free(x);
    free(condition);
    free(residual);
    free(flag);
    return status;
}

static lte_status run_all(context *c, lte_deadline *run)
{
    const lte_scenario *scenario = c->scenario;
    const lte_scenario_deadline *rule = &scenario->deadline;
    lte_status status = run_ticks(c, "deadline", rule->paced, rule->slots, rule->carriers, -1,
                                  run->latency_us, &run->slots, &run->missed, &run->threads);
    if (status || run->slots == 0)
        return status;
    status = count_errors(c, run);
    if (status)
        return status;
    run->slot = spread_of(run->latency_us, run->slots);
    run->on_time = 1.0 - (double)run->missed / run->slots;
    run->met = run->missed <= allowed_misses(scenario, run->slots);
    /* work done per time spent on it: waiting for the next tick is not counted */
    const double symbols =
        (double)run->carriers * scenario->n_sc * LTE_SLOT_SYMBOLS * scenario->n_tx;
    run->symbols_per_s = symbols / (1e-6 * run->slot.p50_us);
    run->mbit_per_s = 1e-6 * run->symbols_per_s * scenario->n_bits;
    status = run_stages(c, run);
    if (!status)
        status = find_capacity(c, run);
    if (!status)
        status = look_at_inverses(c, run);
    return status;
}

lte_status lte_deadline_run(const lte_scenario *scenario, const lte_backend *backend,
                            lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                            void *user, lte_deadline **run)
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    context c = {.scenario = scenario,
                 .backend = backend,
                 .engine = engine,
                 .link = link,
                 .watch = watch,
                 .user = user};
    lte_status status = LTE_OK;
    *run = NULL;
    lte_deadline *made = calloc(1, sizeof *made);
    if (made)
        made->latency_us = malloc((size_t)rule->slots * sizeof *made->latency_us);
    if (!made || !made->latency_us) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for deadline.slots=%d latencies", rule->slots);
        goto cleanup;
    }
    made->detector = rule->detector;
    made->snr_db = rule->snr_db;
    made->budget_us = rule->budget_us;
    made->carriers = rule->carriers;
    made->capacity_carriers = -1;
    c.noise = lte_noise_of(scenario->n_tx, pow(10.0, rule->snr_db / 10.0));
    if (watch)
        watch("making slots", 0.0, user);
    status = lte_ring_create(link, c.noise, rule->distinct, &c.ring);
    if (!status)
        status = run_all(&c, made);
    made->interrupted = lte_stop_signal != 0;
    if (!status) {
        *run = made;
        made = NULL;
    }
cleanup:
    lte_deadline_free(made);
    lte_ring_free(c.ring);
    free(c.io);
    return status;
}

void lte_deadline_free(lte_deadline *run)
{
    if (!run)
        return;
    free(run->latency_us);
    free(run);
}
