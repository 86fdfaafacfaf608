/* The title of a picture. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/report/charts/charted.h"
#include "sim/report/results/words.h"
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

/* What was run, in parts: "3 MHz", "2x2", "MCS 16", "ETU 70 Hz". */
enum { N_FACTS = 4, FACT = 80 };

/* list: of a list of MCS, of which the result is the first one's */
static void find_facts(const json_t *scenario, bool list, char facts[N_FACTS][FACT])
{
    const double n_tx = lte_json_number(scenario, "antennas.tx");
    const double n_rx = lte_json_number(scenario, "antennas.rx");
    const double doppler = lte_json_number(scenario, "channel.doppler_hz");
    const double mcs = lte_json_number(scenario, "code.mcs");
    char name[32], motion[32] = "";
    (void)snprintf(facts[0], FACT, "%g MHz", lte_json_number(scenario, "carrier.bandwidth_mhz"));
    if (n_tx == n_rx)
        (void)snprintf(facts[1], FACT, "%gx%g", n_tx, n_rx);
    else
        (void)snprintf(facts[1], FACT, "%g layer%s on %g antennas", n_tx, n_tx > 1.0 ? "s" : "",
                       n_rx);
    (void)lte_printed_name(lte_json_text(scenario, "modulation"), name, sizeof name);
    if (list)
        (void)snprintf(facts[2], FACT, "several MCS");
    else if (mcs >= 0.0)
        (void)snprintf(facts[2], FACT, "MCS %g", mcs);
    else if (lte_json_at(scenario, "code"))
        (void)snprintf(facts[2], FACT, "%s, code rate %.3g", name,
                       lte_json_number(scenario, "code.rate"));
    else
        (void)snprintf(facts[2], FACT, "%s", name);
    if (doppler > 0.0)
        (void)snprintf(motion, sizeof motion, " %g Hz", doppler);
    (void)snprintf(facts[3], FACT, "%s%s%s",
                   name_channel(lte_json_text(scenario, "channel.model"), name, sizeof name),
                   motion,
                   lte_json_at(scenario, "channel.correlation") ? ", correlated antennas" : "");
}

/* The parts that all folders share, and behind them what is shown of folders that differ. */
static void put_facts(const lte_charted *of, const char *shown, char *title, size_t size)
{
    char first[N_FACTS][FACT], other[N_FACTS][FACT];
    bool shared[N_FACTS] = {true, true, true, true};
    find_facts(of->result[0].scenario, of->is_list[0], first);
    for (int r = 1; r < of->n; r++) {
        find_facts(of->result[r].scenario, of->is_list[r], other);
        for (int k = 0; k < N_FACTS; k++)
            shared[k] = shared[k] && strcmp(first[k], other[k]) == 0;
    }
    *title = '\0';
    for (int k = 0; k < N_FACTS; k++) {
        if (shared[k])
            lte_append(title, size, "%s%s", *title ? ", " : "", first[k]);
    }
    const bool any = *title != '\0';
    if (*shown)
        lte_append(title, size, "%s%s", any ? ": " : "", shown);
    if (!any)
        *title = (char)toupper((unsigned char)*title);
}

void lte_charted_title(const lte_charted *of, const char *others, char *title, size_t size)
{
    const lte_result *first = &of->result[0];
    const char *changed = strstr(first->title, LTE_CHANGED);
    bool alike = true;
    for (int r = 1; r < of->n; r++)
        alike = alike && strcmp(of->result[r].title, first->title) == 0;
    if (!alike)
        put_facts(of, others, title, size);
    else if (changed && is_changed(changed))
        put_facts(of, "", title, size);
    else
        (void)snprintf(title, size, "%.*s",
                       changed ? (int)(changed - first->title) : (int)strlen(first->title),
                       first->title);
}

void lte_charted_label(const lte_charted *of, const char *others, const char *y_label,
                       lte_chart *chart)
{
    lte_charted_title(of, others, chart->title, sizeof chart->title);
    (void)snprintf(chart->y_label, sizeof chart->y_label, "%s", y_label);
}
