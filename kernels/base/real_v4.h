#ifndef LTE_KERNELS_REAL_V4_H
#define LTE_KERNELS_REAL_V4_H
/* phy/base/real.h over 16 lanes of AVX-512 (x86-64-v4); see there for what each name means. */

#include <immintrin.h>
#include <stdint.h>

enum { LTE_WIDTH = 16 };

typedef float lte_real __attribute__((vector_size(64)));
typedef uint32_t lte_word __attribute__((vector_size(64)));
typedef __mmask16 lte_mask;
typedef struct {
    __m512i even, odd; /* lanes 0, 2, .. and 1, 3, .. as 64-bit elements */
} lte_wide;

LTE_INLINE lte_real r_set(float x)
{
    return (lte_real)_mm512_set1_ps(x);
}
LTE_INLINE lte_word w_set(uint32_t x)
{
    return (lte_word)_mm512_set1_epi32((int)x);
}
LTE_INLINE lte_word w_iota(uint32_t first)
{
    const lte_word lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return w_set(first) + lane;
}
LTE_INLINE lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return (lte_real)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
LTE_INLINE lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return (lte_real)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
LTE_INLINE lte_real r_sqrt(lte_real x)
{
    return (lte_real)_mm512_sqrt_ps((__m512)x);
}
LTE_INLINE lte_real r_from_u32(lte_word w)
{
    return (lte_real)_mm512_cvtepu32_ps((__m512i)w);
}
LTE_INLINE lte_real r_from_i32(lte_word w)
{
    return (lte_real)_mm512_cvtepi32_ps((__m512i)w);
}
LTE_INLINE lte_word w_sra(lte_word w, int n)
{
    return (lte_word)_mm512_srai_epi32((__m512i)w, (unsigned)n);
}
LTE_INLINE lte_mask r_lt(lte_real a, lte_real b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}
LTE_INLINE lte_mask w_eq(lte_word a, lte_word b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
LTE_INLINE lte_mask m_none(void)
{
    return 0;
}
LTE_INLINE lte_mask m_and(lte_mask a, lte_mask b)
{
    return _kand_mask16(a, b);
}
LTE_INLINE lte_mask m_or(lte_mask a, lte_mask b)
{
    return _kor_mask16(a, b);
}
LTE_INLINE lte_mask m_not(lte_mask a)
{
    return _knot_mask16(a);
}
LTE_INLINE int m_any(lte_mask a)
{
    return a != 0;
}
LTE_INLINE lte_real r_min(lte_real a, lte_real b)
{
    return (lte_real)_mm512_min_ps((__m512)a, (__m512)b);
}
LTE_INLINE lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return (lte_real)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a);
}
LTE_INLINE lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return (lte_word)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}
LTE_INLINE lte_real r_load(const float *p)
{
    return (lte_real)_mm512_loadu_ps(p);
}
LTE_INLINE void r_store(float *p, lte_real x)
{
    _mm512_storeu_ps(p, (__m512)x);
}
LTE_INLINE lte_word w_load(const uint32_t *p)
{
    return (lte_word)_mm512_loadu_si512(p);
}
LTE_INLINE void w_store(uint32_t *p, lte_word x)
{
    _mm512_storeu_si512(p, (__m512i)x);
}
LTE_INLINE lte_word w_pick(const lte_word *array, lte_word index)
{
    const lte_word at = index * w_set(LTE_WIDTH) + w_iota(0);
    return (lte_word)_mm512_i32gather_epi32((__m512i)at, array, 4);
}
#define LTE_PUTS_LANES
LTE_INLINE void w_put(lte_word *array, lte_word index, lte_word x)
{
    const lte_word at = index * w_set(LTE_WIDTH) + w_iota(0);
    _mm512_i32scatter_epi32(array, (__m512i)at, (__m512i)x, 4);
}
LTE_INLINE void r_load_pairs(const float *p, lte_real *even, lte_real *odd)
{
    __m512 a = _mm512_loadu_ps(p), b = _mm512_loadu_ps(p + 16);
    const __m512i pick = (__m512i)(w_iota(0) + w_iota(0));
    *even = (lte_real)_mm512_permutex2var_ps(a, pick, b);
    *odd = (lte_real)_mm512_permutex2var_ps(a, _mm512_add_epi32(pick, _mm512_set1_epi32(1)), b);
}

LTE_INLINE lte_wide wide_from(lte_word w)
{
    lte_wide x = {(__m512i)w, _mm512_srli_epi64((__m512i)w, 32)};
    return x;
}
LTE_INLINE lte_word wide_word(lte_wide x)
{
    return (lte_word)_mm512_mask_shuffle_epi32(x.even, 0xAAAA, x.odd, _MM_PERM_CCAA);
}
LTE_INLINE lte_wide wide_mul(lte_wide x, uint32_t m)
{
    const __m512i by = _mm512_set1_epi64((long long)m);
    lte_wide p = {_mm512_mul_epu32(x.even, by), _mm512_mul_epu32(x.odd, by)};
    return p;
}
LTE_INLINE lte_wide wide_mix(lte_wide x, lte_wide a, uint32_t k)
{
    const __m512i key = _mm512_set1_epi32((int)k);
    lte_wide o = {
        _mm512_ternarylogic_epi64(_mm512_srli_epi64(x.even, 32), a.even, key, 0x96),
        _mm512_ternarylogic_epi64(_mm512_srli_epi64(x.odd, 32), a.odd, key, 0x96),
    };
    return o;
}

#endif
