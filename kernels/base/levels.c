/* The instruction sets of this architecture. */
#include "kernels/base/levels.h"

#include <stddef.h>

bool lte_has_ref(void)
{
    return true;
}

bool lte_has_v3(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

bool lte_has_v4(void)
{
#ifdef __x86_64__
    return lte_has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

bool lte_has_neon(void)
{
#ifdef __aarch64__
    return true; /* a part of the architecture */
#else
    return false;
#endif
}

const lte_level lte_levels[] = {
    {"cpu:ref", LTE_LEVEL_REF, lte_has_ref, 4},
#ifdef __x86_64__
    {"cpu:v3", LTE_LEVEL_V3, lte_has_v3, 8},
    {"cpu:v4", LTE_LEVEL_V4, lte_has_v4, 16},
#endif
#ifdef __aarch64__
    {"cpu:neon", LTE_LEVEL_NEON, lte_has_neon, 4},
#endif
    {NULL, NULL, NULL, 0},
};
