#ifndef LTE_TESTS_BENCH_GPU_PROGRAM_H
#define LTE_TESTS_BENCH_GPU_PROGRAM_H
/*
 * The whole of ltesim, run as users run it and timed from the outside.
 *
 *     bench_program program;
 *     bench_program_call call = {.scenario = "detection", .backend = "cuda", .job = "ber"};
 *     lte_status status = bench_program_init(&program, options->program);
 *     bench_program_set(&call, "sweep.max_slots=%lld", n_slots);
 *     status = bench_program_run(&program, &call, &seconds, &json);    // json_decref(json)
 *     bench_program_fini(&program);
 */

#include "tests/bench/bench.h"

enum { BENCH_MAX_SETTINGS = 16, BENCH_SETTING_SIZE = 64, BENCH_PATH_SIZE = 1024 };

typedef struct {
    char path[BENCH_PATH_SIZE];
    char folder[BENCH_PATH_SIZE]; /* of results, removed by bench_program_fini; "": none */
} bench_program;

typedef struct {
    /* one of tests/bench/scenarios, which say all that a benchmark depends on: those of scenarios/
       are for users, and change */
    const char *scenario;
    const char *backend;
    const char *job; /* "ber" or "deadline" */
    char setting[BENCH_MAX_SETTINGS][BENCH_SETTING_SIZE];
    int n_settings;
    bool overfull; /* a setting did not fit */
} bench_program_call;

/*
 * Finds the program and makes a folder for its results.
 *
 *   path   NULL: the ltesim of the build that this program is of
 *
 * Returns LTE_EIO. In every case program is for bench_program_fini.
 */
lte_status bench_program_init(bench_program *program, const char *path);
void bench_program_fini(bench_program *program);

/*
 * Adds a --set, at most BENCH_MAX_SETTINGS of BENCH_SETTING_SIZE - 1 characters: a call with more,
 * or longer ones, is refused by bench_program_run.
 */
void bench_program_set(bench_program_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Runs the program to its end.
 *
 *   seconds   out: from its start to its end, all that it does included
 *   json      out: its run.json, which the caller owns; NULL if it failed
 *
 * Returns LTE_EIO if it cannot be run, fails, or leaves no run.json, LTE_EINVAL for settings that
 * do not fit.
 */
lte_status bench_program_run(const bench_program *program, const bench_program_call *call,
                             double *seconds, json_t **json);

/* object[key], NAN if it is no number. */
double bench_run_number(const json_t *object, const char *key);

/* True if two runs decided the distinct slots with as many errors. */
bool bench_run_same_errors(const json_t *a, const json_t *b);

/* row's cells of a run's slots: p50, p99, p99.9, largest, and how many there were. */
void bench_run_latencies(const json_t *run, json_t *row);

/* us that a slot's planes in and its bits out take at so many bytes a second. */
double bench_run_moved_us(int n_rx, int n_tx, int n_bits, double bytes_per_s);

#endif
