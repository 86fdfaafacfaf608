#ifndef LTE_SIM_MACHINE_H
#define LTE_SIM_MACHINE_H
/* What machine this is, in words. */

#include <stddef.h>

/* Writes the processor's name, "unknown processor" where the system does not tell, to name [size].
 */
void lte_processor_name(char *name, size_t size);

#endif
