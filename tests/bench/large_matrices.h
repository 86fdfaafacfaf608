#ifndef LTE_TESTS_BENCH_LARGE_MATRICES_H
#define LTE_TESTS_BENCH_LARGE_MATRICES_H
/*
 * The matrices of the topics inverse-large and inverse-large-cpu, and how good an inverse is.
 *
 *     bench_large_fill(64, count, true, a);
 *     ...                                     // x <- a^-1
 *     double worst = bench_large_residual(64, a, x);
 */

#include <stdbool.h>

#include "phy/base/cplx.h"

/*
 * a [count][n][n]: independent CN(0, 1), or Gram matrices H' H / n + I / 10 of such H; the same
 * ones in every run.
 */
void bench_large_fill(int n, int count, bool hermitian, lte_cf32 *a);

/* |I - A X| / (n u |A| |X|), Frobenius norms, u = 2^-24; the lesser one of A X and X A. */
double bench_large_residual(int n, const lte_cf32 *a, const lte_cf32 *x);

#endif
