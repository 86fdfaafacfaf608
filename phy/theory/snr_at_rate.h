#ifndef LTE_PHY_SNR_AT_RATE_H
#define LTE_PHY_SNR_AT_RATE_H
/*
 * The SNR at which a curve of rates over SNR reaches a rate, and the gap between two such curves.
 *
 *     const lte_rate_point zf[3] = {{20.0, 0.06, {...}}, ...}, mmse[3] = {...};
 *     lte_snr_estimate at = lte_snr_at_rate(zf, 3, 1e-2);         // dB, with a 95 % interval
 *     lte_snr_estimate gain = lte_snr_gap(zf, 3, mmse, 3, 1e-2);  // what the second needs less
 *
 * Rates are error rates, which fall with SNR, or mutual information, which rises.
 */

#include "phy/theory/interval.h"

/* A point of a curve. */
typedef struct {
    double snr_db;
    double rate;                  /* 0: none was seen; such a point has no logarithm */
    double without[LTE_N_GROUPS]; /* the rate without the clusters of one group (interval.h); NAN:
                                     not known */
} lte_rate_point;

/* An SNR, or a difference of two, in dB with its 95 % interval; NAN where there is none. */
typedef struct {
    double db, low_db, high_db;
} lte_snr_estimate;

/*
 * The SNR at a rate: of the polynomial through the points in (dB, log10 rate), a cubic through the
 * two neighbours of the first crossing and the two points next to them, of equal distance on either
 * side where there are such, the root between these neighbours. A straight line through the two
 * where there are fewer than four points or that cubic does not cross between them just once.
 *
 *   points [n]   by rising SNR; those of rate 0 are left out
 *
 * The interval is that of the jackknife over the groups: with db_k the same of the rates without
 * group k, and G groups, of which m = max(2, (sum s_k)^2 / sum s_k^2) carry the rates of the two
 * neighbours (s_k: what group k has of them),
 *
 *     SE^2 = (G - 1) / G sum_k d_k^2,   d_k = mean db - db_k,   a = sum d_k^3 / (6 (sum d_k^2)^1.5)
 *     ends: db + SE (a + (a + t) / (1 - a (a + t))),   t = -+ t_{m-1, 0.975}
 *
 * with a the acceleration (Efron, JASA 82, 1987): few groups with much of the errors pull one end.
 * NAN where a curve without a group does not reach the rate, or the groups are not known. db is NAN
 * where the curve itself does not reach it.
 *
 * Sources: that, and Wolter, Introduction to Variance Estimation, 2007, chapter 4.
 */
lte_snr_estimate lte_snr_at_rate(const lte_rate_point *points, int n, double rate);

/*
 * The SNR that curve a needs for the rate minus that of curve b: what b gains. Groups of the same
 * number have the same channels in both, so the interval is that of the differences; of their
 * logarithm where the gain keeps its sign without each group and the ends are less than a factor of
 * 25 apart.
 */
lte_snr_estimate lte_snr_gap(const lte_rate_point *a, int n_a, const lte_rate_point *b, int n_b,
                             double rate);

/* The rate without group k of counts [LTE_N_GROUPS] over units, of which that group has `own`. */
double lte_rate_without(const double *counts, double units, double own, int k);

#endif
