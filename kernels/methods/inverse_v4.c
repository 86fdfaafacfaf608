/* Inverses for x86-64-v4: 16 floats or 8 doubles of AVX-512. */
#define LTE_REAL_HEADER "kernels/real_v4.h"
#include "phy/real.h"

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

#include "kernels/methods/inverse_lanes_cpu.h"

const lte_inverse_level lte_inverse_v4 = {
    .name = "v4", .usable = lte_has_v4, .run = {s_run, complex_run, d_run, z_run}};
