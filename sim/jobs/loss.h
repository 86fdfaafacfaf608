#ifndef LTE_SIM_JOBS_LOSS_H
#define LTE_SIM_JOBS_LOSS_H
/*
 * What it costs a receiver to estimate its channel: how much more SNR it takes for the same BER.
 *
 *     double db = lte_loss_db(&sweeps, k, d); // of detector d with the k-th csi
 */

#include "sim/jobs/sweep.h"

/*
 * The SNR in dB at which detector d of a sweep comes down to a bit error rate: log10(BER) is
 * interpolated over SNR between the two neighbouring points. NAN if no two points have it between
 * them; a point without an error has no logarithm.
 */
double lte_snr_db_at(const lte_sweep *sweep, int d, double ber);

/*
 * The loss of detector d of sweep k against the same with perfect CSI, at BER 1e-2. NAN
 * if either curve does not reach it within the points, or nobody has perfect CSI.
 */
double lte_loss_db(const lte_sweeps *sweeps, int k, int d);

#endif
