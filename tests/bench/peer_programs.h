#ifndef LTE_TESTS_BENCH_PEER_PROGRAMS_H
#define LTE_TESTS_BENCH_PEER_PROGRAMS_H
/*
 * Programs that print symbols per second, run as peers of the sweeps: any that counts the 4x4 link
 * of the sweep on the CPU, and the link that a user of PyTorch would write for the one on the GPU.
 *
 *     lte_status status = bench_peer_rate("./link", &symbols_per_s);
 *     bench_torch torch;
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

/* The text after "torch=" in what --peer gave; NULL if it names another peer. */
const char *bench_torch_command(const char *peer);

typedef struct {
    char output[16384]; /* lines such as "... 4x4 16QAM MMSE: 8.7e+08 symbols/s"; "": no peer */
} bench_torch;

/* Runs the last command of --peer torch=COMMAND, if there is one. Returns LTE_EIO. */
lte_status bench_torch_run(const bench_options *options, bench_torch *torch);

/* The best of the lines for n antennas, NAN if there is none. */
double bench_torch_rate(const bench_torch *torch, int n);

#endif
