#ifndef LTE_PHY_BER_THEORY_H
#define LTE_PHY_BER_THEORY_H
/*
 * Closed forms for the uncoded bit error rate of square Gray QAM.
 *
 *     lte_ber_theory theory;
 *     lte_status status = lte_ber_theory_of(LTE_DETECTOR_zf, LTE_CHANNEL_rayleigh,
 *                                           LTE_CSI_perfect, n_tx, n_rx, n_bits, snr,
 *                                           &theory);
 *
 * A channel names its form in its row (phy/channel/channels.h), a detector the law of its SINR
 * (phy/detection/detectors.h). To add a law: its id there and its function in ber_theory.c.
 */

#include <stdbool.h>

#include "phy/base/status.h"

typedef struct {
    bool known; /* there is a formula */
    bool exact; /* it is exact, so that measured - ber may be tested against zero */
    double ber; /* bit error rate, 0 to 0.5; NAN when not known */
} lte_ber_theory;

/*
 * Mean BER over all bits in additive white Gaussian noise at symbol SNR es_n0 (linear), for
 * n_bits = 2, 4, .. 10 bits per symbol:
 *
 *     P = sum_k w_k Q(k sqrt(3 es_n0 / (M - 1))),  k odd
 *
 * Returns NAN for another n_bits or es_n0 not >= 0.
 * Source: Cho and Yoon, IEEE Trans. Commun. 50(7), 2002.
 */
double lte_ber_awgn(int n_bits, double es_n0);

/*
 * The same averaged over es_n0 ~ Gamma(shape, scale rho): SISO Rayleigh (shape 1), maximum ratio
 * combining (shape n_rx) and zero forcing (shape n_rx - n_tx + 1), rho = snr / n_tx.
 *
 * Returns NAN for another n_bits, shape < 1 or rho not >= 0.
 * Source: Winters, Salz, Gitlin, IEEE Trans. Commun. 42, 1994; the average over the gamma law:
 * Simon and Alouini, Digital Communication over Fading Channels, 2005.
 */
double lte_ber_gamma(int n_bits, int shape, double rho);

/*
 * Mean BER of unbiased MMSE in Rayleigh fading: the exact law F of its SINR, with the residual
 * interference taken as Gaussian; approximate, within 6 % (exact for n_tx = 1).
 *
 *     P = int_0^inf F(u^2) sum_k w_k c_k phi(c_k u) du,  c_k = k sqrt(3 / (M - 1)),
 *     phi the normal density
 *
 *   rho   snr / n_tx, linear
 *   ber   out: NAN on failure
 *
 * Returns LTE_EINVAL for a shape outside phy/base/limits.h, another n_bits, rho not > 0 or too
 * extreme for the quadrature; LTE_ENOMEM. Swaps GSL's error handler meanwhile: one thread at a
 * time. Source: Gao, Smith, Clark, IEEE Trans. Commun. 46(5), 1998; Poor and Verdu, IEEE Trans.
 * Inf. Theory 43(3), 1997.
 */
lte_status lte_ber_mmse(int n_bits, int n_tx, int n_rx, double rho, double *ber);

/*
 * The SNR per layer that zero forcing with an estimated channel is left with, for symbols of one
 * modulus: to be put in the place of rho in lte_ber_gamma, which stays exact.
 *
 *     theta = rho / (1 + v + n_tx rho v)
 *
 *   rho        snr / n_tx, linear
 *   variance   v = E|e|^2 of the errors of the estimate, independent of one another and of H
 *
 * Source: H = (H + E) / (1 + v) + E', E' of variance v / (1 + v) and independent of H + E; what E'
 * makes of symbols |x|^2 = n_tx is noise beside n.
 */
double lte_ls_gain(int n_tx, double rho, double variance);

/*
 * The closed form of a detector in a channel with a csi of it, all of phy/base/names.h, n_tx
 * layers, n_rx antennas, n_bits per symbol, at snr = n_tx / n0 (linear), nothing moving. With
 * perfect CSI exact in awgn, in fading channels for n_tx = 1, and there for detectors that leave
 * no layer in another (LTE_SINR_GAMMA); approximate for LTE_SINR_MMSE. With despread for
 * LTE_SINR_GAMMA and QPSK in flat alone, exact, v = n0 / 12. Without a formula: LTE_OK and
 * known = false.
 *
 * Returns LTE_EINVAL for an unknown detector, channel or csi, another n_bits, a shape outside
 * phy/base/limits.h, awgn with n_rx unlike n_tx, or snr not > 0; LTE_ENOMEM.
 */
lte_status lte_ber_theory_of(int detector, int channel, int csi, int n_tx, int n_rx, int n_bits,
                             double snr, lte_ber_theory *theory);

/* Eb/N0 in dB at an SNR in dB that all layers share: SNR / (n_tx n_bits). */
double lte_eb_n0_db(int n_tx, int n_bits, double snr_db);

#endif
