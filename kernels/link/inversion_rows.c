/* The names of the versions of batched inversion on a device. */
#include "kernels/link/inversion_rows.h"

#include <string.h>
#include <strings.h>

#define ROW(id, name, mapping, inverter, low, high, published)                                     \
    [LTE_INVERSION_##id] = {name, mapping, LTE_INVERTER_##inverter, low, high, published},
const lte_inversion_row lte_inversion_rows[LTE_N_INVERSIONS] = {
    [LTE_INVERSION_FAST] = {"fast", "the fastest for the matrices at hand", -1, 1,
                            LTE_INVERSE_MAX_ORDER, false},
    LTE_INVERSIONS(ROW)};
#undef ROW

int lte_inversion_named(int inverter, const char *name)
{
    if (strcasecmp(name, lte_inversion_rows[LTE_INVERSION_FAST].name) == 0)
        return LTE_INVERSION_FAST;
    for (int i = LTE_INVERSION_FAST + 1; i < LTE_N_INVERSIONS; i++) {
        const lte_inversion_row *row = &lte_inversion_rows[i];
        if (row->inverter == inverter && (strcasecmp(name, row->name) == 0 ||
                                          (row->published && strcasecmp(name, "published") == 0)))
            return i;
    }
    return -1;
}
