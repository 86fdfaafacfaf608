#ifndef LTE_PHY_SOLVING_H
#define LTE_PHY_SOLVING_H
/*
 * The detectors that solve a loaded Gram matrix, X = (H'H + loading I)^-1, and keep the unbiased
 * filter W = diag(gain) X H'. They differ in the loading alone, which their row gives in units of
 * n0: 0 is zero forcing, 1 MMSE.
 */

#include "phy/detection/detector.h"
#include "phy/detection/linear.h"

/*
 * The gain of layer k from x_kk of the inverse: 1 / mu_k with mu_k = (X H'H)_kk = 1 - loading x_kk,
 * which is 1 without loading; zero where mu_k is not > 0.
 */
LTE_INLINE lte_real lte_solving_gain(lte_real loading, lte_real x_kk)
{
    lte_real mu = r_fnma(loading, x_kk, r_set(1.0f));
    lte_mask positive = r_lt(r_set(0.0f), mu);
    return r_sel(positive, r_set(1.0f) / mu, r_set(0.0f));
}

/* g <- (H'H + loading I)^-1, zero where the mask that is returned holds; g [n_tx][n_tx]. */
LTE_INLINE lte_mask lte_loaded_inverse(lte_real loading, int n_rx, int n_tx, const lte_cplx *h,
                                       lte_inverse_fn *invert, lte_cplx *g)
{
    lte_gram(n_rx, n_tx, h, g);
    lte_gram_load(n_tx, g, loading);
    return invert(n_tx, g);
}

/*
 * The state of a detector that solves, of small arrays, from the inverse of the loaded Gram matrix,
 * lte_loaded_inverse; h, n0 as phy/detection/detector.h.
 *
 *   loading   of the diagonal: the row's times n0
 *   x         [n_tx][n_tx]  the inverse
 *   state     [LTE_LINEAR_STATE(n_rx, n_tx)]  out: may be h; the SINR is made with_sinr alone
 *
 * Where matrices had no finite inverse, and x is zero, so is the filter.
 */
LTE_INLINE void lte_solve_finish(lte_real loading, int n_rx, int n_tx, const lte_cplx *h,
                                 lte_real n0, bool with_sinr, const lte_cplx *x, lte_cplx *state)
{
    lte_real gain[LTE_MAX_ORDER];
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        gain[k] = lte_solving_gain(loading, x[k * n_tx + k].re);
    if (with_sinr) {
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            state[n_rx * n_tx + k].re = lte_linear_sinr(n_tx, k, &x[k * n_tx], loading, n0);
    }
    lte_filter(n_rx, n_tx, h, x, gain, state);
}

#endif
