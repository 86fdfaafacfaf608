#ifndef LTE_SIM_CONFORMANCE_H
#define LTE_SIM_CONFORMANCE_H
/*
 * Throughput that 3GPP asks of a receiver: every point is run at the SNR where it is required.
 *
 *     bool met = false;
 *     lte_status status = lte_conformance_run(&options, &ranks, &met);      // a table on stdout
 *
 * Each reference channel at a bandwidth is a coded sweep of its own over scenarios/pusch_epa5.cfg,
 * with its files in a folder of its own; conformance.csv has all points. The data are OFDM, so the
 * SNR is the required one less what that may flatter a receiver by (conformance_points.h).
 */

#include <stdbool.h>

#include "sim/run/run_options.h"
#include "sim/ranks/ranks.h"

/*
 * Runs all points that options->scenario, "3gpp" or "3gpp=1.4MHz,1x2", chooses, and prints what
 * came of each, and what is not tested. Options are those of a run, --set changes every point's.
 *
 *   met   out: every point that is judged is met; not written after a stop signal
 *
 * Returns LTE_EINVAL for a choice that no point is of, for settings without a code, with several
 * detectors or csi, and for several ranks; otherwise as lte_run_init and lte_run_sweeps.
 */
lte_status lte_conformance_run(const lte_options *options, lte_ranks *ranks, bool *met);

#endif
