#ifndef LTE_TESTS_BENCH_PEERS_H
#define LTE_TESTS_BENCH_PEERS_H
/*
 * Other libraries' inverses of many small matrices, in the layout that suits them: one matrix
 * after the other, column major.
 *
 *     bench_eigen_v4(4, 1200, a, x, flag);
 */

#ifdef __cplusplus
#include <complex>
#include <cstdint>
typedef std::complex<float> bench_cf32;
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "phy/base/cplx.h"
typedef lte_cf32 bench_cf32;
#endif

/*
 * Inverts count matrices of order n, 1 to 8.
 *
 *   a      [count][n][n]  in; LAPACK leaves the inverses here, Eigen leaves it alone
 *   x      [count][n][n]  out: Eigen's inverses; LAPACK leaves it alone
 *   flag   [count]        out: 1 where the library reports a singular matrix, else 0
 */
typedef void bench_invert_fn(int n, int count, bench_cf32 *a, bench_cf32 *x, uint8_t *flag);

/* LAPACK's cgetrf and cgetri; only if BENCH_HAVE_LAPACK is defined. */
bench_invert_fn bench_lapack_invert;

/* The library's name and version, and one thread for all it does from now on. */
const char *bench_lapack_open(void);

#ifndef __cplusplus
/*
 * MKL's compact routines without pivoting, cgetrfnp and cgetrinp (cpotrf with two ctrsm takes five
 * times as long), on one thread: its version, or
 * NULL where it is not installed (libmkl_rt on the loader's path). The others only if it is.
 */
const char *bench_mkl_open(void);

/* Matrices [count][n][n], column major, to MKL's own order and back; false if packed [bytes] is too
 * small. */
bool bench_mkl_pack(int n, int count, const lte_cf32 *native, float *packed, size_t bytes);
void bench_mkl_unpack(int n, int count, const float *packed, lte_cf32 *native);

/* Inverts the packed ones in place; flag [count]: the first says whether MKL reports a failure. */
void bench_mkl_invert(int n, int count, float *packed, uint8_t *flag);
#endif

/* Eigen's inverse() of fixed-size matrices, by instruction set; only if BENCH_HAVE_EIGEN is. */
bench_invert_fn bench_eigen_ref, bench_eigen_v3, bench_eigen_v4;

/* The same of orders to 256 known at run time, hermitian: for such ones that are definite. */
typedef void bench_invert_large_fn(int n, int count, bool hermitian, bench_cf32 *a, bench_cf32 *x);

/* LAPACK's as above, in a, or cpotrf and cpotri, which leave the upper triangle alone. */
bench_invert_large_fn bench_lapack_invert_large;

/* Eigen's partialPivLu().inverse(), or llt().solve() of the identity. */
bench_invert_large_fn bench_eigen_large_ref, bench_eigen_large_v3, bench_eigen_large_v4;

#ifdef __cplusplus
}
#endif

#endif
