#ifndef LTE_KERNELS_BACKENDS_CPU_H
#define LTE_KERNELS_BACKENDS_CPU_H
/* The CPU backends: the same code over the stages of one instruction set each. */

#include "kernels/backends/backend.h"

extern const lte_backend lte_backend_cpu_ref;
#ifdef LTE_X86_LEVELS
extern const lte_backend lte_backend_cpu_v3;
extern const lte_backend lte_backend_cpu_v4;
#endif
#ifdef LTE_NEON
extern const lte_backend lte_backend_cpu_neon;
#endif

#endif
