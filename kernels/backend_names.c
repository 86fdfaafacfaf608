#include "kernels/backend_names.h"

#include <string.h>

static const char *const names[] = {"auto", "cpu", "cpu:ref", "cpu:v3", "cpu:v4"};

bool lte_backend_known(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

const char *lte_backend_names(void)
{
    return "auto, cpu, cpu:ref, cpu:v3, cpu:v4";
}
