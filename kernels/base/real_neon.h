#ifndef LTE_KERNELS_REAL_NEON_H
#define LTE_KERNELS_REAL_NEON_H
/*
 * phy/base/real.h over 4 lanes of NEON (aarch64); see there for what each name means. One register
 * a number: two or four would leave half or a quarter of a small matrix in the 32 registers.
 */

#include <arm_neon.h>
#include <stdint.h>

enum { LTE_WIDTH = 4 };

typedef float32x4_t lte_real;
typedef uint32x4_t lte_word;
typedef lte_word lte_mask; /* all ones or zero per lane */
typedef struct {
    lte_word low, high; /* halves of each lane's 64 bits */
} lte_wide;

LTE_INLINE lte_real r_set(float x)
{
    return vdupq_n_f32(x);
}
LTE_INLINE lte_word w_set(uint32_t x)
{
    return vdupq_n_u32(x);
}
LTE_INLINE lte_word w_iota(uint32_t first)
{
    const lte_word lane = {0, 1, 2, 3};
    return w_set(first) + lane;
}
LTE_INLINE lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return vfmaq_f32(c, a, b);
}
LTE_INLINE lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return vfmsq_f32(c, a, b);
}
LTE_INLINE lte_real r_sqrt(lte_real x)
{
    return vsqrtq_f32(x);
}
LTE_INLINE lte_real r_from_u32(lte_word w)
{
    return vcvtq_f32_u32(w);
}
LTE_INLINE lte_real r_from_i32(lte_word w)
{
    return vcvtq_f32_s32((int32x4_t)w);
}
LTE_INLINE lte_word w_sra(lte_word w, int n)
{
    return (lte_word)((int32x4_t)w >> n);
}
LTE_INLINE lte_mask r_lt(lte_real a, lte_real b)
{
    return vcltq_f32(a, b);
}
LTE_INLINE lte_mask w_eq(lte_word a, lte_word b)
{
    return vceqq_u32(a, b);
}
LTE_INLINE lte_mask m_none(void)
{
    return w_set(0);
}
LTE_INLINE lte_mask m_and(lte_mask a, lte_mask b)
{
    return a & b;
}
LTE_INLINE lte_mask m_or(lte_mask a, lte_mask b)
{
    return a | b;
}
LTE_INLINE lte_mask m_not(lte_mask a)
{
    return ~a;
}
LTE_INLINE int m_any(lte_mask a)
{
    return vmaxvq_u32(a) != 0;
}
LTE_INLINE lte_real r_min(lte_real a, lte_real b)
{
    return vminnmq_f32(a, b);
}
LTE_INLINE lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return vbslq_f32(m, a, b);
}
LTE_INLINE lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return vbslq_u32(m, a, b);
}
LTE_INLINE lte_real r_load(const float *p)
{
    return vld1q_f32(p);
}
LTE_INLINE void r_store(float *p, lte_real x)
{
    vst1q_f32(p, x);
}
LTE_INLINE lte_word w_load(const uint32_t *p)
{
    return vld1q_u32(p);
}
LTE_INLINE void w_store(uint32_t *p, lte_word x)
{
    vst1q_u32(p, x);
}
LTE_INLINE lte_word w_pick(const lte_word *array, lte_word index)
{
    const uint32_t *const words = (const uint32_t *)array;
    const lte_word o = {words[4 * index[0]], words[4 * index[1] + 1], words[4 * index[2] + 2],
                        words[4 * index[3] + 3]};
    return o;
}
LTE_INLINE void r_load_pairs(const float *p, lte_real *even, lte_real *odd)
{
    const float32x4x2_t pairs = vld2q_f32(p);
    *even = pairs.val[0];
    *odd = pairs.val[1];
}

LTE_INLINE lte_wide wide_from(lte_word w)
{
    lte_wide x = {w, w};
    return x;
}
LTE_INLINE lte_word wide_word(lte_wide x)
{
    return x.low;
}
LTE_INLINE lte_wide wide_mul(lte_wide x, uint32_t m)
{
    const lte_word by = w_set(m);
    const lte_word first = (lte_word)vmull_u32(vget_low_u32(x.low), vget_low_u32(by));
    const lte_word last = (lte_word)vmull_high_u32(x.low, by);
    lte_wide p = {vuzp1q_u32(first, last), vuzp2q_u32(first, last)};
    return p;
}
LTE_INLINE lte_wide wide_mix(lte_wide x, lte_wide a, uint32_t k)
{
    return wide_from(x.high ^ a.low ^ w_set(k));
}

#endif
