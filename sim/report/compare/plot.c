/* Calls gnuplot, if there is one, and looks at what it made. */
#include "sim/report/compare/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/share.h"

enum { N_FORMATS = 2 };

/* A picture that is whole has this near its end. */
static const struct {
    const char *ending, *mark;
} formats[N_FORMATS] = {{"svg", "</svg>"}, {"png", "IEND"}};

extern char **environ;

/* The first line that comes out of the pipe; the rest is read too, for the writer's sake. */
static void read_line(int pipe, char *line, size_t size)
{
    char rest[512];
    size_t used = 0;
    ssize_t n;
    while ((n = read(pipe, rest, sizeof rest)) > 0 || (n < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < n && used < size - 1; i++) {
            if (rest[i] != '\n')
                line[used++] = rest[i] < ' ' ? '?' : rest[i];
            else if (used > 0)
                size = used + 1;
        }
    }
    line[used] = '\0';
}

/* Runs a program away from stdout; its exit code, or -1; error [size] gets what it says first. */
static int run(char *const *arguments, char *error, size_t size)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int code = -1, state, ends[2];
    *error = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        goto close_pipe;
    const bool ready =
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO) == 0;
    if (ready && posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0) {
        (void)close(ends[1]);
        ends[1] = -1;
        read_line(ends[0], error, size);
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(state))
            code = WEXITSTATUS(state);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
close_pipe:
    (void)close(ends[0]);
    if (ends[1] >= 0)
        (void)close(ends[1]);
    return code;
}

/* Looks once: where there is none, the launcher's stand-in asks each time whether to install it. */
bool lte_plot_available(void)
{
    static enum { NOT_ASKED, NO, YES } there = NOT_ASKED;
    char program[] = "gnuplot", option[] = "--version", error[64];
    char *arguments[] = {program, option, NULL};
    if (there == NOT_ASKED)
        there = run(arguments, error, sizeof error) == 0 ? YES : NO;
    return there == YES;
}

/* The script of a picture. */
static bool find_script(const char *name, char *path, size_t size)
{
    char file[64];
    (void)snprintf(file, sizeof file, "plots/%s.gp", name);
    return lte_share_find(file, path, size);
}

/* True if the file ends as a picture of the format does, and is on the disk; gnuplot's exit code
 * does not tell a full one. */
static bool is_whole(const char *path, int format)
{
    char tail[64];
    const size_t length = strlen(formats[format].mark);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const off_t size = lseek(fd, 0, SEEK_END);
    const off_t from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    const ssize_t n = size > 0 ? pread(fd, tail, sizeof tail, from) : 0;
    const bool marked = n > 0 && memmem(tail, (size_t)n, formats[format].mark, length) != NULL;
    const bool synced = fsync(fd) == 0;
    (void)close(fd);
    return marked && synced;
}

/* One format of a picture of folders [n] under a temporary name. */
static bool draw(const char *const *dirs, int n, const char *script, int format, char *temporary,
                 char *why, size_t size)
{
    char program[] = "gnuplot", option[] = "-c", script_name[PATH_MAX + 64];
    char folder[LTE_MAX_PLOTTED][PATH_MAX], error[200];
    char *arguments[4 + LTE_MAX_PLOTTED + 1] = {program, option, script_name, temporary};
    (void)snprintf(script_name, sizeof script_name, "%s", script);
    for (int i = 0; i < n; i++) {
        (void)snprintf(folder[i], sizeof folder[i], "%s", dirs[i]);
        arguments[4 + i] = folder[i];
    }
    if (run(arguments, error, sizeof error) != 0) {
        (void)snprintf(why, size, "gnuplot failed%s%s", *error ? ": " : "", error);
        return false;
    }
    if (is_whole(temporary, format))
        return true;
    (void)snprintf(why, size, "the picture written by gnuplot is incomplete (is the disk full?)");
    return false;
}

/* Looks for what it takes to draw folders [n]: gnuplot and the script. */
static bool prepare(const char *const *dirs, int n, const char *name, char *script,
                    size_t script_size, char *why, size_t size)
{
    bool fits = true;
    for (int i = 0; i < n; i++)
        fits = fits && strlen(dirs[i]) < PATH_MAX;
    if (!lte_plot_available())
        (void)snprintf(why, size, "gnuplot is not installed");
    else if (!find_script(name, script, script_size))
        (void)snprintf(why, size, "plots/%s.gp was found neither next to the program nor in %s",
                       name, LTE_SOURCE_DIR);
    else if (!fits)
        (void)snprintf(why, size, "the name of the folder is too long");
    else
        return true;
    return false;
}

bool lte_plot_runs(const char *const *dirs, int n, const char *name, const char *path, char *why,
                   size_t size)
{
    char script[PATH_MAX + 64], temporary[PATH_MAX + 64];
    const size_t length = strlen(path);
    const int format = strcmp(path + length - (length < 4 ? length : 4), ".svg") == 0 ? 0 : 1;
    if (!prepare(dirs, n, name, script, sizeof script, why, size))
        return false;
    /* gnuplot tells the format by the ending */
    if (snprintf(temporary, sizeof temporary, "%s.%ld.%s", path, (long)getpid(),
                 formats[format].ending) >= PATH_MAX) {
        (void)snprintf(why, size, "the name of the picture is too long");
        return false;
    }
    bool good = draw(dirs, n, script, format, temporary, why, size);
    if (good && rename(temporary, path) != 0) {
        (void)snprintf(why, size, "%s: %s", path, strerror(errno));
        good = false;
    }
    (void)unlink(temporary); /* where it was not renamed */
    return good;
}

bool lte_plot(const char *dir, const char *name, char *why, size_t size)
{
    char script[PATH_MAX + 64], temporary[N_FORMATS][PATH_MAX + 64], final[PATH_MAX + 64];
    bool good = true;
    if (!prepare(&dir, 1, name, script, sizeof script, why, size))
        return false;
    for (int i = 0; i < N_FORMATS; i++) {
        char file[64];
        (void)snprintf(file, sizeof file, "%s.%s", name, formats[i].ending);
        (void)lte_file_temporary(dir, file, temporary[i], sizeof temporary[i]);
        good = good && draw(&dir, 1, script, i, temporary[i], why, size);
    }
    for (int i = 0; i < N_FORMATS; i++) {
        (void)snprintf(final, sizeof final, "%s/%s.%s", dir, name, formats[i].ending);
        if (good && rename(temporary[i], final) != 0) {
            (void)snprintf(why, size, "%s: %s", final, strerror(errno));
            good = false;
        }
        (void)unlink(temporary[i]); /* where it was not renamed */
    }
    return good;
}
