#ifndef LTE_SIM_REPORT_VERIFY_H
#define LTE_SIM_REPORT_VERIFY_H
/* What --verify judges, each failure named on stderr. */

#include <stdbool.h>

#include "sim/channel/validation.h"
#include "sim/jobs/sweep/sweep.h"

/* True if no row is more than 4 standard errors off its closed form. */
bool lte_verify_rows(const lte_sweeps *sweeps);

/* True if no line of the proof fails. */
bool lte_verify_channel(const lte_channel_validation *proof);

#endif
