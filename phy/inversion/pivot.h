#ifndef LTE_PHY_PIVOT_H
#define LTE_PHY_PIVOT_H
/*
 * What every inverter does about a matrix that has no finite inverse: flags it and makes it zero.
 *
 *     flag = m_or(flag, m_not(lte_divides(size)));    // at each pivot
 *     return lte_zero_flagged(n, a, flag);            // at the end
 */

#include "phy/base/cplx.h"

/* True where a pivot's |.|^2 can be divided by: > 0, and neither overflowed nor NaN. */
LTE_INLINE lte_mask lte_divides(lte_real size)
{
    return m_and(r_lt(r_set(0.0f), size), r_finite(size));
}

/* True where an element of a [n][n] is not finite. */
LTE_INLINE lte_mask lte_any_not_finite(int n, const lte_cplx *a)
{
    lte_mask any = m_none();
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n * n; i++) {
        lte_mask finite = m_and(r_finite(a[i].re), r_finite(a[i].im));
        any = m_or(any, m_not(finite));
    }
    return any;
}

/* Zeroes the matrices that are flagged or have an element that is not finite, and flags those. */
LTE_INLINE lte_mask lte_zero_flagged(int n, lte_cplx *a, lte_mask flag)
{
    flag = m_or(flag, lte_any_not_finite(n, a));
    if (m_any(flag)) {
        LTE_UNROLL_DEVICE
        for (int i = 0; i < n * n; i++)
            a[i] = c_sel(flag, c_zero(), a[i]);
    }
    return flag;
}

#endif
