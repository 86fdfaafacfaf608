/* The machine, the compiler and the date of a run. */
#include "kernels/cpu/stages.h"
#include "sim/files/revision.h"
#include "tests/bench/peers/peers.h"
#include "tests/bench/tables/report.h"

#include <string.h>
#include <time.h>

#if defined(__clang__)
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#define COMPILER                                                                                   \
    "clang " TEXT_OF(__clang_major__) "." TEXT_OF(__clang_minor__) "." TEXT_OF(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

static void end_line(char *text)
{
    text[strcspn(text, "\n")] = '\0';
}

static void machine_name(char *text, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    (void)snprintf(text, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            end_line(line);
            (void)snprintf(text, size, "%s", colon + 2);
            break;
        }
    }
    if (file)
        (void)fclose(file);
}

json_t *bench_machine_describe(void)
{
    char date[32] = "", machine[256];
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    machine_name(machine, sizeof machine);
#ifdef BENCH_HAVE_LAPACK
    const char *lapack = bench_lapack_open();
#else
    const char *lapack = "not built";
#endif
    const char *mkl = bench_mkl_open();
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "date", date, "machine", machine,
                     "compiler", COMPILER, "flags", BENCH_FLAGS, "revision", lte_revision, "lapack",
                     lapack, "mkl", mkl ? mkl : "not here", "best", lte_stages_best()->name);
}
