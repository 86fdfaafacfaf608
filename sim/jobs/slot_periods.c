/* Slots released every 500 us: their latencies, and releases clear of interruptions. */
#include "sim/jobs/slot_periods.h"

#include <math.h>

#include "kernels/backends/clock.h"
#include "phy/carrier.h"
#include "sim/stop.h"
#include "sim/jobs/release_phase.h"
#include "sim/jobs/percentiles.h"

enum {
    CLEARED = 1024,      /* outputs at once */
    WARM_UP_PERIODS = 20 /* fewer where they take longer than: */
};
static const double warm_up_s = 0.5;
static const double watch_s = 2.5; /* between two looks at the terminal */

/* Period k takes slots k n_carriers .. of the buffer. Its latency. */
static lte_status run_period(lte_slot_periods *periods, int64_t k, double release_s,
                             double *seconds)
{
    double completed_s = release_s;
    const uint64_t first = (uint64_t)k * (uint64_t)periods->n_carriers;
    const lte_status status =
        periods->backend->slots->run(periods->engine, first, release_s, &completed_s);
    *seconds = completed_s - release_s;
    return status;
}

/* Median latency of a period. */
static lte_status warm_up(lte_slot_periods *periods, double *median_us)
{
    float us[WARM_UP_PERIODS];
    double spent_s = 0.0;
    int n = 0;
    while (n < WARM_UP_PERIODS && spent_s < warm_up_s) {
        double seconds;
        const lte_status status = run_period(periods, n, lte_seconds(), &seconds);
        if (status)
            return status;
        us[n++] = (float)(1e6 * seconds);
        spent_s += lte_stop_signal ? warm_up_s : seconds;
    }
    *median_us = lte_percentiles_of(us, n).p50_us;
    return LTE_OK;
}

lte_status lte_slot_periods_begin(lte_slot_periods *periods, int n_carriers)
{
    const lte_slot_ops *slots = periods->backend->slots;
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    periods->n_carriers = n_carriers;
    lte_status status = lte_slot_buffer_reserve(periods->buffer, n_carriers);
    if (status)
        return status;
    const uint64_t n_out = lte_slot_buffer_memory(periods->buffer).n_out;
    for (uint64_t first = 0; first < n_out && !lte_stop_signal; first += CLEARED)
        lte_slot_buffer_clear(periods->buffer, first, CLEARED);
    const lte_slot_plan plan = {.job = {.memory = lte_slot_buffer_memory(periods->buffer),
                                        .noise = periods->noise,
                                        .detector = periods->detector,
                                        .n_carriers = n_carriers},
                                .placement = periods->placement,
                                .enough_us = 0.5 * rule->budget_us,
                                .stop = &lte_stop_signal};
    status = slots->begin(periods->engine, &plan, &periods->setup);
    if (status)
        return status;
    status = warm_up(periods, &periods->typical_us);
    if (status)
        (void)slots->end(periods->engine);
    return status;
}

/* Soon, and where the machine's own ticks will not fall on every so many of ours. */
static double first_release(lte_slot_periods *periods)
{
    periods->phase_us = lte_release_phase(1e6 * LTE_SLOT_S, periods->typical_us);
    return LTE_SLOT_S * (ceil(lte_seconds() / LTE_SLOT_S) + 1.0) + 1e-6 * periods->phase_us;
}

lte_status lte_slot_periods_run(lte_slot_periods *periods, const char *what, bool paced, int n,
                                int max_missed, float *latency_us, int *done, int *missed)
{
    lte_status status = LTE_OK;
    *done = *missed = 0;
    periods->work_s = 0.0;
    double watched = -INFINITY;
    const double start = paced ? first_release(periods) : 0.0;
    for (int k = 0; k < n && !status && !lte_stop_signal; k++) {
        double seconds;
        const double now = lte_seconds(), release = paced ? start + k * LTE_SLOT_S : now;
        status = run_period(periods, k, release, &seconds);
        if (lte_stop_signal) /* perhaps within this period */
            break;
        periods->work_s += seconds - fmax(now - release, 0.0);
        latency_us[k] = (float)(1e6 * seconds);
        *done = k + 1;
        *missed += !((double)latency_us[k] <= periods->scenario->deadline.budget_us);
        if (max_missed >= 0 && *missed > max_missed)
            break;
        if (periods->watch && now - watched >= watch_s) {
            periods->watch(what, (double)k / n, periods->user);
            watched = now;
        }
    }
    return status;
}

lte_status lte_slot_periods_end(lte_slot_periods *periods)
{
    return periods->backend->slots->end(periods->engine);
}

int lte_allowed_misses(const lte_scenario *scenario, int n)
{
    return (int)floor((1.0 - scenario->deadline.on_time) * n + 1e-9);
}
