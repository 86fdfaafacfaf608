/*
 * Peak memory of a command. It runs first: a new process starts as a copy of this one, and what
 * that copy holds counts for it.
 */
#include "tests/bench/bench.h"
#include "tests/bench/command.h"

#include <stdio.h>

static lte_status run(const bench_options *options, json_t *rows)
{
    char shell[1024], output[256];
    bench_command_end end = {0};
    if (!options->sweep) {
        (void)json_array_append_new(rows, json_pack("{s:s}", "command", "not run (--sweep)"));
        return LTE_OK;
    }
    /* exec: the process that is waited for is the command's own */
    const int length = snprintf(shell, sizeof shell, "exec %s", options->sweep);
    if (length >= (int)sizeof shell)
        return LTE_FAIL(LTE_EINVAL, "--sweep: a command of up to 1000 characters");
    const char *const argv[] = {"/bin/sh", "-c", shell, NULL};
    lte_status status = bench_command_run(argv, output, sizeof output, &end);
    if (status)
        return status;
    if (end.exit_code != 0)
        return LTE_FAIL(LTE_EIO, "--sweep \"%s\": exit code %d", options->sweep, end.exit_code);
    json_t *row = json_pack("{s:s}", "command", options->sweep);
    bench_row_real(row, "maxrss_mb", end.maxrss_mb);
    (void)json_array_append_new(rows, row);
    return LTE_OK;
}

static const bench_column columns[] = {
    {"command", "command", BENCH_CELL_TEXT},
    {"peak MB", "maxrss_mb", BENCH_CELL_REAL},
};
const bench_topic bench_topic_memory = {
    .name = "memory",
    .group = "cpu",
    .title = "Peak memory of a sweep",
    .note = "Largest resident set of the whole program, in 10^6 bytes.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};
