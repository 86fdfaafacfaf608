#ifndef LTE_KERNELS_BACKENDS_PROCESSOR_H
#define LTE_KERNELS_BACKENDS_PROCESSOR_H
/* The processor in words. */

#include <stddef.h>

/* Writes the processor's name, "unknown processor" where the system does not tell, to name [size].
 */
void lte_processor_name(char *name, size_t size);

#endif
