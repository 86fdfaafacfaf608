#ifndef LTE_SIM_JOBS_GAINS_H
#define LTE_SIM_JOBS_GAINS_H
/*
 * The SNR that each receiver of a run needs for the same rate, what it gains against the first
 * detector, and what it loses against perfect CSI.
 *
 *     const lte_gains gains = lte_gains_of(&sweeps, LTE_MEASURE_ERRORS);
 *     if (isfinite(gains.of[0].rate))
 *         printf("%.2f dB\n", gains.of[0].gain[1].db);   // of the second detector
 */

#include "phy/theory/snr_at_rate.h"
#include "sim/jobs/sweep/sweep.h"

typedef enum {
    LTE_MEASURE_ERRORS,     /* wrong bits; with a code blocks wrong after the first transmission */
    LTE_MEASURE_INFORMATION /* mutual information of the LLRs, bits per QAM symbol */
} lte_measure;

/* The detectors with one csi; NAN where there is nothing to tell. */
typedef struct {
    double rate;                              /* at which they are compared */
    lte_snr_estimate at[LTE_MAX_DETECTORS];   /* the SNR at it */
    lte_snr_estimate gain[LTE_MAX_DETECTORS]; /* SNR of the first detector minus its own */
    lte_snr_estimate loss[LTE_MAX_DETECTORS]; /* its SNR minus that with perfect CSI */
} lte_csi_gains;

typedef struct {
    lte_csi_gains of[LTE_N_CSI]; /* [sweeps->n] */
} lte_gains;

/*
 * At the first of the rates 1e-2, 1e-3, 1e-1 and 1e-4 that all curves of a csi reach, and those
 * with perfect CSI if they are there, or else that the first detector reaches; of a code at a BLER
 * of 0.1; of information at half the bits of the modulation; of a search at its target, between the
 * points of its last curve. What estimates cost is told at the same rate.
 */
lte_gains lte_gains_of(const lte_sweeps *sweeps, lte_measure measure);

/*
 * The loss in dB of detector d of sweep k against the same with perfect CSI at an error rate of
 * 1e-2. NAN if either curve does not reach it within the points, or nobody has perfect CSI.
 */
double lte_loss_db(const lte_sweeps *sweeps, int k, int d);

#endif
