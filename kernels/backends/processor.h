#ifndef LTE_KERNELS_BACKENDS_PROCESSOR_H
#define LTE_KERNELS_BACKENDS_PROCESSOR_H
/* The processor in words, and its clock. */

#include <stddef.h>

/* Writes the processor's name, "unknown processor" where the system does not tell, to name [size].
 */
void lte_processor_name(char *name, size_t size);

/* Its highest clock in MHz, the present one where the system tells no other; 0: unknown. */
double lte_processor_mhz(void);

#endif
