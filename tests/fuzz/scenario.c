/* The bytes are a scenario; what is read can be written. */
#include "fuzz.h"

#include "sim/scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lte_scenario *scenario = NULL;
    if (lte_scenario_read(file_of(data, size), NULL, 0, &scenario) == LTE_OK) {
        json_t *json = lte_scenario_json(scenario);
        if (!json)
            abort();
        json_decref(json);
    } else if (scenario) {
        abort();
    }
    lte_scenario_free(scenario);
    return 0;
}
