#ifndef LTE_SIM_REPORT_REPLAY_H
#define LTE_SIM_REPORT_REPLAY_H
/*
 * --replay: one slot by itself, with what a sweep does not keep.
 *
 *     lte_status status = lte_replay(stdout, scenario, 17);
 */

#include <stdio.h>

#include "sim/scenario/scenario.h"

/*
 * Prints, for each detector and SNR of the scenario: bit and symbol errors by layer, which are
 * those that a sweep counts in this slot; quantiles over the subcarriers of each layer's SINR after
 * detection and of the condition number of the matrices inverted; the measured SNR.
 *
 * Returns LTE_ENOMEM, what lte_scenario_link returns.
 */
lte_status lte_replay(FILE *out, const lte_scenario *scenario, uint64_t slot);

#endif
