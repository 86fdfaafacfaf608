/* The lines are what --set says, over a scenario that is right. */
#include "fuzz.h"

#include "sim/scenario/scenario.h"

static const char base[] = "carrier = { bandwidth_mhz = 1.4; };\n"
                           "antennas = { tx = 2; rx = 2; };\n"
                           "modulation = \"qpsk\";\n"
                           "channel = { model = \"eva\"; doppler_hz = 70.0; };\n"
                           "detectors = ( \"zf\", { name = \"cg\"; iterations = 4; } );\n"
                           "csi = ( \"perfect\", \"dmrs-ls\" );\n"
                           "sweep = { snr_db = [ 0.0, 12.0, 4.0 ]; };\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    const char *sets[MOST];
    int n = 0;
    lte_scenario *scenario = NULL;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at && n < MOST;) {
        char *end = strchr(at, '\n');
        sets[n++] = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
    if (lte_scenario_read(file_of((const uint8_t *)base, sizeof base - 1), sets, n, &scenario) ==
        LTE_OK) {
        json_t *json = lte_scenario_json(scenario);
        if (!json)
            abort();
        json_decref(json);
    } else if (scenario) {
        abort();
    }
    lte_scenario_free(scenario);
    free(text);
    return 0;
}
