#ifndef LTESIM_INVERSION_H
#define LTESIM_INVERSION_H
/*
 * Inverses of many complex matrices of one order.
 *
 *     lte_inversion *inversion = NULL;
 *     lte_inversion_plan plan = {0};
 *     plan.n = 4;
 *     lte_status status = lte_inversion_create(&plan, &inversion);
 *     status = lte_inversion_run(inversion, n_matrices, a, x, flag);
 *     lte_inversion_free(inversion);
 */

#include <stdint.h>

#include "ltesim/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LTE_SINGLE_PRECISION, /* pairs of float, as float complex and std::complex<float> */
    LTE_DOUBLE_PRECISION  /* pairs of double; by inverters that take any order alone */
} lte_precision;

/* What is to be inverted; zeros are the defaults. */
typedef struct {
    int n;                   /* order: 1 to 256, or to the 8 of gauss-jordan and ldl; required */
    lte_precision precision; /* of the numbers */
    const char *inverter;    /* a name of ltesim --list; NULL: gauss-jordan, or lu-delayed where
                                that does not take the order or precision */
    const char *backend;     /* "auto", "cpu", "cpu:ref", "cuda", "cuda:1", ...; NULL: "cpu" */
    int n_threads;           /* of processors, 1 to 1024; 0: as many as there are processors */
} lte_inversion_plan;

typedef struct lte_inversion lte_inversion;

/*
 * Takes the memory for such inverses; the caller frees it. One thread at a time may run it.
 *
 * Returns LTE_EINVAL for a name, order, precision or number of threads that there is not,
 * LTE_ENOMEM, and LTE_EDEVICE for a backend that this machine does not have.
 */
LTE_API lte_status lte_inversion_create(const lte_inversion_plan *plan, lte_inversion **inversion);

/*
 * x <- a^-1, matrix by matrix, with the same bits on every backend.
 *
 *     a x = I
 *
 * ldl and cholesky-delayed read the lower triangle and the real parts of the diagonal alone, which
 * they take for those of a Hermitian positive definite matrix.
 *
 *   a      [n_matrices][n][n]  row major, real and imaginary parts in turn, each matrix element on
 *                              a boundary of its size (8 or 16 bytes)
 *   x      [n_matrices][n][n]  out; may be a, must not overlap it otherwise
 *   flag   [n_matrices]        out: 1 where there is no finite inverse (x is then zero), else 0
 *
 * Elements may have any finite size. A matrix that is flagged since the squares of its pivots leave
 * the range of the type is inverted once more as B, its rows and columns multiplied by powers of
 * two, and its inverse is multiplied back. It stays flagged where an element of x would not be
 * finite, and where B is singular to working precision: 4 n u |B| |B^-1| >= 1, |.| the largest
 * real or imaginary part, u = 2^-24 or 2^-53. All other matrices have the bits of one pass.
 *
 * On a CUDA backend each array may lie in host memory, or on the device, where nothing is copied,
 * but a where x takes its place.
 *
 * Returns LTE_EINVAL for n_matrices below 1, an array that is NULL, addresses off their boundary
 * and arrays that overlap in part, LTE_ENOMEM, LTE_EDEVICE.
 */
LTE_API lte_status lte_inversion_run(lte_inversion *inversion, int n_matrices, const void *a,
                                     void *x, uint8_t *flag);

/* free(NULL) is fine. */
LTE_API void lte_inversion_free(lte_inversion *inversion);

#ifdef __cplusplus
}
#endif

#endif
