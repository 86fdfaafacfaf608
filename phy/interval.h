#ifndef LTE_PHY_INTERVAL_H
#define LTE_PHY_INTERVAL_H
/*
 * Error counts by cluster, and the interval of their rate.
 *
 *     lte_error_count error_count = {0};
 *     for (int slot = 0; slot < n_slots; slot++)
 *         lte_error_count_add(&error_count, bits_per_slot, errors[slot]);
 *     lte_interval ber = lte_interval_of(&error_count);
 *
 * Bits that share a channel realisation fail together, so the cluster (the slot) is the sample:
 * ratio estimator (Cochran, Sampling Techniques, 1977) with clusters of equal size.
 */

#include <stdbool.h>
#include <stdint.h>

/* Sums of squares; exact while the bits of all clusters together stay below 2^63. */
__extension__ typedef unsigned __int128 lte_u128;
__extension__ typedef __int128 lte_i128;

typedef struct {
    uint64_t clusters;     /* number of clusters, all of cluster_bits bits */
    uint64_t cluster_bits; /* bits in each cluster; set by the first add */
    uint64_t errors;       /* sum of errors over clusters */
    lte_u128 errors2;      /* sum of squared errors over clusters */
} lte_error_count;

typedef struct {
    bool known;       /* one error or more, and two clusters or more: low, high, se are set */
    bool no_error;    /* one cluster or more, no error: low = 0, high = 1 - 0.05^(1/clusters) */
    double rate;      /* errors / bits; 0 without errors or clusters */
    double low, high; /* 95 % interval; NAN when neither known nor no_error */
    double se;        /* standard error of rate; NAN when not known */
} lte_interval;

/* Adds one cluster of bits bits (the same for every cluster), errors <= bits of them wrong. */
void lte_error_count_add(lte_error_count *error_count, uint64_t bits, uint64_t errors);

/*
 * 95 % interval of the error rate p = sum e / (n m) over n clusters of m bits:
 *
 *     SE^2 = n/(n-1) sum (e_i - p m)^2 / (n m)^2,   p +- t_{n-1, 0.975} SE
 *
 * from the exact integers sum e and sum e^2; a lower end <= 0 uses the logit interval
 * expit(logit p +- t SE / (p (1 - p))). high is never above 1. Equal counts in all clusters give
 * SE = 0. One cluster with errors: not known.
 */
lte_interval lte_interval_of(const lte_error_count *error_count);

/*
 * Difference of two detectors over the same n clusters of m bits, d_i = e_i^A - e_i^B.
 *
 *   sum_d, sum_d2   sums of d_i and d_i^2
 *   rate            out: mean difference of error rates, sum_d / (n m)
 * Returns the 95 % interval with t_{n-1}; known = false with fewer than two clusters. no_error is
 * never set: without a difference rate, se and both ends are 0.
 */
lte_interval lte_interval_paired(uint64_t clusters, uint64_t cluster_bits, int64_t sum_d,
                                 lte_u128 sum_d2);

#endif
