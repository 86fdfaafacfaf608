/* Inverses for x86-64-v3: 8 floats or 4 doubles of AVX2. */
#define LTE_REAL_HEADER "kernels/real_v3.h"
#include "phy/real.h"

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

#include "kernels/methods/inverse_lanes_cpu.h"

const lte_inverse_level lte_inverse_v3 = {
    .name = "v3", .usable = lte_has_v3, .run = {s_run, complex_run, d_run, z_run}};
