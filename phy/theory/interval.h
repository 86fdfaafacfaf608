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
 * ratio estimator (Cochran, Sampling Techniques, 1977) with clusters of equal size. Where fading is
 * deep few of the clusters have most of the errors; these few are what the interval is made from.
 */

#include <stdbool.h>
#include <stdint.h>

/*
 * Clusters are also summed in groups, the i-th in group i mod LTE_N_GROUPS: sums that two runs have
 * of the same clusters, and by which their difference is judged without each cluster's count
 * (random groups; Wolter, Introduction to Variance Estimation, 2007, chapter 2).
 */
enum { LTE_N_GROUPS = 16 };

/* Of clusters first, first + 1, .. how many of the first n are in group k. */
uint64_t lte_clusters_in_group(uint64_t first, uint64_t n, int k);

/* Sums of squares; exact while the bits of all clusters together stay below 2^63. */
__extension__ typedef unsigned __int128 lte_u128;
__extension__ typedef __int128 lte_i128;

typedef struct {
    uint64_t clusters;     /* number of clusters, all of cluster_bits bits */
    uint64_t cluster_bits; /* bits in each cluster; set by the first add */
    uint64_t errors;       /* sum of errors over clusters */
    lte_u128 errors2;      /* sum of squared errors over clusters */
    /*
     * Clusters of unequal size, where parts is above 1: errors and bits are in so many parts of a
     * bit, cluster_bits is the most that a cluster can have.
     */
    uint64_t parts;
    uint64_t bits;         /* sum of bits over clusters */
    lte_u128 bits2, cross; /* sums of bits squared, and of errors times bits */
    uint64_t least;        /* errors of a cluster that has any; 0: the interval does not go by it */
} lte_error_count;

/* Bits of all clusters, in the parts that errors are in. */
uint64_t lte_error_count_bits(const lte_error_count *error_count);

typedef struct {
    bool known;       /* one error or more, and two clusters or more: low, high, se are set */
    bool no_error;    /* one cluster or more, no error: low = 0, high is a bound */
    double rate;      /* errors / bits; 0 without errors or clusters */
    double low, high; /* 95 % interval; NAN when neither known nor no_error */
    double se;        /* standard error of rate; NAN when not known */
    double degrees;   /* of freedom of Student's t, m - 1; NAN when not known */
} lte_interval;

/* Adds one cluster of bits bits (the same for every cluster), errors <= bits of them wrong. */
void lte_error_count_add(lte_error_count *error_count, uint64_t bits, uint64_t errors);

/* Adds the clusters of another count, of as many bits each. */
void lte_error_count_join(lte_error_count *error_count, const lte_error_count *other);

/*
 * Clusters that carry the errors, between 2 and the number of clusters:
 *
 *     m = max(2, (sum e)^2 / sum e^2)
 *
 * n if all have as many errors, 2 too if one has them all or there are none.
 */
double lte_error_count_carriers(const lte_error_count *error_count);

/*
 * 95 % interval of the error rate p = sum e / (n b) over n clusters of b bits:
 *
 *     SE^2 = n/(n-1) sum (e_i - p b)^2 / (n b)^2,   p exp(+- t_{m-1, 0.975} SE / p)
 *
 * with m of lte_error_count_carriers, from the exact integers sum e and sum e^2; high is never
 * above 1. Equal counts in all clusters tell nothing of their spread: SE is then that of
 * independent bits. Of clusters of b_i bits each (Cochran, chapter 2.11)
 *
 *     p = sum e / sum b,   SE^2 = n/(n-1) sum (e_i - p b_i)^2 / (sum b)^2
 *
 * Where more than half is wrong, what is right is the rarer one: the interval is then that of
 * 1 - p, turned over; with nothing right over n >= 2 clusters low = 0.05^(1/n), high = 1, SE = 0.
 *
 * Where m is below 10 and `least` is known, the number K of clusters with errors also bounds the
 * rate (Clopper, Pearson, Biometrika 26, 1934): m <= K <= sum e / least, and p is between
 * the ends of K / n, times least / b and times b / (mean of b_i), b the most that a cluster has.
 *
 * One cluster with errors: not known. No error in n clusters: low = 0,
 * high = 1 - 0.05^(1/n).
 */
lte_interval lte_interval_of(const lte_error_count *error_count);

/*
 * The same interval from what a table says of it: rate > 0 and low > 0 over so many clusters. In
 *
 *     ln(rate / low) = t_{m-1, 0.975} SE / p,   SE / p = sqrt((n / m - 1) / (n - 1))
 *
 * the right side falls as m grows, from 2 to n, which gives m and then SE; of a rate above 1/2 with
 * 1 - low over 1 - rate in the place of rate over low. Equal counts in all
 * clusters are not told from unequal ones: of them the ends are right, not m.
 */
