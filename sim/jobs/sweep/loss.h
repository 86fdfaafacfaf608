#ifndef LTE_SIM_JOBS_LOSS_H
#define LTE_SIM_JOBS_LOSS_H
/*
 * What it costs a receiver to estimate its channel: how much more SNR it takes for the same BER.
 *
 *     double db = lte_loss_db(&sweeps, k, d); // of detector d with the k-th csi
 */

#include "sim/jobs/sweep/sweep.h"

/*
 * The SNR in dB between two points at which the bit error rate comes down to ber: log10(BER) is
 * interpolated. NAN if they do not have it between them; a point without an error has no logarithm.
 */
double lte_snr_db_between(double snr_a, double ber_a, double snr_b, double ber_b, double ber);

/*
 * The SNR in dB at which detector d of a sweep comes down to a bit error rate, between the
 * first two neighbouring points that have it between them. NAN for none.
 */
double lte_snr_db_at(const lte_sweep *sweep, int d, double ber);

/*
 * The loss of detector d of sweep k against the same with perfect CSI, at BER 1e-2. NAN
 * if either curve does not reach it within the points, or nobody has perfect CSI.
 */
double lte_loss_db(const lte_sweeps *sweeps, int k, int d);

#endif
