/* The name of the processor, as /proc/cpuinfo has it, and its clock. */
#include "kernels/backends/processor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if the line is one of the key: then its value is copied. */
static bool has_value(const char *line, const char *key, char *value, size_t size)
{
    const char *from = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) != 0 || !from)
        return false;
    from += strspn(from, ": \t");
    (void)snprintf(value, size, "%.*s", (int)strcspn(from, "\n"), from);
    return true;
}

void lte_processor_name(char *name, size_t size)
{
    char line[512], implementer[16] = "", part[16] = "";
    bool named = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !named && fgets(line, sizeof line, file)) {
        named = has_value(line, "model name", name, size);
        (void)has_value(line, "CPU implementer", implementer, sizeof implementer);
        (void)has_value(line, "CPU part", part, sizeof part);
    }
    if (!named && part[0]) /* Arm's have numbers alone */
        (void)snprintf(name, size, "processor %s of implementer %s", part, implementer);
    else if (!named)
        (void)snprintf(name, size, "unknown processor");
    if (file)
        (void)fclose(file);
}

double lte_processor_mhz(void)
{
    char line[512] = "", value[64] = "";
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "r");
    const bool told = file && fgets(line, sizeof line, file);
    if (file)
        (void)fclose(file);
    if (told)
        return 1e-3 * strtod(line, NULL);
    file = fopen("/proc/cpuinfo", "r");
    while (file && !value[0] && fgets(line, sizeof line, file))
        (void)has_value(line, "cpu MHz", value, sizeof value);
    if (file)
        (void)fclose(file);
    return strtod(value, NULL);
}
