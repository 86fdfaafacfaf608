/* Calls gnuplot, if there is one, and looks at what it made. */
#include "sim/report/charts/gnuplot_call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/files/share.h"

/* A picture that is whole has this near its end. */
static const struct {
    const char *ending, *mark;
} formats[] = {{".svg", "</svg>"}, {".png", "IEND"}, {".pdf", "%%EOF"}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

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

bool lte_gnuplot_available(void)
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

FILE *lte_gnuplot_settings(char *name, size_t size)
{
    const int fd = memfd_create("ltesim", 0); /* gnuplot inherits it */
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out && fd >= 0)
        (void)close(fd);
    (void)snprintf(name, size, "/proc/self/fd/%d", fd);
    return out;
}

/* The format of a name; N_FORMATS: none. */
static int format_of(const char *path)
{
    const size_t n = strlen(path);
    int i = 0;
    while (i < N_FORMATS && (n < 5 || strcmp(path + n - 4, formats[i].ending) != 0))
        i++;
    return i;
}

bool lte_gnuplot_draws(const char *path)
{
    return format_of(path) < N_FORMATS;
}

/* The picture under a temporary name. */
static bool draw(const char *script, const char *settings, char *temporary, int format, char *why,
                 size_t size)
{
    char program[] = "gnuplot", option[] = "-c", name[PATH_MAX + 64], from[PATH_MAX], error[200];
    char *arguments[] = {program, option, name, temporary, from, NULL};
    (void)snprintf(name, sizeof name, "%s", script);
    (void)snprintf(from, sizeof from, "%s", settings);
    if (run(arguments, error, sizeof error) != 0) {
        (void)snprintf(why, size, "gnuplot failed%s%s", *error ? ": " : "", error);
        return false;
    }
    if (is_whole(temporary, format))
        return true;
    (void)snprintf(why, size, "the picture written by gnuplot is incomplete (is the disk full?)");
    return false;
}

bool lte_gnuplot_draw(const char *script, const char *settings, const char *path, char *why,
                      size_t size)
{
    char found[PATH_MAX + 64], temporary[PATH_MAX + 64];
    const int format = format_of(path);
    if (!lte_gnuplot_available())
        (void)snprintf(why, size, "gnuplot is not installed");
    else if (!find_script(script, found, sizeof found))
        (void)snprintf(why, size, "plots/%s.gp was found neither next to the program nor in %s",
                       script, LTE_SOURCE_DIR);
    else if (format == N_FORMATS || snprintf(temporary, sizeof temporary, "%s.%ld%s", path,
                                             (long)getpid(), formats[format].ending) >= PATH_MAX)
        (void)snprintf(why, size, "%s: is no name of a picture", path);
    else {
        bool good = draw(found, settings, temporary, format, why, size);
        if (good && rename(temporary, path) != 0) {
            (void)snprintf(why, size, "%s: %s", path, strerror(errno));
            good = false;
        }
        (void)unlink(temporary); /* where it was not renamed */
        return good;
    }
    return false;
}
