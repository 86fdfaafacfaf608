/* The turbo decoder for x86-64-v4: 32 lanes of AVX-512. */
#define LTE_I16_HEADER "kernels/coding/int16_v4.h"
#include "kernels/coding/turbo_lanes.h"

const lte_turbo_version lte_turbo_v4 = LTE_TURBO_VERSION("cpu:v4", lte_has_v4);
