#ifndef LTE_TESTS_BENCH_RACE_FIELD_H
#define LTE_TESTS_BENCH_RACE_FIELD_H
/* What race_field.c and race_time.c share: inside a field. Its use: tests/bench/race.h. */

#include "tests/bench/race.h"

struct lte_field {
    lte_race *race;
    const lte_race_set *set;
    int n, count, n_calls;
    int n_source;        /* matrices of source: the set, repeated if there are too few */
    size_t matrix;       /* bytes of one */
    lte_cf32 *source;    /* [n_source][n][n] */
    lte_race_call whole; /* a, x [n_calls][count][n][n], a_list, x_list [n_calls][count] */
    cudaGraphExec_t graph[LTE_MAX_RACERS];
    lte_cf32 *host_x; /* [count][n][n] */
    uint8_t *host_flag;
    int *host_info; /* [count] */
};

/* First matrix of source that call k gets: calls differ as far as there are matrices. */
int lte_field_first(const lte_field *field, int k);

/* What call k works on. */
lte_race_call lte_field_call(const lte_field *field, int k);

/* Starts making all calls' matrices fresh, and identities for those who want them. */
lte_status lte_field_refresh(lte_field *field, const lte_racer *who);

#endif
