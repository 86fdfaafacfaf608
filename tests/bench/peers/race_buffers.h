#ifndef LTE_TESTS_BENCH_RACE_BUFFERS_H
#define LTE_TESTS_BENCH_RACE_BUFFERS_H
/*
 * Buffers for several calls of one size, and the entries of the race checked and timed over them.
 *
 *     bench_buffers *buffers = NULL;
 *     status = bench_buffers_create(&device, n, count, n_calls, &set, &buffers);
 *     status = bench_buffers_check(buffers, &list[i], 600);    // list[i].wrong: not timed
 *     status = bench_buffers_capture(buffers, i, &list[i]);
 *     status = bench_buffers_time(buffers, i, &list[i], &us);
 *     bench_buffers_free(buffers);
 */

#include "tests/bench/peers/race.h"

typedef struct {
    bench_device *device;
    const bench_race_set *set;
    int n, count, n_calls;
    int n_source;          /* matrices of source: the set, repeated if there are too few */
    size_t matrix;         /* bytes of one */
    lte_cf32 *source;      /* [n_source][n][n] */
    bench_race_call whole; /* a, x [n_calls][count][n][n], a_list, x_list [n_calls][count] */
    cudaGraphExec_t graph[BENCH_MAX_RACE_ENTRIES]; /* NULL: the calls run on the stream */
    lte_cf32 *host_x;                              /* [count][n][n] */
    uint8_t *host_flag;
    int *host_info; /* [count] */
} bench_buffers;

/*
 * Buffers for n_calls calls; 0 for as many as it takes to exceed three times the L2.
 *
 * Returns LTE_ENOMEM or LTE_EDEVICE.
 */
lte_status bench_buffers_create(bench_device *device, int n, int count, int n_calls,
                                const bench_race_set *set, bench_buffers **buffers);
void bench_buffers_free(bench_buffers *buffers);

/* True if all matrices and inverses fit into the L2. */
bool bench_buffers_l2_resident(const bench_buffers *buffers);

/*
 * Runs all calls of an entry once and looks at the last: what is found goes to entry->residual,
 * entry->flagged and entry->wrong, n_looked matrices from each end of x being compared.
 */
lte_status bench_buffers_check(bench_buffers *buffers, bench_race_entry *entry, int n_looked);

/*
 * Captures the calls of entry i, 0 to BENCH_MAX_RACE_ENTRIES - 1, as a graph, which runs from then
 * on if that was possible and the results were right.
 */
lte_status bench_buffers_capture(bench_buffers *buffers, int i, const bench_race_entry *entry);

/* Microseconds a call, over all calls, inputs being fresh. */
lte_status bench_buffers_time(bench_buffers *buffers, int i, const bench_race_entry *entry,
                              double *us);

/* First matrix of source that call k gets: calls differ as far as there are matrices. */
int bench_buffers_first(const bench_buffers *buffers, int k);

/* What call k works on. */
bench_race_call bench_buffers_call(const bench_buffers *buffers, int k);

/* Starts making all calls' matrices fresh, and identities for entries that want them. */
lte_status bench_buffers_refresh(bench_buffers *buffers, const bench_race_entry *entry);

#endif
