/* --list --json. */
#include "sim/report/about.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/base/levels.h"
#include "kernels/link/inversion_rows.h"
#include "phy/base/modulations.h"
#include "phy/channel/channels.h"
#include "phy/detection/detectors.h"
#include "phy/estimation/csi.h"
#include "phy/inversion/inverters.h"
#include "sim/files/json_memory.h"
#include "sim/files/text.h"
#include "sim/report/shipped.h"

/* A text that may hold anything, as a path does: each byte that is not UTF-8 becomes a ?. */
static json_t *any_text(const char *text)
{
    char clean[PATH_MAX];
    size_t used = 0;
    for (size_t n; *text && used + 4 < sizeof clean; text += n > 0 ? n : 1) {
        n = lte_text_character(text, strnlen(text, 4));
        if (n > 0)
            memcpy(&clean[used], text, n);
        else
            clean[used] = '?';
        used += n > 0 ? n : 1;
    }
    clean[used] = '\0';
    return json_string(clean);
}

/* into: an array. */
static void add_scenario(void *into, const lte_shipped *one)
{
    (void)json_array_append_new(
        into, json_pack("{s:o, s:o, s:o, s:o}", "name", any_text(one->name), "title",
                        any_text(one->title), "path", any_text(one->path), "seconds",
                        isfinite(one->seconds) ? json_real(round(one->seconds)) : json_null()));
}

static json_t *scenarios_json(const lte_pace *pace)
{
    json_t *all = json_array();
    lte_shipped_each(pace, add_scenario, all);
    return all;
}

static json_t *channels_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < LTE_N_CHANNELS; i++) {
        const lte_channel_row *row = &lte_channel_rows[i];
        (void)json_array_append_new(all, json_pack("{s:s, s:s, s:b, s:b}", "name", row->name,
                                                   "text", row->text, "moves", !row->not_moved,
                                                   "correlates", !row->not_correlated));
    }
    return all;
}

/* A number, whole where it is; null where the value is below what may be written. */
static json_t *value_json(const lte_parameter *parameter, double value)
{
    return value < parameter->least ? json_null()
           : parameter->real        ? json_real(value)
                                    : json_integer((json_int_t)value);
}

static json_t *parameter_json(const lte_parameter *parameter)
{
    json_t *words = json_array();
    if (!parameter->words) {
        json_decref(words);
        return json_pack("{s:s, s:o, s:o, s:o, s:b}", "name", parameter->name, "usual",
                         value_json(parameter, parameter->usual), "least",
                         value_json(parameter, parameter->least), "most",
                         value_json(parameter, parameter->most), "of_llrs", parameter->of_llrs);
    }
    for (int i = 0; i <= (int)parameter->most; i++)
        (void)json_array_append_new(words, json_string(parameter->words[i]));
    return json_pack("{s:s, s:o, s:o, s:b}", "name", parameter->name, "usual",
                     parameter->usual < 0.0 ? json_null()
                                            : json_string(parameter->words[(int)parameter->usual]),
                     "words", words, "of_llrs", parameter->of_llrs);
}

static json_t *detector_json(const lte_detector_row *row)
{
    static const char *const outputs[] = {"labels", "llrs", "sinr"}; /* LTE_GIVES_*, bit by bit */
    json_t *parameters = json_array(), *gives = json_array(), *modulations = json_array();
    for (int i = 0; i < LTE_MOST_PARAMETERS && row->parameter[i].name; i++)
        (void)json_array_append_new(parameters, parameter_json(&row->parameter[i]));
    for (unsigned i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        if (row->outputs & 1U << i)
            (void)json_array_append_new(gives, json_string(outputs[i]));
    }
    for (int i = 0; i < LTE_N_MODULATIONS; i++) {
        if (row->modulations & LTE_MODULATION((unsigned)lte_modulation_rows[i].n_bits))
            (void)json_array_append_new(modulations, json_string(lte_modulation_rows[i].name));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i, s:i, s:b, s:b}", "name", row->name, "text",
                     row->text, "parameters", parameters, "outputs", gives, "modulations",
                     modulations, "max_rx", row->max_rx, "max_tx", row->max_tx, "inverts",
                     (row->needs & LTE_NEEDS_INVERSE) != 0, "on_devices", row->on_devices);
}

static json_t *detectors_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < LTE_N_DETECTORS; i++)
        (void)json_array_append_new(all, detector_json(&lte_detector_rows[i]));
    return all;
}

static json_t *inverters_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < LTE_N_INVERTERS; i++) {
        const lte_inverter *row = &lte_inverter_rows[i];
        (void)json_array_append_new(all, json_pack("{s:s, s:s, s:i, s:b}", "name", row->name,
                                                   "text", row->text, "max_order", row->max_order,
                                                   "hermitian", row->hermitian));
    }
    return all;
}

