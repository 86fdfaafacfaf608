#ifndef LTE_PHY_PILOT_WEIGHTS_H
#define LTE_PHY_PILOT_WEIGHTS_H
/*
 * How the weights of phy/pilots.h are made: least squares and Wiener filters over a window of L
 * subcarriers, in double, with the errors that they leave.
 *
 *     lte_pilot_weights weights;
 *     lte_status status = lte_pilot_weights_init(&weights, LTE_CHANNEL_eva, n_tx, shift);
 *     lte_pilot_weights_wiener(&weights, n0);
 *     double complex w = *lte_pilot_weight(&weights, k, i, j);
 *     lte_pilot_weights_fini(&weights);
 *
 * Every operation rounds alike on every machine: none is of a mathematical library.
 */

#include <complex.h>
#include <stddef.h>

#include "phy/pilots.h"

/* For a channel and n_tx layers, the cyclic shifts of whose references are shift [n_tx] twelfths. */
typedef struct {
    int n_tx, shift[LTE_PILOT_LAYERS];
    int window, echoes;                 /* L; echoes of a layer that least squares fits */
    double complex r[LTE_PILOT_WINDOW]; /* E h(k + d) conj(h(k)), as far as the receiver knows it */
    double complex *w;                  /* [n_tx][L][L] by subcarrier, then pilot of the window */
    double *error;                      /* [n_tx][L]  E|e_k|^2, over n0 of least squares */
    /* work, for n = n_tx echoes unknowns: [L][n], [n][n], [L][L], [L][n] or [L][L] */
    double complex *a, *gram, *c, *x;
} lte_pilot_weights;

/* Memory, and what is known of the channel. Returns LTE_ENOMEM; whatever it returns, fini is due. */
lte_status lte_pilot_weights_init(lte_pilot_weights *weights, int channel, int n_tx,
                                  const int *shift);
void lte_pilot_weights_fini(lte_pilot_weights *weights);

/* Sets w and error to those of least squares. */
void lte_pilot_weights_least_squares(lte_pilot_weights *weights);

/* Sets them to those of the Wiener filter for a noise variance. */
void lte_pilot_weights_wiener(lte_pilot_weights *weights, double n0);

/*
 * What a residual holds of n0 at subcarrier i of a window:
 *
 *     sum_j |[j = i] - sum_k exp(j 2 pi shift_k (i - j) / 12) w_kij|^2
 */
double lte_pilot_weights_residual(const lte_pilot_weights *weights, int i);

/* Layer k's weight of pilot j at subcarrier i of a window. */
static inline double complex *lte_pilot_weight(const lte_pilot_weights *weights, int k, int i,
                                               int j)
{
    return &weights->w[((ptrdiff_t)k * weights->window + i) * weights->window + j];
}

#endif
