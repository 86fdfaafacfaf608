#ifndef LTE_PHY_LDL_H
#define LTE_PHY_LDL_H
/*
 * Inverse of a small Hermitian positive definite matrix in place, through L D L' without
 * pivoting.
 *
 *     lte_cplx a[4 * 4];                 // only the lower triangle is read
 *     lte_mask flag = lte_ldl(4, a);     // a becomes its inverse, both triangles
 *
 * Half the work of lte_gauss_jordan: about 4 n^3 flops against 8 n^3.
 */

#include "phy/base/limits.h"
#include "phy/inversion/pivot.h"

/*
 * a <- a^-1 for Hermitian a [n][n], 1 <= n <= LTE_MAX_ORDER.
 *
 *     a = L D L', L unit lower triangular;  M = L^-1;  a^-1 = M' D^-1 M
 *     a_ij^-1 = sum_{k >= i} conj(m_ki) m_kj / d_k  for i >= j, the upper part its conjugate
 *
 * Returns the mask of matrices with d_k^2 not > 0 or not finite, or with a result that is not
 * finite; those become zero. An indefinite matrix is not refused, but its inverse may be
 * inaccurate. Source: Golub, Van Loan, Matrix Computations, 4th ed., 4.1.
 */
LTE_INLINE lte_mask lte_ldl(int n, lte_cplx *a)
{
    lte_real inverse_d[LTE_MAX_ORDER];
    lte_mask flag = m_none();
    /* column k of L below the diagonal; the trailing lower triangle is corrected by it */
    LTE_UNROLL
    for (int k = 0; k < n; k++) {
        lte_real d = a[k * n + k].re;
        flag = m_or(flag, m_not(lte_divides(d * d)));
        inverse_d[k] = r_reciprocal_moderate(d); /* other d are flagged */
        LTE_UNROLL
        for (int i = k + 1; i < n; i++) {
            lte_cplx scaled = c_scale(a[i * n + k], inverse_d[k]);
            LTE_UNROLL
            for (int j = k + 1; j < i; j++)
                a[i * n + j] = c_nmacc(a[i * n + j], scaled, a[j * n + k]);
            lte_cplx old = a[i * n + k];
            a[i * n + i].re = r_fnma(scaled.im, old.im, r_fnma(scaled.re, old.re, a[i * n + i].re));
        }
        LTE_UNROLL
        for (int i = k + 1; i < n; i++)
            a[i * n + k] = c_scale(a[i * n + k], inverse_d[k]);
    }
    /* M = L^-1 over L: m_ij = -(l_ij + sum_{j < k < i} l_ik m_kj) */
    LTE_UNROLL
    for (int i = 1; i < n; i++) {
        LTE_UNROLL
        for (int j = 0; j < i; j++) {
            lte_cplx s = a[i * n + j];
            LTE_UNROLL
            for (int k = j + 1; k < i; k++)
                s = c_mac(s, a[i * n + k], a[k * n + j]);
            a[i * n + j] = c_neg(s);
        }
    }
    /* a^-1 = M' D^-1 M, row by row from the top: row i needs rows i and below of M only */
    LTE_UNROLL
    for (int i = 0; i < n; i++) {
        lte_cplx weighted[LTE_MAX_ORDER]; /* conj(m_ki) / d_k */
        LTE_UNROLL
        for (int k = i + 1; k < n; k++)
            weighted[k] = c_scale(c_conj(a[k * n + i]), inverse_d[k]);
        LTE_UNROLL
        for (int j = 0; j < i; j++) {
            lte_cplx s = c_scale(a[i * n + j], inverse_d[i]);
            LTE_UNROLL
            for (int k = i + 1; k < n; k++)
                s = c_mac(s, weighted[k], a[k * n + j]);
            a[i * n + j] = s;
            a[j * n + i] = c_conj(s);
        }
        lte_real d = inverse_d[i];
        LTE_UNROLL
        for (int k = i + 1; k < n; k++) {
            lte_cplx m = a[k * n + i];
            d = r_fnma(weighted[k].im, m.im, r_fma(weighted[k].re, m.re, d));
        }
        a[i * n + i].re = d;
        a[i * n + i].im = r_set(0.0f);
    }
    return lte_zero_flagged(n, a, flag);
}

#endif
