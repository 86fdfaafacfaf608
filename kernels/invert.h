#ifndef LTE_KERNELS_INVERT_H
#define LTE_KERNELS_INVERT_H
/*
 * Stage 6: inverses of many small complex matrices.
 *
 *     stages->invert(&link, 0, link.n_groups, a, flag);
 *
 * To add an inverter: its formula in phy/<name>.h as lte_<name>(n, a), included in invert_cpu.c,
 * and its line in phy/names.h.
 */

#include "kernels/link.h"

/*
 * a <- a^-1 for the n_tx x n_tx matrices of groups g0 .. g1 - 1, by the link's inverter.
 *
 *   a      [n_groups][n_h][n_tx][n_tx][2][LTE_LANES]  in and out; zero where flagged
 *   flag   [n_groups][n_h][LTE_LANES]                 out: 1 where there is no finite inverse, else
 * 0
 */
typedef void lte_invert_fn(const lte_link *link, int g0, int g1, float *a, uint8_t *flag);

#endif
