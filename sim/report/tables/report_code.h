#ifndef LTE_SIM_REPORT_CODE_H
#define LTE_SIM_REPORT_CODE_H
/* The code in the header of a run: its grid, its blocks, their transmissions. */

#include <stdio.h>

#include "sim/scenario/scenario.h"

void lte_report_code(FILE *out, const lte_scenario *scenario);

#endif
