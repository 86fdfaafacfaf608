/* Inverses for x86-64-v3: 8 floats or 4 doubles of AVX2. */
#define LTE_REAL_HEADER "kernels/base/real_v3.h"
#include "phy/base/real.h"

enum { DOUBLE_WIDTH = 4 };
typedef double double_vector __attribute__((vector_size(32)));

LTE_INLINE double_vector double_set(double x)
{
    return (double_vector)_mm256_set1_pd(x);
}
LTE_INLINE double_vector double_fma(double_vector a, double_vector b, double_vector c)
{
    return (double_vector)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
LTE_INLINE double_vector double_fnma(double_vector a, double_vector b, double_vector c)
{
    return (double_vector)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
LTE_INLINE double_vector double_load(const double *p)
{
    return (double_vector)_mm256_loadu_pd(p);
}
LTE_INLINE void double_store(double *p, double_vector x)
{
    _mm256_storeu_pd(p, (__m256d)x);
}

LTE_INLINE void transpose(lte_real *x)
{
    __m256 pair[LTE_WIDTH], four[LTE_WIDTH];
    LTE_UNROLL
    for (int i = 0; i < LTE_WIDTH; i += 2) {
        pair[i] = _mm256_unpacklo_ps((__m256)x[i], (__m256)x[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps((__m256)x[i], (__m256)x[i + 1]);
    }
    LTE_UNROLL
    for (int i = 0; i < LTE_WIDTH; i += 4) {
        four[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        four[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
        four[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        four[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    LTE_UNROLL
    for (int i = 0; i < 4; i++) {
        x[i] = (lte_real)_mm256_permute2f128_ps(four[i], four[i + 4], 0x20);
        x[i + 4] = (lte_real)_mm256_permute2f128_ps(four[i], four[i + 4], 0x31);
    }
}

#include "kernels/methods/inverse/inverse_lanes_cpu.h"

const lte_inverse_level lte_inverse_v3 = {
    .name = "v3", .usable = lte_has_v3, .run = {s_run, complex_run, d_run, z_run}};
