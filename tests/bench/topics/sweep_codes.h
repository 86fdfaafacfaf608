#ifndef LTE_TESTS_BENCH_SWEEP_CODES_H
#define LTE_TESTS_BENCH_SWEEP_CODES_H
/*
 * Everything that runs the link of a sweep, behind one call.
 *
 *     const int n = bench_sweep_codes(&link, options, work, code);
 *     double rate = bench_sweep_code_rate(&code[i], noise, n_slots);
 */

#include "kernels/cpu/stages.h"
#include "tests/bench/bench.h"
#include "tests/bench/peers/scalar_link.h"

enum { BENCH_MAX_SWEEP_CODES = 16 };

typedef struct {
    const char *name;
    const char *level; /* the table of stages it is, or is to be compared with */
    lte_link link;
    const lte_stages *stages;     /* this project's; else NULL */
    void *work;                   /* of its sweep; not owned */
    bench_scalar_link_fn *scalar; /* the plain link; else NULL */
    const char *peer;             /* a program; else NULL */
} bench_sweep_code;

/*
 * The tables of stages, and the plain links and peers if the link is theirs.
 *
 *   work   lte_sweep_work(link, 1) bytes, on 64, for as long as a code runs
 */
int bench_sweep_codes(const lte_link *link, const bench_options *options, void *work,
                      bench_sweep_code *code);

/* One slot of MMSE, errors [LTE_N_HARD_COUNTS(n_tx)]; not for a peer. */
void bench_sweep_code_slot(const bench_sweep_code *code, lte_noise noise, uint64_t slot,
                           lte_power *power, uint32_t *errors);

/* Symbols per second over n_slots slots from `first` on; a peer has a number of its own. */
lte_status bench_sweep_code_rate(const bench_sweep_code *code, lte_noise noise, uint64_t first,
                                 int n_slots, double *symbols_per_s);

#endif
