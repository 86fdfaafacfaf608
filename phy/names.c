#include "phy/names.h"

#include <string.h>

#define ENTRY(id, name, text) {name, text},
const lte_name lte_channel_names[LTE_N_CHANNELS] = {LTE_CHANNELS(ENTRY)};
const lte_name lte_detector_names[LTE_N_DETECTORS] = {LTE_DETECTORS(ENTRY)};
const lte_name lte_inverter_names[LTE_N_INVERTERS] = {LTE_INVERTERS(ENTRY)};
const lte_name lte_csi_names[LTE_N_CSI] = {LTE_CSIS(ENTRY)};
#undef ENTRY

int lte_name_find(const lte_name *list, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i].name, name) == 0)
            return i;
    }
    return -1;
}
