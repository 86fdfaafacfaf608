/* Work in a process of its own. */
#include "sim/files/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/files/refuse.h"
#include "sim/files/text.h"

enum {
    MOST_BYTES = 192 << 20, /* that a child may take, beyond what its parent has */
    MOST_S = 10             /* of a processor, from one lte_apart_put to the next */
};

/* Before the bytes of each lte_apart_put, or in their place. */
typedef struct {
    lte_status status;
    char text[1024]; /* of a failure */
} message;

static message told; /* what has failed in the child */

static void take_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    told.status = status;
    (void)snprintf(told.text, sizeof told.text, "%s", text);
}

/* ---- the child ---- */

static void limit_memory(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    const bool known = file && fscanf(file, "%llu", &pages) == 1; // NOLINT(cert-err34-c)
    struct rlimit limit;
    if (file)
        (void)fclose(file);
    if (!known || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MOST_BYTES;
    limit.rlim_cur = most < limit.rlim_cur ? most : limit.rlim_cur;
    (void)setrlimit(RLIMIT_AS, &limit);
}

/* SIGXCPU comes after MOST_S from now on. */
static void limit_time(void)
{
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    const rlim_t most = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + MOST_S + 1;
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    (void)setrlimit(RLIMIT_CPU, &limit);
}

static void write_all(int pipe, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t wrote = write(pipe, at, n);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            _exit(1);
        at += wrote;
        n -= (size_t)wrote;
    }
}

void lte_apart_put(int pipe, const void *bytes, size_t n)
{
    const message fine = {.status = LTE_OK};
    write_all(pipe, &fine, sizeof fine);
    write_all(pipe, bytes, n);
    limit_time();
}

/* What a library says of its own end stays here. */
static void be_silent(void)
{
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        _exit(1);
}

static void be_child(lte_apart_fn *work, int pipe, void *user)
{
    const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    const struct rlimit no_core = {0, 0};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        (void)signal(fatal[i], SIG_DFL);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    be_silent();
    limit_memory();
    limit_time();
    (void)lte_fail_handler_set(take_failure);
    told = (message){.status = LTE_OK};
    const lte_status status = work(pipe, user);
    told.status = status;
    if (status)
        write_all(pipe, &told, sizeof told);
    _exit(0);
}

/* ---- the parent ---- */

lte_status lte_apart_begin(lte_apart_fn *work, void *user, lte_apart *apart)
{
    int ends[2];
    *apart = (lte_apart){.pipe = -1};
    if (pipe(ends) != 0)
        return LTE_FAIL(LTE_ENOMEM, "a pipe cannot be created: %s", strerror(errno));
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    apart->pipe = ends[0];
    apart->child = fork();
    if (apart->child == 0) {
        (void)close(ends[0]);
        be_child(work, ends[1], user);
    }
    const int reason = errno;
    (void)close(ends[1]);
    if (apart->child > 0)
        return LTE_OK;
    apart->child = 0;
    return LTE_FAIL(LTE_ENOMEM, "a process cannot be created: %s", strerror(reason));
}

/* Waits for the child, which has ended or is to end now. */
static int reap(lte_apart *apart)
{
    int how = 0;
    pid_t child;
    do
        child = waitpid(apart->child, &how, 0);
    while (child < 0 && errno == EINTR);
    apart->child = 0;
    return child > 0 ? how : 0;
}

static lte_status refuse_ending(lte_apart *apart, const char *what)
{
    const int how = reap(apart);
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        return lte_refuse("%s: cannot be read: HDF5 did not finish, the file is damaged", what);
    if (WIFSIGNALED(how))
        return lte_refuse(
            "%s: cannot be read: HDF5 crashed (signal %d), the file is damaged or memory is short",
            what, WTERMSIG(how));
    return lte_refuse("%s: cannot be read: the file is damaged or memory is short", what);
}

lte_status lte_apart_get(lte_apart *apart, const char *what, void *bytes, size_t n)
{
    message next;
    if (!lte_read_all(apart->pipe, &next, sizeof next) ||
        (!next.status && !lte_read_all(apart->pipe, bytes, n)))
        return errno ? LTE_FAIL(LTE_EIO, "%s: cannot be read: %s", what, strerror(errno))
                     : refuse_ending(apart, what);
    next.text[sizeof next.text - 1] = '\0';
    return next.status ? LTE_FAIL(next.status, "%s", next.text) : LTE_OK;
}

void lte_apart_end(lte_apart *apart)
{
    if (apart->pipe >= 0)
        (void)close(apart->pipe);
    apart->pipe = -1;
    if (apart->child > 0) {
        (void)kill(apart->child, SIGKILL);
        (void)reap(apart);
    }
}
