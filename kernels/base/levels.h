#ifndef LTE_KERNELS_LEVELS_H
#define LTE_KERNELS_LEVELS_H
/*
 * The instruction sets that are known for this architecture, slowest first, and whether this
 * processor runs them. Which of them a program has: kernels/backends/program_parts.h.
 */

#include <stdbool.h>

#include "phy/base/status.h"

#define LTE_LEVEL_REF "plain loops, any processor"
#define LTE_LEVEL_V3 "8 lanes, x86-64-v3 (AVX2, FMA)"
#define LTE_LEVEL_V4 "16 lanes, x86-64-v4 (AVX-512)"
#define LTE_LEVEL_NEON "4 lanes, aarch64 (NEON)"

typedef struct {
    const char *name; /* as in backend = "cpu:v3" */
    const char *text; /* one line for --list */
    bool (*usable)(void);
    int floats; /* that a register holds */
} lte_level;

/* A row without a name ends each list: those of this architecture, and those of others. */
extern const lte_level lte_levels[], lte_levels_elsewhere[];

/*
 * The set, as in "v3", that LTE_PRETEND_LEVEL in the environment says, for tests: sets above it
 * are then not usable, as on a processor that ends there. NULL: none is said. The variable is read
 * once.
 *
 * Returns LTE_EINVAL for a name that is not a set of this architecture; all that the processor runs
 * is usable then.
 */
lte_status lte_level_pretended(const char **name);

/*
 * True on a processor that runs the set, unless a lower one is pretended; false for all sets of
 * another architecture.
 */
bool lte_has_ref(void);
bool lte_has_v3(void);
bool lte_has_v4(void);
bool lte_has_neon(void);

#endif
