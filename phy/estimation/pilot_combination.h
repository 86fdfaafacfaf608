#ifndef LTE_PHY_PILOT_COMBINATION_H
#define LTE_PHY_PILOT_COMBINATION_H
/*
 * Channel estimation from both reference symbols of a subframe, for a channel that moves: what each
 * of a slot's symbols takes of the estimate in its own slot and of that in the other.
 *
 *     lte_pilot_lags lags = lte_pilot_lags_of(&doppler, slot & 1);
 *     lte_combination c = lte_combine(&lags, n_tx, error, shrunk, l);
 *     h = lte_combined_h(c, h_own, h_other);                // in symbol l
 *     n0_l = lte_combined_n0(c, n0, estimation_error);      // and what its detector goes by
 *
 * A subframe is slots 2 i and 2 i + 1, its reference symbols 7 symbols apart; a drop has an even
 * number of slots, so both see the same taps. The first slot of a subframe waits for the second,
 * the second for none: no symbol uses the next subframe, which may be another terminal's.
 *
 * An estimate is the channel with an error v of its own: h_i + v_i, E|v|^2 = s for a layer. Then of
 * all combinations of two the one of least mean square error at symbol l is, with the correlations
 * r_0 = J0(2 pi f_D |t_l - t_own|), r_1 to the other and rho between the two (the Doppler is known,
 * as the profile is),
 *
 *     w_0 = ((1 + s) r_0 - rho r_1) / ((1 + s)^2 - rho^2),   w_1 with r_0 and r_1 exchanged.
 *
 * What it errs by on a layer has two parts: what the channel has changed,
 *
 *     a_l = E|h - w_0 h_0 - w_1 h_1|^2
 *         = (1 - w_0 - w_1)^2 + 2 w_0 (1 - r_0) + 2 w_1 (1 - r_1) - 2 w_0 w_1 (1 - rho),
 *
 * and (w_0^2 + w_1^2) s; the detector sees both as noise, the sum over layers of them. An estimate
 * of least mean square error, of error e, has the power 1 - e: it is (1 - e) (h + v) with s = e /
 * (1 - e), so its weights are w / (1 - e). All is computed from the small 1 - r, so that slow
 * channels lose nothing to rounding. s is that of the carrier's mean error; the loading follows the
 * error over the carrier.
 *
 * Parts of the channel that a Wiener filter gives up are missing in both estimates alike, which no
 * mean lowers: there the error is up to 10 % larger than this (EPA at 5 Hz), elsewhere it is this.
 *
 * Without noise and for a slow channel this is the straight line through both estimates; noise
 * turns it into their mean. At 300 Hz and high SNR the straight line errs by 9 to 12 % more at the
 * slot's outer symbols. Source: Hoeher, Kaiser, Robertson, Two-dimensional pilot-symbol-aided
 * channel estimation by Wiener filtering, ICASSP 1997, for the two steps, frequency and time.
 */

#include <stdbool.h>

#include "phy/base/cplx.h"
#include "phy/base/limits.h"
#include "phy/channel/profile.h"
#include "phy/base/real.h"

enum { LTE_SUBFRAME_PILOTS = 2 };

/* 1 - J0 of the symbols of a slot. */
typedef struct {
    float own[LTE_SLOT_SYMBOLS];   /* to the reference symbol in it, */
    float other[LTE_SLOT_SYMBOLS]; /* to that of the subframe's other slot */
    float between;                 /* from one reference symbol to the other */
} lte_pilot_lags;

/* What a symbol takes of the two estimates, and how that is wrong. */
typedef struct {
    float own, other;
    float spread; /* of the error of a single estimate */
    float ageing; /* sum over layers of a_l */
} lte_combination;

/* The slot of the other reference symbol. */
LTE_INLINE uint64_t lte_other_slot(uint64_t slot)
{
    return slot ^ 1;
}

/* The slot of reference symbol i of those that a slot's estimate is made of, 1 or 2. */
LTE_INLINE uint64_t lte_pilot_slot(uint64_t slot, int pilots, int i)
{
    return slot - slot % (uint64_t)pilots + (uint64_t)i;
}

/* H of a symbol out of the estimate in its slot and the other. */
LTE_INLINE lte_cplx lte_combined_h(lte_combination c, lte_cplx own, lte_cplx other)
{
    const lte_real w0 = r_set(c.own), w1 = r_set(c.other);
    const lte_cplx h = {r_fma(w1, other.re, w0 * own.re), r_fma(w1, other.im, w0 * own.im)};
    return h;
}

/* Noise, ageing and the estimates' error together, as the detector of a symbol sees them. */
LTE_INLINE lte_real lte_combined_n0(lte_combination c, float n0, lte_real estimation_error)
{
    return r_fma(r_set(n0 * c.spread), estimation_error, r_set(n0 + c.ageing));
}

/*
 * Combines estimates in symbol l, whose error is error = sum_k E|e_k|^2 over n_tx layers, the
 * carrier's mean.
 *
 *   shrunk   they are of least mean square error; errors from 31/32 n_tx on count as that much
 */
LTE_INLINE lte_combination lte_combine(const lte_pilot_lags *lags, int n_tx, float error,
                                       bool shrunk, int l)
{
    const float most = 31.0f / 32.0f, least_s = 0x1p-30f;
    const float share = error / (float)n_tx;
    const float e = shrunk ? share < most ? share : most : 0.0f;
    const float some = shrunk ? e / (1.0f - e) : share;
    const float s = some > least_s ? some : least_s; /* two equal estimates: their mean */
    const float u = lags->between, gain = 1.0f / (1.0f - e);
    const float determinant = (s + u) * (2.0f + s - u);
    const float u0 = lags->own[l], u1 = lags->other[l];
    const float w0 = (s * (1.0f - u0) + ((u + u1 - u0) - u * u1)) / determinant;
    const float w1 = (s * (1.0f - u1) + ((u + u0 - u1) - u * u0)) / determinant;
    const float missing = 1.0f - w0 - w1;
    const float aged = missing * missing + 2.0f * (w0 * u0 + w1 * u1) - 2.0f * (w0 * w1) * u;
    const lte_combination c = {w0 * gain, w1 * gain, (w0 * w0 + w1 * w1) * gain,
                               aged > 0.0f ? (float)n_tx * aged : 0.0f};
    return c;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Of the first (odd = 0) or second slot of subframes. Source: Clarke, BSTJ 47, 1968, for J0. */
lte_pilot_lags lte_pilot_lags_of(const lte_doppler *doppler, int odd);

#ifdef __cplusplus
}
#endif

#endif
