#ifndef LTE_KERNELS_BACKEND_NAMES_H
#define LTE_KERNELS_BACKEND_NAMES_H
/* Names that the key `backend` and --backend accept; which are usable here is for lte_backend_open. */

#include <stdbool.h>

/* True if name is a backend name of this build. */
bool lte_backend_known(const char *name);

/* The names, as "auto, cpu, cpu:ref, ...", for messages. */
const char *lte_backend_names(void);

#endif
