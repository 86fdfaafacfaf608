#ifndef LTE_PHY_LINEAR_H
#define LTE_PHY_LINEAR_H
/*
 * What linear detectors share: a filter W made once for a channel matrix, and x^ = W y for every
 * resource element that has it.
 *
 *     lte_filter(n_rx, n_tx, h, x, gain, state);          // from the inverse x of H'H + l I
 *     lte_linear_estimate(n_rx, n_tx, state, y, x, rho);  // estimates and their SINR
 *
 * The detectors themselves: phy/detection/solving.h, phy/detection/mrc.h.
 */

#include <stdbool.h>

#include "phy/inversion/gram.h"

/*
 * Elements that a linear detector keeps of a channel matrix: W [n_rx][n_tx], stored by antenna,
 * w[r n_tx + k], then the SINR of each layer in the real parts of rho [n_tx].
 */
#define LTE_LINEAR_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx))

/*
 * SINR of layer k of x^ = X H'y, X = (H'H + l I)^-1 with any loading l, whatever its gain: the
 * signal is b = (X H'H)_kk = 1 - l x_kk, and E|x^_k|^2 - b^2 the noise and interference,
 *
 *     rho = (1 - l x_kk)^2 / (n0 x_kk - l (n0 - l) sum_j |x_kj|^2 - l^2 x_kk^2),
 *
 * which is 1 / (n0 x_kk) for l = 0 and (1 - n0 x_kk) / (n0 x_kk) for l = n0. Zero where the
 * denominator is not > 0.
 *
 *   row   [n_tx]  row k of X
 */
LTE_INLINE lte_real lte_linear_sinr(int n_tx, int k, const lte_cplx *row, lte_real loading,
                                    lte_real n0)
{
    const lte_real x_kk = row[k].re, bias = r_fnma(loading, x_kk, r_set(1.0f));
    const lte_real lx = loading * x_kk;
    lte_real sum = r_set(0.0f);
    LTE_UNROLL
    for (int j = 0; j < n_tx; j++)
        sum = r_fma(row[j].im, row[j].im, r_fma(row[j].re, row[j].re, sum));
    const lte_real rest = r_fnma(lx, lx, r_fnma(loading * (n0 - loading), sum, n0 * x_kk));
    return r_sel(r_lt(r_set(0.0f), rest), bias * bias / rest, r_set(0.0f));
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
    lte_cplx s[LTE_MAX_ORDER];
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

/* All antennas: h [n_rx][n_tx], w [n_rx][n_tx] out, stored by antenna; w may be h. */
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

/*
 * Estimates of one resource element per lane, x^ = W y.
 *
 *   state   [LTE_LINEAR_STATE(n_rx, n_tx)]
 *   y       [n_rx]
 *   x       [n_tx]  out
 *   rho     [n_tx]  out: their SINR, of a state made with it; or NULL
 */
LTE_INLINE void lte_linear_estimate(int n_rx, int n_tx, const lte_cplx *state, const lte_cplx *y,
                                    lte_cplx *x, lte_real *rho)
{
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        x[k] = c_zero();
    for (int r = 0; r < n_rx; r++)
        lte_equalise_antenna(n_tx, &state[r * n_tx], y[r], x);
    if (rho) {
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            rho[k] = state[n_rx * n_tx + k].re;
    }
}

#endif
