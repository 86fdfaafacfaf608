#ifndef LTE_KERNELS_METHODS_INVERSE_NUMBERS_H
#define LTE_KERNELS_METHODS_INVERSE_NUMBERS_H
/*
 * The operations of kernels/methods/inverse/inverse.h on one number of each element type, by
 * LAPACK's letters: s_ float, c_ complex, d_ double, z_ double complex. Of complex floats most are
 * those of phy/base/cplx.h, with their roundings; the others have the same ones.
 *
 *     z = z_nmac(z, l, u);     // z - l u
 */

#include "phy/base/cplx.h"

/* A complex number in double. */
typedef struct {
#if defined(__CUDACC__)
    __align__(16)
#else
    _Alignas(16)
#endif
        double re;
    double im;
} lte_cf64;

/* Real numbers. -x by its sign bit, as r_neg has the reason. */
LTE_INLINE double d_neg(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= 0x8000000000000000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}
LTE_INLINE float s_neg(float x)
{
    return r_neg(x);
}

/* clang-format off */
#define REAL_NUMBER(p, real, fused, root, largest)                                                 \
    LTE_INLINE real p##_real(real x) { return x; }                                                 \
    LTE_INLINE real p##_part(real x) { return x; }                                                 \
    LTE_INLINE real p##_nmac(real s, real a, real b) { return fused(p##_neg(a), b, s); }           \
    LTE_INLINE real p##_nmacc(real s, real a, real b) { return fused(p##_neg(a), b, s); }          \
    LTE_INLINE real p##_mul(real a, real b) { return a * b; }                                      \
    LTE_INLINE real p##_scale(real a, real x) { return a * x; }                                    \
    LTE_INLINE real p##_conj(real a) { return a; }                                                 \
    LTE_INLINE real p##_abs2(real a) { return a * a; }                                             \
    LTE_INLINE real p##_root_inverse(real d) { return 1 / root(d); }                               \
    LTE_INLINE bool p##_divides(real x) { return 0 < x && x <= (largest); }                        \
    LTE_INLINE bool p##_finite(real a) { return -(largest) <= a && a <= (largest); }               \
    /* 1 / a; size: |a|^2 */                                                                       \
    LTE_INLINE real p##_reciprocal(real a, real size) { (void)size; return 1 / a; }
/* clang-format on */

#include <float.h>
#include <stdbool.h>
REAL_NUMBER(s, float, fmaf, sqrtf, FLT_MAX)
REAL_NUMBER(d, double, fma, sqrt, DBL_MAX)
#undef REAL_NUMBER

#ifndef LTE_REAL_HEADER
LTE_INLINE lte_cplx c_real(float x)
{
    const lte_cplx o = {x, 0.0f};
    return o;
}
LTE_INLINE float c_part(lte_cplx a)
{
    return a.re;
}
LTE_INLINE float c_root_inverse(float d)
{
    return s_root_inverse(d);
}
LTE_INLINE bool c_divides(float x)
{
    return s_divides(x);
}
LTE_INLINE bool c_finite(lte_cplx a)
{
    return s_finite(a.re) && s_finite(a.im);
}
LTE_INLINE lte_cplx c_reciprocal(lte_cplx a, float size)
{
    const float inverse = 1.0f / size;
    const lte_cplx o = {a.re * inverse, r_neg(a.im * inverse)};
    return o;
}
#endif

LTE_INLINE lte_cf64 z_real(double x)
{
    const lte_cf64 o = {x, 0.0};
    return o;
}
LTE_INLINE double z_part(lte_cf64 a)
{
    return a.re;
}
LTE_INLINE lte_cf64 z_nmac(lte_cf64 s, lte_cf64 a, lte_cf64 b)
{
    lte_cf64 o;
    o.re = fma(d_neg(a.im), d_neg(b.im), fma(d_neg(a.re), b.re, s.re));
    o.im = fma(d_neg(a.im), b.re, fma(d_neg(a.re), b.im, s.im));
    return o;
}
LTE_INLINE lte_cf64 z_nmacc(lte_cf64 s, lte_cf64 a, lte_cf64 b)
{
    lte_cf64 o;
    o.re = fma(d_neg(a.im), b.im, fma(d_neg(a.re), b.re, s.re));
    o.im = fma(d_neg(a.im), b.re, fma(a.re, b.im, s.im));
    return o;
}
LTE_INLINE lte_cf64 z_mul(lte_cf64 a, lte_cf64 b)
{
    lte_cf64 o;
    o.re = fma(d_neg(a.im), b.im, a.re * b.re);
    o.im = fma(a.im, b.re, a.re * b.im);
    return o;
}
LTE_INLINE lte_cf64 z_scale(lte_cf64 a, double x)
{
    const lte_cf64 o = {a.re * x, a.im * x};
    return o;
}
LTE_INLINE lte_cf64 z_conj(lte_cf64 a)
{
    const lte_cf64 o = {a.re, d_neg(a.im)};
    return o;
}
LTE_INLINE lte_cf64 z_neg(lte_cf64 a)
{
    const lte_cf64 o = {d_neg(a.re), d_neg(a.im)};
    return o;
}
LTE_INLINE double z_abs2(lte_cf64 a)
{
    return fma(a.im, a.im, a.re * a.re);
}
LTE_INLINE double z_root_inverse(double d)
{
    return d_root_inverse(d);
}
LTE_INLINE bool z_divides(double x)
{
    return d_divides(x);
}
LTE_INLINE bool z_finite(lte_cf64 a)
{
    return d_finite(a.re) && d_finite(a.im);
}
LTE_INLINE lte_cf64 z_reciprocal(lte_cf64 a, double size)
{
    const double inverse = 1.0 / size;
    const lte_cf64 o = {a.re * inverse, d_neg(a.im * inverse)};
    return o;
}

#endif
