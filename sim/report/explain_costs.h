#ifndef LTE_SIM_REPORT_EXPLAIN_COSTS_H
#define LTE_SIM_REPORT_EXPLAIN_COSTS_H
/*
 * What a slot takes of a detector at least: operations, bytes, and the floors that these give on a
 * backend.
 *
 *     lte_cost cost;
 *     lte_status status = lte_cost_of(&link, detector, snr_db, &cost);
 *     lte_rates rates;
 *     if (!status)
 *         status = lte_rates_of(backend, &device, n_threads, &rates);
 *     ... cost.operations / rates.flops ...
 */

#include <stdio.h>

#include "kernels/backends/backend.h"
#include "sim/report/expected.h"

/* Of one detector on a slot of one carrier. */
typedef struct {
    lte_detector detector;
    lte_operations by; /* those of its stages, by formulas */
    double searched;   /* those of nodes beyond the first vector, in the mean */
    double nodes;      /* of a search for an element, in the mean; 0: its row counts none */
    int elements;      /* that they were counted over */
    bool known;        /* false of a plug-in, which has no formulas */
    double operations; /* all of them */
    double of_matrix, of_element;     /* on a channel matrix, and on a resource element with data */
    double read_bytes, written_bytes; /* H where it is known, and y; bits, or LLRs */
} lte_cost;

/* At an SNR, which the nodes of a search depend on. Returns LTE_ENOMEM. */
lte_status lte_cost_of(const lte_link *link, lte_detector detector, double snr_db, lte_cost *cost);

/* What a backend can do at most, a second; 0: unknown. */
typedef struct {
    double flops;    /* multiply-adds count two */
    double memory;   /* bytes */
    double bus;      /* bytes from the host; 0 on a processor, too */
    int n_threads;   /* of a processor; 0: it is a device */
    char text[96];   /* how much of what flops are, */
    const char *how; /* and memory */
} lte_rates;

/* Of a processor with so many threads, whose memory is tried out. Returns LTE_ENOMEM. */
lte_status lte_rates_of(const lte_backend *backend, const lte_device *device, int n_threads,
                        lte_rates *rates);

/* The work of a detector on the slots of a period of the deadline run, by medians. */
typedef struct {
    double us;     /* from host memory to its outputs */
    double load;   /* over the time between two periods */
    int n_threads; /* of a processor, that share it */
} lte_measured;

/* What the table of floors says. */
typedef struct {
    int n;                        /* detectors */
    const lte_cost *cost;         /* [n] */
    const lte_rates *rates;       /* [n] with the threads that each detector has */
    const lte_measured *measured; /* [n]; NULL: nothing was measured */
    int n_carriers;               /* whose slots a period has, one of each; floors are of all */
    int timed;                    /* row whose threads all detectors have in the deadline run */
    double snr_db, budget_us;     /* of that run */
} lte_floors;

/*
 * A line a detector: operations and bytes of a slot, floors of the carriers' slots, the one that
 * binds, and if it was measured the work that is expected and its share of the budget.
 */
void lte_floors_put(FILE *out, const lte_floors *floors);

#endif
