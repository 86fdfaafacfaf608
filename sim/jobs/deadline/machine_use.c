/* Run-queue delay of the threads of this process, and time stolen from the machine. */
#include "sim/jobs/deadline/machine_use.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Number n, from 0, of the first line of a file, behind its first skip characters; 0 if there is
 * none.
 */
static double number_of(const char *path, size_t skip, int n)
{
    char line[512], *at = line + skip, *end = at;
    unsigned long long number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0.0;
    const bool is_there = fgets(line, sizeof line, file) && strlen(line) > skip;
    (void)fclose(file);
    for (int i = 0; i <= n && is_there; i++, at = end) {
        number = strtoull(at, &end, 10);
        if (end == at)
            return 0.0;
    }
    return (double)number;
}

/* The second number of schedstat: ns on a run queue. */
static double delay_of(const char *thread)
{
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/self/task/%.200s/schedstat", thread);
    return 1e-9 * number_of(path, 0, 1);
}

static double delays(void)
{
    double sum = 0.0;
    DIR *threads = opendir("/proc/self/task");
    if (!threads)
        return 0.0;
    for (const struct dirent *one = readdir(threads); one; one = readdir(threads)) {
        if (one->d_name[0] != '.')
            sum += delay_of(one->d_name);
    }
    (void)closedir(threads);
    return sum;
}

/* The eighth number of the line of all processors, "cpu  1 2 3 ...", in ticks. */
static double steal(void)
{
    const long each = sysconf(_SC_CLK_TCK);
    return each > 0 ? number_of("/proc/stat", strlen("cpu"), 7) / (double)each : 0.0;
}

lte_machine_use lte_machine_use_now(void)
{
    return (lte_machine_use){.delay_s = delays(), .steal_s = steal()};
}
