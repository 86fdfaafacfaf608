#ifndef LTE_PHY_EXPONENTIAL_H
#define LTE_PHY_EXPONENTIAL_H
/* The exponential function of what is not positive, without libm. */

#include "phy/base/real.h"

/*
 * e^x for x <= 0 or not far above: x = k ln 2 + r with |r| <= (ln 2) / 2,
 *
 *     e^x = 2^k (1 + r + r^2 P(r)),
 *
 * zero for x below -87. P was fitted here for least maximal relative error. Error below 2 ulp; 1
 * exactly at x = 0.
 */
LTE_INLINE lte_real lte_exp(lte_real x)
{
    const lte_mask seen = r_lt(r_set(-87.0f), x);
    const lte_real bounded = r_sel(seen, x, r_set(0.0f));
    const lte_real whole = r_set(0x1.8p23f); /* added: what is left is rounded to an integer */
    const lte_real shifted = r_fma(bounded, r_set(1.442695022f), whole), k = shifted - whole;
    const lte_real high = r_fnma(k, r_set(0.693359375f), bounded); /* exact */
    const lte_real r = r_fnma(k, r_set(-2.121944401e-04f), high);
    lte_real p = r_set(1.381461276e-03f);
    p = r_fma(p, r, r_set(8.368710056e-03f));
    p = r_fma(p, r, r_set(4.166838899e-02f));
    p = r_fma(p, r, r_set(1.666652113e-01f));
    p = r_fma(p, r, r_set(4.999999404e-01f));
    const lte_real y = r_fma(r * r, p, r) + r_set(1.0f);
    const lte_word power = (r_bits(shifted) - w_set(0x4b400000u)) << 23; /* of 2: k */
    return r_sel(seen, r_from_bits(r_bits(y) + power), r_set(0.0f));
}

#endif
