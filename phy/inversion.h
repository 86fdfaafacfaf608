#ifndef LTE_PHY_INVERSION_H
#define LTE_PHY_INVERSION_H
/*
 * The inverters' formulas, all of one shape:
 *
 *     lte_mask flag = lte_ldl(n, a);    // a [n][n] becomes its inverse, zero where flagged
 */

#include "phy/gauss_jordan.h"
#include "phy/inverters.h"
#include "phy/ldl.h"

#endif
