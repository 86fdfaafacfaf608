#ifndef LTE_PHY_INVERSION_H
#define LTE_PHY_INVERSION_H
/*
 * The inverters' formulas, all of one shape:
 *
 *     lte_mask flag = lte_ldl(n, a);    // a [n][n] becomes its inverse, zero where flagged
 */

#include "phy/inversion/cholesky.h"
#include "phy/inversion/gauss_jordan.h"
#include "phy/inversion/inverters.h"
#include "phy/inversion/ldl.h"
#include "phy/inversion/lu.h"

/* Delayed and immediate updates are a matter of a device's memory: they change no bit. */
LTE_INLINE lte_mask lte_cholesky_delayed(int n, lte_cplx *a)
{
    return lte_cholesky(n, a);
}
LTE_INLINE lte_mask lte_lu_delayed(int n, lte_cplx *a)
{
    return lte_lu(n, a);
}
LTE_INLINE lte_mask lte_lu_immediate(int n, lte_cplx *a)
{
    return lte_lu(n, a);
}

#endif
