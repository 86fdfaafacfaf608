/* Benchmarks' calls of the program: settings arrive, and what does not fit is refused. */
#include "tests/lib/unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/peers/gpu_program.h"

/* A program that writes run.json with its last argument but those of the folder. */
static void pretend(char *folder, char *path)
{
    (void)snprintf(folder, PATH_MAX, "/tmp/bench_calls.XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, BENCH_PATH_SIZE, "%.200s/ltesim", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("#!/bin/sh\nwhile [ \"$1\" != --out ]; do shift; done; out=$2; shift 2\n"
                "n=$(($# / 2)); while [ $# -gt 1 ]; do shift; done\n"
                "echo \"{\\\"n\\\": $n, \\\"last\\\": \\\"$1\\\"}\" >\"$out/run.json\"\n",
                file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static lte_status quiet_run(const bench_program *program, const bench_program_call *call,
                            json_t **json)
{
    double seconds;
    const lte_fail_handler before = expect_failures();
    const lte_status status = bench_program_run(program, call, &seconds, json);
    (void)lte_fail_handler_set(before);
    return status;
}

static void as_many_settings_as_fit_arrive(void **state)
{
    char folder[PATH_MAX], path[BENCH_PATH_SIZE];
    bench_program program;
    bench_program_call call = {.scenario = "coded", .backend = "cpu", .job = "ber"};
    json_t *json = NULL;
    (void)state;
    pretend(folder, path);
    assert_int_equal(bench_program_init(&program, path), LTE_OK);
    for (int i = 1; i <= BENCH_MAX_SETTINGS; i++)
        bench_program_set(&call, "sweep.max_slots=%d", i);
    assert_int_equal(quiet_run(&program, &call, &json), LTE_OK);
    assert_int_equal(json_integer_value(json_object_get(json, "n")), BENCH_MAX_SETTINGS);
    assert_string_equal(json_string_value(json_object_get(json, "last")), "sweep.max_slots=16");
    json_decref(json);
    bench_program_set(&call, "seed=1");
    assert_int_equal(quiet_run(&program, &call, &json), LTE_EINVAL);
    assert_null(json);
    bench_program_fini(&program);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void a_setting_that_is_too_long_is_refused(void **state)
{
    char folder[PATH_MAX], path[BENCH_PATH_SIZE];
    bench_program program;
    json_t *json = NULL;
    (void)state;
    pretend(folder, path);
    assert_int_equal(bench_program_init(&program, path), LTE_OK);
    for (int more = 0; more < 2; more++) {
        bench_program_call call = {.scenario = "coded", .backend = "cpu", .job = "ber"};
        bench_program_set(&call, "%*d", BENCH_SETTING_SIZE - 1 + more, 1);
        assert_int_equal(quiet_run(&program, &call, &json), more ? LTE_EINVAL : LTE_OK);
        json_decref(json);
    }
    bench_program_fini(&program);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void a_scenario_that_is_not_there_is_refused(void **state)
{
    char folder[PATH_MAX], path[BENCH_PATH_SIZE];
    bench_program program;
    const bench_program_call call = {.scenario = "none", .backend = "cpu", .job = "ber"};
    json_t *json = NULL;
    (void)state;
    pretend(folder, path);
    assert_int_equal(bench_program_init(&program, path), LTE_OK);
    assert_int_equal(quiet_run(&program, &call, &json), LTE_EIO);
    bench_program_fini(&program);
    (void)unlink(path);
    (void)rmdir(folder);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(bench_calls, as_many_settings_as_fit_arrive),
        LTE_CASE(bench_calls, a_setting_that_is_too_long_is_refused),
        LTE_CASE(bench_calls, a_scenario_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests_name("bench_calls", cases, NULL, NULL);
}
