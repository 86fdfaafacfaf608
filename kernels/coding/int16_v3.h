#ifndef LTE_KERNELS_CODING_INT16_V3_H
#define LTE_KERNELS_CODING_INT16_V3_H
/*
 * 16 lanes of 16 bits with AVX2 (x86-64-v3); kernels/coding/turbo_lanes.h says what each name
 * means.
 */

#include <immintrin.h>
#include <stdint.h>

enum { LTE_I16_LANES = 16 };
typedef int16_t lte_i16 __attribute__((vector_size(32)));

static inline lte_i16 i_set(int x)
{
    return (lte_i16)_mm256_set1_epi16((int16_t)x);
}
static inline lte_i16 i_max(lte_i16 a, lte_i16 b)
{
    return (lte_i16)_mm256_max_epi16((__m256i)a, (__m256i)b);
}
static inline lte_i16 i_min(lte_i16 a, lte_i16 b)
{
    return (lte_i16)_mm256_min_epi16((__m256i)a, (__m256i)b);
}
static inline lte_i16 i_load8(const int8_t *x)
{
    return (lte_i16)_mm256_cvtepi8_epi16(_mm_load_si128((const __m128i *)(const void *)x));
}
static inline void i_store8(int8_t *x, lte_i16 a)
{
    const __m128i low = _mm256_castsi256_si128((__m256i)a);
    const __m128i high = _mm256_extracti128_si256((__m256i)a, 1);
    _mm_store_si128((__m128i *)(void *)x, _mm_packs_epi16(low, high));
}

#endif
