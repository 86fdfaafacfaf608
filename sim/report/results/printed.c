/* Names as papers print them. */
#include "sim/report/results/printed.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#include "phy/base/names.h"
#include "phy/estimation/csi.h"

const char *lte_printed_name(const char *from, char *name, size_t size)
{
    enum { ABBREVIATION = 4 }; /* letters at most */
    size_t letters = 0;
    bool first = true;
    (void)snprintf(name, size, "%s", from);
    for (size_t i = 0; name[i]; i++)
        letters += isalpha((unsigned char)name[i]) != 0;
    for (size_t i = 0; name[i]; i++) {
        if (first || letters <= ABBREVIATION)
            name[i] = (char)toupper((unsigned char)name[i]);
        first = first && !isalpha((unsigned char)name[i]);
    }
    return name;
}

const char *lte_printed_csi(const char *from, char *name, size_t size)
{
    const lte_names known = LTE_NAMES(lte_csi_rows);
    const int csi = lte_name_find(&known, from);
    (void)snprintf(name, size, "%s", csi < 0 ? from : lte_csi_rows[csi].printed);
    return name;
}
