/* A build without MPI: rank 0 alone. */
#include "sim/ranks/launch.h"
#include "sim/ranks/ranks.h"

const char *lte_ranks_library(void)
{
    return NULL;
}

lte_status lte_ranks_begin(lte_ranks *ranks)
{
    *ranks = (lte_ranks){.n = 1, .n_local = 1};
    return lte_launched()
               ? LTE_FAIL(
                     LTE_EDEVICE,
                     "started as one of several processes, but this program was built without MPI")
               : LTE_OK;
}

int lte_ranks_end(lte_ranks *ranks, int code)
{
    (void)ranks;
    return code;
}

lte_status lte_ranks_agree(const lte_ranks *ranks, lte_status status)
{
    (void)ranks;
    return status;
}

lte_status lte_ranks_same(const lte_ranks *ranks, const char *text)
{
    (void)ranks;
    (void)text;
    return LTE_OK;
}

lte_status lte_ranks_take(lte_ranks *ranks, int csi, lte_status own, lte_worker *worker)
{
    (void)ranks;
    (void)csi;
    (void)worker;
    return own;
}

void lte_ranks_leave(const lte_ranks *ranks, lte_worker *worker)
{
    (void)ranks;
    (void)worker;
}

lte_status lte_ranks_serve(lte_ranks *ranks, const lte_scenario *scenario, lte_ranks_taker *take,
                           void *user)
{
    (void)ranks;
    (void)scenario;
    (void)take;
    (void)user;
    return LTE_OK;
}
