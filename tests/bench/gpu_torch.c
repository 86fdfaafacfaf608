#include "tests/bench/gpu_torch.h"
#include "tests/bench/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lte_torch_command(const char *peer)
{
    static const char level[] = "torch=";
    const size_t length = sizeof level - 1;
    return strncmp(peer, level, length) == 0 ? peer + length : NULL;
}

double lte_torch_rate(const lte_torch *torch, int n)
{
    char mark[64];
    double best = (double)NAN;
    const int length = snprintf(mark, sizeof mark, " %dx%d 16QAM MMSE:", n, n);
    for (const char *at = strstr(torch->output, mark); at; at = strstr(at, mark)) {
        char *unit = NULL;
        at += length;
        const double rate = strtod(at, &unit);
        if (strncmp(unit, " symbols/s", 10) == 0 && isfinite(rate) && rate > 0 && !(best >= rate))
            best = rate;
    }
    return best;
}

lte_status lte_torch_run(const lte_bench_options *options, lte_torch *torch)
{
    const char *command = NULL;
    lte_command_end end;
    torch->output[0] = '\0';
    for (int i = 0; i < options->n_peers; i++) {
        const char *text = lte_torch_command(options->peers[i]);
        command = text ? text : command;
    }
    if (!command)
        return LTE_OK;
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    lte_status status = lte_command_run(argv, torch->output, sizeof torch->output, &end);
    if (status)
        return status;
    if (end.exit_code != 0)
        return LTE_FAIL(LTE_EIO, "--peer torch=%s: exit code %d", command, end.exit_code);
    for (int n = 2; n <= 8; n *= 2) {
        if (!isfinite(lte_torch_rate(torch, n)))
            return LTE_FAIL(LTE_EIO, "--peer torch=%s: no line \"%dx%d 16QAM MMSE: X symbols/s\"",
                            command, n, n);
    }
    return LTE_OK;
}
