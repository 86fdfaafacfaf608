#ifndef LTE_SIM_REPORT_ABOUT_H
#define LTE_SIM_REPORT_ABOUT_H
/*
 * What the program says of itself.
 *
 *     lte_about_version(stdout);
 *     lte_status status = lte_about_lists(stdout);
 */

#include <stdio.h>

#include "phy/base/names.h"
#include "phy/base/status.h"

/* --version: of each optional part yes or no. */
void lte_about_version(FILE *out);

/*
 * --list: the scenarios that come with the program, about how long each takes on the processors of
 * this machine, and what a scenario may choose; under a second. Returns LTE_ENOMEM, LTE_EDEVICE for
 * a device that cannot be asked.
 */
lte_status lte_about_lists(FILE *out);

/*
 * --list --json: the same and more as one JSON document, for programs; sim/README.md has its keys.
 * Returns LTE_ENOMEM, LTE_EDEVICE for a device that cannot be asked.
 */
lte_status lte_about_json(FILE *out);

/* What the lists abbreviate; a row without a name ends them. */
extern const lte_name lte_abbreviations[];

#endif
