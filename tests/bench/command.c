/* Another program, run to its end: what it printed, how it ended, what memory it took. */
#include "tests/bench/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void become(const char *const *argv, int output)
{
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        _exit(126);
    (void)execvp(argv[0], (char *const *)argv);
    _exit(127);
}

/* Reads input to its end, keeping what fits. */
static void drain(int input, char *text, size_t size)
{
    size_t n = 0;
    for (;;) {
        char part[4096];
        const ssize_t got = read(input, part, sizeof part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        const size_t room = size - 1 - n;
        const size_t keep = (size_t)got < room ? (size_t)got : room;
        memcpy(text + n, part, keep);
        n += keep;
    }
    text[n] = '\0';
}

lte_status bench_command_run(const char *const *argv, char *text, size_t size,
                             bench_command_end *end)
{
    int ends[2], state = 0;
    struct rusage usage = {0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return LTE_FAIL(LTE_EIO, "no pipe to %s: %s", argv[0], strerror(errno));
    const pid_t child = fork();
    if (child == 0)
        become(argv, ends[1]);
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return LTE_FAIL(LTE_EIO, "no process for %s: %s", argv[0], strerror(errno));
    }
    drain(ends[0], text, size);
    (void)close(ends[0]);
    while (wait4(child, &state, 0, &usage) < 0) {
        if (errno != EINTR)
            return LTE_FAIL(LTE_EIO, "%s is lost: %s", argv[0], strerror(errno));
    }
    end->exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    end->maxrss_mb = (double)usage.ru_maxrss * 1024e-6; /* Linux counts in KiB */
    return LTE_OK;
}
