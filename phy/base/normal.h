#ifndef LTE_PHY_NORMAL_H
#define LTE_PHY_NORMAL_H
/*
 * Complex normals from pairs of random words, without libm.
 *
 *     lte_cplx z = lte_normal(w.v[0], w.v[1]);    // CN(0, 1)
 *
 * The polynomials were fitted here for least maximal relative error with float32 coefficients.
 */

#include "phy/base/cplx.h"

/*
 * Natural logarithm of normal u in (0, 1]: u = m 2^e with m in [sqrt 1/2, sqrt 2),
 *
 *     ln u = e ln 2 + f - f^2 / 2 + f^3 P(f),  f = m - 1
 *
 * Error below 1 ulp; 0 exactly at u = 1.
 */
LTE_INLINE lte_real lte_ln(lte_real u)
{
    lte_word from_root_half = r_bits(u) - w_set(0x3f3504f3u);
    lte_word e = w_sra(from_root_half, 23);
    lte_real f = r_from_bits(r_bits(u) - (e << 23)) - r_set(1.0f);
    lte_real p = r_set(-7.636940479e-02f);
    p = r_fma(p, f, r_set(1.276248544e-01f));
    p = r_fma(p, f, r_set(-1.315955073e-01f));
    p = r_fma(p, f, r_set(1.420153975e-01f));
    p = r_fma(p, f, r_set(-1.662341058e-01f));
    p = r_fma(p, f, r_set(2.000124305e-01f));
    p = r_fma(p, f, r_set(-2.500081956e-01f));
    p = r_fma(p, f, r_set(3.333333135e-01f));
    p = r_fma(p, f, r_set(-0.5f));
    lte_real ln_m = r_fma(f * f, p, f);
    return r_fma(r_from_i32(e), r_set(6.931471825e-01f), ln_m);
}

/*
 * Sine and cosine of 2 pi w / 2^32. The angle is reduced to [-pi/4, pi/4] in integers, exactly.
 * Error below 3 ulp of the result.
 */
LTE_INLINE void lte_sincos(lte_word w, lte_real *sine, lte_real *cosine)
{
    lte_word quadrant = (w + w_set(0x20000000u)) >> 30;
    lte_real x = r_from_i32(w - (quadrant << 30)) * r_set(1.462918120e-09f); /* 2 pi / 2^32 */
    lte_real z = x * x;
    lte_real s = r_fma(r_set(-1.951829181e-04f), z, r_set(8.332189173e-03f));
    s = r_fma(s, z, r_set(-1.666665524e-01f));
    s = r_fma(s * z, x, x);
    lte_real c = r_fma(r_set(2.443256381e-05f), z, r_set(-1.388731063e-03f));
    c = r_fma(c, z, r_set(4.166664556e-02f));
    c = r_fma(c, z, r_set(-0.5f));
    c = r_fma(c, z, r_set(1.0f));
    lte_mask even = w_eq(quadrant & w_set(1), w_set(0));
    *sine = r_flip(r_sel(even, s, c), quadrant << 30);
    *cosine = r_flip(r_sel(even, c, s), (quadrant + w_set(1)) << 30);
}

/*
 * CN(0, 1) by Box-Muller: u = (w0 + 1/2) / 2^32, radius sqrt(-ln u), angle 2 pi w1 / 2^32.
 */
LTE_INLINE lte_cplx lte_normal(lte_word w0, lte_word w1)
{
    lte_real u = r_fma(r_from_u32(w0), r_set(0x1p-32f), r_set(0x1p-33f));
    lte_real radius = r_sqrt_moderate(r_neg(lte_ln(u)));
    lte_real sine, cosine;
    lte_sincos(w1, &sine, &cosine);
    lte_cplx o = {radius * cosine, radius * sine};
    return o;
}

#endif
