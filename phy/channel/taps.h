#ifndef LTE_PHY_TAPS_H
#define LTE_PHY_TAPS_H
/*
 * Channels made of taps: the taps of a slot are drawn first, then every subcarrier has its sum.
 *
 *     lte_draw_tap_pair(&draws, &profile, slot, l, b, z);    // entries 2 b and 2 b + 1 of tap l
 *     lte_draw_moving_tap(&draws, &profile, &doppler, slot, l, e, z);    // or entry e, 7 symbols
 *     const lte_fading fading = {&profile, tap};
 *     lte_channel_taps(&draws, &fading, sc, h);              // h [n_rx][n_tx]
 */

#include "phy/base/carrier.h"
#include "phy/channel/draws.h"
#include "phy/channel/profile.h"

/* The taps of a slot, or of one of its symbols. */
typedef struct {
    const lte_profile *profile;
    const lte_cf32 *tap; /* [n_taps][n_rx][n_tx] */
} lte_fading;

/*
 * Entries 2 b and 2 b + 1 of tap l, one b per lane: z [2], each CN(0, p_l). The second is none of
 * the channel where 2 b + 1 = n_rx n_tx.
 */
LTE_INLINE void lte_draw_tap_pair(const lte_draws *draws, const lte_profile *profile, uint64_t slot,
                                  int l, lte_word b, lte_cplx *z)
{
    const lte_word first = w_set((uint32_t)l * draws->channel_blocks);
    const lte_words w = lte_draw(draws, slot, LTE_DRAW_CHANNEL, first + b);
    const lte_real amplitude = r_set(profile->amplitude[l]);
    z[0] = c_scale(lte_normal(w.v[0], w.v[1]), amplitude);
    z[1] = c_scale(lte_normal(w.v[2], w.v[3]), amplitude);
}

/*
 * f_D t at a symbol of a slot, t from the drop's first slot on: turns in 2^-32, whole
 * ones too.
 */
LTE_INLINE uint64_t lte_doppler_turns(const lte_doppler *doppler, uint64_t slot, int symbol)
{
    return doppler->turns * lte_symbol_start(slot % doppler->drop_slots, symbol) >> 16;
}

/* x turns for x in [-1, 1], modulo a turn; |x| is rounded to 2^-22, turns are below 2^47. */
LTE_INLINE lte_word lte_part_of_turns(lte_real x, uint64_t turns)
{
    const lte_real unit = r_set(0x1p22f), one_and_a_half = r_set(0x1.8p23f); /* its ulp is 1 */
    const lte_word q = r_bits(r_fma(r_abs(x), unit, one_and_a_half)) - r_bits(one_and_a_half);
    const lte_wide product = wide_mul(wide_from(q), (uint32_t)turns);
    const lte_word high = wide_word(wide_mix(product, wide_from(w_set(0)), 0));
    const lte_word part =
        ((q * w_set((uint32_t)(turns >> 32)) + high) << 10) + (wide_word(product) >> 22);
    return w_sel(r_lt(x, r_set(0.0f)), w_set(0) - part, part);
}

/*
 * Entry e, one per lane, of tap l in the symbols of a slot: z [7], each CN(0, p_l), with the
 * autocorrelation p_l J0(2 pi f_D t):
 *
 *     z(t) = sqrt(p_l / M) sum_m a_m exp(j 2 pi f_D t cos alpha_m),
 *
 * a_m CN(0, 1) and alpha_m uniform in the m-th M-th of a turn, drawn for the drop. The amplitudes
 * being normal, z is, whatever M; M is doppler->sinusoids (phy/channel/profile.h). Source: Clarke,
 * A statistical theory of mobile-radio reception, BSTJ 47, 1968.
 */
LTE_INLINE void lte_draw_moving_tap(const lte_draws *draws, const lte_profile *profile,
                                    const lte_doppler *doppler, uint64_t slot, int l, lte_word e,
                                    lte_cplx *z)
{
    const uint64_t drop = slot - slot % doppler->drop_slots;
    const lte_word entry = w_set((uint32_t)(l * draws->n_rx * draws->n_tx)) + e;
    const lte_real amplitude = r_set(profile->amplitude[l] * doppler->amplitude);
    const uint32_t n = 1u << doppler->sinusoid_bits;
    const int bits = (int)doppler->sinusoid_bits;
    uint64_t turns[LTE_SLOT_SYMBOLS];
    LTE_UNROLL
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        turns[symbol] = lte_doppler_turns(doppler, slot, symbol);
        z[symbol] = c_zero();
    }
    LTE_ROLL_DEVICE
    for (uint32_t m = 0; m < n; m++) {
        const lte_words w = lte_draw(draws, drop, LTE_DRAW_FADING, entry * w_set(n) + w_set(m));
        const lte_cplx a = lte_normal(w.v[0], w.v[1]);
        lte_real sine, cosine;
        lte_sincos(w_set(m << (32 - bits)) + (w.v[2] >> bits), &sine, &cosine);
        LTE_UNROLL
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            lte_cplx turned;
            lte_sincos(lte_part_of_turns(cosine, turns[symbol]), &turned.im, &turned.re);
            z[symbol] = c_mac(z[symbol], a, turned);
        }
    }
    LTE_UNROLL
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        z[symbol] = c_scale(z[symbol], amplitude);
}

/* turn_l = exp(-j 2 pi (first + sc) 15 kHz tau_l) of each tap: turn [LTE_MAX_TAPS] out. */
LTE_INLINE void lte_tap_turns(const lte_profile *profile, lte_word sc, lte_cplx *turn)
{
    LTE_UNROLL
    for (int l = 0; l < LTE_MAX_TAPS; l++) {
        turn[l] = c_zero();
        if (l < profile->n_taps)
            lte_sincos((sc + w_set(profile->first)) * w_set(profile->step[l]), &turn[l].im,
                       &turn[l].re);
    }
}

/* Entry e of n of h = sum_l g_l turn_l, in the order of the taps. */
LTE_INLINE lte_cplx lte_channel_entry(const lte_fading *fading, int n, int e, const lte_cplx *turn)
{
    lte_cplx sum = c_zero();
    LTE_UNROLL
    for (int l = 0; l < LTE_MAX_TAPS; l++) {
        if (l < fading->profile->n_taps)
            sum = c_mac(sum, c_set(fading->tap[l * n + e]), turn[l]);
    }
    return sum;
}

/* All entries of a subcarrier. */
LTE_INLINE void lte_channel_taps(const lte_draws *draws, const lte_fading *fading, lte_word sc,
                                 lte_cplx *h)
{
    const int n = draws->n_rx * draws->n_tx;
    lte_cplx turn[LTE_MAX_TAPS];
    lte_tap_turns(fading->profile, sc, turn);
    LTE_ROLL_DEVICE
    for (int e = 0; e < n; e++)
        h[e] = lte_channel_entry(fading, n, e, turn);
}

#endif
