/* Programs that print rates, run as peers of the sweeps and of the decoder. */
#include "tests/bench/peers/peer_programs.h"
#include "tests/bench/command.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phy/coding/code_block.h"

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

const char *bench_peer_command(const char *peer, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(peer, name, length) == 0 && peer[length] == '=' ? peer + length + 1 : NULL;
}

bool bench_peer_is_named(const char *peer)
{
    return bench_peer_command(peer, "torch") || bench_peer_command(peer, "turbo");
}

/* The best of the numbers between a mark and a unit; NAN if there is none. */
static double best_of(const bench_peer *peer, const char *mark, const char *unit)
{
    double best = (double)NAN;
    for (const char *at = strstr(peer->output, mark); at; at = strstr(at, mark)) {
        char *end = NULL;
        at += strlen(mark);
        const double rate = strtod(at, &end);
        if (strncmp(end, unit, strlen(unit)) == 0 && isfinite(rate) && rate > 0 && !(best >= rate))
            best = rate;
    }
    return best;
}

double bench_torch_rate(const bench_peer *torch, int n)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, " %dx%d 16QAM MMSE:", n, n);
    return best_of(torch, mark, " symbols/s");
}

double bench_turbo_peer_rate(const bench_peer *turbo, int k)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, "K = %d:", k);
    return best_of(turbo, mark, " bits/s");
}

/* Runs the last command of --peer NAME=COMMAND, which becomes *command; NULL: there is none. */
static lte_status run_named(const bench_options *options, const char *name, const char **command,
                            bench_peer *peer)
{
    bench_command_end end;
    peer->output[0] = '\0';
    *command = NULL;
    for (int i = 0; i < options->n_peers; i++) {
        const char *text = bench_peer_command(options->peers[i], name);
        *command = text ? text : *command;
    }
    if (!*command)
        return LTE_OK;
    const char *const argv[] = {"/bin/sh", "-c", *command, NULL};
    const lte_status status = bench_command_run(argv, peer->output, sizeof peer->output, &end);
    if (!status && end.exit_code != 0)
        return LTE_FAIL(LTE_EIO, "--peer %s=%s: exit code %d", name, *command, end.exit_code);
    return status;
}

lte_status bench_torch_run(const bench_options *options, bench_peer *torch)
{
    const char *command;
    const lte_status status = run_named(options, "torch", &command, torch);
    for (int n = 2; n <= 8 && command && !status; n *= 2) {
        if (!isfinite(bench_torch_rate(torch, n)))
            return LTE_FAIL(LTE_EIO, "--peer torch=%s: no line \"%dx%d 16QAM MMSE: X symbols/s\"",
                            command, n, n);
    }
    return status;
}

lte_status bench_turbo_peer_run(const bench_options *options, bench_peer *turbo)
{
    const char *command;
    const lte_status status = run_named(options, "turbo", &command, turbo);
    if (!status && command && !isfinite(bench_turbo_peer_rate(turbo, LTE_MAX_CODE_BLOCK)))
        return LTE_FAIL(LTE_EIO, "--peer turbo=%s: no line \"K = %d: X bits/s\"", command,
                        LTE_MAX_CODE_BLOCK);
    return status;
}
