#ifndef LTE_KERNELS_METHODS_INVERSE_DEVICE_CUH
#define LTE_KERNELS_METHODS_INVERSE_DEVICE_CUH
/* The operations of inverse_numbers.h by type, and where a batch works in device memory. */

#include "kernels/base/launcher.cuh"
#include "kernels/methods/inverse/inverse_cuda.h"
#include "kernels/methods/inverse/inverse_numbers.h"

template <class T> struct ops;

#define LTE_OPS(p, T, real_type)                                                                   \
    template <> struct ops<T> {                                                                    \
        typedef real_type real;                                                                    \
        static __device__ T of(real x)                                                             \
        {                                                                                          \
            return p##_real(x);                                                                    \
        }                                                                                          \
        static __device__ real part(T a)                                                           \
        {                                                                                          \
            return p##_part(a);                                                                    \
        }                                                                                          \
        static __device__ T nmac(T s, T a, T b)                                                    \
        {                                                                                          \
            return p##_nmac(s, a, b);                                                              \
        }                                                                                          \
        static __device__ T nmacc(T s, T a, T b)                                                   \
        {                                                                                          \
            return p##_nmacc(s, a, b);                                                             \
        }                                                                                          \
        static __device__ T mul(T a, T b)                                                          \
        {                                                                                          \
            return p##_mul(a, b);                                                                  \
        }                                                                                          \
        static __device__ T scale(T a, real x)                                                     \
        {                                                                                          \
            return p##_scale(a, x);                                                                \
        }                                                                                          \
        static __device__ T conj(T a)                                                              \
        {                                                                                          \
            return p##_conj(a);                                                                    \
        }                                                                                          \
        static __device__ T neg(T a)                                                               \
        {                                                                                          \
            return p##_neg(a);                                                                     \
        }                                                                                          \
        static __device__ real abs2(T a)                                                           \
        {                                                                                          \
            return p##_abs2(a);                                                                    \
        }                                                                                          \
        static __device__ T of_pivot(T a)                                                          \
        {                                                                                          \
            return p##_reciprocal(a, p##_abs2(a));                                                 \
        }                                                                                          \
        static __device__ real root_inverse(real d)                                                \
        {                                                                                          \
            return p##_root_inverse(d);                                                            \
        }                                                                                          \
        static __device__ bool divides(real x)                                                     \
        {                                                                                          \
            return p##_divides(x);                                                                 \
        }                                                                                          \
        static __device__ bool finite(T a)                                                         \
        {                                                                                          \
            return p##_finite(a);                                                                  \
        }                                                                                          \
    };
LTE_OPS(s, float, float)
LTE_OPS(c, lte_cplx, float)
LTE_OPS(d, double, double)
LTE_OPS(z, lte_cf64, double)
#undef LTE_OPS

enum { NB = LTE_INVERSE_BLOCK, WARP = 32 };

/* Threads for a thread per row: whole warps. */
static inline int threads_of(int rows)
{
    return blocks_of(rows, WARP) * WARP;
}

#endif
