#ifndef LTE_TESTS_BENCH_ACCURACY_H
#define LTE_TESTS_BENCH_ACCURACY_H
/* How good an inverse is, relative to the problem, in double. */

#include <complex.h>

/*
 * |I - A X| / (n u |A| |X|),  |.| the largest row sum, u = 2^-24
 *
 *   a, x   [n][n], row major, n up to LTE_MAX_TX
 *
 * Not finite if a or x is not.
 */
double lte_residual_of(int n, const double complex *a, const double complex *x);

#endif
