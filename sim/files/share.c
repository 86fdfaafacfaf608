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

bool lte_share_find_built(const char *file, char *path, size_t size)
{
    char program[PATH_MAX];
    program_folder(program);
    for (int up = 0; up < 2; up++) { /* BUILD/ltesim, BUILD/programs/NAME/ltesim */
        if (snprintf(path, size, "%s%s/%s", program, up ? "/../.." : "", file) < (int)size &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

bool lte_share_scenarios(glob_t *found)
{
    static const char all[] = "/*.cfg";
    char path[PATH_MAX];
    if (!lte_share_find("scenarios", path, sizeof path - sizeof all))
        return false;
    memcpy(path + strlen(path), all, sizeof all);
    return glob(path, 0, NULL, found) == 0;
}
