#ifndef LTE_SIM_REPORT_COMPARE_SPEED_H
#define LTE_SIM_REPORT_COMPARE_SPEED_H
/*
 * How fast two runs were.
 *
 *     lte_compare_speed(stdout, &first, &later);
 */

#include <stdio.h>

#include "sim/report/results/result.h"

/* Rates of the sweeps by detector, and the deadline; nothing where neither has any. */
void lte_compare_speed(FILE *out, const lte_result *first, const lte_result *later);

#endif
