#ifndef LTE_PHY_ITERATING_H
#define LTE_PHY_ITERATING_H
/*
 * What the detectors share that solve the MMSE equations A x = z, A = H'H + n0 I and z = H'y, by a
 * few products with A for each y, and never invert A: phy/detection/cg.h, phy/detection/neumann.h.
 *
 * The gain that makes the exact solution unbiased is 1 / (1 - n0 x_kk) with x_kk of the inverse
 * (phy/detection/solving.h), which they do not have: they take 1 / a_kk for it, its value where no
 * layer disturbs another. So, too, with the SINR.
 */

#include "phy/detection/detector.h"
#include "phy/detection/matched.h"
#include "phy/inversion/pivot.h"

/*
 * Elements of the state: H [n_rx][n_tx], A [n_tx][n_tx], of each layer 1 / a_kk in the real and the
 * gain in the imaginary part [n_tx], its SINR in the real part [n_tx], and room for four vectors
 * [4][n_tx].
 */
#define LTE_ITERATING_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx) * (n_tx) + 6 * (n_tx))

/*
 * The range of channels that they take as they are: p'A p of a step has the sixth power of H, and
 * residuals become small. Diagonals of A beyond LTE_ITERATING_POWER may be of others.
 */
#define LTE_ITERATING_RANGE LTE_LEAST_RANGE
#define LTE_ITERATING_POWER 0x1p16f

/* The parts of a state. */
typedef struct {
    const lte_cplx *h, *a;
    lte_cplx *layer, *rho;
    lte_cplx *room; /* [4][n_tx] */
} lte_iterating;

LTE_INLINE lte_iterating lte_iterating_of(int n_rx, int n_tx, lte_cplx *state)
{
    lte_iterating s;
    s.h = state;
    s.a = &state[n_rx * n_tx];
    s.layer = &state[n_rx * n_tx + n_tx * n_tx];
    s.rho = &s.layer[n_tx];
    s.room = &s.rho[n_tx];
    return s;
}

/* 1 / a_kk and the gain of a layer. */
LTE_INLINE lte_cplx lte_iterating_layer(lte_real a_kk, lte_real n0)
{
    lte_cplx layer;
    layer.re = r_set(1.0f) / a_kk;
    layer.im = lte_solving_gain(n0, layer.re);
    return layer;
}

/* The mask of rows of A that cannot be worked with: not finite, or a_kk not > 0, or subnormal. */
LTE_INLINE lte_mask lte_iterating_refuses(int n_tx, int k, const lte_cplx *row)
{
    lte_mask refused = m_not(m_and(r_lt(r_set(0x1p-126f), row[k].re), r_finite(row[k].re)));
    for (int j = 0; j < n_tx; j++)
        refused = m_or(refused, m_not(m_and(r_finite(row[j].re), r_finite(row[j].im))));
    return refused;
}

/*
 * Their prepare.
 *
 *   state   [LTE_ITERATING_STATE(n_rx, n_tx)]  out
 *
 * Returns the mask of matrices whose A cannot be worked with; their state is zero.
 */
LTE_OUTLINE lte_mask lte_iterating_prepare(int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                                           lte_cplx *state)
{
    const lte_iterating s = lte_iterating_of(n_rx, n_tx, state);
    const int kept = n_rx * n_tx + n_tx * n_tx + 2 * n_tx;
    lte_cplx *const g = &state[n_rx * n_tx];
    lte_mask flag = m_none();
    lte_gram(n_rx, n_tx, h, g);
    lte_gram_load(n_tx, g, n0);
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    for (int k = 0; k < n_tx; k++) {
        const lte_cplx layer = lte_iterating_layer(g[k * n_tx + k].re, n0);
        flag = m_or(flag, lte_iterating_refuses(n_tx, k, &g[k * n_tx]));
        s.layer[k] = layer;
        s.rho[k] = c_zero();
        s.rho[k].re = lte_linear_sinr(1, 0, &layer, n0, n0);
    }
    if (m_any(flag)) {
        for (int e = 0; e < kept; e++)
            state[e] = c_sel(flag, c_zero(), state[e]);
    }
    return flag;
}

/*
 * *x times gain, an estimate from a solution; zero where that is not finite, as y is not, or a
 * series has diverged. Returns the mask of those that are finite: others have SINR 0.
 */
LTE_INLINE lte_mask lte_iterating_estimate(lte_real gain, lte_cplx *x)
{
    const lte_cplx scaled = c_scale(*x, gain);
    const lte_mask finite = m_and(r_finite(scaled.re), r_finite(scaled.im));
    *x = c_sel(finite, scaled, c_zero());
    return finite;
}

/* The end of their estimates: x [n_tx] in and out, rho [n_tx] out or NULL. */
LTE_INLINE void lte_iterating_finish(int n_tx, const lte_iterating *s, lte_cplx *x, lte_real *rho)
{
    for (int k = 0; k < n_tx; k++) {
        const lte_mask finite = lte_iterating_estimate(s->layer[k].im, &x[k]);
        if (rho)
            rho[k] = r_sel(finite, s->rho[k].re, r_set(0.0f));
    }
}

/* As phy/detection/detection.h asks for it: from 1 / a_kk. */
LTE_INLINE lte_mask lte_iterating_is_extreme(const lte_detector_plan *plan, lte_mask flag,
                                             lte_real n0, lte_cplx *state)
{
    const lte_iterating s = lte_iterating_of(plan->n_rx, plan->n_tx, state);
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_ITERATING_RANGE));
    for (int k = 0; k < plan->n_tx; k++)
        extreme = m_or(extreme, lte_is_extreme(s.layer[k].re, LTE_ITERATING_POWER));
    return extreme;
}

#endif
