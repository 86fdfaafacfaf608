#ifndef LTE_PHY_CHANNEL_H
#define LTE_PHY_CHANNEL_H
/*
 * Channel matrices, E|h|^2 = 1 per entry.
 *
 *     lte_cplx h[LTE_MAX_RX * LTE_MAX_TX];
 *     lte_channel_rayleigh(&draws, slot, sc, h);    // h [n_rx][n_tx], one subcarrier per lane
 *
 * Those that are made of taps: phy/taps.h. To add a channel: phy/channels.h.
 */

#include "phy/draws.h"

/* Every entry an independent CN(0, 1): the channel draws of subcarrier sc. */
LTE_INLINE void lte_channel_rayleigh(const lte_draws *draws, uint64_t slot, lte_word sc,
                                     lte_cplx *h)
{
    const uint32_t n = (uint32_t)(draws->n_rx * draws->n_tx);
    LTE_ROLL_DEVICE
    for (uint32_t b = 0; b < draws->channel_blocks; b++) {
        lte_words w =
            lte_draw(draws, slot, LTE_DRAW_CHANNEL, sc * w_set(draws->channel_blocks) + w_set(b));
        h[2 * b] = lte_normal(w.v[0], w.v[1]);
        if (2 * b + 1 < n)
            h[2 * b + 1] = lte_normal(w.v[2], w.v[3]);
    }
}

/* sqrt(n_tx) I, so that the SNR of each layer is n_tx / n0. */
LTE_INLINE void lte_channel_awgn(const lte_draws *draws, uint64_t slot, lte_word sc, lte_cplx *h)
{
    const lte_real gain = r_sqrt(r_set((float)draws->n_tx));
    (void)slot;
    (void)sc;
    LTE_ROLL_DEVICE
    for (int rx = 0; rx < draws->n_rx; rx++) {
        LTE_ROLL_DEVICE
        for (int tx = 0; tx < draws->n_tx; tx++) {
            h[rx * draws->n_tx + tx] = c_zero();
            if (rx == tx)
                h[rx * draws->n_tx + tx].re = gain;
        }
    }
}

#endif
