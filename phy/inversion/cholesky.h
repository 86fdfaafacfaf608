#ifndef LTE_PHY_CHOLESKY_H
#define LTE_PHY_CHOLESKY_H
/*
 * Inverse of a Hermitian positive definite matrix of any order in place, by Cholesky's factor.
 *
 *     lte_cplx a[16 * 16];                     // only the lower triangle is read
 *     lte_mask flag = lte_cholesky(16, a);     // a becomes its inverse, both triangles
 *
 * The bits are those of the method cholesky-delayed of kernels/methods/inverse/inverse.h.
 */

#include "phy/inversion/pivot.h"

/* What the three steps do alike: rows or columns that one loop over k serves at a time. */
enum { LTE_CHOLESKY_GROUP = 4 };

/* Column j of L from rows j on; returns 1 / sqrt(d), d in size. */
LTE_INLINE lte_real lte_cholesky_column(int n, int j, lte_cplx *a, lte_real *size)
{
    const lte_cplx *const lj = &a[j * n];
    lte_real d = lj[j].re;
    for (int k = 0; k < j; k++)
        d = r_fnma(lj[k].im, lj[k].im, r_fnma(lj[k].re, lj[k].re, d));
    const lte_real r = r_set(1.0f) / r_sqrt(d);
    int i = j + 1;
    for (; i + LTE_CHOLESKY_GROUP <= n; i += LTE_CHOLESKY_GROUP) {
        lte_cplx s[LTE_CHOLESKY_GROUP];
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
            s[g] = a[(i + g) * n + j];
        for (int k = 0; k < j; k++) {
            LTE_UNROLL
            for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
                s[g] = c_nmacc(s[g], a[(i + g) * n + k], lj[k]);
        }
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
            a[(i + g) * n + j] = c_scale(s[g], r);
    }
    for (; i < n; i++) {
        lte_cplx s = a[i * n + j];
        for (int k = 0; k < j; k++)
            s = c_nmacc(s, a[i * n + k], lj[k]);
        a[i * n + j] = c_scale(s, r);
    }
    a[j * n + j].re = r;
    a[j * n + j].im = r_set(0.0f);
    *size = d;
    return r;
}

/* Row i of M = L^-1 over that of L; rows above are done. */
LTE_INLINE void lte_cholesky_row(int n, int i, lte_cplx *a)
{
    lte_cplx *const li = &a[i * n];
    const lte_real r = li[i].re;
    int j = 0;
    for (; j + LTE_CHOLESKY_GROUP <= i; j += LTE_CHOLESKY_GROUP) {
        lte_cplx s[LTE_CHOLESKY_GROUP];
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++) {
            s[g] = c_zero();
            LTE_UNROLL
            for (int k = g; k < LTE_CHOLESKY_GROUP; k++)
                s[g] = c_nmac(s[g], li[j + k], a[(j + k) * n + j + g]);
        }
        for (int k = j + LTE_CHOLESKY_GROUP; k < i; k++) {
            LTE_UNROLL
            for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
                s[g] = c_nmac(s[g], li[k], a[k * n + j + g]);
        }
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
            li[j + g] = c_scale(s[g], r);
    }
    for (; j < i; j++) {
        lte_cplx s = c_zero();
        for (int k = j; k < i; k++)
            s = c_nmac(s, li[k], a[k * n + j]);
        li[j] = c_scale(s, r);
    }
}

/* Row i of X = M' M up to the diagonal over that of M, and its mirror; rows below are M's. */
LTE_INLINE void lte_cholesky_product(int n, int i, lte_cplx *a)
{
    int j = 0;
    for (; j + LTE_CHOLESKY_GROUP <= i; j += LTE_CHOLESKY_GROUP) {
        lte_cplx s[LTE_CHOLESKY_GROUP];
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
            s[g] = c_zero();
        for (int k = i; k < n; k++) {
            LTE_UNROLL
            for (int g = 0; g < LTE_CHOLESKY_GROUP; g++)
                s[g] = c_nmacc(s[g], c_conj(a[k * n + i]), c_conj(a[k * n + j + g]));
        }
        LTE_UNROLL
        for (int g = 0; g < LTE_CHOLESKY_GROUP; g++) {
            a[i * n + j + g] = c_neg(s[g]);
            a[(j + g) * n + i] = c_conj(c_neg(s[g]));
        }
    }
    for (; j <= i; j++) {
        lte_cplx s = c_zero();
        for (int k = i; k < n; k++)
            s = c_nmacc(s, c_conj(a[k * n + i]), c_conj(a[k * n + j]));
        a[i * n + j] = c_neg(s);
        a[j * n + i] = c_conj(c_neg(s));
    }
    a[i * n + i].im = r_set(0.0f);
}

/*
 * a <- a^-1 for Hermitian a [n][n], n >= 1.
 *
 *     a = L L';  M = L^-1;  a^-1 = M' M
 *
 * Returns the mask of matrices with d^2 not > 0 or not finite, d a square of L's diagonal, or with
 * a result that is not finite; those become zero. Source: Golub, Van Loan, Matrix Computations,
 * 4th ed., 4.2.
 */
LTE_INLINE lte_mask lte_cholesky(int n, lte_cplx *a)
{
    lte_mask flag = m_none();
    for (int j = 0; j < n; j++) {
        lte_real d;
        (void)lte_cholesky_column(n, j, a, &d);
        flag = m_or(flag, m_not(lte_divides(d * d)));
    }
    for (int i = 0; i < n; i++)
        lte_cholesky_row(n, i, a);
    for (int i = 0; i < n; i++)
        lte_cholesky_product(n, i, a);
    return lte_zero_flagged(n, a, flag);
}

#endif
