#include "sim/jobs/slot_periods.h"

#include <math.h>

#include "sim/stop.h"
#include "sim/jobs/release_phase.h"
#include "sim/jobs/percentiles.h"

static const double tick_s = 500e-6; /* a slot */
enum {
    WARM_UP_TICKS = 20,
    HOPELESS_TICKS = 40, /* a run this far behind ends early */
    WATCH_TICKS = 5000   /* between two looks at the terminal */
};

/* Tick k takes slots k n_carriers .. of the buffer. Its latency. */
static lte_status run_tick(lte_ticks *ticks, int64_t k, double release_s, double *seconds)
{
    double completed_s = release_s;
    const lte_status status = ticks->backend->tick(
        ticks->engine, (uint64_t)k * (uint64_t)ticks->n_carriers, release_s, &completed_s);
    *seconds = completed_s - release_s;
    return status;
}

static lte_status begin(lte_ticks *ticks, int n_threads)
{
    const lte_tick_plan plan = {.job = {.memory = lte_slot_buffer_memory(ticks->buffer),
                                        .noise = ticks->noise,
                                        .detector = ticks->scenario->deadline.detector,
                                        .n_carriers = ticks->n_carriers},
                                .placement = ticks->placement};
    ticks->n_threads = n_threads;
    return ticks->backend->tick_begin(ticks->engine, &plan, n_threads, &ticks->cached);
}

/* Median time of a tick. */
static lte_status warm_up(lte_ticks *ticks, double *median_us)
{
    float us[WARM_UP_TICKS];
    for (int k = 0; k < WARM_UP_TICKS; k++) {
        double seconds;
        const lte_status status = run_tick(ticks, k, lte_seconds(), &seconds);
        if (status)
            return status;
        us[k] = (float)(1e6 * seconds);
    }
    *median_us = lte_percentiles_of(us, WARM_UP_TICKS).p50_us;
    return LTE_OK;
}

/* A thread more than needed is one more that the system may delay; if none leaves half of the
 * budget, the fastest number is taken. */
lte_status lte_ticks_begin(lte_ticks *ticks, int n_carriers)
{
    const int most = ticks->backend->threads(ticks->engine);
    double fastest = INFINITY;
    int chosen = 1;
    ticks->n_carriers = n_carriers;
    lte_status status = lte_slot_buffer_reserve(ticks->buffer, n_carriers);
    if (status)
        return status;
    lte_slot_buffer_clear(ticks->buffer);
    for (int n = 1;; n = 2 * n < most ? 2 * n : most) {
        double median = 0.0;
        status = begin(ticks, n);
        if (status)
            return status;
        status = warm_up(ticks, &median);
        if (status) {
            (void)ticks->backend->tick_end(ticks->engine);
            return status;
        }
        if (median < fastest) {
            fastest = median;
            chosen = n;
        }
        if (n == most || median <= 0.5 * ticks->scenario->deadline.budget_us)
            break;
        status = ticks->backend->tick_end(ticks->engine);
        if (status)
            return status;
    }
    ticks->typical_us = fastest;
    if (chosen == ticks->n_threads)
        return LTE_OK;
    status = ticks->backend->tick_end(ticks->engine);
    return status ? status : begin(ticks, chosen);
}

/* Soon, and where the machine's own ticks will not fall on every so many of ours. */
static double first_release(lte_ticks *ticks)
{
    ticks->phase_us = lte_release_phase(1e6 * tick_s, ticks->typical_us);
    return tick_s * (ceil(lte_seconds() / tick_s) + 1.0) + 1e-6 * ticks->phase_us;
}

lte_status lte_ticks_run(lte_ticks *ticks, const char *what, bool paced, int n, int max_missed,
                         float *latency_us, int *done, int *missed)
{
    lte_status status = LTE_OK;
    *done = *missed = 0;
    const double start = paced ? first_release(ticks) : 0.0;
    for (int k = 0; k < n && !status && !lte_stop_signal; k++) {
        double seconds;
        status = run_tick(ticks, k, paced ? start + k * tick_s : lte_seconds(), &seconds);
        latency_us[k] = (float)(1e6 * seconds);
        *done = k + 1;
        *missed += !((double)latency_us[k] <= ticks->scenario->deadline.budget_us);
        if (max_missed >= 0 && *missed > max_missed && seconds > HOPELESS_TICKS * tick_s)
            break;
        if (ticks->watch && k % WATCH_TICKS == 0)
            ticks->watch(what, (double)k / n, ticks->user);
    }
    return status;
}

lte_status lte_ticks_end(lte_ticks *ticks)
{
    return ticks->backend->tick_end(ticks->engine);
}

int lte_allowed_misses(const lte_scenario *scenario, int n)
{
    return (int)floor((1.0 - scenario->deadline.on_time) * n + 1e-9);
}
