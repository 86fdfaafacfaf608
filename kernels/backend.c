#include "kernels/backend.h"

#include <stdio.h>
#include <string.h>

#include "kernels/backend_cpu.h"

#define TIMED_NAME(id, name) name,
const char *const lte_timed_names[LTE_N_TIMED] = {LTE_TIMED_STAGES(TIMED_NAME)};

/* Slowest first: "auto" takes the last that is usable. */
const lte_backend *const lte_backends[] = {
    &lte_backend_cpu_ref,
#ifdef LTE_X86_LEVELS
    &lte_backend_cpu_v3,
    &lte_backend_cpu_v4,
#endif
    NULL,
};

static bool means_fastest(const char *name)
{
    return strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0;
}

lte_status lte_backend_open(const char *name, const lte_backend **backend)
{
    *backend = NULL;
    for (int i = 0; lte_backends[i]; i++) {
        const bool named = strcmp(lte_backends[i]->name, name) == 0;
        if (named && !lte_backends[i]->usable())
            return LTE_FAIL(LTE_EDEVICE, "backend %s (%s): this processor does not have it", name,
                            lte_backends[i]->text);
        if (named || (means_fastest(name) && lte_backends[i]->usable()))
            *backend = lte_backends[i];
    }
    if (!*backend)
        return LTE_FAIL(LTE_EINVAL, "backend '%s' is unknown (%s)", name, lte_backend_names());
    return LTE_OK;
}

bool lte_backend_known(const char *name)
{
    for (int i = 0; lte_backends[i]; i++) {
        if (strcmp(lte_backends[i]->name, name) == 0)
            return true;
    }
    return means_fastest(name);
}

const char *lte_backend_names(void)
{
#ifdef LTE_X86_LEVELS
    return "auto, cpu, cpu:ref, cpu:v3, cpu:v4";
#else
    return "auto, cpu, cpu:ref";
#endif
}
