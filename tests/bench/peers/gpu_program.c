/* The whole of ltesim, run as users run it and timed from the outside. */
#include "tests/bench/peers/gpu_program.h"
#include "tests/bench/command.h"
#include "kernels/backends/clock.h"
#include "phy/base/limits.h"
#include "sim/files/share.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* build/tests/bench/ltebench's ltesim is build/ltesim. */
static lte_status path_beside(char *path)
{
    static const char name[] = "/ltesim";
    const ssize_t length = readlink("/proc/self/exe", path, BENCH_PATH_SIZE - sizeof name);
    path[length < 0 ? 0 : length] = '\0';
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return LTE_FAIL(LTE_EIO, "where ltesim lies is unknown; say it with --program");
        *slash = '\0';
    }
    memcpy(path + strlen(path), name, sizeof name);
    return LTE_OK;
}

lte_status bench_program_init(bench_program *program, const char *path)
{
    const char *temporary = getenv("TMPDIR");
    lte_status status = LTE_OK;
    *program = (bench_program){.folder = ""};
    if (!path)
        status = path_beside(program->path);
    else if (snprintf(program->path, sizeof program->path, "%s", path) >= BENCH_PATH_SIZE)
        status = LTE_FAIL(LTE_EIO, "--program: a path of up to %d characters", BENCH_PATH_SIZE - 1);
    if (status)
        return status;
    if (access(program->path, X_OK) != 0)
        return LTE_FAIL(LTE_EIO, "%s: %s; build ltesim or name it with --program", program->path,
                        strerror(errno));
    const int length = snprintf(program->folder, sizeof program->folder, "%s/ltebench.XXXXXX",
                                temporary && *temporary ? temporary : "/tmp");
    if (length >= BENCH_PATH_SIZE || !mkdtemp(program->folder)) {
        program->folder[0] = '\0';
        return LTE_FAIL(LTE_EIO, "no folder for ltesim's results: %s", strerror(errno));
    }
    return LTE_OK;
}

static int remove_one(const char *path, const struct stat *state, int type, struct FTW *place)
{
    (void)state;
    (void)type;
    (void)place;
    return remove(path);
}

void bench_program_fini(bench_program *program)
{
    if (program->folder[0])
        (void)nftw(program->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    program->folder[0] = '\0';
}

void bench_program_set(bench_program_call *call, const char *format, ...)
{
    va_list list;
    call->overfull = call->overfull || call->n_settings >= BENCH_MAX_SETTINGS;
    if (call->overfull)
        return;
    va_start(list, format);
    const int length =
        vsnprintf(call->setting[call->n_settings++], BENCH_SETTING_SIZE, format, list);
    va_end(list);
    call->overfull = length < 0 || length >= BENCH_SETTING_SIZE;
}

/* The run.json in the folder, and no longer there. */
static lte_status take_json(const bench_program *program, json_t **json)
{
    char file[BENCH_PATH_SIZE + 16];
    json_error_t error;
    (void)snprintf(file, sizeof file, "%s/run.json", program->folder);
    *json = json_load_file(file, 0, &error);
    (void)unlink(file);
    return *json ? LTE_OK : LTE_FAIL(LTE_EIO, "%s, from %s: %s", file, program->path, error.text);
}

lte_status bench_program_run(const bench_program *program, const bench_program_call *call,
                             double *seconds, json_t **json)
{
    enum { FIXED = 10 };
    char name[128], scenario[PATH_MAX], output[4096];
    const char *argv[FIXED + 2 * BENCH_MAX_SETTINGS + 1] = {
        program->path, scenario,    "--backend", call->backend, "--only",
        call->job,     "--no-plot", "--quiet",   "--out",       program->folder};
    bench_command_end end;
    *json = NULL;
    (void)snprintf(name, sizeof name, "tests/bench/scenarios/%.64s.cfg", call->scenario);
    if (call->overfull)
        return LTE_FAIL(LTE_EINVAL, "%s: more than %d settings, or one of more than %d characters",
                        name, BENCH_MAX_SETTINGS, BENCH_SETTING_SIZE - 1);
    if (!lte_share_find(name, scenario, sizeof scenario))
        return LTE_FAIL(LTE_EIO, "%s: there is no such file", scenario);
    for (int i = 0; i < call->n_settings; i++) {
        argv[FIXED + 2 * i] = "--set";
        argv[FIXED + 2 * i + 1] = call->setting[i];
    }
    const double start = lte_seconds();
    lte_status status = bench_command_run(argv, output, sizeof output, &end);
    *seconds = lte_seconds() - start;
    if (!status && end.exit_code != 0)
        status = LTE_FAIL(LTE_EIO, "%s %s --backend %s --only %s: exit code %d", program->path,
                          scenario, call->backend, call->job, end.exit_code);
    return status ? status : take_json(program, json);
}

double bench_run_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool bench_run_same_errors(const json_t *a, const json_t *b)
{
    return json_is_integer(json_object_get(a, "bit_errors")) &&
           json_equal(json_object_get(a, "bit_errors"), json_object_get(b, "bit_errors")) &&
           json_equal(json_object_get(a, "bits"), json_object_get(b, "bits"));
}

void bench_run_latencies(const json_t *run, json_t *row)
{
    static const char *const times[] = {"p50_us", "p99_us", "p999_us", "max_us"};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        bench_row_real(row, times[k], bench_run_number(run, times[k]));
    (void)json_object_set(row, "slots", json_object_get(run, "slots"));
}

double bench_run_moved_us(int n_rx, int n_tx, int n_bits, double bytes_per_s)
{
    const double in = 8.0 * LTE_MAX_SC * n_rx * (n_tx + LTE_SLOT_SYMBOLS);
    const double out = (double)LTE_SLOT_SYMBOLS * LTE_MAX_SC * n_tx * n_bits / 8.0;
    return 1e6 * (in + out) / bytes_per_s;
}
