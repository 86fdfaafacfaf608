#ifndef LTE_KERNELS_METHODS_PRACH_H
#define LTE_KERNELS_METHODS_PRACH_H
/*
 * Random access preambles: cyclic shifts of Zadoff-Chu sequences, unrestricted set.
 *
 *     lte_cf32 x[LTE_PRACH_LONG];
 *     lte_status status = lte_prach_sequence(LTE_PRACH_LONG, 129, 2, 13, x);    // shifted by 26
 *
 *     x_u(n) = exp(-j pi u n (n + 1) / N_ZC),  x_u,v(n) = x_u((n + v N_CS) mod N_ZC)
 *
 * N_ZC is 839 (formats 0 to 3) or 139 (format 4). Source: TS 36.211, 5.7.2.
 */

#include "phy/base/phasor.h"
#include "phy/base/status.h"

enum { LTE_PRACH_LONG = 839, LTE_PRACH_SHORT = 139, LTE_PRACH_ZONES = 16 };

/* N_CS of zeroCorrelationZoneConfig 0 to 15 for formats 0 to 3; 0 is one shift per root. */
extern const int lte_prach_n_cs[LTE_PRACH_ZONES];

/*
 * Preamble v of root u.
 *
 *   n_zc    LTE_PRACH_LONG or LTE_PRACH_SHORT
 *   u       physical root, 1 to n_zc - 1
 *   v       0 to floor(n_zc / n_cs) - 1; 0 if n_cs is 0
 *   n_cs    0 to n_zc
 *   x       [n_zc]  out
 *
 * Returns LTE_EINVAL for an argument out of range.
 */
lte_status lte_prach_sequence(int n_zc, int u, int v, int n_cs, lte_cf32 *x);

/* The same as a row of a reference matrix (phy/base/phasor.h). */
lte_status lte_prach_row(int n_zc, int u, int v, int n_cs, lte_zc *zc, lte_zc_row *row);

#endif
