/* Result folders, read back. */
#include "sim/report/results/result.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/journal.h"
#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/files/text.h"
#include "sim/report/results/results.h"

const char *lte_json_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
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

double lte_json_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
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
    const lte_status status = read_run(&result);
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

const lte_curve *lte_result_curve(const lte_result *result, const char *detector, const char *csi)
{
    for (int i = 0; i < result->n_curves; i++) {
        const lte_curve *curve = &result->curve[i];
        if (strcmp(curve->detector, detector) == 0 && strcmp(curve->csi, csi) == 0)
            return curve;
    }
    return NULL;
}

static bool is_of(const lte_table *ber, int row, const lte_curve *curve)
{
    return strcmp(lte_table_text(ber, row, LTE_BER_DETECTOR), curve->detector) == 0 &&
           strcmp(lte_table_text(ber, row, LTE_BER_CSI), curve->csi) == 0;
}

/* Puts a row of the curve where its SNR belongs. */
static void insert(const lte_table *ber, lte_curve *curve, int row)
{
    int at = curve->n++;
    const double snr = lte_table_real(ber, row, LTE_BER_SNR);
    for (; at > 0 && lte_table_real(ber, curve->row[at - 1], LTE_BER_SNR) > snr; at--)
        curve->row[at] = curve->row[at - 1];
    curve->row[at] = row;
}

static lte_status find_curves(lte_result *result)
{
    const lte_table *ber = &result->ber;
    const size_t n = (size_t)ber->n_rows + 1;
    int *free_row = NULL;
    result->curve = calloc(n, sizeof *result->curve);
    result->curve_rows = free_row = calloc(n, sizeof *result->curve_rows);
    if (!result->curve || !free_row)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the curves of %s", result->dir);
    for (int i = 0; i < ber->n_rows; i++) {
        const char *detector = lte_table_text(ber, i, LTE_BER_DETECTOR);
        const char *csi = lte_table_text(ber, i, LTE_BER_CSI);
        if (lte_result_curve(result, detector, csi))
            continue;
        if (result->n_curves == LTE_MAX_CURVES)
            return lte_refuse("%s/ber.csv: has more than %d curves", result->dir, LTE_MAX_CURVES);
        lte_curve *curve = &result->curve[result->n_curves++];
        *curve = (lte_curve){.detector = detector, .csi = csi, .row = free_row};
        for (int k = i; k < ber->n_rows; k++) {
            if (is_of(ber, k, curve))
                insert(ber, curve, k);
        }
        free_row += curve->n;
    }
    return LTE_OK;
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

lte_status lte_result_read(const char *dir, lte_result *result)
{
    *result = (lte_result){.dir = dir};
    lte_status status = read_run(result);
    const struct {
        const lte_columns *columns;
        lte_table *table;
    } read[] = {{&lte_ber_columns, &result->ber},
                {&lte_layers_columns, &result->layers},
                {&lte_groups_columns, &result->groups},
                {&lte_timing_columns, &result->timing},
                {&lte_latency_columns, &result->latency}};
    for (size_t i = 0; i < sizeof read / sizeof *read && !status; i++)
        status = lte_table_read(dir, read[i].columns, read[i].table);
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
    lte_table_free(&result->ber);
    lte_table_free(&result->layers);
    lte_table_free(&result->groups);
    lte_table_free(&result->timing);
    lte_table_free(&result->latency);
    free(result->curve);
    free(result->curve_rows);
    json_decref(result->run);
    *result = (lte_result){0};
}
