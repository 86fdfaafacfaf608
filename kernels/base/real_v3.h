#ifndef LTE_KERNELS_REAL_V3_H
#define LTE_KERNELS_REAL_V3_H
/* phy/base/real.h over 8 lanes of AVX2 and FMA (x86-64-v3); see there for what each name means. */

#include <immintrin.h>
#include <stdint.h>

enum { LTE_WIDTH = 8 };

typedef float lte_real __attribute__((vector_size(32)));
typedef uint32_t lte_word __attribute__((vector_size(32)));
typedef lte_word lte_mask; /* all ones or zero per lane */
typedef struct {
    __m256i even, odd; /* lanes 0, 2, .. and 1, 3, .. as 64-bit elements */
} lte_wide;

LTE_INLINE lte_real r_set(float x)
{
    return (lte_real)_mm256_set1_ps(x);
}
LTE_INLINE lte_word w_set(uint32_t x)
{
    return (lte_word)_mm256_set1_epi32((int)x);
}
LTE_INLINE lte_word w_iota(uint32_t first)
{
    const lte_word lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return w_set(first) + lane;
}
LTE_INLINE lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return (lte_real)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
LTE_INLINE lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return (lte_real)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
LTE_INLINE lte_real r_sqrt(lte_real x)
{
    return (lte_real)_mm256_sqrt_ps((__m256)x);
}
LTE_INLINE lte_real r_from_i32(lte_word w)
{
    return (lte_real)_mm256_cvtepi32_ps((__m256i)w);
}
/* Both halves convert exactly, so the one rounding is that of the fused multiply-add. */
LTE_INLINE lte_real r_from_u32(lte_word w)
{
    return r_fma(r_from_i32(w >> 16), r_set(65536.0f), r_from_i32(w & w_set(0xffffu)));
}
LTE_INLINE lte_word w_sra(lte_word w, int n)
{
    return (lte_word)_mm256_srai_epi32((__m256i)w, n);
}
LTE_INLINE lte_mask r_lt(lte_real a, lte_real b)
{
    return (lte_mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ);
}
LTE_INLINE lte_mask w_eq(lte_word a, lte_word b)
{
    return (lte_mask)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b);
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
    return _mm256_movemask_ps((__m256)a) != 0;
}
LTE_INLINE lte_real r_min(lte_real a, lte_real b)
{
    return (lte_real)_mm256_min_ps((__m256)a, (__m256)b);
}
LTE_INLINE lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return (lte_real)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
LTE_INLINE lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return (lte_word)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
}
LTE_INLINE lte_real r_load(const float *p)
{
    return (lte_real)_mm256_loadu_ps(p);
}
LTE_INLINE void r_store(float *p, lte_real x)
{
    _mm256_storeu_ps(p, (__m256)x);
}
LTE_INLINE lte_word w_load(const uint32_t *p)
{
    return (lte_word)_mm256_loadu_si256((const __m256i *)(const void *)p);
}
LTE_INLINE void w_store(uint32_t *p, lte_word x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, (__m256i)x);
}
LTE_INLINE lte_word w_pick(const lte_word *array, lte_word index)
{
    const lte_word at = index * w_set(LTE_WIDTH) + w_iota(0);
    return (lte_word)_mm256_i32gather_epi32((const int *)array, (__m256i)at, 4);
}
LTE_INLINE void r_load_pairs(const float *p, lte_real *even, lte_real *odd)
{
    __m256 a = _mm256_loadu_ps(p), b = _mm256_loadu_ps(p + 8);
    __m256 lo = _mm256_permute2f128_ps(a, b, 0x20), hi = _mm256_permute2f128_ps(a, b, 0x31);
    *even = (lte_real)_mm256_shuffle_ps(lo, hi, 0x88);
    *odd = (lte_real)_mm256_shuffle_ps(lo, hi, 0xDD);
}

LTE_INLINE lte_wide wide_from(lte_word w)
{
    lte_wide x = {(__m256i)w, _mm256_srli_epi64((__m256i)w, 32)};
    return x;
}
LTE_INLINE lte_word wide_word(lte_wide x)
{
    return (lte_word)_mm256_blend_epi32(x.even, _mm256_slli_epi64(x.odd, 32), 0xAA);
}
LTE_INLINE lte_wide wide_mul(lte_wide x, uint32_t m)
{
    const __m256i by = _mm256_set1_epi64x((long long)m);
    lte_wide p = {_mm256_mul_epu32(x.even, by), _mm256_mul_epu32(x.odd, by)};
    return p;
}
LTE_INLINE lte_wide wide_mix(lte_wide x, lte_wide a, uint32_t k)
{
    const __m256i key = _mm256_set1_epi32((int)k);
    lte_wide o = {
        _mm256_srli_epi64(x.even, 32) ^ a.even ^ key,
        _mm256_srli_epi64(x.odd, 32) ^ a.odd ^ key,
    };
    return o;
}

#endif
