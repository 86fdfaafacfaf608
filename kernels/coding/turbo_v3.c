/* The turbo decoder for x86-64-v3: 16 lanes of AVX2. */
#define LTE_I16_HEADER "kernels/coding/int16_v3.h"
#include "kernels/coding/turbo_lanes.h"

const lte_turbo_version lte_turbo_v3 = LTE_TURBO_VERSION("cpu:v3", lte_has_v3);
