/* The table of modulations. */
#include "phy/base/modulations.h"

#include <stdbool.h>
#include <stddef.h>

const lte_modulation_row lte_modulation_rows[LTE_N_MODULATIONS] = {
#define ROW(n_bits, name, unit, even, odd, weight_unit, ...)                                       \
    [n_bits / 2 - 1] = {n_bits, name, {even, odd}, weight_unit, {__VA_ARGS__}},
    LTE_MODULATIONS(ROW)
#undef ROW
};

const lte_modulation_row *lte_modulation_of(int n_bits)
{
    const bool known = n_bits >= 2 && n_bits <= LTE_MAX_BITS && n_bits % 2 == 0;
    return known ? &lte_modulation_rows[n_bits / 2 - 1] : NULL;
}
