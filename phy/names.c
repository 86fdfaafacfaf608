#include "phy/names.h"

#include <string.h>

#define ENTRY(id, name, text) {name, text},
const lte_name lte_channel_names[LTE_N_CHANNELS] = {LTE_CHANNELS(ENTRY)};
const lte_name lte_csi_names[LTE_N_CSI] = {LTE_CSIS(ENTRY)};
#undef ENTRY

lte_name lte_list_at(lte_list list, int i)
{
    lte_name name;
    memcpy(&name, (const char *)list.rows + (size_t)i * list.row_size, sizeof name);
    return name;
}

int lte_list_find(lte_list list, const char *name)
{
    for (int i = 0; i < list.n; i++) {
        if (strcmp(lte_list_at(list, i).name, name) == 0)
            return i;
    }
    return -1;
}
