/* The scenario that a name means. */
#include "sim/run/named_scenario.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/refuse.h"
#include "sim/files/share.h"

/* Scenarios that were one for each level of correlation. */
static const char *const levels[] = {"low", "medium", "high"};

/* Says what to type in the place of a scenario that went; LTE_OK for all others. */
static lte_status refuse_old_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const size_t n = strlen(levels[i]);
        const char *rest = base + n;
        if (strncmp(base, levels[i], n) == 0 &&
            (strncmp(rest, "_10mhz_2x2", 10) == 0 || strncmp(rest, "_20mhz_4x4", 10) == 0) &&
            (rest[10] == '\0' || strcmp(rest + 10, ".cfg") == 0))
            return lte_refuse("%s: is now %.*scorrelated%s --set channel.correlation.level=%s",
                              name, (int)(base - name), name, rest, levels[i]);
    }
    return LTE_OK;
}

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
    const lte_status old = access(name, F_OK) == 0 ? LTE_OK : refuse_old_name(name);
    if (old)
        return old;
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
