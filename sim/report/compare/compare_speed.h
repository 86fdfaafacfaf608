#ifndef LTE_SIM_REPORT_COMPARE_SPEED_H
#define LTE_SIM_REPORT_COMPARE_SPEED_H
/* Times of two runs side by side, for compare.c. */

#include <stdio.h>

#include "sim/report/results/result.h"

/* Rates of the sweeps by detector, and the deadline; nothing where neither has any. */
void lte_compare_speed(FILE *out, const lte_result *first, const lte_result *later);

#endif
