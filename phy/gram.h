#ifndef LTE_PHY_GRAM_H
#define LTE_PHY_GRAM_H
/*
 * The Gram matrix of a channel, with diagonal loading.
 *
 *     lte_gram(n_rx, n_tx, h, g);              // G = H' H
 *     lte_gram_load(n_tx, g, r_set(n0));       // G + n0 I
 */

#include "phy/limits.h"
#include "phy/cplx.h"

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
        lte_cplx s[LTE_MAX_ORDER];
        lte_real d = r_set(0.0f);
        LTE_UNROLL
        for (int j = 0; j < i; j++)
            s[j] = c_zero();
        LTE_UNROLL_DEVICE
        for (int rx = 0; rx < n_rx; rx++) {
            const lte_cplx a = h[rx * n_tx + i];
            LTE_UNROLL
            for (int j = 0; j < i; j++)
                s[j] = c_cmac(s[j], a, h[rx * n_tx + j]);
            d = r_fma(a.im, a.im, r_fma(a.re, a.re, d));
        }
        LTE_UNROLL
        for (int j = 0; j < i; j++) {
            g[i * n_tx + j] = s[j];
            g[j * n_tx + i] = c_conj(s[j]);
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
