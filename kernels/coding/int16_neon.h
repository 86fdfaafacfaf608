#ifndef LTE_KERNELS_CODING_INT16_NEON_H
#define LTE_KERNELS_CODING_INT16_NEON_H
/*
 * 8 lanes of 16 bits with NEON (aarch64); kernels/coding/turbo_lanes.h says what each name means.
 */

#include <arm_neon.h>
#include <stdint.h>

enum { LTE_I16_LANES = 8 };
typedef int16x8_t lte_i16;

static inline lte_i16 i_set(int x)
{
    return vdupq_n_s16((int16_t)x);
}
static inline lte_i16 i_max(lte_i16 a, lte_i16 b)
{
    return vmaxq_s16(a, b);
}
static inline lte_i16 i_min(lte_i16 a, lte_i16 b)
{
    return vminq_s16(a, b);
}
static inline lte_i16 i_load8(const int8_t *x)
{
    return vmovl_s8(vld1_s8(x));
}
static inline void i_store8(int8_t *x, lte_i16 a)
{
    vst1_s8(x, vmovn_s16(a));
}

#endif
