#ifndef LTE_PHY_GRAM_H
#define LTE_PHY_GRAM_H
/*
 * The Gram matrix of a channel, with diagonal loading.
 *
 *     lte_gram(n_rx, n_tx, h, g);              // G = H' H
 *     lte_gram_load(n_tx, g, r_set(n0));       // G + n0 I
 */

#include "phy/base/limits.h"
#include "phy/base/cplx.h"

/*
 * Columns j0 .. j0 + m - 1, m <= LTE_MAX_ORDER, of row i of G, and the diagonal if they end there:
 * all sums over antennas side by side.
 */
LTE_INLINE void lte_gram_part(int n_rx, int n_tx, int i, int j0, int m, const lte_cplx *h,
                              lte_cplx *g)
{
    lte_cplx s[LTE_MAX_ORDER];
    lte_real d = r_set(0.0f);
    LTE_UNROLL
    for (int j = 0; j < m; j++)
        s[j] = c_zero();
    LTE_UNROLL_DEVICE
    for (int rx = 0; rx < n_rx; rx++) {
        const lte_cplx a = h[rx * n_tx + i];
        LTE_UNROLL
        for (int j = 0; j < m; j++)
            s[j] = c_cmac(s[j], a, h[rx * n_tx + j0 + j]);
        if (j0 + m == i)
            d = r_fma(a.im, a.im, r_fma(a.re, a.re, d));
    }
    LTE_UNROLL
    for (int j = 0; j < m; j++) {
        g[i * n_tx + j0 + j] = s[j];
        g[(j0 + j) * n_tx + i] = c_conj(s[j]);
    }
    if (j0 + m == i) {
        g[i * n_tx + i].re = d;
        g[i * n_tx + i].im = r_set(0.0f);
    }
}

/*
 * G = H' H: g_ij = sum_rx conj(h_rx,i) h_rx,j for i >= j; the upper part is its exact conjugate
 * and the diagonal is real.
 *
 *   h   [n_rx][n_tx]
 *   g   [n_tx][n_tx]  out
 */
LTE_INLINE void lte_gram(int n_rx, int n_tx, const lte_cplx *h, lte_cplx *g)
{
    LTE_UNROLL
    for (int i = 0; i < n_tx; i++) {
        int j = 0;
        for (; i - j >= LTE_MAX_ORDER; j += LTE_MAX_ORDER)
            lte_gram_part(n_rx, n_tx, i, j, LTE_MAX_ORDER, h, g);
        if (i == 0 || i > j)
            lte_gram_part(n_rx, n_tx, i, j, i - j, h, g);
    }
}

/* Its diagonal alone. */
LTE_INLINE void lte_gram_diagonal(int n_rx, int n_tx, const lte_cplx *h, lte_cplx *g)
{
    LTE_UNROLL
    for (int i = 0; i < n_tx; i++) {
        lte_real d = r_set(0.0f);
        LTE_UNROLL_DEVICE
        for (int rx = 0; rx < n_rx; rx++) {
            const lte_cplx a = h[rx * n_tx + i];
            d = r_fma(a.im, a.im, r_fma(a.re, a.re, d));
        }
        g[i * n_tx + i].re = d;
        g[i * n_tx + i].im = r_set(0.0f);
    }
}

/* g_ii += loading. */
LTE_INLINE void lte_gram_load(int n_tx, lte_cplx *g, lte_real loading)
{
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++)
        g[i * n_tx + i].re = g[i * n_tx + i].re + loading;
}

#endif
