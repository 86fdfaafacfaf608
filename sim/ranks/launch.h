#ifndef LTE_SIM_RANKS_LAUNCH_H
#define LTE_SIM_RANKS_LAUNCH_H
/* Whether a launcher of MPI began this program as one of several processes. */

#include <stdbool.h>
#include <stdlib.h>

/*
 * By the number of processes that OpenMPI, MPICH or Slurm's plugins for them put into the
 * environment.
 */
static inline bool lte_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *n = getenv(names[i]);
        if (n && strtol(n, NULL, 10) > 1)
            return true;
    }
    /* PMIx tells a rank alone; srun the number of its tasks */
    const char *tasks = getenv("SLURM_NTASKS");
    return getenv("PMIX_RANK") && tasks && strtol(tasks, NULL, 10) > 1;
}

#endif
