/* Result folders, read back. */
#include "sim/report/results/result.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/journal.h"
#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/files/text.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/results.h"

const json_t *lte_json_at(const json_t *object, const char *path)
{
    char key[64];
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
        (void)snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        object = json_object_get(object, key);
    }
    return json_object_get(object, path);
}

const char *lte_json_text(const json_t *object, const char *path)
{
    const char *text = json_string_value(lte_json_at(object, path));
    return text ? text : "";
}

const char *lte_json_verdict(const json_t *deadline)
{
    const char *verdict = lte_json_text(deadline, "verdict");
    const json_t *met = json_object_get(deadline, "met");
    if (verdict[0])
        return verdict;
    return json_is_true(met) ? "met" : json_is_false(met) ? "missed" : "-";
}

double lte_json_number(const json_t *object, const char *path)
{
    const json_t *value = lte_json_at(object, path);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static lte_status read_run(lte_result *result)
{
    char *text = NULL;
    const lte_status status = lte_text_read(result->dir, "run.json", &text);
    if (status)
        return status;
    if (!text)
        return lte_refuse("%s: holds no result of ltesim: run.json is missing", result->dir);
    lte_json_begin();
    result->run = json_loads(text, 0, NULL);
    free(text);
    if (!lte_json_is_whole())
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s/run.json", result->dir);
    result->scenario = json_object_get(result->run, "scenario");
    if (!json_is_object(result->scenario) || !json_object_get(result->run, "snr_definition"))
        return lte_refuse("%s/run.json: was not written by ltesim", result->dir);
    return LTE_OK;
}

lte_status lte_result_check(const char *dir)
{
    lte_result result = {.dir = dir};
    int *mcs = NULL, n = 0;
    lte_status status = lte_mcs_list(dir, &mcs, &n);
    free(mcs);
    if (status || n > 0)
        return status;
    status = read_run(&result);
    json_decref(result.run);
    return status;
}

/* Names for titles and legends. */
static void take_names(lte_result *result)
{
    char path[PATH_MAX];
    const char *whole = realpath(result->dir, path) ? path : result->dir;
    const char *slash = strrchr(whole, '/');
    const char *name = slash && slash[1] ? slash + 1 : whole;
    size_t n = strnlen(name, sizeof result->name - 1);
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) /* not within a character */
        n--;
    memcpy(result->name, name, n);
    result->title = lte_json_text(result->scenario, "title");
    if (!*result->title)
        result->title = result->name;
}

static lte_status find_curves(lte_result *result)
{
    result->curve = lte_table_curves(&result->ber, &result->n_curves);
    if (!result->curve)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the curves of %s", result->dir);
    return result->n_curves <= LTE_MAX_CURVES
               ? LTE_OK
               : lte_refuse("%s/ber.csv: has more than %d curves", result->dir, LTE_MAX_CURVES);
}

/* Refuses rows that lack what every row has, or have what none can have. */
static lte_status check_rows(const lte_result *result)
{
    static const double most_db = 1000.0;
    static const int wanted[] = {LTE_BER_SNR, LTE_BER_SLOTS, LTE_BER_BITS, LTE_BER_ERRORS};
    for (int i = 0; i < result->ber.n_rows; i++) {
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            if (!*lte_table_text(&result->ber, i, wanted[k]))
                return lte_refuse("%s/ber.csv: line %d lacks a number", result->dir, i + 2);
        }
        if (!(fabs(lte_table_real(&result->ber, i, LTE_BER_SNR)) <= most_db))
            return lte_refuse("%s/ber.csv: line %d: the SNR must be from -1000 to 1000 dB",
                              result->dir, i + 2);
    }
    return LTE_OK;
}

/* The tables that a folder may have, and where they are in lte_result. */
#define TABLE(name) {&lte_##name##_columns, offsetof(lte_result, name)},
static const struct {
    const lte_columns *columns;
    size_t at;
} tables[] = {LTE_RESULT_TABLES(TABLE)};
enum { N_TABLES = sizeof tables / sizeof *tables };

