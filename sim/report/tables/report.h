#ifndef LTE_SIM_REPORT_REPORT_H
#define LTE_SIM_REPORT_REPORT_H
/* The tables on stdout. */

#include <stdio.h>

#include "sim/jobs/deadline/deadline.h"
#include "sim/report/results/results.h"
#include "sim/jobs/sweep/sweep.h"

/* Carrier, antennas, modulation, channel, SNR definition, backend, seed. */
void lte_report_header(FILE *out, const lte_run_info *info);

/* The code in it: its grid, its blocks, their transmissions. */
void lte_report_code(FILE *out, const lte_scenario *scenario);

/* What a run leaves out or takes for granted, short lines, only where it applies. */
void lte_report_left_out(FILE *out, const lte_scenario *scenario);

/*
 * One row per csi, SNR and detector, the paired difference of the detectors, and the loss of
 * receivers that estimate their channel. On a terminal as many columns as it has room for.
 */
void lte_report_ber(FILE *out, const lte_sweeps *sweeps);

/* The same in parts, while it runs: the columns, the rows of a point, what stands below. */
void lte_report_ber_head(FILE *out, const lte_sweeps *sweeps);
void lte_report_ber_point(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int snr);
void lte_report_ber_foot(FILE *out, const lte_sweeps *sweeps);

/* The channel beside its law: single lines, and of many alike the worst. */
void lte_report_channel(FILE *out, const lte_channel_validation *proof);

/* What a deadline run with csi_references = 2 waits for before it counts. */
extern const char lte_report_waited[];

/* The times, from host memory and on a device beside them, and the verdict in words. */
void lte_report_deadline(FILE *out, const lte_scenario *scenario, const lte_deadline *run);

#endif
