#ifndef LTE_SIM_METHOD_MATRICES_H
#define LTE_SIM_METHOD_MATRICES_H
/* Matrices to be inverted, and how good their inverses are. */

#include "phy/base/cplx.h"
#include "phy/base/status.h"

/* a [count][n][n], row major: H'H / n + 0.1 I, H of independent CN(0,1). Returns LTE_ENOMEM. */
lte_status lte_method_grams(int n, int count, lte_cf32 *a);

/*
 * The largest |(A X - I)_ij| / (n u |A| |X|) in double, |.| the Frobenius norm, u = 2^-24: over all
 * elements, or over LTE_METHOD_DRAWN where all would take more than two seconds. INFINITY if an
 * element is not finite or a matrix is flagged.
 */
double lte_method_residual(int n, int count, const lte_cf32 *a, const lte_cf32 *x,
                           const uint8_t *flag);

#endif
