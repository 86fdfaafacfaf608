#ifndef LTE_PHY_DETECT_H
#define LTE_PHY_DETECT_H
/*
 * Linear detection: the filter matrix of a channel, its application, and what sets the detectors
 * apart.
 *
 *     lte_gram(n_rx, n_tx, h, g);
 *     lte_gram_load(n_tx, g, lte_mmse_loading(n0));
 *     lte_ldl(n_tx, g);                                           // g is now the inverse
 *     lte_gains(n_tx, g, lte_mmse_gain, n0, gain);
 *     lte_filter(n_rx, n_tx, h, g, gain, w);
 *     lte_detect(n_rx, n_tx, n_bits, w, y, label);
 *
 * To add a linear detector: its loading and gain here or in a file of its own, and its line in
 * phy/names.h.
 */

#include "phy/limits.h"
#include "phy/qam.h"

/* Diagonal loading of the Gram matrix, and the gain of layer k from x_kk of the inverse. */
typedef lte_real lte_loading(lte_real n0);
typedef lte_real lte_gain(lte_real x_kk, lte_real n0);

/* Zero forcing: x^ = (H'H)^-1 H'y. */
LTE_INLINE lte_real lte_zf_loading(lte_real n0)
{
    (void)n0;
    return r_set(0.0f);
}
LTE_INLINE lte_real lte_zf_gain(lte_real x_kk, lte_real n0)
{
    (void)x_kk;
    (void)n0;
    return r_set(1.0f);
}

/*
 * Unbiased MMSE: x^ = (H'H + n0 I)^-1 H'y, divided by mu_k = 1 - n0 x_kk; zero where mu_k is not
 * > 0.
 */
LTE_INLINE lte_real lte_mmse_loading(lte_real n0)
{
    return n0;
}
LTE_INLINE lte_real lte_mmse_gain(lte_real x_kk, lte_real n0)
{
    lte_real mu = r_fnma(n0, x_kk, r_set(1.0f));
    lte_mask positive = r_lt(r_set(0.0f), mu);
    return r_sel(positive, r_set(1.0f) / mu, r_set(0.0f));
}

/* gain_k of every layer from the inverse x [n_tx][n_tx]; gain [n_tx]  out. */
LTE_INLINE void lte_gains(int n_tx, const lte_cplx *x, lte_gain *gain_of, lte_real n0,
                          lte_real *gain)
{
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        gain[k] = gain_of(x[k * n_tx + k].re, n0);
}

/*
 * SINR of a layer's estimate, 1 / (n0 gain x_kk): the noise and interference that it has beside a
 * symbol of power 1 are n0 gain x_kk, which for MMSE is (1 - mu) / mu. Zero where gain is.
 */
LTE_INLINE lte_real lte_sinr(lte_real x_kk, lte_real gain, lte_real n0)
{
    const lte_real sinr = r_set(1.0f) / (n0 * gain * x_kk);
    return r_sel(r_lt(r_set(0.0f), gain), sinr, r_set(0.0f));
}

/*
 * One element of the filter W = diag(gain) X H': w_kr = gain_k sum_j x_kj conj(h_rj).
 *
 *   h   [n_tx]   row r of H
 *   x   [n_tx]   row k of the inverse of the loaded Gram matrix
 */
LTE_INLINE lte_cplx lte_filter_element(int n_tx, const lte_cplx *h, const lte_cplx *x,
                                       lte_real gain)
{
    lte_cplx s = c_zero();
    LTE_UNROLL
    for (int j = 0; j < n_tx; j++)
        s = c_macc(s, x[j], h[j]);
    return c_scale(s, gain);
}

/*
 * One antenna of the filter, all layers: the elements of lte_filter_element with their sums side
 * by side.
 *
 *   h      [n_tx]         row r of H
 *   x      [n_tx][n_tx]   inverse of the loaded Gram matrix
 *   gain   [n_tx]
 *   w      [n_tx]         out: column r of W; may be h
 */
LTE_INLINE void lte_filter_antenna(int n_tx, const lte_cplx *h, const lte_cplx *x,
                                   const lte_real *gain, lte_cplx *w)
{
    lte_cplx s[LTE_MAX_TX];
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        s[k] = c_zero();
    LTE_UNROLL
    for (int j = 0; j < n_tx; j++) {
        const lte_cplx a = h[j];
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            s[k] = c_macc(s[k], x[k * n_tx + j], a);
    }
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        w[k] = c_scale(s[k], gain[k]);
}

/* All antennas: h [n_rx][n_tx], w [n_rx][n_tx] out, stored by antenna: w[r n_tx + k]. */
LTE_INLINE void lte_filter(int n_rx, int n_tx, const lte_cplx *h, const lte_cplx *x,
                           const lte_real *gain, lte_cplx *w)
{
    LTE_UNROLL_DEVICE
    for (int r = 0; r < n_rx; r++)
        lte_filter_antenna(n_tx, &h[r * n_tx], x, gain, &w[r * n_tx]);
}

/* x^ += (column r of W) y_r: the sum over antennas goes in their order. w, x [n_tx]. */
LTE_INLINE void lte_equalise_antenna(int n_tx, const lte_cplx *w, lte_cplx y_r, lte_cplx *x)
{
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        x[k] = c_mac(x[k], w[k], y_r);
}

/* Hard decisions: x [n_tx] estimates, zero where not finite; label [n_tx]  out. */
LTE_INLINE void lte_decide(int n_tx, int n_bits, const lte_cplx *x, lte_word *label)
{
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++) {
        lte_mask finite = m_and(r_finite(x[k].re), r_finite(x[k].im));
        label[k] = lte_qam_slice(n_bits, c_sel(finite, x[k], c_zero()));
    }
}

/*
 * Hard decisions of one resource element per lane: x^ = W y, then lte_decide.
 *
 *   w       [n_rx][n_tx]
 *   y       [n_rx]
 *   label   [n_tx]        out
 */
LTE_INLINE void lte_detect(int n_rx, int n_tx, int n_bits, const lte_cplx *w, const lte_cplx *y,
                           lte_word *label)
{
    lte_cplx x[LTE_MAX_TX];
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        x[k] = c_zero();
    for (int r = 0; r < n_rx; r++)
        lte_equalise_antenna(n_tx, &w[r * n_tx], y[r], x);
    lte_decide(n_tx, n_bits, x, label);
}

#endif
