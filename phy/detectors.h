#ifndef LTE_PHY_DETECTORS_H
#define LTE_PHY_DETECTORS_H
/*
 * The detectors. Each is an object of two verbs: prepare, once for a channel matrix, makes a state
 * of it; apply, for every resource element, gives estimates out of that state and y, and their
 * SINR. Decisions are a matter of their own (phy/demap.h).
 *
 *     lte_cplx g[N * N], state[LTE_LINEAR_STATE(N, N)], x[N];
 *     lte_real rho[N];
 *     flag = lte_prepare(LTE_DETECTOR_mmse, N, N, h, n0, lte_ldl, true, g, state);
 *     lte_apply(LTE_DETECTOR_mmse, N, N, state, y, x, rho);
 *
 * To add a detector: its id here, its row in phy/detectors.c, and
 *   - one that solves a loaded Gram matrix: its loading and gain below, as zf and mmse have them;
 *   - any other filter: lte_<id>_prepare in a file of its own, included here, as mrc has it.
 * Nothing else: backends, scenario, replay, reports and tests follow the lists; its formula in
 * double, which its decisions are held against, goes into tests/test_stages.c. One that is no
 * filter, as tests/examples/own_detector.c, has no place in a slot yet: states have the size of
 * LTE_LINEAR_STATE, and lte_apply is the same for all.
 */

#include "phy/linear.h"
#include "phy/mrc.h"

/* Ids, in the order of reports: those that solve the loaded Gram matrix, then other filters. */
#define LTE_SOLVING_DETECTORS(X) X(zf) X(mmse)
#define LTE_FILTER_DETECTORS(X) X(mrc)
#define LTE_DETECTORS(X) LTE_SOLVING_DETECTORS(X) LTE_FILTER_DETECTORS(X)

#define LTE_DETECTOR_ID(id) LTE_DETECTOR_##id,
enum { LTE_DETECTORS(LTE_DETECTOR_ID) LTE_N_DETECTORS };
#undef LTE_DETECTOR_ID

/* What is known of a detector's SINR over Rayleigh fading; of one layer all are alike. */
typedef enum {
    LTE_SINR_OTHER, /* of several layers: nothing */
    LTE_SINR_GAMMA, /* no layer disturbs another: Gamma of shape n_rx - n_tx + 1 */
    LTE_SINR_MMSE,  /* the law of lte_ber_mmse */
    LTE_N_SINR_LAWS
} lte_sinr_law;

/* What is said of a detector outside its formulas. */
typedef struct {
    const char *name;                           /* as written in a scenario */
    const char *text;                           /* one line for --list */
    bool inverts;                               /* the Gram matrix, by the scenario's inverter */
    int max_tx;                                 /* layers that it takes */
    lte_sinr_law law;                           /* which closed forms of phy/ber_theory.h it has */
    double (*filter_flops)(int n_rx, int n_tx); /* of a matrix, beside Gram and inverse */
    double (*apply_flops)(int n_rx, int n_tx);  /* of a resource element */
} lte_detector;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_detector lte_detector_rows[LTE_N_DETECTORS];

#ifdef __cplusplus
}
#endif

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
    lte_real gain[LTE_MAX_TX];
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

/* prepare of the detectors that solve the loaded Gram matrix; arguments as lte_prepare. */
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

/*
 * What a detector keeps of a channel matrix. Detectors that solve the loaded Gram matrix:
 *
 *     X = (H'H + loading I)^-1,   W = diag(gain) X H'
 *
 *   h        [n_rx][n_tx]
 *   n0       noise variance per receive antenna, linear, > 0
 *   invert   the scenario's inverter, for detectors that invert
 *   g        [n_tx][n_tx]  work
 *   state    [LTE_LINEAR_STATE(n_rx, n_tx)]  out: may be h; the SINR is made with_sinr alone
 *
 * Returns the mask of matrices that have no finite inverse or filter; their filter is zero.
 */
LTE_INLINE lte_mask lte_prepare(int detector, int n_rx, int n_tx, const lte_cplx *h, lte_real n0,
                                lte_inverse_fn *invert, bool with_sinr, lte_cplx *g,
                                lte_cplx *state)
{
#define PREPARE(id)                                                                                \
    if (detector == LTE_DETECTOR_##id)                                                             \
        return lte_##id##_prepare(n_rx, n_tx, h, n0, with_sinr, g, state);
    LTE_FILTER_DETECTORS(PREPARE)
#undef PREPARE
    return lte_solve_prepare(detector, n_rx, n_tx, h, n0, invert, with_sinr, g, state);
}

/*
 * Estimates of one resource element per lane.
 *
 *   state   of lte_prepare
 *   y       [n_rx]
 *   x       [n_tx]  out
 *   rho     [n_tx]  out: their SINR, of a state made with_sinr, linear; or NULL
 */
LTE_INLINE void lte_apply(int detector, int n_rx, int n_tx, const lte_cplx *state,
                          const lte_cplx *y, lte_cplx *x, lte_real *rho)
{
    (void)detector; /* all of them are filters */
    lte_linear_apply(n_rx, n_tx, state, y, x, rho);
}

#endif
