#ifndef LTE_PHY_CORRELATE_H
#define LTE_PHY_CORRELATE_H
/*
 * Spatial correlation of entries that were drawn independently.
 *
 *     lte_correlate(n_rx * n_tx, factor, h);    // E h h' = factor factor'
 */

#include "phy/base/cplx.h"

/*
 * h <- L h, L [n][n] real and zero above the diagonal (lte_correlation_factor), one h per lane,
 * from the last row to the first so that it goes in place; sums in the order of the columns.
 */
LTE_INLINE void lte_correlate(int n, const float *factor, lte_cplx *h)
{
    LTE_ROLL_DEVICE
    for (int i = n - 1; i >= 0; i--) {
        const float *row = factor + i * n;
        lte_cplx sum = c_scale(h[0], r_set(row[0]));
        LTE_ROLL_DEVICE
        for (int j = 1; j <= i; j++) {
            sum.re = r_fma(h[j].re, r_set(row[j]), sum.re);
            sum.im = r_fma(h[j].im, r_set(row[j]), sum.im);
        }
        h[i] = sum;
    }
}

#endif
