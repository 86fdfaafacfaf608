/* The instruction sets of this architecture. */
#include "kernels/base/levels.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Places in lte_levels of what may be pretended. */
enum { UNREAD = -3, UNKNOWN = -2, NONE = -1, REF = 0, V3 = 1, V4 = 2, NEON = 1 };

static const char variable[] = "LTE_PRETEND_LEVEL";
static const char prefix[] = "cpu:"; /* how each name begins */

static int read_pretended(void)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return NONE;
    for (int i = 0; lte_levels[i].name; i++) {
        if (strcmp(lte_levels[i].name + sizeof prefix - 1, text) == 0)
            return i;
    }
    return UNKNOWN;
}

/* The place of the set that is pretended, or UNKNOWN, or NONE. */
static int pretended(void)
{
    static atomic_int place = UNREAD; /* several threads may read it at once: all find the same */
    if (atomic_load(&place) == UNREAD)
        atomic_store(&place, read_pretended());
    return atomic_load(&place);
}

/* True unless a set below that place is pretended. */
static bool is_reached(int place)
{
    const int top = pretended();
    return top < 0 || place <= top;
}

lte_status lte_level_pretended(const char **name)
{
    const int top = pretended();
    *name = top >= 0 ? lte_levels[top].name + sizeof prefix - 1 : NULL;
    if (top != UNKNOWN)
        return LTE_OK;
    char known[64] = "";
    for (int i = 0; lte_levels[i].name; i++) {
        (void)strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        (void)strncat(known, lte_levels[i].name + sizeof prefix - 1,
                      sizeof known - strlen(known) - 1);
    }
    return LTE_FAIL(LTE_EINVAL, "%s is %.40s: must be one of %s", variable, getenv(variable),
                    known);
}

bool lte_has_ref(void)
{
    return true;
}

bool lte_has_v3(void)
{
#ifdef __x86_64__
    return is_reached(V3) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

bool lte_has_v4(void)
{
#ifdef __x86_64__
    return is_reached(V4) && lte_has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

bool lte_has_neon(void)
{
#ifdef __aarch64__
    return is_reached(NEON); /* a part of the architecture */
#else
    return false;
#endif
}

#define ROW_REF                                                                                    \
    {                                                                                              \
        "cpu:ref", LTE_LEVEL_REF, lte_has_ref, 4                                                   \
    }
#define ROW_V3                                                                                     \
    {                                                                                              \
        "cpu:v3", LTE_LEVEL_V3, lte_has_v3, 8                                                      \
    }
#define ROW_V4                                                                                     \
    {                                                                                              \
        "cpu:v4", LTE_LEVEL_V4, lte_has_v4, 16                                                     \
    }
#define ROW_NEON                                                                                   \
    {                                                                                              \
        "cpu:neon", LTE_LEVEL_NEON, lte_has_neon, 4                                                \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, NULL, 0                                                                        \
    }

#if defined(__x86_64__)
const lte_level lte_levels[] = {[REF] = ROW_REF, [V3] = ROW_V3, [V4] = ROW_V4, END};
const lte_level lte_levels_elsewhere[] = {ROW_NEON, END};
#elif defined(__aarch64__)
const lte_level lte_levels[] = {[REF] = ROW_REF, [NEON] = ROW_NEON, END};
const lte_level lte_levels_elsewhere[] = {ROW_V3, ROW_V4, END};
#else
const lte_level lte_levels[] = {[REF] = ROW_REF, END};
const lte_level lte_levels_elsewhere[] = {ROW_V3, ROW_V4, ROW_NEON, END};
#endif
