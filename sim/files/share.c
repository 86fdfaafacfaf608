/* The files that come with the program, sought from where it lies itself. */
#include "sim/files/share.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The folder of the program itself, without /proc by the name that it was started by. */
static void program_folder(char folder[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    const char *started = (const char *)getauxval(AT_EXECFN);
    folder[length < 0 ? 0 : length] = '\0';
    if (length < 0 && (!started || !realpath(started, folder)))
        folder[0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
}

bool lte_share_find(const char *file, char *path, size_t size)
{
    char program[PATH_MAX];
    program_folder(program);
    const char *const roots[][2] = {
        {program, "/.."}, {program, "/" LTE_SHARE_FROM_PROGRAM}, {LTE_SOURCE_DIR, ""}};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (snprintf(path, size, "%s%s/%s", roots[i][0], roots[i][1], file) < (int)size &&
            access(path, R_OK) == 0)
            return true;
    }
    return false;
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

lte_status lte_share_read(const lte_options *options, const char *name, const char *const *before,
                          int n_before, const char *behind, lte_scenario **scenario)
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
