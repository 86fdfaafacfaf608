/* Inverses for aarch64: 4 floats or 2 doubles of NEON. */
#define LTE_REAL_HEADER "kernels/base/real_neon.h"
#include "phy/base/real.h"

enum { DOUBLE_WIDTH = 2 };
typedef float64x2_t double_vector;

LTE_INLINE double_vector double_set(double x)
{
    return vdupq_n_f64(x);
}
LTE_INLINE double_vector double_fma(double_vector a, double_vector b, double_vector c)
{
    return vfmaq_f64(c, a, b);
}
LTE_INLINE double_vector double_fnma(double_vector a, double_vector b, double_vector c)
{
    return vfmsq_f64(c, a, b);
}
LTE_INLINE double_vector double_load(const double *p)
{
    return vld1q_f64(p);
}
LTE_INLINE void double_store(double *p, double_vector x)
{
    vst1q_f64(p, x);
}

LTE_INLINE void transpose(lte_real *x)
{
    float64x2_t pair[LTE_WIDTH];
    LTE_UNROLL
    for (int i = 0; i < LTE_WIDTH; i += 2) {
        pair[i] = (float64x2_t)vtrn1q_f32(x[i], x[i + 1]);
        pair[i + 1] = (float64x2_t)vtrn2q_f32(x[i], x[i + 1]);
    }
    LTE_UNROLL
    for (int i = 0; i < 2; i++) {
        x[i] = (lte_real)vtrn1q_f64(pair[i], pair[i + 2]);
        x[i + 2] = (lte_real)vtrn2q_f64(pair[i], pair[i + 2]);
    }
}

#include "kernels/methods/inverse/inverse_lanes_cpu.h"

const lte_inverse_level lte_inverse_neon = {
    .name = "neon", .usable = lte_has_neon, .run = {s_run, complex_run, d_run, z_run}};
