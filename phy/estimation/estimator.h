#ifndef LTE_PHY_ESTIMATOR_H
#define LTE_PHY_ESTIMATOR_H
/*
 * Channel estimation from the demodulation reference signal (DM-RS) of the uplink: the tables that
 * a receiver makes once for a carrier, its layers and its channel.
 *
 *     lte_estimator estimator;
 *     lte_status status = lte_estimator_create(LTE_CHANNEL_eva, 1200, 4, 2,
 *                                           LTE_ESTIMATOR_WIENER, &estimator);
 *     ...
 *     lte_estimator_free(&estimator);
 *
 * Symbol 3 of a slot carries the reference sequences r_k of all layers k at once, told apart by
 * their cyclic shifts. Antenna by antenna, from the matched filters z_k = y conj(r_k):
 *
 *   over the carrier   H_k = sum_i b_i g_ki, the b_i those few functions of frequency that channels
 *                      of such delays consist of (phy/estimation/delay_basis.h), g = M c, c_ki =
 *                      sum_sc conj(b_i) z_k, M a small matrix (phy/estimation/estimator_fit.h).
 *                      With the taps of a known profile and M of the noise it is the estimate of
 *                      least mean square error
 *   in a window        H_k(sc) = sum_j w_j z_k(start + j), start = sc - L / 2 kept within the
 *                      carrier: for L = 12 the mean, which despreads; for L = 1 (independent
 *                      subcarriers) z itself, or what is left of it by the noise
 *
 * Matrices or weights are a set: that of least squares, which tells the noise by what it leaves,
 * and where they depend on the noise one for each of 33 levels. An estimate's error is noise to the
 * detector: with E|e_k|^2 per layer it sees n0 + sum_k E|e_k|^2.
 *
 * Estimates from the two reference symbols of a subframe are combined over time:
 * phy/estimation/pilot_combination.h.
 *
 * The sums over the carrier are in a fixed order: subcarriers in groups of 16 from the first to the
 * last, then the groups. Source: TS 36.211, 5.5.2.1, for the signal.
 */

#include <stdbool.h>

#include "phy/base/carrier.h"
#include "phy/base/cplx.h"
#include "phy/estimation/csi.h"
#include "phy/base/limits.h"
#include "phy/base/status.h"

enum {
    LTE_PILOT_LAYERS = 4,
    LTE_ESTIMATOR_WINDOW = LTE_RB_SC,   /* the longest */
    LTE_ESTIMATOR_LEAST_SC = LTE_RB_SC, /* subcarriers of the narrowest allocation */
    LTE_ESTIMATOR_LEVELS = 33,          /* of noise, 2^-20 to 2^12 */
    LTE_ESTIMATOR_PAD = 16,             /* unknowns of a layer are padded to a multiple of it */
    LTE_LS_WEIGHTS = 0,                 /* the set that tells the noise */
};

typedef struct {
    int window;                    /* L; 0: over the carrier */
    int n_basis;                   /* b_i, over the carrier */
    int n_sets;                    /* 1, or with one for each level 1 + LTE_ESTIMATOR_LEVELS */
    const lte_cf32 *reference;     /* [n_tx][n_sc]  r_k, |r_k| = 1 */
    const lte_cf32 *weight;        /* [n_sets][n_tx][L][L]  by sc - start, then j */
    const float *row;              /* [n_sc][2][n_basis padded]  b_i(sc), by subcarrier */
    const float *column;           /* [n_basis][2][n_sc padded]  the same, by vector */
    const float *matrix;           /* [n_sets][n_tx][n_basis][2][n_tx][n_basis padded]  M' */
    const float *estimation_error; /* [n_sets][n_sc padded to 16]  sum_k E|e_k|^2 / n0 */
    const float *mean_error;       /* [n_sets]  of it over the carrier */
    double noise_scale;            /* n0 of the sum of lte_residual_units over antennas and sc */
} lte_estimator;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tables for a channel of phy/base/names.h, whose profile the Wiener filters know; n_rx scales the
 * estimate of noise alone.
 *
 * Returns LTE_EINVAL for n_tx > 4, n_sc that is no multiple of 12 from 12 to 1200, more than one
 * layer over independent subcarriers, n_tx n_basis >= n_sc; LTE_ENOMEM.
 */
lte_status lte_estimator_create(int channel, int n_sc, int n_rx, int n_tx, lte_estimator_kind kind,
                                lte_estimator *estimator);
void lte_estimator_free(lte_estimator *estimator);

/* Whether there is a set for each level of noise; then n0 comes first, and they go by it. */
LTE_INLINE bool lte_estimator_has_levels(const lte_estimator *estimator)
{
    return estimator->n_sets > 1;
}

/* Whether estimates are sums over the whole carrier. */
LTE_INLINE bool lte_estimator_spans_carrier(const lte_estimator *estimator)
{
    return estimator->n_basis > 0;
}

/* Unknowns of a layer, padded; those of all layers lie one after the other. */
LTE_INLINE int lte_estimator_pitch(const lte_estimator *estimator)
{
    return (estimator->n_basis + LTE_ESTIMATOR_PAD - 1) / LTE_ESTIMATOR_PAD * LTE_ESTIMATOR_PAD;
}

/* First subcarrier of the window of subcarrier sc. */
LTE_INLINE int lte_estimator_start(int n_sc, int window, int sc)
{
    const int start = sc - window / 2, last = n_sc - window;
    return start < 0 ? 0 : start < last ? start : last;
}

/* The set of weights for a noise variance: that of the nearest level on a scale of powers of 2. */
LTE_INLINE int lte_estimator_set(float n0)
{
    int set = 1;
    float between = 0x1.6a09e6p-20f; /* sqrt(2) 2^-20 */
    for (int i = 1; i < LTE_ESTIMATOR_LEVELS; i++) {
        set += n0 > between;
        between *= 2.0f;
    }
    return set;
}

/*
 * |y - sum_k H_k r_k|^2 of one antenna as an integer multiple of 2^-30, so that sums do not depend
 * on their order. From 2^18 on, which only channel files far from unit power reach, it counts as
 * 2^18, so that those of all antennas and subcarriers fit an integer.
 */
LTE_INLINE int64_t lte_residual_units(float power)
{
    if (!(power < 0x1p18f))
        return (int64_t)1 << 48;
    float scaled = power * 0x1p30f;
    if (scaled < 0x1p23f) /* above, a float is an integer */
        scaled = (scaled + 0x1p23f) - 0x1p23f;
    return (int64_t)scaled;
}

/* The set of final estimates at a noise variance. */
LTE_INLINE int lte_estimator_final_set(const lte_estimator *estimator, float n0)
{
    return lte_estimator_has_levels(estimator) ? lte_estimator_set(n0) : LTE_LS_WEIGHTS;
}

/* n0 estimated from the sum of residuals. */
LTE_INLINE float lte_estimator_noise(const lte_estimator *estimator, int64_t residual)
{
    return (float)((double)residual * estimator->noise_scale);
}

/* Noise and the estimate's error together, as the detector sees them: n0 (1 + estimation_error). */
LTE_INLINE lte_real lte_effective_n0(lte_real n0, lte_real estimation_error)
{
    return r_fma(n0, estimation_error, n0);
}

#ifdef __cplusplus
}
#endif

#endif
