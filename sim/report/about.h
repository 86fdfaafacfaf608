#ifndef LTE_SIM_REPORT_ABOUT_H
#define LTE_SIM_REPORT_ABOUT_H
/*
 * What the program says of itself.
 *
 *     lte_about_version(stdout);
 *     lte_status status = lte_about_lists(stdout);
 */

#include <stdio.h>

#include "phy/base/status.h"

/* --version: of each optional part yes or no. */
void lte_about_version(FILE *out);

/* --list: what a scenario may choose. Returns LTE_EDEVICE for a device that cannot be asked. */
lte_status lte_about_lists(FILE *out);

#endif