static lte_table *table_of(lte_result *result, int i)
{
    return (lte_table *)((char *)result + tables[i].at);
}

static lte_status read_tables(lte_result *result)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < N_TABLES && !status; i++)
        status = lte_table_read(result->dir, tables[i].columns, table_of(result, i));
    return status;
}

lte_status lte_result_read(const char *dir, lte_result *result)
{
    *result = (lte_result){.dir = dir};
    lte_status status = read_run(result);
    if (!status)
        status = read_tables(result);
    if (!status)
        status = check_rows(result);
    if (status)
        return status;
    take_names(result);
    status = lte_journal_look_for_end(dir, &result->unfinished);
    if (status && status != LTE_EINVAL) /* a damaged one is said, and says nothing of the tables */
        return status;
    return find_curves(result);
}

void lte_result_free(lte_result *result)
{
    for (int i = 0; i < N_TABLES; i++)
        lte_table_free(table_of(result, i));
    free(result->curve);
    json_decref(result->run);
    *result = (lte_result){0};
}

/* ---- folders of either kind: of one run, or of a list of MCS ---- */

static lte_status read_mcs(lte_result_folder *folder, int i, const char *dir)
{
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%s/mcs_%d", dir, folder->mcs[i]);
    folder->dirs[i] = strdup(path);
    return folder->dirs[i] ? lte_result_read(folder->dirs[i], &folder->of[i])
                           : LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
}

/* run.json of a list, from that of its first run: all MCS, and nothing that the run counted. */
static json_t *run_of_list(const lte_result_folder *folder)
{
    static const char *const counted[] = {"detectors", "paired", "snr_at_rate", "target"};
    json_t *run = json_deep_copy(folder->of->run), *all = json_array();
    json_t *scenario = json_object_get(run, "scenario");
    for (int i = 0; i < folder->n; i++)
        (void)json_array_append_new(all, json_integer(folder->mcs[i]));
    (void)json_object_set_new(json_object_get(scenario, "code"), "mcs", all);
    (void)json_object_del(scenario, "modulation"); /* that of an MCS */
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        (void)json_object_del(run, counted[i]);
    return run;
}

/* What the folder of a list has itself; its run.json is made of that of the first run. */
static lte_status make_top(const char *dir, lte_result_folder *folder)
{
    lte_result *top = &folder->top;
    lte_json_begin();
    *top = (lte_result){.dir = dir, .run = run_of_list(folder)};
    top->scenario = json_object_get(top->run, "scenario");
    if (!lte_json_is_whole() || !top->scenario)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
    const lte_status status = read_tables(top);
    if (status)
        return status;
    take_names(top);
    return find_curves(top);
}

lte_status lte_result_folder_read(const char *dir, lte_result_folder *folder)
{
    *folder = (lte_result_folder){.n = 0};
    lte_status status = lte_mcs_list(dir, &folder->mcs, &folder->n);
    if (status || folder->n == 0)
        return status ? status : lte_result_read(dir, &folder->top);
    folder->of = calloc((size_t)folder->n, sizeof *folder->of);
    folder->dirs = calloc((size_t)folder->n, sizeof *folder->dirs);
    if (!folder->of || !folder->dirs)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
    for (int i = 0; i < folder->n && !status; i++)
        status = read_mcs(folder, i, dir);
    return status ? status : make_top(dir, folder);
}

void lte_result_folder_free(lte_result_folder *folder)
{
    lte_result_free(&folder->top);
    for (int i = 0; folder->of && i < folder->n; i++)
        lte_result_free(&folder->of[i]);
    for (int i = 0; folder->dirs && i < folder->n; i++)
        free(folder->dirs[i]);
    free(folder->of);
    free(folder->dirs);
    free(folder->mcs);
    *folder = (lte_result_folder){.n = 0};
}
