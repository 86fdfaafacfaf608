/*
 * The search for the number of carriers. Medians of a few periods say where to begin; from there
 * on whole tries decide: steps that double until one number holds and another does not, then
 * bisection. A number that does not hold gets a second try at once, and a third when the search has
 * down to it: if that contradicts, the search goes on upwards. Tries during which the machine
 * stalled are counted by themselves.
 */
#include "sim/jobs/deadline/capacity.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "phy/base/carrier.h"
#include "sim/jobs/workers/stop.h"
#include "sim/jobs/deadline/percentiles.h"

enum {
    TRIAL_PERIODS = 1000, /* at most */
    MAX_CARRIERS = 100000,
    TRIES = 3, /* of a number */
    PART = 16  /* of a guess: how good it is, and the first step from it */
};

typedef struct {
    lte_slot_periods *periods;
    lte_capacity *capacity;
    float *latency_us; /* [TRIAL_PERIODS] */
    int n;             /* periods of a try */
    int fits;          /* largest number known to hold */
    int fails;         /* smallest above it that did not yet; MAX_CARRIERS + 1: none */
    int step;          /* the next one up or down */
    int good;          /* by medians */
    bool held;         /* a try held */
    double end;        /* of the search */
} search;

/* True if what has begun takes no longer than it may, by its median while warming up. */
static bool is_good(const lte_slot_periods *periods)
{
    return periods->typical_us <= periods->scenario->deadline.budget_us && periods->load <= 1.0;
}

/* True if periods of so many carriers take no longer than they may, as medians go. */
static lte_status look_at(search *s, int carriers, bool *good)
{
    const lte_status status = lte_slot_periods_begin(s->periods, carriers);
    *good = is_good(s->periods);
    return status ? status : lte_slot_periods_end(s->periods);
}

/* Doubling and bisection by medians: a number that is nearly the largest whose median is good. */
static lte_status guess(search *s, int *carriers)
{
    int low = s->fits, high = MAX_CARRIERS + 1;
    lte_status status = LTE_OK;
    while (high - low > 1 + low / PART && !status && !lte_stop_signal && lte_seconds() < s->end) {
        bool good = false;
        const int doubled = low > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * low;
        const int next = low == 0 ? 1 : high > MAX_CARRIERS ? doubled : low + (high - low) / 2;
        status = look_at(s, next, &good);
        if (good)
            low = next;
        else
            high = next;
    }
    s->good = low;
    *carriers = low > s->fits ? low : s->fits + 1;
    return status;
}

/* Tries of a number: those that count, or those that a stalled machine has spoilt. */
static int tries_of(const lte_capacity *capacity, int carriers, bool stalled)
{
    int n = 0;
    for (int i = 0; i < capacity->n_trials; i++)
        n += capacity->trials[i].carriers == carriers && capacity->trials[i].stalled == stalled;
    return n;
}

/* One try of what the periods have begun with. */
static lte_status try_once(search *s, int carriers, bool *met)
{
    const int max_missed = lte_allowed_misses(s->periods->scenario, s->n / s->periods->of_due);
    const char *what =
        s->periods->placement == LTE_PLACEMENT_HOST ? "capacity" : "capacity, data on the device";
    lte_trial *trial = &s->capacity->trials[s->capacity->n_trials];
    lte_seen seen = {.latency_us = s->latency_us};
    const lte_status status = lte_slot_periods_run(s->periods, what, true, s->n, max_missed, &seen);
    trial->periods = seen.periods;
    trial->missed = seen.missed;
    if (status || trial->periods == 0)
        return status;
    trial->carriers = carriers;
    trial->threads = s->periods->setup.n_threads;
    trial->p999_us = lte_percentiles_of(s->latency_us, trial->periods).p999_us;
    trial->met = trial->periods == s->n && trial->missed <= max_missed;
    trial->stalled =
        !trial->met && is_good(s->periods) && lte_slot_periods_stalled(s->periods, &seen);
    *met = trial->met;
    s->capacity->n_trials++;
    return LTE_OK;
}

