#ifndef LTE_PHY_CONDITION_H
#define LTE_PHY_CONDITION_H
/*
 * How hard a matrix is to invert and how well it was, in double precision.
 *
 *     lte_condition c = lte_condition_of(4, a, x);    // x is the computed inverse of a
 */

#include "phy/base/cplx.h"

typedef struct {
    double condition; /* |A|_1 |X|_1, the condition number in the 1-norm as X shows it */
    double residual;  /* |I - A X|_1 / (n u |A|_1 |X|_1), u = 2^-24: a few units when accurate */
} lte_condition;

/*
 *   n      order, from 1
 *   a, x   [n][n] matrix and computed inverse, row major
 */
lte_condition lte_condition_of(int n, const lte_cf32 *a, const lte_cf32 *x);

#endif
