/* Packing of whole slots: labels to rows of hard bits. */
#include "kernels/cpu/pack_cpu.h"

static void pack_stage(const lte_link *link, int g0, int g1, const uint32_t *label, uint8_t *bits)
{
    for (int g = g0; g < g1; g++)
        pack_group(link, g, &label[(ptrdiff_t)g * LTE_SLOT_SYMBOLS * link->n_tx * LTE_LANES], bits);
}
