/* The scenario that a name means. */
#include "sim/run/named_scenario.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/share.h"

/* Its path, which has to be opened still: it may be the name itself. */
static void find_scenario(const char *name, char *path, size_t size)
{
    static const char *const endings[] = {"", ".cfg"};
    char file[PATH_MAX];
    const bool there = strchr(name, '/') || strcmp(name, "-") == 0 || access(name, F_OK) == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !there; i++) {
        if (snprintf(file, sizeof file, "scenarios/%s%s", name, endings[i]) < (int)sizeof file &&
            lte_share_find(file, path, size))
            return;
    }
    (void)snprintf(path, size, "%s", name);
}

lte_status lte_named_scenario(const lte_options *options, const char *name,
                              const char *const *before, int n_before, const char *behind,
                              lte_scenario **scenario)
{
    char path[PATH_MAX];
    int n = 0;
    *scenario = NULL;
    const char **sets = calloc((size_t)n_before + (size_t)options->n_sets + 1, sizeof *sets);
    if (!sets)
        return LTE_FAIL(LTE_ENOMEM, "no memory for settings");
    for (int i = 0; i < n_before; i++)
        sets[n++] = before[i];
    for (int i = 0; i < options->n_sets; i++)
        sets[n++] = options->sets[i];
    if (behind)
        sets[n++] = behind;
    find_scenario(name, path, sizeof path);
    const lte_status status = lte_scenario_read(path, sets, n, scenario);
    free(sets);
    if (*scenario && options->backend)
        (void)snprintf((*scenario)->backend, sizeof(*scenario)->backend, "%s", options->backend);
    return status;
}
