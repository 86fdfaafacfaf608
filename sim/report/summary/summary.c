/* What was simulated; then the sweeps, the deadline, and where the results are. */
#include "sim/report/summary/summary_parts.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/sweep/throughput.h"
#include "sim/report/results/left_out.h"

/* CSI perfect, dmrs-ls */
static void put_csi(lte_lines *text, const lte_scenario *s)
{
    if (s->n_csi == 1 && !lte_csi_estimates(s->csi[0])) {
        lte_lines_add(text, "perfect CSI,");
        return;
    }
    lte_lines_add(text, "CSI");
    for (int k = 0; k < LTE_N_CSI; k++) {
        if (lte_scenario_has_csi(s, k))
            lte_lines_add(text, "%s,", lte_csi_rows[k].name);
    }
    if (lte_scenario_estimates(s))
        lte_lines_add(text, "noise %s,", lte_noise_names[s->noise].name);
}

static bool inverts(const lte_scenario *s)
{
    bool any = false;
    for (int i = 0; i < s->n_detectors; i++)
        any = any || lte_detector_row(s->detectors[i])->inverts;
    return any;
}

static void put_channel(lte_lines *text, const lte_scenario *s)
{
    char name[32];
    lte_lines_add(text, "%s", lte_lines_name(lte_channel_rows[s->channel].name, name, sizeof name));
    if (s->doppler_hz > 0.0)
        lte_lines_add(text, "at %g Hz", s->doppler_hz);
    if (s->correlation.given && s->correlation.level >= 0)
        lte_lines_add(text, "with %s correlation", lte_level_names[s->correlation.level].name);
    else if (s->correlation.given)
        lte_lines_add(text, "with antennas that correlate");
}

/* Who has counted. */
static void put_backend(lte_lines *text, const lte_run_info *info)
{
    if (info->threads == 0)
        lte_lines_add(text, "merged: %s", info->choices);
    else
        lte_lines_add(text, "%s, %d" LTE_BIND "thread%s%s", info->backend, info->threads,
                      info->threads == 1 ? "" : "s", info->ranks > 1 ? " on rank 0" : "");
    if (info->ranks > 1)
        lte_lines_add(text, "of %d", info->ranks);
}

static void put_setting(lte_lines *text, const lte_run_info *info)
{
    const lte_scenario *s = info->scenario;
    char name[32];
    lte_lines_add(text, "%g" LTE_BIND "MHz, %d" LTE_BIND "subcarriers, %dx%d,", s->bandwidth_mhz,
                  s->n_sc, s->n_tx, s->n_rx);
    if (s->code.n_mcs <= 1) /* of several each has its own */
        lte_lines_add(text, "%s,",
                      lte_lines_name(lte_modulation_name(s->n_bits), name, sizeof name));
    put_channel(text, s);
    lte_lines_add(text, ";");
    put_csi(text, s);
    if (inverts(s))
        lte_lines_add(text, "%s;", lte_inverter_rows[s->inverter].name);
    if (s->output == LTE_OUTPUT_LLR || s->code.given)
        lte_lines_add(text, "%s LLRs;", lte_demapper_names[s->demapper].name);
    lte_lines_add(text, "seed" LTE_BIND "%llu", (unsigned long long)s->seed);
    if (info->backend) {
        lte_lines_add(text, ";");
        put_backend(text, info);
    }
    lte_lines_end(text);
    if (info->part.given) {
        lte_lines_add(text, "slots %llu to %llu of each point, a part of the sweep",
                      (unsigned long long)info->part.first, (unsigned long long)info->part.last);
        lte_lines_end(text);
    }
}

/* Payload and rate of the code; of receivers that estimate, which carry less, the rate with it. */
static void put_code(lte_lines *text, const lte_scenario *s)
{
    const lte_code *code = s->codes[0] ? s->codes[0] : s->codes[1];
    if (s->code.mcs >= 0)
        lte_lines_add(text, "MCS %d:", s->code.mcs);
    lte_lines_add(text, "%s%d bits, code rate %.3f",
                  code->n_codewords == 2 ? "two codewords of " : "", code->transport[0].bits,
                  lte_code_rate(code));
    if (s->codes[0] && s->codes[1])
        lte_lines_add(text, "(%.3f with DM-RS)", lte_code_rate(s->codes[1]));
    if (s->code.transmissions > 1)
        lte_lines_add(text, "; up to %d transmissions", s->code.transmissions);
    lte_lines_end(text);
}

/* What is left out, or else what is taken for granted. */
typedef struct {
    lte_lines *text;
    bool omitted, begun;
} said;

static void say(bool omitted, const char *whole, const char *brief, void *user)
{
    said *s = user;
    (void)whole;
    if (omitted != s->omitted)
        return;
    if (s->begun)
        lte_lines_add(s->text, ";");
    else if (omitted)
        lte_lines_add(s->text, "left out:");
    lte_lines_add(s->text, "%s", brief);
    s->begun = true;
}

static void put_left_out(lte_lines *text, const lte_scenario *scenario)
{
    said s = {text, true, false};
    lte_left_out(scenario, say, &s);
    s.omitted = false;
    lte_left_out(scenario, say, &s);
    lte_lines_end(text);
    if (scenario->stored.h && scenario->sweep.max_slots > scenario->stored.shape.n_slots) {
        lte_lines_add(text,
                      "the file's %llu channels come again in longer rows: these speak of them "
                      "alone",
                      (unsigned long long)scenario->stored.shape.n_slots);
        lte_lines_end(text);
    }
}

/* The definition, and how far a row's measured SNR is from what was asked for. */
static void put_snr(lte_lines *text, const lte_sweeps *sweeps)
{
    double farthest = (double)NAN;
    for (int k = 0; k < sweeps->n; k++) {
        const lte_row *row;
        for (int i = 0; (row = lte_sweep_started(sweeps->of[k], i)); i++)
            farthest = fmax(farthest, fabs(lte_row_snr_db(row) - row->snr_db));
    }
    lte_lines_add(text, "SNR: transmit power over noise per receive antenna");
    if (isfinite(farthest))
        lte_lines_add(text, "; measured within %.2f" LTE_BIND "dB", farthest);
    lte_lines_end(text);
}

void lte_summary_head(lte_lines *text, const lte_run_info *info)
{
    const lte_scenario *s = info->scenario;
    lte_lines_add(text, "%s", s->title[0] ? s->title : s->name);
    lte_lines_end(text);
    put_setting(text, info);
    if (s->code.given && s->code.n_mcs <= 1)
        put_code(text, s);
    put_left_out(text, s);
}

void lte_summary(FILE *out, const lte_summary_of *of)
{
    const lte_run_info *info = of->info;
    const lte_scenario *s = info->scenario;
    lte_lines text = {.out = out};
    lte_summary_head(&text, info);
    put_snr(&text, of->sweeps);
    if (of->sweeps->n > 0)
        lte_summary_sweeps(&text, of->sweeps, of->interrupted);
    if (info->proof && info->proof->drops > 0) {
        lte_lines_add(&text, "channel held against its law: %d of %d lines fail (channel.csv)",
                      info->proof->n_failed, info->proof->n_lines);
        lte_lines_end(&text);
    }
    if (of->deadline && of->deadline->at[LTE_PLACEMENT_HOST].slots > 0)
        lte_summary_deadline(&text, s, of->deadline);
    lte_lines_add(&text, "results in %s: %s; every row: --table", of->dir, of->files);
    lte_lines_end(&text);
}
