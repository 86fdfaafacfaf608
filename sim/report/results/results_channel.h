#ifndef LTE_SIM_REPORT_RESULTS_CHANNEL_H
#define LTE_SIM_REPORT_RESULTS_CHANNEL_H
/* The result files of a proof of the channel, and what its picture needs besides. */

#include "sim/channel/validation.h"

/* channel.csv: property,argument,measured,expected,limit,pass, pass being yes or no. */
lte_status lte_results_channel(const char *dir, const lte_channel_validation *proof);

/*
 * channel_grid.csv: time_ms,subcarrier,h_db, the power |h|^2 of receive and transmit antenna 0 over
 * the first slots (two drops, and 16 slots at least) and subcarriers (300 at most), 56 times 100
 * points at most.
 *
 *   channel   the stage that draws
 */
lte_status lte_results_channel_grid(const char *dir, const lte_link *link, lte_channel_fn *channel);

#endif
