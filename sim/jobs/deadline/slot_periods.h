#ifndef LTE_SIM_JOBS_SLOT_PERIODS_H
#define LTE_SIM_JOBS_SLOT_PERIODS_H
/*
 * Runs of slot periods: slots released every 500 us, latency from release to output complete.
 *
 *     lte_slot_periods periods = {.scenario = ..., .buffer = buffer, .placement = ...};
 *     lte_slot_periods_init(&periods, &link);
 *     lte_status status = lte_slot_periods_begin(&periods, n_carriers);
 *     lte_seen seen = {.latency_us = latency_us};
 *     status = lte_slot_periods_run(&periods, "deadline", true, n, -1, &seen);
 *     status = lte_slot_periods_end(&periods);
 *
 * Where slots carry a code, two of them are a subframe: after its second slot its transport blocks
 * are decoded, before the next slot is begun. It is late if the LLRs of either slot come later than
 * 500 us after its release, or the bits of the blocks later than the budget after that of the
 * second. Where a receiver estimates from both slots it gets both together, every 1000 us.
 */

#include "kernels/backends/backend.h"
#include "kernels/backends/slot_buffer.h"
#include "phy/base/carrier.h"
#include "sim/scenario/scenario.h"

/* That are due, before a run may be called overloaded: all distinct ones, but so many. */
enum { LTE_OVERLOAD_LEAST = 64, LTE_OVERLOAD_MOST = 512 };

/* Most times that a stage, the inversion alone and each listed detector are timed. */
enum { LTE_MOST_REPEATS = 1000 };

/* Whether the deadline is met, and why not. */
typedef enum {
    LTE_VERDICT_MET,        /* the asked share is on time */
    LTE_VERDICT_OVERLOADED, /* it is not, and the median work is longer than the time for it */
    LTE_VERDICT_UNDECIDED,  /* it is not, the median work fits, and the machine stalled */
    LTE_VERDICT_MISSED,     /* it is not */
    LTE_N_VERDICTS
} lte_verdict;

extern const char *const lte_verdict_names[LTE_N_VERDICTS];

/* What a verdict rests on. */
typedef struct {
    int due, late;             /* slots or subframes, whichever is due; of them late */
    double work_us, period_us; /* median of the work on one; from one to the next */
    bool overloaded, stalled;  /* the work is longer than the period; the machine was away */
} lte_evidence;

/* Called between pieces of work with what is being done, its share done (0 to 1). */
typedef void lte_deadline_watch(const char *what, double done, void *user);

typedef struct {
    const lte_scenario *scenario;
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
    lte_noise noise;
    lte_detector detector;     /* phy/detection/detectors.h */
    int placement;             /* LTE_PLACEMENT_* */
    lte_deadline_watch *watch; /* may be NULL */
    void *user;
    bool decodes;  /* transport blocks: false leaves it at their LLRs */
    int64_t first; /* period that a run begins with, of the buffer's slots */
    int n_threads; /* processor threads that share a period; 0: lte_slot_periods_begin chooses */
    /* of lte_slot_periods_init */
    int slots_each; /* slots of a carrier in a period */
    int of_due;     /* periods of what is due: of a slot, or of a subframe */
    /* what lte_slot_periods_begin finds */
    int n_carriers;
    lte_slot_setup setup;
    double typical_us; /* median latency of what is due, while warming up */
    double load;       /* median time that it takes over the time between two of it */
    double phase_us;   /* of the last paced run's releases, modulo 500 us of the clock */
    double work_s;     /* spent on the last run's periods, each from its begin to its end */
} lte_slot_periods;

/* What a run has seen. */
typedef struct {
    float *latency_us; /* [n] of periods, release to bits or LLRs  out */
    float *block_us;   /* [n] of those with blocks, release to bits  out; NULL: not kept */
    float *decoder_us; /* [n] of that the decoder's part  out; NULL with it */
    float *service_us; /* [n] of what is due: the work on it, without its waits  out; or NULL */
    int periods;       /* that ran, whole subframes; fewer than n after a stop signal too */
    int due, missed;   /* slots or subframes, whichever is due; of them late */
    /* what the machine did meanwhile, of a paced run */
    double gap_s;    /* the longest between two looks at the clock, while waiting or listening */
    double lasted_s; /* first release to last period's end */
    double taken;    /* processor time kept from the threads over the time that they had */
    bool overloaded; /* the work is longer than the time for it; see lte_slot_periods_run */
} lte_seen;

/* What follows from a link for its periods; they decode if it carries a code. */
void lte_slot_periods_init(lte_slot_periods *periods, const lte_link *link);

/* Periods of so many slots a carrier. */
LTE_INLINE int lte_slot_periods_of(const lte_slot_periods *periods, int n_slots)
{
    return n_slots / periods->slots_each;
}

/* From one release to the next. */
LTE_INLINE double lte_slot_period_s(const lte_slot_periods *periods)
{
    return periods->slots_each * LTE_SLOT_S;
}

/* From one that is due to the next, a slot or a subframe. */
LTE_INLINE double lte_slot_periods_due_s(const lte_slot_periods *periods)
{
    return periods->of_due * lte_slot_period_s(periods);
}

/*
 * Begins a run of periods of n_carriers slots of the buffer, its outputs cleared, and warms up. The
 * backend is told that half of the budget is short enough.
 *
 * Returns what the buffer and the backend return; then no run has begun.
 */
lte_status lte_slot_periods_begin(lte_slot_periods *periods, int n_carriers);

/*
 * Runs up to n periods, of whole subframes, and keeps their latencies.
 *
 *   paced        a release every 500 us, clear of the machine's own ticks
 *                (sim/jobs/deadline/release_phase.h), else when the last period is done
 *   max_missed   >= 0: a run ends early that has missed more
 *   seen         in: where latencies go; out: the rest
 *
 * A period begins at its release or, if the one before it is not done by then, with its end: what
 * it waits is part of its latency and not of its work,
 *
 *     service = completed - max(release, the look at the clock before the period)
 *
 * of which a subframe has the sum over its periods, with the decoder. A paced run is overloaded
 * where the median service of the first that are due (as many as distinct ones, at least
 * LTE_OVERLOAD_LEAST and at most LTE_OVERLOAD_MOST) is longer than the time between two of them:
 * its slots wait longer and longer. It ends with the first miss that the scenario does not allow.
 */
lte_status lte_slot_periods_run(lte_slot_periods *periods, const char *what, bool paced, int n,
                                int max_missed, lte_seen *seen);

/*
 * True if the machine was away during a paced run: for longer than a tenth of the budget at once,
 * or for more of the time than the share that may be late.
 */
bool lte_slot_periods_stalled(const lte_slot_periods *periods, const lte_seen *seen);

/* Ends the run; the buffer holds the outputs of every placement then. */
lte_status lte_slot_periods_end(lte_slot_periods *periods);

/* Different slots among so many of each carrier. */
int lte_different_slots(const lte_scenario *scenario, int slots);

/*
 * Whether that many different slots show a detector's slowest ones: where its time depends on what
 * is received, these are LTE_VARIED_SLOTS or more.
 */
bool lte_slots_vary(lte_detector detector, int different);

/* Met if no more are late than may be, else the first of the others that is so. */
lte_verdict lte_verdict_of(const lte_scenario *scenario, const lte_evidence *evidence);

/* Slots or subframes of n that may be late. */
int lte_allowed_misses(const lte_scenario *scenario, int n);

/* Times that a stage is timed: of each slot, but not more than LTE_MOST_REPEATS. */
int lte_repeats_of(const lte_scenario *scenario);

#endif
