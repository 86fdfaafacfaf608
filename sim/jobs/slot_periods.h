#ifndef LTE_SIM_JOBS_SLOT_PERIODS_H
#define LTE_SIM_JOBS_SLOT_PERIODS_H
/*
 * Runs of slot periods: slots released every 500 us, latency from release to output complete.
 *
 *     lte_slot_periods periods = {.scenario = ..., .buffer = buffer, .placement = ...};
 *     lte_status status = lte_slot_periods_begin(&periods, n_carriers);
 *     status = lte_slot_periods_run(&periods, "deadline", true, n, -1, latency_us, &done, &missed);
 *     status = lte_slot_periods_end(&periods);
 */

#include "kernels/backends/backend.h"
#include "kernels/backends/slot_buffer.h"
#include "sim/scenario/scenario.h"

/* Called between pieces of work with what is being done, its share done (0 to 1). */
typedef void lte_deadline_watch(const char *what, double done, void *user);

typedef struct {
    const lte_scenario *scenario;
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
    lte_noise noise;
    int detector;              /* phy/detectors.h */
    int placement;             /* LTE_PLACEMENT_* */
    lte_deadline_watch *watch; /* may be NULL */
    void *user;
    /* what lte_slot_periods_begin finds */
    int n_carriers;
    lte_slot_setup setup;
    double typical_us; /* median period while warming up */
    double phase_us;   /* of the last paced run's releases, modulo 500 us of the clock */
    double work_s;     /* spent on the last run's periods, each from its begin to its end */
} lte_slot_periods;

/*
 * Begins a run of periods of n_carriers slots of the buffer, its outputs cleared, and warms up. The
 * backend is told that half of the budget is short enough.
 *
 * Returns what the buffer and the backend return; then no run has begun.
 */
lte_status lte_slot_periods_begin(lte_slot_periods *periods, int n_carriers);

/*
 * Runs up to n periods and keeps their latencies.
 *
 *   paced        a release every 500 us, clear of the machine's own ticks
 *                (sim/jobs/release_phase.h), else when the last period is done
 *   max_missed   >= 0: a run ends early that has missed more
 *   latency_us   [n]  out
 *   done         out: periods that ran; fewer than n after a stop signal too
 *   missed       out: of them later than the budget
 *
 * A period begins at its release or, if the one before it is not done by then, with its end: what
 * it waits is part of its latency and not of its work.
 */
lte_status lte_slot_periods_run(lte_slot_periods *periods, const char *what, bool paced, int n,
                                int max_missed, float *latency_us, int *done, int *missed);

/* Ends the run; the buffer holds the outputs of every placement then. */
lte_status lte_slot_periods_end(lte_slot_periods *periods);

/* Periods of n that may be late. */
int lte_allowed_misses(const lte_scenario *scenario, int n);

#endif
