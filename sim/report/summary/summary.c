/* What was simulated; then the sweeps, the deadline, and where the results are. */
#include "sim/report/summary/summary_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/jobs/sweep/throughput.h"
#include "sim/report/results/counted_words.h"
#include "sim/report/results/left_out.h"
#include "phy/detection/plugin.h"
#include "sim/report/results/words.h"

/* The title, and what --set has changed of the scenario that it speaks of. */
static void put_title(lte_lines *text, const lte_scenario *s)
{
    const char *title = s->title[0] ? s->title : s->name, *changed = strstr(title, LTE_CHANGED);
    if (!changed) {
        lte_lines_add(text, "%s", title);
    } else {
        lte_lines_add(text, "%.*s\n", (int)(changed - title), title);
        lte_lines_add(text, "%.*s", (int)strlen(changed) - 3,
                      changed + 2); /* without " [" and "]" */
    }
    lte_lines_end(text);
}

/* What the model assumes or leaves out in few words, one kind of it: "SC-FDMA, echoes ..." */
enum { WORDS = 512 };
static const char *model_of(const lte_scenario *s, lte_model_kind kind, char words[WORDS])
{
    lte_left_out lines[LTE_MOST_LEFT_OUT];
    *words = '\0';
    for (int i = 0, n = lte_left_out_of(s, lines); i < n; i++) {
        if (lines[i].kind == kind)
            lte_append(words, WORDS, "%s%s", *words ? ", " : "", lines[i].brief);
    }
    return words;
}

/* perfect CSI; of receivers that estimate, which the curves name, what they know */
static void put_csi(lte_lines *text, const lte_scenario *s)
{
    char assumed[WORDS];
    const char *only = s->n_csi == 1 ? lte_csi_rows[s->csi[0]].name : NULL;
    if (only)
        lte_lines_add(text, "; %s%s", only, lte_csi_estimates(s->csi[0]) ? "" : " CSI");
    if (lte_scenario_estimates(s))
        lte_lines_add(text, "%s noise %s", only ? "," : ";", lte_noise_names[s->noise].name);
    if (*model_of(s, LTE_MODEL_ASSUMED, assumed))
        lte_lines_add(text, ", %s", assumed);
}

static bool inverts(const lte_scenario *s)
{
    bool any = false;
    for (int i = 0; i < s->n_detectors; i++)
        any = any || lte_detector_needs(s->detectors[i], LTE_NEEDS_INVERSE);
    return any;
}

