/* The name of the processor, as /proc/cpuinfo has it. */
#include "kernels/backends/processor.h"

#include <stdio.h>
#include <string.h>

void lte_processor_name(char *name, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    (void)snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value) {
            value += strspn(value, ": \t");
            (void)snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
    }
    if (file)
        (void)fclose(file);
}
