#ifndef LTE_PHY_REAL_H
#define LTE_PHY_REAL_H
/*
 * The number type that every formula of phy/ is written over: a float here, a vector of floats
 * (one lane per subcarrier) where LTE_REAL_HEADER names another header with the same names.
 *
 *     lte_real x = r_fma(a, b, c);               // one rounding, in every lane
 *     x = r_sel(r_lt(x, r_set(0.0f)), -x, x);
 *
 * +, -, *, / on lte_real and +, -, ^, &, |, <<, >> on lte_word mean what they mean per lane. All
 * are correctly rounded IEEE float32, so a lane holds the bits that the scalar would.
 */

#if defined(__CUDACC__)
#define LTE_INLINE static __host__ __device__ __forceinline__
#ifdef LTE_INLINE_ALL /* a kernel that has no call: its arrays lie in registers */
#define LTE_OUTLINE LTE_INLINE __attribute__((unused))
#else
#define LTE_OUTLINE static __host__ __device__ __noinline__ __attribute__((unused))
#endif
#define LTE_COLD LTE_OUTLINE
#define LTE_UNROLL _Pragma("unroll")
#define LTE_UNROLL_DEVICE LTE_UNROLL
#define LTE_ROLL_DEVICE _Pragma("unroll 1")
#elif defined(__clang__)
#define LTE_INLINE static inline __attribute__((always_inline))
#define LTE_OUTLINE static __attribute__((noinline, unused))
#define LTE_COLD static __attribute__((noinline, unused, cold)) /* small rather than fast */
#define LTE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LTE_INLINE static inline __attribute__((always_inline))
#define LTE_OUTLINE static __attribute__((noinline, unused))
#define LTE_COLD static __attribute__((noinline, unused, cold))
#define LTE_UNROLL _Pragma("GCC unroll 16")
#endif

/* Where each fmaf is a call, unrolled loops take twice the code for a twentieth of the time. */
#if !defined(LTE_REAL_HEADER) && !defined(__CUDACC__) && !defined(__FP_FAST_FMAF) &&               \
    !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#undef LTE_UNROLL
#define LTE_UNROLL
#endif

#ifndef LTE_UNROLL_DEVICE
/* Only on the device: where a matrix lies in registers, and where code must stay short. */
#define LTE_UNROLL_DEVICE
#define LTE_ROLL_DEVICE
#endif

#ifdef LTE_REAL_HEADER
#include LTE_REAL_HEADER

/* What all vectors have alike. */
LTE_INLINE lte_real r_neg(lte_real x)
{
    return -x; /* a builtin of the instruction set is not folded with it */
}
LTE_INLINE lte_real r_reciprocal_moderate(lte_real x)
{
    return r_set(1.0f) / x;
}
LTE_INLINE lte_real r_sqrt_moderate(lte_real x)
{
    return r_sqrt(x);
}
LTE_INLINE lte_word r_bits(lte_real x)
{
    return (lte_word)x;
}
LTE_INLINE lte_real r_from_bits(lte_word w)
{
    return (lte_real)w;
}
#ifndef LTE_PUTS_LANES /* by an instruction of the set */
LTE_INLINE void w_put(lte_word *array, lte_word index, lte_word x)
{
    for (int lane = 0; lane < LTE_WIDTH; lane++)
        ((uint32_t *)array)[index[lane] * (uint32_t)LTE_WIDTH + (uint32_t)lane] = x[lane];
}
#endif

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LTE_WIDTH = 1 }; /* lanes of an lte_real */

typedef float lte_real;
typedef uint32_t lte_word; /* as wide as an lte_real */
typedef int lte_mask;      /* one truth value per lane */
typedef uint64_t lte_wide; /* a word per lane, room for its product; upper halves are arbitrary */

LTE_INLINE lte_real r_set(float x)
{
    return x;
}
LTE_INLINE lte_word w_set(uint32_t x)
{
    return x;
}
/* first, first + 1, ... over the lanes */
LTE_INLINE lte_word w_iota(uint32_t first)
{
    return first;
}
/* a b + c */
LTE_INLINE lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return fmaf(a, b, c);
}
/*
 * -x. Where fmaf is an instruction, gcc 12 makes one of -fmaf(a, b, c), which rounds -a b - c and
 * so has a zero of the other sign: there it must not see a minus.
 */
LTE_INLINE lte_real r_neg(lte_real x)
{
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__FP_FAST_FMAF)
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= 0x80000000u;
    memcpy(&x, &bits, sizeof x);
    return x;
#else
    return -x;
