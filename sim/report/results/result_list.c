/* Result folders of either kind: of one run, or of a list of MCS. */
#include "sim/report/results/result.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/results/results_folder.h"

static lte_status read_mcs(lte_result_folder *folder, int i, const char *dir)
{
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%s/mcs_%d", dir, folder->mcs[i]);
    folder->dirs[i] = strdup(path);
    return folder->dirs[i] ? lte_result_read(folder->dirs[i], &folder->of[i])
                           : LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
}

lte_status lte_result_folder_read(const char *dir, lte_result_folder *folder)
{
    *folder = (lte_result_folder){.n = 0};
    lte_status status = lte_mcs_list(dir, &folder->mcs, &folder->n);
    if (status || folder->n == 0)
        return status ? status : lte_result_read(dir, &folder->top);
    folder->of = calloc((size_t)folder->n, sizeof *folder->of);
    folder->dirs = calloc((size_t)folder->n, sizeof *folder->dirs);
    if (!folder->of || !folder->dirs)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
    for (int i = 0; i < folder->n && !status; i++)
        status = read_mcs(folder, i, dir);
    return status ? status : lte_result_top(dir, folder->of, folder->mcs, folder->n, &folder->top);
}

void lte_result_folder_free(lte_result_folder *folder)
{
    lte_result_free(&folder->top);
    for (int i = 0; folder->of && i < folder->n; i++)
        lte_result_free(&folder->of[i]);
    for (int i = 0; folder->dirs && i < folder->n; i++)
        free(folder->dirs[i]);
    free(folder->of);
    free(folder->dirs);
    free(folder->mcs);
    *folder = (lte_result_folder){.n = 0};
}
