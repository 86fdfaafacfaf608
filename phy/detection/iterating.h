#ifndef LTE_PHY_ITERATING_H
#define LTE_PHY_ITERATING_H
/*
 * What the detectors share that approach the solution of the MMSE equations A x = z, with
 * A = H'H + n0 I and z = H'y, by a few products with A, and never invert A: phy/detection/cg.h,
 * phy/detection/neumann.h.
 *
 * So many iterations are a filter: x = P z, where P is Hermitian and A^-1 only in the limit. With
 * G = H'H the estimate of layer k has the gain b and the SINR rho,
 *
 *     b = (P G)_kk,
 *     rho = b^2 / (sum over j != k of |(P G)_kj|^2 + n0 (P G P)_kk),
 *
 * and x_k / b has no bias. Row k of P is the conjugate of its column k, which the same iterations
 * give for z = e_k, the unit vector; each detector says what stands for iterations that depend on
 * z. Where b is not > 0, as where a series diverges, the estimate keeps its gain and has rho = 0.
 *
 *     flag = lte_iterating_begin(&plan, h, n0, state);
 *     for (int k = 0; k < n_tx; k++)
 *         lte_iterating_keep(n_tx, k, n0, p, &s);     // p: what its iterations make of e_k
 *     flag = lte_iterating_end(&plan, flag, state);
 */

#include "phy/detection/detector.h"
#include "phy/detection/matched.h"
#include "phy/inversion/pivot.h"

/*
 * Elements of the state: H [n_rx][n_tx], A [n_tx][n_tx], of each layer 1 / a_kk in the real and the
 * 1 / b in the imaginary part [n_tx], its SINR in the real part [n_tx], and room for some vectors
 * [LTE_ITERATING_ROOM][n_tx].
 */
enum { LTE_ITERATING_ROOM = 6, LTE_MOST_ITERATIONS = 64 };
#define LTE_ITERATING_STATE(n_rx, n_tx)                                                            \
    ((n_rx) * (n_tx) + (n_tx) * (n_tx) + (2 + LTE_ITERATING_ROOM) * (n_tx))

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
    lte_cplx *room; /* [LTE_ITERATING_ROOM][n_tx] */
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

/* The mask of rows of A that cannot be worked with: not finite, or a_kk not > 0, or subnormal. */
LTE_INLINE lte_mask lte_iterating_refuses(int n_tx, int k, const lte_cplx *row)
{
    lte_mask refused = m_not(m_and(r_lt(r_set(0x1p-126f), row[k].re), r_finite(row[k].re)));
    for (int j = 0; j < n_tx; j++)
        refused = m_or(refused, m_not(m_and(r_finite(row[j].re), r_finite(row[j].im))));
    return refused;
}

/* (P G)_kj of column k of P, p [n_tx]. */
LTE_INLINE lte_cplx lte_iterating_share(int n_tx, int j, const lte_cplx *a, lte_real n0,
                                        const lte_cplx *p)
{
    lte_cplx t = c_zero();
    for (int i = 0; i < n_tx; i++) {
        lte_cplx g = a[i * n_tx + j];
        g.re = i == j ? g.re - n0 : g.re;
        t = c_cmac(t, p[i], g);
    }
    return t;
}

/* Whether there is a gain b. */
LTE_INLINE lte_mask lte_iterating_has_gain(lte_real b)
{
    return m_and(r_lt(r_set(0.0f), b), r_finite(b));
}

/* What makes an estimate of gain b unbiased: 1 / b, or 1 where it keeps its gain. */
LTE_INLINE lte_real lte_iterating_inverse(lte_real b)
{
    return r_sel(lte_iterating_has_gain(b), r_set(1.0f) / b, r_set(1.0f));
}

/* The gain b of layer k, and its SINR to rho; p [n_tx]: column k of P. */
LTE_INLINE lte_real lte_iterating_gain(int n_tx, int k, const lte_iterating *s, lte_real n0,
                                       const lte_cplx *p, lte_real *rho)
{
    lte_real b = r_set(0.0f), others = r_set(0.0f), noise = r_set(0.0f);
    for (int j = 0; j < n_tx; j++) {
        const lte_cplx t = lte_iterating_share(n_tx, j, s->a, n0, p);
        noise = noise + r_fnma(t.im, p[j].im, t.re * p[j].re);
        if (j == k)
            b = t.re;
        else
            others = others + c_abs2(t);
    }
    const lte_real rest = r_fma(n0, noise, others);
    const lte_mask told = m_and(lte_iterating_has_gain(b), r_lt(r_set(0.0f), rest));
    *rho = r_sel(told, b * b / rest, r_set(0.0f));
    return b;
}

/* z [n_tx] <- e_k */
LTE_INLINE void lte_iterating_unit(int n_tx, int k, lte_cplx *z)
{
    for (int j = 0; j < n_tx; j++)
        z[j] = c_zero();
    z[k].re = r_set(1.0f);
}

/* The gain and the SINR of layer k, of column k of P, go to the state. */
LTE_INLINE void lte_iterating_keep(int n_tx, int k, lte_real n0, const lte_cplx *p,
                                   const lte_iterating *s)
{
    s->rho[k] = c_zero();
    s->layer[k].im = lte_iterating_inverse(lte_iterating_gain(n_tx, k, s, n0, p, &s->rho[k].re));
}

/*
 * H, A and 1 / a_kk of a state.
 *
 *   state   [LTE_ITERATING_STATE(n_rx, n_tx)]  out: may be h
 *
 * Returns the mask of matrices whose A cannot be worked with.
 */
LTE_OUTLINE lte_mask lte_iterating_begin(const lte_detector_plan *plan, const lte_cplx *h,
                                         lte_real n0, lte_cplx *state)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_iterating s = lte_iterating_of(n_rx, n_tx, state);
    lte_cplx *const g = &state[n_rx * n_tx];
    lte_mask flag = m_none();
    lte_gram(n_rx, n_tx, h, g);
    lte_gram_load(n_tx, g, n0);
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    for (int k = 0; k < n_tx; k++) {
        flag = m_or(flag, lte_iterating_refuses(n_tx, k, &g[k * n_tx]));
        s.layer[k].re = r_set(1.0f) / g[k * n_tx + k].re;
    }
    return flag;
}

/* Returns flag; the states of its matrices become zero. */
LTE_INLINE lte_mask lte_iterating_end(const lte_detector_plan *plan, lte_mask flag, lte_cplx *state)
{
    const int kept = (plan->n_rx + plan->n_tx + 2) * plan->n_tx;
    for (int e = 0; m_any(flag) && e < kept; e++)
        state[e] = c_sel(flag, c_zero(), state[e]);
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
