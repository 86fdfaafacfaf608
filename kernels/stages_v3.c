/* The stages for x86-64-v3: 8 lanes of AVX2. */
#define LTE_REAL_HEADER "kernels/real_v3.h"
#include "kernels/stages_cpu.h"

const lte_stages lte_stages_v3 = LTE_STAGES("cpu:v3", lte_has_v3);
