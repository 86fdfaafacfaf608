#ifndef LTE_TESTS_BENCH_PEER_PROGRAMS_H
#define LTE_TESTS_BENCH_PEER_PROGRAMS_H
/*
 * Programs that print rates, run as peers: any that counts the 4x4 link of the sweep on the CPU,
 * the link that a user of PyTorch would write for the one on the GPU, and any decoder of LTE's
 * turbo code.
 *
 *     lte_status status = bench_peer_rate("./link", &symbols_per_s);
 *     bench_peer torch;
 *     status = bench_torch_run(options, &torch);
 *     bench_torch_rate(&torch, 4)    // symbols/s of 4x4 16QAM MMSE
 */

#include "tests/bench/bench.h"

/*
 * Runs the program at path; its rate is the number before "symbols/s" in what it prints.
 *
 * Returns LTE_EIO if it cannot be run, fails, or prints no rate.
 */
lte_status bench_peer_rate(const char *path, double *symbols_per_s);

/*
 * The text after "NAME=" in what --peer gave; NULL if it names another peer, or none: then it is a
 * path.
 */
const char *bench_peer_command(const char *peer, const char *name);
bool bench_peer_is_named(const char *peer);

typedef struct {
    char output[16384]; /* what it printed; "": there is no such peer */
} bench_peer;

/* Runs the last command of --peer torch=COMMAND, if there is one. Returns LTE_EIO. */
lte_status bench_torch_run(const bench_options *options, bench_peer *torch);

/*
 * The best of the lines "... 4x4 16QAM MMSE: 8.7e+08 symbols/s" for n antennas, NAN if there is
 * none.
 */
double bench_torch_rate(const bench_peer *torch, int n);

/* The same of --peer turbo=COMMAND and lines "K = 6144: 1.2e+08 bits/s". */
lte_status bench_turbo_peer_run(const bench_options *options, bench_peer *turbo);
double bench_turbo_peer_rate(const bench_peer *turbo, int k);

#endif
