#ifndef LTE_KERNELS_CODING_INT16_V4_H
#define LTE_KERNELS_CODING_INT16_V4_H
/*
 * 32 lanes of 16 bits with AVX-512 (x86-64-v4); kernels/coding/turbo_lanes.h says what each name
 * means.
 */

#include <immintrin.h>
#include <stdint.h>

enum { LTE_I16_LANES = 32 };
typedef int16_t lte_i16 __attribute__((vector_size(64)));

static inline lte_i16 i_set(int x)
{
    return (lte_i16)_mm512_set1_epi16((int16_t)x);
}
static inline lte_i16 i_max(lte_i16 a, lte_i16 b)
{
    return (lte_i16)_mm512_max_epi16((__m512i)a, (__m512i)b);
}
static inline lte_i16 i_min(lte_i16 a, lte_i16 b)
{
    return (lte_i16)_mm512_min_epi16((__m512i)a, (__m512i)b);
}
static inline lte_i16 i_load8(const int8_t *x)
{
    return (lte_i16)_mm512_cvtepi8_epi16(_mm256_load_si256((const __m256i *)(const void *)x));
}
static inline void i_store8(int8_t *x, lte_i16 a)
{
    _mm256_store_si256((__m256i *)(void *)x, _mm512_cvtepi16_epi8((__m512i)a));
}

#endif
