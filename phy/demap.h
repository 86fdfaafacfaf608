#ifndef LTE_PHY_DEMAP_H
#define LTE_PHY_DEMAP_H
/*
 * From estimates to bits: hard decisions.
 *
 *     lte_demap_hard(n_tx, n_bits, x, label);
 *
 * Estimates come from a detector (phy/detection.h), whichever it is.
 */

#include "phy/qam.h"

/*
 * Labels of the nearest symbols; an estimate that is not finite counts as zero.
 *
 *   x       [n]  estimates
 *   label   [n]  out
 */
LTE_INLINE void lte_demap_hard(int n, int n_bits, const lte_cplx *x, lte_word *label)
{
    LTE_UNROLL
    for (int k = 0; k < n; k++) {
        lte_mask finite = m_and(r_finite(x[k].re), r_finite(x[k].im));
        label[k] = lte_qam_slice(n_bits, c_sel(finite, x[k], c_zero()));
    }
}

#endif
