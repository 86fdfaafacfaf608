#ifndef LTE_PHY_DOUBLE_COMPLEX_H
#define LTE_PHY_DOUBLE_COMPLEX_H
/*
 * Products of complex doubles without the repairs for infinities that * brings: tables are made of
 * many, and these round alike on every machine.
 */

#include <complex.h>

/* glibc has it only for compilers that claim to be a recent gcc. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

/* conj(a) b */
static inline double complex z_inner(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) + cimag(a) * cimag(b),
                 creal(a) * cimag(b) - cimag(a) * creal(b));
}

/* s + a b */
static inline double complex z_mac(double complex s, double complex a, double complex b)
{
    return CMPLX(creal(s) + (creal(a) * creal(b) - cimag(a) * cimag(b)),
                 cimag(s) + (creal(a) * cimag(b) + cimag(a) * creal(b)));
}

/* |z|^2 */
static inline double z_square(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

#endif
