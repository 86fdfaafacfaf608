#ifndef LTE_SIM_JOBS_HOST_MEMORY_H
#define LTE_SIM_JOBS_HOST_MEMORY_H
/*
 * What a run will take of the host's memory, by arithmetic, before it takes any: a scenario may ask
 * for terabytes, and a system that promises them ends the program when it cannot keep its word.
 *
 *     const lte_host_use use = {.work = lte_sweep_work(&link, n_detectors), .sweeps = 1,
 *                               .deadline = true};
 *     int n_threads = 64;
 *     status = lte_host_memory_check(scenario, &link, &use, &n_threads);
 */

#include "kernels/link/link.h"
#include "sim/scenario/scenario.h"

/* The jobs of a run. */
typedef struct {
    double work;   /* bytes of a thread that counts; 0 on a device */
    int sweeps;    /* of so many receivers */
    bool deadline; /* the deadline run, over the link */
    double rounds; /* bytes of a part's (sim/jobs/sweep/part.h) */
    bool dump;     /* channels into a file */
    int most_mb;   /* --host-memory; 0: what there is */
} lte_host_use;

/* Bytes that this process may have: of the machine, or less where the caller has set a limit. */
double lte_host_memory(void);

/*
 * Brings the threads down to as many as stay within most_mb, which bounds the program and all its
 * jobs.
 *
 *   n_threads   1 or more  in: that are wished for; out: that may run
 *
 * Returns LTE_EINVAL if the jobs need more than lte_host_memory, or one thread more than most_mb,
 * naming the bytes and the key or option that asks for most of them.
 */
lte_status lte_host_memory_check(const lte_scenario *scenario, const lte_link *link,
                                 const lte_host_use *use, int *n_threads);

#endif
