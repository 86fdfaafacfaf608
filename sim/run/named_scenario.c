/* The scenario that a name means. */
#include "sim/run/named_scenario.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/refuse.h"
#include "sim/files/share.h"

/* True for a scenario of correlated antennas, without its first word. */
static bool is_correlated(const char *rest)
{
    static const char *const sizes[] = {"10mhz_2x2", "20mhz_4x4"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = strlen(sizes[i]);
        if (strncmp(rest, sizes[i], n) == 0 && (!rest[n] || strcmp(rest + n, ".cfg") == 0))
            return true;
    }
    return false;
}

/* What to type for those that were one for each level of correlation; LTE_OK for all others. */
static lte_status refuse_old_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    for (int i = 0; i < LTE_N_CORRELATION_LEVELS; i++) {
        const char *level = lte_level_names[i].name;
        const size_t n = strlen(level);
        if (strncmp(base, level, n) == 0 && base[n] == '_' && is_correlated(base + n + 1))
            return lte_refuse("%s: is now %.*scorrelated%s --set channel.correlation.level=%s",
                              name, (int)(base - name), name, base + n, level);
    }
    return LTE_OK;
}

/*
 * Refuses a name that is of no file: it may be close to that of a scenario that comes with the
 * program. LTE_OK for a path that is close to none.
 */
static lte_status refuse_near(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    char plain[64], other[PATH_MAX];
    glob_t shipped;
    const size_t n = strlen(base);
    const bool ends = n > 4 && strcmp(base + n - 4, ".cfg") == 0;
    const bool there = snprintf(other, sizeof other, "%s.cfg", name) < (int)sizeof other &&
                       access(other, F_OK) == 0; /* lte_scenario_read says so */
    if (there || n >= sizeof plain || !lte_share_scenarios(&shipped))
        return LTE_OK;
    (void)snprintf(plain, sizeof plain, "%.*s", (int)(ends ? n - 4 : n), base);
    lte_near_name near = {.name = plain};
    for (size_t i = 0; i < shipped.gl_pathc; i++) {
        char *of = strrchr(shipped.gl_pathv[i], '/') + 1;
        of[strlen(of) - 4] = '\0'; /* its .cfg */
        lte_near_name_try(&near, of);
    }
    lte_status status = LTE_OK;
    if (near.meant)
        status = lte_refuse("%.300s: cannot be read: %s; did you mean %s?", name, strerror(ENOENT),
                            near.meant);
    else if (!slash)
        status = lte_refuse("%.300s: cannot be read: %s; ltesim --list shows the scenarios", name,
                            strerror(ENOENT));
    globfree(&shipped);
    return status;
}

/* Its path, which has to be opened still: it may be the name itself. */
static lte_status find_scenario(const char *name, char *path, size_t size)
{
    static const char *const endings[] = {"", ".cfg"};
    char file[PATH_MAX];
    const bool there = strchr(name, '/') || strcmp(name, "-") == 0 || access(name, F_OK) == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !there; i++) {
        if (snprintf(file, sizeof file, "scenarios/%s%s", name, endings[i]) < (int)sizeof file &&
            lte_share_find(file, path, size))
            return LTE_OK;
    }
    (void)snprintf(path, size, "%s", name);
    return strcmp(name, "-") == 0 || access(name, F_OK) == 0 || errno != ENOENT ? LTE_OK
                                                                                : refuse_near(name);
}

lte_status lte_named_scenario(const lte_options *options, const char *name,
                              const char *const *before, int n_before, const char *behind,
                              lte_scenario **scenario)
{
    char path[PATH_MAX];
    int n = 0;
    *scenario = NULL;
    lte_status status = access(name, F_OK) == 0 ? LTE_OK : refuse_old_name(name);
    if (!status)
        status = find_scenario(name, path, sizeof path);
    if (status)
        return status;
    const char **sets = calloc((size_t)n_before + (size_t)options->n_sets + 1, sizeof *sets);
    if (!sets)
        return LTE_FAIL(LTE_ENOMEM, "no memory for settings");
    for (int i = 0; i < n_before; i++)
        sets[n++] = before[i];
    for (int i = 0; i < options->n_sets; i++)
        sets[n++] = options->sets[i];
    if (behind)
        sets[n++] = behind;
    status = lte_scenario_read(path, sets, n, scenario);
    free(sets);
    if (!status)
        status = lte_plugins_load(*scenario);
    if (!status && options->blocks && (*scenario)->counted != LTE_COUNTED_BLOCKS)
        status = lte_refuse("--blocks: %.200s sends no transport blocks: it has no code",
                            (*scenario)->name);
    if (!status && options->blocks)
        (*scenario)->records = true;
    if (status || !options->backend)
        return status;
    return lte_scenario_read_backend(options->backend, "--backend", (*scenario)->backend,
                                     sizeof(*scenario)->backend);
}
