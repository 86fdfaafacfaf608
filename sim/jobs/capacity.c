/* The search for the number of carriers: doubling, then bisection. */
#include "sim/jobs/capacity.h"

#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "sim/stop.h"
#include "sim/jobs/percentiles.h"

static const double search_s = 20.0;
enum { TRIAL_PERIODS = 1000 /* at most */, MAX_CARRIERS = 100000 };

/* One trial, repeated once if missed. */
static lte_status try_carriers(lte_slot_periods *periods, lte_capacity *capacity, int carriers,
                               float *latency_us, bool *met)
{
    const int slots = periods->scenario->deadline.slots,
              n = slots < TRIAL_PERIODS ? slots : TRIAL_PERIODS;
    const int max_missed = lte_allowed_misses(periods->scenario, n);
    const char *what =
        periods->placement == LTE_PLACEMENT_HOST ? "capacity" : "capacity, data on the device";
    *met = false;
    lte_status status = lte_slot_periods_begin(periods, carriers);
    if (status)
        return status;
    for (int attempt = 0; attempt < 2 && !*met && !lte_stop_signal && !status; attempt++) {
        lte_trial *trial = &capacity->trials[capacity->n_trials];
        status = lte_slot_periods_run(periods, what, true, n, max_missed, latency_us,
                                      &trial->periods, &trial->missed);
        if (status || trial->periods == 0)
            break;
        trial->carriers = carriers;
        trial->threads = periods->setup.n_threads;
        trial->p999_us = lte_percentiles_of(latency_us, trial->periods).p999_us;
        trial->met = trial->periods == n && trial->missed <= max_missed;
        *met = trial->met;
        capacity->n_trials++;
    }
    const lte_status ended = lte_slot_periods_end(periods);
    return status ? status : ended;
}

lte_status lte_capacity_find(lte_slot_periods *periods, int fits, lte_capacity *capacity)
{
    const double start = lte_seconds();
    int fails = MAX_CARRIERS + 1, next = fits > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * fits;
    lte_status status = LTE_OK;
    capacity->n_trials = 0;
    capacity->bounded = false;
    float *latency_us = malloc(TRIAL_PERIODS * sizeof *latency_us);
    if (!latency_us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the capacity search");
    while (fits + 1 < fails && fits < MAX_CARRIERS && !lte_stop_signal) {
        bool met;
        next = next > fits ? next : fits + 1;
        if (lte_seconds() - start > search_s || capacity->n_trials > LTE_MAX_TRIALS - 2) {
            capacity->bounded = true;
            break;
        }
        status = try_carriers(periods, capacity, next, latency_us, &met);
        if (status)
            break;
        if (met)
            fits = next;
        else
            fails = next;
        const int doubled = next > MAX_CARRIERS / 2 ? MAX_CARRIERS : 2 * next;
        next = fails > MAX_CARRIERS ? doubled : fits + (fails - fits) / 2;
    }
    capacity->carriers = fits;
    capacity->bounded = capacity->bounded || fits == MAX_CARRIERS;
    free(latency_us);
    return status;
}
