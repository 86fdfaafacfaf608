#ifndef LTE_KERNELS_LEVELS_H
#define LTE_KERNELS_LEVELS_H
/* Instruction sets that code is built for, and whether this processor has them (stages.c). */

#include <stdbool.h>

bool lte_has_ref(void);
#ifdef LTE_X86_LEVELS
bool lte_has_v3(void);
bool lte_has_v4(void);
#endif
#ifdef LTE_NEON
bool lte_has_neon(void);
#endif

#endif
