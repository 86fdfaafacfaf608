/* The table of one instruction set; compiled once for each. */
#include "kernels/variant.h"

#define QUOTE(x) #x
#define QUOTE_EXPANDED(x) QUOTE(x)

const lte_stages LTE_V(lte_stages) = {
    .name = "cpu:" QUOTE_EXPANDED(LTE_VARIANT),
    .usable = LTE_V(lte_usable),
    .source = LTE_V(lte_source),
    .channel = LTE_V(lte_channel),
    .receive = LTE_V(lte_receive),
    .estimate = LTE_V(lte_estimate),
    .corner_turn = LTE_V(lte_corner_turn),
    .gram = LTE_V(lte_gram),
    .invert = LTE_V(lte_invert),
    .detect = LTE_V(lte_detect),
    .count = LTE_V(lte_count),
    .pack = LTE_V(lte_pack),
    .sweep_slot = LTE_V(lte_sweep_slot),
    .slot = LTE_V(lte_slot),
};