/* True if the title has these words and is true of the scenario: --set has changed nothing. */
static bool in_title(const lte_scenario *s, const char *words)
{
    const size_t n = strlen(words);
    if (strstr(s->title, LTE_CHANGED))
        return false;
    for (const char *at = strcasestr(s->title, words); at; at = strcasestr(at + 1, words)) {
        if ((at == s->title || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
            return true;
    }
    return false;
}

/* A fact of the link behind a comma, unless the title has it. */
__attribute__((format(printf, 3, 4))) static void put_fact(lte_lines *text, const lte_scenario *s,
                                                           const char *format, ...)
{
    char words[64];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(words, sizeof words, format, values);
    va_end(values);
    if (in_title(s, words))
        return;
    if (text->column > 0)
        lte_lines_add(text, ",");
    lte_lines_add(text, "%s", lte_lines_bind(words));
}

static void put_channel(lte_lines *text, const lte_scenario *s)
{
    char name[32], motion[32] = "";
    (void)lte_printed_name(lte_channel_rows[s->channel].name, name, sizeof name);
    if (s->doppler_hz > 0.0)
        (void)snprintf(motion, sizeof motion, "%g Hz", s->doppler_hz);
    if (*motion && !(in_title(s, name) && in_title(s, motion)))
        put_fact(text, s, "%s at %s", name, motion);
    else
        put_fact(text, s, "%s", name);
    if (s->correlation.given && s->correlation.level >= 0)
        put_fact(text, s, "%s correlation", lte_level_names[s->correlation.level].name);
    else if (s->correlation.given)
        put_fact(text, s, "correlated antennas");
}

/* Who has counted. */
static void put_backend(lte_lines *text, const lte_run_info *info)
{
    if (info->threads == 0)
        lte_lines_add(text, "merged: %s", info->choices);
    else
        lte_lines_add(text, "%s, %d" LTE_BIND "thread%s%s", info->backend, info->threads,
                      lte_plural(info->threads), info->ranks > 1 ? " on rank 0" : "");
    if (info->ranks > 1)
        lte_lines_add(text, "of %d", info->ranks);
}

/*
 * As many at every point, or from the fewest to the most, the same channels and noise for all of
 * them; a search has them in its table.
 */
static void put_slots(lte_lines *text, const lte_sweeps *sweeps)
{
    uint64_t fewest = UINT64_MAX, most = 0;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        if (row->status == LTE_ROW_NODES)
            continue;
        fewest = row->slots < fewest ? row->slots : fewest;
        most = row->slots > most ? row->slots : most;
    }
    if (most == 0 || lte_sweep_is_search(sweeps->of[0]))
        return;
    const char *common = sweeps->of[0]->n_started > 1 ? "common" LTE_BIND : "";
    if (fewest < most)
        lte_lines_add(text, "%llu-%llu" LTE_BIND "%sslots;", (unsigned long long)fewest,
                      (unsigned long long)most, common);
    else
        lte_lines_add(text, "%llu" LTE_BIND "%sslot%s;", (unsigned long long)most, common,
                      lte_plural(most == 1 ? 1 : 2));
}

/* True for a parameter that is no word, has a value, and that what is counted depends on. */
static bool is_said(const lte_scenario *s, const lte_parameter *parameter, double value)
{
    const bool hard = s->counted == LTE_COUNTED_BITS;
    const bool has = value >= parameter->least || parameter->otherwise;
    return parameter->name && !parameter->words && has && !(hard && parameter->of_llrs);
}

/* Parameters that are numbers, as in "CG-4: iterations = 4"; the name itself has those of words. */
static void put_parameters(lte_lines *text, const lte_scenario *s)
{
    for (int i = 0; i < s->n_detectors; i++) {
        const lte_parameter *parameter = lte_detector_row_of(s->detectors[i])->parameter;
        const double *value = s->detectors[i].value;
        char name[sizeof(lte_detector_name)];
        const lte_plugin *plugin = lte_plugin_of(s->detectors[i]);
        int left = 0;
        (void)lte_lines_detector(s->detectors[i], name, sizeof name);
        if (plugin)
            lte_lines_add(text, "%s: plug-in" LTE_BIND "%.60s;", name, plugin->said.path);
        for (int k = 0; k < LTE_MOST_PARAMETERS; k++)
            left += is_said(s, &parameter[k], value[k]);
        for (int k = 0; left > 0; k++) {
            const bool chosen = value[k] < parameter[k].least && parameter[k].otherwise;
            if (!is_said(s, &parameter[k], value[k]))
                continue;
            lte_lines_add(text, "%s%s%s" LTE_BIND "=" LTE_BIND "%g%s", name, *name ? ": " : "",
                          parameter[k].name,
                          chosen ? parameter[k].otherwise(s->n_rx, s->n_tx) : value[k],
                          --left > 0 ? "," : ";");
            *name = '\0';
        }
    }
}

/* Behind what is on the line if there is room, else on lines of their own. */
static void put_left_out(lte_lines *text, const lte_scenario *s)
{
    char words[WORDS];
    const size_t n = strlen("; left out: ") + strlen(model_of(s, LTE_MODEL_LEFT_OUT, words));
    if (*words) {
        if (text->column > 0 && (size_t)text->column + n < LTE_LINES_COLUMNS)
            lte_lines_add(text, ";");
        else
            lte_lines_end(text);
        lte_lines_add(text, "left out: %s", words);
    }
    lte_lines_end(text);
    lte_lines_add(text, "%s\n", model_of(s, LTE_MODEL_NOTE, words));
    if (s->stored.h && s->sweep.max_slots > s->stored.shape.n_slots)
        lte_lines_add(text,
                      "the file has %llu channels: longer rows use them again, and their "
                      "intervals hold for these channels alone\n",
                      (unsigned long long)s->stored.shape.n_slots);
}

static void put_setting(lte_lines *text, const lte_run_info *info, const lte_sweeps *sweeps)
{
    const lte_scenario *s = info->scenario;
    char name[32];
    put_fact(text, s, "%g MHz", s->bandwidth_mhz);
    if (s->n_rb < lte_carrier_find(s->bandwidth_mhz)->n_rb)
        put_fact(text, s, "resource blocks %d to %d", s->first_rb, s->first_rb + s->n_rb - 1);
    put_fact(text, s, "%d subcarriers", s->n_sc);
    if (s->n_tx == s->n_rx) {
        put_fact(text, s, "%dx%d", s->n_tx, s->n_rx);
    } else {
        put_fact(text, s, "%d layer%s", s->n_tx, lte_plural(s->n_tx));
        put_fact(text, s, "%d receive antenna%s", s->n_rx, lte_plural(s->n_rx));
    }
    (void)lte_printed_name(lte_modulation_name(s->n_bits), name, sizeof name);
    const lte_counted_words *words = lte_counted_words_of(s);
    const bool named = *words->uncoded && in_title(s, name);
    if (!lte_scenario_is_list(s)) /* of several MCS each has its own */
        put_fact(text, s, "%s%s%s", words->uncoded, *words->uncoded && !named ? " " : "",
                 named ? "" : name);
    put_channel(text, s);
    put_csi(text, s);
    if (inverts(s))
        lte_lines_add(text, "; %s inverse", lte_inverter_rows[s->inverter].name);
    if (inverts(s) && info->inversion && s->inversion != LTE_INVERSION_FAST)
        lte_lines_add(text, "by %s", info->inversion->name);
    lte_lines_add(text, ";");
    if (words->demapped && lte_scenario_shares_demapper(s))
        lte_lines_add(text, "%s%s", lte_demapper_names[s->demapper].name, words->demapped);
    put_parameters(text, s);
    put_slots(text, sweeps);
    lte_lines_add(text, "seed" LTE_BIND "%llu", (unsigned long long)s->seed);
    if (info->backend) {
        lte_lines_add(text, ";");
        put_backend(text, info);
    }
    put_left_out(text, s);
    if (info->part.given)
        lte_lines_add(text, "slots %llu to %llu of each point, a part of the sweep\n",
                      (unsigned long long)info->part.first, (unsigned long long)info->part.last);
}

/*
 * Payload and rate of the code, if there is one; of receivers that estimate, which carry less, the
 * rate with it.
 */
static void put_code(lte_lines *text, const lte_scenario *s)
{
    const lte_code *code = s->codes[0] ? s->codes[0] : s->codes[1];
    const int mcs = s->code.mcs, transmissions = s->code.transmissions;
    if (!code || lte_scenario_is_list(s))
        return;
    if (mcs >= 0 && s->grid != LTE_GRID_full)
        lte_lines_add(text, "MCS %d, %s" LTE_BIND "grid:", mcs,
                      s->grid == LTE_GRID_pdsch ? "PDSCH" : "PUSCH");
    else if (mcs >= 0)
        lte_lines_add(text, "MCS %d:", mcs);
    const int first = code->transport[0].bits, last = code->transport[code->n_codewords - 1].bits;
    if (first != last)
        lte_lines_add(text, "%d" LTE_BIND "and", first);
    lte_lines_add(text, "%s%d" LTE_BIND "bits, code rate %.3f",
                  code->n_codewords == 2 && first == last ? "2" LTE_BIND "x" LTE_BIND : "", last,
                  lte_code_rate(code));
    if (lte_code_may_be_skipped(code))
        lte_lines_add(text, "(above 0.93: a terminal may skip it)");
    if (s->codes[0] && s->codes[1] && lte_code_sent(s->codes[0]) != lte_code_sent(s->codes[1]))
        lte_lines_add(text, "(%.3f with DM-RS: a part of the loss)", lte_code_rate(s->codes[1]));
    if (transmissions > 1)
        lte_lines_add(text, "; up to %d transmissions (BLER: the first)", transmissions);
    lte_lines_end(text);
}

/* The definition, and how far a row's measured SNR is from what was asked for. */
static void put_snr(lte_lines *text, const lte_sweeps *sweeps)
{
    double farthest = (double)NAN;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++)
        farthest = fmax(farthest, fabs(lte_row_snr_db(sweep, row) - row->snr_db));
    lte_lines_add(text, "SNR: total transmit power over noise per receive antenna");
    if (isfinite(farthest))
        lte_lines_add(text, "; realised to %.2f" LTE_BIND "dB", farthest);
    lte_lines_end(text);
}

