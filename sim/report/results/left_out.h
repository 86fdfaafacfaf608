#ifndef LTE_SIM_REPORT_LEFT_OUT_H
#define LTE_SIM_REPORT_LEFT_OUT_H
/*
 * What a run leaves out or takes for granted, only where it applies.
 *
 *     lte_left_out(scenario, say, stdout);
 */

#include "sim/scenario/scenario.h"

/*
 * One thing, in full and in brief: omitted if the model leaves it out, else what a receiver or an
 * SNR is taken to be.
 */
typedef void lte_left_out_say(bool omitted, const char *text, const char *brief, void *user);

/* Calls say for each thing, first what is taken for granted, then what is left out. */
void lte_left_out(const lte_scenario *scenario, lte_left_out_say *say, void *user);

#endif
