#ifndef LTE_KERNELS_LEVELS_H
#define LTE_KERNELS_LEVELS_H
/*
 * The instruction sets that are known for this architecture, slowest first, and whether this
 * processor runs them. Which of them a program has: kernels/backends/program_parts.h.
 */

#include <stdbool.h>

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

/* A row without a name ends the list. */
extern const lte_level lte_levels[];

/* True on a processor that runs the set; false for all sets of another architecture. */
bool lte_has_ref(void);
bool lte_has_v3(void);
bool lte_has_v4(void);
bool lte_has_neon(void);

#endif
