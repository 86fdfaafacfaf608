#ifndef LTE_TESTS_REAL_COUNTING_H
#define LTE_TESTS_REAL_COUNTING_H
/*
 * The number type of phy/base/real.h as a float that counts what is done with it, in C++. What is
 * made of constants alone is one, as compilers make it, and counts nothing.
 *
 *     #define LTE_REAL_HEADER "tests/lib/real_counting.h"
 *     #include "phy/detection/detection.h"
 *     counted = operations_counted();
 *     flag = lte_prepare(&plan, h, lte_white(n0), lte_ldl, state, work);
 *     ... counted.multiply_add ...
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/lib/operations_counted.h"

#define _Alignas alignas /* of C, in headers of phy */

/* Calls stay calls and loops loops: nothing of this is timed, and it compiles in seconds. */
#undef LTE_INLINE
#define LTE_INLINE static inline __attribute__((unused))
#undef LTE_UNROLL
#define LTE_UNROLL

static operations_counted counted;

enum { LTE_WIDTH = 1 };

struct counting_word;

struct counting_real {
    float value;
    bool constant;
    explicit operator counting_word() const;
};

struct counting_word {
    uint32_t value;
    bool constant;
    explicit operator counting_real() const
    {
        counting_real x = {0.0f, constant};
        memcpy(&x.value, &value, sizeof value);
        return x;
    }
};

inline counting_real::operator counting_word() const
{
    counting_word w = {0, constant};
    memcpy(&w.value, &value, sizeof value);
    return w;
}

typedef counting_real lte_real;
typedef counting_word lte_word;
typedef int lte_mask;
typedef uint64_t lte_wide;

static inline lte_real counts(double *of, float value, bool constant)
{
    if (!constant)
        *of += 1.0;
    return {value, constant};
}

static inline lte_real operator+(lte_real a, lte_real b)
{
    return counts(&counted.add, a.value + b.value, a.constant && b.constant);
}
static inline lte_real operator-(lte_real a, lte_real b)
{
    return counts(&counted.add, a.value - b.value, a.constant && b.constant);
}
static inline lte_real operator*(lte_real a, lte_real b)
{
    return counts(&counted.multiply, a.value * b.value, a.constant && b.constant);
}
static inline lte_real operator/(lte_real a, lte_real b)
{
    double *const of = a.constant && a.value == 1.0f ? &counted.reciprocal : &counted.divide;
    return counts(of, a.value / b.value, a.constant && b.constant);
}
static inline lte_real operator-(lte_real a)
{
    return {-a.value, a.constant};
}

#define WORD_OPERATOR(op)                                                                          \
    static inline lte_word operator op(lte_word a, lte_word b)                                     \
    {                                                                                              \
        return {a.value op b.value, a.constant && b.constant};                                     \
    }
WORD_OPERATOR(+)
WORD_OPERATOR(-)
WORD_OPERATOR(*)
WORD_OPERATOR(^)
WORD_OPERATOR(&)
WORD_OPERATOR(|)
#undef WORD_OPERATOR
static inline lte_word operator<<(lte_word a, int n)
{
    return {a.value << n, a.constant};
}
static inline lte_word operator>>(lte_word a, int n)
{
    return {a.value >> n, a.constant};
}

static inline lte_real r_set(float x)
{
    return {x, true};
}
static inline lte_word w_set(uint32_t x)
{
    return {x, true};
}
static inline lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return counts(&counted.multiply_add, fmaf(a.value, b.value, c.value),
                  a.constant && b.constant && c.constant);
}
static inline lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return r_fma(-a, b, c);
}
static inline lte_real r_sqrt(lte_real x)
{
    return counts(&counted.root, sqrtf(x.value), x.constant);
}
static inline lte_real r_from_u32(lte_word w)
{
    return {(float)w.value, w.constant};
}
static inline lte_real r_from_i32(lte_word w)
{
    return {(float)(int32_t)w.value, w.constant};
}
static inline lte_word w_sra(lte_word w, int n)
{
    return {(uint32_t)((int32_t)w.value >> n), w.constant};
}
static inline lte_mask r_lt(lte_real a, lte_real b)
{
    return a.value < b.value;
}
static inline lte_mask w_eq(lte_word a, lte_word b)
{
    return a.value == b.value;
}
static inline lte_mask m_none(void)
{
    return 0;
}
static inline lte_mask m_and(lte_mask a, lte_mask b)
{
    return a & b;
}
static inline lte_mask m_or(lte_mask a, lte_mask b)
{
    return a | b;
}
static inline lte_mask m_not(lte_mask a)
{
    return !a;
}
static inline int m_any(lte_mask a)
{
    return a;
}
/* What is selected is known only when it runs. */
static inline lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return {m ? a.value : b.value, a.constant && b.constant && a.value == b.value};
}
static inline lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return {m ? a.value : b.value, a.constant && b.constant && a.value == b.value};
}
static inline lte_real r_min(lte_real a, lte_real b)
{
    return {a.value < b.value ? a.value : b.value, a.constant && b.constant};
}

/* A lane's own place; what lies there is known only when it runs. */
static inline lte_word w_pick(const lte_word *array, lte_word index)
{
    return {array[index.value].value, false};
}
#define LTE_PUTS_LANES
static inline void w_put(lte_word *array, lte_word index, lte_word x)
{
    array[index.value] = x;
}

#endif
