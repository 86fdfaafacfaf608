#ifndef LTE_TESTS_BENCH_RACE_H
#define LTE_TESTS_BENCH_RACE_H
/*
 * The race: everyone who inverts on the device, over the same matrices.
 *
 *     lte_race race;
 *     lte_status status = lte_race_open(&race);
 *     lte_racer list[LTE_MAX_RACERS];
 *     const int n_list = lte_racers_of(&race, n, list);
 *     lte_field *field = NULL;
 *     status = lte_field_create(&race, n, count, n_calls, &set, &field);
 *     status = lte_field_check(field, &list[i], 600);    // list[i].wrong: not timed
 *     status = lte_field_capture(field, i, &list[i]);
 *     status = lte_field_time(field, i, &list[i], &us);
 *     lte_field_free(field);
 *     lte_race_close(&race);
 *
 * To add a contender: its line in race_peers.c.
 */

#include "kernels/cuda.h"
#include "kernels/invert_versions.h"
#include "tests/bench/bench.h"

enum { LTE_MAX_RACERS = 40, LTE_MAX_CALLS = 64, LTE_MAX_RACE_SETS = 8 };

/* cuBLAS and cuSOLVER, opened at run time; what is inside only race_peers.c knows. */
typedef struct lte_race_libraries lte_race_libraries;

typedef struct {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    size_t l2_bytes;
    lte_race_libraries *libraries; /* NULL: not built */
} lte_race;

/* In every case race is for lte_race_close. */
lte_status lte_race_open(lte_race *race);
void lte_race_close(lte_race *race);

/*
 * Time on the stream from start to stop. Between the two the caller queues what is timed, within
 * queue_us microseconds: so long the stream is kept busy, so that what is queued runs gapless.
 */
lte_status lte_race_start(lte_race *race, int queue_us);
lte_status lte_race_stop(lte_race *race, double *us);

/* Opens what this machine has, for work on the stream. Returns LTE_ENOMEM. */
lte_status lte_race_libraries_open(cudaStream_t stream, lte_race_libraries **libraries);
void lte_race_libraries_close(lte_race_libraries *libraries);

/* Names and versions, as "cuBLAS 13.0.2, cuSOLVER 12.0.4". */
void lte_race_libraries_text(const lte_race_libraries *libraries, char *text, size_t size);

/* Host matrices of one kind. */
typedef struct {
    const char *name;
    bool general; /* for those who pivot; the others are Hermitian positive definite */
    int count;
    lte_cf32 *a; /* [count][n][n], row major */
} lte_race_set;

/*
 * All sets of order n; the first are the MMSE-loaded Gram matrices of Rayleigh channels at 20 dB
 * that are timed. *n_sets is always what lte_race_sets_fini must get. Returns LTE_ENOMEM.
 */
lte_status lte_race_sets_init(int n, lte_race_set *sets, int *n_sets);
void lte_race_sets_fini(lte_race_set *sets, int n_sets);

/*
 * The worst |I - A X| / (n u |A| |X|) of count inverses x of a, both [count][n][n]; infinity if
 * any is not finite.
 *
 *   either   take |I - X A| where that is smaller: LU by itself bounds only one of the two
 */
double lte_race_residual(int n, int count, const lte_cf32 *a, const lte_cf32 *x, bool either);

/* Inverses in double, rounded: x [set->count][n][n]. */
void lte_race_inverses(int n, const lte_race_set *set, lte_cf32 *x);

/* What one call works on, all in device memory. */
typedef struct {
    int n, count;
    lte_cf32 *a, *x, *scratch; /* [count][n][n] */
    void **a_list, **x_list;   /* [count] addresses of the matrices */
    void **local_list;         /* [2][count] for the call to fill */
    uint8_t *flag;             /* [count] */
    int *info;                 /* [count] */
    int *pivot;                /* [count][n] */
} lte_race_call;

typedef enum { LTE_RACE_OURS, LTE_RACE_LIBRARY, LTE_RACE_COPY } lte_race_side;

typedef struct lte_racer lte_racer;
struct lte_racer {
    const char *name;
    const char *mapping; /* who holds what, or what the call includes */
    lte_race_side side;
    bool general;  /* takes any matrix, not only Hermitian positive definite ones */
    bool charged;  /* the call includes the conversion from [count][n][n] */
    bool identity; /* wants identity matrices in x, made outside the timing */
    const lte_invert_version *version; /* ours */
    lte_race_libraries *libraries;     /* theirs */
    const char *absent;                /* why it cannot run; NULL: it can */
    lte_status (*run)(const lte_racer *self, const lte_race_call *call, cudaStream_t stream);

    /* what checking finds */
    const char *wrong;     /* why it is not timed; NULL: it is right */
    double residual;       /* the worst, in units of n u |A| |X| */
    const char *worst_set; /* where */
    int flagged;           /* matrices that it would not invert, though it should */
};

/* Lists everyone for matrices of order n; returns their number. */
int lte_racers_of(const lte_race *race, lte_racer *list);

/* Runs everyone over the sets and fills in what checking finds. */
lte_status lte_racers_check(lte_race *race, int n, const lte_race_set *sets, int n_sets,
                            lte_racer *list, int n_list);

/* Buffers for n_calls calls of one size, and the graphs of those who run on them. */
typedef struct lte_field lte_field;

/* n_calls: 0 for as many as the set takes to exceed three times the L2. */
lte_status lte_field_create(lte_race *race, int n, int count, int n_calls, const lte_race_set *set,
                            lte_field **field);
void lte_field_free(lte_field *field);
int lte_field_calls(const lte_field *field);
bool lte_field_l2_resident(const lte_field *field);

/*
 * Runs all calls of a contender once and looks at the last: what is found goes to who->residual,
 * who->flagged and who->wrong, n_looked matrices from each end of x being compared.
 */
lte_status lte_field_check(lte_field *field, lte_racer *who, int n_looked);

/*
 * Captures the calls of contender i, 0 to LTE_MAX_RACERS - 1, as a graph, which runs from then on
 * if that was possible and the results were right.
 */
lte_status lte_field_capture(lte_field *field, int i, const lte_racer *who);
bool lte_field_in_graph(const lte_field *field, int i);

/* Microseconds a call, over all calls, inputs being fresh. */
lte_status lte_field_time(lte_field *field, int i, const lte_racer *who, double *us);

#endif
