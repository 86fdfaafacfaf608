#ifndef LTE_TESTS_BENCH_RACE_H
#define LTE_TESTS_BENCH_RACE_H
/*
 * Topic race: the entries, which all invert the same matrices on the device.
 *
 *     bench_race_set sets[BENCH_MAX_RACE_SETS];
 *     lte_status status = bench_race_sets_init(n, sets, &n_sets);
 *     bench_race_entry list[BENCH_MAX_RACE_ENTRIES];
 *     const int n_list = bench_race_entries_of(&device, list);
 *     status = bench_race_entries_check(&device, n, sets, n_sets, list, n_list);
 *     bench_race_sets_fini(sets, n_sets);
 *
 * race_buffers.h times them. To add an entry: its line in race_entries.c.
 */

#include "kernels/cuda/inversion/inversion_versions.h"
#include "tests/bench/gpu_device.h"

enum { BENCH_MAX_RACE_ENTRIES = 40, BENCH_MAX_RACE_SETS = 8 };

/* Host matrices of one kind. */
typedef struct {
    const char *name;
    bool general; /* for entries that pivot; the others are Hermitian positive definite */
    int count;
    lte_cf32 *a; /* [count][n][n], row major */
} bench_race_set;

/*
 * All sets of order n; the first are the MMSE-loaded Gram matrices of Rayleigh channels at 20 dB
 * that are timed. *n_sets is always what bench_race_sets_fini must get. Returns LTE_ENOMEM.
 */
lte_status bench_race_sets_init(int n, bench_race_set *sets, int *n_sets);
void bench_race_sets_fini(bench_race_set *sets, int n_sets);

/*
 * The worst |I - A X| / (n u |A| |X|) of count inverses x of a, both [count][n][n]; infinity if
 * any is not finite.
 *
 *   either   take |I - X A| where that is smaller: LU by itself bounds only one of the two
 */
double bench_race_residual(int n, int count, const lte_cf32 *a, const lte_cf32 *x, bool either);

/* Inverses in double, rounded: x [set->count][n][n]. */
void bench_race_inverses(int n, const bench_race_set *set, lte_cf32 *x);

/* What one call works on, all in device memory. */
typedef struct {
    int n, count;
    lte_cf32 *a, *x, *scratch; /* [count][n][n] */
    void **a_list, **x_list;   /* [count] addresses of the matrices */
    void **local_list;         /* [2][count] for the call to fill */
    uint8_t *flag;             /* [count] */
    int *info;                 /* [count] */
    int *pivot;                /* [count][n] */
} bench_race_call;

typedef enum { BENCH_RACE_OURS, BENCH_RACE_LIBRARY, BENCH_RACE_COPY } bench_race_side;

typedef struct bench_race_entry bench_race_entry;
struct bench_race_entry {
    const char *name;
    const char *mapping; /* which thread holds what, or what the call includes */
    bench_race_side side;
    bool general;  /* takes any matrix, not only Hermitian positive definite ones */
    bool charged;  /* the call includes the conversion from [count][n][n] */
    bool identity; /* wants identity matrices in x, made outside the timing */
    const lte_inversion_version *version; /* ours */
    bench_libraries *libraries;           /* theirs */
    const char *absent;                   /* why it cannot run; NULL: it can */
    lte_status (*run)(const bench_race_entry *self, const bench_race_call *call,
                      cudaStream_t stream);

    /* what checking finds */
    const char *wrong;     /* why it is not timed; NULL: it is right */
    double residual;       /* the worst, in units of n u |A| |X| */
    const char *worst_set; /* where */
    int flagged;           /* matrices that it would not invert, though it should */
};

/* Lists all entries; returns their number. */
int bench_race_entries_of(const bench_device *device, bench_race_entry *list);

/* Runs all entries over the sets and fills in what checking finds. */
lte_status bench_race_entries_check(bench_device *device, int n, const bench_race_set *sets,
                                    int n_sets, bench_race_entry *list, int n_list);

#endif
