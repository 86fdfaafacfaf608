#ifndef LTE_TESTS_BENCH_COMMAND_H
#define LTE_TESTS_BENCH_COMMAND_H
/*
 * Another program, run to its end.
 *
 *     const char *const argv[] = {"git", "describe", NULL};
 *     bench_command_end end;
 *     lte_status status = bench_command_run(argv, text, sizeof text, &end);
 */

#include <stddef.h>

#include "phy/base/status.h"

typedef struct {
    int exit_code;    /* 127 if there is no such program, 128 + signal if one ended it */
    double maxrss_mb; /* largest resident set, 10^6 bytes */
} bench_command_end;

/*
 * Runs argv, found along PATH. Its stdout goes to text, of size bytes and terminated (what does
 * not fit is dropped), its stderr to /dev/null.
 *
 * Returns LTE_EIO if no process can be made.
 */
lte_status bench_command_run(const char *const *argv, char *text, size_t size,
                             bench_command_end *end);

#endif
