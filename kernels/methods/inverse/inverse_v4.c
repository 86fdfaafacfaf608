/* Inverses for x86-64-v4: 16 floats or 8 doubles of AVX-512. */
#define LTE_REAL_HEADER "kernels/base/real_v4.h"
#include "phy/base/real.h"

enum { DOUBLE_WIDTH = 8 };
typedef double double_vector __attribute__((vector_size(64)));

LTE_INLINE double_vector double_set(double x)
{
    return (double_vector)_mm512_set1_pd(x);
}
LTE_INLINE double_vector double_fma(double_vector a, double_vector b, double_vector c)
{
    return (double_vector)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
LTE_INLINE double_vector double_fnma(double_vector a, double_vector b, double_vector c)
{
    return (double_vector)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
LTE_INLINE double_vector double_load(const double *p)
{
    return (double_vector)_mm512_loadu_pd(p);
}
LTE_INLINE void double_store(double *p, double_vector x)
{
    _mm512_storeu_pd(p, (__m512d)x);
}

LTE_INLINE void transpose(lte_real *x)
{
    __m512 pair[LTE_WIDTH], four[LTE_WIDTH];
    LTE_UNROLL
    for (int i = 0; i < LTE_WIDTH; i += 2) {
        pair[i] = _mm512_unpacklo_ps((__m512)x[i], (__m512)x[i + 1]);
        pair[i + 1] = _mm512_unpackhi_ps((__m512)x[i], (__m512)x[i + 1]);
    }
    LTE_UNROLL
    for (int i = 0; i < LTE_WIDTH; i += 4) {
        four[i] = _mm512_shuffle_ps(pair[i], pair[i + 2], 0x44);
        four[i + 1] = _mm512_shuffle_ps(pair[i], pair[i + 2], 0xee);
        four[i + 2] = _mm512_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        four[i + 3] = _mm512_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    LTE_UNROLL
    for (int i = 0; i < 4; i++) { /* four[4 g + i]: numbers i, i + 4, .. of x[4 g] to x[4 g + 3] */
        const __m512 a = _mm512_shuffle_f32x4(four[i], four[i + 4], 0x88);
        const __m512 b = _mm512_shuffle_f32x4(four[i], four[i + 4], 0xdd);
        const __m512 c = _mm512_shuffle_f32x4(four[i + 8], four[i + 12], 0x88);
        const __m512 d = _mm512_shuffle_f32x4(four[i + 8], four[i + 12], 0xdd);
        x[i] = (lte_real)_mm512_shuffle_f32x4(a, c, 0x88);
        x[i + 4] = (lte_real)_mm512_shuffle_f32x4(b, d, 0x88);
        x[i + 8] = (lte_real)_mm512_shuffle_f32x4(a, c, 0xdd);
        x[i + 12] = (lte_real)_mm512_shuffle_f32x4(b, d, 0xdd);
    }
}

#include "kernels/methods/inverse/inverse_lanes_cpu.h"

const lte_inverse_level lte_inverse_v4 = {
    .name = "v4", .usable = lte_has_v4, .run = {s_run, complex_run, d_run, z_run}};
