/* Programs that print symbols per second, run as peers of the sweeps. */
#include "tests/bench/peer_programs.h"
#include "tests/bench/command.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lte_status bench_peer_rate(const char *path, double *symbols_per_s)
{
    char text[4096];
    bench_command_end end;
    const char *const argv[] = {path, NULL};
    lte_status status = bench_command_run(argv, text, sizeof text, &end);
    if (status)
        return status;
    const char *unit = strstr(text, "symbols/s");
    if (end.exit_code != 0 || !unit)
        return LTE_FAIL(LTE_EIO, "--peer %s: exit code %d, %s", path, end.exit_code,
                        unit ? "a rate" : "no rate in symbols/s");
    while (unit > text && isspace((unsigned char)unit[-1]))
        unit--;
    while (unit > text && !isspace((unsigned char)unit[-1]))
        unit--;
    *symbols_per_s = strtod(unit, NULL);
    if (!(*symbols_per_s > 0) || !isfinite(*symbols_per_s))
        return LTE_FAIL(LTE_EIO, "--peer %s: no number before symbols/s", path);
    return LTE_OK;
}

const char *bench_torch_command(const char *peer)
{
    static const char level[] = "torch=";
    const size_t length = sizeof level - 1;
    return strncmp(peer, level, length) == 0 ? peer + length : NULL;
}

double bench_torch_rate(const bench_torch *torch, int n)
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

lte_status bench_torch_run(const bench_options *options, bench_torch *torch)
{
    const char *command = NULL;
    bench_command_end end;
    torch->output[0] = '\0';
    for (int i = 0; i < options->n_peers; i++) {
        const char *text = bench_torch_command(options->peers[i]);
        command = text ? text : command;
    }
    if (!command)
        return LTE_OK;
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    lte_status status = bench_command_run(argv, torch->output, sizeof torch->output, &end);
    if (status)
        return status;
    if (end.exit_code != 0)
        return LTE_FAIL(LTE_EIO, "--peer torch=%s: exit code %d", command, end.exit_code);
    for (int n = 2; n <= 8; n *= 2) {
        if (!isfinite(bench_torch_rate(torch, n)))
            return LTE_FAIL(LTE_EIO, "--peer torch=%s: no line \"%dx%d 16QAM MMSE: X symbols/s\"",
                            command, n, n);
    }
    return LTE_OK;
}
