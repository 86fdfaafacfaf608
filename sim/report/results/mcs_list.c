/* Which runs a list of MCS has left. */
#include "sim/report/results/mcs_list.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/results/results_folder.h"

enum { MOST_MCS = 100 };

static bool has_run(const char *dir)
{
    char path[PATH_MAX + 32];
    return (size_t)snprintf(path, sizeof path, "%s/run.json", dir) < sizeof path &&
           access(path, F_OK) == 0;
}

typedef struct {
    int mcs[MOST_MCS], n;
} found;

static lte_status add(const char *path, int mcs, void *user)
{
    found *list = user;
    if (has_run(path))
        list->mcs[list->n++] = mcs;
    return LTE_OK;
}

lte_status lte_mcs_list(const char *dir, int **mcs, int *n)
{
    found list = {.n = 0};
    *mcs = NULL;
    *n = 0;
    if (has_run(dir))
        return LTE_OK;
    const lte_status status = lte_results_each_mcs(dir, add, &list);
    if (status || list.n == 0)
        return status;
    *mcs = malloc((size_t)list.n * sizeof **mcs);
    if (!*mcs)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
    memcpy(*mcs, list.mcs, (size_t)list.n * sizeof **mcs);
    *n = list.n;
    return LTE_OK;
}
