#ifndef LTE_TESTS_BENCH_GPU_TORCH_H
#define LTE_TESTS_BENCH_GPU_TORCH_H
/*
 * The link that a user of PyTorch would write, as the peer of the sweep on the GPU.
 *
 *     lte_torch torch;
 *     lte_status status = lte_torch_run(options, &torch);
 *     lte_torch_rate(&torch, 4)    // symbols/s of 4x4 16QAM MMSE
 */

#include "tests/bench/bench.h"

/* The text after "torch=" in what --peer gave; NULL if it names another peer. */
const char *lte_torch_command(const char *peer);

typedef struct {
    char output[16384]; /* lines such as "... 4x4 16QAM MMSE: 8.7e+08 symbols/s"; "": no peer */
} lte_torch;

/* Runs the last command of --peer torch=COMMAND, if there is one. Returns LTE_EIO. */
lte_status lte_torch_run(const lte_bench_options *options, lte_torch *torch);

/* The best of the lines for n antennas, NAN if there is none. */
double lte_torch_rate(const lte_torch *torch, int n);

#endif
