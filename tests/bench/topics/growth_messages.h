#ifndef LTE_TESTS_BENCH_GROWTH_MESSAGES_H
#define LTE_TESTS_BENCH_GROWTH_MESSAGES_H
/* What the messages of an order cost rank 0, in calls of MPI. */

#include "phy/base/status.h"

typedef struct {
    double order_s; /* an order, its answer and its records, posted and received */
    double look_s;  /* whether they are there */
} bench_message_costs;

/*
 * Means over so many orders of what rank 0 of two spends in calls, waiting left out:
 *
 *     mpirun -n 2 ltebench --only growth --json growth.json
 *
 * Rank 1 answers, and its process ends here. Both 0 in a build without MPI or a run without a
 * second rank. Returns LTE_EDEVICE.
 */
lte_status bench_message_costs_of(int n, bench_message_costs *costs);

#endif
