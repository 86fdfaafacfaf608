#ifndef LTE_PHY_CORRELATION_H
#define LTE_PHY_CORRELATION_H
/*
 * Spatial correlation of uniform linear arrays: TS 36.101 B.2.3 (downlink), TS 36.104 B.5 (uplink).
 *
 *     lte_correlation c = {.alpha = 0.9, .beta = 0.9, .uplink = false, .a = 1.2e-4};
 *     float factor[16 * 16];
 *     lte_status status = lte_correlation_factor(&c, 4, 4, factor);    // h <- factor h
 *
 * A side of n antennas with parameter x has R_ij = x^(((i - j) / (n - 1))^2); alpha is the base
 * station's x, beta the terminal's, and the base station transmits in the downlink. Entry (rx, tx)
 * of H being element rx n_tx + tx of a vector h,
 *
 *     E h h' = R = (R_rx (x) R_tx + a I) / (1 + a),
 *
 * which is 3GPP's R_tx (x) R_rx for vec(H), the columns of H one below the other. a > 0 is the
 * published adjustment that keeps R positive definite once it is rounded to four digits.
 */

#include <stdbool.h>

#include "phy/base/limits.h"
#include "phy/base/status.h"

enum { LTE_MAX_CORRELATED = 8, LTE_MAX_CORRELATION = LTE_MAX_CORRELATED * LTE_MAX_CORRELATED };

typedef struct {
    double alpha, beta; /* [0, 1) */
    bool uplink;
    double a; /* >= 0 */
} lte_correlation;

#define LTE_CORRELATION_LEVELS(X)                                                                  \
    X(low, "low")                                                                                  \
    X(medium, "medium")                                                                            \
    X(high, "high")
#define LTE_CORRELATION_ID(id, name) LTE_CORRELATION_##id,
enum { LTE_CORRELATION_LEVELS(LTE_CORRELATION_ID) LTE_N_CORRELATION_LEVELS };
#undef LTE_CORRELATION_ID

/* True for 1, 2, 4 and 8, the antennas of a side that are defined. */
bool lte_correlation_is_defined(int n_antennas);

/*
 * A published level for n_rx x n_tx antennas; adjusted: with the published a, 0 where there is none
 * (TS 36.101 Table B.2.3.2-2 and the notes behind it).
 *
 * Returns LTE_EINVAL where the level is not defined: other numbers of antennas than 1, 2, 4 and 8,
 * and medium or high adjusted with 8.
 */
lte_status lte_correlation_of(int level, bool uplink, bool adjusted, int n_rx, int n_tx,
                              lte_correlation *correlation);

/* R for the antennas, each number defined: r [n_rx n_tx][n_rx n_tx]. */
void lte_correlation_matrix(const lte_correlation *correlation, int n_rx, int n_tx, double *r);

/*
 * The Cholesky factor of R in double, rounded: factor factor' = R, zero above the diagonal. Without
 * an adjustment it is the product of the sides' factors; a side of 8 is singular in double, and a
 * pivot that is zero but for rounding gives a column of zeros.
 *
 *   factor   [n_rx n_tx][n_rx n_tx]  out
 *
 * Returns LTE_EINVAL for a side that is not defined and if R is not positive semidefinite;
 * LTE_ENOMEM.
 */
lte_status lte_correlation_factor(const lte_correlation *correlation, int n_rx, int n_tx,
                                  float *factor);

#endif
