#ifndef LTE_PHY_CPLX_H
#define LTE_PHY_CPLX_H
/*
 * Complex numbers over lte_real, and the few operations that the arithmetic rules allow. Each
 * names its roundings: a product is fma(-a.im, b.im, a.re b.re), fma(a.im, b.re, a.re b.im).
 */

#include "phy/base/real.h"

#if defined(__CUDACC__)
#define LTE_PAIR __align__(8) /* one access of 8 bytes */
#else
#define LTE_PAIR
#endif

typedef struct LTE_PAIR {
    lte_real re, im;
} lte_cplx;

/* One complex number in memory, as planes hold it. */
typedef struct {
#if defined(__CUDACC__)
    __align__(8)
#else
    _Alignas(8)
#endif
        float re;
    float im;
} lte_cf32;

LTE_INLINE lte_cplx c_zero(void)
{
    lte_cplx o = {r_set(0.0f), r_set(0.0f)};
    return o;
}
/* The same number in every lane. */
LTE_INLINE lte_cplx c_set(lte_cf32 z)
{
    lte_cplx o = {r_set(z.re), r_set(z.im)};
    return o;
}
/* s + a b */
LTE_INLINE lte_cplx c_mac(lte_cplx s, lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fnma(a.im, b.im, r_fma(a.re, b.re, s.re));
    o.im = r_fma(a.im, b.re, r_fma(a.re, b.im, s.im));
    return o;
}
/* s + conj(a) b */
LTE_INLINE lte_cplx c_cmac(lte_cplx s, lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fma(a.im, b.im, r_fma(a.re, b.re, s.re));
    o.im = r_fnma(a.im, b.re, r_fma(a.re, b.im, s.im));
    return o;
}
/* s + a conj(b) */
LTE_INLINE lte_cplx c_macc(lte_cplx s, lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fma(a.im, b.im, r_fma(a.re, b.re, s.re));
    o.im = r_fma(a.im, b.re, r_fnma(a.re, b.im, s.im));
    return o;
}
/* s - a b */
LTE_INLINE lte_cplx c_nmac(lte_cplx s, lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fma(a.im, b.im, r_fnma(a.re, b.re, s.re));
    o.im = r_fnma(a.im, b.re, r_fnma(a.re, b.im, s.im));
    return o;
}
/* s - a conj(b) */
LTE_INLINE lte_cplx c_nmacc(lte_cplx s, lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fnma(a.im, b.im, r_fnma(a.re, b.re, s.re));
    o.im = r_fnma(a.im, b.re, r_fma(a.re, b.im, s.im));
    return o;
}
/* a b */
LTE_INLINE lte_cplx c_mul(lte_cplx a, lte_cplx b)
{
    lte_cplx o;
    o.re = r_fnma(a.im, b.im, a.re * b.re);
    o.im = r_fma(a.im, b.re, a.re * b.im);
    return o;
}
/* a x, x real */
LTE_INLINE lte_cplx c_scale(lte_cplx a, lte_real x)
{
    lte_cplx o = {a.re * x, a.im * x};
    return o;
}
/* s + a x, x real */
LTE_INLINE lte_cplx c_add_scaled(lte_cplx s, lte_cplx a, lte_real x)
{
    lte_cplx o = {r_fma(a.re, x, s.re), r_fma(a.im, x, s.im)};
    return o;
}
/* Re(conj(a) b) */
LTE_INLINE lte_real c_dot(lte_cplx a, lte_cplx b)
{
    return r_fma(a.im, b.im, a.re * b.re);
}
LTE_INLINE lte_cplx c_neg(lte_cplx a)
{
    lte_cplx o = {r_neg(a.re), r_neg(a.im)};
    return o;
}
LTE_INLINE lte_cplx c_conj(lte_cplx a)
{
    lte_cplx o = {a.re, r_neg(a.im)};
    return o;
}
/* |a|^2 */
LTE_INLINE lte_real c_abs2(lte_cplx a)
{
    return r_fma(a.im, a.im, a.re * a.re);
}
/* per lane: a where m holds, else b */
LTE_INLINE lte_cplx c_sel(lte_mask m, lte_cplx a, lte_cplx b)
{
    lte_cplx o = {r_sel(m, a.re, b.re), r_sel(m, a.im, b.im)};
    return o;
}

#endif
