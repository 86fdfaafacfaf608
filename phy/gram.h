#ifndef LTE_PHY_GRAM_H
#define LTE_PHY_GRAM_H
/*
 * The Gram matrix of a channel, with diagonal loading.
 *
 *     lte_gram(n_rx, n_tx, h, g);              // G = H' H
 *     lte_gram_load(n_tx, g, r_set(n0));       // G + n0 I
 */

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
    for (int i = 0; i < n_tx; i++) {
        LTE_UNROLL
        for (int j = 0; j < i; j++) {
            lte_cplx s = c_zero();
            for (int rx = 0; rx < n_rx; rx++)
                s = c_cmac(s, h[rx * n_tx + i], h[rx * n_tx + j]);
            g[i * n_tx + j] = s;
            g[j * n_tx + i] = c_conj(s);
        }
        lte_real d = r_set(0.0f);
        for (int rx = 0; rx < n_rx; rx++) {
            lte_cplx a = h[rx * n_tx + i];
            d = r_fma(a.im, a.im, r_fma(a.re, a.re, d));
        }
        g[i * n_tx + i].re = d;
        g[i * n_tx + i].im = r_set(0.0f);
    }
}

/* g_ii += loading. */
LTE_INLINE void lte_gram_load(int n_tx, lte_cplx *g, lte_real loading)
{
    for (int i = 0; i < n_tx; i++)
        g[i * n_tx + i].re = g[i * n_tx + i].re + loading;
}

#endif
