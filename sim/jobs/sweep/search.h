#ifndef LTE_SIM_JOBS_SEARCH_H
#define LTE_SIM_JOBS_SEARCH_H
/*
 * The search for the SNR at which a detector has an error rate, sweep.target_ber, a share of the
 * largest throughput, sweep.target_throughput, or mutual information, sweep.target_rate: the points
 * of a sweep that are worth counting, one after the other. Below, a rate is either that of errors
 * or the share that is not reached, of the throughput or of the bits of a symbol.
 *
 *     while (!status && lte_search_next(sweep, &status)) {
 *         status = lte_sweep_judge(sweep, &link, sweep->n_points - 1);
 *         if (!status)
 *             status = lte_sweep_run(sweep, workers, n_workers, watch, user);
 *     }
 *     for (int d = 0; d < sweep->n_detectors; d++)
 *         lte_found found = lte_search_of(sweep, d);
 *
 * Every point draws the same slots, so the errors of N slots are one curve over SNR, and where it
 * comes down to the target is found by bisection: over few slots first, between the ends of
 * sweep.snr_db; then, until the interval is as narrow as sweep.precision asks, over more slots and
 * only where the last curve has left it open. Between the last two points, which are so near that
 * it is straight to 3 % of the interval, ln of the rate is taken as linear in dB. The interval of
 * the rate there, over the slope, is that of the SNR.
 *
 * A point at which the detector's own tree search would not end has no rate (LTE_ROW_NODES): the
 * SNR is sought above it. If the rate is at the target or below as soon as the detector can be
 * counted, no SNR is found.
 *
 * What is asked next is a function of the points that have been counted: a search goes on from a
 * journal as if nothing had happened.
 */

#include "sim/jobs/sweep/sweep.h"

typedef enum {
    LTE_FOUND_PRECISION, /* to the precision asked for */
    LTE_FOUND_SLOTS,     /* as far as sweep.max_slots lead */
    LTE_FOUND_BELOW,     /* the rate is no higher at the lowest point: snr_db is that */
    LTE_FOUND_ABOVE,     /* it is higher at the highest */
    LTE_FOUND_NODES,     /* it would be where the detector has no row: all in dB is NAN */
    LTE_FOUND_NOT        /* the search did not come to its end: all in dB is NAN */
} lte_found_how;

typedef struct {
    lte_found_how how;
    double snr_db;
    double low_db, high_db; /* 95 % interval; NAN where there is none */
    double slope;           /* d ln rate / d SNR in dB there */
    double theory_db;       /* where the closed form is exact: its SNR, else NAN */
    uint64_t slots;         /* that the last curve was made of */
} lte_found;

/* What is searched, as in "SNR at ...": "BER 0.01", "throughput 70 %", "2 bits a symbol". */
const char *lte_search_target(const lte_sweep *sweep, char *text, size_t size);

/* How a search ended: "precision", "slots", "below", "above", "nodes" or "unfinished". */
const char *lte_found_name(lte_found_how how);

/* Whether there is an SNR: the search has found one, to the precision or to its slots' end. */
LTE_INLINE bool lte_found_is_known(const lte_found *found)
{
    return found->how == LTE_FOUND_PRECISION || found->how == LTE_FOUND_SLOTS;
}

/* What the points say of detector d (its place among the sweep's). */
lte_found lte_search_of(const lte_sweep *sweep, int d);

/*
 * True if a search asks for no more: its points are counted, and nothing is lacking or there is no
 * room.
 */
bool lte_search_is_over(const lte_sweep *sweep);

/*
 * Adds the next point to a sweep that is a search; false if there is none, because all is found or
 * a point has not been counted to its goal. Of any other sweep always false.
 */
bool lte_search_next(lte_sweep *sweep, lte_status *status);

#endif