#endif
}
/* -a b + c */
LTE_INLINE lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return fmaf(r_neg(a), b, c);
}
LTE_INLINE lte_real r_sqrt(lte_real x)
{
    return sqrtf(x);
}
/*
 * The same root for x that is zero or between 2^-60 and 2^60. On the device this spares the test
 * for other values: an approximate 1/sqrt(x) and one correction of the residual, which gives the
 * correctly rounded root (a test compares every float from 2^-26 to 2^6).
 */
LTE_INLINE lte_real r_sqrt_moderate(lte_real x)
{
#if defined(__CUDA_ARCH__)
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(x, 0x1p-100f)));
    const float root = x * inverse;
    return fmaf(fmaf(-root, root, x), 0.5f * inverse, root);
#else
    return sqrtf(x);
#endif
}
/*
 * 1 / x, correctly rounded, for |x| between 2^-76 and 2^65. On the device this spares the branch
 * for other values: an approximate reciprocal and one correction (a test compares every such
 * float).
 */
LTE_INLINE lte_real r_reciprocal_moderate(lte_real x)
{
#if defined(__CUDA_ARCH__)
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    return fmaf(inverse, fmaf(-x, inverse, 1.0f), inverse);
#else
    return 1.0f / x;
#endif
}
LTE_INLINE lte_word r_bits(lte_real x)
{
    uint32_t w;
    memcpy(&w, &x, sizeof w);
    return w;
}
LTE_INLINE lte_real r_from_bits(lte_word w)
{
    float x;
    memcpy(&x, &w, sizeof x);
    return x;
}
/* (float) of a word as unsigned, and as two's complement, rounded to nearest */
LTE_INLINE lte_real r_from_u32(lte_word w)
{
    return (float)w;
}
LTE_INLINE lte_real r_from_i32(lte_word w)
{
    return (float)(int32_t)w;
}
/* arithmetic shift right of a two's complement word */
LTE_INLINE lte_word w_sra(lte_word w, int n)
{
    return (uint32_t)((int32_t)w >> n);
}
LTE_INLINE lte_mask r_lt(lte_real a, lte_real b)
{
    return a < b;
}
LTE_INLINE lte_mask w_eq(lte_word a, lte_word b)
{
    return a == b;
}
LTE_INLINE lte_mask m_none(void)
{
    return 0;
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
    return !a;
}
/* true if any lane is */
LTE_INLINE int m_any(lte_mask a)
{
    return a;
}
/* The lesser of two numbers above -0; b where a is none. */
LTE_INLINE lte_real r_min(lte_real a, lte_real b)
{
#if defined(__CUDA_ARCH__)
    return fminf(a, b); /* one instruction */
#else
    return a < b ? a : b;
#endif
}
/* per lane: a where m holds, else b */
LTE_INLINE lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return m ? a : b;
}
LTE_INLINE lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return m ? a : b;
}
LTE_INLINE lte_real r_load(const float *p)
{
    return *p;
}
LTE_INLINE void r_store(float *p, lte_real x)
{
    *p = x;
}
LTE_INLINE lte_word w_load(const uint32_t *p)
{
    return *p;
}
LTE_INLINE void w_store(uint32_t *p, lte_word x)
{
    *p = x;
}
/* Each lane's own element of an array, read and written. */
LTE_INLINE lte_word w_pick(const lte_word *array, lte_word index)
{
    return array[index];
}
LTE_INLINE void w_put(lte_word *array, lte_word index, lte_word x)
{
    array[index] = x;
}
/* Splits interleaved pairs p[2 i], p[2 i + 1] into lanes. */
LTE_INLINE void r_load_pairs(const float *p, lte_real *even, lte_real *odd)
{
    *even = p[0];
    *odd = p[1];
}

LTE_INLINE lte_wide wide_from(lte_word w)
{
    return w;
}
LTE_INLINE lte_word wide_word(lte_wide x)
{
    return (uint32_t)x;
}
/* the 64-bit product of the lower half of x with m */
LTE_INLINE lte_wide wide_mul(lte_wide x, uint32_t m)
{
    return (uint64_t)(uint32_t)x * m;
}
/* upper half of x, xor a, xor k */
LTE_INLINE lte_wide wide_mix(lte_wide x, lte_wide a, uint32_t k)
{
    return (x >> 32) ^ a ^ k;
}

#endif

/* |x| and -x by the sign bit, x with the sign bit of w flipped in. */
LTE_INLINE lte_real r_abs(lte_real x)
{
    return r_from_bits(r_bits(x) & w_set(0x7fffffffu));
}
LTE_INLINE lte_real r_flip(lte_real x, lte_word sign)
{
    return r_from_bits(r_bits(x) ^ (sign & w_set(0x80000000u)));
}
/* True where x is finite: x - x is 0 then, NaN otherwise. */
LTE_INLINE lte_mask r_finite(lte_real x)
{
    return r_lt(r_abs(x), r_from_bits(w_set(0x7f800000u)));
}

#endif
