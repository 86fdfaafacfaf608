#ifndef LTE_SIM_JOBS_HOST_MEMORY_H
#define LTE_SIM_JOBS_HOST_MEMORY_H
/*
 * What a run will take of the host's memory, by arithmetic, before it takes any: a scenario may ask
 * for terabytes, and a system that promises them ends the program when it cannot keep its word.
 *
 *     const lte_host_use use = {.n_threads = 2, .is_cpu = true, .sweeps = 1, .deadline = true};
 *     status = lte_host_memory_check(scenario, &link, &use);
 */

#include "kernels/link.h"
#include "sim/scenario/scenario.h"

/* The jobs of a run. */
typedef struct {
    int n_threads;
    bool is_cpu;   /* the engine's memory is the host's */
    int sweeps;    /* of so many receivers */
    bool deadline; /* the deadline run, over the link */
} lte_host_use;

/* Bytes that this process may have: of the machine, or less where the caller has set a limit. */
double lte_host_memory(void);

/*
 * Returns LTE_EINVAL if the jobs need more than lte_host_memory, naming the bytes and the key or
 * option that asks for most of them.
 */
lte_status lte_host_memory_check(const lte_scenario *scenario, const lte_link *link,
                                 const lte_host_use *use);

#endif
