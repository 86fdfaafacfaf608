/* A detector: the values of its row's parameters, its plan, its name. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/detection/demap.h"
#include "phy/detection/plugin.h"

const lte_detector_row *lte_detector_row_of(lte_detector detector)
{
    const lte_plugin *plugin = lte_plugin_of(detector);
    assert(plugin || detector.id < LTE_N_DETECTORS);
    return plugin ? &plugin->row : &lte_detector_rows[detector.id];
}

bool lte_detector_needs(lte_detector detector, unsigned what)
{
    return lte_detector_row_of(detector)->needs & what;
}

lte_detector lte_detector_usual(int id)
{
    lte_detector detector;
    memset(&detector, 0, sizeof detector); /* padding, too: ranks send it */
    detector.id = id;
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++)
        detector.value[i] = lte_detector_row_of(detector)->parameter[i].usual;
    return detector;
}

int lte_detector_compare(lte_detector a, lte_detector b)
{
    if (a.id != b.id)
        return a.id < b.id ? -1 : 1;
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++) {
        if (a.value[i] < b.value[i] || a.value[i] > b.value[i])
            return a.value[i] < b.value[i] ? -1 : 1;
    }
    return 0;
}

int lte_detector_demapper(lte_detector detector, int other)
{
    const lte_parameter *parameter = lte_detector_row_of(detector)->parameter;
    for (int i = 0; i < LTE_MOST_PARAMETERS && parameter[i].name; i++) {
        if (strcmp(parameter[i].name, "demapper") == 0)
            return detector.value[i] < parameter[i].least ? other : (int)detector.value[i];
    }
    return -1;
}

lte_detector_plan lte_detector_plan_of(lte_detector detector, int n_rx, int n_tx, int n_bits,
                                       bool llrs)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    lte_detector_plan plan = {.detector = detector,
                              .n_rx = n_rx,
                              .n_tx = n_tx,
                              .n_bits = n_bits,
                              .llrs = llrs,
                              .demapper = lte_detector_demapper(detector, LTE_DEMAPPER_exact),
                              .loading = row->loading};
    plan.filters = row->filters && row->filters(&plan);
    return plan;
}

int lte_detector_lookups(const lte_detector_plan *plan)
{
    const lte_detector_row *row = lte_detector_row_of(plan->detector);
    return row->lookups ? row->lookups(plan) : 0;
}

lte_status lte_detector_takes(const lte_detector_plan *plan)
{
    const lte_detector_row *row = lte_detector_row_of(plan->detector);
    if (plan->n_rx > row->max_rx)
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d (1 to %d with detector %s)", plan->n_rx, row->max_rx,
                        row->name);
    if (plan->n_tx > row->max_tx)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d with detector %s)", plan->n_tx, row->max_tx,
                        row->name);
    if (!(row->modulations & LTE_MODULATION(plan->n_bits)))
        return LTE_FAIL(LTE_EINVAL, "n_bits=%d is not supported with detector %s", plan->n_bits,
                        row->name);
    if (plan->llrs && !(row->outputs & LTE_GIVES_LLRS))
        return LTE_FAIL(LTE_EINVAL, "LLRs are not supported with detector %s", row->name);
    const char *const refusal = row->refuses ? row->refuses(plan) : NULL;
    if (refusal)
        return LTE_FAIL(LTE_EINVAL, "detector %s: %s", row->name, refusal);
    return lte_plugin_of(plan->detector) ? lte_plugin_takes(plan) : LTE_OK;
}

bool lte_parameter_takes(const lte_parameter *parameter, double *value)
{
    const double parts = parameter->real ? 1000.0 : 1.0, n = rint(*value * parts);
    if (!(*value >= parameter->least && *value <= parameter->most &&
          fabs(*value * parts - n) <= 1e-6))
        return false;
    *value = n / parts;
    return true;
}

/* As it stands in a name, whatever the locale: 12, 2.5. Returns its length. */
static int print_value(double value, char *text, size_t size)
{
    const long n = lrint(value * 1000.0);
    int length = snprintf(text, size, "%ld.%03ld", n / 1000, n % 1000);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    text[length] = '\0';
    return length;
}

/* A parameter as it stands in a name: 4 of the first, then clip12; a word as it is. */
static void print_parameter(const lte_parameter *parameter, bool first, double value, char *text,
                            size_t size)
{
    char number[24] = "";
    if (!parameter->words)
        (void)print_value(value, number, sizeof number);
    (void)snprintf(text, size, "-%s%s",
                   parameter->words ? parameter->words[(int)value]
                   : first          ? ""
                                    : parameter->name,
                   number);
}

lte_detector_name lte_detector_named(lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    lte_detector_name name;
    size_t n = (size_t)snprintf(name.text, sizeof name.text, "%s", row->name);
    for (int i = 0; i < LTE_MOST_PARAMETERS && row->parameter[i].name && n < sizeof name.text;
         i++) {
        const lte_parameter *parameter = &row->parameter[i];
        const double value = detector.value[i];
        const bool usual = !(value < parameter->usual || value > parameter->usual);
        if (usual && (i > 0 || parameter->words || parameter->usual < parameter->least))
            continue;
        print_parameter(parameter, i == 0, value, &name.text[n], sizeof name.text - n);
        n += strlen(&name.text[n]);
    }
    return name;
}

/* Reads a word at *text, which moves on to what follows it; false: it is none of these. */
static bool read_word(const lte_parameter *parameter, const char **text, double *value)
{
    for (int i = 0; i <= (int)parameter->most; i++) {
        const size_t n = strlen(parameter->words[i]);
        if (strncasecmp(*text, parameter->words[i], n) == 0 &&
            ((*text)[n] == '-' || (*text)[n] == '\0')) {
            *value = i;
            *text += n;
            return true;
        }
    }
    return false;
}

/*
 * Reads a value at *text, which moves on to what follows it; false: there is none that the
 * parameter takes, or it is not written as print_value does.
 */
static bool read_value(const lte_parameter *parameter, const char **text, double *value)
{
    const char *at = *text;
    char own[24];
    double parts = 1.0;
    *value = 0.0;
    for (bool point = false; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        parts *= point ? 10.0 : 1.0;
        *value = 10.0 * *value + (*at - '0');
    }
    *value /= parts;
    if (!lte_parameter_takes(parameter, value))
        return false;
    const int n = print_value(*value, own, sizeof own);
    const bool same = at - *text == n && strncmp(*text, own, (size_t)n) == 0;
    *text = at;
    return same;
}

/* Reads "-4-clip12" behind a row's name: what is not there has its usual value. */
static bool read_values(const lte_detector_row *row, const char *text, double *value)
{
    for (int i = 0; *text == '-' && i < LTE_MOST_PARAMETERS && row->parameter[i].name; i++) {
        const lte_parameter *parameter = &row->parameter[i];
        const char *at = text + 1, *const own = i > 0 ? parameter->name : "";
        if (parameter->words) {
            text = read_word(parameter, &at, &value[i]) ? at : text;
            continue;
        }
        if (strncasecmp(at, own, strlen(own)) != 0 || (i == 0 && (*at < '0' || *at > '9')))
            continue;
        at += strlen(own);
        if (!read_value(parameter, &at, &value[i]))
            return false;
        text = at;
    }
    return *text == '\0';
}

bool lte_detector_find(const char *name, lte_detector *detector)
{
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        const lte_detector_row *row = &lte_detector_rows[id];
        const size_t n = strlen(row->name);
        *detector = lte_detector_usual(id);
        if (strncasecmp(name, row->name, n) == 0 && read_values(row, &name[n], detector->value))
            return true;
    }
    return false;
}
