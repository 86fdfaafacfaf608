#ifndef LTE_SIM_LIBRARY_CHOICES_H
#define LTE_SIM_LIBRARY_CHOICES_H
/*
 * What the library's plans have in common.
 *
 *     status = lte_choose_backend(plan->backend, plan->n_threads, &backend, &device);
 */

#include "kernels/backends/backend.h"
#include "phy/base/names.h"

/* Refuses a name that is not among those that there are, which it lists. Returns LTE_EINVAL. */
lte_status lte_refuse_name(const char *what, const char *name, const lte_names *names);

/* Returns LTE_EINVAL with the name of an array that is NULL. */
lte_status lte_need_array(const char *name, const void *array);

/*
 * The first place of a backend's name; NULL stands for "cpu". Returns LTE_EINVAL for an unknown
 * name and for a number of threads out of range, LTE_EDEVICE for what this machine does not have.
 */
lte_status lte_choose_backend(const char *name, int n_threads, const lte_backend **backend,
                              int *device);

#endif
