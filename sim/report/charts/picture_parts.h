#ifndef LTE_SIM_REPORT_PICTURE_PARTS_H
#define LTE_SIM_REPORT_PICTURE_PARTS_H
/* The pictures that are no chart over SNR: assignments for their own scripts of plots/. */

#include <stdio.h>

#include "sim/report/charts/charted.h"

/* plots/timing.gp: the share of slots later than a latency, and the stages. LTE_EINVAL for a folder
 * without timing.csv. Sets the title. */
lte_status lte_timing_picture(FILE *out, lte_charted *of, char *title, size_t size);

/* plots/channel.gp: a channel and what was proved of it. LTE_EINVAL for several folders, or one
 * without channel.csv and channel_grid.csv. Sets the title. */
lte_status lte_channel_picture(FILE *out, lte_charted *of, char *title, size_t size);

#endif
