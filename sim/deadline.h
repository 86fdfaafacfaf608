#ifndef LTE_SIM_DEADLINE_H
#define LTE_SIM_DEADLINE_H
/*
 * The deadline run: slots handed over every 500 us, latency from scheduled release to output
 * complete, and how many carriers the device holds.
 *
 *     lte_deadline *run = NULL;
 *     lte_status status = lte_deadline_run(scenario, backend, engine, &link, watch, user, &run);
 *     ... run->slot.p999_us, run->met ...
 *     lte_deadline_free(run);
 */

#include "kernels/backend.h"
#include "sim/scenario.h"

/* Microseconds by nearest rank. */
typedef struct {
    double p50_us, p99_us, p999_us, max_us, mean_us;
} lte_spread;

/* p50, p99, max by nearest rank of something without a unit. */
typedef struct {
    double p50, p99, max;
} lte_quantiles;

/* One trial of the capacity search. */
typedef struct {
    int carriers;
    int ticks;
    int missed;
    int threads;
    double p999_us;
    bool met;
} lte_trial;

enum { LTE_MAX_TRIALS = 128 };

typedef struct lte_deadline {
    int detector;
    double snr_db;
    double budget_us;
    int slots;        /* ticks that ran */
    int missed;       /* of them later than the budget */
    double on_time;   /* share on time */
    bool met;         /* on_time reaches the scenario's */
    bool interrupted; /* a signal came: what is here is what was seen until then */
    int carriers;
    int threads;       /* that shared a tick's work: the fewest that leave half of the budget */
    float *latency_us; /* [slots], ascending; owned */
    lte_spread slot;
    lte_spread stage[LTE_N_TIMED];
    int stage_slots;      /* slots of the unfused pass; 0: it did not run */
    double symbols_per_s; /* QAM symbols of a slot over its median latency */
    double mbit_per_s;
    uint64_t bits, bit_errors; /* over the distinct slots that were timed */
    int distinct_used;
    int capacity_carriers; /* 0: not even one fits; -1: not searched */
    bool capacity_bounded; /* the search ended at its time or carrier limit, more may fit */
    lte_trial trials[LTE_MAX_TRIALS];
    int n_trials;
    lte_quantiles condition; /* |A|_1 |A^-1|_1 of the loaded Gram matrices */
    lte_quantiles residual;  /* |I - A X|_1 / (n u |A|_1 |X|_1) */
    uint64_t flagged;        /* matrices without inverse among the distinct slots */
} lte_deadline;

/* Called between pieces of work with what is being done, its share done (0 to 1). */
typedef void lte_deadline_watch(const char *what, double done, void *user);

/* Returns LTE_ENOMEM or what the backend returns. The caller frees *run. */
lte_status lte_deadline_run(const lte_scenario *scenario, const lte_backend *backend,
                            lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                            void *user, lte_deadline **run);

void lte_deadline_free(lte_deadline *run);

/* Value of rank ceil(q n) of ascending x [n], n >= 1, 0 < q <= 1 (nearest rank). */
double lte_nearest_rank(const float *x, int64_t n, double q);

#endif
