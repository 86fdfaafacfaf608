#ifndef LTE_SIM_JOBS_CAPACITY_H
#define LTE_SIM_JOBS_CAPACITY_H
/*
 * How many carriers fit into a slot period.
 *
 *     lte_capacity capacity;
 *     lte_status status = lte_capacity_find(&periods, fits, &capacity);
 */

#include "sim/jobs/slot_periods.h"

/* One trial of the search. */
typedef struct {
    int carriers;
    int periods;
    int missed;
    int threads;
    double p999_us;
    bool met;
} lte_trial;

enum { LTE_MAX_TRIALS = 128 };

typedef struct {
    int carriers; /* 0: not even one fits; -1: not searched */
    bool bounded; /* the search ended at its time or carrier limit, more may fit */
    lte_trial trials[LTE_MAX_TRIALS];
    int n_trials;
} lte_capacity;

/*
 * The largest number of carriers that meets the deadline: doubling, then bisection, with paced
 * runs of min(slots, 1000) periods, a miss retried once, at most 20 s.
 *
 *   fits   carriers that are known to fit; 0: none
 *
 * Returns LTE_ENOMEM and what the periods return.
 */
lte_status lte_capacity_find(lte_slot_periods *periods, int fits, lte_capacity *capacity);

#endif
