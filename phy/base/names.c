/* How rows of any kind are searched by name. */
#include "phy/base/names.h"

#include <string.h>

const char *lte_name_at(const lte_names *names, int i)
{
    const char *first = (const char *)names->first;
    return *(const char *const *)(const void *)(first + (size_t)i * names->stride);
}

int lte_name_find(const lte_names *names, const char *name)
{
    for (int i = 0; i < names->n; i++) {
        if (strcmp(lte_name_at(names, i), name) == 0)
            return i;
    }
    return -1;
}
