#ifndef LTE_PHY_TAPS_H
#define LTE_PHY_TAPS_H
/*
 * Channels made of taps: the taps of a slot are drawn first, then every subcarrier has its sum.
 *
 *     lte_draw_tap_pair(&draws, &profile, slot, l, b, z);    // entries 2 b and 2 b + 1 of tap l
 *     const lte_fading fading = {&profile, tap};
 *     lte_channel_taps(&draws, &fading, sc, h);              // h [n_rx][n_tx]
 */

#include "phy/draws.h"
#include "phy/profile.h"

enum { LTE_MAX_TAP_ENTRIES = LTE_MAX_TAPS * LTE_MAX_RX * LTE_MAX_TX };

/* The taps of a slot. */
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

/* h = sum_l g_l exp(-j 2 pi sc 15 kHz tau_l), in the order of the taps. */
LTE_INLINE void lte_channel_taps(const lte_draws *draws, const lte_fading *fading, lte_word sc,
                                 lte_cplx *h)
{
    const int n = draws->n_rx * draws->n_tx, n_taps = fading->profile->n_taps;
    lte_cplx turn[LTE_MAX_TAPS];
    LTE_UNROLL
    for (int l = 0; l < LTE_MAX_TAPS; l++) {
        turn[l] = c_zero();
        if (l < n_taps)
            lte_sincos(sc * w_set(fading->profile->step[l]), &turn[l].im, &turn[l].re);
    }
    LTE_ROLL_DEVICE
    for (int e = 0; e < n; e++) {
        lte_cplx sum = c_zero();
        LTE_UNROLL
        for (int l = 0; l < LTE_MAX_TAPS; l++) {
            if (l < n_taps)
                sum = c_mac(sum, c_set(fading->tap[l * n + e]), turn[l]);
        }
        h[e] = sum;
    }
}

#endif
