#ifndef LTE_SIM_JOBS_CAPACITY_H
#define LTE_SIM_JOBS_CAPACITY_H
/*
 * How many carriers fit into a slot period.
 *
 *     lte_capacity capacity;
 *     lte_status status = lte_capacity_find(&periods, fits, &capacity);
 */

#include "sim/jobs/deadline/slot_periods.h"

/* One trial of the search. */
typedef struct {
    int carriers;
    int periods; /* that ran: one too many late ends a trial */
    int missed;  /* slots or subframes, whichever is due */
    int threads;
    double p999_us;
    bool met;
    bool stalled; /* it did not hold, its median work fits, and the machine stalled */
} lte_trial;

enum { LTE_MAX_TRIALS = 128 };

typedef struct {
    int carriers;  /* 0: not even one fits; -1: not searched */
    bool bounded;  /* more may fit: the search ended at its time or carrier limit, or a stalled
                         machine left the next number undecided */
    int by_median; /* as many of which the median work fits, to a sixteenth below it; -1: not
                         searched */
    lte_trial trials[LTE_MAX_TRIALS];
    int n_trials;
} lte_capacity;

/*
 * Seconds of a search at most: those of the run's own slots, but 3 to 5 of them. With two searches
 * a default run stays within ten seconds.
 */
double lte_capacity_s(const lte_scenario *scenario);

/*
 * The largest number of carriers of which the share deadline.on_time of min(slots, 1000) paced
 * periods is on time, the best of up to three tries a number: doubling, then bisection, upwards
 * again when a later try contradicts an earlier one, for at most lte_capacity_s. A try that does
 * not hold although the median work fits decides nothing if the machine stalled meanwhile: it is
 * repeated, up to three times for a number.
 *
 *   fits   carriers that are known to fit; 0: none
 *
 * Returns LTE_ENOMEM and what the periods return.
 */
lte_status lte_capacity_find(lte_slot_periods *periods, int fits, lte_capacity *capacity);

#endif
