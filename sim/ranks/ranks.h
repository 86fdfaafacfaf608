#ifndef LTE_SIM_RANKS_RANKS_H
#define LTE_SIM_RANKS_RANKS_H
/*
 * The processes of a run that mpirun or srun began: ranks. Rank 0 runs the jobs, writes the files
 * and hands chunks of its sweeps to all; the others count chunks until it tells them to end. Where
 * no launcher began the program, or only one process, there is rank 0 alone, and MPI is not begun.
 *
 *     lte_ranks ranks;
 *     lte_status status = lte_ranks_begin(&ranks);
 *     status = lte_ranks_agree(&ranks, status);        // all go on, or none
 *     if (ranks.rank > 0)
 *         status = lte_ranks_serve(&ranks, scenario, take, user);
 *     else {
 *         status = lte_ranks_take(&ranks, csi, status, worker);    // ranks 1 to n - 1
 *         ... lte_sweep_run with them ...
 *     }
 *     code = lte_ranks_end(&ranks, code);
 *
 * All of it is called by one thread of a process. A call of MPI that fails is LTE_EDEVICE, once:
 * what comes after it on this rank waits for nobody.
 */

#include "sim/jobs/workers/workers.h"
#include "sim/scenario/scenario.h"

typedef struct {
    int rank, n;        /* this process among all */
    int local, n_local; /* and among those of this machine */
    bool begun;         /* MPI is */
    bool served;        /* rank 0: the others wait for work */
    bool lost;          /* one of them does not answer, or rank 0 */
} lte_ranks;

/* "OpenMPI 4.1.4" or the like of the MPI that this build has, or NULL. */
const char *lte_ranks_library(void);

/* Returns LTE_EDEVICE if there are several processes and this build has no MPI, or it fails. */
lte_status lte_ranks_begin(lte_ranks *ranks);

/*
 * Tells the others to end, if this is rank 0; every rank calls it last, whatever happened. If one
 * is lost, or MPI has failed on one, all processes end here.
 *
 * Returns the exit code: code, or another than 0 where MPI has failed.
 */
int lte_ranks_end(lte_ranks *ranks, int code);

/*
 * What went wrong on any rank, LTE_OK if nothing did; every rank calls it at the same place.
 * Failures of ranks other than 0 wait until then: the first such rank announces its own, if 0 has
 * none.
 */
lte_status lte_ranks_agree(const lte_ranks *ranks, lte_status status);

/* Returns LTE_EINVAL on a rank whose text is not that of rank 0; every rank calls it. */
lte_status lte_ranks_same(const lte_ranks *ranks, const char *text);

/*
 * Lets every rank take engines for the receiver of a csi; rank 0 alone calls it, with how it fared
 * itself.
 *
 *   worker   [n - 1]  out: the other ranks
 *
 * Returns what any rank failed with.
 */
lte_status lte_ranks_take(lte_ranks *ranks, int csi, lte_status own, lte_worker *worker);

/* Gives the workers back, which are idle. */
void lte_ranks_leave(const lte_ranks *ranks, lte_worker *worker);

/* Takes engines for a csi and says which worker they are, one on a thread of its own. */
typedef lte_status lte_ranks_taker(int csi, void *user, lte_worker **worker);

/*
 * Counts what rank 0 hands out until it says that there is no more; every rank but 0 calls it.
 * Returns what the engines return, and LTE_EDEVICE if rank 0 is silent after a stop signal.
 */
lte_status lte_ranks_serve(lte_ranks *ranks, const lte_scenario *scenario, lte_ranks_taker *take,
                           void *user);

#endif
