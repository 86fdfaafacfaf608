#ifndef LTE_SIM_SCENARIO_LINK_H
#define LTE_SIM_SCENARIO_LINK_H

#include "kernels/link.h"
#include "sim/scenario.h"

/*
 * The link of a scenario, with its Doppler, correlation and stored channels; the scenario lives as
 * long.
 *
 *   mix   [LTE_MAX_CORRELATION^2]  for the link's factor if antennas correlate; lives as long as it
 *
 * Returns what lte_link_init, lte_link_move, lte_link_store and lte_correlation_factor return.
 */
lte_status lte_scenario_link(const lte_scenario *scenario, float *mix, lte_link *link);

#endif
