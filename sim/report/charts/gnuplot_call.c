/* Calls gnuplot, if there is one, and looks at what it made. */
#include "sim/report/charts/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/share.h"
#include "sim/files/text.h"

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

/* Runs a program away from stdout, with files [n] of this one under the same numbers; its exit
 * code, or -1; error [size] gets what it says first. */
static int run(char *const *arguments, const int *files, int n, char *error, size_t size)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int code = -1, state, ends[2];
    *error = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        goto close_pipe;
    bool ready =
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO) == 0;
    for (int i = 0; i < n; i++) /* onto itself: it stays open */
        ready = ready && posix_spawn_file_actions_adddup2(&actions, files[i], files[i]) == 0;
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
        there = run(arguments, NULL, 0, error, sizeof error) == 0 ? YES : NO;
    return there == YES;
}

/* True if the file ends as a picture of the format does; gnuplot's exit code does not tell. */
static bool is_whole(int fd, int format)
{
    char tail[64];
    const size_t length = strlen(formats[format].mark);
    const off_t size = lseek(fd, 0, SEEK_END);
    const off_t from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    const ssize_t n = size > 0 ? pread(fd, tail, sizeof tail, from) : 0;
    return n > 0 && memmem(tail, (size_t)n, formats[format].mark, length) != NULL;
}

FILE *lte_gnuplot_settings(void)
{
    const int fd = memfd_create("ltesim", MFD_CLOEXEC);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!out && fd >= 0)
        (void)close(fd);
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

/* True for a character [n] that fonts often lack: neither one of Europe nor one of punctuation,
 * arrows or mathematics. In a PNG a box could cover the picture in its place. */
static bool is_rare(const char *c, size_t n)
{
    return n > 3 || (n == 3 && !(c[0] == '\xe2' && strchr("\x80\x82\x86\x88\x89", c[1])));
}

/* The settings for one format: what is not UTF-8, and in a PNG what is rare, becomes a ?. */
static bool write_settings(FILE *from, int format, FILE *to)
{
    const bool png = strcmp(formats[format].ending, ".png") == 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    rewind(from);
    while ((length = getline(&line, &size, from)) > 0) {
        const size_t end = (size_t)length;
        for (size_t i = 0, n; i < end; i += n) {
            n = lte_text_character(line + i, end - i);
            if (n == 0 || (png && is_rare(line + i, n)))
                (void)fputc('?', to);
            else
                (void)fwrite(line + i, 1, n, to);
            n = n ? n : 1;
        }
    }
    free(line);
    (void)fprintf(to, "suffix = '%s'\n", formats[format].ending);
    return feof(from) && fflush(to) == 0 && !ferror(to);
}

/* Has gnuplot draw from a file in memory into another: no name but the script's is told to it. */
static bool draw(char *script, int settings, int picture, int format, char *why, size_t size)
{
    char program[] = "gnuplot", option[] = "-c", from[32], into[32], error[200];
    char *arguments[] = {program, option, script, into, from, NULL};
    const int inherited[] = {settings, picture};
    (void)snprintf(from, sizeof from, "/proc/self/fd/%d", settings);
    (void)snprintf(into, sizeof into, "/proc/self/fd/%d", picture);
    if (run(arguments, inherited, 2, error, sizeof error) != 0) {
        (void)snprintf(why, size, "gnuplot failed%s%s", *error ? ": " : "", error);
        return false;
    }
    if (is_whole(picture, format))
        return true;
    (void)snprintf(why, size, "the picture written by gnuplot is incomplete");
    return false;
}

/* All of a file in memory into one on a disk; false with errno. */
static bool copy(int from, int to)
{
    char bytes[1 << 14];
    ssize_t got;
    off_t at = 0;
    while ((got = pread(from, bytes, sizeof bytes, at)) > 0) {
        for (ssize_t done = 0, n; done < got; done += n) {
            n = write(to, bytes + done, (size_t)(got - done));
            if (n < 0 && errno != EINTR)
                return false;
            n = n < 0 ? 0 : n;
        }
        at += got;
    }
    return got == 0 && fsync(to) == 0;
}

/* A picture in memory under its name, by way of another beside it. */
static bool save(int picture, const char *path, char *why, size_t size)
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX] = ".", temporary[PATH_MAX + 64];
    errno = ENAMETOOLONG;
    bool good = (size_t)(slash ? slash - path : 0) + 1 < sizeof dir;
    if (good && slash)
        (void)snprintf(dir, sizeof dir, "%.*s", (int)(slash - path) + 1, path);
    good = good && lte_file_temporary(dir, slash ? slash + 1 : path, temporary, sizeof temporary) <
                       (int)sizeof temporary;
    if (good)
        (void)unlink(temporary); /* of an earlier process with this number */
    const int fd = good ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    good = fd >= 0 && copy(picture, fd);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(temporary, path) == 0)
        return true;
    reason = good ? errno : reason;
    if (fd >= 0)
        (void)unlink(temporary);
    (void)snprintf(why, size, "%.200s: %s", path, strerror(reason));
    return false;
}

bool lte_gnuplot_draw(const char *script, FILE *settings, const char *path, char *why, size_t size)
{
    char file[64], found[PATH_MAX + 64];
    const int format = format_of(path);
    (void)snprintf(file, sizeof file, "plots/%s.gp", script);
    if (!lte_gnuplot_available()) {
        (void)snprintf(why, size, "gnuplot is not installed");
        return false;
    }
    if (!lte_share_find(file, found, sizeof found)) {
        (void)snprintf(why, size, "%s was found neither next to the program nor in %s", file,
                       LTE_SOURCE_DIR);
        return false;
    }
    if (format == N_FORMATS) {
        (void)snprintf(why, size, "%s: is no name of a picture", path);
        return false;
    }
    FILE *own = lte_gnuplot_settings(), *picture = lte_gnuplot_settings();
    bool good = own && picture && write_settings(settings, format, own);
    if (!good)
        (void)snprintf(why, size, "no memory for a picture");
    good = good && draw(found, fileno(own), fileno(picture), format, why, size) &&
           save(fileno(picture), path, why, size);
    if (own)
        (void)fclose(own);
    if (picture)
        (void)fclose(picture);
    return good;
}
