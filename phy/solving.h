#ifndef LTE_PHY_SOLVING_H
#define LTE_PHY_SOLVING_H
/*
 * The detectors that solve a loaded Gram matrix, X = (H'H + loading I)^-1, and keep the filter
 * W = diag(gain) X H'. They differ in loading and gain alone.
 */

#include "phy/detectors.h"
#include "phy/linear.h"

/* a <- a^-1 for a [n][n]; returns the mask of those without an inverse, which become zero. */
typedef lte_mask lte_inverse_fn(int n, lte_cplx *a);

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

/* Diagonal loading of the Gram matrix by a detector that solves it; 0 of others. */
LTE_INLINE lte_real lte_loading(int detector, lte_real n0)
{
#define LOADING(id)                                                                                \
    if (detector == LTE_DETECTOR_##id)                                                             \
        return lte_##id##_loading(n0);
    LTE_SOLVING_DETECTORS(LOADING)
#undef LOADING
    return r_set(0.0f);
}

/* Gain of layer k by such a detector from x_kk of the inverse; 0 of others. */
LTE_INLINE lte_real lte_gain(int detector, lte_real x_kk, lte_real n0)
{
#define GAIN(id)                                                                                   \
    if (detector == LTE_DETECTOR_##id)                                                             \
        return lte_##id##_gain(x_kk, n0);
    LTE_SOLVING_DETECTORS(GAIN)
#undef GAIN
    return r_set(0.0f);
}

/*
 * The second half of lte_solve_prepare: the state from the inverse x [n_tx][n_tx] of the loaded
 * Gram matrix.
 */
LTE_INLINE void lte_solve_finish(int detector, int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                                 bool with_sinr, const lte_cplx *x, lte_cplx *state)
{
    lte_real gain[LTE_MAX_ORDER];
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        gain[k] = lte_gain(detector, x[k * n_tx + k].re, n0);
    if (with_sinr) {
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            state[n_rx * n_tx + k].re =
                lte_linear_sinr(n_tx, k, &x[k * n_tx], lte_loading(detector, n0), n0);
    }
    lte_filter(n_rx, n_tx, h, x, gain, state);
}

/*
 * Their prepare; arguments as lte_prepare.
 *
 *   state   [LTE_LINEAR_STATE(n_rx, n_tx)]  out: may be h; the SINR is made with_sinr alone
 *
 * Returns the mask of matrices that have no finite inverse; their filter is zero.
 */
LTE_INLINE lte_mask lte_solve_prepare(int detector, int n_rx, int n_tx, const lte_cplx *h,
                                      lte_real n0, lte_inverse_fn *invert, bool with_sinr,
                                      lte_cplx *g, lte_cplx *state)
{
    lte_gram(n_rx, n_tx, h, g);
    lte_gram_load(n_tx, g, lte_loading(detector, n0));
    const lte_mask flag = invert(n_tx, g);
    lte_solve_finish(detector, n_rx, n_tx, h, n0, with_sinr, g, state);
    return flag;
}

#endif
