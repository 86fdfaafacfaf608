#ifndef LTE_SIM_CONFORMANCE_H
#define LTE_SIM_CONFORMANCE_H
/*
 * Throughput that 3GPP asks of a receiver, and the SNR at which ours has it.
 *
 *     bool met = false;
 *     lte_status status = lte_conformance_run(&options, &ranks, &met);      // tables on stdout
 *
 * Each fixed reference channel is a coded sweep of its own over scenarios/pusch_epa5.cfg, with its
 * files in a folder of its own. Requirements are one-sided: a receiver has to reach a share of the
 * channel's largest throughput at an SNR or below it.
 *
 * Sources: TS 36.104, 8.2.1.1, table 8.2.1.1-1 (requirements); its annex A.3 to A.5 (reference
 * channels).
 */

#include <stdbool.h>

#include "sim/run/run_options.h"
#include "sim/ranks/ranks.h"

/*
 * Runs all points, then prints required and reached SNRs, and what is not judged. Options are those
 * of a run,
 * --set changes every channel's.
 *
 *   met   out: every requirement is; not written after a stop signal
 *
 * Returns LTE_EINVAL for settings without a code and for several ranks, otherwise as lte_run_init
 * and lte_run_sweeps.
 */
lte_status lte_conformance_run(const lte_options *options, lte_ranks *ranks, bool *met);

#endif