static json_t *versions_json(void)
{
    json_t *all = json_array();
    for (int i = LTE_INVERSION_FAST + 1; i < LTE_N_INVERSIONS; i++) {
        const lte_inversion_row *row = &lte_inversion_rows[i];
        (void)json_array_append_new(
            all,
            json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "name", row->name, "inverter",
                      lte_inverter_rows[row->inverter].name, "text", row->mapping, "min_order",
                      row->min_order, "max_order", row->max_order, "published", row->published));
    }
    return all;
}

static json_t *csi_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < LTE_N_CSI; i++) {
        const lte_csi_row *row = &lte_csi_rows[i];
        (void)json_array_append_new(all, json_pack("{s:s, s:s, s:i, s:i}", "name", row->name,
                                                   "text", row->text, "max_rx", row->max_rx,
                                                   "max_tx", row->max_tx));
    }
    return all;
}

static json_t *modulations_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < LTE_N_MODULATIONS; i++)
        (void)json_array_append_new(all,
                                    json_pack("{s:s, s:i}", "name", lte_modulation_rows[i].name,
                                              "bits", lte_modulation_rows[i].n_bits));
    return all;
}

static json_t *abbreviations_json(void)
{
    json_t *all = json_array();
    for (int i = 0; lte_abbreviations[i].name; i++)
        (void)json_array_append_new(all, json_pack("{s:s, s:s}", "name", lte_abbreviations[i].name,
                                                   "text", lte_abbreviations[i].text));
    return all;
}

/* A row of the backends; reason: why it, or a device of it, is not usable; "": all are. */
static json_t *backend_json(const char *name, const char *text, bool known, bool built, bool usable,
                            const char *reason, json_t *devices)
{
    return json_pack("{s:s, s:s, s:b, s:b, s:b, s:o, s:o}", "name", name, "text", text, "known",
                     known, "built", built, "usable", usable, "reason",
                     *reason ? any_text(reason) : json_null(), "devices", devices);
}

static json_t *level_json(const lte_level *level)
{
    char reason[320] = "";
    const bool built = lte_backend_find(level->name) != NULL, runs = level->usable();
    if (!runs)
        (void)snprintf(reason, sizeof reason, "this processor does not support it");
    else if (!built)
        (void)snprintf(reason, sizeof reason, "this program does not have it; %s",
                       lte_backend_set_command);
    return backend_json(level->name, level->text, true, built, built && runs, reason, json_array());
}

/* The devices of an accelerator: index, name, text. */
static lte_status add_devices(const lte_backend *backend, int n, json_t *devices)
{
    for (int i = 0; i < n; i++) {
        lte_device device;
        const lte_status status = backend->describe(i, &device);
        if (status)
            return status;
        (void)json_array_append_new(devices, json_pack("{s:i, s:o, s:o}", "index", i, "name",
                                                       any_text(device.name), "text",
                                                       any_text(device.text)));
    }
    return LTE_OK;
}

static lte_status add_accelerator(json_t *all)
{
    char reason[320];
    const lte_backend *cuda = lte_backend_find("cuda");
    json_t *devices = json_array();
    const int n = cuda ? cuda->n_devices() : 0;
    const lte_status status = cuda ? add_devices(cuda, n, devices) : LTE_OK;
    (void)snprintf(reason, sizeof reason, "%s%s",
                   cuda ? cuda->why_none() : "this program has no device code; ",
                   cuda ? "" : lte_backend_cuda_command);
    (void)json_array_append_new(all, backend_json("cuda", cuda ? cuda->text : LTE_CUDA_TEXT, true,
                                                  cuda != NULL, n > 0, reason, devices));
    return status;
}

/* Slowest first, and behind them those of other architectures. */
static lte_status backends_json(json_t *all)
{
    for (int i = 0; lte_levels[i].name; i++)
        (void)json_array_append_new(all, level_json(&lte_levels[i]));
    const lte_status status = add_accelerator(all);
    for (int i = 0; lte_levels_elsewhere[i].name; i++)
        (void)json_array_append_new(
            all, backend_json(lte_levels_elsewhere[i].name, lte_levels_elsewhere[i].text, false,
                              false, false, "this is another architecture", json_array()));
    return status;
}

lte_status lte_about_json(FILE *out)
{
    lte_pace pace;
    const char *pretended = NULL;
    lte_status status = lte_pace_measure(&pace);
    if (!status)
        status = lte_level_pretended(&pretended);
    if (status)
        return status;
    lte_json_begin();
    json_t *backends = json_array();
    status = backends_json(backends);
    json_t *root =
        json_pack("{s:s*, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "pretended_level",
                  pretended, "scenarios", scenarios_json(&pace), "channels", channels_json(),
                  "detectors", detectors_json(), "inverters", inverters_json(), "versions",
                  versions_json(), "csi", csi_json(), "modulations", modulations_json(),
                  "abbreviations", abbreviations_json(), "backends", backends);
    char *text = json_dumps(root, JSON_INDENT(2));
    const bool whole = lte_json_is_whole() && root && text;
    if (!status && !whole)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the lists");
    if (!status)
        (void)fprintf(out, "%s\n", text);
    free(text);
    json_decref(root);
    return status;
}
