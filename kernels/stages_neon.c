/* The stages for aarch64: 4 lanes of NEON. */
#define LTE_REAL_HEADER "kernels/real_neon.h"
#include "kernels/stages_cpu.h"

const lte_stages lte_stages_neon = LTE_STAGES("cpu:neon", lte_has_neon);
