#ifndef LTE_PHY_FADING_H
#define LTE_PHY_FADING_H
/*
 * What theory says of a fading channel, in double, from the published powers and delays: the
 * yardstick of what phy/channel/taps.h draws, with which it shares no formula.
 *
 *     double r = cabs(lte_fading_over_frequency(LTE_CHANNEL_eva, 180e3));    // |R(180 kHz)|
 *
 * An entry h(f, t) of the channel matrix has E h(f + df, t + tau) h(f, t)* = R(df) J0(2 pi f_D
 * tau).
 */

#include <complex.h>
#include <stddef.h>

#include "phy/channel/channels.h"

/* Moments of a profile whose powers p_l are scaled to the sum 1. */
typedef struct {
    double mean_s;        /* sum_l p_l tau_l */
    double rms_s;         /* root of sum_l p_l (tau_l - mean)^2 */
    double concentration; /* sum_l p_l^2: 1 for one tap, 1 / n for n alike */
} lte_delays;

/* Of a channel made of taps. */
lte_delays lte_fading_delays(int channel);

/* R(df) = sum_l p_l exp(-j 2 pi df tau_l); without taps 1, or 0 for other subcarriers' draws. */
double complex lte_fading_over_frequency(int channel, double df_hz);

/* J0(2 pi f_D tau). Source: Clarke, BSTJ 47, 1968. */
double lte_fading_over_time(double doppler_hz, double seconds);

/*
 * Sinusoids that a tap of a drop has: the smallest power of 2 that is neither below 16 nor below
 * 4 f_D T, T the drop's time.
 */
int lte_fading_sinusoids(double doppler_hz, double drop_s);

/*
 * Correlation of the powers |h|^2 over a time tau, were each of the taps, of powers p_l, a sum of M
 * sinusoids of normal amplitudes and one angle in each M-th of a turn:
 *
 *     E|r|^2 = J0^2 + (sum_l p_l^2 / M) (1 - (1 / M) sum_m |E exp(j 2 pi f_D tau cos alpha_m)|^2)
 *
 * which is J0^2 for M without end.
 */
double lte_fading_power_over_time(int channel, int sinusoids, double doppler_hz, double seconds);

/*
 * Times per second that the envelope |h| of E|h|^2 = 1 comes up through rho:
 *
 *     sqrt(2 pi) f_D rho exp(-rho^2)
 *
 * Source: Rice, Mathematical analysis of random noise, BSTJ 23 and 24, 1944 and 1945; Clarke 1968.
 */
double lte_fading_crossings(double doppler_hz, double rho);

/*
 * Kolmogorov's distance between n envelopes, sorted here, and the Rayleigh law 1 - exp(-x^2).
 * For n independent ones it is above eps with a probability of at most 2 exp(-2 n eps^2) (Massart,
 * Annals of Probability 18, 1990).
 */
double lte_fading_rayleigh_gap(size_t n, double *envelope);

#endif
