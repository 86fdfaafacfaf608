#ifndef LTE_PHY_ESTIMATOR_FIT_H
#define LTE_PHY_ESTIMATOR_FIT_H
/*
 * How the matrices of phy/estimation/estimator.h are made: fits of all layers jointly over a whole
 * carrier, in double, with the errors that they leave.
 *
 *     lte_estimator_fit fit;
 *     lte_status status = lte_estimator_fit_init(&basis, n_tx, shift, &fit);
 *     lte_estimator_fit_solve(&fit, n0);
 *     double error = lte_estimator_fit_error(&fit, sc);
 *     lte_estimator_fit_fini(&fit);
 *
 * Layer k has the channel sum_i b_i g_ki of a basis (phy/estimation/delay_basis.h) and a reference
 * signal that is turned by shift_k twelfths a subcarrier against an unshifted one. With c_ki =
 * sum_sc conj(b_i) z_k, z_k the received times conj(r_k), the unknowns of least mean square error
 * are
 *
 *     g = M c,  M = (G + n0 Lambda^-1)^-1,
 *     G_ki,mj = sum_sc conj(b_i) b_j exp(j 2 pi (shift_m - shift_k) sc / 12)
 *
 * with n0 = 0 those of least squares. Either errs by E (g - g^)(g - g^)' = n0 M. Source: Kay,
 * Fundamentals of Statistical Signal Processing: Estimation Theory, 1993, 4 and 12.
 */

#include "phy/estimation/delay_basis.h"

typedef struct {
    const lte_delay_basis *basis; /* not owned */
    int n_tx, n;                  /* layers, and unknowns of all of them */
    double complex *gram;         /* [n][n]  G, unknown i of layer k at k basis.n + i */
    double complex *inverse;      /* [n][n]  M */
    double complex *layers;       /* [basis.n][basis.n]  the sum of M's blocks of one layer */
    double complex *work;         /* [n_sc], never fewer than n */
    lte_pool pool;                /* of all of these */
} lte_estimator_fit;

/* For n_tx layers, whose cyclic shifts are shift [n_tx]. Returns LTE_ENOMEM, nothing to free. */
lte_status lte_estimator_fit_init(const lte_delay_basis *basis, int n_tx, const int *shift,
                                  lte_estimator_fit *fit);
void lte_estimator_fit_fini(lte_estimator_fit *fit);

/* Makes M for a noise variance. */
void lte_estimator_fit_solve(lte_estimator_fit *fit, double n0);

/* sum_k E|H_k - H^_k|^2 / n0 of the last M at a subcarrier. */
double lte_estimator_fit_error(const lte_estimator_fit *fit, int sc);

#endif