static bool has_time(const search *s)
{
    return lte_seconds() + s->n * lte_slot_period_s(s->periods) < s->end &&
           s->capacity->n_trials < LTE_MAX_TRIALS && !lte_stop_signal;
}

/* True if a number may have another try: it has had fewer than so many, of either kind. */
static bool may_try(const search *s, int carriers, int most)
{
    return tries_of(s->capacity, carriers, false) < most &&
           tries_of(s->capacity, carriers, true) < TRIES && has_time(s);
}

/* Tries a number up to twice, or as often as it may be where nothing lies between. */
static lte_status try_carriers(search *s, int carriers)
{
    const int most = carriers == s->fits + 1 ? TRIES : TRIES - 1;
    bool met = false;
    lte_status status = lte_slot_periods_begin(s->periods, carriers);
    if (status)
        return status;
    while (!met && !status && may_try(s, carriers, most))
        status = try_once(s, carriers, &met);
    const lte_status ended = lte_slot_periods_end(s->periods);
    if (!met) {
        s->fails = carriers;
        return status ? status : ended;
    }
    if (carriers == s->fails) /* against an earlier try: all above is open again */
        s->step = 1;
    s->held = true;
    s->fits = carriers;
    s->fails = MAX_CARRIERS + 1;
    for (int i = 0; i < s->capacity->n_trials; i++) {
        const int other = s->capacity->trials[i].carriers;
        if (other > s->fits && other < s->fails)
            s->fails = other;
    }
    return status ? status : ended;
}

/* What to try next. */
static int next_of(search *s)
{
    const int step = s->step, apart = s->fails - s->fits;
    if (s->fails <= MAX_CARRIERS && (s->held || apart <= 2))
        return s->fits + (apart > 1 ? apart / 2 : 1);
    s->step = step > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * step;
    if (s->fails <= MAX_CARRIERS) /* downwards */
        return step < apart ? s->fails - step : s->fits + 1;
    return step < apart ? s->fits + step : MAX_CARRIERS;
}

static bool is_found(const search *s)
{
    return s->fits == MAX_CARRIERS ||
           (s->fails == s->fits + 1 && (tries_of(s->capacity, s->fails, false) >= TRIES ||
                                        tries_of(s->capacity, s->fails, true) >= TRIES));
}

/* True if more than fits may hold: the next number has not been tried, or not without a stall. */
static bool may_hold_more(const search *s)
{
    return s->fits == MAX_CARRIERS || s->fails != s->fits + 1 ||
           (tries_of(s->capacity, s->fails, true) > 0 &&
            tries_of(s->capacity, s->fails, false) < TRIES);
}

double lte_capacity_s(const lte_scenario *scenario)
{
    return fmin(fmax(3.0, scenario->deadline.slots * LTE_SLOT_S), 5.0);
}

lte_status lte_capacity_find(lte_slot_periods *periods, int fits, lte_capacity *capacity)
{
    const int slots = periods->scenario->deadline.slots;
    search s = {.periods = periods,
                .capacity = capacity,
                .n = lte_slot_periods_of(periods, slots < TRIAL_PERIODS ? slots : TRIAL_PERIODS),
                .fits = fits < MAX_CARRIERS ? fits : MAX_CARRIERS,
                .fails = MAX_CARRIERS + 1,
                .end = lte_seconds() + lte_capacity_s(periods->scenario)};
    int next = 0;
    capacity->n_trials = 0;
    capacity->by_median = -1;
    s.latency_us = malloc(TRIAL_PERIODS * sizeof *s.latency_us);
    if (!s.latency_us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the capacity search");
    lte_status status = is_found(&s) ? LTE_OK : guess(&s, &next);
    if (next > 0 && !status)
        capacity->by_median = s.good;
    s.step = next / PART > 1 ? next / PART : 1;
    while (!status && !is_found(&s) && has_time(&s)) {
        status = try_carriers(&s, next);
        next = next_of(&s);
    }
    capacity->carriers = s.fits;
    capacity->bounded = may_hold_more(&s);
    free(s.latency_us);
    return status;
}
