/* The stages for x86-64-v4: 16 lanes of AVX-512. */
#define LTE_REAL_HEADER "kernels/real_v4.h"
#include "kernels/stages_cpu.h"

const lte_stages lte_stages_v4 = LTE_STAGES("cpu:v4", lte_has_v4);
