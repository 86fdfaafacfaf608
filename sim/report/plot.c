/* Calls gnuplot, if there is one, and says what became of it. */
#include "sim/report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs a program with its output away from stdout; its exit code, or -1. */
static int run(char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int code = -1, state;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    if (posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0) {
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(state))
            code = WEXITSTATUS(state);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return code;
}

bool lte_plot_available(void)
{
    char program[] = "gnuplot", option[] = "--version";
    char *arguments[] = {program, option, NULL};
    return run(arguments) == 0;
}

/* The script of a picture: in plots/ beside the program's folder, or where it was built from. */
static lte_status script_path(const char *name, char *path, size_t size)
{
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
    }
    if (snprintf(path, size, "%s/plots/%s.gp", program, name) < (int)size &&
        access(path, R_OK) == 0)
        return LTE_OK;
    if (snprintf(path, size, "%s/plots/%s.gp", LTE_SOURCE_DIR, name) < (int)size &&
        access(path, R_OK) == 0)
        return LTE_OK;
    return LTE_FAIL(LTE_EIO, "plots/%s.gp is not there: no picture", name);
}

lte_status lte_plot(const char *dir, const char *name)
{
    static const char *const endings[] = {"svg", "png"};
    char script[PATH_MAX + 64], folder[PATH_MAX];
    lte_status status = script_path(name, script, sizeof script);
    if (status)
        return status;
    if (snprintf(folder, sizeof folder, "%s", dir) >= (int)sizeof folder)
        return LTE_FAIL(LTE_EIO, "plots: the folder's name is too long");
    for (int i = 0; i < 2; i++) {
        char program[] = "gnuplot", option[] = "-c";
        char temporary[PATH_MAX + 64], final[PATH_MAX + 64];
        (void)snprintf(temporary, sizeof temporary, "%s/.%s-tmp.%s", dir, name, endings[i]);
        (void)snprintf(final, sizeof final, "%s/%s.%s", dir, name, endings[i]);
        char *arguments[] = {program, option, script, temporary, folder, NULL};
        if (run(arguments) != 0 || rename(temporary, final) != 0) {
            (void)unlink(temporary);
            return LTE_FAIL(LTE_EIO, "gnuplot could not draw %s", final);
        }
    }
    return LTE_OK;
}
