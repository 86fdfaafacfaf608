/* The stages for any processor: one lane. */
#include "kernels/stages_cpu.h"

const lte_stages lte_stages_ref = LTE_STAGES("cpu:ref", lte_has_ref);
