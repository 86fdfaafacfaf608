/* Run-queue delay of the threads of this process, and time stolen from the machine. */
#include "sim/jobs/deadline/machine_use.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

/* The second number of schedstat: ns on a run queue. */
static double delay_of(const char *thread)
{
    char path[300];
    unsigned long long on_cpu, waiting = 0;
    (void)snprintf(path, sizeof path, "/proc/self/task/%.200s/schedstat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0.0;
    const int n = fscanf(file, "%llu %llu", &on_cpu, &waiting);
    (void)fclose(file);
    return n == 2 ? 1e-9 * (double)waiting : 0.0;
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

/* The eighth number of the line of all processors. */
static double steal(void)
{
    unsigned long long ticks = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (!file)
        return 0.0;
    const int n = fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &ticks);
    (void)fclose(file);
    const long each = sysconf(_SC_CLK_TCK);
    return n == 1 && each > 0 ? (double)ticks / (double)each : 0.0;
}

lte_machine_use lte_machine_use_now(void)
{
    return (lte_machine_use){.delay_s = delays(), .steal_s = steal()};
}