void lte_summary_head(lte_lines *text, const lte_run_info *info, const lte_sweeps *sweeps)
{
    const lte_scenario *s = info->scenario;
    put_title(text, s);
    put_setting(text, info, sweeps);
    put_code(text, s);
}

/* How many tests of the channel's statistics fail, and the first of them. */
static void put_proof(lte_lines *text, const lte_channel_validation *proof)
{
    enum { MOST = 3 };
    int shown = 0;
    lte_lines_add(text, "channel statistics: %d of %d tests fail (channel.csv)\n", proof->n_failed,
                  proof->n_lines);
    text->indent = 2;
    for (int i = 0; i < proof->n_lines && shown < MOST; i++) {
        const lte_validation_line *line = &proof->lines[i];
        if (line->pass || line->untested)
            continue;
        char said[LTE_VALIDATION_TEXT];
        lte_validation_text(line, said, sizeof said);
        lte_lines_add(text, "%s\n", said);
        shown++;
    }
    text->indent = 0;
}

void lte_summary(FILE *out, const lte_summary_of *of)
{
    const lte_run_info *info = of->info;
    const lte_scenario *s = info->scenario;
    lte_lines text = {.out = out};
    lte_summary_head(&text, info, of->sweeps);
    put_snr(&text, of->sweeps);
    if (of->sweeps->n > 0)
        lte_summary_sweeps(&text, of->sweeps, of->interrupted);
    if (info->proof && info->proof->drops > 0)
        put_proof(&text, info->proof);
    if (of->deadline && of->deadline->at[LTE_PLACEMENT_HOST].slots > 0)
        lte_summary_deadline(&text, s, of->deadline, info->threads);
    if (of->pareto)
        lte_summary_pareto(&text, of->sweeps, of->pareto);
    lte_lines_add(&text, "results in %s: %s; every row: --table\n", of->dir, of->files);
}