lte_interval lte_interval_from_ends(double rate, double low, double high, double clusters);

/*
 * Half the width of the interval of ln p, t SE / p: its relative precision; INFINITY if not known.
 */
double lte_interval_precision(const lte_interval *interval);

/* True if the count's interval is that precise. */
bool lte_error_count_is_within(const lte_error_count *error_count, double precision);

/* The bound without errors where a cluster holds n independent realisations of the channel. */
double lte_interval_bound(const lte_error_count *error_count, uint64_t n);

/*
 * How far a rate is from p0, as a standard normal variable: the normal quantile of the probability
 * that Student's t with m - 1 degrees has of being below ln(rate / p0) rate / SE; of a rate above
 * 1/2 the same of what is right. Within +- 38;
 * NAN when the interval is not known or has no width.
 */
double lte_interval_z(const lte_interval *interval, double p0);

/*
 * The difference of two rates over the same clusters, r_b - r_a, from the errors and bits of their
 * groups, which may differ in bits, G of which have some:
 *
 *   r_a = sum a / A,   r_b = sum b / B,   A = sum bits_a,   B = sum bits_b
 *   z_k = (b_k - r_b bits_b,k) / B - (a_k - r_a bits_a,k) / A,   SE^2 = G / (G - 1) sum z_k^2
 *
 * a, b             errors [LTE_N_GROUPS]
 * bits_a, bits_b   bits [LTE_N_GROUPS]
 * Not known with fewer than two such groups. Returns the symmetric 95 % interval with t_{m-1},
 * m = max(2, (sum |d|)^2 / sum d^2) of d_k = G z_k + r_b - r_a, which of groups alike are their
 * own differences.
 */
lte_interval lte_interval_of_groups(const double *a, const double *bits_a, const double *b,
                                    const double *bits_b);

/*
 * How far the rate of a difference is from 0, as a standard normal variable as in lte_interval_z.
 */
double lte_interval_paired_z(const lte_interval *difference);

/* Sums over clusters of a difference of two counts, d = e^A - e^B. */
typedef struct {
    int64_t sum;      /* of d, */
    uint64_t sum_abs; /* |d|, */
    lte_u128 sum2;    /* d^2, */
    lte_u128 sum2_up; /* and of d^2 where d > 0 */
} lte_difference;

void lte_difference_add(lte_difference *difference, int64_t d);
void lte_difference_join(lte_difference *difference, const lte_difference *other);

/*
 * Difference of two detectors over the same n clusters of b bits: rate = sum d / (n b), the mean
 * difference of error rates, with its standard error and degrees of freedom m - 1, m = max(2, (sum
 * |d|)^2 / sum d^2).
 *
 * The difference is P - N, the sums of what A has more and of what B has more. Both are rates of
 * their own and have intervals P exp(+- t SE / P), the larger one with its own m, the smaller with
 * that of the difference; their ends make its own,
 *
 *     low = rate - sqrt((P - P_low)^2 + (N_high - N)^2),
 *     high = rate + sqrt((P_high - P)^2 + (N - N_low)^2)
 *
 * (Zou, Donner, Statistics in Medicine 27, 2008), where a part that was not seen counts for 0.
 * known = false with fewer than two clusters. no_error is never set: without a difference rate and
 * se are 0, the ends +- the bound of no error.
 */
lte_interval lte_interval_paired(uint64_t clusters, uint64_t cluster_bits,
                                 const lte_difference *difference);

/* Sums over clusters that two detectors share, whose sizes are their own: e errors, b bits. */
typedef struct {
    uint64_t clusters, errors[2], bits[2];
    lte_u128 ee[2], eb[2], bb[2]; /* of each */
    lte_u128 e0e1, e0b1, b0e1, b0b1;
} lte_paired_count;

void lte_paired_count_add(lte_paired_count *count, const uint64_t errors[2],
                          const uint64_t bits[2]);
void lte_paired_count_join(lte_paired_count *count, const lte_paired_count *other);

/*
 * The difference of their rates r = sum e / sum b, with the symmetric interval by t_{m-1} and m of
 * the difference, which is of counts,
 *
 *     SE^2 = n/(n-1) sum z_i^2,   z_i = (e0_i - r0 b0_i) / sum b0 - (e1_i - r1 b1_i) / sum b1
 */
lte_interval lte_interval_paired_unequal(const lte_paired_count *count,
                                         const lte_difference *difference);

#endif
