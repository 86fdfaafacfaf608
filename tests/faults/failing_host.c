/*
 * ltesim on a host that fails: memory, threads, files, the time of day. Linked with the program's
 * main, it stands between the program with all its libraries and the system.
 *
 *     LTE_FAULT=KIND:N     the N-th call of a kind since main began fails, that one alone
 *     LTE_FAULT=KIND:N+    and every one after it
 *     LTE_FAULT_LOG=FILE   gets the number of calls of the kind at the end, however often one
 *                          failed
 *
 * A time of day that fails is an hour behind. Functions of the C library that libraries call
 * through their tables (malloc, pthread_create) are replaced: those of a program go before those of
 * its libraries. stdio's writes never pass such a table, so that system calls are caught by the
 * kernel itself: a seccomp filter turns them into a signal, whose handler lets each pass or fail.
 * That takes x86-64; elsewhere those kinds are not known. An unknown kind ends the program with 77.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libconfig.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>
#endif

enum { MEMORY, THREAD, OPEN, READ, WRITE, SHORT, SYNC, RENAME, REMOVE, CLOCK, N_KINDS };

static const struct {
    const char *name;
    int error;
} kinds[N_KINDS] = {{"memory", ENOMEM}, {"thread", EAGAIN}, {"open", EMFILE}, {"read", EIO},
                    {"write", ENOSPC},  {"short", 0},       {"sync", EIO},    {"rename", EACCES},
                    {"remove", EACCES}, {"clock", 0}};

static int fault = N_KINDS; /* the kind that fails */
static long at;             /* which call of it, from 1 on; 0: none */
static bool on;             /* and all after it */
static atomic_long calls;

/* Counts a call; true if it fails. */
static bool fails(int kind)
{
    if (kind != fault)
        return false;
    const long n = atomic_fetch_add(&calls, 1) + 1;
    if (!(n == at || (on && at > 0 && n > at)))
        return false;
    errno = kinds[kind].error;
    return true;
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of the C library
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/*
 * libconfig crashes where it finds no memory, so ltesim tries for it before; jansson's parser may
 * stop * at an assertion of its own. So what these allocate does not count (ld --wrap).
 */
json_t *__real_json_loads(const char *text, size_t flags, json_error_t *error);
json_t *__wrap_json_loads(const char *text, size_t flags, json_error_t *error);
void __real_config_init(config_t *config);
void __wrap_config_init(config_t *config);
int __real_config_read_string(config_t *config, const char *text);
int __wrap_config_read_string(config_t *config, const char *text);

void __wrap_config_init(config_t *config)
{
    const int before = fault;
    fault = N_KINDS;
    __real_config_init(config);
    fault = before;
}

int __wrap_config_read_string(config_t *config, const char *text)
{
    const int before = fault;
    fault = N_KINDS;
    const int read = __real_config_read_string(config, text);
    fault = before;
    return read;
}

json_t *__wrap_json_loads(const char *text, size_t flags, json_error_t *error)
{
    const int before = fault;
    fault = N_KINDS;
    json_t *read = __real_json_loads(text, flags, error);
    fault = before;
    return read;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void *malloc(size_t size)
{
    return fails(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = fails(MEMORY) ? NULL : __libc_memalign(alignment, size);
    if (made)
        *memory = made;
    return made ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&create, &found, sizeof create); /* C knows no cast from a pointer to a function */
    return fails(THREAD) ? kinds[THREAD].error : create(thread, attributes, start, argument);
}

/* Clocks that someone may set; the one that nobody can is left alone. */
time_t time(time_t *when)
{
    struct timespec now;
    (void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    const time_t told = now.tv_sec - (fails(CLOCK) ? 3600 : 0);
    if (when)
        *when = told;
    return told;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    *now = (struct timeval){.tv_sec = time(NULL)};
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const long code = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && fails(CLOCK))
        now->tv_sec -= 3600;
    return (int)code;
}

#if defined(__x86_64__)

/* What fails as which kind, and which of its arguments counts bytes; a write to stderr, where the
 * program says what failed, does not. */
static const struct {
    int number, kind;
} system_calls[] = {
    {SYS_open, OPEN},     {SYS_openat, OPEN},     {SYS_mkdir, OPEN},  {SYS_read, READ},
    {SYS_pread64, READ},  {SYS_getdents64, READ}, {SYS_write, WRITE}, {SYS_pwrite64, WRITE},
    {SYS_writev, WRITE},  {SYS_ftruncate, WRITE}, {SYS_fsync, SYNC},  {SYS_rename, RENAME},
    {SYS_unlink, REMOVE},
};
enum { N_SYSTEM_CALLS = sizeof system_calls / sizeof *system_calls };

/* The one place whose system calls the filter lets pass: behind them lies raw_call_end. */
long raw_call(long number, long a, long b, long c, long d, long e, long f);
extern const char raw_call_end[];
__asm__(".text\n.globl raw_call\n.type raw_call,@function\nraw_call:\n"
        "mov %rdi,%rax\nmov %rsi,%rdi\nmov %rdx,%rsi\nmov %rcx,%rdx\nmov %r8,%r10\nmov %r9,%r8\n"
        "mov 8(%rsp),%r9\nsyscall\n.globl raw_call_end\nraw_call_end:\nret\n"
        ".size raw_call,.-raw_call\n");

static bool fails_as(int kind, long long first)
{
    return !(kind == WRITE && first == STDERR_FILENO) && fails(kind);
}

static void on_system_call(int number, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const int saved = errno;
    int kind = N_KINDS;
    (void)number;
    for (int i = 0; i < N_SYSTEM_CALLS; i++) {
        if (system_calls[i].number == info->si_syscall)
            kind = system_calls[i].kind;
    }
    if (kind == WRITE && fault == SHORT && r[REG_RDX] > 1 && fails_as(SHORT, r[REG_RDI]))
        r[REG_RDX] /= 2;
    if (fails_as(kind, r[REG_RDI]))
        r[REG_RAX] = -kinds[kind].error;
    else
        r[REG_RAX] = raw_call(info->si_syscall, r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10],
                              r[REG_R8], r[REG_R9]);
    errno = saved;
}

static bool catch_system_calls(void)
{
    enum { HEAD = 6 };
    const unsigned long long end = (unsigned long long)(size_t)raw_call_end;
    struct sock_filter filter[HEAD + 2 * N_SYSTEM_CALLS + 1] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)end, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(end >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short n = HEAD;
    for (int i = 0; i < N_SYSTEM_CALLS; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                   (unsigned)system_calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {n, filter};
    struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool catch_system_calls(void)
{
    return false;
}

#endif

static void arm(void)
{
    const char *text = getenv("LTE_FAULT");
    const size_t n = text ? strcspn(text, ":") : 0;
    int kind = 0;
    if (!text)
        return;
    while (kind < N_KINDS &&
           (strlen(kinds[kind].name) != n || strncmp(kinds[kind].name, text, n) != 0))
        kind++;
    if (kind == N_KINDS || (kind > THREAD && kind < CLOCK && !catch_system_calls()))
        _exit(77);
    at = strtol(text + n + 1, NULL, 10);
    on = text[strlen(text) - 1] == '+';
    fault = kind;
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of ld --wrap
int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

/* Not before main: libraries that begin by themselves cannot help it. */
int __wrap_main(int argc, char **argv)
{
    arm();
    return __real_main(argc, argv);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("LTE_FAULT_LOG");
    char text[32];
    fault = N_KINDS;
    const int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0 && write(file, text, (size_t)n) == n)
        (void)close(file);
}
