/* The title of a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/report/charts/charted.h"
#include "sim/report/results/printed.h"
#include "sim/scenario/scenario.h"

/* Keys that change no curve but for how long it is counted. */
static bool is_aside(const char *setting)
{
    static const char *const keys[] = {"sweep.", "deadline.", "seed", "backend", "inverter"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strncmp(setting, keys[i], strlen(keys[i])) == 0)
            return true;
    }
    return false;
}

/* Whether --set has changed what the title may speak of: "[changed: modulation=64qam, 4 more]". */
static bool is_changed(const char *changed)
{
    const char *at = changed + strlen(LTE_CHANGED);
    for (; at; at = strstr(at, ", ")) {
        at += strspn(at, ", ");
        if (!is_aside(at))
            return true;
    }
    return false;
}

/* "Rayleigh", "ETU"; what is no name, in words. */
static const char *name_channel(const char *model, char *name, size_t size)
{
    if (strcmp(model, "flat") != 0 && strcmp(model, "file") != 0)
        return lte_printed_name(model, name, size);
    (void)snprintf(name, size, "%s",
                   strcmp(model, "flat") == 0 ? "flat fading" : "channels of a file");
    return name;
}

/* "3 MHz, 2x2, MCS 16, ETU 70 Hz" */
static void put_facts(const json_t *scenario, bool list, char *title, size_t size)
{
    const json_t *antennas = json_object_get(scenario, "antennas");
    const double n_tx = lte_json_number(antennas, "tx"), n_rx = lte_json_number(antennas, "rx");
    const json_t *channel = json_object_get(scenario, "channel");
    const json_t *code = json_object_get(scenario, "code");
    const double doppler = lte_json_number(channel, "doppler_hz");
    const double mcs = lte_json_number(code, "mcs");
    char arrays[64], sent[64], model[32], motion[32] = "";
    (void)lte_printed_name(lte_json_text(scenario, "modulation"), sent, sizeof sent);
    if (list)
        (void)snprintf(sent, sizeof sent, "several MCS");
    else if (mcs >= 0.0)
        (void)snprintf(sent, sizeof sent, "MCS %g", mcs);
    else if (code)
        (void)snprintf(sent + strlen(sent), sizeof sent - strlen(sent), ", code rate %.3g",
                       lte_json_number(code, "rate"));
    if (doppler > 0.0)
        (void)snprintf(motion, sizeof motion, " %g Hz", doppler);
    if (n_tx == n_rx)
        (void)snprintf(arrays, sizeof arrays, "%gx%g", n_tx, n_rx);
    else
        (void)snprintf(arrays, sizeof arrays, "%g layer%s on %g antennas", n_tx,
                       n_tx > 1.0 ? "s" : "", n_rx);
    (void)snprintf(title, size, "%g MHz, %s, %s, %s%s%s",
                   lte_json_number(json_object_get(scenario, "carrier"), "bandwidth_mhz"), arrays,
                   sent, name_channel(lte_json_text(channel, "model"), model, sizeof model), motion,
                   json_object_get(channel, "correlation") ? ", correlated antennas" : "");
}

/* list: of a list of MCS, of which the result is the first one's */
static void put_title(const lte_result *result, bool list, char *title, size_t size)
{
    const char *changed = strstr(result->title, LTE_CHANGED);
    if (changed && is_changed(changed))
        put_facts(result->scenario, list, title, size);
    else if (changed)
        (void)snprintf(title, size, "%.*s", (int)(changed - result->title), result->title);
    else
        (void)snprintf(title, size, "%s", result->title);
}

void lte_charted_title(const lte_charted *of, const char *others, char *title, size_t size)
{
    char one[300];
    put_title(&of->result[0], of->is_list[0], title, size);
    for (int r = 1; r < of->n; r++) {
        put_title(&of->result[r], of->is_list[r], one, sizeof one);
        if (strncmp(one, title, size - 1) != 0)
            (void)snprintf(title, size, "%s", others);
    }
}
