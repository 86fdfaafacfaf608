#ifndef LTE_SIM_SCENARIO_LINK_H
#define LTE_SIM_SCENARIO_LINK_H
/* From a scenario to the link that the stages work on. */

#include "kernels/link/link.h"
#include "sim/scenario/scenario.h"

/*
 * The link of a scenario, with its Doppler, correlation and stored channels, to a receiver of one
 * csi; the scenario lives as long.
 *
 *   csi                  LTE_CSI_*
 *   correlation_factor   [LTE_MAX_CORRELATION^2]  room for the link's factor if antennas correlate;
 *                        lives as long as the link
 *   estimator            out: tables of a receiver that estimates its channel, else zero; they
 *                        live as long as the link, and lte_estimator_free frees them
 *
 * Returns what lte_link_init, lte_link_set_doppler, lte_link_set_channel_data,
 * lte_correlation_factor and lte_estimator_create return.
 */
lte_status lte_scenario_link(const lte_scenario *scenario, int csi, float *correlation_factor,
                             lte_estimator *estimator, lte_link *link);

/*
 * The same for counts of operations, never for a run: the tables of the estimator are those of one
 * layer. The numbers of their rows and sets do not depend on layers, and one layer takes a tenth of
 * the time.
 */
lte_status lte_scenario_outline(const lte_scenario *scenario, int csi, float *correlation_factor,
                                lte_estimator *estimator, lte_link *link);

/* The plan of the scenario's grid. */
lte_grid_plan lte_scenario_grid_plan(const lte_scenario *scenario);

/* Resource elements of a subframe that carry data to a receiver of one csi. */
int lte_scenario_elements(const lte_scenario *scenario, int csi);

/*
 * The transport block of codeword q in so many resource elements, by the scenario's rate, index or
 * bits; 0: there is none.
 */
int lte_scenario_transport_bits(const lte_scenario *scenario, int q, int n_elements);

/* The codeword with the highest code rate, CRC included, of all receivers. */
typedef struct {
    int bits, sent; /* of the transport block, of a subframe */
    double worst;   /* (bits + 24) / sent */
} lte_scenario_fit_of;
lte_scenario_fit_of lte_scenario_fit(const lte_scenario *scenario);

/* Makes the codes of a scenario whose sizes are checked. Returns what lte_code_create does. */
lte_status lte_scenario_make_codes(lte_scenario *scenario);

#endif
