#ifndef LTE_SIM_JOBS_SLOT_PERIODS_H
#define LTE_SIM_JOBS_SLOT_PERIODS_H
/*
 * Runs of ticks: slots released every 500 us, latency from release to output complete.
 *
 *     lte_ticks ticks = {.scenario = ..., .buffer = buffer, .placement = LTE_PLACEMENT_HOST};
 *     lte_status status = lte_ticks_begin(&ticks, n_carriers);     // warms up, chooses threads
 *     status = lte_ticks_run(&ticks, "deadline", true, n, -1, latency_us, &done, &missed);
 *     status = lte_ticks_end(&ticks);
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
    int placement;             /* LTE_PLACEMENT_* */
    lte_deadline_watch *watch; /* may be NULL */
    void *user;
    /* what lte_ticks_begin finds */
    int n_carriers;
    int n_threads;     /* that share a tick: the fewest that leave half of the budget */
    bool cached;       /* data on the device stay in its caches */
    double typical_us; /* median tick while warming up */
    double phase_us;   /* of the last paced run's releases, modulo 500 us of the clock */
} lte_ticks;

/*
 * Begins a run of ticks of n_carriers slots of the buffer, its outputs cleared: warms up, and takes
 * the fewest threads whose median tick leaves half of the budget.
 *
 * Returns what the buffer and the backend return; then no run has begun.
 */
lte_status lte_ticks_begin(lte_ticks *ticks, int n_carriers);

/*
 * Runs up to n ticks and keeps their latencies.
 *
 *   paced        a release every 500 us, clear of the machine's own ticks
 * (sim/jobs/release_phase.h), else when the last tick is done max_missed   >= 0: a run that missed
 * more and lags far behind ends early latency_us   [n]  out done         out: ticks that ran; fewer
 * than n after a stop signal too missed       out: of them later than the budget
 */
lte_status lte_ticks_run(lte_ticks *ticks, const char *what, bool paced, int n, int max_missed,
                         float *latency_us, int *done, int *missed);

/* Ends the run; the buffer holds the outputs of every placement then. */
lte_status lte_ticks_end(lte_ticks *ticks);

/* Ticks of n that may be late. */
int lte_allowed_misses(const lte_scenario *scenario, int n);

#endif
