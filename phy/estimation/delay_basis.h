#ifndef LTE_PHY_DELAY_BASIS_H
#define LTE_PHY_DELAY_BASIS_H
/*
 * The few functions of frequency that channels of known delays are made of over a whole carrier.
 *
 *     lte_delay_basis basis;
 *     lte_status status = lte_delay_basis_of_profile(LTE_CHANNEL_eva, n_sc, 1e-7, &basis);
 *     ... = basis.vector[i * n_sc + sc] * g[i];     // h(sc), E|g_i|^2 = basis.power[i]
 *     lte_delay_basis_free(&basis);
 *
 * Taps of powers p_l at delays tau_l are h = Phi g, Phi_l(sc) = exp(-j 2 pi sc 15 kHz tau_l). The
 * delays may be closer than the carrier can tell apart; so the unknowns are not the taps but the
 * eigenvectors of E h h' = Phi P Phi', which come from a matrix as small as the taps are few:
 *
 *     P^1/2 Phi' Phi P^1/2 / n_sc = V Lambda V',   b_i = Phi P^1/2 v_i / sqrt(Lambda_i)
 *
 * They are orthogonal, sum_sc |b_i|^2 = n_sc, in falling order of their powers Lambda_i. Every
 * operation rounds alike on every machine: none is of a mathematical library.
 * Source: Edfors, Sandell, van de Beek, Wilson, Boerjesson, IEEE Trans. Commun. 46(7), 1998.
 */

#include <complex.h>

#include "phy/base/pool.h"

typedef struct {
    int n, n_sc;
    double complex *vector; /* [n][n_sc]  b_i(sc) */
    double *power;          /* [n]  E|g_i|^2 */
    lte_pool pool;          /* of both */
} lte_delay_basis;

/*
 * Of the taps of a channel's row, one without delay if its subcarriers are alike; vectors of a
 * power below least are left out. Returns LTE_ENOMEM, with nothing to free.
 */
lte_status lte_delay_basis_of_profile(int channel, int n_sc, double least, lte_delay_basis *basis);

/*
 * Of echoes evenly over the cyclic prefix, of power 1 together: all that its length says. It is
 * that of symbol 0, 5.2 us, and begins 0.2 us before the first echo: at its ends, where the first
 * echoes of all profiles and the last of ETU (5.0 us) are, a carrier tells delays apart worst.
 */
lte_status lte_delay_basis_of_prefix(int n_sc, double least, lte_delay_basis *basis);

void lte_delay_basis_free(lte_delay_basis *basis);

/*
 * exp(j 2 pi turns) by Taylor's series around the nearest quarter of a turn, in operations that
 * round alike on every machine, as those of a mathematical library do not.
 */
double complex lte_unit(double turns);

#endif
