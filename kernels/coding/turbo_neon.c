/* The turbo decoder for aarch64: 8 lanes of NEON. */
#define LTE_I16_HEADER "kernels/coding/int16_neon.h"
#include "kernels/coding/turbo_lanes.h"

const lte_turbo_version lte_turbo_neon = LTE_TURBO_VERSION("cpu:neon", lte_has_neon);
