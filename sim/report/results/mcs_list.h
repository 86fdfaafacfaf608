#ifndef LTE_SIM_REPORT_MCS_LIST_H
#define LTE_SIM_REPORT_MCS_LIST_H
/*
 * The folder of a list of MCS, which has no run.json, but runs below it: DIR/mcs_4.
 *
 *     int *mcs, n;
 *     lte_status status = lte_mcs_list("out/adaptation", &mcs, &n);
 *     free(mcs);
 */

#include "phy/base/status.h"

/* The MCS of a list by rising number, which the caller frees; *n = 0, NULL: none. LTE_ENOMEM. */
lte_status lte_mcs_list(const char *dir, int **mcs, int *n);

#endif
